#include "gcnh/run/experiment.h"

#include <gtest/gtest.h>

#include "gcnh/graph/synthetic.h"
#include "gcnh/io/csv.h"
#include "gcnh/models/model.h"
#include "gcnh/run/run_folder.h"
#include "gcnh/run/runner.h"
#include "gcnh/run/split_data.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

std::string refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Experiment, OptionsThatDoNotExistAreRefused) {
  gcnh::Setup setup;
  setup.model = "mlp";
  setup.options = {{"weight-decay", "0"}, {"hidden", "4"}};
  EXPECT_EQ(prepare(setup, make_synthetic({})).train.weight_decay, 0);
  setup.options = {{"hiden", "4"}};
  const std::string message = refusal([&] { prepare(setup, make_synthetic({})); });
  EXPECT_NE(message.find("'mlp' has no option 'hiden'"), std::string::npos) << message;
  EXPECT_NE(message.find("hidden"), std::string::npos) << message;
}

TEST(Experiment, AnEngineIsCheckedWithPartsAsWithout) {
  gcnh::Setup setup;
  setup.engine = "tpae";
  for (int parts : {0, 2}) {
    setup.parts = parts;
    const std::string message = refusal([&] { prepare(setup, make_synthetic({})); });
    EXPECT_NE(message.find("engine: unknown value 'tpae'"), std::string::npos) << message;
  }
}

TEST(Experiment, ADirectionGoesBeforeTheView) {
  gcnh::Setup setup;
  EXPECT_EQ(prepare(setup, make_synthetic({})).view.direction, View::Direction::both);
  for (const char* direction : {"both", "out", "in", "separate"}) {
    setup.direction = direction;
    EXPECT_EQ(to_word(prepare(setup, make_synthetic({})).view.direction), direction);
  }
  setup.direction = "inwards";
  EXPECT_EQ(refusal([&] { prepare(setup, make_synthetic({})); }),
            "direction: unknown value 'inwards'; allowed: both out in separate");
}

TEST(Experiment, ARecipeMayHaveADirection) {
  const TempDir folder;
  write_text(folder / "mine.toml", "[options]\ndirection = \"out\"\nhidden = 4\n");
  gcnh::Setup setup;
  setup.recipe = folder / "mine.toml";
  EXPECT_EQ(to_word(prepare(setup, make_synthetic({})).view.direction), "out");
  setup.direction = "in";
  EXPECT_EQ(to_word(prepare(setup, make_synthetic({})).view.direction), "in") << "what is asked for goes first";
  setup.direction = "";
  setup.model = "h2gcn";
  EXPECT_NE(refusal([&] { prepare(setup, make_synthetic({})); }).find("takes every edge both ways"), std::string::npos);
}

TEST(Experiment, ADirectionThatAModelDoesNotReadIsRefused) {
  for (const ModelType& type : model_types()) {
    gcnh::Setup setup;
    setup.model = type.name;
    setup.direction = "in";
    const std::string message = refusal([&] { prepare(setup, make_synthetic({})); });
    if (type.reads_direction) {
      EXPECT_EQ(message, "") << type.name;
    } else {
      EXPECT_EQ(message, "model '" + type.name + "' takes every edge both ways; a direction is for gcnh mlp gcn gat " +
                             "gprgnn ggcn logreg");
    }
  }
}

TEST(Experiment, DirectionsApartAreForModelsThatKeepThemSo) {
  for (const ModelType& type : model_types()) {
    gcnh::Setup setup;
    setup.model = type.name;
    setup.direction = "separate";
    const std::string message = refusal([&] { prepare(setup, make_synthetic({})); });
    if (type.reads_direction && (type.keeps_apart || !type.sees_graph)) {
      EXPECT_EQ(message, "") << type.name;
    } else {
      const char* what = type.reads_direction ? "does not keep the directions of edges apart; separate"
                                              : "takes every edge both ways; a direction";
      EXPECT_EQ(message, "model '" + type.name + "' " + what + " is for gcnh mlp logreg");
    }
  }
}

TEST(Experiment, TrainsWithoutTestNodesWhereTheyStayUnread) {
  Tables tables = make_synthetic({});
  for (Split& split : tables.splits) split.test.clear();
  gcnh::Setup setup;
  setup.model = "mlp";
  setup.options = {{"hidden", "4"}, {"epochs", "2"}, {"metric", "roc_auc"}};
  setup.splits = {3};
  setup.read_test = false;
  const Experiment e = prepare(setup, tables);
  EXPECT_FALSE(run(e).splits.front().test_accuracy);
}

TEST(Experiment, AFolderObjectKeepsOneRun) {
  const TempDir folder;
  gcnh::Setup setup;
  setup.model = "mlp";
  setup.options = {{"hidden", "4"}, {"epochs", "2"}};
  setup.splits = {0};
  const Experiment e = prepare(setup, make_synthetic({}));
  RunFolder kept(folder / "run");
  kept.write(e, run(e, {}, &kept));
  EXPECT_NE(refusal([&] { run(e, {}, &kept); }).find("holds a finished run"), std::string::npos);
}

// Columns make a dataset of their own for every split; with all splits in each, thousands of them would take hours.
TEST(Experiment, TheDataOfASplitHasNoCopyOfAllSplits) {
  const TempDir folder;
  std::string nodes = "id,label,x\n", edges = "source,target\n";
  for (int i = 0; i < 30; ++i) {
    nodes += join("n", i, i % 2 == 0 ? ",a," : ",b,", i % 7, "\n");
    edges += join("n", i, ",n", (i + 1) % 30, "\n");
  }
  write_text(folder / "nodes.csv", nodes);
  write_text(folder / "edges.csv", edges);
  const Tables tables = read_csv({.nodes = folder / "nodes.csv", .edges = folder / "edges.csv"});
  const Experiment e = prepare({.model = "mlp", .num_splits = 12}, tables);
  ASSERT_EQ(e.dataset->splits.size(), 12u);
  const auto data = split_dataset(e, 3);
  EXPECT_TRUE(data->splits.empty());
  EXPECT_EQ(data->labels, e.dataset->labels);
  EXPECT_EQ(data->adjacency.indices, e.dataset->adjacency.indices);
  EXPECT_GT(data->features.cols(), 0);
}

}  // namespace
}  // namespace gcnh
