#include "gcnh/study/again.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "gcnh/base/error.h"
#include "gcnh/graph/splits.h"
#include "gcnh/io/catalog.h"
#include "gcnh/models/model.h"
#include "gcnh/run/outcome_json.h"

namespace gcnh::study {
namespace {

using json = nlohmann::ordered_json;

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

Setup setup_of(const json& run) {
  Setup out;
  out.model = run.at("model");
  for (const auto& [name, value] : run.at("options").items()) out.options[name] = text_of(value);
  out.scale = out.options.at("scale");
  out.options.erase("scale");
  out.seed = run.at("seed");
  out.engine = run.value("engine", out.engine);
  return out;
}

// A line does not name view and direction, but the fingerprint of what came of them.
Experiment experiment_of(const JournalLine& line, const json& run, const Tables& tables) {
  Setup setup = setup_of(run);
  std::vector<std::string> directions = {"", "both"};
  const ModelType& type = find_model_type(setup.model);
  if (type.reads_direction) directions.insert(directions.end(), {"out", "in"});
  if (type.keeps_apart) directions.push_back("separate");
  for (const std::string& direction : directions) {
    for (const char* view : {"clean", "paper"}) {
      setup.view = view;
      setup.direction = direction;
      Experiment out = prepare(setup, tables);
      if (out.hash == run.at("hash")) return out;
    }
  }
  fail(Status::data, "line ", line.number, ": ", tables.name, " has another fingerprint than ", text_of(run.at("hash")),
       ", which was recorded, in every view");
}

Trial trial_of(Experiment experiment, const SplitOutcome& recorded) {
  Trial out{std::move(experiment)};
  out.experiment.read_test = recorded.test_accuracy.has_value();
  for (const EpochMark& mark : recorded.marks) out.marks.push_back(mark.epochs);
  return out;
}

// Of what came out, the metrics that a line of its time recorded.
void leave_out_younger(const std::optional<Measures>& recorded, std::optional<Measures>& found) {
  if (!recorded) found.reset();
  if (!found) return;
  for (Metric metric : all_metrics())
    if (std::isnan((*recorded)[metric])) (*found)[metric] = (*recorded)[metric];
}

// The first field that differs; empty where none does.
std::string difference(const SplitOutcome& recorded, SplitOutcome found) {
  leave_out_younger(recorded.val, found.val);
  leave_out_younger(recorded.test, found.test);
  const json a = outcome_json(recorded), b = outcome_json(found);
  for (const auto& [name, value] : a.items()) {
    const json other = b.contains(name) ? b.at(name) : json();
    if (value != other) return join(name, ": ", value.dump(), " was recorded, ", other.dump(), " came out");
  }
  return a == b ? "" : "more came out than was recorded";
}

// "3 stale, 2 of more than 5 seconds"
std::string list_obstacles(const std::map<std::string, int>& obstacles) {
  std::string out;
  for (const auto& [why, count] : obstacles) out += join(out.empty() ? "" : ", ", count, " ", why);
  return out;
}

}  // namespace

std::vector<JournalLine> draw_lines(const std::vector<JournalLine>& lines, std::size_t count, double seconds,
                                    std::uint64_t seed) {
  const std::vector<std::string> names = dataset_names();
  const auto obstacle = [&](const JournalLine& line) -> std::string {
    if (is_stale(line.record)) return "stale";
    if (std::find(names.begin(), names.end(), json::parse(line.run).at("data")) == names.end())
      return "on data that is not known by name (gcnh data list)";
    return line.record.outcome.seconds > seconds ? join("of more than ", seconds, " seconds") : "";
  };
  std::vector<Index> drawn;
  std::map<std::string, int> obstacles;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string why = obstacle(lines[i]);
    if (why.empty()) {
      drawn.push_back(static_cast<Index>(i));
    } else {
      ++obstacles[why];
    }
  }
  require(!drawn.empty(), "no line can be trained again: ", list_obstacles(obstacles));
  shuffle(drawn, Rng(seed));
  drawn.resize(std::min(count, drawn.size()));
  std::sort(drawn.begin(), drawn.end());
  std::vector<JournalLine> out;
  for (Index i : drawn) out.push_back(lines[i]);
  return out;
}

std::vector<Difference> train_again(const std::vector<JournalLine>& lines, const std::filesystem::path& data_dir,
                                    int threads, const StudyObserver& observer) {
  std::map<std::string, std::vector<const JournalLine*>> graphs;  // by fingerprint: their trainings go side by side
  for (const JournalLine& line : lines) graphs[json::parse(line.run).at("hash")].push_back(&line);
  std::map<std::string, Tables> tables;
  std::vector<Difference> out;
  std::size_t done = 0;
  RunObserver stop;
  stop.should_stop = observer.should_stop;
  observer.on_start(0, lines.size());
  for (const auto& graph : graphs) {
    const std::vector<const JournalLine*>& some = graph.second;
    std::vector<Trial> trials;
    for (const JournalLine* line : some) {
      const json run = json::parse(line->run);
      const std::string name = run.at("data");
      if (!tables.contains(name)) tables[name] = load_named(name, data_dir);
      trials.push_back(trial_of(experiment_of(*line, run, tables[name]), line->record.outcome));
    }
    std::vector<Training> trainings;
    for (std::size_t i = 0; i < some.size(); ++i)
      trainings.push_back({trials[i].experiment, some[i]->record.outcome.split, trials[i].marks, false});
    run_trainings(trainings, threads, stop, [&](std::size_t i, SplitOutcome found) {
      const std::string what = difference(some[i]->record.outcome, std::move(found));
      if (!what.empty()) out.push_back({some[i]->number, what});
      observer.on_split(++done, lines.size());
    });
  }
  if (done < lines.size()) fail(Status::interrupted, "interrupted");
  std::sort(out.begin(), out.end(), [](const Difference& a, const Difference& b) { return a.line < b.line; });
  return out;
}

}  // namespace gcnh::study
