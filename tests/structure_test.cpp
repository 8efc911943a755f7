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
    {"comm", {"base", "comm"}},
    {"kernels", {"base", "kernels"}},
    {"graph", {"base", "kernels", "graph"}},
    {"io", {"base", "graph", "io"}},
    {"ops", {"base", "comm", "kernels", "graph", "ops"}},
    {"models", {"base", "graph", "ops", "models"}},
    {"train", {"base", "comm", "kernels", "graph", "ops", "models", "train"}},
    {"explain", {"base", "graph", "ops", "models", "explain"}},
    {"run", {"base", "comm", "graph", "io", "models", "train", "explain", "run"}},
    {"check", {"base", "graph", "io", "run", "check"}},
    {"study", {"base", "graph", "io", "models", "train", "run", "study"}},
    {"report", {"base", "io", "models", "run", "study", "report"}},
    {"paper", {"base", "graph", "io", "models", "run", "study", "report", "paper"}},
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

// The rows "| `gcnh/io` | ... | base, graph |" of docs/architecture.md; what is not ours is left out.
TEST(Structure, TheDocumentedTableIsTheEnforcedOne) {
  std::map<std::string, std::set<std::string>> documented;
  std::ifstream in(kRoot / "docs" / "architecture.md");
  const std::regex row("\\| `gcnh/([a-z]+)` \\| .* \\| (.*) \\|"), word("[a-z]+");
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (!std::regex_match(line, match, row)) continue;
    std::set<std::string>& may = documented[match[1]] = {match[1]};
    const std::string list = match[2];
    for (std::sregex_iterator name(list.begin(), list.end(), word), end; name != end; ++name)
      if (kMayInclude.contains(name->str())) may.insert(name->str());
  }
  EXPECT_EQ(documented, kMayInclude);
}

// gcnh:: is for what a user of the library needs.
TEST(Structure, StudiesReportsAndThePaperHaveNamespaces) {
  for (const std::string folder : {"study", "report", "paper"})
    for_each_line(kRoot / "gcnh" / folder, [&](const fs::path& file, const std::string& line) {
      EXPECT_TRUE(!line.starts_with("namespace gcnh") || line.starts_with("namespace gcnh::" + folder))
          << file << ": " << line;
    });
}

TEST(Structure, OnlyTheFusedStepAndTheExplainerKnowAModel) {
  const std::regex include("#include \"gcnh/models/(?!(model|layers|readings|stepper|explanation)\\.h)");
  for_each_line(kRoot / "gcnh", [&](const fs::path& file, const std::string& line) {
    const bool may = file.parent_path().filename() == "models" || file.filename() == "fused_stepper.h" ||
                     file.filename() == "gcnh_explainer.cpp";
    EXPECT_TRUE(may || !std::regex_search(line, include)) << file << ": " << line;
  });
}

// The files that include a library's header.
std::set<std::string> includers(const std::string& header) {
  std::set<std::string> found;
  for (const char* folder : {"gcnh", "cli", "python", "tests"})
    for_each_line(kRoot / folder, [&](const fs::path& file, const std::string& line) {
      if (line == "#include <" + header + ">") found.insert(fs::relative(file, kRoot).string());
    });
  return found;
}

TEST(Structure, OneFileIncludesMpiAndOneMetis) {
  EXPECT_EQ(includers("mpi.h"), std::set<std::string>{"gcnh/comm/comm_mpi.cpp"});
  EXPECT_EQ(includers("metis.h"), std::set<std::string>{"gcnh/graph/metis_partition.cpp"});
}

TEST(Structure, TheProgramAndTheBindingIncludeOnlyThePublicHeaders) {
  const std::regex include("#include \"gcnh/(?!(gcnh|studies)\\.h)");
  for (const char* folder : {"cli", "python"})
    for_each_line(kRoot / folder, [&](const fs::path& file, const std::string& line) {
      EXPECT_FALSE(std::regex_search(line, include)) << file << ": " << line;
    });
}

// What a file calls its own, in its unnamed namespace. Aliases may be repeated.
std::set<std::string> own_names(const fs::path& file) {
  const std::regex type("^(?:struct|class|enum|enum class) (\\w+)"),
      other("^[\\w:<>,&*\\s\\[\\]]+?[\\s&*](\\w+)\\s*[({=;]"),
      skipped("^(?:TEST|INSTANTIATE_|namespace|using|template|\\s|//|#|[^A-Za-z\\[]|$).*");
  std::set<std::string> out;
  std::ifstream in(file);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("namespace {")) inside = true;
    if (line.starts_with("}  // namespace")) inside = false;
    std::smatch match;
    if (!inside || std::regex_match(line, skipped)) continue;
    if (std::regex_search(line, match, type) || std::regex_search(line, match, other)) out.insert(match[1]);
  }
  return out;
}

// Test files are compiled in groups, and a new file shifts the groups: a name must be the only one of its suite.
TEST(Structure, TestFilesOfASuiteShareNoNames) {
  std::map<std::pair<std::string, std::string>, fs::path> owner;  // by suite and name
  std::size_t found = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "tests")) {
    const std::string path = fs::relative(entry.path(), kRoot / "tests").string();
    if (!path.ends_with("_test.cpp")) continue;
    const bool runs_program = std::regex_search(path, std::regex("^(cli|run|study|report|paper)/"));
    const std::string suite = path.ends_with("_double_test.cpp") ? "unit_double" : runs_program ? "program" : "unit";
    for (const std::string& name : own_names(entry.path())) {
      const auto [kept, fresh] = owner.try_emplace({suite, name}, path);
      EXPECT_TRUE(fresh) << name << " is defined in tests/" << path << " and in tests/" << kept->second.string()
                         << ": rename one, or move it to tests/support";
      ++found;
    }
  }
  EXPECT_GT(found, 150u) << "the pattern of names has gone blind";
}

// Sources of the library are compiled in groups, too. Functions may be overloaded, types and constants not.
TEST(Structure, SourcesOfAFolderShareNoTypesOrConstants) {
  std::map<std::pair<fs::path, std::string>, fs::path> owner;  // by folder and name
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "gcnh")) {
    if (entry.path().extension() != ".cpp") continue;
    for (const std::string& name : own_names(entry.path())) {
      if (!std::regex_match(name, std::regex("k?[A-Z].*"))) continue;
      const auto [kept, fresh] = owner.try_emplace({entry.path().parent_path(), name}, entry.path());
      EXPECT_TRUE(fresh) << name << " is defined in " << entry.path() << " and in " << kept->second << ": rename one";
    }
  }
  EXPECT_GT(owner.size(), 100u) << "the pattern of names has gone blind";
}

TEST(Structure, TheLibraryNeitherPrintsNorExits) {
  const std::regex forbidden("std::c(out|err)|printf\\(|fmt::print|std::exit|\\babort\\(|\\bmalloc\\(");
  for_each_line(kRoot / "gcnh", [&](const fs::path& file, const std::string& line) {
    EXPECT_FALSE(std::regex_search(line, forbidden)) << file << ": " << line;
  });
}

}  // namespace
