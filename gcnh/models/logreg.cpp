// Logistic regression: the floor for whatever reads features. It sees neither the graph nor products of features.
//   logits = X W + b
#include "gcnh/models/model.h"

namespace gcnh {
namespace {

class Logreg : public Model {
 public:
  struct Options {
    double dropout = 0;

    void visit(auto&& f) { f("dropout", dropout, "share of the features dropped in training", share()); }
  };

  Logreg(const Dataset& d, const Options& options, const Rng& rng)
      : Model(d, rng),
        options_(options),
        classifier_(add_linear("classifier", d.features.cols(), d.num_classes(), /*fan=*/d.features.cols())) {}

  // dropout(X) W + b
  Var forward(Tape& t, std::span<const Index> rows) override {
    return gather_rows(t, classifier_(t, input(), options_.dropout), rows);
  }

 private:
  Options options_;
  Linear classifier_;
};

}  // namespace

ModelType logreg_model() {
  ModelType type = describe_model<Logreg>("logreg", "logistic regression on the features alone, a floor");
  type.sees_graph = false;
  type.needs_whole = [](const OptionValues&) { return ""; };
  type.is_floor = true;
  type.cost = 2;
  return type;
}

}  // namespace gcnh
