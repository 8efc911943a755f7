// A small table of people who mostly follow others than their like, for commands that apply a model.
#pragma once

#include <string>
#include <vector>

#include "tests/support/program.h"

namespace gcnh::testing {

// `count` people; from `stranger` on they live in a city that nobody before them does, and from `unlabelled` on their
// segment is not known. The last one knows nobody, the first one knows every seventh.
inline void write_people(const TempDir& folder, int count, int stranger = 1 << 20, int unlabelled = 1 << 20) {
  std::string nodes = "user,segment,age,city,joined\n", edges = "a,b\n";
  const char* cities[] = {"Rome", "Oslo", "Lima"};
  const char* segments[] = {"buyer", "window", "gone"};
  for (int i = 0; i < count; ++i) {
    const std::string id = "u_" + std::to_string(i);
    const int kind = (i * 5 + i / 7) % 3;
    nodes += id + "," + (i < unlabelled ? segments[kind] : "") + "," + std::to_string(20 + 9 * kind + i * 7 % 12) +
             "," + (i < stranger ? cities[(kind + i % 5 / 3) % 3] : "Atlantis") + ",2020-0" +
             std::to_string(1 + i % 9) + "-11\n";
    if (i + 1 == count) continue;
    for (int step : {1, 4})
      if (i >= step) edges += id + ",u_" + std::to_string(i - step) + "\n";
    if (i > 0 && i % 7 == 0) edges += "u_0," + id + "\n";
  }
  write_text(folder / "users.csv", nodes);
  write_text(folder / "follows.csv", edges);
}

inline std::vector<std::string> people_args(const TempDir& folder) {
  return {"--nodes", folder / "users.csv",
          "--edges", folder / "follows.csv",
          "--id",    "user",
          "--label", "segment",
          "--src",   "a",
          "--dst",   "b",
          "--quiet"};
}

inline std::vector<std::string> people_command(std::vector<std::string> words, const TempDir& folder) {
  const std::vector<std::string> data = people_args(folder);
  words.insert(words.end(), data.begin(), data.end());
  return words;
}

// Trains into folder/NAME.
inline void train_people(const TempDir& folder, const std::string& name, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"train", "--epochs", "40", "--num-splits", "3", "--out", folder / name};
  words.insert(words.end(), more.begin(), more.end());
  const Answer a = run_program(people_command(words, folder));
  ASSERT_EQ(a.code, 0) << a.err;
}

}  // namespace gcnh::testing
