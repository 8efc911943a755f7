#include "tests/train/adam_tests.h"
