#include "tests/kernels/sheaf_tests.h"
