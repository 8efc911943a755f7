// scipy.sparse.save_npz: format, shape, data, and indptr with indices (csr, csc) or row with col (coo).
#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/io/arrays.h"
#include "gcnh/io/matrix_file.h"
#include "gcnh/io/npz.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

std::string read_format(const Npz& file) {
  std::string out = file.get("format").bytes;
  std::erase(out, '\0');  // padding, or the rest of a wide character
  return out;
}

void read_compressed(const Npz& file, bool by_rows, MatrixFile& out) {
  const NpyArray data = file.get("data");
  const CsrArrays a = check_csr(by_rows ? out.rows : out.cols, by_rows ? out.cols : out.rows, file.get("indptr"),
                                file.get("indices"), data);
  for (Index i = 0; i < a.rows; ++i) {
    for (std::int64_t e = a.offsets[i]; e < a.offsets[i + 1]; ++e) {
      const auto j = static_cast<Index>(a.indices[e]);
      out.entries.push_back({by_rows ? i : j, by_rows ? j : i, a.values[e]});
      out.lost.add(by_rows ? j : i, data.number(static_cast<std::size_t>(e)));
    }
  }
}

Index place(const NpyArray& array, std::int64_t value, std::size_t entry, Index end) {
  if (value < 0 || value >= end)
    fail(Status::data, array.where, ": entry ", entry, ": ", value, " outside 0..", end - std::int64_t{1});
  return static_cast<Index>(value);
}

void read_coordinates(const Npz& file, MatrixFile& out) {
  const NpyArray row = file.get("row"), col = file.get("col"), data = file.get("data");
  require(row.size() == data.size() && col.size() == data.size(), out.path, ": ", row.size(), " rows, ", col.size(),
          " columns and ", data.size(), " values of entries; expected as many of each");
  const std::vector<std::int64_t> rows = row.as_integers(), cols = col.as_integers();
  const std::vector<Real> values = data.as_reals();
  for (std::size_t e = 0; e < values.size(); ++e) {
    out.entries.push_back({place(row, rows[e], e, out.rows), place(col, cols[e], e, out.cols), values[e]});
    out.lost.add(out.entries.back().col, data.number(e));
  }
}

}  // namespace

MatrixFile read_scipy_npz(const std::string& path) {
  const Npz file = Npz::open(path);
  const std::string format = read_format(file);
  const NpyArray shape = file.get("shape");
  const std::vector<std::int64_t> extents = shape.as_integers();
  require(extents.size() == 2, shape.where, ": ", extents.size(), " numbers; expected 2");
  MatrixFile out{path, to_index(extents[0], shape.where, "rows"), to_index(extents[1], shape.where, "columns"), {}};
  if (format == "csr" || format == "csc")
    read_compressed(file, format == "csr", out);
  else if (format == "coo")
    read_coordinates(file, out);
  else
    fail(Status::data, path, ": a sparse matrix of format ", quote(format), "; read are: csr, csc, coo");
  return out;
}

}  // namespace gcnh
