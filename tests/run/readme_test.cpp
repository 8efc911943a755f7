// The C++ example of the README, compiled and run. The lines between the marks stand there, too.
#include <gtest/gtest.h>

#include <sstream>

#include "gcnh/gcnh.h"
#include "gcnh/io/file.h"
#include "tests/support/temp_dir.h"

namespace gcnh::testing {
namespace {

TEST(Readme, ItsExampleWorks) {
  const TempDir data_folder;
  std::string users = "user,segment,age,visits\n", follows = "a,b\n";
  for (int i = 0; i < 60; ++i) {
    users += join("u", i, i % 2 ? ",new,2" : ",old,5", i % 7, ",", i % 3, "\n");
    follows += join("u", i, ",u", (i + 2) % 60, "\n");
  }
  write_atomically(data_folder / "users.csv", users);
  write_atomically(data_folder / "follows.csv", follows);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(data_folder.path());
  // clang-format off
  // begin
  gcnh::Tables tables = gcnh::read_csv({.nodes = "users.csv", .edges = "follows.csv", .id = "user", .label = "segment",
                                        .source = "a", .target = "b"});
  gcnh::Experiment e = gcnh::prepare({.model = "gcnh"}, tables);  // scaled, ten splits, every option at its default
  gcnh::RunFolder folder("runs/seg");                             // or with gcnh::EarlierRun::resume, after a kill
  gcnh::RunResult result = gcnh::run(e, {}, &folder);             // trains; checkpoints go to the folder
  folder.write(e, result);                                        // the model, the scores, and what reports need
  double accuracy = gcnh::mean_std(gcnh::test_accuracies(result.splits)).mean;

  gcnh::TrainedModel model = gcnh::load_model("runs/seg/model.safetensors");
  gcnh::Dataset data = gcnh::fit_to_model(model, tables);         // the columns, the view and the scaling it was trained on
  gcnh::Matrix logp = gcnh::predict(model, data, std::vector<gcnh::Index>{0, 1, 2});  // a row of log-probabilities per node
  // end
  // clang-format on
  std::filesystem::current_path(before);
  EXPECT_GT(accuracy, 0.8) << "age tells the segments apart";
  EXPECT_EQ(logp.rows(), 3);

  const std::string readme = read_file(std::filesystem::path(GCNH_TEST_DATA).parent_path().parent_path() / "README.md");
  std::istringstream source(read_file(__FILE__));
  bool inside = false;
  for (std::string line; std::getline(source, line);) {
    if (line == "  // end") inside = false;
    if (inside && !line.empty()) {
      EXPECT_NE(readme.find(line.substr(2)), std::string::npos) << line;
    }
    if (line == "  // begin") inside = true;
  }
}

}  // namespace
}  // namespace gcnh::testing
