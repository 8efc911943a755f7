// The folder that a run is kept in, its one owner: which files in it are the run's, when they may be written or
// removed, and what stands in them (docs/formats.md). Whatever else is in the folder stays as it is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gcnh/io/folder_lock.h"
#include "gcnh/run/checkpoint.h"
#include "gcnh/run/run_files.h"

namespace gcnh {

struct FinalModel;

// What becomes of a run that the folder holds already.
enum class EarlierRun { refuse, resume, replace };

class RunFolder : public CheckpointKeeper {
 public:
  // Takes the folder for this program for as long as it lives, and checks it.
  explicit RunFolder(std::filesystem::path path, EarlierRun earlier = EarlierRun::refuse);
  // The check alone. Throws a usage error that says what to do when a run in this folder would replace files that are
  // there.
  static void check(const std::filesystem::path& path, EarlierRun earlier);

  // What a finished run has beside its checkpoints. A folder that has the first, result.json, is complete.
  static const std::vector<std::string>& file_names();
  // Those of them that a run writes: with a model that it keeps or without, with options that were searched for or not.
  static std::vector<std::string> files_written(bool has_model, bool is_searched);
  static const std::vector<std::string>& final_names();  // those of a final model, which come on top

  const std::filesystem::path& path() const { return path_; }
  std::string search = {};  // JSON of the search that chose the options; empty: there was none

  // The model, the results and what reports need; result.json last, so that a folder that has it is complete. The
  // command is how it came about, for people. A run that gives its answers itself has no model to be kept.
  void write(const Experiment& experiment, const RunResult& result, const std::string& command = "",
             const Answers& answers = {});

  // Whether there is a checkpoint.
  bool is_begun() const;
  // Throws a data error when the run that is to be resumed is of another experiment, whatever its values of the options
  // that are `open`.
  void check_resumed(const Experiment& experiment, const std::vector<std::string>& open = {}) const;

  // The model to deploy, beside that of the best split.
  void write_final(const FinalModel& final);
  void remove_final();

  // For run(). Beginning sets an earlier run that is to be replaced aside, result.json first, so that it never stands
  // beside files of another run; write() drops it, and giving up brings it back. Beginning throws a usage error when a
  // run that is to be resumed has other splits as well, which its files would lose.
  void begin(const Experiment& experiment);
  void give_up() const;
  std::optional<Checkpoint> load(const Experiment& experiment, int split) const override;
  void save_progress(const Experiment& experiment, int split, const Checkpoint& checkpoint) const override;
  void save_outcome(const Experiment& experiment, const SplitOutcome& outcome) const override;

 private:
  std::filesystem::path path_;
  EarlierRun earlier_;
  FolderLock lock_;
};

// Whether it is, or would be, a file of the run whose folder it is in.
bool is_run_file(const std::filesystem::path& path);

// Whether it is the folder of a run, finished or not.
bool holds_run(const std::filesystem::path& folder);

// The models whose runs are in folders of their names, as a comparison keeps them.
std::vector<std::string> compared_models(const std::filesystem::path& folder);

}  // namespace gcnh
