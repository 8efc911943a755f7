#include "tests/kernels/rowwise_tests.h"
