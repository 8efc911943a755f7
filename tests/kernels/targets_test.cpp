#include "tests/kernels/targets_tests.h"
