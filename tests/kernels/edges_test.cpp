#include "tests/kernels/edges_tests.h"
