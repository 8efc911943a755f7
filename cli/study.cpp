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

StudyRun::StudyRun(const RunFlags& flags, const std::filesystem::path& journal)
    : path_(journal),
      bar_(flags.data.quiet),
      journal_(in_folder(journal)),
      study_{journal_, num_threads(flags.setup.threads)} {
  if (const std::size_t stale = journal_.num_stale(); stale > 0 && !flags.data.quiet)
    tell(fmt::format("{}: {} of its lines {} stale and not used; gcnh journal names them", path_.string(), stale,
                     stale == 1 ? "is" : "are"));
  study_.observer.on_start = [this](std::size_t done, std::size_t) {
    done_before_ = done;
    bar_.restart();
  };
  study_.observer.on_split = [this](std::size_t done, std::size_t total) { update(done, total); };
  study_.observer.should_stop = [this] { return interrupt_.requested(); };
}

void StudyRun::update(std::size_t done, std::size_t total) {
  if (!bar_.due()) return;
  const auto share = [&](std::size_t splits) { return static_cast<double>(splits) / static_cast<double>(total); };
  bar_.show(title_, share(done), share(done - done_before_),
            fmt::format("{} of {}", done, counted(static_cast<std::int64_t>(total), "split")));
}

}  // namespace gcnh::cli
