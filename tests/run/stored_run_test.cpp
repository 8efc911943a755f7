// Run folders whose files are not what gcnh wrote.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "gcnh/base/error.h"
#include "gcnh/report/run_report.h"
#include "gcnh/report/sections.h"
#include "tests/report/run_fixture.h"

namespace gcnh::testing {
using namespace report;
namespace {

using nlohmann::json;

class HostileRun : public ::testing::Test {
 protected:
  void SetUp() override { compare_hostile(folder_); }

  std::filesystem::path file(const std::string& name) const { return folder_ / "runs/gcnh" / name; }
  json data() const { return json::parse(slurp(file("data.json"))); }
  // The report must be refused with the file and these words while the file holds the text.
  void expect_refused(const std::string& name, const std::string& text, const std::string& words) {
    const std::string before = slurp(file(name));
    write_text(file(name), text);
    try {
      report_runs({folder_ / "runs"});
      ADD_FAILURE() << "a report was made of " << words;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::data);
      const std::string message = error.what();
      EXPECT_NE(message.find("runs/gcnh/" + name), std::string::npos) << message;
      EXPECT_NE(message.find(words), std::string::npos) << message;
    }
    write_text(file(name), before);
  }

  TempDir folder_;
};

TEST_F(HostileRun, ClassesThatAppearTwice) {
  json many = data();
  for (int i = 0; i < 50; ++i)
    for (int k = 0; k < 3; ++k) many["classes"].push_back(many["classes"][k]);
  expect_refused("data.json", many.dump(), "appears twice");
}

TEST_F(HostileRun, CompatibilityThatDoesNotFitTheClasses) {
  json wide = data(), tall = data(), none = data();
  for (int i = 0; i < 50; ++i) wide["compatibility"][0].push_back(0.5);
  for (int i = 0; i < 50; ++i) tall["compatibility"].push_back(tall["compatibility"][0]);
  none["compatibility"] = json::array();
  for (const json& j : {wide, tall, none})
    expect_refused("data.json", j.dump(), "compatibility is not a table of 3 x 3");
}

// Nobody writes into them, so whoever reads them waits for ever.
TEST_F(HostileRun, PipesInThePlaceOfFiles) {
  for (const char* name : {"result.json", "data.json", "curves.jsonl", "predictions.csv", "map.csv"}) {
    const std::string before = slurp(file(name));
    std::filesystem::remove(file(name));
    ASSERT_EQ(::mkfifo(file(name).c_str(), 0600), 0);
    try {
      report_runs({folder_ / "runs"});
      ADD_FAILURE() << "a report was made";
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(name), std::string::npos) << message;
      EXPECT_NE(message.find("it is a pipe"), std::string::npos) << message;
    }
    std::filesystem::remove(file(name));
    write_text(file(name), before);
  }
}

TEST_F(HostileRun, DeepFiles) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (const char* name : {"result.json", "data.json", "curves.jsonl"}) expect_refused(name, deep, "nested deeper");
  json result = json::parse(slurp(file("result.json")));
  result["options"]["hidden"] = "DEEP";
  std::string text = result.dump();
  expect_refused("result.json", text.replace(text.find("\"DEEP\""), 6, deep), "nested deeper");
  const std::string curves = slurp(file("curves.jsonl"));
  expect_refused("curves.jsonl", curves + deep + "\n", "curves.jsonl:181: nested deeper");
}

}  // namespace
}  // namespace gcnh::testing
