// What is made of many trainings, in one include: journals, tuning, statistics, comparisons, reports and the paper.
#pragma once

#include "gcnh/graph/large_graphs.h"
#include "gcnh/io/csv_write.h"
#include "gcnh/io/file.h"
#include "gcnh/paper/paper.h"
#include "gcnh/paper/published.h"
#include "gcnh/report/chart.h"
#include "gcnh/report/escape.h"
#include "gcnh/report/page.h"
#include "gcnh/report/run_report.h"
#include "gcnh/report/table.h"
#include "gcnh/study/again.h"
#include "gcnh/study/comparison.h"
#include "gcnh/study/journal.h"
#include "gcnh/study/statistics.h"
#include "gcnh/study/tune.h"
#include "gcnh/train/make_stepper.h"
