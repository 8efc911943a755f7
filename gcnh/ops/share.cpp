#include "gcnh/ops/share.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

#include "gcnh/base/error.h"
#include "gcnh/comm/part_team.h"
#include "gcnh/graph/part.h"
#include "gcnh/kernels/dropout.h"
#include "gcnh/kernels/kernels.h"

namespace gcnh {
namespace {

std::size_t bytes_of_row(const Matrix& x) { return static_cast<std::size_t>(x.cols()) * sizeof(Real); }

void require_rows(const std::string& bytes, const Matrix& x, std::size_t rows) {
  require(bytes.size() == rows * bytes_of_row(x), "parts have exchanged ", bytes.size(), " bytes, not ", rows,
          " rows of ", bytes_of_row(x));
}

}  // namespace

Share::Share(const Part& part, PartTeam& team) : part_(part), team_(team), nodes_(part.ids.begin(), part.ids.end()) {}

const std::vector<Offset>& Share::feature_entries() const { return part_.feature_entries; }

// A row's entries stand in the order of local numbers here, in that of the whole there.
const Places& Share::entries(const Csr& looped) {
  const auto [at, is_new] = entries_.try_emplace(&looped);
  Places& out = at->second;
  if (!is_new) return out;
  out.resize(looped.indices.size(), 0);
  std::vector<Offset> order;
  for (Index u = 0; u < part_.num_own; ++u) {
    order.resize(looped.row(u).size());
    std::iota(order.begin(), order.end(), looped.offsets[u]);
    std::sort(order.begin(), order.end(),
              [&](Offset a, Offset b) { return part_.ids[looped.indices[a]] < part_.ids[looped.indices[b]]; });
    for (std::size_t k = 0; k < order.size(); ++k) out[order[k]] = part_.looped_entries[u] + static_cast<Offset>(k);
  }
  return out;
}

void Share::borrow(Matrix& x) {
  for (const Part::Neighbour& n : part_.neighbours) {
    if (n.lent.empty()) continue;
    std::string bytes(n.lent.size() * bytes_of_row(x), '\0');
    for (std::size_t i = 0; i < n.lent.size(); ++i)
      std::memcpy(bytes.data() + i * bytes_of_row(x), x.row(n.lent[i]), bytes_of_row(x));
    team_.send(part_.number, n.part, std::move(bytes));
  }
  for (const Part::Neighbour& n : part_.neighbours) {
    if (n.begin == n.end) continue;
    const std::string bytes = team_.receive(n.part, part_.number);
    require_rows(bytes, x, static_cast<std::size_t>(n.end - n.begin));
    std::memcpy(x.row(n.begin), bytes.data(), bytes.size());
    rows_received_ += n.end - n.begin;
  }
}

void Share::give_back(Matrix& grad) {
  for (const Part::Neighbour& n : part_.neighbours) {
    if (n.begin == n.end) continue;
    const auto rows = static_cast<std::size_t>(n.end - n.begin);
    Real* from = grad.row(n.begin);
    team_.send(part_.number, n.part, std::string(reinterpret_cast<const char*>(from), rows * bytes_of_row(grad)));
    std::fill_n(from, rows * static_cast<std::size_t>(grad.cols()), Real{0});
  }
  std::vector<Real> row(static_cast<std::size_t>(grad.cols()));
  for (const Part::Neighbour& n : part_.neighbours) {
    if (n.lent.empty()) continue;
    const std::string bytes = team_.receive(n.part, part_.number);
    require_rows(bytes, grad, n.lent.size());
    for (std::size_t i = 0; i < n.lent.size(); ++i) {
      std::memcpy(row.data(), bytes.data() + i * bytes_of_row(grad), bytes_of_row(grad));
      Real* to = grad.row(n.lent[i]);
      for (std::size_t j = 0; j < row.size(); ++j) to[j] += row[j];
    }
    rows_received_ += std::ssize(n.lent);
  }
}

void draw_dropout(Tape& t, double p, Var x, Matrix& factor) {
  const Rng rng = t.next_dropout();
  if (x->places) {
    kernels::dropout_factors_at(rng, p, *x->places, factor);
  } else {
    kernels::dropout_factors(rng, p, factor.values());
  }
}

void borrow(Tape& t, Var x) {
  if (!t.share() || x->has_right_ghosts) return;
  t.share()->borrow(x->value);
  x->has_right_ghosts = true;
  t.on_backward(x, [share = t.share(), x] { share->give_back(x->grad); });
}

Var of_nodes(Tape& t, Var y) {
  if (t.share()) y->places = &t.share()->nodes();
  return y;
}

Var of_listed(Tape& t, Var y) {
  if (t.share()) y->places = &t.share()->listed();
  return y;
}

Var propagated(Tape& t, const Propagator& p, Var y) {
  if (!t.share()) return y;
  y->has_right_ghosts = false;
  return p.is_of_list() ? of_listed(t, y) : of_nodes(t, y);
}

Var of_entries(Tape& t, const Propagator& p, Var y) {
  if (t.share()) y->places = &t.share()->entries(p.forward());
  return y;
}

}  // namespace gcnh
