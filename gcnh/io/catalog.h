// Datasets by name, and whatever graph a path leads to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// Whose files a dataset is read from, and how.
enum class Release { geom_gcn, planetoid, heterophilous, syn_cora };

struct CatalogEntry {
  std::string name;
  std::string summary;  // what it is
  std::string note;     // what to know before trusting a number on it
  Release release = Release::geom_gcn;
  std::string files = {};   // the name its files go by; empty: its own
  std::string metric = {};  // that papers report on it; empty: accuracy
};

const std::vector<CatalogEntry>& catalog();

// All names load_named knows, the synthetic graphs (syn-cora/h0.10-r1, ...) included.
std::vector<std::string> dataset_names();

// A dataset of the catalog with its published splits. data_dir holds geom-gcn, planetoid, npz and syn-cora.
Tables load_named(const std::string& name, const std::filesystem::path& data_dir);

// The files that load_named reads of it, as far as they are there; relations, which few models read, left out.
std::vector<std::filesystem::path> dataset_files(const std::string& name, const std::filesystem::path& data_dir);

// An .npz graph, a Geom-GCN folder (splits from splits/ or ../splits), an OGB folder, or one with a set of ind.NAME.*
// files.
Tables load_path(const std::filesystem::path& path);

// $GCNH_DATA, else $XDG_DATA_HOME/gcnh, else $HOME/.local/share/gcnh.
std::filesystem::path default_data_dir();

}  // namespace gcnh
