// gcnh tune: chooses the options of one or several models by validation.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/final.h"
#include "cli/layout.h"
#include "cli/plan.h"
#include "cli/study.h"

namespace gcnh::cli {
namespace {

constexpr std::size_t kShownCells = 10;

struct TuneFlags : RunFlags {
  std::vector<std::string> models = {"gcnh"};
  std::string grid = "default";
  std::vector<std::string> axes;
  OptionFlags tuning;
};

// "hidden=16,32" as an axis.
GridAxis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    fail(Status::usage, "--axis: '", text, "' is not of the form hidden=16,32");
  const std::string name = split_list(text.substr(0, equals)).front();
  return {option_name(name), split_list(text.substr(equals + 1))};
}

// The axes of --axis. An option that is named twice, or is also a flag, has no one meaning.
Grid parse_axes(const TuneFlags& flags) {
  const OptionValues fixed = flags.options.values();
  Grid out;
  for (const std::string& text : flags.axes) {
    GridAxis axis = parse_axis(text);
    if (fixed.contains(axis.option))
      fail(Status::usage, flag_name(axis.option), " and --axis ", text, " set the same option; give one");
    if (std::any_of(out.begin(), out.end(), [&](const GridAxis& a) { return a.option == axis.option; }))
      fail(Status::usage, "--axis: '", axis.option, "' is given twice");
    out.push_back(std::move(axis));
  }
  return out;
}

// The grid with these axes added or in the place of its own, and with one value where a flag gives it.
Grid narrow(Grid grid, const Grid& axes, const OptionValues& fixed) {
  for (const GridAxis& axis : axes) {
    std::erase_if(grid, [&](const GridAxis& a) { return a.option == axis.option; });
    grid.push_back(axis);
  }
  return fix_axes(std::move(grid), fixed);
}

void print_tuning(const Experiment& e, const TuneResult& result) {
  const Metric metric = e.train.metric;
  const std::size_t all = result.cells.size(), shown = std::min(kShownCells, all);
  fmt::print("\n{}", wrapped("", fmt::format("{}: {} by mean validation {}, every number of epochs counted{}", e.model,
                                             counted(static_cast<std::int64_t>(all), "cell"), title_of(metric),
                                             shown < all ? fmt::format("; the best {}", shown) : "")));
  fmt::print("{:>14}  splits  options\n", "validation");
  for (std::size_t i = 0; i < shown; ++i) {
    const Cell& cell = result.cells[i];
    std::vector<std::string> options;
    for (const auto& [name, value] : cell.options) options.push_back(name + " " + value);
    const std::string head = fmt::format("{:>14}  {:6}  ", cell_value_text(metric, cell), cell.val_values.size());
    fmt::print("{}", in_lines(head, options));
  }
  fmt::print("best: validation {}{}, test {}{}\n({}, population std; test nodes were read for this cell alone)\n",
             mean_std_text(metric, val_values(result.winner, metric)), percent_sign(metric),
             mean_std_text(metric, test_values(result.winner, metric)), percent_sign(metric),
             counted(std::ssize(result.winner), "split"));
}

// The cells that a grid trains; its numbers of epochs are looked at on the way.
std::uint64_t num_trained(Grid grid) {
  std::erase_if(grid, [](const GridAxis& axis) { return axis.option == "epochs"; });
  return study::num_cells(grid);
}

// Several models are compared, so each gets as many cells as the smallest grid has, at most --trials.
void make_budgets_equal(const std::vector<Grid>& grids, TuneOptions& options) {
  std::uint64_t smallest = num_trained(grids.front());
  for (const Grid& grid : grids) smallest = std::min(smallest, num_trained(grid));
  options.trials = study::num_trials(smallest, options.trials);
}

void print_budgets(const std::vector<std::string>& models, const std::vector<Grid>& grids, const TuneOptions& options) {
  std::string text;
  for (std::size_t i = 0; i < models.size(); ++i)
    text += fmt::format("{}{} {} of {}", i == 0 ? "" : ", ", models[i], options.trials, num_trained(grids[i]));
  fmt::print("cells  {}{}\n", text, models.size() > 1 ? "; the same number for all" : "");
}

// Every cell on every split, and the winner once more to read its test nodes; halving leaves most of that out.
void plan(const TuneFlags& flags, const Tables& tables, const TuneOptions& options) {
  std::vector<PlannedRun> runs;
  for (const std::string& model : flags.models)
    runs.push_back({[&] { return make_experiment(flags, tables, model); }, static_cast<std::size_t>(options.trials) + 1,
                    ", with the options that are not searched; those of the grid may take longer"});
  const std::string out = flags.out + "/";
  print_plan(flags, runs, {out + "journal.jsonl", "MODEL.json", "MODEL.toml", "report.html"});
}

// What a search writes beside its journal.
std::vector<std::string> result_names(const TuneFlags& flags) {
  std::vector<std::string> out = {"report.html"};
  for (const std::string& model : flags.models)
    for (const char* ending : {".json", ".toml", ".safetensors", "-final.json"}) out.push_back(model + ending);
  return out;
}

// A folder with a journal is continued; in another one nothing may be in the way, unless it is to be replaced.
void check_out(const TuneFlags& flags) {
  const std::filesystem::path out = flags.out;
  const std::vector<std::string> inputs = {flags.grid, flags.setup.recipe};
  std::vector<std::filesystem::path> files = {journal_in(out)};
  for (const std::string& name : result_names(flags)) files.push_back(out / name);
  for (const std::filesystem::path& file : files) check_output(flags.data, file.string(), inputs);
  const bool is_run = holds_run(out);
  if (is_run || !compared_models(out).empty())
    fail(Status::usage, flags.out, " holds a ", is_run ? "run" : "comparison", "; take another --out for a search");
  std::error_code ignored;
  if (flags.force || std::filesystem::exists(files[0], ignored)) return;
  for (const std::filesystem::path& file : files)
    if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored)))
      fail(Status::usage, file.string(),
           " is there already, and the search would replace it; take another --out, or add --force");
}

// The winner is trained once more, for its weights, and made a final model of.
std::optional<FinalModel> final_of(const TuneFlags& flags, const Experiment& experiment, const TuneResult& result,
                                   FinalChoice choice) {
  if (choice == FinalChoice::none) return std::nullopt;
  OptionValues options = result.winner_options;
  options.erase("scale");
  const Experiment winner = with_options(experiment, options);
  return make_final(flags, winner, execute(flags, winner, nullptr), choice);
}

void tune(const TuneFlags& flags) {
  check_options(flags, flags.models);
  const FinalChoice choice = final_choice(flags, FinalChoice::none);
  if (flags.out.empty()) fail(Status::usage, "tune needs --out, the folder of its journal");
  check_out(flags);
  TuneOptions options;
  assign(options, flags.tuning.values());
  options.check();
  options.seed = flags.setup.seed;
  const Grid axes = parse_axes(flags);
  const Tables tables = load_tables(flags.data);
  DataNotes notes(flags, tables);
  std::vector<Grid> grids;
  for (const std::string& model : flags.models)
    grids.push_back(narrow(find_grid(flags.grid, model, tables.name), axes, flags.options.values()));
  make_budgets_equal(grids, options);
  if (flags.plan) return plan(flags, tables, options);
  std::vector<Section> sections;
  std::string json;
  const std::filesystem::path out = flags.out;
  const std::filesystem::path journal = journal_in(out);
  StudyRun study(flags, journal, "the same command again continues from " + journal.string());
  const std::vector<std::string> own = result_names(flags);
  remove_leftovers(out, [&](const std::string& name) { return std::find(own.begin(), own.end(), name) != own.end(); });
  for (std::size_t i = 0; i < grids.size(); ++i) {
    const std::string& model = flags.models[i];
    const Experiment experiment = make_experiment(flags, tables, model);
    notes.tell(experiment);
    if (!flags.json && i == 0) {
      fmt::print("{}", describe_data(experiment));
      print_budgets(flags.models, grids, options);
    }
    const TuneResult result = study.run(model, [&](Study& s) { return study::tune(s, experiment, grids[i], options); });
    write_atomically(out / (model + ".json"), tune_json(experiment, result));
    write_atomically(out / (model + ".toml"), tune_toml(experiment, result));
    sections.push_back(tune_section(experiment, result));
    json += (i == 0 ? "" : ",") + tune_json(experiment, result);
    if (!flags.json) print_tuning(experiment, result);
    if (const auto final = final_of(flags, experiment, result, choice)) {
      save_model(out / (model + ".safetensors"), final->model);
      write_atomically(out / (model + "-final.json"), final_json(*final));
      if (!flags.json) fmt::print("{}", describe_final(*final, (out / (model + ".safetensors")).string()));
    }
  }
  const std::filesystem::path page = out / "report.html";
  write_atomically(page, html_page("Search on " + tables.name, "Options chosen by validation", sections));
  if (flags.json) {
    fmt::print("[{}]\n", json);
    return;
  }
  fmt::print("\n{}", in_lines("files  ",
                              {flags.out + "/MODEL.json (all cells)",
                               flags.out + "/MODEL.toml (the best one, for --recipe)", flags.out + "/journal.jsonl"}));
  fmt::print("report {}\n", page.string());
}

}  // namespace

void add_tune(CLI::App& app) {
  auto flags = std::make_shared<TuneFlags>();
  CLI::App* command =
      app.add_subcommand("tune", "choose a model's options by their mean validation score over the splits");
  take_list(command->add_option("--models", flags->models,
                                "comma-separated; each gets as many cells as the smallest grid has"))
      ->capture_default_str();
  command
      ->add_option("--grid", flags->grid, "values to try: default | a grid of recipes/ (paper, ...) | your FILE.toml")
      ->group("Search")
      ->capture_default_str();
  command->add_option("--axis", flags->axes, "one more option to vary, or other values: hidden=16,32 (repeatable)")
      ->group("Search");
  for (const OptionInfo& info : describe<TuneOptions>()) flags->tuning.add(*command, info, "Search");
  add_run_flags(*command, *flags);
  command->get_option("--out")->description("folder of the journal, the cells, the best options and the report");
  command->get_option("--resume")->description("accepted for clarity: a journal in --out is always continued");
  command->remove_option(command->get_option("--checkpoint-seconds"));
  command->get_option("--force")->description(
      "replace files of the names to be written; a journal stays, or is set "
      "aside where it cannot be read");
  command->footer(
      "A finished split is a line of OUT/journal.jsonl; the same command again continues where it was stopped.\n"
      "A folder without one that holds files of the names to be written is refused.\n"
      "Epochs are free: a cell is trained to the largest number and judged after each.\n"
      "An option given as a flag has that value in every cell: --epochs 60 instead of the grid's numbers of epochs.\n"
      "Examples:\n"
      "  gcnh tune --data texas --out runs/tune  the default grid\n"
      "  gcnh tune --models gcnh,mlp --method random --trials 20 --nodes n.csv --edges e.csv --out runs/mine\n"
      "  gcnh tune --method halving --axis hidden=16,32,64 --axis dropout=0,0.5 --out runs/half\n"
      "  gcnh tune --data texas --view paper --recipe paper --grid paper --out runs/grid  the paper's protocol");
  command->callback([flags] { tune(*flags); });
}

}  // namespace gcnh::cli
