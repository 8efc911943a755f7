// Published graphs are known by their contents, whatever they are called; needs them on disk, but for names and sizes.
#include <algorithm>
#include <cstdlib>

#include "gcnh/io/catalog.h"
#include "tests/check/check_tools.h"
#include "tests/io/io_tools.h"

namespace gcnh::testing {
namespace {

Tables released(const std::string& name) { return load_named(name, std::getenv("GCNH_DATA")); }

Tables released_npz(const std::string& name) {
  return load_path(std::filesystem::path(std::getenv("GCNH_DATA")) / "npz" / name);
}

void expect_says(const Tables& tables, const std::string& rule, Severity severity,
                 const std::vector<std::string>& words) {
  std::string all;
  for (const Remark& remark : check_data(tables))
    if (remark.rule == rule && remark.severity == severity) all += remark.text() + "\n";
  for (const std::string& word : words)
    EXPECT_NE(all.find(word), std::string::npos) << rule << ": " << word << " in " << all;
}

TEST(KnownData, ANameOrASizeThatIsTaken) {
  Tables t = sane_tables();
  expect_fine(t, "known-data");
  t.name = "chameleon_filtered";
  expect_found(t, "known-data", Severity::warning, {"called chameleon_filtered", "600 nodes", "890 nodes"});
}

TEST(KnownData, MixturesAreFoundByContents) {
  SKIP_WITHOUT_DATA(data);
  Tables t = released("cornell");
  t.name = "mine";
  expect_found(t, "known-data", Severity::error, {"node table is that of texas", "edges are those of cornell"});
  for (const char* name : {"texas", "wisconsin", "film", "chameleon", "squirrel", "cora", "citeseer", "cornell-fixed"})
    expect_says(released(name), "known-data", Severity::ok, {std::string(name) + " as it was released"});
}

TEST(KnownData, ChangedGraphs) {
  SKIP_WITHOUT_DATA(data);
  Tables film = released("film");
  const Features right = film.features;
  film.features = take_rows(right, film.file_order);
  expect_found(film, "known-data", Severity::error, {"at other nodes"});
  film.features = shift_columns(right);
  expect_found(film, "known-data", Severity::warning, {"931 features where it has 932"});
  film.features = right;
  std::swap(film.labels[0], film.labels[4]);
  ASSERT_NE(film.labels[0], film.labels[4]);
  expect_found(film, "known-data", Severity::warning, {"the labels are not"});
  Tables texas = released("texas");
  texas.edges.resize(100);
  expect_found(texas, "known-data", Severity::warning, {"those of texas", "edges where it has 279"});
}

TEST(KnownData, OtherFilesOfTheSameGraphs) {
  SKIP_WITHOUT_DATA(data);
  expect_says(released_npz("actor.npz"), "known-data", Severity::ok, {"film as it was released", "932"});
  expect_says(released_npz("chameleon_filtered.npz"), "known-data", Severity::ok, {"chameleon-filtered"});
  expect_says(released_npz("chameleon_directed.npz"), "known-data", Severity::ok, {"chameleon as it"});
}

// What `gcnh data show` tells of the eight graphs of the paper.
TEST(KnownData, CheckFindsWhatTheCatalogNotes) {
  SKIP_WITHOUT_DATA(data);
  const auto warns = Severity::warning;
  expect_says(released("texas"), "rare-class", warns, {"'1' (1 node)"});
  expect_says(released("texas"), "class-missing", warns, {"4 of 10 training sets"});
  expect_says(released("texas"), "small-test", warns, {"37 nodes: one node is 2.7 %"});
  expect_says(released("wisconsin"), "small-test", warns, {"51 nodes: one node is 2.0 %"});
  expect_says(released("wisconsin"), "self-loops", warns, {"16 edges"});
  expect_says(released("film"), "row-order", warns, {"7599 of 7600"});
  expect_says(released("film"), "duplicate-edges", warns, {"30019 distinct", "there are 16"});
  expect_says(released("chameleon"), "one-way", warns, {"26.0 %"});
  expect_says(released("chameleon"), "empty-rows", warns, {"233 nodes"});
  expect_says(released("squirrel"), "one-way", warns, {"17.1 %"});
  expect_says(released("squirrel"), "empty-rows", warns, {"165 nodes"});
  expect_says(released("cora"), "duplicate-edges", warns, {"10858", "10556 distinct"});
  expect_says(released("cora"), "split-sizes", warns, {"223 labelled nodes"});
  expect_says(released("citeseer"), "empty-rows", warns, {"15 nodes", "15 of them without a label"});
  expect_says(released("citeseer"), "split-sizes", warns, {"4 (1009/", "5 (1013/"});
  expect_says(released("citeseer"), "self-loops", warns, {"124 edges"});
}

// Every warning on the paper's graphs is one that somebody has looked at and found true.
TEST(KnownData, NoOtherAlarms) {
  SKIP_WITHOUT_DATA(data);
  const std::map<std::string, std::vector<std::string>> expected = {
      {"cornell", {"known-data", "rare-class", "class-missing", "one-way", "self-loops", "small-test"}},
      {"texas", {"rare-class", "class-missing", "one-way", "self-loops", "small-test"}},
      {"wisconsin", {"one-way", "self-loops", "small-test"}},
      {"film", {"one-way", "duplicate-edges", "self-loops", "row-order"}},
      {"chameleon", {"leak-duplicates", "one-way", "self-loops", "empty-rows"}},
      {"squirrel", {"leak-duplicates", "one-way", "self-loops", "empty-rows"}},
      {"cora", {"duplicate-edges", "split-sizes"}},
      {"citeseer", {"duplicate-edges", "self-loops", "empty-rows", "split-sizes"}},
  };
  for (const auto& [name, rules] : expected) {
    std::vector<std::string> found;
    for (const Remark& remark : check_data(released(name)))
      if (remark.severity != Severity::ok) found.push_back(remark.rule);
    EXPECT_EQ(found, rules) << name;
  }
}

TEST(KnownData, WhatTheLeakIsWorth) {
  SKIP_WITHOUT_DATA(data);
  expect_says(released("chameleon"), "leak-duplicates", Severity::warning,
              {"46.9 % of the test nodes", "99.8 %", "scores 56.6 %"});
  expect_says(released("squirrel"), "leak-duplicates", Severity::warning,
              {"38.3 % of the test nodes", "scores 49.9 %"});
  for (const char* name : {"chameleon_filtered.npz", "squirrel_filtered.npz"})
    expect_fine(released_npz(name), "leak-duplicates");
}

}  // namespace
}  // namespace gcnh::testing
