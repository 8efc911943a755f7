// Speed of the kernels on one core, and how near each comes to reading its operands at full speed: the ceiling is a
// streaming sum over as many bytes as the kernel reads from, measured on the spot. Results are checked against the
// plain twins of tests/kernels first. Run by ./bench kernels.
#include "gcnh/kernels/kernels.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "gcnh/gcnh.h"
#include "gcnh/graph/large_graphs.h"
#include "tests/kernels/twins.h"

namespace gcnh {
namespace {

namespace plain = testing::plain;
using Clock = std::chrono::steady_clock;
using Vector = float __attribute__((vector_size(64), may_alias));

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

// Four streams with a sum each, as wide as the CPU has registers.
__attribute__((target_clones("avx512f", "avx2", "default"))) float streaming_sum(const Matrix& x) {
  const auto* from = reinterpret_cast<const Vector*>(x.data());
  const std::size_t quarter = x.size() / 64;
  Vector a{}, b{}, c{}, d{};
  for (std::size_t i = 0; i < quarter; ++i) {
    a += from[i];
    b += from[i + quarter];
    c += from[i + 2 * quarter];
    d += from[i + 3 * quarter];
  }
  const Vector sum = (a + b) + (c + d);
  return sum[0];
}

// Bytes per second of reading `bytes` again and again: the best of several rounds.
double ceiling(std::size_t bytes) {
  static std::map<std::size_t, double> known;
  const std::size_t rows = std::max<std::size_t>(1, bytes / 4096);
  double& best = known[rows];
  if (best > 0) return best;
  const Matrix x(static_cast<Index>(rows), 1024, Real{1});
  const std::size_t passes = std::max<std::size_t>(1, 64 * kMegabyte / (4096 * rows));
  for (int round = 0; round < 8; ++round) {
    const auto start = Clock::now();
    for (std::size_t pass = 0; pass < passes; ++pass) benchmark::DoNotOptimize(streaming_sum(x));
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::max(best, static_cast<double>(passes * rows * 4096) / seconds);
  }
  return best;
}

std::size_t cache_size(int level, std::size_t otherwise) {
  const long found = sysconf(level);
  return found > 0 ? static_cast<std::size_t>(found) : otherwise;
}

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Matrix m(rows, cols);
  const Rng rng(seed);
  for (std::size_t i = 0; i < m.size(); ++i) m.values()[i] = static_cast<Real>(rng.uniform(i) - 0.5);
  return m;
}

void verify(const std::string& name, const Matrix& found, const Matrix& expected) {
  require(found.same_shape(expected), name, ": wrong shape");
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Real difference = std::abs(found.values()[i] - expected.values()[i]);
    require(difference <= Real(1e-4) * (1 + std::abs(expected.values()[i])), name, ": differs from its plain twin");
  }
}

// What a call does: `work` units such as additions, with `bytes` read in all from a working set of `footprint` bytes.
struct Case {
  std::string name;
  const char* unit;
  double work;
  double bytes;
  std::size_t footprint;
  std::function<void()> call;
};

void add(Case c) {
  benchmark::RegisterBenchmark(c.name.c_str(), [c](benchmark::State& state) {
    const double top = ceiling(c.footprint);
    for (auto _ : state) {
      c.call();
      benchmark::ClobberMemory();
    }
    state.SetLabel(c.unit);
    state.counters["rate"] = benchmark::Counter(c.work, benchmark::Counter::kIsIterationInvariantRate);
    state.counters["of_ceiling"] = benchmark::Counter(c.bytes / top, benchmark::Counter::kIsIterationInvariantRate);
  });
}

double bytes_of(double reals) { return static_cast<double>(sizeof(Real)) * reals; }

struct Sparse {
  std::string name;
  Csr a;                    // square or not
  std::vector<Index> rows;  // what the pushing form starts from
};

std::shared_ptr<const Sparse> graph(const std::string& name, ShapeOptions o) {
  o.features = o.classes;
  Dataset d = make_dataset(make_shape(o));
  return std::make_shared<Sparse>(Sparse{name, std::move(d.adjacency), std::move(d.splits[0].train)});
}

// y = A x: one addition per stored entry and column.
void add_spmm(const std::shared_ptr<const Sparse>& s, Index k, bool check) {
  const auto x = std::make_shared<Matrix>(random_matrix(s->a.cols, k, 1));
  const auto y = std::make_shared<Matrix>(s->a.rows, k);
  const std::string name = join("spmm/", s->name, "/", k);
  kernels::spmm(s->a, {}, *x, *y);
  if (check) verify(name, *y, plain::spmm(s->a, {}, *x));
  const double entries = static_cast<double>(s->a.nnz()), adds = entries * k;
  add({name, "adds", adds, bytes_of(adds) + entries * sizeof(Index), x->size() * sizeof(Real),
       [=] { kernels::spmm(s->a, {}, *x, *y); }});
}

void add_spmax(const std::shared_ptr<const Sparse>& s, Index k) {
  const auto x = std::make_shared<Matrix>(random_matrix(s->a.cols, k, 1));
  const auto y = std::make_shared<Matrix>(s->a.rows, k);
  const auto winner = std::make_shared<std::vector<Index>>();
  const std::string name = join("spmax/", s->name, "/", k);
  kernels::spmax(s->a, *x, true, *y, *winner);
  verify(name, *y, plain::spmax(s->a, *x, true).y);
  const double entries = static_cast<double>(s->a.nnz()), steps = entries * k;
  add({name, "comparisons", steps, bytes_of(steps) + entries * sizeof(Index), x->size() * sizeof(Real),
       [=] { kernels::spmax(s->a, *x, true, *y, *winner); }});
}

// y[v] += x[u] for the entries (u, v) of the training rows.
void add_push(const std::shared_ptr<const Sparse>& s, Index k) {
  const auto x = std::make_shared<Matrix>(random_matrix(s->a.rows, k, 1));
  const auto y = std::make_shared<Matrix>(s->a.cols, k);
  const std::string name = join("push/", s->name, "/", k);
  kernels::spmm_push_add(s->a, {}, s->rows, *x, *y);
  const Csr taken = take_rows(s->a, s->rows);
  Matrix x_rows(taken.rows, k);
  kernels::gather_rows(*x, s->rows, x_rows);
  verify(name, *y, plain::spmm(transpose(taken), {}, x_rows));
  const double entries = static_cast<double>(taken.nnz()), adds = entries * k;
  add({name, "adds", adds, bytes_of(adds) + entries * sizeof(Index), y->size() * sizeof(Real),
       [=] { kernels::spmm_push_add(s->a, {}, s->rows, *x, *y); }});
}

// y = x w and dw += x' y
void add_gemm(const std::string& name, Index n, Index k, Index m, bool check) {
  const auto x = std::make_shared<Matrix>(random_matrix(n, k, 1));
  const auto w = std::make_shared<Matrix>(random_matrix(k, m, 2));
  const auto y = std::make_shared<Matrix>(n, m);
  const auto dw = std::make_shared<Matrix>(k, m);
  kernels::gemm(*x, *w, *y);
  if (check) verify("gemm/" + name, *y, plain::gemm(*x, *w));
  const double work = static_cast<double>(x->size()) * m, bytes = bytes_of(static_cast<double>(x->size() + y->size()));
  const std::size_t footprint = (x->size() + y->size()) * sizeof(Real);
  add({"gemm/" + name, "multiply-adds", work, bytes, footprint, [=] { kernels::gemm(*x, *w, *y); }});
  add({"gemm transposed/" + name, "multiply-adds", work, bytes, footprint,
       [=] { kernels::gemm_transposed_add(*x, *y, *dw); }});
}

// Weights, gradient and two moments.
void add_adam(Index parameters) {
  const auto state = std::make_shared<std::vector<Matrix>>();
  for (std::uint64_t i = 0; i < 4; ++i) state->push_back(random_matrix(1, parameters, i));
  for (Real& v : (*state)[3].values()) v = std::abs(v);
  add({join("adam/", parameters), "parameters", static_cast<double>(parameters), bytes_of(4.0 * parameters),
       4 * sizeof(Real) * static_cast<std::size_t>(parameters), [=, step = std::int64_t{0}]() mutable {
         std::vector<Matrix>& s = *state;
         kernels::adam({5e-3, 5e-3, ++step}, s[0].values(), s[1].values(), s[2].values(), s[3].values());
       }});
}

void add_dropout(Index count) {
  const auto factor = std::make_shared<Matrix>(1, count);
  kernels::dropout_factors(Rng(1), 0.5, factor->values());
  const auto expected = plain::dropout_factors(Rng(1), 0.5, factor->size());
  require(std::equal(expected.begin(), expected.end(), factor->data()), "dropout: differs from its plain twin");
  add({join("dropout/", count), "factors", static_cast<double>(count), bytes_of(count), sizeof(Real) * factor->size(),
       [=] { kernels::dropout_factors(Rng(1), 0.5, factor->values()); }});
}

void add_all() {
  ShapeOptions o;
  o.nodes = 2277;
  o.edges = 33'200;  // repeats merged: about the 62,792 entries of chameleon
  o.classes = 5;
  const auto chameleon = graph("chameleon-like", o), arxiv = graph("arxiv-like", named_shape("arxiv"));
  for (Index k : {16, 32, 64}) add_spmm(chameleon, k, true);
  for (Index k : {16, 32, 64}) add_spmm(arxiv, k, false);
  for (Index k : {16, 32}) add_spmax(chameleon, k);
  for (Index k : {16, 32}) add_push(chameleon, k);
  o.features = 2325;
  o.words = 13;
  const Csr x = make_shape(o).features.sparse();
  const auto features = std::make_shared<Sparse>(Sparse{"features", x, {}});
  for (Index k : {16, 32}) add_spmm(features, k, true);
  for (Index k : {16, 32}) add_spmm(std::make_shared<Sparse>(Sparse{"features-transposed", transpose(x), {}}), k, true);
  add_gemm("hidden 2277x64x64", 2277, 64, 64, true);
  add_gemm("arxiv 169343x128x16", 169'343, 128, 16, false);
  add_adam(54'614);
  add_adam(1'000'000);
  add_dropout(2277 * 64);
}

}  // namespace
}  // namespace gcnh

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const std::size_t l2 = gcnh::cache_size(_SC_LEVEL2_CACHE_SIZE, gcnh::kMegabyte);
  const std::size_t l3 = gcnh::cache_size(_SC_LEVEL3_CACHE_SIZE, 32 * gcnh::kMegabyte);
  const std::size_t beyond = std::clamp(2 * l3, 256 * gcnh::kMegabyte, 1024 * gcnh::kMegabyte);
  benchmark::AddCustomContext("simd", gcnh::kernels::simd_name());
  benchmark::AddCustomContext("l2_gb_per_second", std::to_string(gcnh::ceiling(l2 / 2) / 1e9));
  benchmark::AddCustomContext("dram_gb_per_second", std::to_string(gcnh::ceiling(beyond) / 1e9));
  gcnh::add_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
