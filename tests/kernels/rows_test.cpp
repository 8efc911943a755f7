#include "tests/kernels/rows_tests.h"
