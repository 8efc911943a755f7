#include "gcnh/io/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gcnh/io/npz.h"
#include "gcnh/io/npz_graph.h"
#include "tests/io/io_tools.h"
#include "tests/io/pickle_writer.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

NpyArray mask_of(std::vector<std::uint8_t> values) {
  return make_npy(std::span<const std::uint8_t>(values), {static_cast<std::int64_t>(values.size())});
}

void write_geom_gcn(const std::filesystem::path& folder) {
  write_text(folder / "out1_node_feature_label.txt", "node_id\tfeature\tlabel\n0\t1,0,0\t0\n1\t0,1,0\t1\n");
  write_text(folder / "out1_graph_edges.txt", "0\t1\n");
}

void write_split(const std::filesystem::path& folder, const std::string& name) {
  std::filesystem::create_directories(folder);
  write_npz(folder / (name + "_split_0.6_0.2_0.npz"),
            {{"train_mask", mask_of({1, 0})}, {"val_mask", mask_of({0, 1})}, {"test_mask", mask_of({0, 0})}});
}

void write_planetoid(const std::filesystem::path& folder, const std::string& name) {
  const auto put = [&](const char* part, const std::string& body) {
    write_text(folder / join("ind.", name, ".", part), pickled::file(body));
  };
  put("allx", pickled::matrix(1, 2, {0, 1}, {0}, {1}));
  put("ally", pickled::ints({1, 2}, {1, 0}));
  put("tx", pickled::matrix(1, 2, {0, 0}, {}, {}));
  put("ty", pickled::ints({1, 2}, {0, 0}));
  put("graph", pickled::graph({{0, {1}}, {1, {0}}}));
  write_text(folder / join("ind.", name, ".test.index"), "1\n");
}

TEST(Catalog, NamesAreAllThere) {
  const std::vector<std::string> names = dataset_names();
  EXPECT_EQ(names.size(), 16u + 36u);
  for (const char* name : {"cornell", "cornell-fixed", "texas", "wisconsin", "film", "chameleon", "squirrel", "cora",
                           "citeseer", "chameleon-filtered", "squirrel-filtered-directed", "minesweeper",
                           "syn-cora/h0.10-r1", "syn-cora/h0.99-r3", "syn-cora/h1.00-r2"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  for (const CatalogEntry& entry : catalog()) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_FALSE(entry.note.empty()) << entry.name;
  }
}

TEST(Catalog, UnknownNamesAreSuggested) {
  EXPECT_ERROR(load_named("texs", "/"), "unknown dataset 'texs'; did you mean 'texas'?");
  EXPECT_ERROR(load_named("texs", "/"), "gcnh data list");
  EXPECT_ERROR(load_named("syn-cora-h0.15-r1", "/"), "unknown dataset 'syn-cora/h0.15-r1'");
  EXPECT_EQ(status_of([] { load_named("texs", "/"); }), Status::usage);
  EXPECT_EQ(status_of([] { load_named("../../etc/passwd", "/"); }), Status::usage);
}

TEST(Catalog, MissingFoldersAreNamed) {
  const TempDir dir;
  const std::string hint = "not found; `data_dir` or GCNH_DATA sets where data is";
  EXPECT_ERROR(load_named("texas", dir / "absent"), "data folder '" + (dir / "absent").string() + "' " + hint);
  EXPECT_ERROR(load_named("texas", dir.path()), "geom-gcn/texas' " + hint);
  EXPECT_ERROR(load_named("cora", dir.path()), "planetoid' " + hint);
  EXPECT_ERROR(load_named("cornell-fixed", dir.path()), "npz' " + hint);
  EXPECT_ERROR(load_named("syn-cora/h0.10-r1", dir.path()), "syn-cora' " + hint);
  EXPECT_EQ(status_of([&] { load_named("texas", dir.path()); }), Status::io);
}

TEST(Catalog, LoadsByName) {
  const TempDir dir;
  write_geom_gcn(dir / "geom-gcn/texas");
  write_split(dir / "geom-gcn/splits", "texas");
  EXPECT_EQ(load_named("texas", dir.path()).splits.size(), 1u);
  write_planetoid(dir / "planetoid", "citeseer");
  write_split(dir / "geom-gcn/splits", "citeseer");
  const Tables citeseer = load_named("citeseer", dir.path());
  EXPECT_EQ(citeseer.name, "citeseer");
  EXPECT_EQ(citeseer.splits.at(0).train, std::vector<Index>({0}));
  EXPECT_TRUE(citeseer.splits.at(0).val.empty());  // node 1 has no label
}

TEST(Catalog, LoadsAnNpzFile) {
  const TempDir dir;
  write_geom_gcn(dir / "toy");
  write_npz_graph(dir / "toy.npz", load_path(dir / "toy"));
  EXPECT_EQ(load_path(dir / "toy.npz").labels, std::vector<int>({0, 1}));
}

TEST(Catalog, LoadsAGeomGcnFolderWithItsSplits) {
  const TempDir dir;
  write_geom_gcn(dir / "toy");
  EXPECT_TRUE(load_path(dir / "toy").splits.empty());
  write_split(dir / "splits", "toy");
  EXPECT_EQ(load_path(dir / "toy").splits.size(), 1u);
  EXPECT_EQ(load_path(dir / "toy/").name, "toy");
  std::filesystem::rename(dir / "splits", dir / "toy/splits");
  EXPECT_EQ(load_path(dir / "toy").splits.size(), 1u);
}

TEST(Catalog, LoadsAPlanetoidFolder) {
  const TempDir dir;
  write_planetoid(dir.path(), "toy");
  EXPECT_EQ(load_path(dir.path()).name, "toy");
  write_planetoid(dir.path(), "other.1");
  EXPECT_ERROR(load_path(dir.path()), "ind.NAME.* files (this one has several: other.1 toy)");
}

TEST(Catalog, OtherPathsAreErrors) {
  const TempDir dir;
  EXPECT_EQ(status_of([&] { load_path(dir / "absent"); }), Status::io);
  EXPECT_ERROR(load_path(dir.path()), "not a graph; accepted: an .npz file, a folder with out1_graph_edges.txt");
  write_text(dir / "x.txt", "hello");
  EXPECT_ERROR(load_path(dir / "x.txt"), "x.txt: not a graph; accepted: ");
}

TEST(Catalog, DataFolderComesFromTheEnvironment) {
  const char* names[] = {"GCNH_DATA", "XDG_DATA_HOME", "HOME"};
  std::vector<std::pair<bool, std::string>> before;
  for (const char* name : names) before.emplace_back(std::getenv(name), std::getenv(name) ? std::getenv(name) : "");
  ::setenv("GCNH_DATA", "/a", 1);
  ::setenv("XDG_DATA_HOME", "/b", 1);
  ::setenv("HOME", "/c", 1);
  EXPECT_EQ(default_data_dir(), "/a");
  ::unsetenv("GCNH_DATA");
  EXPECT_EQ(default_data_dir(), "/b/gcnh");
  ::setenv("XDG_DATA_HOME", "", 1);
  EXPECT_EQ(default_data_dir(), "/c/.local/share/gcnh");
  for (int i = 0; i < 3; ++i) {
    if (before[i].first)
      ::setenv(names[i], before[i].second.c_str(), 1);
    else
      ::unsetenv(names[i]);
  }
}

}  // namespace
}  // namespace gcnh
