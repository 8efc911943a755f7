// gcnh paper: the tables and figures of the GCNH paper from our own runs.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/layout.h"
#include "cli/study.h"

namespace gcnh::cli {
namespace {

struct PaperFlags : RunFlags {
  std::vector<std::string> chapters = {"all"};
  std::vector<std::string> models, datasets, views = {"paper", "clean"};
  bool quick = false;
  bool no_training = false;
};

std::vector<ChapterType> chosen_chapters(const std::vector<std::string>& names) {
  std::vector<std::string> known = {"all"};
  for (const ChapterType& type : paper_chapters()) known.push_back(type.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(Status::usage, "the paper has no chapter '", name, "'; it has: ", list_words(known),
           did_you_mean(name, known));
  std::vector<ChapterType> out;
  const bool all = std::find(names.begin(), names.end(), "all") != names.end();
  for (const ChapterType& type : paper_chapters())
    if (std::find(names.begin(), names.end(), type.name) != names.end() || (all && type.of_paper)) out.push_back(type);
  return out;
}

// The graphs of a chapter that the user wants, in the order in which they were named.
std::vector<std::string> graphs_of(const ChapterType& type, std::vector<std::string> wanted) {
  std::vector<std::string> all = paper_datasets();
  all.insert(all.end(), type.more_graphs.begin(), type.more_graphs.end());
  if (wanted.empty()) return all;
  std::erase_if(wanted, [&](const std::string& data) { return std::find(all.begin(), all.end(), data) == all.end(); });
  return wanted;
}

void check_graphs(const std::vector<ChapterType>& types, const std::vector<std::string>& wanted) {
  std::vector<std::string> known = paper_datasets();
  for (const ChapterType& type : types) known.insert(known.end(), type.more_graphs.begin(), type.more_graphs.end());
  for (const std::string& data : wanted) require_one_of("--data", data, known);
}

void print_chapter(const Chapter& chapter) {
  fmt::print("\n{}\n", wrapped("", chapter.title));
  for (const std::string& paragraph : chapter.text) fmt::print("{}", wrapped("", paragraph));
  for (const Table& table : chapter.tables) fmt::print("\n{}", in_blocks(table));
  for (const Chart& chart : chapter.charts) fmt::print("\n{}", in_blocks(to_table(chart)));
  if (!chapter.checks.empty()) fmt::print("\n");
  for (const Check& check : chapter.checks)
    fmt::print("{}", wrapped(check.holds ? "holds       " : "does not    ", check.claim));
  std::fflush(stdout);
}

constexpr const char* kQuick =
    "QUICK: the first two splits and few epochs, to see every table and figure being made; the numbers mean nothing. ";

std::string remark(const PaperFlags& flags, const Journal& journal) {
  std::string out = flags.quick ? kQuick : "";
  if (!flags.models.empty()) out += "Only these models: " + list_words(flags.models) + ". ";
  if (!flags.datasets.empty()) out += "Only these graphs: " + list_words(flags.datasets) + ". ";
  return out + fmt::format("Measured {}, seed {}.", journal.origin(), flags.setup.seed);
}

// Says how much the journal lacks.
void count_missing(Chapter& chapter) {
  std::size_t missing = 0;
  for (const Table& table : chapter.tables)
    for (const std::vector<std::string>& row : table.rows)
      missing += std::find(row.begin(), row.end(), kNotMeasured) != row.end();
  if (missing > 0)
    chapter.text.push_back(fmt::format("Not measured yet: {} {} a dash.",
                                       counted(static_cast<std::int64_t>(missing), "row"),
                                       missing == 1 ? "has" : "have"));
}

// Nothing can be learned from quick numbers: every table and figure says so, also as a file, and no claim is checked.
void mark_quick(Chapter& chapter) {
  for (Table& table : chapter.tables) table.title = "QUICK: " + table.title;
  for (Chart& chart : chapter.charts) chart.title = "QUICK: " + chart.title;
  chapter.checks.clear();
}

void paper(const PaperFlags& flags) {
  const std::vector<ChapterType> types = chosen_chapters(flags.chapters);
  for (const std::string& model : flags.models) {
    find_model_type(model);  // names what exists
    if (published("accuracy", model, "texas").empty())
      fail(Status::usage, "model '", model, "' is not in the paper's table");
  }
  for (const std::string& view : flags.views) require_one_of("--views", view, {"paper", "clean"});
  check_graphs(types, flags.datasets);
  const std::string default_out = flags.quick ? "runs/paper-quick" : "runs/paper";
  const std::filesystem::path out = flags.out.empty() ? default_out : flags.out;
  const std::filesystem::path journal = out / "journal.jsonl";
  StudyRun study(flags, journal, "the same command again continues from " + journal.string());
  if (flags.quick) fmt::print("{}", wrapped("", kQuick));
  std::vector<Chapter> chapters;
  for (const ChapterType& type : types) {
    const auto make = [&](Study& s) {
      s.train_missing = !flags.no_training;
      Workbench bench(s, data_dir(flags.data), flags.quick, flags.setup.seed);
      bench.views = flags.views;
      bench.folder = out;
      if (!flags.models.empty()) bench.models = flags.models;
      bench.datasets = graphs_of(type, flags.datasets);
      bench.announce = [&](const std::string& what) { study.rename(type.name + ": " + what); };
      Chapter chapter = type.make(bench);
      count_missing(chapter);
      if (flags.quick) mark_quick(chapter);
      return chapter;
    };
    try {
      chapters.push_back(study.run(type.name, make));
    } catch (const Error& error) {
      if (!flags.no_training || error.status() != Status::data) throw;
      tell(fmt::format("{}: left out, {}", type.name, error.what()));
      continue;
    }
    print_chapter(chapters.back());
  }
  write_chapters(out, chapters, remark(flags, study.journal()));
  std::vector<std::string> files;
  for (const char* name : {"paper.html", "paper.md", "tables", "figures", "journal.jsonl"})
    files.push_back((out / name).string());
  fmt::print("\n{}", in_lines("files  ", files));
}

}  // namespace

void add_paper(CLI::App& app) {
  auto flags = std::make_shared<PaperFlags>();
  CLI::App* command = app.add_subcommand("paper", "re-create the tables and figures of the GCNH paper from own runs");
  command->add_option("chapters", flags->chapters, "which: all, or some of those below")->capture_default_str();
  take_list(command->add_option("--models", flags->models, "only these models in the main table, comma-separated"));
  take_list(command->add_option("--views", flags->views,
                                "of the main table: paper (as each model's own code took the graph), clean"))
      ->capture_default_str();
  take_list(command->add_option("--data", flags->datasets, "only these real graphs, comma-separated"));
  command->add_flag("--quick", flags->quick,
                    "two splits, few epochs: every table and figure in minutes, numbers without meaning");
  command->add_flag("--no-training", flags->no_training,
                    "write what the journal has; cells of the main table without records are dashes");
  command->add_option("--data-dir", flags->data.data_dir,
                      "where the graphs are; default: $GCNH_DATA, then ~/.local/share/gcnh");
  command->add_option(
      "--out", flags->out,
      "folder for journal, tables, figures and report; default: runs/paper, runs/paper-quick with --quick");
  command->add_option("--seed", flags->setup.seed, "of all runs")->capture_default_str()->check(a_seed());
  command->add_option("--threads", flags->setup.threads, "0: all cores")->capture_default_str()->check(kThreads);
  add_quiet_flag(*command, flags->data);
  command->add_flag("--resume", flags->resume, "accepted for clarity: a journal in --out is always continued");
  std::string footer = "Chapters:\n";
  for (const ChapterType& type : paper_chapters()) footer += fmt::format("  {:14} {}\n", type.name, type.summary);
  command->footer(
      footer +
      "A finished split is a line of OUT/journal.jsonl; the same command again continues where it was stopped.\n"
      "All chapters take many hours on two cores; --quick takes minutes.");
  command->callback([flags] { paper(*flags); });
}

}  // namespace gcnh::cli
