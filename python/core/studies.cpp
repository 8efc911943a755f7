// Runs, searches, comparisons and reports: what the commands of the same names do, with Python as the one who watches.
#include <optional>

#include "python/core/core.h"
#include "python/core/experiment.h"
#include "python/core/watch.h"

namespace gcnh::python {
namespace {

using namespace study;

constexpr const char* kCommand = "gcnh.compare (Python)";  // what a run folder tells of its origin

// A model that was trained on all splits; its folder, if any, has the model itself.
using Run = ComparedRun;

// The journal of a file, or in memory where the path is empty; progress(done, total) after every split.
class WatchedStudy {
 public:
  WatchedStudy(const std::string& journal, int threads, const py::object& progress)
      : journal_(journal.empty() ? Journal() : Journal(journal)), study_{journal_, threads} {
    study_.observer.should_stop = [this] { return watch_.should_stop(); };
    if (progress.is_none()) return;
    study_.observer.on_split = [this, &progress](std::size_t done, std::size_t total) {
      watch_.call([&] { progress(done, total); });
    };
  }

  template <class Body>
  auto run(const Body& body) {
    std::optional<decltype(body(study_))> out;
    try {
      watch_.run([&] { out.emplace(body(study_)); });
    } catch (const Error& error) {
      if (error.status() != Status::interrupted) throw;
    }
    watch_.rethrow();
    return std::move(*out);
  }

 private:
  Journal journal_;
  Study study_;
  Watch watch_;
};

// All splits; progress(split, epoch) after every epoch.
Run run_all(const Experiment& e, const std::string& folder, const std::string& search, const py::object& progress) {
  std::optional<RunFolder> kept;
  if (!folder.empty()) {
    kept.emplace(folder);
    kept->search = search;
  }
  Watch watch;
  RunResult result;
  try {
    watch.run([&] {
      RunObserver observer;
      observer.should_stop = [&] { return watch.should_stop(); };
      if (!progress.is_none())
        observer.on_epoch = [&](int split, const TrainState& state) {
          watch.call([&] { progress(split, state.epoch()); });
        };
      result = run(e, observer, kept ? &*kept : nullptr);
      if (kept) kept->write(e, result, kCommand);
    });
  } catch (const Error& error) {
    if (error.status() != Status::interrupted) throw;
  }
  watch.rethrow();
  return {e, std::move(result), search};
}

// Number of the run that the others are compared with: the best by validation.
std::size_t reference_run(const std::vector<const Run*>& runs) {
  const py::gil_scoped_release release;
  std::vector<Contender> contenders;
  for (const Run* run : runs) contenders.push_back(contender(run->experiment, run->result));
  return compare_models(contenders, {}, runs.front()->experiment.train.metric).reference;
}

// Writes the final model of a run into its folder, and tells the run of it.
void keep_final(Run& run, const std::string& folder, const std::string& kind) {
  FinalChoice choice{};
  parse_text("final", kind, choice);
  Watch watch;
  try {
    watch.run([&] {
      RunObserver observer;
      observer.should_stop = [&] { return watch.should_stop(); };
      const FinalModel final = make_final(run.experiment, run.result, choice, observer);
      RunFolder(folder, EarlierRun::resume).write_final(final);
      run.final = final_json(final);
    });
  } catch (const Error& error) {
    if (error.status() != Status::interrupted) throw;
  }
  watch.rethrow();
}

std::vector<Run> run_floors(const Experiment& like, const std::string& folder) {
  const py::gil_scoped_release release;
  std::vector<Run> out;
  for (const Floor& floor : floors()) {
    FloorRun run = run_floor(floor, like);
    if (!folder.empty())
      RunFolder(std::filesystem::path(folder) / floor.name)
          .write(run.experiment, run.result, kCommand, answers_of(floor, run.experiment));
    out.push_back({std::move(run.experiment), std::move(run.result)});
  }
  return out;
}

// Per model (experiment with the options that were found, JSON of the search); options that `fixed` names are settled.
py::list search_models(const std::vector<Experiment>& experiments, const std::map<std::string, std::string>& fixed,
                       double budget, const std::string& journal, const py::object& progress) {
  const Experiment& any = experiments.front();
  std::vector<Candidates> models;
  for (const Experiment& e : experiments)
    models.push_back(find_candidates(e.model, e.dataset->name, {fixed.begin(), fixed.end()}));
  const SearchPlan plan = plan_search(*any.dataset, any.splits.size(), models, budget);
  py::list out;
  if (plan.cells == 1) {
    for (const Experiment& e : experiments) out.append(py::make_tuple(e, ""));
    return out;
  }
  const TuneOptions options = search_options(plan, any.seed);
  WatchedStudy watched(journal, any.threads, progress);
  for (std::size_t i = 0; i < models.size(); ++i) {
    const SearchResult found =
        watched.run([&](Study& s) { return search(s, experiments[i], planned_grid(models[i], plan), options); });
    out.append(py::make_tuple(found.winner, search_json(found, budget)));
  }
  return out;
}

std::string tune_model(const Experiment& e, const std::vector<std::pair<std::string, std::vector<std::string>>>& axes,
                       const std::map<std::string, std::string>& tuning, const std::string& journal,
                       const py::object& progress) {
  TuneOptions options;
  assign(options, {tuning.begin(), tuning.end()});
  options.check();
  options.seed = e.seed;
  Grid grid;
  for (const auto& [name, values] : axes) grid.push_back({option_name(name), values});
  WatchedStudy watched(journal, e.threads, progress);
  return tune_json(e, watched.run([&](Study& s) { return tune(s, e, grid, options); }));
}

std::vector<std::pair<std::string, std::vector<std::string>>> grid_of(const std::string& name, const std::string& model,
                                                                      const std::string& data) {
  std::vector<std::pair<std::string, std::vector<std::string>>> out;
  for (const GridAxis& axis : find_grid(name, model, data)) out.emplace_back(axis.option, axis.values);
  return out;
}

// (sentences, the first of them the verdict; JSON as `gcnh compare --json` prints it)
py::tuple compare_runs(const std::vector<Run>& runs) {
  const py::gil_scoped_release release;
  std::vector<Contender> contenders;
  for (const Run& run : runs) contenders.push_back(contender(run.experiment, run.result));
  const Comparison comparison = compare_models(contenders, {}, runs.front().experiment.train.metric);
  std::vector<std::string> sentences = caveats(comparison, contenders);
  sentences.insert(sentences.begin(), verdict(comparison));
  std::string json = comparison_json(runs, comparison, sentences);
  const py::gil_scoped_acquire gil;
  return py::make_tuple(sentences, json);
}

report::Report read_report(const std::vector<std::string>& folders) {
  return report::report_runs({folders.begin(), folders.end()});
}

std::string report_html(const std::vector<std::string>& folders) {
  const py::gil_scoped_release release;
  return report::to_html(read_report(folders));
}

void report_files(const std::vector<std::string>& folders, const std::string& figures, const std::string& tables) {
  const py::gil_scoped_release release;
  const report::Report report = read_report(folders);
  if (!figures.empty()) write_figures(report, figures);
  if (!tables.empty()) write_tables(report, tables);
}

// Every chart of the report as SVG, by name.
py::dict report_charts(const std::vector<std::string>& folders) {
  const report::Report report = read_report(folders);
  py::dict out;
  for (const report::Section& section : report.sections)
    for (const report::Chart& chart : section.charts) out[py::str(chart.name)] = to_svg(chart);
  return out;
}

// Every table as LaTeX, by name.
py::dict report_tables(const std::vector<std::string>& folders) {
  const report::Report report = read_report(folders);
  py::dict out;
  for (const report::Section& section : report.sections)
    for (const report::Table& table : section.tables) out[py::str(table.name)] = to_latex(table);
  return out;
}

using Curve = std::tuple<std::string, std::vector<double>, std::vector<double>>;

std::string line_chart(const std::string& name, const std::string& title, const std::string& x, const std::string& y,
                       const std::vector<Curve>& curves) {
  report::Chart chart;
  chart.name = name;
  chart.title = title;
  chart.x.label = x;
  chart.y.label = y;
  for (const auto& [label, xs, ys] : curves) {
    report::Series series{label, {}};
    for (std::size_t i = 0; i < std::min(xs.size(), ys.size()); ++i) series.points.push_back({xs[i], ys[i]});
    chart.series.push_back(std::move(series));
  }
  return to_svg(chart);
}

}  // namespace

void add_studies(py::module_& m) {
  py::class_<Run>(m, "Run", "A model trained on all splits of a graph.")
      .def_property_readonly("model", [](const Run& r) { return r.experiment.model; })
      .def("drop_weights", [](Run& r) {
        for (SplitOutcome& split : r.result.splits) split.weights.clear();
      });
  m.def("run_all", &run_all, py::arg("experiment"), py::arg("folder"), py::arg("search"), py::arg("progress"));
  m.def("reference_run", &reference_run, py::arg("runs"));
  m.def("keep_final", &keep_final, py::arg("run"), py::arg("folder"), py::arg("kind"));
  m.def("final_kinds", [] { return texts_of(words_of(FinalChoice{})); });
  m.def("run_floors", &run_floors, py::arg("like"), py::arg("folder"));
  m.def("search_models", &search_models, py::arg("experiments"), py::arg("fixed"), py::arg("budget"),
        py::arg("journal"), py::arg("progress"));
  m.def("tune_model", &tune_model, py::arg("experiment"), py::arg("axes"), py::arg("tuning"), py::arg("journal"),
        py::arg("progress"));
  m.def("grid_of", &grid_of, py::arg("name"), py::arg("model"), py::arg("data"));
  m.def("compare_runs", &compare_runs, py::arg("runs"));
  m.def("report_html", &report_html, py::arg("folders"));
  m.def("report_files", &report_files, py::arg("folders"), py::arg("figures"), py::arg("tables"));
  m.def("report_charts", &report_charts, py::arg("folders"));
  m.def("report_tables", &report_tables, py::arg("folders"));
  m.def("line_chart", &line_chart, py::arg("name"), py::arg("title"), py::arg("x"), py::arg("y"), py::arg("curves"));
}

}  // namespace gcnh::python
