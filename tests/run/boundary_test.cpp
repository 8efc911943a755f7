// What a program that embeds the library may get wrong: nodes and classes that are not there, data in another form than
// the model's, references to what is gone. Each is an error, or does not compile.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gcnh/gcnh.h"
#include "gcnh/graph/synthetic.h"
#include "gcnh/run/run_files.h"
#include "tests/support/temp_dir.h"

namespace gcnh::testing {
namespace {

Tables bounded_tables() {
  SyntheticOptions options;
  options.nodes = 60;
  options.features = 60;
  return make_synthetic(options);
}

Experiment bounded_experiment(const std::string& model, const std::string& scale = "rows") {
  gcnh::Setup setup;
  setup.model = model;
  setup.scale = scale;
  setup.splits = {0};
  setup.threads = 1;
  setup.options = {{"epochs", "3"}, {"hidden", "4"}};
  return prepare(setup, bounded_tables());
}

// A trained model, its data, and an ensemble of it and itself.
struct Bounded {
  explicit Bounded(const std::string& name, const std::string& scale = "rows")
      : experiment(bounded_experiment(name, scale)),
        model(trained_model(experiment, run(experiment))),
        data(fit_to_model(model, bounded_tables())),
        twins(model) {
    twins.others.push_back({model.schema, model.parameters});
  }
  Experiment experiment;
  TrainedModel model;
  Dataset data;
  TrainedModel twins;
};

std::string data_error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.status() == Status::data ? error.what() : "not a data error";
  }
  return "no error";
}

TEST(Boundary, NodesThatAreNotThereAreRefused) {
  for (const char* name : {"gcnh", "gcn"}) {
    const Bounded b(name);
    for (const TrainedModel* model : {&b.model, &b.twins}) {
      const auto explainer = make_explainer(*model, b.data);
      for (Index node : {-1, 60, 100'000'000}) {
        const std::vector<Index> nodes = {0, node};
        const std::vector<int> classes = {0};
        const auto expect_refusal = [&](const std::function<void()>& body) {
          EXPECT_EQ(data_error_of(body), join(b.data.name, ": node ", node, " outside 0..59")) << name;
        };
        expect_refusal([&] { predict(*model, b.data, nodes); });
        expect_refusal([&] { evaluate(*model, b.data, nodes); });
        expect_refusal([&] { explain(*model, b.data, nodes); });
        expect_refusal([&] { answer({.model = *model, .dataset = b.data, .nodes = nodes}); });
        expect_refusal([&] { node_status(*model, b.data, {}, node); });
        expect_refusal([&] { model->knows(b.data, node); });
        expect_refusal([&] { explainer->logits(node); });
        expect_refusal([&] { explainer->explain(node, classes); });
        expect_refusal([&] { b.data.id(node); });
        expect_refusal([&] { make_account(*explainer, b.data, node, std::vector<Real>(b.data.classes.size())); });
        expect_refusal([&] {
          find_flip(
              b.data, [&](const Dataset& d) { return make_explainer(*model, d); }, node, true);
        });
      }
    }
  }
  const Bounded b("gcnh");
  const Matrix points = embed(b.model, b.data).points;
  for (Index node : {-1, 60})
    EXPECT_EQ(data_error_of([&] { most_similar(points, node, 3); }), join("node ", node, " outside 0..59"));
  const auto explainer = make_explainer(b.model, b.data);
  EXPECT_NE(data_error_of([&] { explainer->neighbour_sum(60); }).find("node 60 outside 0..59"), std::string::npos);
}

TEST(Boundary, ClassesThatAreNotThereAreRefused) {
  for (const char* name : {"gcnh", "gcn"}) {
    const Bounded b(name);
    const std::vector<Index> nodes = {0};
    for (const TrainedModel* model : {&b.model, &b.twins}) {
      const auto explainer = make_explainer(*model, b.data);
      for (int k : {-1, static_cast<int>(b.data.num_classes()), 7'777'777}) {
        const std::string expected = join(b.data.name, ": class ", k, " outside 0..", b.data.num_classes() - 1);
        EXPECT_EQ(data_error_of([&] { explainer->explain(0, std::vector<int>{k}); }), expected);
        EXPECT_EQ(data_error_of([&] { explain(*model, b.data, nodes, {.account = {.rival = k}}); }), expected);
      }
    }
  }
}

TEST(Boundary, DataThatIsNotInTheFormOfTheModelIsRefused) {
  const Bounded b("gcnh");
  const std::vector<Index> nodes = {0, 1};
  for (const Dataset& d : {*b.experiment.dataset, make_dataset(bounded_tables()), Bounded("gcnh", "none").data}) {
    const auto expect_refusal = [&](const std::function<void()>& body) {
      EXPECT_NE(data_error_of(body).find("fit_to_model"), std::string::npos) << data_error_of(body);
    };
    expect_refusal([&] { predict(b.model, d, nodes); });
    expect_refusal([&] { evaluate(b.model, d, nodes); });
    expect_refusal([&] { explain(b.model, d, nodes); });
    expect_refusal([&] { make_explainer(b.model, d); });
    expect_refusal([&] { embed(b.model, d); });
    expect_refusal([&] { layer_outputs(b.model, d); });
    expect_refusal([&] { answer({.model = b.model, .dataset = d, .nodes = nodes}); });
  }
}

TEST(Boundary, AModelReadBackTakesTheSameData) {
  const TempDir folder;
  for (const char* scale : {"none", "rows", "largest"}) {
    const Bounded b("gcnh", scale);
    save_model(folder / "m.safetensors", b.model);
    const TrainedModel read = load_model(folder / "m.safetensors");
    const std::vector<Index> nodes = {0, 1};
    EXPECT_EQ(to_csv(answer({.model = read, .dataset = b.data, .nodes = nodes})),
              to_csv(answer({.model = b.model, .dataset = b.data, .nodes = nodes})));
  }
}

TEST(Boundary, AMemberTakesItsOwnData) {
  const Bounded b("gcnh");
  const auto shared = std::make_shared<const Dataset>(b.data);
  for (const TrainedModel& member : members(b.twins))
    EXPECT_EQ(predict(member, *member_dataset(member, shared), std::vector<Index>{3}).rows(), 1);
}

TEST(Boundary, AnswersOwnTheirNodes) {
  const Bounded b("gcnh");
  const NodeAnswers answers = answer({.model = b.model, .dataset = b.data, .nodes = {2, 5}});
  EXPECT_EQ(answers.request.nodes, (std::vector<Index>{2, 5}));
  EXPECT_EQ(to_csv(answers).find("id,predicted"), 0u);
  EXPECT_NE(to_csv(answers).find("\n5,"), std::string::npos);
}

TEST(Boundary, ARunWithoutSplitsHasNoModel) {
  const RunResult none;
  EXPECT_EQ(data_error_of([&] { none.best(); }), "a run without splits has no best one");
  EXPECT_EQ(data_error_of([] { RunResult{}.best(); }), "a run without splits has no best one");
  EXPECT_EQ(data_error_of([] { trained_model(bounded_experiment("mlp"), RunResult{}); }),
            "a run without splits has no best one");
  EXPECT_TRUE(std::isnan(mean_std({}).mean));
}

// What would refer to a temporary does not compile.
template <class D>
concept AnswerableFor = requires(const TrainedModel& model, D&& d) {
  AnswerRequest{.model = model, .dataset = std::forward<D>(d)};
};
template <class D>
concept ExplainableFor = requires(const TrainedModel& model, D&& d) {
  make_explainer(model, std::forward<D>(d));
};
template <class E>
concept HasAnswers = requires(E&& e) {
  model_answers(std::forward<E>(e));
};

static_assert(AnswerableFor<Dataset&> && !AnswerableFor<Dataset>);
static_assert(ExplainableFor<const Dataset&> && !ExplainableFor<Dataset>);
static_assert(std::is_constructible_v<TrainedExplainer, const TrainedModel&, Dataset&>);
static_assert(!std::is_constructible_v<TrainedExplainer, const TrainedModel&, Dataset>);
static_assert(HasAnswers<const Experiment&> && !HasAnswers<Experiment>);
static_assert(std::is_constructible_v<MemoryRows, std::string, const std::vector<TextColumn>&>);
static_assert(!std::is_constructible_v<MemoryRows, std::string, std::vector<TextColumn>>);
static_assert(std::is_same_v<decltype(std::declval<RunResult>().best()), SplitOutcome>);

// Whoever names some fields need not name the others.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
TEST(Boundary, FieldsThatAreLeftOutHaveDefaults) {
  EXPECT_EQ((CsvSource{.nodes = "a"}).id, "id");
  EXPECT_FALSE((AccountOptions{.top = 3}).rival);
  EXPECT_EQ((ExplainOptions{.change = false}).account.top, 10u);
  EXPECT_TRUE((Aims{.level = 0.8}).costs.empty());
  EXPECT_TRUE((Split{.train = {0}, .test = {1}}).val.empty());
  EXPECT_TRUE((Tables{.name = "a"}).edges.empty());
  EXPECT_EQ((Csr{.rows = 0, .cols = 2}).nnz(), 0);
  EXPECT_FALSE((Decision{.temperature = 2}).has_sets());
  EXPECT_TRUE((TrainedModel{.model = "gcnh"}).parameters.empty());
  EXPECT_TRUE((Dataset{.name = "a"}).labels.empty());
}
#pragma GCC diagnostic pop

}  // namespace
}  // namespace gcnh::testing
