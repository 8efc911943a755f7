// Small runs for reports: a graph whose class names try to break out of the page.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace gcnh::testing {

// Quotes and line breaks are doubled or kept by CSV's own rules.
inline const std::vector<std::string> kHostile = {"</script><script>document.title='x'</script>", "\"quo'ted\" & <b>",
                                                  "a\u202Egnp.exe"};

inline void write_hostile_graph(const TempDir& folder) {
  std::string nodes = "id,label,f0,f1,f2\n", edges = "source,target\n";
  for (int i = 0; i < 90; ++i) {
    std::string quoted = "\"";
    for (char c : kHostile[i % 3]) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    nodes += "<n" + std::to_string(i) + ">," + quoted + "\"";
    for (int k = 0; k < 3; ++k) nodes += "," + std::to_string((i % 3 == k) + (i * i * (k + 7) % 11) * 0.3);
    nodes += "\n";
    std::vector<int> neighbours = {(i * 7 + 1) % 90};
    if (i % 4 == 0) neighbours.push_back((i + 3) % 90);  // of the same class
    for (int v : neighbours) edges += "<n" + std::to_string(i) + ">,<n" + std::to_string(v) + ">\n";
  }
  write_text(folder / "nodes.csv", nodes);
  write_text(folder / "edges.csv", edges);
}

// gcnh compare on it, into folder/runs.
inline void compare_hostile(const TempDir& folder) {
  write_hostile_graph(folder);
  const Answer a =
      run_program({"compare", "--nodes", folder / "nodes.csv", "--edges", folder / "edges.csv", "--models", "gcnh,mlp",
                   "--epochs", "60", "--num-splits", "3", "--hidden", "16", "--quiet", "--no-tune", "--out",
                   folder / "runs"});
  ASSERT_EQ(a.code, 0) << a.err;
  ASSERT_NE(a.out.find("report.html"), std::string::npos) << a.out;
}

inline nlohmann::json result_of(const TempDir& folder, const std::string& model) {
  return nlohmann::json::parse(slurp(folder.path() / "runs" / model / "result.json"));
}

}  // namespace gcnh::testing
