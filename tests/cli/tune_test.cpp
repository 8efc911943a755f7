// gcnh tune survives being killed.
#include "gcnh/study/tune.h"

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

std::vector<std::string> tune_args(const std::string& out) {
  return {"tune",         "--models", "gcnh,mlp",  "--grid", "default",       "--axis",
          "epochs=20,60", "--axis",   "hidden=16", "--axis", "dropout=0,0.5", "--splits",
          "0,1,2",        "--quiet",  "--threads", "2",      "--out",         out};
}

TEST(TuneCommand, KilledSearchesEndWithTheSameFiles) {
  const unsigned seed = 1;
  const TempDir folder;
  const std::string whole = folder / "whole", broken = folder / "broken";
  kill_at_random(tune_args(broken), time_program(tune_args(whole)), seed);
  const Answer a = run_program(tune_args(broken));
  ASSERT_EQ(a.code, 0) << a.err;
  for (const char* file : {"gcnh.json", "gcnh.toml", "mlp.json", "mlp.toml", "report.html"})
    EXPECT_EQ(slurp(folder / "whole" / file), slurp(folder / "broken" / file)) << file;
}

TEST(TuneCommand, ACellThatDivergedSaysSo) {
  const TempDir folder;
  const std::vector<std::string> args = {
      "tune",     "--models", "mlp",      "--axis",      "lr=0.01,1e30", "--axis", "epochs=9",
      "--splits", "0,1",      "--hidden", "8",           "--dropout",    "0.5",    "--weight-decay",
      "0",        "--quiet",  "--out",    folder / "out"};
  const Answer a = run_program(args);
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("      diverged       2  "), std::string::npos) << a.out;
  const auto found = nlohmann::json::parse(slurp(folder / "out/mlp.json"));
  int diverged = 0;
  for (const auto& cell : found["cells"]) {
    const bool is_wild = cell["options"]["lr"] == 1e30;
    EXPECT_EQ(cell["val_loss"].is_null(), is_wild) << cell;
    EXPECT_EQ(cell["diverged"], is_wild ? 2 : 0) << cell;
    diverged += is_wild;
  }
  EXPECT_GT(diverged, 0);
  const std::string page = slurp(folder / "out/report.html");
  EXPECT_NE(page.find("diverged: a loss was no longer finite"), std::string::npos);
}

TEST(TuneCommand, TheBestCellIsARecipe) {
  const TempDir folder;
  const std::vector<std::string> data = {"--splits", "0,1,2", "--quiet"};
  std::vector<std::string> tune = {
      "tune",      "--models", "mlp,gcn", "--axis",   "hidden=8,16", "--axis", "epochs=10,30", "--axis",
      "dropout=0", "--method", "random",  "--trials", "5",           "--json", "--out",        folder / "out"};
  tune.insert(tune.end(), data.begin(), data.end());
  const Answer found = run_program(tune);
  ASSERT_EQ(found.code, 0) << found.err;
  const nlohmann::json searches = nlohmann::json::parse(found.out);
  ASSERT_EQ(searches.size(), 2u);
  EXPECT_EQ(searches[0]["cells"].size(), searches[1]["cells"].size()) << "equal budgets";
  std::vector<std::string> train = {"train", "--model", "gcn", "--json", "--recipe", folder / "out" / "gcn.toml"};
  train.insert(train.end(), data.begin(), data.end());
  const Answer trained = run_program(train);
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_EQ(nlohmann::json::parse(trained.out)["test_accuracy"]["mean"], searches[1]["best"]["test_accuracy"]["mean"]);
  const Answer other = run_program({"train", "--model", "mlp", "--recipe", folder / "out" / "gcn.toml"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("options of model 'gcn', not of 'mlp'"), std::string::npos) << other.err;
}

// The paper's view of a graph has a direction where Geom-GCN's code had one; the model itself takes none.
TEST(TuneCommand, TheRecipeOfAModelThatTakesNoDirectionIsTaken) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const TempDir folder;
  const std::vector<std::string> on = {"--data", "texas", "--view", "paper", "--splits", "0", "--quiet"};
  std::vector<std::string> tune = {"tune",   "--models", "geomgcn", "--axis",      "epochs=2",
                                   "--axis", "hidden=8", "--out",   folder / "out"};
  tune.insert(tune.end(), on.begin(), on.end());
  const Answer found = run_program(tune);
  ASSERT_EQ(found.code, 0) << found.err;
  std::vector<std::string> train = {"train", "--model", "geomgcn", "--recipe", folder / "out" / "geomgcn.toml"};
  train.insert(train.end(), on.begin(), on.end());
  const Answer trained = run_program(train);
  EXPECT_EQ(trained.code, 0) << trained.err;
}

TEST(TuneCommand, GridsOfDifferentSizesGetEqualBudgets) {
  const TempDir folder;
  const Answer a = run_program({"tune", "--models", "gcnh,mlp", "--axis", "epochs=2", "--splits", "0", "--quiet",
                                "--json", "--out", folder / "out"});
  ASSERT_EQ(a.code, 0) << a.err;
  const nlohmann::json searches = nlohmann::json::parse(a.out);
  EXPECT_NE(study::cells_of(find_grid("default", "gcnh", "")).size(),
            study::cells_of(find_grid("default", "mlp", "")).size());
  EXPECT_EQ(searches[0]["cells"].size(), searches[1]["cells"].size());
}

TEST(TuneCommand, NamesOfOptionsMayBeWrittenAsFlags) {
  const TempDir folder;
  const auto search = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args = {"tune",     "--models", "mlp",   "--axis",       "epochs=2", "--axis", "hidden=8",
                                     "--splits", "0",        "--out", folder / "out", "--quiet",  "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const Answer a = run_program(args);
    EXPECT_EQ(a.code, 0) << a.err;
    return a.code == 0 ? nlohmann::json::parse(a.out)[0]["cells"] : nlohmann::json();
  };
  write_text(folder / "flags.toml", "weight-decay = [0.25, 0.5]\n");
  write_text(folder / "names.toml", "weight_decay = [0.25, 0.5]\n");
  const std::string flags = folder / "flags.toml", names = folder / "names.toml";
  const nlohmann::json cells = search({"--grid", names});
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(search({"--grid", flags}), cells);
  const nlohmann::json one = search({"--grid", names, "--axis", "weight-decay=0.125"});
  ASSERT_EQ(one.size(), 1u) << "the axis of the grid is replaced";
  EXPECT_EQ(one[0]["options"]["weight_decay"], 0.125);
}

TEST(TuneCommand, AFlagFixesAnAxisOfTheGrid) {
  const TempDir folder;
  const Answer a = run_program({"tune", "--models", "gcnh,mlp", "--epochs", "3", "--hidden", "8", "--dropout", "0",
                                "--splits", "0", "--quiet", "--json", "--out", folder / "out"});
  ASSERT_EQ(a.code, 0) << a.err;
  for (const nlohmann::json& search : nlohmann::json::parse(a.out)) {
    for (const nlohmann::json& cell : search["cells"]) {
      EXPECT_EQ(cell["options"]["epochs"], 3) << cell;
      EXPECT_EQ(cell["options"]["hidden"], 8) << cell;
      EXPECT_EQ(cell["options"]["dropout"], 0) << cell;
    }
  }
}

TEST(TuneCommand, AnOptionIsSetOnce) {
  const TempDir folder;
  const auto refuse = [&](const std::vector<std::string>& more, const std::string& words) {
    std::vector<std::string> args = {"tune", "--models", "mlp", "--splits", "0", "--quiet", "--out", folder / "out"};
    args.insert(args.end(), more.begin(), more.end());
    const Answer a = run_program(args);
    EXPECT_EQ(a.code, 2);
    EXPECT_NE(a.err.find(words), std::string::npos) << a.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  };
  refuse({"--axis", "epochs=2,3", "--epochs", "4"}, "--epochs and --axis epochs=2,3");
  refuse({"--axis", "weight-decay=0", "--weight-decay", "0.5"}, "--weight-decay and --axis weight-decay=0");
  refuse({"--axis", "hidden=8", "--axis", "hidden=16"}, "--axis: 'hidden' is given twice");
  refuse({"--axis", "weight-decay=0", "--axis", "weight_decay=0.5"}, "--axis: 'weight_decay' is given twice");
}

TEST(TuneCommand, BlanksAroundValuesDoNotCount) {
  const TempDir folder;
  const Answer a =
      run_program({"tune", "--models", "mlp, gcn", "--axis", "hidden = 4, 8 ", "--axis", "epochs=2", "--axis",
                   "dropout=0", "--splits", "0, 1", "--quiet", "--json", "--out", folder / "out"});
  ASSERT_EQ(a.code, 0) << a.err;
  const nlohmann::json searches = nlohmann::json::parse(a.out);
  ASSERT_EQ(searches.size(), 2u);
  std::set<int> hidden;
  for (const nlohmann::json& cell : searches[1]["cells"]) hidden.insert(cell["options"]["hidden"].get<int>());
  EXPECT_EQ(hidden, (std::set<int>{4, 8}));
}

TEST(TuneCommand, SaysHowToGoOn) {
  const TempDir folder;
  const std::vector<std::string> args = {"tune",   "--axis",       "epochs=2000", "--axis", "hidden=16,32",
                                         "--axis", "layers=1,2,3", "--quiet",     "--out",  folder / "out"};
  const Answer a = signal_once_written(args, SIGINT, folder / "out" / "journal.jsonl");
  EXPECT_EQ(a.code, 130);
  EXPECT_NE(a.err.find("the same command again continues"), std::string::npos) << a.err;
}

TEST(TuneCommand, NamesWhatIsWrong) {
  EXPECT_EQ(run_program({"tune"}).code, 2) << "no folder";
  const TempDir folder;
  const Answer axis = run_program({"tune", "--axis", "hidden", "--out", folder / "out"});
  EXPECT_EQ(axis.code, 2);
  EXPECT_NE(axis.err.find("hidden=16,32"), std::string::npos) << axis.err;
  const Answer option = run_program({"tune", "--axis", "hiden=16", "--out", folder / "out"});
  EXPECT_EQ(option.code, 2);
  EXPECT_NE(option.err.find("'hiden'; did you mean 'hidden'?"), std::string::npos) << option.err;
}

}  // namespace
}  // namespace gcnh::testing
