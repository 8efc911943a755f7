// Choosing between configurations: by validation alone, the same from a journal as from training, epochs as prefixes.
#include "gcnh/study/tune.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "gcnh/base/error.h"
#include "gcnh/graph/synthetic.h"
#include "gcnh/models/model.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace gcnh::testing {
using namespace study;
namespace {

using Setup_ = gcnh::Setup;  // GoogleTest has a trap of that name

Experiment small_experiment(Index nodes = 150) {
  SyntheticOptions options;
  options.nodes = nodes;
  Setup setup;
  setup.model = "mlp";
  setup.options = {{"hidden", "4"}, {"epochs", "12"}};
  Experiment out = prepare(setup, make_synthetic(options));
  out.splits = {0, 1, 2, 3};
  return out;
}

const Grid kGrid = {{"hidden", {"2", "4"}}, {"epochs", {"4", "12"}}, {"dropout", {"0", "0.5"}}};

TEST(Tune, CellsAreAllCombinationsInOrder) {
  const std::vector<OptionValues> cells = cells_of({{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}});
  ASSERT_EQ(cells.size(), 6u);
  EXPECT_EQ(cells[0], (OptionValues{{"a", "1"}, {"b", "x"}}));
  EXPECT_EQ(cells[1], (OptionValues{{"a", "1"}, {"b", "y"}}));
  EXPECT_EQ(cells[5], (OptionValues{{"a", "2"}, {"b", "z"}}));
}

TEST(Tune, CellsOfLargeGridsAreDrawnByNumber) {
  Grid grid;
  for (const char* option : {"a", "b", "c", "d", "e", "f", "g"}) {
    grid.push_back({option, {}});
    for (int i = 0; i < 50; ++i) grid.back().values.push_back(std::to_string(i));
  }
  EXPECT_EQ(num_cells(grid), 781'250'000'000u);
  EXPECT_EQ(cell_at(grid, 781'249'999'999u).at("a"), "49");
  EXPECT_EQ(cell_at(grid, 51),
            (OptionValues{{"a", "0"}, {"b", "0"}, {"c", "0"}, {"d", "0"}, {"e", "0"}, {"f", "1"}, {"g", "1"}}));
  EXPECT_EQ(num_trials(num_cells(grid), 2), 2);
  EXPECT_THROW(num_trials(num_cells(grid), 0), Error);
  EXPECT_THROW(cells_of(grid), Error);
  grid.insert(grid.end(), {grid[0], grid[1], grid[2], grid[3], grid[4]});
  EXPECT_THROW(num_cells(grid), Error);
}

TEST(Tune, ALargeGridIsSearched) {
  const TempDir folder;
  Journal journal(folder / "journal.jsonl");
  Study study{journal, 2};
  Grid grid = {{"dropout", {}}, {"lr", {}}, {"hidden", {"2", "3"}}};
  for (int i = 0; i < 1000; ++i) {
    grid[0].values.push_back(std::to_string(i / 2000.0));
    grid[1].values.push_back(std::to_string((i + 1) / 100000.0));
  }
  const SearchResult found = search(study, small_experiment(), grid, {.method = Method::random, .trials = 2});
  ASSERT_EQ(found.cells.size(), 2u);
  EXPECT_NE(found.cells[0].options, found.cells[1].options);
}

// What was drawn from a grid stays what is drawn: journals know it.
TEST(Tune, DrawnCellsAreAlwaysTheSame) {
  const TempDir folder;
  Journal journal(folder / "journal.jsonl");
  Study study{journal, 2};
  Grid grid = {{"hidden", {}}, {"dropout", {"0", "0.5"}}};
  for (int i = 1; i <= 20; ++i) grid[0].values.push_back(std::to_string(i));
  std::vector<OptionValues> all = cells_of(grid);
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  shuffle(order, Rng(1));
  std::set<OptionValues> expected, drawn;
  for (std::size_t i = 0; i < 3; ++i) expected.insert(all[order[i]]);
  for (const Cell& cell : search(study, small_experiment(), grid, {.method = Method::random, .trials = 3}).cells)
    drawn.insert(cell.options);
  EXPECT_EQ(drawn, expected);
}

TEST(Tune, TheHighestMeanValidationAccuracyWins) {
  const TempDir folder;
  Journal journal(folder / "journal.jsonl");
  Study study{journal, 2};
  const Experiment experiment = small_experiment();
  const TuneResult result = tune(study, experiment, kGrid, {});
  ASSERT_EQ(result.cells.size(), 8u);
  for (const Cell& cell : result.cells) {
    EXPECT_EQ(cell.val_accuracies.size(), 4u);
    EXPECT_DOUBLE_EQ(cell.val_accuracy, mean_std(cell.val_accuracies).mean);
    EXPECT_LE(cell.val_accuracy, result.cells.front().val_accuracy);
  }
  // The winner as a run of its own.
  Trial again{with_options(experiment, result.cells.front().options)};
  const RunResult run = gcnh::run(again.experiment);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(run.splits[i].test_accuracy, result.winner[i].test_accuracy);
    EXPECT_EQ(run.splits[i].best.score.accuracy, result.cells.front().val_accuracies[i]);
  }
}

TEST(Tune, TheMetricChooses) {
  const TempDir folder;
  Journal journal(folder / "journal.jsonl");
  Study study{journal, 2};
  for (Metric metric : {Metric::roc_auc, Metric::log_loss}) {
    SCOPED_TRACE(to_word(metric));
    Experiment experiment = small_experiment();
    experiment.train.metric = metric;
    const TuneResult result = tune(study, experiment, kGrid, {});
    for (const Cell& cell : result.cells) {
      EXPECT_LE(merit(metric, cell.val_value), merit(metric, result.cells.front().val_value));
      EXPECT_DOUBLE_EQ(cell.val_value, mean_std(cell.val_values).mean);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const SplitOutcome& split = result.winner[i];
      EXPECT_EQ(split.best.score.metric, result.cells.front().val_values[i]);
      EXPECT_EQ(val_value(split, metric), split.best.score.metric) << "the kept epoch measured again";
      EXPECT_EQ(val_value(split, Metric::accuracy), (*split.val)[Metric::accuracy]);
    }
    const auto written = nlohmann::json::parse(tune_json(experiment, result));
    EXPECT_EQ(written["metric"], to_word(metric));
    EXPECT_EQ(written["cells"][0]["val_metric"]["mean"], result.cells.front().val_value);
    EXPECT_EQ(written["best"]["test"][to_word(metric)]["mean"], mean_std(test_values(result.winner, metric)).mean);
  }
  EXPECT_EQ(study.journal.num_stale(), 0u);
  EXPECT_THROW(tune(study, small_experiment(), {{"metric", {"accuracy", "mcc"}}}, {}), Error);
}

TEST(Tune, NamesMayBeWrittenAsFlags) {
  EXPECT_EQ(cells_of({{"weight-decay", {"1"}}}).front(), (OptionValues{{"weight_decay", "1"}}));
  EXPECT_EQ(cell_text(cells_of({{"weight-decay", {"1"}}}).front()), "weight_decay 1");
  EXPECT_EQ(with_options(small_experiment(), {{"weight-decay", "0.25"}}).train.weight_decay, 0.25);
}

TEST(Tune, EpochsArePrefixes) {
  const TempDir folder;
  Journal journal(folder / "journal.jsonl");
  Study study{journal, 1};
  for (Select select : {Select::accuracy, Select::first_accuracy, Select::last_accuracy, Select::loss}) {
    SCOPED_TRACE(to_word(select));
    Experiment experiment = small_experiment();
    experiment.train.select = select;
    const TuneResult result = tune(study, experiment, {{"epochs", {"3", "7", "12"}}}, {});
    for (const Cell& cell : result.cells) {
      const RunResult run = gcnh::run(with_options(experiment, cell.options), {});
      for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(run.splits[i].best.score.accuracy, cell.val_accuracies[i]);
    }
  }
}

TEST(Tune, TheTestNodesAreReadForTheWinnerAlone) {
  const TempDir folder;
  {
    Journal journal(folder / "journal.jsonl");
    Study study{journal, 1};
    tune(study, small_experiment(), kGrid, {});
  }
  int searched = 0, read = 0;
  std::ifstream in(folder / "journal.jsonl");
  for (std::string line; std::getline(in, line);) {
    const bool has_test = nlohmann::json::parse(line).at("result").contains("test_accuracy");
    (has_test ? read : searched)++;
  }
  EXPECT_EQ(searched, 4 * 4) << "cells without their epochs, times splits";
  EXPECT_EQ(read, 4) << "splits of the winner";
}

TEST(Tune, AJournalSavesTheWorkAndChangesNothing) {
  const TempDir folder;
  std::string first, second;
  for (std::string* text : {&first, &second}) {
    Journal journal(folder / "journal.jsonl");
    Study study{journal, 2};
    const Experiment experiment = small_experiment();
    *text = tune_json(experiment, tune(study, experiment, kGrid, {}));
  }
  EXPECT_EQ(first, second);
  Journal journal(folder / "journal.jsonl");
  Study study{journal, 2};
  study.observer.on_split = [](std::size_t, std::size_t) { FAIL() << "trained again"; };
  tune(study, small_experiment(), kGrid, {});
}

TEST(Tune, OtherDataOrOptionsAreOtherRuns) {
  const Experiment a = small_experiment();
  Experiment b = small_experiment();
  EXPECT_EQ(describe_run(a), describe_run(b));
  b.train.lr = 0.5;
  EXPECT_NE(describe_run(a), describe_run(b));
  b = small_experiment();
  b.engine = "tape";
  EXPECT_NE(describe_run(a), describe_run(b));
  const Experiment c = small_experiment(155);
  EXPECT_NE(describe_run(a), describe_run(c));
}

TEST(Tune, LinesOlderThanAnOptionStillCount) {
  const TempDir folder;
  const Experiment experiment = small_experiment();
  {
    Journal journal(folder / "journal.jsonl");
    Study study{journal, 1};
    run_trials(study, {{experiment}});
  }
  std::string text = slurp(folder / "journal.jsonl");
  const std::string option = "\"adam\":\"torch\",";
  ASSERT_NE(text.find(option), std::string::npos);
  for (std::size_t at; (at = text.find(option)) != std::string::npos;) text.erase(at, option.size());
  write_text(folder / "older.jsonl", text);
  Journal journal(folder / "older.jsonl");
  Study study{journal, 1, {}, /*train_missing=*/false};
  EXPECT_EQ(run_trials(study, {{experiment}}).front().size(), 4u);
}

TEST(Tune, HalvingGivesTheBetterCellsMoreSplits) {
  const TempDir folder;
  Journal journal(folder / "journal.jsonl");
  Study study{journal, 2};
  const TuneResult result =
      tune(study, small_experiment(), {{"hidden", {"2", "3", "4", "5"}}, {"dropout", {"0", "0.5"}}},
           {.method = Method::halving});
  std::map<std::size_t, int> by_splits;
  for (const Cell& cell : result.cells) ++by_splits[cell.val_accuracies.size()];
  EXPECT_EQ(by_splits, (std::map<std::size_t, int>{{1, 4}, {2, 2}, {4, 2}}));
  EXPECT_EQ(result.winner.size(), 4u);
}

TEST(Tune, HalvingEndsWithOneCell) {
  const TempDir folder;
  Journal journal(folder / "journal.jsonl");
  Study study{journal, 2};
  const TuneResult result = tune(study, small_experiment(), {{"hidden", {"2", "3"}}}, {.method = Method::halving});
  for (const Cell& cell : result.cells) EXPECT_EQ(cell.val_accuracies.size(), 1u) << "nothing is left to be chosen";
  EXPECT_EQ(result.winner.size(), 4u);
}

TEST(Tune, ASearchMayTryTheExperimentsOwnOptionsAndReadsNoTestNode) {
  Journal journal;
  Study study{journal, 2};
  const Experiment experiment = small_experiment();
  const Grid grid = {{"hidden", {"2", "3", "5", "6"}}, {"dropout", {"0", "0.5"}}};
  for (int trials : {1, 2, 5, 0}) {
    const SearchResult result =
        search(study, experiment, grid, {.method = Method::halving, .trials = trials, .try_own = true});
    EXPECT_EQ(result.cells.size(), trials == 0 ? 9u : static_cast<std::size_t>(trials));
    EXPECT_EQ(std::count_if(result.cells.begin(), result.cells.end(),
                            [](const Cell& c) {
                              return c.options == OptionValues{{"hidden", "4"}, {"dropout", "0.5"}};
                            }),
              1);
    EXPECT_EQ(result.test_reads, 0);
    EXPECT_TRUE(result.winner.read_test) << "the winner may";
    EXPECT_EQ(all_options(result.winner).at("hidden"), result.cells.front().options.at("hidden"));
  }
  const SearchResult known = search(study, experiment, kGrid, {.try_own = true});
  EXPECT_EQ(known.cells.size(), 8u) << "own options that are a cell of the grid are not tried twice";
  tune(study, experiment, kGrid, {});
  EXPECT_EQ(search(study, experiment, kGrid, {}).test_reads, 4) << "of the winner, whose test nodes were read since";
}

TEST(Tune, RandomSearchDrawsTheSameCellsAgain) {
  std::vector<std::string> results;
  for (int i = 0; i < 2; ++i) {
    const TempDir folder;
    Journal journal(folder / "journal.jsonl");
    Study study{journal, 2};
    const Experiment experiment = small_experiment();
    const TuneResult result =
        tune(study, experiment, {{"hidden", {"2", "3", "4", "5", "6"}}}, {.method = Method::random, .trials = 2});
    EXPECT_EQ(result.cells.size(), 2u);
    results.push_back(tune_json(experiment, result));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(Tune, ACellThatDivergesLosesAndTheSearchGoesOn) {
  const TempDir folder;
  const Experiment experiment = small_experiment();
  std::string texts[2];
  for (std::string& text : texts) {
    Journal journal(folder / "journal.jsonl");
    Study study{journal, 2};
    const TuneResult result = tune(study, experiment, {{"lr", {"1e30", "0.01"}}, {"epochs", {"4", "12"}}}, {});
    ASSERT_EQ(result.cells.size(), 4u);
    EXPECT_EQ(result.winner_options.at("lr"), "0.01");
    for (std::size_t i : {2u, 3u}) {
      EXPECT_EQ(result.cells[i].options.at("lr"), "1e30");
      EXPECT_EQ(result.cells[i].val_accuracies, std::vector<double>(4, 0.0));
    }
    text = tune_json(experiment, result);
  }
  EXPECT_EQ(texts[0], texts[1]) << "from the journal as from training";
  Journal journal(folder / "all.jsonl");
  Study study{journal, 2};
  try {
    tune(study, experiment, {{"lr", {"1e30"}}}, {});
    FAIL() << "a winner that cannot be trained";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("lr 1e30: split 0: the loss is not finite"), std::string::npos)
        << error.what();
  }
}

TEST(Tune, WrongValuesAreFoundBeforeTheFirstTraining) {
  const TempDir folder;
  Journal journal(folder / "journal.jsonl");
  Study study{journal, 2};
  study.observer.on_split = [](std::size_t, std::size_t) { FAIL() << "trained"; };
  for (const GridAxis& axis : std::vector<GridAxis>{{"hidden", {"4", "x"}},
                                                    {"hidden", {"4", "-1"}},
                                                    {"hidden", {"4", ""}},
                                                    {"hidden", {"4", "4"}},
                                                    {"batch", {"full", "0"}},
                                                    {"lr", {"0.01", "0"}}}) {
    try {
      tune(study, small_experiment(), {axis}, {});
      ADD_FAILURE() << axis.option << " " << axis.values[1];
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::usage) << error.what();
      EXPECT_NE(std::string(error.what()).find(axis.option), std::string::npos) << error.what();
    }
  }
}

TEST(Tune, AnErrorEndsAllTrainings) {
  const TempDir folder;
  Journal journal(folder / "journal.jsonl");
  Study study{journal, 1};
  Experiment experiment = small_experiment();
  int trained = 0;
  study.observer.on_split = [&](std::size_t, std::size_t) {
    if (++trained == 2) fail(Status::io, "no space");
  };
  EXPECT_THROW(tune(study, experiment, kGrid, {}), Error);
  EXPECT_EQ(trained, 2);
}

TEST(Tune, RefusesOptionsThatNeedAnotherDataset) {
  Setup_ setup;
  setup.model = "geomgcn";
  const Experiment experiment = prepare(setup, make_synthetic({}));
  EXPECT_NO_THROW(with_options(experiment, {{"hidden", "8"}}));
  EXPECT_THROW(with_options(experiment, {{"embedding", "mds"}}), Error) << "the dataset has the relations of the disk";
  EXPECT_THROW(with_options(experiment, {{"latent", "1"}}), Error);
}

TEST(Tune, RefusesWhatItCannotDo) {
  const TempDir folder;
  Journal journal(folder / "journal.jsonl");
  Study study{journal, 1};
  const Experiment experiment = small_experiment();
  EXPECT_THROW(tune(study, experiment, {{"steps", {"1"}}}, {}), Error) << "MLP has no steps";
  EXPECT_THROW(tune(study, experiment, {{"scale", {"rows"}}}, {}), Error) << "the dataset is scaled already";
  EXPECT_THROW(tune(study, experiment, kGrid, {.keep = 1}), Error);
  EXPECT_THROW(tune(study, experiment, kGrid, {.method = Method::random}), Error) << "how many?";
  std::ofstream(folder / "bad.jsonl") << "{\"run\":1}\n";
  EXPECT_THROW(Journal(folder / "bad.jsonl"), Error);
}

TEST(Tune, GridsComeFromRecipesAndFiles) {
  const Grid texas = find_grid("paper", "gcnh", "texas");
  const auto values = [](const Grid& grid, const std::string& option) {
    for (const GridAxis& axis : grid)
      if (axis.option == option) return axis.values;
    return std::vector<std::string>{};
  };
  EXPECT_EQ(cells_of(texas).size(), 162u) << "3 layers, 2 batches, 3 epochs, 3 widths, 3 shares";
  EXPECT_EQ(values(texas, "batch"), (std::vector<std::string>{"50", "full"}));
  EXPECT_EQ(values(find_grid("paper", "gcnh", "wisconsin"), "dropout"), (std::vector<std::string>{"0", "0.3", "0.6"}));
  EXPECT_EQ(cells_of(find_grid("paper", "h2gcn", "texas")).size(), 16u);
  for (const ModelType& type : model_types())
    EXPECT_FALSE(find_grid("default", type.name, "mine").empty()) << type.name;
  const TempDir folder;
  std::ofstream(folder / "own.toml") << "hidden = [8, 16]\n[data.mine]\nlr = [0.1]\n";
  EXPECT_EQ(cells_of(find_grid(folder / "own.toml", "gcnh", "mine")).size(), 2u);
  std::ofstream(folder / "bad.toml") << "hidden = 8\n";
  EXPECT_THROW(find_grid(folder / "bad.toml", "gcnh", "mine"), Error);
  EXPECT_THROW(find_grid("none", "gcnh", "mine"), Error);
}

}  // namespace
}  // namespace gcnh::testing
