// gcnh journal: what a journal holds, which of its lines are stale, and whether training gives them again.
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "cli/experiment.h"
#include "cli/progress.h"

namespace gcnh::cli {
namespace {

struct JournalFlags : RunFlags {
  std::string file;
  std::size_t again = 0;
  double within = 1e9;
  bool within_given = false;
};

// Per engine and version of its arithmetic the number of lines; then the stale ones, as ranges: 3-7, 12.
void print_contents(const std::vector<JournalLine>& lines) {
  std::map<std::pair<std::string, int>, std::size_t> counts;
  std::vector<std::string> stale;
  int first = 0, last = 0;
  const auto close_range = [&] {
    if (first > 0) stale.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
    first = 0;
  };
  for (const JournalLine& line : lines) {
    ++counts[{line.record.outcome.engine, line.record.arithmetic}];
    if (!is_stale(line.record)) {
      close_range();
    } else {
      if (first == 0) first = line.number;
      last = line.number;
    }
  }
  close_range();
  fmt::print("engine  arithmetic    lines\n");
  for (const auto& [kind, count] : counts)
    fmt::print("{:6}  {:10} {:8}{}\n", kind.first, kind.second, count,
               kind.second == arithmetic_of(kind.first) ? "" : "  stale: this version gives other bits");
  if (stale.empty()) return;
  fmt::print("stale lines: {}\nThey are not used. The command that recorded them trains them again.\n",
             list_words(stale));
}

void train_some(const JournalFlags& flags, const std::vector<JournalLine>& all) {
  const std::vector<JournalLine> lines = draw_lines(all, flags.again, flags.within, flags.setup.seed);
  const StopOnInterrupt interrupt;
  ProgressBar bar(flags.data.quiet);
  StudyObserver observer;
  observer.should_stop = [&] { return interrupt.requested(); };
  observer.on_split = [&](std::size_t done, std::size_t total) {
    const double share = static_cast<double>(done) / static_cast<double>(total);
    if (bar.due())
      bar.show("again", share, share, fmt::format("{} of {}", done, counted(static_cast<std::int64_t>(total), "line")));
  };
  const std::vector<Difference> differences =
      train_again(lines, data_dir(flags.data), num_threads(flags.setup.threads), observer);
  bar.finish();
  for (const Difference& d : differences) fmt::print("line {}: {}\n", d.line, d.what);
  fmt::print(
      "{} trained again ({} on mini-batches), {} {}\n", counted(std::ssize(lines), "line"),
      std::count_if(lines.begin(), lines.end(),
                    [](const JournalLine& line) { return line.run.find("\"batch\":\"full\"") == line.run.npos; }),
      differences.size(), differences.size() == 1 ? "differs" : "differ");
  if (!differences.empty())
    fail(Status::data, flags.file, ": training gives something else for ", counted(std::ssize(differences), "line"),
         " of ", lines.size());
}

void journal(const JournalFlags& flags) {
  if (flags.within_given && flags.again == 0)
    fail(Status::usage, "--within chooses among the lines that --again trains; give both");
  const std::vector<JournalLine> lines = read_journal(flags.file);
  require(!lines.empty(), flags.file, ": holds no lines");
  print_contents(lines);
  if (read_file(flags.file).back() != '\n')
    fmt::print("line {} is cut off, by a kill or because it is being written; it is not used\n", lines.size() + 1);
  if (flags.again > 0) train_some(flags, lines);
}

}  // namespace

void add_journal(CLI::App& app) {
  auto flags = std::make_shared<JournalFlags>();
  CLI::App* command = app.add_subcommand("journal", "what a journal holds, and whether training gives it again");
  command->add_option("FILE", flags->file, "journal.jsonl of tune --out or paper --out")->required();
  command->add_option("--again", flags->again, "train this many lines again, drawn at random, and compare every digit");
  command->add_option("--within", flags->within, "draw only lines whose training took at most so many seconds")
      ->each([flags = flags.get()](const std::string&) { flags->within_given = true; });
  command->add_option("--seed", flags->setup.seed, "of the draw")->capture_default_str()->check(a_seed());
  command->add_option("--data-dir", flags->data.data_dir,
                      "where the known graphs are; default: $GCNH_DATA, then ~/.local/share/gcnh");
  command->add_option("--threads", flags->setup.threads, "0: all cores")->capture_default_str()->check(kThreads);
  add_quiet_flag(*command, flags->data);
  command->footer(
      "A line is stale when its engine has changed its arithmetic since: the same training gives other digits now.\n"
      "Examples:\n"
      "  gcnh journal runs/paper/journal.jsonl                how many lines of which arithmetic, which are stale\n"
      "  gcnh journal docs/results/journal.jsonl --again 200  are the committed results what this program gives?\n"
      "Exit codes: 65 when a line differs, or when none can be trained again.");
  command->callback([flags] { journal(*flags); });
}

}  // namespace gcnh::cli
