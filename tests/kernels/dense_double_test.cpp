#include "tests/kernels/dense_tests.h"
