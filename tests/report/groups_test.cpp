// Which runs a report compares: those on the same data and view that were chosen by the same metric.
#include <gtest/gtest.h>

#include "tests/report/made_up.h"
#include "tests/support/program.h"

namespace gcnh::testing {
using namespace report;
namespace {

report::Run stored(const std::string& path, const std::string& hash, Metric metric = Metric::accuracy) {
  const std::string model = path.substr(path.rfind('/') + 1);
  report::Run run = made_up(model, 0.5, {0.5, 0.6, 0.5, 0.5, 0.6});
  run.path = path;
  run.data.fingerprint = run.data.name + " " + hash;
  for (SplitOutcome& s : run.result.splits) {
    s.metric = metric;
    s.test.emplace()[metric] = *s.test_accuracy;
  }
  return run;
}

std::vector<std::string> data_of(const std::vector<Group>& groups) {
  std::vector<std::string> out;
  for (const Group& group : groups) out.push_back(group.data);
  return out;
}

std::vector<std::string> run_names_of(const Group& group) {
  std::vector<std::string> out;
  for (const report::Run& run : group.runs) out.push_back(run.name);
  return out;
}

using Words = std::vector<std::string>;

TEST(Groups, GraphsOfOneNameStayApart) {
  const std::vector<Group> groups = group_runs({stored("x/a/gcn", "1"), stored("x/b/gcn", "2"), stored("x/a/mlp", "1"),
                                                stored("y/b/mlp", "3"), stored("x/a/majority", "1")});
  EXPECT_EQ(data_of(groups), (Words{"d in a (clean view)", "d in b (clean view)", "d in b #2 (clean view)"}));
  EXPECT_EQ(run_names_of(groups[0]), (Words{"gcn", "mlp", "majority"}));
  EXPECT_EQ(overview_section(groups).tables.at(0).columns, (Words{"model", "d in a", "d in b", "d in b #2"}));
}

TEST(Groups, OfOneGraphHaveItsNameAlone) {
  const std::vector<Group> groups = group_runs({stored("x/gcn", "1"), stored("y/gcn", "1"), stored("z/again", "1")});
  EXPECT_EQ(data_of(groups), Words{"d (clean view)"});
  EXPECT_EQ(run_names_of(groups[0]), (Words{"gcn", "gcn #2", "again"}));
}

// A model may scale features or derive matrices of its own, and so see another fingerprint of the same data.
TEST(Groups, AComparisonStaysTogether) {
  std::vector<report::Run> runs = {stored("x/gcn", "1"), stored("x/geomgcn", "2"), stored("x/mlp", "3")};
  for (report::Run& run : runs) run.command = "gcnh compare --out x";
  runs[2].command = "gcnh train --out x/mlp";
  runs[1].path = "x/geomgcn/";  // as shells complete it
  EXPECT_EQ(data_of(group_runs(runs)), (Words{"d in x (clean view)", "d in x #2 (clean view)"}));
  EXPECT_EQ(run_names_of(group_runs(runs)[0]), (Words{"gcn", "geomgcn"}));
}

TEST(Groups, RunsOfOtherMetricsAreNotRanked) {
  std::vector<report::Run> runs;
  for (const Metric metric : {Metric::accuracy, Metric::macro_f1, Metric::roc_auc})
    for (const char* model : {"gcn", "mlp", "majority"})
      runs.push_back(stored(title_of(metric) + "/" + model, "1", metric));
  const std::vector<Group> groups = group_runs(runs);
  EXPECT_EQ(data_of(groups),
            (Words{"d (clean view, by accuracy)", "d (clean view, by macro F1)", "d (clean view, by ROC-AUC)"}));
  for (const Group& group : groups) {
    EXPECT_EQ(run_names_of(group), (Words{"gcn", "mlp", "majority"})) << "once each";
    EXPECT_EQ(group.metric, group.runs[0].result.splits[0].metric);
    const auto comparison = compare_runs(group);
    ASSERT_TRUE(comparison);
    EXPECT_EQ(comparison->others.size(), 2u) << "Holm's p is over these alone";
  }
  const Section overview = overview_section(groups);
  EXPECT_EQ(overview.tables.at(0).columns, (Words{"model", "d: accuracy, %", "d: macro F1, %", "d: ROC-AUC, %"}));
  EXPECT_EQ(overview.tables.at(0).rows.size(), 3u);
}

// Forty nodes of two classes, in a circle with steps of a length.
void train_circle(const std::filesystem::path& folder, int step) {
  std::string nodes = "id,label,x\n", edges = "source,target\n";
  for (int i = 0; i < 40; ++i) {
    nodes += join("u", i, i % 2 == 0 ? ",no," : ",yes,", i * i % 7, "\n");
    edges += join("u", i, ",u", (i + step) % 40, "\n");
  }
  write_text(folder / "n.csv", nodes);
  write_text(folder / "e.csv", edges);
  const Answer a = run_program({"train", "--nodes", folder / "n.csv", "--edges", folder / "e.csv", "--model", "mlp",
                                "--epochs", "2", "--num-splits", "2", "--quiet", "--out", folder / "run"});
  ASSERT_EQ(a.code, 0) << a.err;
}

TEST(Groups, FilesOfOneNameInTwoFolders) {
  const TempDir folder;
  train_circle(folder.path() / "a", 1);
  train_circle(folder.path() / "b", 2);
  const Report report = report_runs({folder / "a/run", folder / "b/run"});
  EXPECT_EQ(report.title, "Report on several graphs");
  EXPECT_EQ(report.sections.at(1).anchor, "overview");
  EXPECT_EQ(report.sections.at(1).tables.at(0).columns.size(), 3u);
  EXPECT_EQ(report.sections.at(1).tables.at(0).rows.size(), 1u) << "one model on two graphs";
  EXPECT_NE(to_html(report).find("data-2"), std::string::npos);
}

}  // namespace
}  // namespace gcnh::testing
