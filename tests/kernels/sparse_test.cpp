#include "tests/kernels/sparse_tests.h"
