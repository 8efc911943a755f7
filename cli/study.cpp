#include "cli/study.h"

#include <fmt/core.h>

namespace gcnh::cli {
namespace {

// The first of FILE.old, FILE.old-2, ... that is not there.
std::filesystem::path free_name(const std::filesystem::path& file) {
  std::filesystem::path out = file.string() + ".old";
  for (int i = 2; std::filesystem::exists(std::filesystem::symlink_status(out)); ++i)
    out = join(file.string(), ".old-", i);
  return out;
}

// In a folder that is made where it is missing.
Journal open_journal(const std::filesystem::path& file, bool force) {
  if (file.empty()) return Journal();
  make_folders(file.parent_path());
  try {
    return Journal(file);
  } catch (const Error& error) {
    if (!force || error.status() != Status::data) throw;
    const std::filesystem::path other = free_name(file);
    std::filesystem::rename(file, other);
    tell_note(join(error.what(), "; --force has renamed it to ", other.string()));
  }
  return Journal(file);
}

}  // namespace

std::filesystem::path journal_in(const std::filesystem::path& folder) { return folder / "journal.jsonl"; }

StudyRun::StudyRun(const RunFlags& flags, const std::filesystem::path& journal, std::string how_to_go_on)
    : how_to_go_on_(std::move(how_to_go_on)),
      bar_(flags.data.quiet),
      journal_(open_journal(journal, flags.force)),
      study_{journal_, num_threads(flags.setup.threads)} {
  if (const std::size_t stale = journal_.num_stale(); stale > 0 && !flags.data.quiet)
    tell(fmt::format("{}: {} of its lines {} stale and not used; gcnh journal names them", journal.string(), stale,
                     stale == 1 ? "is" : "are"));
  study_.observer.on_start = [this](std::size_t, std::size_t) {
    if (round_++ > 0 && !ends_.empty()) return;
    trained_ = 0;
    bar_.restart();
  };
  study_.observer.on_split = [this](std::size_t done, std::size_t total) { update(done, total); };
  study_.observer.should_stop = [this] { return interrupt_.requested(); };
}

void StudyRun::expect(const std::vector<Round>& rounds) {
  ends_.clear();
  round_ = 0;
  std::size_t splits = 0;
  for (const Round& round : rounds) {
    ends_.push_back((ends_.empty() ? 0 : ends_.back()) + round.cells * (round.splits - splits));
    splits = round.splits;
  }
}

void StudyRun::update(std::size_t done, std::size_t total) {
  ++trained_;
  if (!bar_.due()) return;
  if (!ends_.empty()) {
    done = ends_.at(round_ - 1) - (total - done);
    total = ends_.back();
  }
  const auto share = [&](std::size_t splits) { return static_cast<double>(splits) / static_cast<double>(total); };
  bar_.show(title_, share(done), share(trained_),
            fmt::format("{} of {}", done, counted(static_cast<std::int64_t>(total), "split")));
}

}  // namespace gcnh::cli
