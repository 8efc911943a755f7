// The most confident errors in reports: what the run folder keeps of them, and what becomes of it.
#include <gtest/gtest.h>

#include "gcnh/io/csv_rows.h"
#include "tests/report/made_up.h"
#include "tests/report/run_fixture.h"

namespace gcnh::testing {
using namespace report;
namespace {

TEST(ErrorsSection, TellsOfTheSurestErrorsOfTheKeptModel) {
  const TempDir folder;
  compare_hostile(folder);
  const std::vector<Group> groups = group_runs(read_runs({folder / "runs"}));
  for (const report::Run& run : groups[0].runs) {
    if (run.model == "majority" || run.model == "labelprop") {
      EXPECT_TRUE(run.errors.empty()) << "without a model there is nothing to explain";
      continue;
    }
    ASSERT_FALSE(run.errors.empty()) << run.model;
    ASSERT_LE(run.errors.size(), 5u);
    // The wrong answers of the kept split, the surest first, are those of predictions.csv.
    std::vector<std::pair<double, std::string>> wrong;
    CsvRows rows((folder.path() / "runs" / run.model / "predictions.csv").string());
    const std::string kept = std::to_string(run.result.best().split);
    while (rows.next()) {
      const std::vector<std::string>& cells = rows.row();
      if (cells[0] != kept || cells[2] == cells[3]) continue;
      wrong.emplace_back(-std::max({std::stod(cells[4]), std::stod(cells[5]), std::stod(cells[6])}), cells[1]);
    }
    std::stable_sort(wrong.begin(), wrong.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    ASSERT_EQ(run.errors.size(), std::min<std::size_t>(5, wrong.size()));
    for (std::size_t i = 0; i < run.errors.size(); ++i) {
      const Account& a = run.errors[i];
      EXPECT_NEAR(a.probabilities[0], -wrong[i].first, 1e-6);
      EXPECT_TRUE(a.is_wrong());
      EXPECT_EQ(a.rival(), a.label) << "compared with the truth";
      EXPECT_EQ(a.is_exact, run.model == "gcnh");
      double sum = Account::lead(a.bias) + Account::lead(a.other_parts) + Account::lead(a.remainder);
      for (const Account::Source& s : a.sources) sum += Account::lead(s.parts);
      EXPECT_NEAR(sum, Account::lead(a.logits), 1e-5);
    }
  }
  const Section section = errors_section(groups[0]);
  const std::vector<Account>& errors = groups[0].best().errors;
  ASSERT_EQ(section.charts.size(), errors.size());
  ASSERT_EQ(section.tables.size(), 1u);
  EXPECT_EQ(section.tables[0].rows.size(), errors.size());
  EXPECT_EQ(section.tables[0].rows[0][0], errors[0].id);
  const std::string page = slurp(folder.path() / "runs" / "report.html");
  EXPECT_NE(page.find("Most confident errors"), std::string::npos);
}

TEST(ErrorsSection, FoldersOfEarlierVersionsHaveNone) {
  const TempDir folder;
  compare_hostile(folder);
  std::filesystem::remove(folder.path() / "runs/gcnh/errors.json");
  const std::vector<Group> groups = group_runs(read_runs({folder / "runs" / "gcnh"}));
  EXPECT_TRUE(groups[0].runs[0].errors.empty());
  EXPECT_TRUE(errors_section(groups[0]).charts.empty());
  write_text(folder.path() / "runs/gcnh/errors.json", "{\"split\": 0, \"errors\": [{\"id\": 3}]}");
  try {
    read_runs({folder / "runs" / "gcnh"});
    FAIL() << "a damaged file";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("errors.json: not what gcnh writes"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace gcnh::testing
