// A comparison as it goes on: every model searched, trained, kept and shown, floors beside them, and what it shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/experiment.h"
#include "cli/model_search.h"

namespace gcnh::cli {

inline constexpr const char* kPage = "report.html";  // in --out

struct CompareFlags : RunFlags {
  std::vector<std::string> models = {"gcnh", "gcn", "mlp"};
  double budget = 120;
  bool no_tune = false;

  // The models, and those that are floors to them.
  std::vector<std::string> trained() const;
  // The flags for one of these. A recipe file and an engine are for those that were named.
  RunFlags of(const std::string& model) const;
  // What the search may try of each; nothing with --no-tune.
  std::vector<Candidates> candidates(const std::string& data_name) const;
  // Folders in --out.
  std::vector<std::filesystem::path> model_folders() const;
  std::vector<std::filesystem::path> floor_folders() const;
  // Of floors, which come out the same every time.
  EarlierRun earlier_floor() const { return force || resume ? EarlierRun::replace : EarlierRun::refuse; }
};

class Contest {
 public:
  Contest(const CompareFlags& flags, const CLI::App& command, const Tables& tables);

  void run_models();
  void run_floors();
  // The final model, the report, and JSON or tables with the verdict.
  void finish();
  // Brings back what --force had set aside of models that are not compared any more.
  void give_up() const;

 private:
  Metric metric() const { return runs_.front().experiment.train.metric; }
  void begin(const Experiment& experiment);
  std::vector<std::filesystem::path> other_folders() const;
  void check_resumed();
  void keep_best();
  void make_final_model(std::size_t reference);
  void add();
  void print_chosen() const;

  const CompareFlags& flags_;
  const CLI::App& command_;
  const Tables& tables_;
  DataNotes notes_;
  std::vector<std::string> models_;  // that are trained
  std::vector<std::string> names_;   // of all rows
  std::optional<ComparedRun> best_;  // by validation so far, with its weights, where a final model is wanted
  std::optional<FinalModel> final_;
  std::optional<FolderLock> whole_;
  std::vector<std::optional<RunFolder>> folders_;
  std::optional<ModelSearch> search_;
  std::vector<ComparedRun> runs_;
  std::vector<OptionValues> chosen_;
  std::vector<Contender> contenders_;
  Experiment floor_data_;  // what floors see
};

}  // namespace gcnh::cli
