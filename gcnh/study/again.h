// Trains splits that a journal recorded again and compares every digit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/study/trials.h"

namespace gcnh::study {

// A random choice of lines on graphs of the catalog that are not stale and took at most `seconds`, in the order of the
// journal; all of them where there are no more than `count`. Throws an error that says why when there are none.
std::vector<JournalLine> draw_lines(const std::vector<JournalLine>& lines, std::size_t count, double seconds,
                                    std::uint64_t seed);

// A line whose training gives something else now.
struct Difference {
  int line = 0;
  std::string what;  // "val_loss: 0.51 was recorded, 0.52 came out"
};

// The known graphs are read from data_dir. The observer hears of every line. Throws an error for a line whose graph is
// not known or has another fingerprint in every view: then there is nothing to train on.
std::vector<Difference> train_again(const std::vector<JournalLine>& lines, const std::filesystem::path& data_dir,
                                    int threads, const StudyObserver& observer);

}  // namespace gcnh::study
