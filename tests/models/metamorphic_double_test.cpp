// Changes to the input that must not matter, or must matter in a known way, on 100 random cases each.
#include <gtest/gtest.h>

#include "gcnh/train/make_stepper.h"
#include "gcnh/train/trainer.h"
#include "tests/models/variants.h"
#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

constexpr double kSame = 1e-10;

// Calls check(variant, dataset, rng) for 100 random cases per variant.
template <class Check>
void on_random_cases(const Check& check) {
  for (const Variant& variant : model_variants(4)) {
    for (int number = 0; number < 100; ++number) {
      SCOPED_TRACE(variant.text() + ", case " + std::to_string(number));
      const Rng rng = Rng(61).fork(number);
      const GraphShape shape{.nodes = 5 + number % 20, .directed = number % 3 == 0, .weights = number % 2 == 0};
      check(variant, variant.on(random_dataset(shape, 6, 3, rng.fork(0), number % 4 != 0)), rng.fork(1));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

void expect_same_gradients(const Model& a, const Model& b) {
  for (std::size_t i = 0; i < a.params().size(); ++i)
    EXPECT_TRUE(matrices_near(a.params()[i].grad, b.params()[i].grad, kSame)) << a.params()[i].name;
}

void expect_same_parameters(const Model& a, const Model& b) {
  for (std::size_t i = 0; i < a.params().size(); ++i)
    EXPECT_TRUE(matrices_near(a.params()[i].value, b.params()[i].value, kSame)) << a.params()[i].name;
}

// Entry (i, j) moves to (rows[i], cols[j]).
Csr relabel(const Csr& a, const std::vector<Index>& rows, const std::vector<Index>& cols) {
  std::vector<Triple> entries;
  for (Index i = 0; i < a.rows; ++i)
    for (Offset e = a.offsets[i]; e < a.offsets[i + 1]; ++e)
      entries.push_back({rows[i], cols[a.indices[e]], a.value(e)});
  return make_csr(a.rows, a.cols, entries, Repeats::add);
}

std::vector<Index> identity(Index count) {
  std::vector<Index> out(count);
  for (Index i = 0; i < count; ++i) out[i] = i;
  return out;
}

TEST(Metamorphic, NodeNumbersDoNotMatter) {
  on_random_cases([](const Variant& variant, const Dataset& d, const Rng& rng) {
    if (variant.numbers_nodes()) return;
    std::vector<Index> to = all_nodes(d);
    shuffle(to, rng);
    Dataset moved = d;
    moved.adjacency = relabel(d.adjacency, to, to);
    if (d.keeps_apart()) moved.pointing_to = relabel(d.pointing_to, to, to);
    for (Csr& relation : moved.derived.matrices) relation = relabel(relation, to, to);
    if (d.features.is_sparse()) moved.features.sparse() = relabel(d.features.sparse(), to, identity(d.features.cols()));
    for (Index u = 0; u < d.num_nodes(); ++u) {
      moved.labels[to[u]] = d.labels[u];
      for (Index j = 0; !d.features.is_sparse() && j < d.features.cols(); ++j)
        moved.features.dense()(to[u], j) = d.features.dense()(u, j);
    }
    const auto a = make_model(variant.model, d, variant.options, rng),
               b = make_model(variant.model, moved, variant.options, rng);
    const Matrix here = log_probabilities(*a, d), there = log_probabilities(*b, moved);
    for (Index u = 0; u < d.num_nodes(); ++u)
      for (Index c = 0; c < 3; ++c) EXPECT_NEAR(there(to[u], c), here(u, c), kSame);
    EXPECT_NEAR(loss_and_gradients(*a, d, all_nodes(d)), loss_and_gradients(*b, moved, all_nodes(moved)), kSame);
    expect_same_gradients(*a, *b);
  });
}

TEST(Metamorphic, OrderInTheBatchDoesNotMatter) {
  on_random_cases([](const Variant& variant, const Dataset& d, const Rng& rng) {
    std::vector<Index> order = all_nodes(d);
    shuffle(order, rng);
    const auto a = make_model(variant.model, d, variant.options, rng),
               b = make_model(variant.model, d, variant.options, rng);
    EXPECT_NEAR(loss_and_gradients(*a, d, all_nodes(d)), loss_and_gradients(*b, d, order), kSame);
    expect_same_gradients(*a, *b);
  });
}

// The gradient of the whole is the mean of the gradients of its halves, weighted by size.
TEST(Metamorphic, HalvesAddUpToTheWhole) {
  on_random_cases([](const Variant& variant, const Dataset& d, const Rng& rng) {
    const std::vector<Index> all = all_nodes(d);
    const auto cut = all.begin() + 1 + static_cast<std::ptrdiff_t>(rng.below(all.size() - 1, 0));
    const std::vector<Index> left(all.begin(), cut), right(cut, all.end());
    const auto model = make_model(variant.model, d, variant.options, rng);
    const double share = static_cast<double>(left.size()) / static_cast<double>(all.size());
    double loss = share * loss_and_gradients(*model, d, left);
    const std::deque<Param> of_left = model->params();
    loss += (1 - share) * loss_and_gradients(*model, d, right);
    const std::deque<Param> of_right = model->params();
    EXPECT_NEAR(loss_and_gradients(*model, d, all), loss, kSame);
    for (std::size_t i = 0; i < of_left.size(); ++i)
      for (std::size_t k = 0; k < of_left[i].grad.size(); ++k)
        EXPECT_NEAR(model->params()[i].grad.values()[k],
                    share * of_left[i].grad.values()[k] + (1 - share) * of_right[i].grad.values()[k], kSame);
  });
}

TEST(Metamorphic, BatchOfAllEqualsFullBatch) {
  on_random_cases([](const Variant& variant, Dataset d, const Rng& rng) {
    d.splits[0].val = d.splits[0].train;
    OptionValues options = variant.options;
    options["dropout"] = "0.2";
    TrainState first;
    for (const NumberOr<int, Batch> batch : {NumberOr<int, Batch>(Batch::full), {d.num_nodes()}, {1000}}) {
      const auto model = make_model(variant.model, d, options, rng);
      TapeStepper stepper(*model, 0.01, 0.001);
      TrainState state;
      train(stepper, d.labels, d.splits[0], {.epochs = 3, .batch = batch}, rng, state,
            [](const TrainState&) { return true; });
      if (batch == Batch::full) first = state;
      for (int e = 0; e < 3; ++e) {
        EXPECT_EQ(state.history[e].train_loss, first.history[e].train_loss);
        EXPECT_EQ(state.history[e].val_loss, first.history[e].val_loss);
      }
    }
  });
}

TEST(Metamorphic, AnIsolatedUnlabelledNodeChangesNothingElse) {
  on_random_cases([](const Variant& variant, const Dataset& d, const Rng& rng) {
    if (variant.numbers_nodes() || variant.counts_nodes()) return;
    Dataset more = d;
    const Index n = d.num_nodes();
    const auto add_node = [n](Csr& a) {
      a.rows = a.cols = n + 1;
      a.offsets.push_back(a.nnz());
    };
    add_node(more.adjacency);
    if (d.keeps_apart()) add_node(more.pointing_to);
    for (Csr& relation : more.derived.matrices) add_node(relation);
    if (d.features.is_sparse()) {
      Csr& x = more.features.sparse();  // the new node has the first feature
      x.rows = n + 1;
      x.indices.push_back(0);
      if (!x.values.empty()) x.values.push_back(1);
      x.offsets.push_back(x.nnz());
    } else {
      more.features.dense() = Matrix(n + 1, d.features.cols(), 1);
      for (std::size_t i = 0; i < d.features.dense().size(); ++i)
        more.features.dense().values()[i] = d.features.dense().values()[i];
    }
    more.labels.push_back(-1);
    const auto a = make_model(variant.model, d, variant.options, rng),
               b = make_model(variant.model, more, variant.options, rng);
    TapeStepper on_a(*a, 0.01, 0.001), on_b(*b, 0.01, 0.001);
    for (int step = 0; step < 3; ++step)
      EXPECT_NEAR(on_a.step(d.splits[0].train, rng), on_b.step(d.splits[0].train, rng), kSame);
    expect_same_parameters(*a, *b);
    const Matrix here = log_probabilities(*a, d), there = log_probabilities(*b, more);
    for (Index u = 0; u < n; ++u)
      for (Index c = 0; c < 3; ++c) EXPECT_NEAR(there(u, c), here(u, c), kSame);
  });
}

// A feature column given twice, each with the same weights, is the column given once with doubled weights.
TEST(Metamorphic, AFeatureTwiceIsAFeatureOfDoubleWeight) {
  on_random_cases([](const Variant& variant, const Dataset& d, const Rng& rng) {
    if (!d.features.is_sparse()) return;
    const Csr& x = d.features.sparse();
    const Index column = static_cast<Index>(rng.below(x.cols, 0));
    std::vector<Triple> entries;
    for (Index i = 0; i < x.rows; ++i)
      for (Offset e = x.offsets[i]; e < x.offsets[i + 1]; ++e) {
        entries.push_back({i, x.indices[e], x.value(e)});
        if (x.indices[e] == column) entries.push_back({i, x.cols, x.value(e)});
      }
    Dataset twice = d;
    twice.features.sparse() = make_csr(x.rows, x.cols + 1, entries, Repeats::add);
    const auto a = make_model(variant.model, d, variant.options, rng),
               b = make_model(variant.model, twice, variant.options, rng);
    for (std::size_t p = 0; p < a->params().size(); ++p) {
      Matrix &once = a->params()[p].value, &both = b->params()[p].value;
      if (once.same_shape(both)) {
        both = once;
        continue;
      }
      for (Index i = 0; i < both.rows(); ++i)
        for (Index j = 0; j < both.cols(); ++j) both(i, j) = once(i == x.cols ? column : i, j);
      for (Index j = 0; j < once.cols(); ++j) once(column, j) *= 2;
    }
    EXPECT_TRUE(matrices_near(log_probabilities(*b, twice), log_probabilities(*a, d), kSame));
  });
}

}  // namespace
}  // namespace gcnh::testing
