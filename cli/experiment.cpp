#include "cli/experiment.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cli/layout.h"
#include "cli/progress.h"

namespace gcnh::cli {
namespace {

constexpr std::size_t kMostNotes = 4;  // on data

// None stands for all.
std::vector<int> parse_splits(const std::string& text) {
  std::vector<int> out;
  if (text == "all") return out;
  for (const std::string& word : split_list(text)) {
    out.emplace_back();
    parse_text("--splits", word, out.back());
  }
  return out;
}

[[noreturn]] void refuse_option(const std::string& flag, const std::vector<std::string>& models,
                                const std::vector<std::string>& options) {
  if (models.size() == 1)
    fail(Status::usage, "model '", models[0], "' has no option ", flag, "; its options: ", list_words(options));
  std::string names;
  for (const std::string& model : models) names += (names.empty() ? "" : ", ") + model;
  fail(Status::usage, "none of the models ", names, " has an option ", flag, "; their options: ", list_words(options));
}

void propose_metric(const Dataset& d) {
  std::vector<Offset> sizes(static_cast<std::size_t>(d.num_classes()));
  for (int label : d.labels)
    if (label >= 0) ++sizes[static_cast<std::size_t>(label)];
  if (const auto advice = advise_metric(sizes))
    tell_note(join("the largest class has ", advice->share, " of the labels, so ", advice->why, ": consider --metric ",
                   advice->metrics));
}

Setup make_setup(const RunFlags& flags, const std::string& model) {
  Setup out = flags.setup;
  out.model = model;
  for (const auto& [name, value] : flags.options.values())  // those of other models are not for this one
    if (has_option(model, name)) out.options[name] = value;
  const Setup data = data_setup(flags.data);
  out.direction = data.direction;
  out.scale = data.scale;
  out.train_share = data.train_share;
  out.val_share = data.val_share;
  out.num_splits = data.num_splits;
  out.splits = parse_splits(flags.splits);
  return out;
}

std::string unread_weights(const ModelType& type) {
  OptionValues defaults;
  for (const OptionInfo& info : type.options) defaults[info.name] = info.value;
  return type.name + " does not read edge weights" + (type.reads_weights(defaults) ? " with these options" : "");
}

Aims aims_of(const RunFlags& flags, const Dataset& d) {
  Aims out;
  out.level = flags.level;
  if (!flags.costs.empty()) out.costs = read_costs(flags.costs, d.classes);
  if (flags.decide.empty()) return out;
  Metric metric{};
  parse_text("--decide", flags.decide, metric);
  if (!is_of_answers(metric))
    fail(Status::usage, "--decide: ", flags.decide, " does not depend on answers alone; take accuracy, ",
         "balanced_accuracy, macro_f1 or mcc");
  out.metric = metric;
  return out;
}

// What is made of the splits' models, and what answers are to be good for.
void add_decision_flags(CLI::App& app, RunFlags& flags) {
  const std::string group = "Decisions";
  app.add_option_function<std::string>(
         "--final", [&flags](const std::string& word) { flags.final = word.empty() ? "auto" : word; },
         "one model of all labels: [auto] | refit | ensemble | none")
      ->group(group)
      ->type_name("[WORD]")
      ->expected(0, 1);
  app.add_option("--level", flags.level, "of sets of classes: the share of nodes whose set is to hold their class")
      ->group(group)
      ->capture_default_str()
      ->check(number_between(0.01, 0.999));
  CLI::Option* costs =
      app.add_option("--costs", flags.costs,
                     "CSV of what answers cost, a row per true class, a column per answer; answers are "
                     "then those that cost least")
          ->group(group)
          ->type_name("FILE")
          ->check(not_empty());
  app.add_option("--decide", flags.decide,
                 "a metric (accuracy, balanced_accuracy, macro_f1, mcc): answers are those of class weights that "
                 "validation finds best by it")
      ->group(group)
      ->type_name("METRIC")
      ->check(not_empty())
      ->excludes(costs);
}

}  // namespace

void add_run_flags(CLI::App& app, RunFlags& flags) {
  add_data_flags(app, flags.data);
  app.add_option("--view", flags.setup.view,
                 "clean: undirected, no repeats, no loops | paper: as the paper's code took the graph")
      ->group("Data")
      ->capture_default_str();
  app.add_option("--splits", flags.splits, "which splits: all, 0 or 0,3")->group("Data")->capture_default_str();
  app.add_option("--recipe", flags.setup.recipe,
                 "paper: the values of recipes/ for this model and dataset, published where there are any | FILE.toml: "
                 "options of your own, as gcnh tune writes")
      ->group("Training");
  for (const OptionInfo& info : describe<TrainOptions>()) flags.options.add(app, info, "Training");
  for (const ModelType& type : model_types()) {
    for (const OptionInfo& info : type.options) {
      std::string owners;
      for (const ModelType& other : model_types())
        for (const OptionInfo& option : other.options)
          if (option.name == info.name) owners += (owners.empty() ? "" : ", ") + other.name + ": " + option.value;
      flags.options.add(app, info, "Model", owners);
    }
  }
  add_decision_flags(app, flags);
  app.add_option("--engine", flags.setup.engine,
                 "auto | tape (plain) | fused (the fast step, where it covers the model)")
      ->capture_default_str();
  app.add_option("--seed", flags.setup.seed, "same seed, same bits, for any number of threads")
      ->capture_default_str()
      ->check(a_seed());
  app.add_option("--threads", flags.setup.threads, "0: all cores")->capture_default_str()->check(kThreads);
  app.add_option("--out", flags.out, "folder for the model, the results and what --resume needs")
      ->transform([](std::string folder) {  // shells complete folders with a slash
        while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
        return folder;
      });
  app.add_flag("--resume", flags.resume, "continue the run in --out to the same bits");
  app.add_flag("--force", flags.force, "replace the run in --out; without it a folder that holds one is refused");
  app.add_option("--checkpoint-seconds", flags.checkpoint_seconds,
                 "save what --resume needs this often; 0: after every epoch")
      ->capture_default_str()
      ->check(number_between(0, 1e9));
  CLI::Option* json = app.add_flag("--json", flags.json, "one JSON object on stdout instead of text");
  app.add_flag("--plan", flags.plan,
               "what would be read and written, how much memory and time it takes, from a probe of a few epochs; "
               "nothing is kept")
      ->excludes(json);
  add_quiet_flag(app, flags.data);
}

void check_options(const RunFlags& flags, const std::vector<std::string>& models) {
  for (const std::string& model : models)
    if (std::count(models.begin(), models.end(), model) > 1)
      fail(Status::usage, "--models: '", model, "' is listed twice");
  for (const std::string& model : models) check_direction(make_setup(flags, model));
  std::vector<std::string> model_options, known;
  for (const std::string& model : models) {
    for (const OptionInfo& info : find_model_type(model).options) {
      const std::string flag = flag_name(info.name);
      if (std::find(model_options.begin(), model_options.end(), flag) == model_options.end())
        model_options.push_back(flag);
    }
  }
  known = model_options;
  for (const OptionInfo& info : describe<TrainOptions>()) known.push_back(flag_name(info.name));
  for (const auto& [name, value] : flags.options.values())
    if (std::find(known.begin(), known.end(), flag_name(name)) == known.end())
      refuse_option(flag_name(name), models, model_options);
}

DataNotes::DataNotes(const RunFlags& flags, const Tables& tables)
    : metric_given_(flags.options.values().contains("metric")), is_told_(flags.data.quiet) {
  if (flags.data.quiet && flags.out.empty()) return;
  remarks_ = check_briefly(tables, data_setup(flags.data));
  if (!tables.notes.empty() && tables.edges.empty())  // the reader has said so
    std::erase_if(remarks_, [](const Remark& remark) { return remark.rule == "no-edges"; });
}

void DataNotes::tell(const Experiment& e) {
  if (std::exchange(is_told_, true)) return;
  for (std::size_t i = 0; i < std::min(remarks_.size(), kMostNotes); ++i)
    tell_note(remarks_[i].rule + ": " + remarks_[i].found);
  if (!remarks_.empty()) tell_note("gcnh check says why that matters and what to do, and looks for more");
  if (!metric_given_ && e.train.metric == Metric::accuracy) propose_metric(*e.dataset);
}

Experiment make_experiment(const RunFlags& flags, Tables tables, const std::string& model,
                           const std::vector<Remark>& remarks) {
  const Setup setup = make_setup(flags, model);
  if (flags.data.asks_for_splits && !tables.splits.empty())
    fail(Status::usage, "'", tables.name, "' brings ", counted(std::ssize(tables.splits), "split"),
         " of its own; --ratio and --num-splits are for data without");
  Experiment out = prepare(setup, std::move(tables));
  out.aims = aims_of(flags, *out.dataset);
  for (const Remark& remark : remarks) out.remarks.emplace_back(remark.rule, remark.found);
  const ModelType& type = find_model_type(model);
  if (out.dataset->weighted && type.sees_graph && !type.reads_weights(out.model_options) && !flags.data.quiet)
    tell("note: " + unread_weights(type));
  if (flags.force) check_trainable(out);  // before a folder is cleared
  return out;
}

void check_written(const RunFlags& flags, const std::filesystem::path& file) {
  check_not_read(flags.data, file.string(), {flags.setup.recipe, flags.costs});
}

void check_folders(const RunFlags& flags, const std::vector<std::filesystem::path>& folders) {
  if (flags.resume && flags.out.empty()) fail(Status::usage, "--resume needs --out, the folder of the run to continue");
  if (flags.force && flags.out.empty()) fail(Status::usage, "--force needs --out, the folder of the run to replace");
  if (flags.force && flags.resume) fail(Status::usage, "--resume continues a run, --force replaces it; give one");
  for (const std::filesystem::path& folder : folders) {
    for (const std::string& name : RunFolder::file_names()) check_written(flags, folder / name);
    RunFolder::check(folder, flags.earlier());
  }
}

std::optional<RunFolder> open_folder(const RunFlags& flags, const std::filesystem::path& folder) {
  if (folder.empty()) return std::nullopt;
  std::optional<RunFolder> out(std::in_place, folder, flags.earlier());
  out->checkpoint_seconds = flags.checkpoint_seconds;
  return out;
}

std::string how_to_resume(const RunFlags& flags) {
  if (flags.out.empty()) return "nothing was kept (give --out to be able to --resume)";
  return join("the same command with --resume ", flags.force ? "instead of --force " : "", "continues in ", flags.out);
}

// What follows the training. Where it fails the folder holds what it held before; an interrupted run can be continued.
static void finish_run(RunFolder* folder, const std::function<void()>& body) {
  try {
    body();
  } catch (const std::exception& e) {
    const auto* error = dynamic_cast<const Error*>(&e);
    if (folder && !(error && error->status() == Status::interrupted)) folder->give_up();
    throw;
  }
}

RunResult execute(const RunFlags& flags, const Experiment& e, RunFolder* folder,
                  const std::function<void(const RunResult&)>& before_writing) {
  const StopOnInterrupt interrupt;
  Progress progress(e.model, static_cast<int>(e.splits.size()), e.train, flags.data.quiet);
  RunObserver observer;
  observer.on_resume = [&](int split, const TrainState& state) { progress.resume(split, state); };
  observer.on_epoch = [&](int split, const TrainState& state) { progress.update(split, state); };
  observer.should_stop = [&] { return interrupt.requested(); };
  try {
    RunResult result = run(e, observer, folder);
    progress.finish();
    finish_run(folder, [&] {
      if (before_writing) before_writing(result);
      if (folder) folder->write(e, result, command_line());
    });
    return result;
  } catch (const Error& error) {
    progress.finish();
    if (error.status() != Status::interrupted) throw;
    fail(Status::interrupted, "interrupted; ", how_to_resume(flags));
  }
}

std::string describe_data(const Experiment& e) {
  const Dataset& d = *e.dataset;
  const double cells = static_cast<double>(d.num_nodes()) * d.features.cols();
  const std::string filled =
      fmt::format(" ({:.1f} % filled)", 100 * static_cast<double>(d.features.nonzeros()) / cells);
  const std::string direction =
      e.view.direction == View::Direction::both ? "" : ", direction " + to_word(e.view.direction);
  return in_lines("data   ", {fmt::format("{} ({} view{})", d.name, e.view_name, direction),
                              counted(d.num_nodes(), "node"), counted(d.num_edges, "edge"),
                              counted(d.features.cols(), "feature") + filled, counted(d.num_classes(), "class")});
}

std::string with_reading(const std::string& row, const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (double value : values) texts.push_back(fmt::format("{:.2f}", value));
  std::string out;
  if (values.size() > kListedValues) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    out = wrapped(row + "  ", fmt::format("{:.2f} to {:.2f}", *low, *high));
  } else {
    out = in_lines(row + "  ", texts);
  }
  out.pop_back();  // the end of the line
  return out;
}

}  // namespace gcnh::cli
