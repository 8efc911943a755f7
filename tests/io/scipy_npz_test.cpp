#include <gtest/gtest.h>

#include "gcnh/io/matrix_file.h"
#include "gcnh/io/npz.h"
#include "gcnh/io/npz_graph.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

using ScipyMembers = std::vector<std::pair<std::string, NpyArray>>;

NpyArray scipy_numbers(std::vector<std::int64_t> values) {
  return make_npy(std::span<const std::int64_t>(values), {std::ssize(values)});
}

NpyArray scipy_format(const std::string& name) { return {"|S" + std::to_string(name.size()), {}, name, "format"}; }

// 2 by 3, 5 at (0, 2) and 7 at (1, 0).
ScipyMembers scipy_matrix(const std::string& format) {
  ScipyMembers out = {{"format", scipy_format(format)}, {"shape", scipy_numbers({2, 3})}};
  if (format == "csr") {
    out.insert(out.end(), {{"indptr", scipy_numbers({0, 1, 2})}, {"indices", scipy_numbers({2, 0})}});
    out.emplace_back("data", scipy_numbers({5, 7}));
  } else if (format == "csc") {
    out.insert(out.end(), {{"indptr", scipy_numbers({0, 1, 1, 2})}, {"indices", scipy_numbers({1, 0})}});
    out.emplace_back("data", scipy_numbers({7, 5}));
  } else {
    out.insert(out.end(), {{"row", scipy_numbers({0, 1})}, {"col", scipy_numbers({2, 0})}});
    out.emplace_back("data", scipy_numbers({5, 7}));
  }
  return out;
}

class ScipyNpz : public ::testing::Test {
 protected:
  MatrixFile read(const ScipyMembers& members) {
    write_npz(path_, members);
    return read_scipy_npz(path_);
  }

  TempDir dir_;
  std::string path_ = dir_ / "a.npz";
};

TEST_F(ScipyNpz, IsReadInThreeFormats) {
  for (const char* format : {"csr", "csc", "coo"}) {
    SCOPED_TRACE(format);
    const MatrixFile m = read(scipy_matrix(format));
    EXPECT_EQ(kind_of_file(path_), FileKind::scipy_npz);
    EXPECT_EQ(m.rows, 2);
    EXPECT_EQ(m.cols, 3);
    const Csr x = matrix_features(m).sparse();
    EXPECT_EQ(x.indices, std::vector<Index>({2, 0}));
    EXPECT_EQ(x.values, std::vector<Real>({5, 7}));
  }
}

TEST_F(ScipyNpz, WhatIsWrongIsNamed) {
  EXPECT_ERROR(read(scipy_matrix("bsr")), "a sparse matrix of format 'bsr'; read are: csr, csc, coo");
  ScipyMembers bad = scipy_matrix("coo");
  bad[2].second = scipy_numbers({0, 2});
  EXPECT_ERROR(read(bad), "row: entry 1: 2 outside 0..1");
  bad[2].second = scipy_numbers({0});
  EXPECT_ERROR(read(bad), "1 rows, 2 columns and 2 values");
  bad = scipy_matrix("coo");
  bad[1].second = scipy_numbers({-1, 3});
  EXPECT_ERROR(read(bad), "-1 rows");
  bad[1].second = scipy_numbers({2, 3, 4});
  EXPECT_ERROR(read(bad), "3 numbers; expected 2");
  bad = scipy_matrix("csr");
  bad[3].second = scipy_numbers({3, 0});
  EXPECT_ERROR(read(bad), "column 3 outside 0..2");
  write_npz(path_, scipy_matrix("csr"));
  EXPECT_ERROR(read_npz_graph(path_), "a.npz: a sparse matrix of SciPy; give it as `nodes` or as `edges`");
}

TEST_F(ScipyNpz, DamagedFilesAreReadOrRefused) {
  write_npz(path_, scipy_matrix("coo"));
  const std::string whole = read_file(path_);
  const auto check = [&](const std::string& damaged) {
    write_text(path_, damaged);
    expect_read_or_refused("a.npz", [&] { read_scipy_npz(path_); });
  };
  for (std::size_t size = 0; size < whole.size(); size += 7) check(whole.substr(0, size));
  for (std::size_t at = 0; at < whole.size(); at += 3) for_every_flip(whole, at, at + 1, check);
}

}  // namespace
}  // namespace gcnh
