#include "cli/study.h"

#include <fmt/core.h>

namespace gcnh::cli {
namespace {

// The journal's path, in a folder that is there.
std::filesystem::path in_folder(const std::filesystem::path& journal) {
  make_folders(journal.parent_path());
  return journal;
}

}  // namespace

StudyRun::StudyRun(const RunFlags& flags, const std::filesystem::path& journal, std::string how_to_go_on)
    : how_to_go_on_(std::move(how_to_go_on)),
      bar_(flags.data.quiet),
      journal_(journal.empty() ? Journal() : Journal(in_folder(journal))),
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
