// Who may include whom (docs/architecture.md), and what the library must not do.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"base", {"base"}},
    {"kernels", {"base", "kernels"}},
    {"graph", {"base", "kernels", "graph"}},
    {"io", {"base", "graph", "io"}},
    {"ops", {"base", "kernels", "graph", "ops"}},
    {"models", {"base", "graph", "ops", "models"}},
    {"train", {"base", "kernels", "graph", "io", "ops", "models", "train"}},
    {"study", {"base", "kernels", "graph", "io", "ops", "models", "train", "study"}},
    {"paper", {"base", "graph", "io", "models", "train", "study", "report", "paper"}},
    {"report", {"base", "graph", "io", "train", "study", "report"}},
};

template <class F>
void for_each_line(const fs::path& folder, const F& f) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
    std::ifstream in(entry.path());
    std::string line;
    while (std::getline(in, line)) f(entry.path(), line);
  }
}

const fs::path kRoot = fs::path(GCNH_TEST_DATA).parent_path().parent_path();

TEST(Structure, FoldersIncludeOnlyWhatTheyMay) {
  const std::regex include("#include \"gcnh/([a-z]+)/");
  for (const auto& [folder, allowed] : kMayInclude) {
    for_each_line(kRoot / "gcnh" / folder,
                  [&, &name = folder, &may = allowed](const fs::path& file, const std::string& line) {
                    std::smatch match;
                    if (!std::regex_search(line, match, include)) return;
                    EXPECT_TRUE(may.contains(match[1])) << name << ": " << file << ": " << line;
                  });
  }
}

TEST(Structure, TheProgramIncludesOnlyThePublicHeader) {
  const std::regex include("#include \"gcnh/(?!gcnh\\.h)");
  for_each_line(kRoot / "cli", [&](const fs::path& file, const std::string& line) {
    EXPECT_FALSE(std::regex_search(line, include)) << file << ": " << line;
  });
}

TEST(Structure, TheLibraryNeitherPrintsNorExits) {
  const std::regex forbidden("std::c(out|err)|printf\\(|fmt::print|std::exit|\\babort\\(|\\bmalloc\\(");
  for_each_line(kRoot / "gcnh", [&](const fs::path& file, const std::string& line) {
    EXPECT_FALSE(std::regex_search(line, forbidden)) << file << ": " << line;
  });
}

}  // namespace
