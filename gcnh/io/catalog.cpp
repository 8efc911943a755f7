#include "gcnh/io/catalog.h"

#include <algorithm>
#include <cstdlib>

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"
#include "gcnh/io/file_kind.h"
#include "gcnh/io/geom_gcn.h"
#include "gcnh/io/npz_graph.h"
#include "gcnh/io/ogb.h"
#include "gcnh/io/planetoid.h"
#include "gcnh/io/relations.h"
#include "gcnh/io/splits.h"
#include "gcnh/io/unpack.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;

const char* const kSynCora = "syn-cora/";

std::vector<std::string> syn_cora_names() {
  std::vector<std::string> out;
  for (const char* h : {"0.00", "0.10", "0.20", "0.30", "0.40", "0.50", "0.60", "0.70", "0.80", "0.90", "0.99", "1.00"})
    for (int r = 1; r <= 3; ++r) out.push_back(join(kSynCora, "h", h, "-r", r));
  return out;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "syn-cora-h0.10-r1" is the same graph as "syn-cora/h0.10-r1".
CatalogEntry find_entry(std::string name) {
  for (const CatalogEntry& entry : catalog())
    if (entry.name == name) return entry;
  if (name.starts_with("syn-cora-")) name.replace(0, 9, kSynCora);
  if (contains(syn_cora_names(), name)) return {name, "", "", Release::syn_cora};
  fail(Status::usage, "unknown dataset '", name, "'", did_you_mean(name, dataset_names()),
       " (gcnh data list shows all)");
}

void require_folder(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    fail(Status::io, "data folder '", folder.string(),
         "' not found; `data_dir` or GCNH_DATA sets where data is "
         "(gcnh data list: which files, and where from)");
}

// By name, or a matrix by its content.
bool is_nodes_or_edges(const fs::path& path) {
  if (!is_file(path)) return false;
  const std::string name = unpacked_name(path.string());
  return name.ends_with(".csv") || name.ends_with(".tsv") || kind_of_file(path.string()) != FileKind::table;
}

// The names NAME of the files ind.NAME.graph in a folder.
std::vector<std::string> planetoid_names(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    const std::string file = entry.path().filename().string();
    if (file.size() > 10 && file.starts_with("ind.") && file.ends_with(".graph"))
      out.push_back(file.substr(4, file.size() - 10));
  }
  if (problem) fail(Status::io, "cannot read '", folder.string(), "': ", problem.message());
  std::sort(out.begin(), out.end());
  return out;
}

Tables load_geom_gcn_folder(const fs::path& folder) {
  std::error_code problem;
  const std::string name = fs::canonical(folder, problem).filename().string();
  if (problem) fail(Status::io, "cannot read '", folder.string(), "': ", problem.message());
  Tables out = read_geom_gcn(folder, name);
  out.splits = read_geom_gcn_splits(folder / "splits", name, out.num_nodes());
  if (out.splits.empty()) out.splits = read_geom_gcn_splits(folder / ".." / "splits", name, out.num_nodes());
  return out;
}

fs::path folder_of(Release release, const std::string& files) {
  if (release == Release::planetoid) return "planetoid";
  if (release == Release::heterophilous) return "npz";
  return release == Release::syn_cora ? fs::path("syn-cora") : fs::path("geom-gcn") / files;
}

Tables read_release(const CatalogEntry& entry, const fs::path& data_dir) {
  const std::string& files = entry.files.empty() ? entry.name : entry.files;
  const fs::path folder = data_dir / folder_of(entry.release, files);
  require_folder(folder);
  if (entry.release == Release::heterophilous) return read_npz_graph(folder / (files + ".npz"));
  if (entry.release == Release::syn_cora) {
    Tables out = read_npz_graph(data_dir / (files + ".npz"));
    out.splits = {syn_cora_split(out.num_nodes())};
    return out;
  }
  Tables out = entry.release == Release::planetoid ? read_planetoid(folder, files) : read_geom_gcn(folder, files);
  out.splits = read_geom_gcn_splits(data_dir / "geom-gcn" / "splits", files, out.num_nodes());
  drop_unlabelled(out.splits, out.labels);
  return out;
}

// The files of a folder whose names begin so.
void add_files(const fs::path& folder, const std::string& beginning, std::vector<fs::path>& out) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(beginning) && is_file(entry.path())) out.push_back(entry.path());
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::vector<std::string> dataset_names() {
  std::vector<std::string> out;
  for (const CatalogEntry& entry : catalog()) out.push_back(entry.name);
  const std::vector<std::string> synthetic = syn_cora_names();
  out.insert(out.end(), synthetic.begin(), synthetic.end());
  return out;
}

Tables load_named(const std::string& short_name, const fs::path& data_dir) {
  const CatalogEntry entry = find_entry(short_name);
  require_folder(data_dir);
  Tables out = read_release(entry, data_dir);
  require(!out.edges.empty(), data_dir.string(), ": the files of ", entry.name, " have no edges; were they cut off?");
  out.name = entry.name;
  out.metric = entry.metric;
  out.published = published_relations(data_dir / "geom-gcn" / "relations", entry.name, out.num_nodes());
  return out;
}

std::vector<fs::path> dataset_files(const std::string& name, const fs::path& data_dir) {
  const CatalogEntry entry = find_entry(name);
  const std::string& files = entry.files.empty() ? entry.name : entry.files;
  const fs::path folder = data_dir / folder_of(entry.release, files);
  std::vector<fs::path> out;
  if (entry.release == Release::geom_gcn) add_files(folder, "out1_", out);
  if (entry.release == Release::planetoid) add_files(folder, "ind." + files + ".", out);
  if (entry.release == Release::geom_gcn || entry.release == Release::planetoid)
    add_files(data_dir / "geom-gcn" / "splits", files + "_split_", out);
  else
    add_files(folder, fs::path(files).filename().string() + ".npz", out);
  std::sort(out.begin(), out.end());
  return out;
}

Tables load_path(const fs::path& path) {
  std::error_code problem;
  if (!fs::exists(path, problem))
    fail(Status::io, "cannot read '", path.string(), "': ", problem ? problem.message() : "no such file or folder");
  if (!is_file(path) && !fs::is_directory(path, problem))
    fail(Status::usage, path.string(),
         ": a graph is a file or a folder; tables come through a pipe, as `nodes` or `edges`");
  if (is_file(path) && path.extension() == ".npz") return read_npz_graph(path);
  std::vector<std::string> names;
  if (!is_file(path)) {
    if (is_file(path / "out1_graph_edges.txt")) return load_geom_gcn_folder(path);
    if (is_ogb_folder(path)) return read_ogb(path);
    names = planetoid_names(path);
    if (names.size() == 1) return read_planetoid(path, names.front());
  }
  if (is_nodes_or_edges(path)) fail(Status::usage, path.string(), ": tables are given as `nodes` and `edges`");
  fail(Status::data, path.string(), ": not a graph; accepted: an .npz file, a folder with out1_graph_edges.txt and ",
       "out1_node_feature_label.txt, an OGB folder with raw/edge.csv.gz, or a folder with one set of ind.NAME.* files",
       names.empty() ? "" : " (this one has several: " + list_words(names) + ")");
}

fs::path default_data_dir() {
  if (const std::string data = environment("GCNH_DATA"); !data.empty()) return data;
  if (const std::string data = environment("XDG_DATA_HOME"); !data.empty()) return fs::path(data) / "gcnh";
  return fs::path(environment("HOME")) / ".local/share/gcnh";
}

}  // namespace gcnh
