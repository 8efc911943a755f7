#include "gcnh/report/run_folder.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "gcnh/base/error.h"
#include "gcnh/io/csv_rows.h"
#include "gcnh/io/file.h"
#include "gcnh/io/json.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

// Runs f on the file, if there is one; what JSON complains about becomes an error that names the file.
void with_file(const fs::path& path, const std::function<void(const fs::path&)>& f) {
  if (!fs::exists(path)) return;
  try {
    f(path);
  } catch (const json::exception& e) {
    fail(Status::data, path.string(), ": not what gcnh writes (", e.what(), "); train the run again");
  }
}

// Measures that are not defined are null.
double number(const json& j) { return j.is_null() ? std::numeric_limits<double>::quiet_NaN() : j.get<double>(); }

std::string text(const json& j) { return j.is_string() ? j.get<std::string>() : j.dump(); }

std::vector<std::pair<std::string, double>> numbers(const json& object) {
  std::vector<std::pair<std::string, double>> out;
  for (const auto& [key, value] : object.items()) out.emplace_back(key, number(value));
  return out;
}

SplitScores split_of(const json& j) {
  SplitScores out;
  j.at("split").get_to(out.split);
  j.at("best_epoch").get_to(out.best_epoch);
  j.at("epochs").get_to(out.epochs);
  j.at("val_accuracy").get_to(out.val_accuracy);
  out.test_accuracy = number(j.at("test_accuracy"));
  j.at("seconds").get_to(out.seconds);
  if (j.contains("beta")) j.at("beta").get_to(out.beta);
  return out;
}

void read_result(const fs::path& path, Run& run) {
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
  j.at("parameters").get_to(run.parameters);
  j.at("seconds").get_to(run.seconds);
  for (const json& split : j.at("splits")) run.splits.push_back(split_of(split));
  run.val_mean = number(j.at("val_accuracy").at("mean"));
  run.val_std = number(j.at("val_accuracy").at("std"));
  run.test_mean = number(j.at("test_accuracy").at("mean"));
  run.test_std = number(j.at("test_accuracy").at("std"));
  require(!run.splits.empty(), path.string(), ": a run without splits");
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
  data.homophily.emplace_back("label_informativeness", number(j.at("label_informativeness")));
  data.degree = numbers(j.at("degree"));
  for (const json& pair : j.at("degree_counts")) data.degree_counts.emplace_back(pair.at(0), pair.at(1));
  j.at("node_homophily_counts").get_to(data.node_homophily_counts);
  j.at("compatibility").get_to(data.compatibility);
  check_classes(path.string(), data);
}

void read_curves(const fs::path& path, std::vector<Curves>& curves) {
  const std::string lines = read_file(path);
  int number = 0;
  for (std::string_view rest = lines; !rest.empty();) {
    const json j = parse_json<json>(take_until(rest, '\n'), path.string(), ++number);
    const int split = j.at("split");
    if (curves.empty() || curves.back().split != split) curves.push_back({split, {}, {}, {}, {}});
    Curves& c = curves.back();
    c.train_loss.push_back(j.at("train_loss"));
    c.val_loss.push_back(j.at("val_loss"));
    c.val_accuracy.push_back(j.at("val_accuracy"));
    if (!j.contains("beta")) continue;
    c.beta.resize(j["beta"].size());
    for (std::size_t layer = 0; layer < c.beta.size(); ++layer) c.beta[layer].push_back(j["beta"][layer]);
  }
}

// Classes by name, in the order of the data.
std::map<std::string, std::size_t> class_numbers(const DataSummary& data) {
  std::map<std::string, std::size_t> out;
  for (std::size_t k = 0; k < data.classes.size(); ++k) out[data.classes[k].first] = k;
  return out;
}

void read_predictions(const fs::path& path, Run& run) {
  const std::map<std::string, std::size_t> number_of = class_numbers(run.data);
  run.confusion.assign(number_of.size(), std::vector<double>(number_of.size()));
  CsvRows rows(path.string());
  const std::size_t split = rows.column("split"), id = rows.column("id");
  const std::size_t label = rows.column("label"), predicted = rows.column("predicted");
  std::map<std::string, std::size_t> test_nodes;  // by split
  while (rows.next()) {
    test_nodes[rows.row()[split]] += std::hash<std::string>{}(rows.row()[id]) | 1;  // in any order the same
    const auto row = number_of.find(rows.row()[label]), column = number_of.find(rows.row()[predicted]);
    if (row == number_of.end() || column == number_of.end()) rows.fail("a class that data.json does not name");
    run.confusion[row->second][column->second] += 1;
  }
  for (SplitScores& s : run.splits) s.test_nodes = test_nodes[std::to_string(s.split)];
}

void read_map(const fs::path& path, std::vector<MapPoint>& map) {
  CsvRows rows(path.string());
  while (rows.next()) {
    const std::vector<std::string>& cells = rows.row();
    if (cells.size() < 5) rows.fail("at least five columns are needed");
    MapPoint point{cells[0], cells[1], cells[2], cells[3], {}};
    for (std::size_t k = 4; k < cells.size(); ++k) {
      const auto score = parse_number<double>(cells[k]);
      if (!score) rows.fail(quote(cells[k]), " is not a number");
      point.scores.push_back(*score);
    }
    map.push_back(std::move(point));
  }
}

std::string leaf(const fs::path& path) { return fs::absolute(path).lexically_normal().filename().string(); }

}  // namespace

std::vector<fs::path> find_runs(const fs::path& folder) {
  if (!fs::is_directory(folder))
    fail(Status::io, folder.string(), fs::exists(folder) ? ": a file; give the folder of a run" : ": no such folder");
  if (fs::exists(folder / "result.json")) return {folder};
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (fs::exists(entry.path() / "result.json")) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  if (out.empty())
    fail(Status::data, folder.string(),
         ": neither it nor a folder in it holds result.json; give folders that `gcnh train --out` or `gcnh compare "
         "--out` have finished");
  return out;
}

Run read_run(const fs::path& folder) {
  Run run;
  run.path = folder;
  with_file(folder / "result.json", [&](const fs::path& path) { read_result(path, run); });
  run.name = run.model;
  with_file(folder / "data.json", [&](const fs::path& path) { read_data(path, run.data); });
  with_file(folder / "curves.jsonl", [&](const fs::path& path) { read_curves(path, run.curves); });
  if (run.data.classes.empty()) return run;
  with_file(folder / "predictions.csv", [&](const fs::path& path) { read_predictions(path, run); });
  with_file(folder / "map.csv", [&](const fs::path& path) { read_map(path, run.map); });
  return run;
}

std::vector<Run> read_runs(const std::vector<fs::path>& folders) {
  std::vector<Run> runs;
  std::set<fs::path> seen;
  for (const fs::path& folder : folders)
    for (const fs::path& path : find_runs(folder))
      if (seen.insert(fs::canonical(path)).second) runs.push_back(read_run(path));
  std::map<std::string, int> count;
  const auto key = [](const Run& run) { return run.data.name + "\n" + run.data.view + "\n" + run.model; };
  for (const Run& run : runs) ++count[key(run)];
  std::map<std::string, int> used;
  for (Run& run : runs) {
    if (count[key(run)] > 1 && leaf(run.path) != run.model) run.name += " (" + leaf(run.path) + ")";
    if (const int again = ++used[key(run) + run.name]; again > 1) run.name += " #" + std::to_string(again);
  }
  return runs;
}

}  // namespace gcnh
