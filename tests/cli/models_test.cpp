// gcnh models: options, and parameters on a graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gcnh/models/model.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;

// Parameters by model, as gcnh models counts them for the published settings.
std::map<std::string, int> published_sizes(const std::string& dataset) {
  const Answer a = run_program({"models", "--data", dataset, "--recipe", "paper", "--json"});
  EXPECT_EQ(a.code, 0) << a.err;
  std::map<std::string, int> out;
  const json answer = json::parse(a.out);
  for (const json& entry : answer["models"]) out[entry["model"]] = entry["parameters"];
  return out;
}

TEST(ModelsCommand, ListsEveryModel) {
  const Answer a = run_program({"models"});
  ASSERT_EQ(a.code, 0) << a.err;
  for (const ModelType& type : model_types()) EXPECT_NE(a.out.find("  " + type.name + " "), std::string::npos);
}

TEST(ModelsCommand, ShowsTheOptionsOfOne) {
  for (const ModelType& type : model_types()) {
    const Answer a = run_program({"models", type.name});
    ASSERT_EQ(a.code, 0) << a.err;
    EXPECT_TRUE(a.out.starts_with(type.name + ": ")) << a.out;
    for (const OptionInfo& info : type.options) {
      std::string flag = "  --" + info.name + " ";
      std::replace(flag.begin(), flag.end(), '_', '-');
      EXPECT_NE(a.out.find(flag), std::string::npos) << flag << a.out;
      EXPECT_NE(a.out.find("[" + info.value + "]"), std::string::npos) << flag << a.out;
    }
  }
  const Answer one = run_program({"models", "mlp", "--data", "synthetic", "--json"});
  EXPECT_EQ(json::parse(one.out)["models"].size(), 1u);
  const Answer wrong = run_program({"models", "mpl"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("did you mean 'mlp'?"), std::string::npos) << wrong.err;
}

TEST(ModelsCommand, CountsParametersOnAGraph) {
  const Answer text = run_program({"models", "--data", "synthetic"}),
               answer = run_program({"models", "--data", "synthetic", "--json"});
  ASSERT_EQ(text.code, 0) << text.err;
  const json j = json::parse(answer.out);
  EXPECT_EQ(j["data"], "synthetic-h0.1");
  ASSERT_EQ(j["models"].size(), model_types().size());
  for (const json& entry : j["models"]) {
    EXPECT_NE(text.out.find(std::to_string(entry["parameters"].get<int>())), std::string::npos);
    EXPECT_TRUE(entry["options"]["dropout"].is_number());
  }
}

TEST(ModelsCommand, NumbersStandUnderTheirHeading) {
  std::istringstream lines(run_program({"models", "--data", "synthetic"}).out);
  std::string line;
  while (std::getline(lines, line) && !line.starts_with("model ")) {
  }
  const std::size_t end = line.find("parameters") + std::string("parameters").size();
  std::size_t rows = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with(" ")) continue;  // more options of the model above
    ++rows;
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(line.at(end - 1)))) << line;
    EXPECT_EQ(line.substr(end, 2), "  ") << line;
    EXPECT_NE(line.at(end + 2), ' ') << line;
  }
  EXPECT_EQ(rows, model_types().size());
}

TEST(ModelsCommand, PublishedSettingsHaveTheirPublishedSizes) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  auto cora = published_sizes("cora"), citeseer = published_sizes("citeseer");
  EXPECT_EQ(cora["gcnh"], 192329);
  EXPECT_EQ(cora["mlp"], 23063);
  EXPECT_EQ(cora["gcn"], 23063);
  EXPECT_EQ(cora["gat"], 92302);
  EXPECT_EQ(cora["geomgcn"], 215424);
  EXPECT_EQ(cora["ggcn"], 54359);
  EXPECT_EQ(cora["h2gcn"], 94848);
  EXPECT_EQ(cora["gprgnn"], 92236);
  EXPECT_EQ(cora["logreg"], 1433 * 7 + 7);
  EXPECT_EQ(citeseer["mlp"], 237446);
  EXPECT_EQ(citeseer["gcn"], 59366);
  EXPECT_EQ(citeseer["ggcn"], 645026);
  auto chameleon = published_sizes("chameleon");
  EXPECT_EQ(chameleon["gcn"], 37301);
  EXPECT_EQ(chameleon["geomgcn"], 1023840);
  EXPECT_EQ(published_sizes("texas")["odsd"], 105153);
  EXPECT_EQ(published_sizes("wisconsin")["odsd"], 278113);
  auto squirrel = published_sizes("squirrel");
  EXPECT_EQ(squirrel["gcn"], 33525);
  EXPECT_EQ(squirrel["odsd"], 295017);
  auto film = published_sizes("film");
  EXPECT_EQ(film["gcnh"], 61927) << "the paper's view of film has a feature less";
  EXPECT_EQ(film["ggcn"], 62013);
}

TEST(ModelsCommand, RecipesAndJsonNeedAGraph) {
  const std::vector<std::string> with_recipe = {"models", "--recipe", "paper"}, with_json = {"models", "--json"};
  for (const std::vector<std::string>& args : {with_recipe, with_json}) {
    const Answer a = run_program(args);
    EXPECT_EQ(a.code, 2);
    EXPECT_EQ(a.out, "");
    EXPECT_NE(a.err.find("need a graph: add --data NAME"), std::string::npos) << a.err;
  }
  const Answer none = run_program({"models", "--data", "synthetic", "--recipe", "paper"});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("has no values for dataset 'synthetic-h0.1'; it has: chameleon"), std::string::npos)
      << none.err;
}

}  // namespace
}  // namespace gcnh::testing
