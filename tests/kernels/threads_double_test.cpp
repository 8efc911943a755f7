#include "tests/kernels/threads_tests.h"
