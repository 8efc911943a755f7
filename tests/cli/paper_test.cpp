// gcnh paper makes its tables and figures, and makes the same ones after being killed.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

std::vector<std::string> paper_args(const std::string& out) {
  return {"paper",  "main",          "ablation", "--quick", "--models", "gcnh,gcn",
          "--data", "texas,cornell", "--quiet",  "--out",   out};
}

TEST(PaperCommand, KilledRunsEndWithTheSameFiles) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const unsigned seed = 1;
  const TempDir folder;
  const std::string whole = folder / "whole", broken = folder / "broken";
  kill_at_random(paper_args(broken), time_program(paper_args(whole)), seed);
  const Answer b = run_program(paper_args(broken));
  ASSERT_EQ(b.code, 0) << b.err;
  for (const char* file :
       {"paper.md", "paper.html", "tables/main-paper.csv", "tables/ablation.tex", "figures/main-gcnh.svg"}) {
    EXPECT_FALSE(slurp(folder / "whole" / file).empty()) << file;
    EXPECT_EQ(slurp(folder / "whole" / file), slurp(folder / "broken" / file)) << file;
  }
  EXPECT_NE(slurp(folder / "whole" / "paper.md").find("QUICK"), std::string::npos) << "quick numbers are labelled";
}

TEST(PaperCommand, OurOwnStudiesHaveGraphsOfTheirOwn) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const TempDir folder;
  const Answer a = run_program(
      {"paper", "defaults", "--quick", "--data", "texas,chameleon-filtered", "--quiet", "--out", folder / "out"});
  ASSERT_EQ(a.code, 0) << a.err;
  const std::string table = slurp(folder / "out" / "tables/defaults.csv");
  for (const char* row : {"texas,gcnh,accuracy,", "texas,mlp,accuracy,", "chameleon-filtered,gat,accuracy,"})
    EXPECT_NE(table.find(row), std::string::npos) << row << " in\n" << table;
  const Answer other = run_program({"paper", "ablation", "--quick", "--data", "chameleon-filtered"});
  EXPECT_EQ(other.code, 2) << "the paper's chapters are about its eight graphs";
}

TEST(PaperCommand, DecisionsGoOnFromTheTrainingsThatWereKept) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const TempDir folder;
  const auto args = [](const std::string& out) {
    return std::vector<std::string>{"paper", "decisions", "--quick", "--data", "texas,rare", "--quiet", "--out", out};
  };
  const std::string whole = folder / "whole", broken = folder / "broken";
  kill_at_random(args(broken), time_program(args(whole)), 1);
  const Answer b = run_program(args(broken));
  ASSERT_EQ(b.code, 0) << b.err;
  for (const char* table : {"decisions-final.csv", "decisions-coverage.csv", "decisions-rare.csv"}) {
    EXPECT_FALSE(slurp(folder / "whole/tables" / table).empty()) << table;
    EXPECT_EQ(slurp(folder / "whole/tables" / table), slurp(folder / "broken/tables" / table)) << table;
  }
  const std::filesystem::path final = folder / "broken/decisions/final/texas/0/final.safetensors";
  const auto made = std::filesystem::last_write_time(final);
  const Answer again = run_program(args(broken));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, b.out);
  EXPECT_EQ(std::filesystem::last_write_time(final), made) << "nothing is made twice";
}

TEST(PaperCommand, ViewsTakeEveryModelInItsDirections) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const TempDir folder;
  const Answer a = run_program({"paper", "views", "--quick", "--models", "gcnh,h2gcn", "--data", "texas,cornell",
                                "--quiet", "--out", folder / "out"});
  ASSERT_EQ(a.code, 0) << a.err;
  const std::string views = slurp(folder / "out/tables/views.csv"),
                    parts = slurp(folder / "out/tables/views-parts.csv");
  for (const char* row : {"\ngcnh,both,", "\ngcnh,out,", "\ngcnh,in,", "\nh2gcn,both (takes no other),"})
    EXPECT_NE(views.find(row), std::string::npos) << row << " in" << views;
  EXPECT_EQ(views.find("h2gcn,out"), std::string::npos) << views;
  for (const char* change : {"own view", "edges both ways", "no loops", "repeats merged", "clean view"})
    EXPECT_NE(parts.find(std::string("\ngcnh,") + change), std::string::npos) << change << " in" << parts;
}

TEST(PaperCommand, TheStudyBeyondThePaperGivesEveryLineTheSameCells) {
  if (!std::getenv("GCNH_DATA")) GTEST_SKIP() << "GCNH_DATA does not name the folder of the datasets";
  const TempDir folder;
  const auto args = [&](const char* models) {
    return std::vector<std::string>{"paper",  "beyond", "--quick", "--models", models,
                                    "--data", "texas",  "--quiet", "--out",    folder / "out"};
  };
  const Answer part = run_program(args("mlp"));
  ASSERT_EQ(part.code, 0) << part.err;
  const std::string before = slurp(folder / "out/journal.jsonl");
  const Answer whole = run_program(args("gcnh,mlp"));
  ASSERT_EQ(whole.code, 0) << whole.err;
  EXPECT_TRUE(slurp(folder / "out/journal.jsonl").starts_with(before))
      << "what was measured stays and is not done twice";
  const std::string cells = slurp(folder / "out/tables/beyond-cells.csv");
  for (const char* row : {"\ntexas,gcnh carried on,", "\ntexas,gcnh,", "\ntexas,mlp,"})
    EXPECT_NE(cells.find(row), std::string::npos) << row << " in" << cells;
  const std::string steps = slurp(folder / "out/tables/beyond-ablation.csv");
  EXPECT_NE(steps.find("\ntexas,\"GCNH of the paper, same size and training\","), std::string::npos) << steps;
  EXPECT_NE(slurp(folder / "out/recipe.toml").find("[beyond.data.texas.options]\n"), std::string::npos);
}

TEST(PaperCommand, NamesItsChapters) {
  const Answer a = run_program({"paper", "mian"});
  EXPECT_EQ(a.code, 2);
  EXPECT_NE(a.err.find("did you mean 'main'"), std::string::npos) << a.err;
}

}  // namespace
}  // namespace gcnh::testing
