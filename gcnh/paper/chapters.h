// The chapters; those that share their runs share a source file.
#pragma once

#include "gcnh/paper/paper.h"

namespace gcnh {

Chapter main_chapter(Workbench& bench);
Chapter grid_chapter(Workbench& bench);
Chapter synthetic_chapter(Workbench& bench);
Chapter ablation_chapter(Workbench& bench);
Chapter aggregation_chapter(Workbench& bench);
Chapter beta_chapter(Workbench& bench);
Chapter oversmoothing_chapter(Workbench& bench);
Chapter times_chapter(Workbench& bench);
Chapter complexity_chapter(Workbench& bench);
Chapter data_chapter(Workbench& bench);

}  // namespace gcnh
