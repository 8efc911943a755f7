#include "cli/contest.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/final.h"
#include "cli/layout.h"

namespace gcnh::cli {
namespace {

// Names of models take as much room as the longest, or their heading.
std::size_t name_width(const std::vector<std::string>& models) {
  std::size_t width = 5;
  for (const std::string& model : models) width = std::max(width, model.size());
  return width;
}

// As wide as mean ± std, or the heading.
std::size_t score_width(Metric metric) { return std::max<std::size_t>(14, 5 + title_of(metric).size()); }

// What one of the models tells of itself.
std::vector<ReadingInfo> readings_of(const std::vector<std::string>& models) {
  std::vector<ReadingInfo> out;
  for (const ReadingInfo& info : known_readings())
    if (std::any_of(models.begin(), models.end(), [&](const std::string& model) {
          const std::vector<ReadingInfo>& own = find_model_type(model).readings;
          return std::any_of(own.begin(), own.end(), [&](const ReadingInfo& r) { return r.name == info.name; });
        }))
      out.push_back(info);
  return out;
}

void print_head(std::size_t width, Metric metric, const std::vector<ReadingInfo>& readings) {
  fmt::print("\n{:{}}  {:>{}}  {:>14}  {:>10}  {:>7}", "model", width, "test " + title_of(metric), score_width(metric),
             "validation", "parameters", "seconds");
  for (const ReadingInfo& info : readings) fmt::print("  {}", info.name);
  fmt::print("\n");
}

// Each reading below its name, which other models need not have.
std::string with_readings(std::string row, const Readings& readings, const std::vector<ReadingInfo>& shown) {
  for (const ReadingInfo& info : shown) {
    const auto own = readings.find(info.name);
    row = own == readings.end() ? row + std::string(info.name.size() + 2, ' ') : with_reading(row, own->second);
  }
  return row.substr(0, row.find_last_not_of(' ') + 1);
}

void print_row(const std::string& model, const RunResult& result, std::size_t width, Metric metric,
               const std::vector<ReadingInfo>& readings) {
  const std::string row = fmt::format("{:{}}  {:>{}}  {:>14}  {:10}  {:7.1f}", model, width,
                                      mean_std_text(metric, test_values(result.splits, metric)), score_width(metric),
                                      mean_std_text(metric, val_values(result.splits, metric)),
                                      result.splits[0].parameters, result.seconds);
  fmt::print("{}\n", with_readings(row, mean_readings(result.splits), readings));
  std::fflush(stdout);
}

void print_tests(const Comparison& c) {
  if (!c.has_test) return;
  const std::size_t width = name_width(c.models);
  fmt::print("\ntest {} of {} (best validation mean)\n", title_of(c.metric), c.models[c.reference]);
  fmt::print("minus the model's{}, paired by split ({})\n", is_share(c.metric) ? ", in points" : "",
             counted(static_cast<std::int64_t>(c.pairs), "split"));
  fmt::print("{:{}}  {:>10}  {:>18}  {:>13}  {:>7}  {:>10}\n", "model", width, "difference", "95 % interval",
             "p corrected t", "p Holm", "p Wilcoxon");
  for (const PairedDifference& d : c.others) {
    fmt::print("{:{}}  {:>10}", c.models[d.second], width, difference_text(c.metric, d.test.mean));
    if (c.can_test())
      fmt::print("  {:>18}  {:>13}  {:>7}  {:>10}", interval_text(c.metric, d.test.interval), p_text(d.test.p),
                 p_text(d.p_holm), p_text(d.p_wilcoxon));
    fmt::print("\n");
  }
}

}  // namespace

std::vector<std::string> CompareFlags::trained() const {
  std::vector<std::string> all = models;
  for (const ModelType& type : model_types())
    if (type.is_floor && std::find(all.begin(), all.end(), type.name) == all.end()) all.push_back(type.name);
  return all;
}

RunFlags CompareFlags::of(const std::string& model) const {
  RunFlags own = *this;
  if (std::find(models.begin(), models.end(), model) != models.end()) return own;
  if (setup.recipe.ends_with(".toml")) own.setup.recipe.clear();
  own.setup.engine = "auto";
  return own;
}

std::vector<Candidates> CompareFlags::candidates(const std::string& data_name) const {
  std::vector<Candidates> all;
  for (const std::string& model : trained())
    if (!no_tune) all.push_back(candidates_for(of(model), model, data_name));
  return all;
}

std::vector<std::filesystem::path> CompareFlags::model_folders() const {
  std::vector<std::filesystem::path> folders;
  if (out.empty()) return folders;
  for (const std::string& model : trained()) folders.push_back(std::filesystem::path(out) / model);
  return folders;
}

std::vector<std::filesystem::path> CompareFlags::floor_folders() const {
  std::vector<std::filesystem::path> folders;
  if (out.empty()) return folders;
  for (const Floor& floor : floors()) folders.push_back(std::filesystem::path(out) / floor.name);
  return folders;
}

Contest::Contest(const CompareFlags& flags, const CLI::App& command, const Tables& tables)
    : flags_(flags),
      command_(command),
      tables_(tables),
      notes_(flags, tables),
      models_(flags.trained()),
      names_(models_) {
  for (const Floor& floor : floors()) names_.push_back(floor.name);
  runs_.reserve(names_.size());  // contenders refer to them
}

void Contest::run_models() {
  for (const std::string& model : models_) {
    Experiment e = make_experiment(flags_.of(model), tables_, model, notes_.remarks());
    if (runs_.empty()) begin(e);
    e = search_->choose(e);
    RunFolder* folder = folders_.empty() ? nullptr : &*folders_[runs_.size()];
    if (folder) folder->search = search_->json();
    runs_.push_back({e, execute(flags_, e, folder), search_->json()});
    chosen_.push_back(search_->chosen());
    keep_best();
    if (is_floor(model)) floor_data_ = e;
    add();
  }
}

void Contest::run_floors() {
  const std::vector<std::filesystem::path> folders = flags_.floor_folders();
  for (std::size_t i = 0; i < floors().size(); ++i) {
    const Floor& floor = floors()[i];
    FloorRun run = run_floor(floor, floor_data_);
    if (!folders.empty())
      RunFolder(folders[i], flags_.earlier_floor())
          .write(run.experiment, run.result, command_line(), answers_of(floor, run.experiment));
    chosen_.push_back(run.experiment.model_options);
    runs_.push_back({std::move(run.experiment), std::move(run.result)});
    add();
  }
}

// Now that the flags are known to be right.
void Contest::begin(const Experiment& e) {
  require_validation(e);
  notes_.tell(e);
  if (!flags_.out.empty()) whole_.emplace(flags_.out);
  for (const std::filesystem::path& folder : flags_.model_folders()) folders_.push_back(open_folder(flags_, folder));
  if (flags_.force)
    for (const std::filesystem::path& folder : other_folders()) {
      const FolderLock lock(folder);
      set_aside(folder);
    }
  if (whole_) remove_leftovers(flags_.out, [](const std::string& name) { return name == kPage; });
  search_.emplace(flags_, flags_.candidates(e.dataset->name), e, flags_.budget);
  if (flags_.resume) check_resumed();
  if (flags_.json) return;
  fmt::print("{}", describe_data(e));
  if (const std::string text = search_->text(); !text.empty()) fmt::print("{}\n", text);
  print_head(name_width(names_), e.train.metric, readings_of(models_));
  std::fflush(stdout);
}

// Of models that an earlier comparison in --out had and this one has not.
std::vector<std::filesystem::path> Contest::other_folders() const {
  std::vector<std::filesystem::path> out;
  if (flags_.out.empty()) return out;
  for (const ModelType& type : model_types()) {
    const std::filesystem::path folder = std::filesystem::path(flags_.out) / type.name;
    const bool is_compared = std::find(names_.begin(), names_.end(), type.name) != names_.end();
    if (!is_compared && (holds_run(folder) || has_set_aside(folder))) out.push_back(folder);
  }
  return out;
}

void Contest::give_up() const {
  for (const std::filesystem::path& folder : other_folders()) bring_back(folder);
}

// What the folders hold must be of this comparison, which is found out before anything is searched for it.
void Contest::check_resumed() {
  for (std::size_t i = 0; i < folders_.size(); ++i) {
    if (!folders_[i]->is_begun()) continue;
    RunFlags flags = flags_.of(models_[i]);
    flags.data.quiet = true;  // its turn to speak is yet to come
    const Experiment e = make_experiment(flags, tables_, models_[i]);
    folders_[i]->check_resumed(e, search_->open_options(e.model));
    folders_[i]->check_resumed(search_->recall(e));
  }
}

// Where a final model is wanted, the last run if it is the best so far: what it takes is gone for the others. Floors
// are no candidates, unless there is nothing else.
void Contest::keep_best() {
  if (final_choice(flags_, FinalChoice::automatic) == FinalChoice::none) return;
  const auto rank = [&](const ComparedRun& run) {
    return std::pair(!is_floor(run.experiment.model),
                     merit(metric(), mean_std(val_values(run.result.splits, metric())).mean));
  };
  if (!best_ || rank(runs_.back()) > rank(*best_)) best_ = runs_.back();
}

void Contest::make_final_model(std::size_t reference) {
  if (!best_ || best_->experiment.model != runs_[reference].experiment.model) return;
  final_ = cli::make_final(flags_, best_->experiment, best_->result, final_choice(flags_, FinalChoice::automatic));
  for (std::optional<RunFolder>& folder : folders_) folder->remove_final();  // of one that was the best earlier
  folders_[reference]->write_final(*final_);
  runs_[reference].final = final_json(*final_);
}

// The last run as a contender and as a row.
void Contest::add() {
  ComparedRun& run = runs_.back();
  contenders_.push_back(contender(run.experiment, run.result));
  for (SplitOutcome& split : run.result.splits) split.weights.clear();  // written where they are wanted
  if (flags_.json) return;
  run.experiment.dataset.reset();  // only JSON tells of it; large graphs are not all kept
  if (runs_.size() == flags_.models.size() + 1) fmt::print("floors, which a model must beat:\n");
  print_row(run.experiment.model, run.result, name_width(names_), metric(), readings_of(models_));
}

void Contest::print_chosen() const {
  if (std::all_of(chosen_.begin(), chosen_.end(), [](const OptionValues& o) { return o.empty(); })) return;
  fmt::print("\nchosen by validation\n");
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    std::vector<std::string> options;
    for (const auto& [name, value] : chosen_[i]) options.push_back(name + " " + value);
    if (!options.empty()) fmt::print("{}", in_lines(fmt::format("{:{}}  ", names_[i], name_width(names_)), options));
  }
}

void Contest::finish() {
  const Comparison comparison = compare_models(contenders_, {}, metric());
  std::vector<std::string> sentences = caveats(comparison, contenders_);
  if (const std::string first = verdict(comparison); !first.empty()) sentences.insert(sentences.begin(), first);
  for (std::string& sentence : sentences) sentence = in_flags(command_, sentence);
  make_final_model(comparison.reference);
  const std::filesystem::path page = std::filesystem::path(flags_.out) / kPage;
  if (!flags_.out.empty()) {
    std::vector<std::filesystem::path> folders = flags_.model_folders();
    for (const std::filesystem::path& folder : flags_.floor_folders()) folders.push_back(folder);
    write_atomically(page, to_html(report_runs(folders)));
    for (const std::filesystem::path& folder : other_folders()) drop_set_aside(folder);
  }
  if (flags_.json) {
    fmt::print("{}", comparison_json(runs_, comparison, sentences));
    return;
  }
  fmt::print("\nmean ± population std over the same splits{}\n", is_share(metric()) ? ", in percent" : "");
  for (const ReadingInfo& info : readings_of(models_)) {
    const bool all_listed = std::all_of(runs_.begin(), runs_.end(), [&](const ComparedRun& run) {
      const Readings means = mean_readings(run.result.splits);
      return !means.contains(info.name) || means.at(info.name).size() <= kListedValues;
    });
    fmt::print("{}", wrapped(info.name + ": ", info.help + ", mean over the splits" +
                                                   (all_listed ? "" : "; of many the lowest and the highest")));
  }
  print_chosen();
  print_tests(comparison);
  fmt::print("\n");
  for (const std::string& sentence : sentences) fmt::print("{}", wrapped("", sentence));
  if (flags_.out.empty()) return;
  if (final_)
    fmt::print("\n{}\n", describe_final(*final_, flags_.out + "/" + final_->model.model + "/final.safetensors"));
  fmt::print("{}", in_lines("files  ", {flags_.out + "/MODEL/model.safetensors", "result.json", "curves.jsonl",
                                        "predictions.csv"}));
  fmt::print("report {}\n", page.string());
}

}  // namespace gcnh::cli
