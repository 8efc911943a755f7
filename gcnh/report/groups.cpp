// From run folders to groups of runs that can be compared.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gcnh/report/sections.h"
#include "gcnh/study/floors.h"

namespace gcnh::report {
namespace {

std::string leaf(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_normal().filename().string();
}

// What every split of every run was chosen by and tells.
Metric common_metric(const std::vector<Run>& runs) {
  const Metric first = runs[0].result.splits[0].metric;
  for (const Run& run : runs)
    for (const SplitOutcome& s : run.result.splits)
      if (s.metric != first || std::isnan(test_value(s, first))) return Metric::accuracy;
  return first;
}

}  // namespace

std::vector<Run> read_runs(const std::vector<std::filesystem::path>& folders) {
  std::vector<Run> runs;
  std::set<std::filesystem::path> seen;
  for (const std::filesystem::path& folder : folders) {
    for (const std::filesystem::path& path : find_runs(folder)) {
      if (!seen.insert(std::filesystem::canonical(path)).second) continue;
      runs.push_back({read_run(path), "", "", {}, {}});
      Run& run = runs.back();
      run.name = run.model;
    }
  }
  std::map<std::string, int> count;
  const auto key = [](const Run& run) { return run.data.name + "\n" + run.data.view + "\n" + run.model; };
  for (const Run& run : runs) ++count[key(run)];
  std::stable_partition(runs.begin(), runs.end(), [](const Run& run) { return !is_floor(run.model); });  // below all
  std::map<std::string, int> used;
  for (Run& run : runs) {
    if (count[key(run)] > 1 && leaf(run.path) != run.model) run.name += " (" + leaf(run.path) + ")";
    if (const int again = ++used[key(run) + run.name]; again > 1) run.name += " #" + std::to_string(again);
  }
  return runs;
}

const Run& Group::best() const {
  const auto rank = [&](const Run& run) { return std::pair(!is_floor(run.model), merit(metric, run.val.mean)); };
  return *std::max_element(runs.begin(), runs.end(), [&](const Run& a, const Run& b) { return rank(a) < rank(b); });
}

std::vector<Group> group_runs(std::vector<Run> runs) {
  std::vector<Group> out;
  for (Run& run : runs) {
    const std::string data = run.data.name + " (" + run.data.view + " view)";
    auto found = std::find_if(out.begin(), out.end(), [&](const Group& g) { return g.data == data; });
    if (found == out.end()) found = out.insert(out.end(), {data, "", {}});
    run.file = file_name(run.name);
    const auto same = [&](const Run& other) { return other.file == run.file; };
    if (std::any_of(found->runs.begin(), found->runs.end(), same)) run.file += "-" + std::to_string(found->runs.size());
    found->runs.push_back(std::move(run));
  }
  for (Group& group : out) {
    group.metric = common_metric(group.runs);
    for (Run& run : group.runs) {
      run.val = mean_std(val_values(run.result.splits, group.metric));
      run.test = mean_std(test_values(run.result.splits, group.metric));
    }
  }
  if (out.size() > 1)
    for (std::size_t i = 0; i < out.size(); ++i) out[i].suffix = "-" + std::to_string(i + 1);
  return out;
}

}  // namespace gcnh::report
