// A graph as an OGB folder. The reader is in ogb.cpp.
#include <fmt/core.h>

#include <set>

#include "gcnh/base/error.h"
#include "gcnh/io/graph_text.h"
#include "gcnh/io/ogb.h"
#include "gcnh/io/pack.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;

using Files = std::vector<std::pair<std::string, std::string>>;

void check_folder(const fs::path& folder, const Files& files) {
  std::error_code ignored;
  std::set<fs::path> folders = {folder, folder / "raw", folder / "split"}, known;
  for (const auto& [name, bytes] : files) {
    known.insert(folder / name);
    folders.insert((folder / name).parent_path());
  }
  for (const fs::path& path : folders) {
    const fs::file_status status = fs::symlink_status(path, ignored);
    if (fs::exists(status) && !fs::is_directory(status))
      fail(Status::usage, "'", path.string(), "' is there and no folder; give another name");
  }
  known.merge(folders);
  std::vector<fs::path> parts = {folder / "raw" / "edge_weight.csv", folder / "raw" / "edge_weight.csv.gz"};
  for (const auto& entry : fs::directory_iterator(folder / "split", ignored)) parts.push_back(entry.path());
  for (const fs::path& path : parts)
    if (!known.contains(path) && fs::exists(fs::symlink_status(path, ignored)))
      fail(Status::usage, "'", path.string(), "' would be read as a part of this graph; remove it");
}

std::string node_label_lines(const Tables& tables) {
  std::string out;
  for (int label : tables.labels) out += label < 0 ? "nan\n" : std::to_string(label) + "\n";
  return out;
}

std::string feature_lines(const Tables& tables) {
  std::string out;
  for (Index node = 0; node < tables.num_nodes(); ++node) {
    std::string line;
    add_cells(tables.features, node, line);
    out.append(line, 1).append("\n");  // without the comma at its front
  }
  return out;
}

std::string edge_lines(const Tables& tables) {
  std::string out;
  for (Edge edge : tables.edges) out += fmt::format("{},{}\n", edge.source, edge.target);
  return out;
}

std::string weight_lines(const Tables& tables) {
  std::string out;
  for (Real weight : tables.edge_weights) out += real_text(weight) + "\n";
  return out;
}

std::string node_lines(const std::vector<Index>& nodes) {
  std::string out;
  for (Index node : nodes) out += fmt::format("{}\n", node);
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ogb_files(const Tables& tables, const fs::path& folder) {
  require(tables.features.cols() > 0, tables.name, ": no features, which an OGB folder cannot say; write .npz instead");
  check_cells(tables);
  Files out;
  const auto add = [&](const std::string& name, const std::string& text) {
    out.emplace_back(name + ".csv.gz", gzip(text));
  };
  add("raw/num-node-list", fmt::format("{}\n", tables.num_nodes()));
  add("raw/num-edge-list", fmt::format("{}\n", tables.edges.size()));
  add("raw/node-feat", feature_lines(tables));
  add("raw/node-label", node_label_lines(tables));
  if (!tables.edge_weights.empty()) add("raw/edge_weight", weight_lines(tables));
  const std::size_t digits = std::to_string(tables.splits.size()).size();
  for (std::size_t k = 0; k < tables.splits.size(); ++k) {
    const std::string split = fmt::format("split/split_{:0{}}/", k, digits);  // read in the order of their names
    add(split + "train", node_lines(tables.splits[k].train));
    add(split + "valid", node_lines(tables.splits[k].val));
    add(split + "test", node_lines(tables.splits[k].test));
  }
  add("raw/edge", edge_lines(tables));
  check_folder(folder, out);
  return out;
}

}  // namespace gcnh
