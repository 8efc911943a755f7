// gcnh bench: how time and memory grow with the graph.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/progress.h"

namespace gcnh::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct ScaleFlags {
  std::string shape = "ladder";
  OptionFlags graph;
  int largest = 10'000'000;
  std::string aggregation = "sum";
  int epochs = 10;
  int threads = 0;
  bool json = false;
};

struct Shape {
  std::string name;
  ShapeOptions options;
};

struct Measured {
  Index nodes;
  Offset edges;
  double make_seconds;   // drawing the tables
  double build_seconds;  // from tables to dataset
  double first_ms;       // the first epoch, which finds the rows it needs
  double epoch_ms;       // median of the others
  double first_loss;     // of training
  double last_loss;
  std::int64_t peak_rss_bytes;  // of the process so far: sizes ascend
  std::string engine;

  double ns_per_edge() const { return 1e6 * epoch_ms / static_cast<double>(std::max<Offset>(1, edges)); }
};

// Ten edges per node; sparse features like Cora's, dense ones like ogbn-arxiv's.
std::vector<Shape> ladder(int largest) {
  std::vector<Shape> out;
  for (int edges = 10'000; edges <= largest; edges *= 10) {
    ShapeOptions dense;
    dense.nodes = edges / 10;
    dense.edges = edges;
    dense.classes = 7;
    ShapeOptions sparse = dense;
    sparse.features = 1433;
    sparse.words = 18;
    out.push_back({"sparse", sparse});
    out.push_back({"dense", dense});
  }
  return out;
}

std::vector<Shape> chosen_shapes(const ScaleFlags& flags) {
  require_one_of("--shape", flags.shape, {"ladder", "arxiv", "products"});
  const OptionValues given = flags.graph.values();
  std::vector<Shape> shapes;
  if (flags.shape == "ladder") {
    for (const char* name : {"nodes", "edges", "features", "words"})
      if (given.contains(name))
        fail(Status::usage, flag_name(name), ": the ladder chooses its own; give --shape arxiv or products with it");
    shapes = ladder(flags.largest);
  } else {
    shapes = {{flags.shape, named_shape(flags.shape)}};
  }
  for (Shape& shape : shapes) assign(shape.options, given);
  return shapes;
}

Experiment one_layer_of_16(const ScaleFlags& flags) {
  Experiment out;
  out.model_options = {{"layers", "1"}, {"hidden", "16"}, {"dropout", "0"}, {"aggregation", flags.aggregation}};
  out.train.epochs = flags.epochs;
  out.threads = num_threads(flags.threads);
  out.splits = {0};
  return out;
}

Measured measure(const Shape& shape, Experiment experiment) {
  Measured out{};
  auto start = Clock::now();
  Tables tables = make_shape(shape.options);
  out.make_seconds = seconds_since(start);
  start = Clock::now();
  experiment.dataset = std::make_shared<const Dataset>(make_dataset(std::move(tables)));
  out.build_seconds = seconds_since(start);

  std::vector<double> epochs;  // milliseconds
  double before = 0;
  const StopOnInterrupt interrupt;
  RunObserver observer;
  observer.should_stop = [&] { return interrupt.requested(); };
  observer.on_epoch = [&](int, const TrainState& state) {
    epochs.push_back(1e3 * (state.seconds - before));
    before = state.seconds;
  };
  const std::unique_ptr<Comm> alone = serial_comm();
  const CommScope one_process(*alone);  // every epoch is timed, also under mpirun
  const RunResult result = run(experiment, observer);
  out.nodes = experiment.dataset->num_nodes();
  out.edges = experiment.dataset->num_edges;
  out.first_ms = epochs[0];
  const auto middle = epochs.begin() + 1 + (std::ssize(epochs) - 1) / 2;
  std::nth_element(epochs.begin() + 1, middle, epochs.end());
  out.epoch_ms = *middle;
  out.first_loss = result.best().history.front().train_loss;
  out.last_loss = result.best().history.back().train_loss;
  out.peak_rss_bytes = result.peak_rss_bytes;
  out.engine = result.best().engine;
  return out;
}

Json to_json(const Shape& shape, const Experiment& config, const Measured& m) {
  return {{"shape", shape.name},
          {"nodes", m.nodes},
          {"edges", m.edges},
          {"features", shape.options.features},
          {"words", shape.options.words},
          {"classes", shape.options.classes},
          {"aggregation", config.model_options.at("aggregation")},
          {"threads", config.threads},
          {"engine", m.engine},
          {"make_seconds", m.make_seconds},
          {"build_seconds", m.build_seconds},
          {"first_epoch_ms", m.first_ms},
          {"epoch_ms", m.epoch_ms},
          {"ns_per_edge", m.ns_per_edge()},
          {"first_train_loss", m.first_loss},
          {"last_train_loss", m.last_loss},
          {"peak_rss_bytes", m.peak_rss_bytes}};
}

void print_head(const Experiment& config) {
  fmt::print("GCNH, 1 layer of 16, {}, full batch, validation each epoch; {}, {}\n\n",
             config.model_options.at("aggregation"), counted(config.threads, "thread"), simd());
  fmt::print("{:8} {:>7}  {:>8}  {:>8}  {:>6}  {:>7}  {:>8}  {:>8}  {:>7}  {:>7}  {:>12}  {}\n", "shape", "nodes",
             "edges", "features", "make s", "build s", "first ms", "ms/epoch", "ns/edge", "peak MB", "loss", "engine");
}

void print_row(const Shape& shape, const Measured& m) {
  const ShapeOptions& o = shape.options;
  const std::string features = o.words > 0 ? fmt::format("{}/{}", o.words, o.features) : std::to_string(o.features);
  const std::string loss = fmt::format("{:.2f} - {:.2f}", m.first_loss, m.last_loss);
  fmt::print("{:8} {:7}  {:8}  {:>8}  {:6.2f}  {:7.2f}  {:8.1f}  {:8.2f}  {:7.1f}  {:7.0f}  {:>12}  {}\n", shape.name,
             m.nodes, m.edges, features, m.make_seconds, m.build_seconds, m.first_ms, m.epoch_ms, m.ns_per_edge(),
             static_cast<double>(m.peak_rss_bytes) / 1e6, loss, m.engine);
  std::fflush(stdout);
}

void scale(const ScaleFlags& flags) {
  if (flags.epochs < 3)
    fail(Status::usage, "--epochs: ", flags.epochs, "; allowed: 3 or more, the first is not counted");
  const Experiment config = one_layer_of_16(flags);
  const std::vector<Shape> shapes = chosen_shapes(flags);
  Json all = Json::array();
  if (!flags.json) print_head(config);
  for (const Shape& shape : shapes) {
    const Measured m = measure(shape, config);
    if (!flags.json) print_row(shape, m);
    all.push_back(to_json(shape, config, m));
  }
  if (flags.json) fmt::print("{}\n", all.dump(2));
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "how time and memory grow with the graph, and how long explanations take");
  command->require_subcommand(1);
  auto flags = std::make_shared<ScaleFlags>();
  CLI::App* scale_command = command->add_subcommand("scale", "train on generated graphs of growing size");
  scale_command
      ->add_option("--shape", flags->shape,
                   "ladder (10^4, 10^5, ... edges, sparse and dense features) | arxiv | products")
      ->capture_default_str();
  scale_command->add_option("--largest", flags->largest, "edges of the ladder's last step")
      ->capture_default_str()
      ->check(CLI::Range(10'000, 100'000'000));
  scale_command->add_option("--aggregation", flags->aggregation, "sum | mean | max")->capture_default_str();
  scale_command->add_option("--epochs", flags->epochs, "the first is not counted")->capture_default_str();
  scale_command->add_option("--threads", flags->threads, "0: all cores")->capture_default_str()->check(kThreads);
  scale_command->add_flag("--json", flags->json, "one JSON array on stdout instead of text");
  for (const OptionInfo& info : describe<ShapeOptions>()) flags->graph.add(*scale_command, info, "Graph");
  scale_command->footer(
      "Time per epoch is the median after the first epoch, which also finds the rows it needs. Peak memory is that of\n"
      "the process so far, generation included. Graph options change the named shape.");
  scale_command->callback([flags] { scale(*flags); });
  add_bench_explain(*command);
}

}  // namespace gcnh::cli
