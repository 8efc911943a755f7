// O(d)-SD: sheaf diffusion. Every node has a stalk of d coordinates (k channels each), every edge learns from its two
// ends how one end's stalk is to be turned before the other end compares it with its own.
//   x0 = dropout(ELU(dropout(X) Win + bin)) [Wsec + bsec],  x = x0
//   in each layer, with y = dropout(x), in the first y = x:
//     Q_uv = orthogonal(tanh([y_u | y_v] V)),  w_uv = sigmoid([y_u | y_v] q) sigmoid([y_v | y_u] q)
//     D_u = sum over v of w_uv^2,  x' = Left dropout(x) Right
//     z_u = D_u / (D_u + 1) x'_u - sum over v of w_uv^2 ((D_u + 1) (D_v + 1))^-1/2 Q_uv' Q_vu x'_v
//     x0 <- (1 + tanh eps) x0 - ELU(z),  x = x0
//   logits = x Wout + bout
// Diagonal maps scale the coordinates instead: F_uv = diag(tanh([y_u | y_v] V)), D_u = sum over v of F_uv^2, no w, and
// F_uv F_vu in place of w_uv^2 Q_uv' Q_vu.
// Coordinates beyond d ("lp", "hp") diffuse with w = 1 and the number +1 or -1 instead of -Q' Q.
// Bodnar, Di Giovanni, Chamberlain, Lio, Bronstein, NeurIPS 2022, arXiv:2202.04579.
#include <cmath>
#include <optional>

#include "gcnh/graph/adjacency.h"
#include "gcnh/models/model.h"
#include "gcnh/ops/sheaf.h"

namespace gcnh {
namespace {

// Columns of normal numbers, made orthonormal one after the other: uniform over all orthogonal matrices.
Matrix random_orthogonal(Index size, const Rng& rng) {
  std::vector<std::vector<double>> columns;
  for (Index c = 0; c < size; ++c) {
    std::vector<double>& column = columns.emplace_back(size);
    for (Index i = 0; i < size; ++i) column[i] = rng.normal(static_cast<std::uint64_t>(c) * size + i);
    const auto product = [&](const std::vector<double>& other) {
      double sum = 0;
      for (Index i = 0; i < size; ++i) sum += column[i] * other[i];
      return sum;
    };
    for (int pass = 0; pass < 2; ++pass) {  // the second removes what rounding left
      for (Index b = 0; b < c; ++b) {
        const double share = product(columns[b]);
        for (Index i = 0; i < size; ++i) column[i] -= share * columns[b][i];
      }
    }
    const double length = std::sqrt(product(column));
    for (double& v : column) v /= length;
  }
  Matrix q(size, size);
  for (Index i = 0; i < size; ++i)
    for (Index c = 0; c < size; ++c) q(i, c) = static_cast<Real>(columns[c][i]);
  return q;
}

// deg / (deg + 1) at the nodes and sign ((deg_u + 1) (deg_v + 1))^-1/2 between neighbours, on one coordinate.
struct FixedLaplacian {
  FixedLaplacian(const EdgeList& g, int sign)
      : diagonal{Matrix(g.num_nodes(), 1), {}}, blocks{Matrix(g.num_edges(), 1), {}} {
    const auto degree = [&](Index u) { return static_cast<double>(g.rows.row(u).size()); };
    for (Index u = 0; u < g.num_nodes(); ++u) diagonal.value(u, 0) = static_cast<Real>(degree(u) / (degree(u) + 1));
    for (Index e = 0; e < g.num_edges(); ++e)
      blocks.value(e, 0) = static_cast<Real>(sign / std::sqrt((degree(g.ends[e].u) + 1) * (degree(g.ends[e].v) + 1)));
  }
  SheafLaplacian operator()() { return {1, &diagonal, &blocks}; }
  Node diagonal, blocks;
};

enum class Maps { orthogonal, diagonal };
Words words_of(Maps) { return {{"orthogonal", "turns it"}, {"diagonal", "scales its coordinates"}}; }
enum class Decay { same };
Words words_of(Decay) { return {{"same", "as all others"}}; }

class Odsd : public Model {
 public:
  struct Options {
    Maps maps = Maps::orthogonal;
    int d = 3;
    int layers = 2;
    int hidden = 16;
    bool lp = false;
    bool hp = false;
    bool edge_weights = true;
    bool sparse_learner = false;
    bool second_linear = false;
    double dropout = 0.5;
    double input_dropout = 0;
    NumberOr<double, Decay> sheaf_decay = Decay::same;

    void visit(auto&& f) {
      f("maps", maps, "what an edge does to a stalk");
      f("d", d, "dimension of the stalks", within(1, kernels::kMaxStalk));
      f("layers", layers, "diffusion steps", at_least(1));
      f("hidden", hidden, "channels per stalk coordinate", at_least(1));
      f("lp", lp, "one more coordinate, diffused with +1 between neighbours");
      f("hp", hp, "one more coordinate, diffused with -1 between neighbours (graph Laplacian)");
      f("edge_weights", edge_weights, "learn a weight for every edge (orthogonal maps only)");
      f("sparse_learner", sparse_learner, "share the map learner's weights among coordinates");
      f("second_linear", second_linear, "a second linear layer before the diffusion");
      f("dropout", dropout, "share dropped in training after the input layer and in every diffusion step", share());
      f("input_dropout", input_dropout, "share of the features dropped in training", share());
      f("sheaf_decay", sheaf_decay, "weight decay of the map learners", at_least(0));
    }
  };

  Odsd(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng), options_(options), graph_(std::make_shared<EdgeList>(simple_graph(d.adjacency))) {
    const Index f = options.d + options.lp + options.hp, width = f * options.hidden;
    embed_ = add_linear("input", d.features.cols(), width, d.features.cols());
    if (options.second_linear) second_ = add_linear("second", width, width, width);
    for (int l = 0; l < options.layers; ++l) add_layer("layers." + std::to_string(l) + ".", f);
    classifier_ = add_linear("classifier", width, d.num_classes(), width);
    if (options.lp) lp_.emplace(*graph_, +1);
    if (options.hp) hp_.emplace(*graph_, -1);
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Var x = dropout(t, elu(t, embed_(t, input(), options_.input_dropout)), options_.dropout);
    if (options_.second_linear) x = second_(t, x);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const Layer& layer = layers_[l];
      Var y = l == 0 ? x : dropout(t, x, options_.dropout);
      std::vector<SheafLaplacian> parts = laplacians(t, layer, y);
      if (lp_) parts.push_back((*lp_)());
      if (hp_) parts.push_back((*hp_)());
      Var moved = matmul(t, left_product(t, layer.left, dropout(t, x, options_.dropout)), layer.right);
      x = t.layer(stalk_residual(t, layer.epsilon, x, elu(t, diffuse(t, graph_, parts, moved))));
    }
    return classifier_(t, gather_rows(t, x, rows));
  }

 private:
  struct Layer {
    std::vector<Var> learners;  // V unless there is nothing to turn (orthogonal maps, d = 1), q with edge weights
    Param* left = nullptr;
    Param* right = nullptr;
    Param* epsilon = nullptr;
  };

  bool diagonal() const { return options_.maps == Maps::diagonal; }

  void add_layer(const std::string& name, Index f) {
    const Index k = options_.hidden, numbers = diagonal() ? options_.d : options_.d * (options_.d - 1) / 2;
    const auto bound = [](Index fan) { return 1 / std::sqrt(static_cast<double>(fan)); };
    Layer layer;
    if (numbers > 0) {
      const Index fan = 2 * k * (options_.sparse_learner ? 1 : f);
      Param* maps = add_param(name + "maps", fan, numbers, bound(fan));
      maps->weight_decay = options_.sheaf_decay.number();
      layer.learners.push_back(maps);
    }
    if (options_.edge_weights && !diagonal())
      layer.learners.push_back(add_param(name + "weights", 2 * f * k, 1, bound(2 * f * k)));
    layer.left = add_param(name + "left", f, f, 0);
    for (Index i = 0; i < f; ++i) layer.left->value(i, i) = 1;
    const Rng stream = next_stream();
    layer.right = add_param(name + "right", k, k, 0);
    layer.right->value = random_orthogonal(k, stream);
    layer.epsilon = add_param(name + "epsilon", 1, f, 0);
    layers_.push_back(layer);
  }

  std::vector<SheafLaplacian> laplacians(Tape& t, const Layer& layer, Var y) const {
    Var projections = matmul(t, y, end_weights(t, layer.learners, y->cols()));
    if (diagonal()) return diagonal_laplacians(t, graph_, projections, options_.d);
    return {orthogonal_laplacian(t, graph_, projections, options_.d, options_.edge_weights)};
  }

  Options options_;
  Edges graph_;  // undirected, no loops, whatever the view
  Linear embed_, second_, classifier_;
  std::vector<Layer> layers_;
  std::optional<FixedLaplacian> lp_, hp_;
};

}  // namespace

ModelType odsd_model() {
  ModelType type =
      describe_model<Odsd>("odsd", "sheaf diffusion: neighbours compared after a learned rotation per edge");
  type.reads_weights = [](const OptionValues&) { return false; };
  type.reads_direction = false;
  type.cost = 6;
  return type;
}

}  // namespace gcnh
