#include "tests/models/golden_tests.h"
