#include "gcnh/run/run_folder.h"

#include <algorithm>
#include <set>

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"
#include "gcnh/models/model.h"
#include "gcnh/run/final.h"
#include "gcnh/run/model_file.h"
#include "gcnh/run/run_errors.h"
#include "gcnh/run/run_files.h"
#include "gcnh/run/run_json.h"
#include "gcnh/run/run_paths.h"
#include "gcnh/run/set_aside.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;

const std::string kModelFile = "model.safetensors", kCurvesFile = "curves.jsonl", kSearchFile = "search.json",
                  kErrorsFile = "errors.json";

// In the folder of a comparison a run would be mixed with it.
void check_no_comparison(const fs::path& out) {
  const std::vector<std::string> models = compared_models(out);
  if (models.empty() || holds_run(out)) return;
  fail(Status::usage, out.string(), " holds a comparison (", list_words(models),
       "), and a run in it would look like a part of that; take another `out`");
}

// Nothing that is there may be replaced, unless an earlier run is continued.
void check_nothing_replaced(const fs::path& out, bool resume) {
  const bool begun = !checkpoints(out).empty();
  if (begun && resume) return;
  if (is_there(out / "result.json") || is_in_two_places(out))
    fail(Status::usage, out.string(), " holds a finished run; take another `out`, or add `force` to replace it",
         begun ? " (`resume` to continue it, for example on more splits)" : "");
  if (begun)
    fail(Status::usage, out.string(),
         " holds an unfinished run; add `resume` to continue it or `force` to begin anew, or take another `out`",
         has_set_aside(out) ? "; the run that it was to replace is in " + set_aside_folder(out).string() : "");
  for (const std::string& name : RunFolder::file_names())
    if (is_there(out / name))
      fail(Status::usage, (out / name).string(),
           " is there already, and the run would replace it; take another `out`, or add `force`");
}

// What was finished on more splits must not lose them.
void check_kept_splits(const fs::path& out, const std::vector<int>& splits) {
  if (!is_there(out / "result.json")) return;
  std::set<int> kept;
  for (const fs::path& path : checkpoints(out)) kept.insert(*split_of(path));
  if (std::all_of(kept.begin(), kept.end(),
                  [&](int split) { return std::find(splits.begin(), splits.end(), split) != splits.end(); }))
    return;
  std::string all;
  for (int split : kept) all = all.empty() ? std::to_string(split) : join(all, ",", split);
  fail(Status::usage, out.string(), " has splits ", all,
       " and `resume` would drop some of them; name them all in `splits`, or take another `out`");
}

}  // namespace

const std::vector<std::string>& RunFolder::file_names() {
  static const std::vector<std::string> names = {"result.json",     kModelFile,         kCurvesFile, "data.json",
                                                 "predictions.csv", "map.csv",          kSearchFile, kErrorsFile,
                                                 "final.json",      "final.safetensors"};
  return names;
}

std::vector<std::string> RunFolder::files_written(bool has_model, bool is_searched) {
  std::vector<std::string> out = file_names();
  if (!has_model)
    std::erase_if(out,
                  [](const auto& name) { return name == kModelFile || name == kCurvesFile || name == kErrorsFile; });
  if (!is_searched) std::erase(out, kSearchFile);
  for (const std::string& name : final_names()) std::erase(out, name);
  return out;
}

const std::vector<std::string>& RunFolder::final_names() {
  static const std::vector<std::string> names = {"final.json", "final.safetensors"};
  return names;
}

void RunFolder::check(const fs::path& path, EarlierRun earlier) {
  check_no_comparison(path);
  if (earlier != EarlierRun::replace) check_nothing_replaced(path, earlier == EarlierRun::resume);
}

RunFolder::RunFolder(fs::path path, EarlierRun earlier) : path_(std::move(path)), earlier_(earlier), lock_(path_) {
  put_together(path_);
  if (checkpoints(path_).empty() && !is_there(path_ / "result.json")) bring_back(path_);  // a kill was that early
  check(path_, earlier);
  const auto is_file = [](const std::string& name) {
    return std::find(file_names().begin(), file_names().end(), name) != file_names().end();
  };
  remove_leftovers(path_, is_file);
  if (is_folder(checkpoint_folder(path_)))
    remove_leftovers(checkpoint_folder(path_), [](const std::string& name) { return split_of(name).has_value(); });
}

bool RunFolder::is_begun() const { return !checkpoints(path_).empty(); }

// One tells of all: what differs from the others is found when it is loaded.
void RunFolder::check_resumed(const Experiment& e, const std::vector<std::string>& open) const {
  if (const std::vector<fs::path> found = checkpoints(path_); !found.empty()) check_checkpoint(found[0], e, open);
}

void RunFolder::begin(const Experiment& e) {
  check(path_, earlier_);  // once more: an object of this class may have kept a run already
  if (earlier_ == EarlierRun::resume) check_kept_splits(path_, e.splits);
  if (earlier_ == EarlierRun::replace) set_aside(path_);
  make_folders(checkpoint_folder(path_));
}

void RunFolder::give_up() const {
  if (earlier_ == EarlierRun::replace) bring_back(path_);
}

std::optional<Checkpoint> RunFolder::load(const Experiment& e, int split) const {
  return earlier_ == EarlierRun::resume ? load_checkpoint(checkpoint_path(path_, split), e, split) : std::nullopt;
}

void RunFolder::save_progress(const Experiment& e, int split, const Checkpoint& checkpoint) const {
  gcnh::save_progress(checkpoint_path(path_, split), e, split, checkpoint);
}

void RunFolder::save_outcome(const Experiment& e, const SplitOutcome& outcome) const {
  gcnh::save_outcome(checkpoint_path(path_, outcome.split), e, outcome);
}

void RunFolder::write(const Experiment& e, const RunResult& result, const std::string& command,
                      const Answers& answers) {
  remove_file(path_ / "result.json");  // of a run that was continued
  if (!answers) {
    save_model(path_ / kModelFile, trained_model(e, result));
    write_atomically(path_ / kCurvesFile, curves_jsonl(result));
    write_atomically(path_ / kErrorsFile, errors_json(e, result, model_answers(e)));
  }
  write_atomically(path_ / "data.json", data_json(e));
  const RunTables tables = run_tables(e, result, answers ? answers : model_answers(e));
  write_atomically(path_ / "predictions.csv", tables.predictions);
  write_atomically(path_ / "map.csv", tables.map);
  if (!search.empty()) write_atomically(path_ / kSearchFile, search);
  write_atomically(path_ / "result.json", run_json(e, result, command));
  drop_set_aside(path_);
}

void RunFolder::write_final(const FinalModel& final) {
  write_atomically(path_ / "final.json", final_json(final));
  save_model(path_ / "final.safetensors", final.model);
}

void RunFolder::remove_final() {
  for (const std::string& name : final_names()) remove_file(path_ / name);
}

bool is_run_file(const fs::path& path) {
  const std::vector<std::string>& names = RunFolder::file_names();
  const fs::path folder = fs::absolute(path).parent_path();
  if (split_of(path)) return folder.filename() == checkpoint_folder("") && holds_run(folder.parent_path());
  return std::find(names.begin(), names.end(), path.filename().string()) != names.end() &&
         (is_there(folder / "result.json") || holds_run(folder));
}

bool holds_run(const fs::path& out) {
  if (is_there(out / "result.json") && is_there(out / kModelFile)) return true;
  return is_folder(checkpoint_folder(out)) && !checkpoints(out).empty();
}

std::vector<std::string> compared_models(const fs::path& out) {
  std::vector<std::string> found;
  for (const ModelType& type : model_types())
    if (holds_run(out / type.name)) found.push_back(type.name);
  return found;
}

}  // namespace gcnh
