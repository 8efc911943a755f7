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

class GeomGcn : public Model {
 public:
  struct Options {
    int layers = 2;
    int hidden = 16;
    double dropout = 0.5;
    std::string embedding = "poincare";
    std::string relations = "auto";
    std::string latent = "auto";

    void visit(auto&& f) {
      f("layers", layers, "graph convolutions");
      f("hidden", hidden, "width of each of the nine parts of a hidden layer");
      f("dropout", dropout, "share of each layer's input dropped in training, the features included");
      f("embedding", embedding, "what gives edges a direction: poincare | mds (of shortest paths)");
      f("relations", relations, "auto (the published ones where the data folder has them) | computed");
      f("latent", latent,
        "neighbours by position alone, per neighbour, in computed relations: auto (mds 1, poincare 0) | a number");
    }
  };

  GeomGcn(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng),
        options_(options),
        blocks_(relation_blocks(d.derived.matrices)),
        mean_(mean_of_blocks(blocks_.forward(), d.num_nodes())) {
    require_positive("layers", options.layers);
    require_positive("hidden", options.hidden);
    require_share("dropout", options.dropout);
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
      z = Input(reshape(t, h, z->rows(), z->cols())).times(t, layers_[l], options_.dropout);
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

constexpr double kMostLatent = 100;  // memory grows with it

// The paper's text asks for as many latent neighbours as neighbours. Its published files keep to that with scaling; in
// the disk those of the two large graphs hold nearly none (Chameleon 0.4 %, Film 3 %), and the full number costs
// accuracy (docs/architecture.md has the figures).
double latent_share(const std::string& embedding, const std::string& latent) {
  if (latent == "auto") return embedding == "mds" ? 1 : 0;
  double share = 0;
  parse_text("latent", latent, share);
  if (!(share >= 0 && share <= kMostLatent)) fail(Status::usage, "latent: ", latent, " is outside 0..", kMostLatent);
  return share;
}

Derived derive_relations(const OptionValues& values, const Dataset& d) {
  GeomGcn::Options options;
  assign(options, values);
  require_one_of("embedding", options.embedding, {"poincare", "mds"});
  require_one_of("relations", options.relations, {"auto", "computed"});
  const double latent = latent_share(options.embedding, options.latent);
  const auto published = d.published.find(options.embedding + " relations");
  if (options.relations == "auto" && published != d.published.end())
    return {"relations", "published " + options.embedding, published->second()};
  return {"relations", "computed " + options.embedding, compute_relations(d.adjacency, options.embedding, latent)};
}

}  // namespace

ModelType geomgcn_model() {
  ModelType type = describe_model<GeomGcn>("geomgcn", "own weights for each direction in which a neighbour lies");
  type.derive = derive_relations;
  type.derive_options = {"embedding", "relations", "latent"};
  type.bound_to_graph =
      "its nodes' directions come from an embedding of that graph and mean nothing on another one: train on this "
      "graph, "
      "or take a model that carries over";
  return type;
}

}  // namespace gcnh
