// gcnh compare on generated graphs of which it is known what helps: each gets the sentence that is true of it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "gcnh/base/random.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

struct Made {
  int nodes = 240;
  double rare = 0.5;      // share of the second of two classes
  double homophily = -1;  // probability that an edge joins nodes of one class; below 0: edges join any two nodes
  double separation = 0;  // distance of the classes in the first feature, in standard deviations
  int edges_per_node = 4;
  std::uint64_t seed = 1;
};

// About normal: the sum of twelve.
double normal(const Rng& rng) {
  double sum = -6;
  for (std::uint64_t i = 0; i < 12; ++i) sum += rng.uniform(i);
  return sum;
}

// Features are noise but for the first one; an edge ends at a random node, or one of the class it was drawn for.
void write_made_graph(const Made& made, const TempDir& folder) {
  const Rng rng(made.seed);
  std::vector<int> label(made.nodes), all(made.nodes);
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::vector<int>> members(2);
  std::string nodes = "id,label,a,b,c,d\n", edges = "source,target\n";
  for (int u = 0; u < made.nodes; ++u) {
    label[u] = u < made.rare * made.nodes;
    members[label[u]].push_back(u);
    nodes += std::to_string(u) + (label[u] ? ",rare" : ",usual");
    for (std::uint64_t k = 0; k < 4; ++k)
      nodes += "," + std::to_string(normal(rng.fork(u).fork(k)) + (k == 0 ? made.separation * label[u] : 0));
    nodes += "\n";
  }
  for (int u = 0; u < made.nodes; ++u) {
    const Rng draws = rng.fork(100'000 + u);
    for (int e = 0; e < made.edges_per_node; ++e) {
      const bool same = draws.uniform(2 * e) < made.homophily;
      const std::vector<int>& others = made.homophily < 0 ? all : members[same ? label[u] : 1 - label[u]];
      const int v = others[draws.below(others.size(), 2 * e + 1)];
      if (v != u) edges += std::to_string(u) + "," + std::to_string(v) + "\n";
    }
  }
  write_text(folder / "nodes.csv", nodes);
  write_text(folder / "edges.csv", edges);
}

// The sentences of a comparison of gcn and mlp with the search that is the default.
std::vector<std::string> sentences_on(const Made& made, const std::vector<std::string>& more = {}) {
  const TempDir folder;
  write_made_graph(made, folder);
  std::vector<std::string> args = {"compare", "--models",           "gcn,mlp",  "--nodes", folder / "nodes.csv",
                                   "--edges", folder / "edges.csv", "--epochs", "60",      "--quiet",
                                   "--json"};
  args.insert(args.end(), more.begin(), more.end());
  const Answer a = run_program(args);
  EXPECT_EQ(a.code, 0) << a.err;
  if (a.code != 0) return {};
  for (const auto& run : nlohmann::json::parse(a.out))
    if (run.contains("verdict")) return run["verdict"];
  ADD_FAILURE() << a.out;
  return {};
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& s : sentences) out += s + "\n";
  return out;
}

bool says(const std::vector<std::string>& sentences, const std::string& text) {
  return joined(sentences).find(text) != std::string::npos;
}

TEST(VerdictOnGraphs, WhereOnlyLabelsOfNeighboursHelpAFloorWins) {
  const auto said = sentences_on({.homophily = 0.9});
  EXPECT_TRUE(says(said, "a floor beats the best model: ")) << joined(said);
  EXPECT_TRUE(says(said, " - labelprop = -")) << joined(said);
}

TEST(VerdictOnGraphs, WhereNothingHelpsNothingIsClaimed) {
  int claims = 0;
  for (std::uint64_t seed : {1, 2, 3}) {
    const auto said = sentences_on({.seed = seed});
    claims += !says(said, "not shown whether the graph helps: ");
    EXPECT_TRUE(says(said, "the best model is not shown to beat a floor: ") ||
                says(said, "a floor is ahead of the best model, though not shown to be better: "))
        << joined(said);
  }
  EXPECT_LE(claims, 1) << "at a level of 5 %";
}

TEST(VerdictOnGraphs, WhereTheGraphHurtsItIsSaid) {
  const auto said = sentences_on({.separation = 3});
  EXPECT_TRUE(says(said, "graph hurts: gcn - mlp = -")) << joined(said);
  EXPECT_FALSE(says(said, "graph helps")) << joined(said);
}

TEST(VerdictOnGraphs, WhereTheGraphHelpsItIsSaid) {
  const auto said = sentences_on({.homophily = 0.9, .separation = 1});
  EXPECT_TRUE(says(said, "graph helps: gcn - mlp = +")) << joined(said);
}

TEST(VerdictOnGraphs, WhereOneClassIsRareAccuracyOfTheMajorityIsNoSuccess) {
  const auto said = sentences_on({.rare = 0.04});
  EXPECT_TRUE(says(said, "the best model is not shown to beat a floor: ")) << joined(said);
  EXPECT_TRUE(says(said, "never predicts class 'rare'")) << joined(said);
}

}  // namespace
}  // namespace gcnh::testing
