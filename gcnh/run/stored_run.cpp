#include "gcnh/run/stored_run.h"

#include <algorithm>
#include <functional>
#include <set>

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"
#include "gcnh/io/json.h"
#include "gcnh/io/text.h"
#include "gcnh/run/outcome_json.h"
#include "gcnh/run/run_errors.h"
#include "gcnh/run/set_aside.h"
#include "gcnh/run/stored_tables.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

// Runs f on the file, if there is one; what JSON complains about becomes an error that names the file.
void with_file(const fs::path& path, const std::function<void(const fs::path&)>& f) {
  if (!fs::exists(path)) return;
  const FileReader regular(path);  // or an error: tables would be read from a pipe, too, and wait for its writer
  try {
    f(path);
  } catch (const json::exception& e) {
    fail(Status::data, path.string(), ": not what gcnh writes (", e.what(), "); train the run again");
  }
}

std::string text(const json& j) { return j.is_string() ? j.get<std::string>() : j.dump(); }

std::vector<std::pair<std::string, double>> numbers(const json& object) {
  std::vector<std::pair<std::string, double>> out;
  for (const auto& [key, value] : object.items()) out.emplace_back(key, number_or_nan(value));
  return out;
}

void read_result(const fs::path& path, StoredRun& run) {
  const json j = parse_json<json>(read_file(path), path.string());
  j.at("model").get_to(run.model);
  const json& data = j.at("data");
  run.data.name = data.at("name");
  run.data.view = data.at("view");
  run.data.nodes = data.at("nodes");
  run.data.edges = data.at("edges");
  run.data.self_loops = data.at("self_loops");
  run.data.features = data.at("features");
  run.data.feature_nonzeros = data.at("feature_nonzeros");
  for (const auto& [key, value] : j.at("options").items()) run.options.emplace_back(key, text(value));
  for (const char* key : {"version", "cpu", "simd", "threads", "engine", "seed", "peak_rss_bytes"})
    if (j.contains(key)) run.environment.emplace_back(key, text(j[key]));
  if (j.contains("command")) j["command"].get_to(run.command);
  for (const json& split : j.at("splits")) {
    split.at("test_accuracy");  // of a finished run it was read
    run.result.splits.push_back(outcome_from(split));
    j.at("parameters").get_to(run.result.splits.back().parameters);
  }
  j.at("seconds").get_to(run.result.seconds);
  require(!run.result.splits.empty(), path.string(), ": a run without splits");
  run.test_nodes.resize(run.result.splits.size());
}

// Tables and charts find what belongs to a class by its position.
void check_classes(const std::string& path, const DataSummary& data) {
  std::set<std::string> names;
  for (const auto& [name, nodes] : data.classes)
    require(names.insert(name).second, path, ": class ", quote(name), " appears twice; train the run again");
  const auto fits = [&](const auto& list) { return list.size() == names.size(); };
  require(fits(data.compatibility) && std::all_of(data.compatibility.begin(), data.compatibility.end(), fits), path,
          ": compatibility is not a table of ", names.size(), " x ", names.size(), " classes; train the run again");
}

void read_data(const fs::path& path, DataSummary& data) {
  const json j = parse_json<json>(read_file(path), path.string());
  j.at("fingerprint").get_to(data.fingerprint);
  j.at("unlabelled").get_to(data.unlabelled);
  j.at("test_per_train").get_to(data.test_per_train);
  for (const json& c : j.at("classes")) data.classes.emplace_back(c.at("name"), c.at("nodes"));
  data.homophily = numbers(j.at("homophily"));
  data.homophily.emplace_back("label_informativeness", number_or_nan(j.at("label_informativeness")));
  data.degree = numbers(j.at("degree"));
  for (const json& pair : j.at("degree_counts")) data.degree_counts.emplace_back(pair.at(0), pair.at(1));
  j.at("node_homophily_counts").get_to(data.node_homophily_counts);
  j.at("compatibility").get_to(data.compatibility);
  for (const json& remark : j.value("remarks", json::array()))  // older runs have none
    data.remarks.emplace_back(remark.at("rule"), remark.at("found"));
  check_classes(path.string(), data);
}

void read_search(const fs::path& path, StoredRun& run) {
  const json j = parse_json<json>(read_file(path), path.string());
  StoredSearch out;
  out.metric = run.result.splits[0].metric;
  j.at("budget_seconds").get_to(out.budget_seconds);
  j.at("seconds").get_to(out.seconds);
  j.at("trainings").get_to(out.trainings);
  j.at("test_reads").get_to(out.test_reads);
  for (const json& cell : j.at("cells")) {
    StoredSearch::Cell& to = out.cells.emplace_back();
    for (const auto& [name, value] : cell.at("options").items()) to.options.emplace_back(name, text(value));
    to.val = {number_or_nan(cell.at("val_metric").at("mean")), number_or_nan(cell.at("val_metric").at("std"))};
    to.splits = cell.at("splits").size();
    to.diverged = cell.value("diverged", 0) > 0;  // older folders do not tell
  }
  require(!out.cells.empty(), path.string(), ": a search without cells");
  run.search = std::move(out);
}

void read_final(const fs::path& path, StoredRun& run) {
  const json j = parse_json<json>(read_file(path), path.string());
  StoredFinal out;
  j.at("kind").get_to(out.kind);
  j.at("epochs").get_to(out.epochs);
  j.at("labels").get_to(out.labels);
  j.at("members").get_to(out.members);
  j.at("judged").get_to(out.judged);
  parse_text(path.string() + ": metric", j.at("metric").get<std::string>(), out.metric);
  for (const json& c : j.at("candidates")) out.candidates.emplace_back(c.at("kind"), measures_from(c.at("metrics")));
  require(!out.candidates.empty(), path.string(), ": no candidates; train the run again");
  out.decision = decision_from(j.at("decision"));
  if (j.contains("fitted"))  // older folders have the mean of the rehearsal
    out.decision.temperature = number_or_nan(j.at("fitted").at("temperature"));
  if (j.contains("decided")) {
    j.at("classes").get_to(out.classes);
    j.at("decided").get_to(out.decided);
    for (const std::vector<double>& row : out.decided)
      require(row.size() == out.classes.size() && out.decided.size() == row.size(), path.string(),
              ": decided: ", row.size(), " numbers for ", counted(std::ssize(out.classes), "class"));
  }
  run.final = std::move(out);
}

// Whatever is a list of numbers beside the losses and the accuracy is one of the model's readings.
EpochRecord epoch_of(const json& j) {
  const json& metric = j.at(j.contains("val_metric") ? "val_metric" : "val_accuracy");
  EpochRecord out{j.at("train_loss"), number_or_nan(j.at("val_loss")), number_or_nan(j.at("val_accuracy")),
                  number_or_nan(metric)};
  for (const auto& [name, values] : j.items())
    if (values.is_array()) values.get_to(out.readings[name]);
  return out;
}

void read_curves(const fs::path& path, RunResult& result) {
  const std::string lines = read_file(path);
  int number = 0;
  for (std::string_view rest = lines; !rest.empty();) {
    const json j = parse_json<json>(take_until(rest, '\n'), path.string(), ++number);
    const auto split = std::find_if(result.splits.begin(), result.splits.end(),
                                    [&](const SplitOutcome& s) { return s.split == j.at("split"); });
    require(split != result.splits.end(), path.string(), ":", number, ": a split that result.json does not name");
    split->history.push_back(epoch_of(j));
  }
}

bool holds_result(const fs::path& folder) {
  if (is_in_two_places(folder))
    fail(Status::data, folder.string(), ": a program was killed while it moved this run to ",
         set_aside_folder(folder).filename().string(),
         " or back; the next train or compare that writes there puts it together again");
  return fs::exists(folder / "result.json");
}

}  // namespace

std::vector<fs::path> find_runs(const fs::path& folder) {
  if (!fs::is_directory(folder))
    fail(Status::io, folder.string(), fs::exists(folder) ? ": a file; give the folder of a run" : ": no such folder");
  if (holds_result(folder)) return {folder};
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (holds_result(entry.path())) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  if (out.empty())
    fail(Status::data, folder.string(),
         ": neither it nor a folder in it holds result.json; give the `out` of a finished train or compare");
  return out;
}

StoredRun read_run(const fs::path& folder) {
  StoredRun run;
  run.path = folder;
  with_file(folder / "result.json", [&](const fs::path& path) { read_result(path, run); });
  with_file(folder / "data.json", [&](const fs::path& path) { read_data(path, run.data); });
  with_file(folder / "curves.jsonl", [&](const fs::path& path) { read_curves(path, run.result); });
  with_file(folder / "search.json", [&](const fs::path& path) { read_search(path, run); });
  with_file(folder / "errors.json", [&](const fs::path& path) { run.errors = read_errors(path); });
  with_file(folder / "final.json", [&](const fs::path& path) { read_final(path, run); });
  if (run.data.classes.empty()) return run;
  with_file(folder / "predictions.csv", [&](const fs::path& path) { read_predictions(path, run); });
  with_file(folder / "map.csv", [&](const fs::path& path) { read_map(path, run.map); });
  return run;
}

}  // namespace gcnh
