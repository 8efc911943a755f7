// From run folders to groups of runs that can be compared.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "gcnh/report/sections.h"
#include "gcnh/study/floors.h"

namespace gcnh::report {
namespace {

using Runs = std::vector<Run>;

// Absolute, and without a slash at the end.
std::filesystem::path plain(const std::filesystem::path& path) {
  const std::filesystem::path out = std::filesystem::absolute(path).lexically_normal();
  return out.has_filename() ? out : out.parent_path();
}

std::string leaf(const std::filesystem::path& path) { return plain(path).filename().string(); }

// The one that was named for the run: a comparison keeps each model in a folder of its name.
std::string folder_of(const Run& run) {
  const std::string own = leaf(run.path);
  return own == run.model ? leaf(plain(run.path).parent_path()) : own;
}

bool are_of_one_comparison(const Run& a, const Run& b) {
  return !a.command.empty() && a.command == b.command && plain(a.path).parent_path() == plain(b.path).parent_path();
}

// Files of one name may hold different graphs, so the fingerprint decides. It is that of what a model saw: within a
// comparison it differs with scaling, direction and what a model derives from the graph.
bool have_same_data(const Run& a, const Run& b) {
  if (a.data.name != b.data.name || a.data.view != b.data.view) return false;
  const auto content = [](const DataSummary& d) { return std::tie(d.fingerprint, d.nodes, d.edges, d.features); };
  return content(a.data) == content(b.data) || are_of_one_comparison(a, b);
}

// The runs of each graph and view.
std::vector<Runs> by_data(Runs runs) {
  std::vector<Runs> out;
  for (Run& run : runs) {
    const auto same = [&](const Runs& others) {
      return std::any_of(others.begin(), others.end(), [&](const Run& other) { return have_same_data(other, run); });
    };
    auto found = std::find_if(out.begin(), out.end(), same);
    if (found == out.end()) found = out.emplace(out.end());
    found->push_back(std::move(run));
  }
  return out;
}

// The data's own, with the folder where several graphs have it, and a number where that does not tell them apart.
std::vector<std::string> names_of(const std::vector<Runs>& graphs) {
  const auto with_view = [](const Runs& runs, const std::string& name) { return runs[0].data.view + "\n" + name; };
  std::map<std::string, int> count, used;
  for (const Runs& runs : graphs) ++count[with_view(runs, runs[0].data.name)];
  std::vector<std::string> out;
  for (const Runs& runs : graphs) {
    std::string name = runs[0].data.name;
    if (count[with_view(runs, name)] > 1) name += " in " + folder_of(runs[0]);
    if (const int again = ++used[with_view(runs, name)]; again > 1) name += " #" + std::to_string(again);
    out.push_back(std::move(name));
  }
  return out;
}

std::vector<Runs> by_metric(Runs runs) {
  std::vector<Runs> out;
  for (Run& run : runs) {
    const Metric metric = run.result.splits[0].metric;
    auto found = std::find_if(out.begin(), out.end(),
                              [&](const Runs& others) { return others[0].result.splits[0].metric == metric; });
    if (found == out.end()) found = out.emplace(out.end());
    found->push_back(std::move(run));
  }
  return out;
}

// What all splits were chosen by, if every one tells it.
Metric common_metric(const Runs& runs) {
  const Metric first = runs[0].result.splits[0].metric;
  for (const Run& run : runs)
    for (const SplitOutcome& s : run.result.splits)
      if (s.metric != first || std::isnan(test_value(s, first))) return Metric::accuracy;
  return first;
}

// Names and files of their own within a group.
void name_runs(Runs& runs) {
  std::map<std::string, int> count, used;
  for (const Run& run : runs) ++count[run.name];
  std::set<std::string> files;
  for (Run& run : runs) {
    if (count[run.name] > 1 && leaf(run.path) != run.model) run.name += " (" + leaf(run.path) + ")";
    if (const int again = ++used[run.name]; again > 1) run.name += " #" + std::to_string(again);
    run.file = file_name(run.name);
    while (!files.insert(run.file).second) run.file += "-" + std::to_string(files.size());
  }
}

Group make_group(const std::string& graph, Runs runs, bool only_metric) {
  const Metric metric = common_metric(runs);
  name_runs(runs);
  for (Run& run : runs) {
    run.val = mean_std(val_values(run.result.splits, metric));
    run.test = mean_std(test_values(run.result.splits, metric));
  }
  const std::string chosen = only_metric ? "" : ", by " + title_of(runs[0].result.splits[0].metric);
  return {graph, graph + " (" + runs[0].data.view + " view" + chosen + ")", "", std::move(runs), metric};
}

}  // namespace

std::vector<Run> read_runs(const std::vector<std::filesystem::path>& folders) {
  std::vector<Run> runs;
  std::set<std::filesystem::path> seen;
  for (const std::filesystem::path& folder : folders) {
    for (const std::filesystem::path& path : find_runs(folder)) {
      if (!seen.insert(std::filesystem::canonical(path)).second) continue;
      runs.push_back({read_run(path), "", "", {}, {}});
      runs.back().name = runs.back().model;
    }
  }
  std::stable_partition(runs.begin(), runs.end(), [](const Run& run) { return !is_floor(run.model); });  // below all
  return runs;
}

const Run& Group::best() const {
  const auto rank = [&](const Run& run) { return std::pair(!is_floor(run.model), merit(metric, run.val.mean)); };
  return *std::max_element(runs.begin(), runs.end(), [&](const Run& a, const Run& b) { return rank(a) < rank(b); });
}

bool has_test(const Group& group) {
  return std::any_of(group.runs.begin(), group.runs.end(), [](const Run& run) { return !std::isnan(run.test.mean); });
}

std::vector<Group> group_runs(std::vector<Run> runs) {
  std::vector<Runs> graphs = by_data(std::move(runs));
  const std::vector<std::string> names = names_of(graphs);
  std::vector<Group> out;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    std::vector<Runs> parts = by_metric(std::move(graphs[i]));
    for (Runs& part : parts) out.push_back(make_group(names[i], std::move(part), parts.size() == 1));
  }
  if (out.size() > 1)
    for (std::size_t i = 0; i < out.size(); ++i) out[i].suffix = "-" + std::to_string(i + 1);
  return out;
}

}  // namespace gcnh::report
