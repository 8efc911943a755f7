#include "gcnh/run/experiment.h"

#include <gtest/gtest.h>

#include "gcnh/graph/synthetic.h"
#include "gcnh/run/run_folder.h"
#include "gcnh/run/runner.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

std::string refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Experiment, OptionsThatDoNotExistAreRefused) {
  gcnh::Setup setup;
  setup.model = "mlp";
  setup.options = {{"weight-decay", "0"}, {"hidden", "4"}};
  EXPECT_EQ(prepare(setup, make_synthetic({})).train.weight_decay, 0);
  setup.options = {{"hiden", "4"}};
  const std::string message = refusal([&] { prepare(setup, make_synthetic({})); });
  EXPECT_NE(message.find("'mlp' has no option 'hiden'"), std::string::npos) << message;
  EXPECT_NE(message.find("hidden"), std::string::npos) << message;
}

TEST(Experiment, AFolderObjectKeepsOneRun) {
  const TempDir folder;
  gcnh::Setup setup;
  setup.model = "mlp";
  setup.options = {{"hidden", "4"}, {"epochs", "2"}};
  setup.splits = {0};
  const Experiment e = prepare(setup, make_synthetic({}));
  RunFolder kept(folder / "run");
  kept.write(e, run(e, {}, &kept));
  EXPECT_NE(refusal([&] { run(e, {}, &kept); }).find("holds a finished run"), std::string::npos);
}

}  // namespace
}  // namespace gcnh
