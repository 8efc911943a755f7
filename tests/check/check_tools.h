// Data in which no rule finds anything, to be spoiled by a test in one way.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/base/random.h"
#include "gcnh/check/check.h"
#include "gcnh/io/csv.h"
#include "tests/support/temp_dir.h"

namespace gcnh::testing {

inline constexpr Index kSaneNodes = 600;

// Three classes, forty words, edges between random nodes, each written once.
inline Tables sane_tables() {
  const Rng rng(15);
  Tables t;
  t.name = "sane";
  t.classes = {"a", "b", "c"};
  std::vector<Triple> words;
  std::set<std::pair<Index, Index>> pairs;
  for (Index u = 0; u < kSaneNodes; ++u) {
    t.labels.push_back(u % 3);
    for (int i = 0; i < 5; ++i) words.push_back({u, static_cast<Index>(rng.fork(u).below(40, i)), 1});
    for (int i = 0; i < 3; ++i) {
      const auto v = static_cast<Index>(rng.fork(u).fork(1).below(kSaneNodes, i));
      if (u < v) pairs.emplace(u, v);
    }
  }
  for (const auto& [u, v] : pairs) t.edges.push_back({u, v});
  t.features = make_csr(kSaneNodes, 40, std::move(words), Repeats::keep_one);
  return t;
}

// What the rule says of the tables; the worst of it where it says more.
inline Remark remark_of(const Tables& tables, const std::string& rule) {
  for (const Remark& remark : check_data(tables))  // the worst come first
    if (remark.rule == rule) return remark;
  return {rule, Severity::ok, "nothing to say"};
}

inline void expect_fine(const Tables& tables, const std::string& rule) {
  const Remark remark = remark_of(tables, rule);
  EXPECT_EQ(remark.severity, Severity::ok) << rule << ": " << remark.text();
}

// The rule finds it in the tables, says these words, why it matters and what to do; and finds nothing in sane ones.
inline void expect_found(const Tables& tables, const std::string& rule, Severity severity,
                         const std::vector<std::string>& words) {
  SCOPED_TRACE(rule);
  const Remark remark = remark_of(tables, rule);
  EXPECT_EQ(remark.severity, severity) << remark.text();
  for (const std::string& word : words)
    EXPECT_NE(remark.found.find(word), std::string::npos) << word << " in " << remark.found;
  EXPECT_FALSE(remark.why.empty());
  EXPECT_FALSE(remark.fix.empty());
  expect_fine(sane_tables(), rule);
}

// Sixty rows, classes x and y, with one more column that gives the cell of each row; every node is linked to the next.
template <class Cell>
Tables table_with(const std::string& column, const Cell& cell, CsvSource source = {}) {
  const TempDir folder;
  std::string nodes = "id,label,age," + column + "\n", edges = "source,target\n";
  for (int u = 0; u < 60; ++u) {
    const double age = 20 + 50 * Rng(3).uniform(u);
    nodes += join("n", u, u % 2 ? ",x," : ",y,", age, ",", cell(u), "\n");
    edges += join("n", u, ",n", (u + 1) % 60, "\n");
  }
  write_text(folder / "nodes.csv", nodes);
  write_text(folder / "edges.csv", edges);
  source.nodes = folder / "nodes.csv";
  source.edges = folder / "edges.csv";
  return read_csv(source);
}

}  // namespace gcnh::testing
