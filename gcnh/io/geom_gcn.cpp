#include "gcnh/io/geom_gcn.h"

#include <algorithm>
#include <system_error>

#include "gcnh/io/arrays.h"
#include "gcnh/io/file.h"
#include "gcnh/io/geom_gcn_nodes.h"
#include "gcnh/io/npz.h"
#include "gcnh/io/splits.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// row_of[id]; the ids must be 0..n-1, each once.
std::vector<Index> rows_by_id(const NodeRows& rows, const std::string& path) {
  const auto count = static_cast<Index>(rows.ids.size());
  std::vector<Index> row_of(count, -1);
  for (Index row = 0; row < count; ++row) {
    const Index id = rows.ids[row];
    require(id >= 0 && id < count, path, ":", rows.lines[row], ": node id ", id, " outside 0..", count - 1,
            " (ids of a table of ", count, " nodes)");
    if (row_of[id] >= 0)
      fail(Status::data, path, ":", rows.lines[row], ": node id ", id, " appears again; first in line ",
           rows.lines[row_of[id]]);
    row_of[id] = row;
  }
  return row_of;
}

// Numbers other than 0 and 1 that fill more than half of the table are better off dense.
Features choose_form(Csr x) {
  if (x.values.empty() || 2 * x.nnz() <= Offset{x.rows} * x.cols) return x;
  return filled(x);
}

Index parse_end(const Lines& lines, std::string_view text, Index num_nodes) {
  const auto id = parse_number<std::int64_t>(text);
  if (!id) lines.fail(quote(text), " is not a node id; expected 'source<TAB>target'");
  if (*id < 0 || *id >= num_nodes) lines.fail("node id ", *id, " outside 0..", num_nodes - 1);
  return static_cast<Index>(*id);
}

std::vector<Edge> read_edges(const std::string& path, Index num_nodes) {
  std::vector<Edge> out;
  Lines lines(path);
  while (lines.next()) {
    std::string_view rest = lines.line();
    if (lines.number() == 1 && is_header(rest)) continue;
    const Index from = parse_end(lines, take_until(rest, '\t'), num_nodes);
    out.push_back({from, parse_end(lines, rest, num_nodes)});
  }
  require(!out.empty(), path, ": no edges; was the file cut off?");
  return out;
}

std::vector<std::int64_t> read_mask(const Npz& file, const char* name, Index num_nodes) {
  const NpyArray mask = file.get(name);
  require(mask.shape.size() == 1 && mask.shape[0] == num_nodes, mask.where, ": ", mask.size(), " values in ",
          mask.shape.size(), " dimensions; expected ", num_nodes, " in 1");
  return mask.as_integers();
}

}  // namespace

Tables read_geom_gcn(const std::filesystem::path& folder, const std::string& name) {
  const std::string path = (folder / "out1_node_feature_label.txt").string();
  NodeRows rows = read_node_rows(path);
  const std::vector<Index> row_of = rows_by_id(rows, path);
  Tables out;
  out.name = name;
  out.edges = read_edges((folder / "out1_graph_edges.txt").string(), rows.features.rows);
  for (Index row : row_of) out.labels.push_back(rows.labels[row]);
  out.classes = class_numbers(out.labels);
  if (std::is_sorted(rows.ids.begin(), rows.ids.end())) {
    out.features = choose_form(std::move(rows.features));
  } else {
    out.features = choose_form(take_rows(rows.features, row_of));
    out.file_order = std::move(rows.ids);
  }
  return out;
}

std::vector<Split> read_geom_gcn_splits(const std::filesystem::path& folder, const std::string& name, Index num_nodes) {
  std::vector<Split> out;
  for (int k = 0;; ++k) {
    const std::filesystem::path path = folder / join(name, "_split_0.6_0.2_", k, ".npz");
    std::error_code problem;
    if (!std::filesystem::exists(path, problem) && !problem) return out;
    const Npz file = Npz::open(path);
    const std::vector<std::int64_t> train = read_mask(file, "train_mask", num_nodes);
    const std::vector<std::int64_t> val = read_mask(file, "val_mask", num_nodes);
    const std::vector<std::int64_t> test = read_mask(file, "test_mask", num_nodes);
    out.push_back(split_from_masks(train, val, test, path.string()));
  }
}

}  // namespace gcnh
