// gcnh embed: the same points in every form, layers, components and similar nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "gcnh/io/npy.h"
#include "tests/cli/people.h"

namespace gcnh::testing {
namespace {

class EmbedCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    write_people(folder_, 60);
    train_people(folder_, "run", {"--layers", "2", "--hidden", "8"});
  }
  Answer embed(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"embed", "--model", folder_ / "run"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(people_command(words, folder_));
  }
  TempDir folder_;
};

std::vector<std::vector<std::string>> cells_of(const std::string& text, char separator) {
  std::vector<std::vector<std::string>> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    out.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, separator);) out.back().push_back(cell);
  }
  return out;
}

TEST_F(EmbedCommand, WritesTheSamePointsInEveryForm) {
  const Answer a = embed();
  ASSERT_EQ(a.code, 0) << a.err;
  const auto csv = cells_of(a.out, ',');
  ASSERT_EQ(csv.size(), 61u);
  ASSERT_EQ(csv[0].size(), 9u) << "the last hidden layer";
  EXPECT_EQ(csv[0][1], "e_0");
  ASSERT_EQ(embed({"--out", folder_ / "points.npy"}).code, 0);
  ASSERT_EQ(embed({"--out", folder_ / "points.tsv"}).code, 0);
  ASSERT_EQ(embed({"--out", folder_ / "points.csv"}).code, 0);
  EXPECT_EQ(slurp(folder_ / "points.csv"), a.out);
  const NpyArray npy = parse_npy(slurp(folder_ / "points.npy"), "points.npy");
  EXPECT_EQ(npy.shape, (std::vector<std::int64_t>{60, 8}));
  const std::vector<Real> numbers = npy.as_reals();
  const auto tsv = cells_of(slurp(folder_ / "points.tsv"), '\t');
  const auto ids = cells_of(slurp(folder_ / "points-ids.txt"), '\t');
  const auto metadata = cells_of(slurp(folder_ / "points-metadata.tsv"), '\t');
  EXPECT_EQ(metadata[0], (std::vector<std::string>{"id", "label", "predicted"}));
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(csv[i + 1][0], ids[i][0]);
    EXPECT_EQ(csv[i + 1][0], metadata[i + 1][0]);
    for (std::size_t k = 0; k < 8; ++k) {
      EXPECT_EQ(std::stof(csv[i + 1][k + 1]), numbers[8 * i + k]);
      EXPECT_EQ(tsv[i][k], csv[i + 1][k + 1]);
    }
  }
  EXPECT_EQ(embed({"--out", folder_ / "points.npy"}).code, 2) << "there already";
  EXPECT_EQ(embed({"--out", folder_ / "points.xyz"}).code, 2);
}

TEST_F(EmbedCommand, LayersAndComponents) {
  EXPECT_NE(embed({"--layer", "1"}).out, embed({"--layer", "2"}).out);
  EXPECT_EQ(embed({"--layer", "2"}).out, embed().out);
  EXPECT_EQ(cells_of(embed({"--layer", "logits"}).out, ',')[0],
            (std::vector<std::string>{"id", "logit_buyer", "logit_gone", "logit_window"}));
  const Answer three = embed({"--layer", "3"});
  EXPECT_EQ(three.code, 2);
  EXPECT_NE(three.err.find("--layer: '3'; this gcnh has hidden layers 1 to 2, and logits"), std::string::npos)
      << three.err;
  const auto plane = cells_of(embed({"--components", "2"}).out, ',');
  EXPECT_EQ(plane[0], (std::vector<std::string>{"id", "pc_1", "pc_2"}));
  double mean = 0, product = 0;
  for (std::size_t i = 1; i < plane.size(); ++i) {
    mean += std::stod(plane[i][1]);
    product += std::stod(plane[i][1]) * std::stod(plane[i][2]);
  }
  EXPECT_NEAR(mean, 0, 1e-3) << "centred";
  EXPECT_NEAR(product, 0, 1e-2) << "not correlated";
  EXPECT_EQ(embed({"--components", "9"}).code, 2);
  EXPECT_EQ(cells_of(embed({"--only", "u_3,u_5"}).out, ',').size(), 3u);
  std::ofstream(folder_ / "only.txt") << "\xEF\xBB\xBFu_3\nu_5\n";
  EXPECT_EQ(cells_of(embed({"--only", folder_ / "only.txt"}).out, ',').size(), 3u);
}

TEST_F(EmbedCommand, FindsTheNodesMostLikeOne) {
  const Answer a = embed({"--like", "u_9", "--top", "5"});
  ASSERT_EQ(a.code, 0) << a.err;
  const auto rows = cells_of(a.out, ',');
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"id", "similarity", "label", "predicted"}));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_NE(rows[i][0], "u_9");
    EXPECT_LE(std::stod(rows[i][1]), 1 + 1e-6);
    EXPECT_TRUE(i == 1 || std::stod(rows[i][1]) <= std::stod(rows[i - 1][1]));
  }
  const Answer nobody = embed({"--like", "nobody"});
  EXPECT_EQ(nobody.code, 2);
  EXPECT_NE(nobody.err.find("--like: node 'nobody'"), std::string::npos) << nobody.err;
}

TEST_F(EmbedCommand, TheNodesMostLikeOneAreAmongThoseOfOnly) {
  const auto rows = cells_of(embed({"--like", "u_9", "--only", "u_2,u_9,u_3"}).out, ',');
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ((std::set<std::string>{rows[1][0], rows[2][0]}), (std::set<std::string>{"u_2", "u_3"}));
  EXPECT_EQ(cells_of(embed({"--like", "u_9", "--only", "u_2,u_3", "--top", "1"}).out, ',').size(), 2u);
  write_text(folder_ / "like.txt", "u_9\nu_3\n");
  const Answer two = embed({"--like", folder_ / "like.txt"});
  EXPECT_EQ(two.code, 2);
  EXPECT_NE(two.err.find("--like: one node is expected; the file names 2"), std::string::npos) << two.err;
}

TEST_F(EmbedCommand, ReplacesNoListOfIds) {
  write_text(folder_ / "ids.csv", "u_3\n");
  for (const char* flag : {"--only", "--like"}) {
    const Answer a = embed({flag, folder_ / "ids.csv", "--out", folder_ / "ids.csv", "--force"});
    EXPECT_EQ(a.code, 2) << flag;
    EXPECT_NE(a.err.find("is a file that is read"), std::string::npos) << a.err;
    EXPECT_EQ(slurp(folder_ / "ids.csv"), "u_3\n");
  }
}

// Missing one that is gone is dear, so that more are answered than are likely.
TEST_F(EmbedCommand, AnswersAsPredictDoes) {
  write_text(folder_ / "costs.csv", "truth,buyer,gone,window\nbuyer,0,1,1\ngone,1e9,0,1e9\nwindow,1,1,0\n");
  train_people(folder_, "dear", {"--final", "--lr", "0.001", "--costs", folder_ / "costs.csv"});
  const auto on_dear = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--model", folder_ / "dear"});
    return run_program(people_command(words, folder_));
  };
  const auto predicted = cells_of(on_dear({"predict"}).out, ',');
  ASSERT_EQ(on_dear({"embed", "--out", folder_ / "dear.tsv"}).code, 0);
  const auto embedded = cells_of(slurp(folder_ / "dear-metadata.tsv"), '\t');
  ASSERT_EQ(embedded.size(), predicted.size());
  int unlikely = 0;
  for (std::size_t i = 1; i < predicted.size(); ++i) {
    EXPECT_EQ(embedded[i][2], predicted[i][1]) << predicted[i][0];
    const auto likeliest = std::max_element(predicted[i].begin() + 2, predicted[i].begin() + 5) - predicted[i].begin();
    unlikely += "p_" + predicted[i][1] != predicted[0][static_cast<std::size_t>(likeliest)];
  }
  EXPECT_GT(unlikely, 0) << "or this tests nothing";
}

}  // namespace
}  // namespace gcnh::testing
