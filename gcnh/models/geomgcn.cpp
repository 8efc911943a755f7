// Geom-GCN: one weight matrix for every direction in which a neighbour lies, in the graph and in an embedding of it.
//   H <- ReLU([S_1 D W_1 | ... | S_k D W_k]) for all layers but the last;   logits = 1/k sum_i S_i D W_i
//   D = dropout(H), H0 = X;  S_i[v][u] = 1 / sqrt(deg u deg v) for the nodes u in relation i of v, the last relation
//   being the node itself; deg v counts the nodes in all relations of v. k is 9, whether all relations occur or not.
// Pei et al., ICLR 2020, arXiv:2002.05287, in the form of Yan et al., arXiv:2102.06462: one head, no biases.
#include <cmath>

#include "gcnh/graph/relations.h"
#include "gcnh/models/model.h"

namespace gcnh {
namespace {

enum class RelationSource { automatic, computed };
Words words_of(RelationSource) { return {{"auto", "the published ones where the data folder has them"}, {"computed"}}; }
enum class Latent { automatic };
Words words_of(Latent) { return {{"auto", "mds 1, poincare 0"}}; }

constexpr double kMostLatent = 100;  // memory grows with it

class GeomGcn : public Model {
 public:
  struct Options {
    int layers = 2;
    int hidden = 16;
    double dropout = 0.5;
    EmbeddingKind embedding = EmbeddingKind::poincare;
    RelationSource relations = RelationSource::automatic;
    NumberOr<double, Latent> latent = Latent::automatic;

    void visit(auto&& f) {
      f("layers", layers, "graph convolutions", at_least(1));
      f("hidden", hidden, "width of each of the nine parts of a hidden layer", at_least(1));
      f("dropout", dropout, "share of each layer's input dropped in training, the features included", share());
      f("embedding", embedding, "what gives edges a direction");
      f("relations", relations, "");
      f("latent", latent, "neighbours by position alone, per neighbour, in computed relations", within(0, kMostLatent));
    }
  };

  GeomGcn(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng),
        options_(options),
        blocks_(relation_blocks(d.derived.matrices)),
        mean_(mean_of_blocks(blocks_.forward(), d.num_nodes())) {
    const Index parts = blocks_.rows() / d.num_nodes();
    for (auto [name, in, out] : stack(options.layers, options.hidden)) {
      if (!layers_.empty()) in *= parts;
      const double bound = std::sqrt(6.0 / (in + out));  // Xavier, each part on its own
      layers_.push_back(add_param(name + ".weight", in, parts * out, bound));
    }
  }

  Var forward(Tape& t, std::span<const Index> rows) override {
    Var z = input().times(t, layers_[0], options_.dropout);  // D [W_1 | ... | W_k]
    for (std::size_t l = 1; l < layers_.size(); ++l) {
      const Var h = relu(t, spmm(t, blocks_, part_by_part(t, z)));
      z = Input(t.layer(reshape(t, h, z->rows(), z->cols()))).times(t, layers_[l], options_.dropout);
    }
    return gather_rows(t, spmm(t, mean_, part_by_part(t, z)), rows);
  }

 private:
  // A node's k parts one under the other.
  Var part_by_part(Tape& t, Var z) const {
    const Index parts = blocks_.rows() / z->rows();
    return reshape(t, z, blocks_.rows(), z->cols() / parts);
  }

  Options options_;
  Propagator blocks_;  // (k n, k n): S_i on the i-th part of every node
  Propagator mean_;    // (n, k n): the sum of the parts, divided by k
  std::vector<Param*> layers_;
};

// The paper's text asks for as many latent neighbours as neighbours. Its published files keep to that with scaling; in
// the disk those of the two large graphs hold nearly none (Chameleon 0.4 %, Film 3 %), and the full number costs
// accuracy (docs/architecture.md has the figures).
double latent_share(const GeomGcn::Options& options) {
  return options.latent.number().value_or(options.embedding == EmbeddingKind::mds ? 1 : 0);
}

Derived derive_relations(const OptionValues& values, const Dataset& d) {
  GeomGcn::Options options;
  assign(options, values);
  const std::string embedding = to_word(options.embedding);
  const auto published = d.published.find(embedding + " relations");
  if (options.relations == RelationSource::automatic && published != d.published.end())
    return {"relations", "published " + embedding, published->second()};
  return {"relations", "computed " + embedding,
          compute_relations(d.adjacency, options.embedding, latent_share(options))};
}

}  // namespace

ModelType geomgcn_model() {
  ModelType type = describe_model<GeomGcn>("geomgcn", "own weights for each direction in which a neighbour lies");
  type.reads_weights = [](const OptionValues&) { return false; };
  type.reads_direction = false;
  type.derive = derive_relations;
  type.derive_options = {"embedding", "relations", "latent"};
  type.bound_to_graph = [](const OptionValues&) {
    return "its nodes' directions come from an embedding of that graph and mean nothing on another one: train on this "
           "graph, or take a model that carries over";
  };
  type.cost = 9;
  return type;
}

}  // namespace gcnh
