#include "tests/kernels/head_tests.h"
