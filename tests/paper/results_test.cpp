// The committed records (docs/results): they still give the committed tables and figures, the README shows them, and
// the claims of the paper hold in them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "gcnh/base/error.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = fs::path(GCNH_TEST_DATA).parent_path().parent_path();

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.insert(entry.path().filename());
  return out;
}

TEST(Results, TablesFiguresAndClaimsFollowFromTheJournal) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const TempDir folder;
  fs::copy_file(kRoot / "docs/results/journal.jsonl", folder / "journal.jsonl");
  const Answer a = run_program({"paper", "all", "--no-training", "--quiet", "--out", folder.path()});
  ASSERT_EQ(a.code, 0) << a.err;
  for (const char* part : {"tables", "figures"}) {
    const fs::path made = folder / part, kept = kRoot / "docs/results" / part;
    EXPECT_EQ(names_in(made), names_in(kept));
    for (const std::string& name : names_in(kept))
      EXPECT_EQ(slurp(made / name), slurp(kept / name)) << name << ": make it again with gcnh paper all --no-training";
  }
  const std::string found = slurp(folder / "paper.md");
  EXPECT_EQ(found, slurp(kRoot / "docs/results/paper.md"));
  EXPECT_EQ(found.find("DOES NOT HOLD"), std::string::npos);
  for (const char* claim :
       {"at least 62 of 72 cells", "separate encoders bring the larger part", "a learned β brings more",
        "mean loses on chameleon", "mean loses on squirrel", "GCNH is at least 30 points above GCN at h = 0",
        "GCNH reaches 100 % at h = 1", "β falls as homophily rises", "chameleon learns a β below 0.5",
        "squirrel learns a β below 0.5", "the linear model explains every size", "one core is faster",
        "cora: from 2 to 8 layers GCNH loses less", "cora: from 2 to 16 layers GCNH loses less",
        "citeseer: from 2 to 8 layers GCNH loses less", "citeseer: from 2 to 16 layers GCNH loses less"})
    EXPECT_NE(found.find(std::string("- holds: ") + claim), std::string::npos) << claim;
  for (const char* data : {"cornell", "texas", "wisconsin", "film", "chameleon", "squirrel", "cora", "citeseer"})
    EXPECT_NE(found.find(join("- holds: our search finds options within two standard errors of the paper on ", data)),
              std::string::npos)
        << data;
}

TEST(Results, TheStudyBeyondThePaperFollowsFromItsJournal) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const fs::path kept = kRoot / "docs/results/beyond";
  const TempDir folder;
  fs::copy_file(kept / "journal.jsonl", folder / "journal.jsonl");
  // What is measured so far.
  const std::string graphs = "cornell,texas,wisconsin,chameleon,squirrel,cornell-fixed,chameleon-filtered";
  const Answer a = run_program(
      {"paper", "beyond", "--models", "gcnh", "--data", graphs, "--no-training", "--quiet", "--out", folder.path()});
  ASSERT_EQ(a.code, 0) << a.err;
  for (const char* part : {"tables", "figures"}) {
    EXPECT_EQ(names_in(folder / part), names_in(kept / part));
    for (const std::string& name : names_in(kept / part))
      EXPECT_EQ(slurp(folder / part / name), slurp(kept / part / name))
          << name << ": make it again with gcnh paper beyond --no-training";
  }
  EXPECT_EQ(slurp(folder / "paper.md"), slurp(kept / "paper.md"));
  EXPECT_EQ(slurp(folder / "recipe.toml"), slurp(kept / "recipe.toml"));
  EXPECT_NE(slurp(kRoot / "recipes/gcnh.toml").find(slurp(kept / "recipe.toml")), std::string::npos)
      << "recipe `beyond` is what the study chose";
}

TEST(Results, OneGraphForAllFollowsFromTheSameJournal) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const fs::path kept = kRoot / "docs/results/views";
  const TempDir folder;
  fs::copy_file(kRoot / "docs/results/beyond/journal.jsonl", folder / "journal.jsonl");
  const Answer a = run_program(
      {"paper", "views", "--models", "gcnh,ggcn,gprgnn,gcn,mlp", "--no-training", "--quiet", "--out", folder.path()});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(names_in(folder / "tables"), names_in(kept / "tables"));
  for (const std::string& name : names_in(kept / "tables"))
    EXPECT_EQ(slurp(folder / "tables" / name), slurp(kept / "tables" / name)) << name;
  EXPECT_EQ(slurp(folder / "paper.md"), slurp(kept / "paper.md"));
}

TEST(Results, TheReadmeShowsTheMainTable) {
  const std::string readme = slurp(kRoot / "README.md");
  std::istringstream table(slurp(kRoot / "docs/results/tables/main-paper.md"));
  int rows = 0;
  for (std::string line; std::getline(table, line);) {
    if (!line.starts_with("| ")) continue;
    ++rows;
    EXPECT_NE(readme.find(line), std::string::npos) << line;
  }
  EXPECT_EQ(rows, 10) << "a heading and nine models";
}

}  // namespace
}  // namespace gcnh::testing
