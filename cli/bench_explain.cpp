// gcnh bench explain: how long one explanation takes.
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <numeric>

#include "cli/commands.h"
#include "cli/data_flags.h"
#include "cli/nodes.h"

namespace gcnh::cli {
namespace {

// Of this thread, whatever else the machine does.
double processor_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

// All classes of every node, one after the other on one thread; times are the processor's.
void time_explanations(DataFlags data, const std::string& path) {
  const TrainedModel model = load_model(model_file(path));
  data.csv.label_required = false;
  const Dataset dataset = fit_to_model(model, load_tables(data, &model));
  std::vector<int> classes(dataset.num_classes());
  std::iota(classes.begin(), classes.end(), 0);
  const double start = processor_microseconds();
  const auto explainer = make_explainer(model, dataset);
  const double prepared = processor_microseconds() - start;
  std::vector<double> times;
  std::size_t parts = 0;
  for (Index node = 0; node < dataset.num_nodes(); ++node) {
    const double begin = processor_microseconds();
    parts += explainer->explain(node, classes).features.size();
    times.push_back(processor_microseconds() - begin);
  }
  std::sort(times.begin(), times.end());
  const double mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
  const auto at = [&](double share) {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  fmt::print("{} on {}: {}, {} classes, {:.0f} features of all sources each\n", model.model, dataset.name,
             counted(dataset.num_nodes(), "node"), classes.size(),
             static_cast<double>(parts) / static_cast<double>(times.size()));
  fmt::print(
      "prepared in {:.1f} ms; one explanation: mean {:.0f} us, median {:.0f}, 99 % below {:.0f}, longest {:.0f}\n"
      "nodes that take more than 1 ms: {}\n",
      prepared / 1e3, mean, at(0.5), at(0.99), times.back(),
      std::count_if(times.begin(), times.end(), [](double t) { return t > 1e3; }));
}

}  // namespace

void add_bench_explain(CLI::App& bench) {
  auto flags = std::make_shared<std::pair<DataFlags, std::string>>();
  CLI::App* command = bench.add_subcommand("explain", "explain all nodes of a graph, one after the other");
  add_model_flag(*command, flags->second);
  add_data_flags(*command, flags->first);
  add_quiet_flag(*command, flags->first);
  command->callback([flags] { time_explanations(flags->first, flags->second); });
}

}  // namespace gcnh::cli
