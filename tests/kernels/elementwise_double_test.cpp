#include "tests/kernels/elementwise_tests.h"
