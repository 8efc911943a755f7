// The list of chapters, in the order of the paper, then our own; those that share their runs share a source file.
#include "gcnh/io/catalog.h"
#include "gcnh/paper/decisions.h"
#include "gcnh/paper/paper.h"

namespace gcnh::paper {

Chapter main_chapter(Workbench&), grid_chapter(Workbench&), data_chapter(Workbench&), ablation_chapter(Workbench&),
    aggregation_chapter(Workbench&), synthetic_chapter(Workbench&), beta_chapter(Workbench&), times_chapter(Workbench&),
    complexity_chapter(Workbench&), oversmoothing_chapter(Workbench&), defaults_chapter(Workbench&),
    decisions_chapter(Workbench&), views_chapter(Workbench&), beyond_chapter(Workbench&);

namespace {

// All graphs but the paper's, each in one direction, and the one with a rare class.
std::vector<std::string> graphs_of_decisions() {
  std::vector<std::string> out = {"cornell-fixed", "minesweeper", "chameleon-filtered", "squirrel-filtered"};
  for (const std::string& name : dataset_names())
    if (name.starts_with("syn-cora/")) out.push_back(name);
  out.push_back(kRare);
  return out;
}

}  // namespace

const std::vector<ChapterType>& paper_chapters() {
  static const std::vector<ChapterType> chapters = {
      {"data", "the datasets, counted, with what is wrong in the printed table", data_chapter},
      {"main", "nine models on eight graphs, as their own code took the graphs and on one clean graph", main_chapter},
      {"ablation", "GCNH with the weight of the centre node fixed, per unit, or learned", ablation_chapter},
      {"aggregation", "GCNH with sum, mean and max", aggregation_chapter},
      {"synthetic", "accuracy against homophily on generated graphs", synthetic_chapter},
      {"beta", "the learned weight of the centre node against homophily", beta_chapter},
      {"times", "training times and numbers of parameters", times_chapter},
      {"complexity", "time per epoch against nodes and edges", complexity_chapter},
      {"oversmoothing", "accuracy against depth", oversmoothing_chapter},
      {"grid", "GCNH chosen by our own search over the stated grids", grid_chapter},
      {"defaults",
       "what a comparison reaches unasked, beside published options and a larger search",
       defaults_chapter,
       {"chameleon-filtered", "squirrel-filtered", "minesweeper"},
       false},
      {"decisions", "what final models, sets, probabilities and decisions are worth", decisions_chapter,
       graphs_of_decisions(), false},
      {"views", "nine models on one graph for all, by whom a node receives from", views_chapter, {}, false},
      {"beyond",
       "GCNH carried on beside GCNH of the paper and the other models",
       beyond_chapter,
       {"cornell-fixed", "chameleon-filtered", "chameleon-filtered-directed", "squirrel-filtered",
        "squirrel-filtered-directed", "minesweeper"},
       false},
  };
  return chapters;
}

}  // namespace gcnh::paper
