#include "cli/experiment.h"

#include <fmt/core.h>

#include <thread>

#include "cli/layout.h"
#include "cli/progress.h"

namespace gcnh::cli {
namespace {

std::vector<int> parse_splits(const std::string& text, std::size_t available) {
  std::vector<int> out;
  if (text == "all") {
    for (std::size_t i = 0; i < available; ++i) out.push_back(static_cast<int>(i));
    return out;
  }
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

void write_files(const Experiment& e, const RunResult& result) {
  const std::filesystem::path& out = e.config.out;
  std::error_code ignored;
  std::filesystem::remove(out / "result.json", ignored);  // of a run that was continued
  save_model(out / "model.safetensors",
             {e.config.model, e.config.model_options, e.view, e.scaling, e.dataset.classes, e.dataset.features.cols(),
              e.dataset.feature_names, graph_hash(e.dataset), result.best().state.best_parameters});
  write_atomically(out / "curves.jsonl", curves_jsonl(result));
  write_atomically(out / "data.json", data_json(e.dataset, e.card, e.config));
  const RunTables tables = run_tables(e.dataset, e.config, result);
  write_atomically(out / "predictions.csv", tables.predictions);
  write_atomically(out / "map.csv", tables.map);
  write_atomically(out / "result.json", run_json(e.dataset, e.card, e.config, result, command_line()));
}

}  // namespace

void add_run_flags(CLI::App& app, RunFlags& flags) {
  add_data_flags(app, flags.data);
  app.add_option("--view", flags.view,
                 "clean: undirected, no repeats, no loops | paper: as the paper's code took the graph")
      ->group("Data")
      ->capture_default_str();
  app.add_option("--scale", flags.scale,
                 "features: none | rows (divide by row sum) | standard | auto (standard when dense)")
      ->group("Data")
      ->capture_default_str();
  app.add_option("--splits", flags.splits, "which splits: all, 0 or 0,3")->group("Data")->capture_default_str();
  app.add_option("--recipe", flags.recipe,
                 "paper: the values of recipes/ for this model and dataset, published where there are any | FILE.toml: "
                 "options of your own, as gcnh tune writes")
      ->group("Training");
  for (const OptionInfo& info : describe<TrainOptions>())
    flags.options.add(app, {info.name, info.value, info.help + " [" + info.value + "]"}, "Training");
  for (const ModelType& type : model_types()) {
    for (OptionInfo info : type.options) {
      std::string owners;
      for (const ModelType& other : model_types())
        for (const OptionInfo& option : other.options)
          if (option.name == info.name) owners += (owners.empty() ? "" : ", ") + other.name + ": " + option.value;
      info.help += " [" + owners + "]";
      flags.options.add(app, info, "Model");
    }
  }
  app.add_option("--engine", flags.engine, "auto | tape (plain) | fused (the fast step, where it covers the model)")
      ->capture_default_str();
  app.add_option("--seed", flags.seed, "same seed, same bits, for any number of threads")->capture_default_str();
  app.add_option("--threads", flags.threads, "0: all cores")->capture_default_str()->check(kThreads);
  app.add_option("--out", flags.out, "folder for the model, the results and what --resume needs");
  app.add_flag("--resume", flags.resume, "continue the run in --out to the same bits");
  app.add_flag("--force", flags.force, "replace the run in --out; without it a folder that holds one is refused");
  app.add_option("--checkpoint-seconds", flags.checkpoint_seconds,
                 "save what --resume needs this often; 0: after every epoch")
      ->capture_default_str();
  app.add_flag("--json", flags.json, "one JSON object on stdout instead of text");
  add_quiet_flag(app, flags.data);
}

void check_options(const RunFlags& flags, const std::vector<std::string>& models) {
  for (const std::string& model : models)
    if (std::count(models.begin(), models.end(), model) > 1)
      fail(Status::usage, "--models: '", model, "' is listed twice");
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

Setup make_setup(const RunFlags& flags, const std::string& model) {
  Setup out;
  out.model = model;
  out.view = flags.view;
  out.recipe = flags.recipe;
  out.scale = flags.scale;
  out.options = flags.options.values();
  std::tie(out.train_share, out.val_share) = split_shares(flags.data);
  out.num_splits = flags.data.num_splits;
  return out;
}

int num_threads(const RunFlags& flags) {
  return flags.threads > 0 ? flags.threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

Experiment prepare(const RunFlags& flags, Tables tables, const std::string& model) {
  const Setup setup = make_setup(flags, model);
  if (flags.data.asks_for_splits && !tables.splits.empty())
    fail(Status::usage, "'", tables.name, "' brings its own ", counted(std::ssize(tables.splits), "split"),
         "; --ratio and --num-splits are for data without");
  Experiment out = prepare(setup, std::move(tables));
  RunConfig& config = out.config;
  config.engine = flags.engine;
  config.seed = flags.seed;
  config.threads = num_threads(flags);
  config.splits = parse_splits(flags.splits, out.dataset.splits.size());
  check_splits(out.dataset, config.splits);  // before a folder is made or cleared
  if (flags.force) check_trainable(out.dataset, config);
  config.data_fingerprint = join(out.card.name, " ", out.hash);
  config.out = flags.out;
  config.resume = flags.resume;
  config.checkpoint_seconds = flags.checkpoint_seconds;
  return out;
}

void check_folders(const RunFlags& flags, const std::vector<std::filesystem::path>& folders) {
  if (flags.resume && flags.out.empty()) fail(Status::usage, "--resume needs --out, the folder of the run to continue");
  if (flags.force && flags.out.empty()) fail(Status::usage, "--force needs --out, the folder of the run to replace");
  if (flags.force && flags.resume) fail(Status::usage, "--resume continues a run, --force replaces it; give one");
  for (const std::filesystem::path& folder : folders) {
    check_no_comparison(folder);
    if (!flags.force) check_out_folder(folder, flags.resume);
  }
}

std::vector<FolderLock> claim_folders(const RunFlags& flags, const std::vector<std::filesystem::path>& folders) {
  std::vector<FolderLock> locks;
  for (const std::filesystem::path& folder : folders) locks.emplace_back(folder);
  check_folders(flags, folders);
  if (flags.force)
    for (const std::filesystem::path& folder : folders) remove_run(folder);
  return locks;
}

RunResult execute(const RunFlags& flags, const Experiment& e) {
  const StopOnInterrupt interrupt;
  Progress progress(e.config.model, static_cast<int>(e.config.splits.size()), e.config.train.epochs, flags.data.quiet);
  RunObserver observer;
  observer.on_resume = [&](int split, const TrainState& state) { progress.resume(split, state); };
  observer.on_epoch = [&](int split, const TrainState& state) { progress.update(split, state); };
  observer.should_stop = [&] { return interrupt.requested(); };
  try {
    RunResult result = run(e.dataset, e.config, observer);
    progress.finish();
    if (!e.config.out.empty()) write_files(e, result);
    return result;
  } catch (const Error& error) {
    progress.finish();
    if (error.status() != Status::interrupted) throw;
    fail(Status::interrupted, "interrupted; ",
         e.config.out.empty() ? std::string("nothing was kept (give --out to be able to --resume)")
                              : join("the same command with --resume ", flags.force ? "instead of --force " : "",
                                     "continues in ", flags.out));
  }
}

std::string describe_data(const Experiment& e) {
  const Dataset& d = e.dataset;
  const double cells = static_cast<double>(d.num_nodes()) * d.features.cols();
  const std::string filled =
      fmt::format(" ({:.1f} % filled)", 100 * static_cast<double>(d.features.nonzeros()) / cells);
  return in_lines("data   ", {fmt::format("{} ({} view)", d.name, e.card.view), counted(d.num_nodes(), "node"),
                              counted(d.num_edges, "edge"), counted(d.features.cols(), "feature") + filled,
                              counted(d.num_classes(), "class")});
}

std::string percent(const MeanStd& m) { return percent_cell(m.mean, m.std); }

}  // namespace gcnh::cli
