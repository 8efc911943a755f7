#include "tests/kernels/scaled_tests.h"
