// The journal of a study: one JSON line per finished split, written when it is finished and never changed. Everything a
// study prints is computed from it, so a study that was killed continues where it stopped, and journals can be passed
// on and put together with cat.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gcnh/io/line_log.h"
#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"

namespace gcnh::study {

// All that a result depends on, except the split, as one line of JSON: model, data and the fingerprint of what the
// model sees of it, seed, options, and the engine where one is wanted. Two views that come to the same graph are one
// run.
std::string describe_run(const Experiment& experiment);

// An outcome as a journal keeps it, and when and where it was written.
struct Record {
  SplitOutcome outcome = {};  // without history and weights
  int arithmetic = 0;         // the engine's version of it; 0: from before there were any
  std::string date = {};
  std::string cpu = {};
};

// Whether the engine has changed its bits since: training again would give other digits.
bool is_stale(const Record& record);

struct JournalLine {
  int number = 0;        // from 1
  std::string run = {};  // as describe_run writes it now
  Record record = {};
};
// Every line of a journal, stale ones included. The file is only read.
std::vector<JournalLine> read_journal(const std::filesystem::path& path);

class Journal {
 public:
  Journal() = default;  // in memory alone
  // Stale lines stay in the file and are not found.
  explicit Journal(const std::filesystem::path& path);

  // The outcome of a run's split that has these marks and, where asked for, the test accuracy.
  std::optional<SplitOutcome> find(const std::string& run, int split, bool test, const std::vector<int>& marks) const;
  // From any thread.
  void add(const std::string& run, const SplitOutcome& outcome);
  // When and where its records were made: 2026-11-15 to 2026-11-16 on Intel(R) ...; empty for an empty journal.
  std::string origin() const;
  std::size_t num_stale() const { return num_stale_; }

 private:
  mutable std::mutex mutex_;
  std::optional<LineLog> log_;
  std::size_t num_stale_ = 0;
  std::map<std::string, std::map<int, Record>> runs_;
};

}  // namespace gcnh::study
