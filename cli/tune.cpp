// gcnh tune: chooses the options of one or several models by validation.
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "cli/experiment.h"
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

// "hidden=16,32" as an axis that is added to the grid or replaces one of its axes.
void set_axis(const std::string& text, Grid& grid) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    fail(Status::usage, "--axis: '", text, "' is not of the form hidden=16,32");
  GridAxis axis{text.substr(0, equals), {}};
  for (std::size_t begin = equals + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    axis.values.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  std::erase_if(grid, [&](const GridAxis& a) { return a.option == axis.option; });
  grid.push_back(std::move(axis));
}

void print_tuning(const std::string& model, const TuneResult& result) {
  fmt::print("\n{}: {} cells by mean validation accuracy\nvalidation       splits  options\n", model,
             result.cells.size());
  for (std::size_t i = 0; i < std::min(kShownCells, result.cells.size()); ++i) {
    const Cell& cell = result.cells[i];
    fmt::print("{:>15}  {:6}  {}\n", percent(mean_std(cell.val_accuracies)), cell.val_accuracies.size(),
               cell_text(cell.options));
  }
  fmt::print("best: test accuracy {} %  ({} splits, population std; the test nodes were read for this cell alone)\n",
             percent(mean_std(test_accuracies(result.winner))), result.winner.size());
}

void tune(const TuneFlags& flags) {
  check_options(flags, flags.models);
  if (flags.out.empty()) fail(Status::usage, "tune needs --out, the folder of its journal");
  TuneOptions options;
  assign(options, flags.tuning.values());
  const Tables tables = load_tables(flags.data);
  std::vector<Section> sections;
  StudyRun study(flags, std::filesystem::path(flags.out) / "journal.jsonl");
  for (const std::string& model : flags.models) {
    Experiment experiment = prepare(flags, tables, model);
    experiment.config.out.clear();  // the journal is all that is kept
    Grid grid = find_grid(flags.grid, model, tables.name);
    for (const std::string& axis : flags.axes) set_axis(axis, grid);
    if (!flags.json && model == flags.models.front()) fmt::print("data   {}\n", describe_data(experiment));
    const TuneResult result = study.run(model, [&](Study& s) { return gcnh::tune(s, experiment, grid, options); });
    write_atomically(std::filesystem::path(flags.out) / (model + ".json"), tune_json(experiment, result));
    write_atomically(std::filesystem::path(flags.out) / (model + ".toml"), tune_toml(experiment, result));
    sections.push_back(tuning_section(experiment, result));
    if (flags.json) {
      fmt::print("{}", tune_json(experiment, result));
    } else {
      print_tuning(model, result);
    }
  }
  const std::filesystem::path page = std::filesystem::path(flags.out) / "report.html";
  write_atomically(page, html_page("Search on " + tables.name, "Options chosen by validation accuracy", sections));
  if (flags.json) return;
  fmt::print("\nfiles  {0}/MODEL.json (all cells)  {0}/MODEL.toml (the best one)  {0}/journal.jsonl\n", flags.out);
  fmt::print("report {}\n", page.string());
}

}  // namespace

void add_tune(CLI::App& app) {
  auto flags = std::make_shared<TuneFlags>();
  CLI::App* command =
      app.add_subcommand("tune", "choose a model's options by mean validation accuracy over the splits");
  command->add_option("--models", flags->models, "comma-separated; each gets the same number of --trials")
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--grid", flags->grid, "values to try: default | a grid of recipes/ (paper, ...) | your FILE.toml")
      ->group("Search")
      ->capture_default_str();
  command->add_option("--axis", flags->axes, "one more option to vary, or other values: hidden=16,32 (repeatable)")
      ->group("Search");
  for (const OptionInfo& info : describe<TuneOptions>())
    flags->tuning.add(*command, {info.name, info.value, info.help + " [" + info.value + "]"}, "Search");
  add_run_flags(*command, *flags);
  command->footer(
      "A finished split is a line of OUT/journal.jsonl; the same command again continues where it was stopped.\n"
      "Epochs are free: a cell is trained to the largest number and judged after each.\n"
      "Examples:\n"
      "  gcnh tune --data texas --out runs/tune                              the default grid\n"
      "  gcnh tune --data texas --view paper --recipe paper --grid paper --out runs/grid   the paper's protocol\n"
      "  gcnh tune --models gcnh,mlp --method random --trials 20 --nodes n.csv --edges e.csv --out runs/mine\n"
      "  gcnh tune --method halving --axis hidden=16,32,64 --axis dropout=0,0.5 --out runs/half");
  command->callback([flags] { tune(*flags); });
}

}  // namespace gcnh::cli
