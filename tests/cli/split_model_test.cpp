// Networks of single splits: what a run folder keeps in splits/ answers as a model file does.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gcnh/io/safetensors.h"
#include "tests/cli/people.h"

namespace gcnh::testing {
namespace {

namespace fs = std::filesystem;

class SplitModel : public ::testing::Test {
 protected:
  void SetUp() override {
    write_people(folder_, 120);
    train_people(folder_, "run");
  }
  fs::path split_file(int split) const {
    return folder_ / "run" / "splits" / ("split-" + std::to_string(split) + ".safetensors");
  }
  Answer answer(const std::string& command, const fs::path& model, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {command, "--model", model};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(people_command(words, folder_));
  }
  // A data error of one line that has these words.
  void expect_refused(const fs::path& model, const std::string& words) const {
    const Answer a = answer("predict", model);
    EXPECT_EQ(a.code, 65) << a.out;
    EXPECT_NE(a.err.find(words), std::string::npos) << a.err;
    EXPECT_EQ(std::count(a.err.begin(), a.err.end(), '\n'), 1) << a.err;
  }
  TempDir folder_;
};

TEST_F(SplitModel, OneOfThemIsTheRunsModel) {
  const std::string kept = answer("predict", folder_ / "run" / "model.safetensors").out;
  int same = 0;
  for (int split = 0; split < 3; ++split) same += answer("predict", split_file(split)).out == kept;
  EXPECT_EQ(same, 1);
}

std::vector<std::string> fields_of(const std::string& row) {
  std::vector<std::string> out;
  std::istringstream line(row);
  for (std::string cell; std::getline(line, cell, ',');) out.push_back(cell);
  return out;
}

// predictions.csv has rows of split, id, label, predicted and probabilities; predict has no split and no label.
TEST_F(SplitModel, AnswersAsItDidForItsTestNodes) {
  for (int split = 0; split < 3; ++split) {
    std::map<std::string, std::vector<std::string>> now;
    std::istringstream lines(answer("predict", split_file(split)).out);
    for (std::string line; std::getline(lines, line);) now[fields_of(line)[0]] = fields_of(line);
    std::istringstream rows(slurp(folder_ / "run" / "predictions.csv"));
    int found = 0;
    for (std::string row; std::getline(rows, row);) {
      if (!row.starts_with(std::to_string(split) + ",u_")) continue;
      const std::vector<std::string> then = fields_of(row);
      ASSERT_TRUE(now.contains(then[1])) << row;
      EXPECT_EQ(now[then[1]][1], then[3]) << row;
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(std::stod(now[then[1]][2 + k]), std::stod(then[4 + k]), 1e-6);
      ++found;
    }
    EXPECT_GE(found, 20);
  }
}

TEST_F(SplitModel, ServesTheOtherCommands) {
  const fs::path file = split_file(1);
  EXPECT_EQ(answer("eval", file).code, 0);
  EXPECT_NE(answer("eval", file).out.find("nothing tells which of them"), std::string::npos);
  EXPECT_EQ(answer("embed", file, {"--like", "u_3"}).code, 0);
  EXPECT_EQ(answer("explain", file, {"u_3"}).code, 0);
  const Answer update = answer("update", file, {"--json"});
  ASSERT_EQ(update.code, 0) << update.err;
  EXPECT_EQ(nlohmann::json::parse(update.out)["rules"],
            nlohmann::json::parse(answer("update", folder_ / "run", {"--json"}).out)["rules"]);
}

TEST_F(SplitModel, OfATrainingThatWasNotFinishedIsRefused) {
  Tensors file = read_safetensors(split_file(0));
  file.metadata.erase("gcnh.done");
  write_safetensors(split_file(0), file);
  expect_refused(split_file(0), "the training of this split is not finished");
}

TEST_F(SplitModel, OfAnEarlierVersionIsRefused) {
  Tensors file = read_safetensors(split_file(0));
  file.metadata.erase("gcnh.format");
  write_safetensors(split_file(0), file);
  expect_refused(split_file(0), "an earlier version of gcnh");
}

TEST_F(SplitModel, WithoutItsTensorsIsRefused) {
  Tensors file = read_safetensors(split_file(0));
  std::erase_if(file.matrices, [](const auto& named) { return named.first.starts_with("best."); });
  write_safetensors(split_file(0), file);
  expect_refused(split_file(0), "split-0.safetensors");
}

}  // namespace
}  // namespace gcnh::testing
