#include "cli/plan.h"

#include <fmt/core.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>

#include "cli/layout.h"

namespace gcnh::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kProbeSeconds = 0.5;
constexpr int kLeastEpochs = 4;  // the first is slower and does not count

std::string bytes_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
  return bytes >= 1e6 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.1f} kB", bytes / 1e3);
}

std::string time_text(double seconds) {
  if (seconds >= 7200) return fmt::format("{:.1f} hours", seconds / 3600);
  return seconds >= 120 ? fmt::format("{:.0f} minutes", seconds / 60) : fmt::format("{:.1f} s", seconds);
}

double resident_bytes() {
  std::size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double bytes_of(const Csr& a) {
  return static_cast<double>(a.offsets.size() * sizeof(Offset) + a.indices.size() * sizeof(Index) +
                             a.values.size() * sizeof(Real));
}

double bytes_of(const Features& x) {
  return x.is_sparse() ? bytes_of(x.sparse()) : static_cast<double>(x.dense().size() * sizeof(Real));
}

// What a few epochs show, of as many splits at a time as would be trained so.
struct Probe {
  int side_by_side = 1;
  int epochs = 0;             // of all of them
  double epoch_seconds = 0;   // of one, the first of each split left out
  double parameters = 0;      // numbers
  double training_bytes = 0;  // what one training takes, beside the data
};

Probe probe(Experiment e, double resident_before) {
  e.read_test = false;
  Probe out;
  out.side_by_side = num_side_by_side(e);
  std::mutex mutex;
  double resident = resident_before, seconds = 0;
  int timed = 0;  // epochs
  const auto train_one = [&](std::size_t i) {
    int epochs = 0;
    double first = 0, now = 0;  // seconds, after the first and the last of them
    RunObserver observer;
    observer.on_epoch = [&](int, const TrainState& state) {
      now = state.seconds;
      if (++epochs == 1) first = now;
      const std::lock_guard lock(mutex);
      resident = std::max(resident, resident_bytes());
      out.parameters = 0;
      for (const auto& [name, matrix] : state.best_parameters) out.parameters += static_cast<double>(matrix.size());
    };
    observer.should_stop = [&] { return epochs >= kLeastEpochs && now >= kProbeSeconds; };
    run_split(e, e.splits[i], observer);
    const std::lock_guard lock(mutex);
    out.epochs += epochs;
    timed += std::max(1, epochs - 1);
    seconds += epochs == 1 ? now : now - first;
  };
  for_each_training(*e.dataset, e.threads, static_cast<std::size_t>(out.side_by_side), train_one);
  out.epoch_seconds = seconds / std::max(1, timed);
  out.training_bytes = (resident - resident_before) / out.side_by_side;
  return out;
}

// Of a known graph, a file or a folder.
std::vector<fs::path> graph_files(const DataFlags& data) {
  if (data.data.empty() || data.data == "synthetic") return {};
  const std::vector<std::string> names = dataset_names();
  std::error_code ignored;
  if (std::find(names.begin(), names.end(), data.data) != names.end() || !fs::exists(data.data, ignored))
    return dataset_files(data.data, data_dir(data));
  if (!fs::is_directory(data.data, ignored)) return {data.data};
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(data.data, ignored)) out.push_back(entry.path());
  return out;
}

std::vector<fs::path> files_read(const RunFlags& flags) {
  const CsvSource& csv = flags.data.csv;
  std::vector<fs::path> out = csv.nodes.empty() ? graph_files(flags.data) : std::vector<fs::path>();
  if (csv.database.empty()) out.insert(out.end(), {csv.nodes, csv.edges});  // else they are queries
  for (const std::string& file : {csv.labels, csv.more, csv.database, flags.data.split_file, flags.setup.recipe})
    out.emplace_back(file);
  std::erase_if(out, [](const fs::path& file) { return !is_file(file); });
  return out;
}

// A line per folder, or file where it is the only one.
void print_files(const std::vector<fs::path>& files) {
  std::map<fs::path, std::vector<fs::path>> folders;
  for (const fs::path& file : files) folders[file.parent_path()].push_back(file);
  if (files.empty()) fmt::print("read   no files; the graph is made, or comes through a pipe\n");
  std::string head = "read   ";
  for (const auto& [folder, inside] : folders) {
    double bytes = 0;
    std::error_code ignored;
    for (const fs::path& file : inside) bytes += static_cast<double>(fs::file_size(file, ignored));
    const bool is_one = inside.size() == 1;
    const std::string count = is_one ? "" : counted(static_cast<std::int64_t>(inside.size()), "file") + ", ";
    fmt::print("{}", in_lines(head, {(is_one ? inside[0] : folder).string(), count + bytes_text(bytes)}));
    head.assign(head.size(), ' ');
  }
}

void print_data(const RunFlags& flags, const Experiment& e) {
  const Dataset& d = *e.dataset;
  const Split& split = d.splits[e.splits.front()];
  fmt::print("{}", describe_data(e));
  print_files(files_read(flags));
  fmt::print("splits {}; the first: {} train, {} val, {} test\n", e.splits.size(), split.train.size(), split.val.size(),
             split.test.size());
  fmt::print("memory graph {}, features {}; {} at most while they were read\n", bytes_text(bytes_of(d.adjacency)),
             bytes_text(bytes_of(d.features)), bytes_text(static_cast<double>(peak_rss_bytes())));
}

void print_run(const PlannedRun& run, const Experiment& e) {
  malloc_trim(0);  // what reading left must not hide what training takes
  const double before = resident_bytes();
  const Probe p = probe(e, before);
  const std::size_t trainings = run.cells * e.splits.size();
  const int side = p.side_by_side;
  const double of_adam = 5 * p.parameters * sizeof(Real);  // values, gradients, two moments, the best values
  const double kept = p.parameters * sizeof(Real) * static_cast<double>(e.splits.size());
  const double peak = std::max(static_cast<double>(peak_rss_bytes()), before + side * p.training_bytes) + kept;
  const double seconds = static_cast<double>(trainings) * e.train.epochs * p.epoch_seconds / side;
  fmt::print("\n{}", in_lines("model  ", {e.model, fmt::format("{:.0f} parameters", p.parameters),
                                          counted(static_cast<std::int64_t>(trainings), "training") + " of " +
                                              counted(e.train.epochs, "epoch"),
                                          fmt::format("{} at a time", side)}));
  fmt::print("memory about {} at the peak\n       a training takes {}, {} of it for parameters and Adam\n",
             bytes_text(peak), bytes_text(p.training_bytes), bytes_text(of_adam));
  fmt::print("{}", wrapped("time   ", fmt::format("about {}; {:.2f} ms per epoch, measured on {}{}", time_text(seconds),
                                                  1e3 * p.epoch_seconds, counted(p.epochs, "epoch"), run.note)));
}

}  // namespace

std::vector<std::string> files_in(const std::string& folder, bool has_model, bool is_searched,
                                  const std::string& final_note) {
  if (folder.empty()) return {};
  std::vector<std::string> out = RunFolder::files_written(has_model, is_searched);
  out[0] = folder + "/" + out[0];
  if (!final_note.empty())
    for (const std::string& name : RunFolder::final_names()) out.push_back(name + " (" + final_note + ")");
  if (has_model) out.push_back("splits/split-*.safetensors (for --resume)");
  return out;
}

void print_plan(const RunFlags& flags, const std::vector<PlannedRun>& runs, const std::vector<std::string>& written) {
  for (const PlannedRun& run : runs) {
    const Experiment e = run.make();
    if (&run == &runs.front()) print_data(flags, e);
    print_run(run, e);
  }
  fmt::print("\n{}",
             in_lines("files  ", written.empty() ? std::vector<std::string>{"none; --out keeps them"} : written));
  fmt::print("this was a plan: nothing was kept or written\n");
}

}  // namespace gcnh::cli
