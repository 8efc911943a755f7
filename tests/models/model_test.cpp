// What models promise whatever their equations: parameter counts of the papers' configurations, initial ranges, refused
// options.
#include "gcnh/models/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

struct Size {
  Index features;
  int classes;
};
const Size kCornell{1703, 5}, kTexas{1703, 5}, kWisconsin{1703, 5}, kFilm{931, 5}, kChameleon{2325, 5},
    kSquirrel{2089, 5}, kCora{1433, 7}, kCiteseer{3703, 6};

std::size_t count(const char* model, Size size, int layers, int hidden) {
  const Dataset d = shape_only(size.features, size.classes);
  return make_model(model, d, {{"layers", std::to_string(layers)}, {"hidden", std::to_string(hidden)}})
      ->num_parameters();
}

TEST(ParameterCounts, Gcnh) {
  EXPECT_EQ(count("gcnh", kCornell, 1, 16), 54614u);
  EXPECT_EQ(count("gcnh", kTexas, 1, 32), 109222u);
  EXPECT_EQ(count("gcnh", kWisconsin, 2, 32), 111335u);
  EXPECT_EQ(count("gcnh", kFilm, 2, 32), 61927u);
  EXPECT_EQ(count("gcnh", kChameleon, 1, 32), 149030u);
  EXPECT_EQ(count("gcnh", kSquirrel, 1, 32), 133926u);
  EXPECT_EQ(count("gcnh", kCora, 2, 64), 192329u);
  EXPECT_EQ(count("gcnh", kCiteseer, 1, 16), 118631u);
  EXPECT_EQ(count("gcnh", kFilm, 1, 16), 29910u);
  EXPECT_EQ(count("gcnh", kCora, 1, 16), 46008u);
  EXPECT_EQ(count("gcnh", kSquirrel, 1, 16), 66966u);
  EXPECT_EQ(count("gcnh", kChameleon, 1, 16), 74518u);
}

TEST(ParameterCounts, Mlp) {
  EXPECT_EQ(count("mlp", kCora, 2, 16), 23063u);
  EXPECT_EQ(count("mlp", kCiteseer, 2, 64), 237446u);
}

TEST(ParameterCounts, Logreg) {
  const Dataset d = shape_only(kCora.features, kCora.classes);
  EXPECT_EQ(make_model("logreg", d, {})->num_parameters(), 1433u * 7 + 7);
}

TEST(ParameterCounts, Gcn) {
  EXPECT_EQ(count("gcn", kCora, 2, 16), 23063u);
  EXPECT_EQ(count("gcn", kChameleon, 2, 16), 37301u);
  EXPECT_EQ(count("gcn", kSquirrel, 2, 16), 33525u);
  EXPECT_EQ(count("gcn", kCiteseer, 2, 16), 59366u);
}

TEST(ParameterCounts, Gprgnn) {
  const Dataset d = shape_only(kCora.features, kCora.classes);
  EXPECT_EQ(make_model("gprgnn", d, {{"steps", "4"}})->num_parameters(), 92236u);
}

TEST(ParameterCounts, H2gcn) {
  const Dataset d = shape_only(kCora.features, kCora.classes);
  EXPECT_EQ(make_model("h2gcn", d, {{"rounds", "2"}})->num_parameters(), 94848u);
  EXPECT_EQ(make_model("h2gcn", d, {{"rounds", "1"}})->num_parameters(), 93056u);
}

TEST(ParameterCounts, GeomGcn) {
  EXPECT_EQ(count("geomgcn", kCora, 2, 16), 215424u);
  EXPECT_EQ(count("geomgcn", kChameleon, 2, 48), 1023840u);
}

TEST(ParameterCounts, GcnhVariants) {
  const Dataset d = shape_only(10, 3);
  const auto size = [&](OptionValues options) {
    options.insert({{"layers", "2"}, {"hidden", "4"}});
    return make_model("gcnh", d, options)->num_parameters();
  };
  const std::size_t encoders = (10 * 4 + 4) + (4 * 4 + 4), classifier = 4 * 3 + 3;
  EXPECT_EQ(size({}), 2 * encoders + 2 + classifier);
  EXPECT_EQ(size({{"encoders", "shared"}}), encoders + 2 + classifier);
  EXPECT_EQ(size({{"beta", "0.5"}}), 2 * encoders + classifier);
  EXPECT_EQ(size({{"beta", "pointwise"}}), 2 * encoders + 2 * 4 + classifier);
}

// 1 / sqrt(fan) with the input width, for GCN with the output width; Xavier for each of the nine parts of Geom-GCN.
double initial_bound(const std::string& model, const Param& p, Index in) {
  if (model == "geomgcn") return std::sqrt(6.0 / (p.rows() + p.cols() / 9));
  return 1 / std::sqrt(static_cast<double>(model == "gcn" ? p.cols() : in));
}

// The bound of each parameter is approached and kept to.
TEST(Initialisation, RangesAreAsSpecified) {
  const Dataset d = shape_only(400, 9);
  for (const std::string name : {"gcnh", "mlp", "gcn", "geomgcn"}) {
    const auto model = make_model(name, d, {{"hidden", "100"}, {"layers", "2"}}, Rng(1));
    Index last_in = 0;
    for (const Param& p : model->params()) {
      SCOPED_TRACE(name + " " + p.name);
      if (p.name.find("theta") != std::string::npos) {
        EXPECT_EQ(largest(p.value), 0);
        continue;
      }
      if (p.name.find(".weight") != std::string::npos) last_in = p.rows();
      const double bound = initial_bound(name, p, last_in);
      EXPECT_LE(largest(p.value), bound * (1 + kEpsilon));
      if (p.value.size() < 100) continue;
      EXPECT_GT(largest(p.value), 0.95 * bound);
      double mean = 0;
      for (Real v : p.value.values()) mean += static_cast<double>(v) / static_cast<double>(p.value.size());
      EXPECT_NEAR(mean, 0, 5 * bound / std::sqrt(3.0 * static_cast<double>(p.value.size())));
    }
  }
}

TEST(Initialisation, DependsOnTheSeedAndNothingElse) {
  const Dataset d = shape_only(20, 3);
  for (const ModelType& type : model_types()) {
    const auto a = type.make(d, {}, Rng(1)), again = type.make(d, {}, Rng(1)), other = type.make(d, {}, Rng(2));
    EXPECT_TRUE(matrices_equal(a->params()[0].value, again->params()[0].value));
    EXPECT_FALSE(matrices_equal(a->params()[0].value, other->params()[0].value));
  }
}

TEST(Models, ParameterNamesAreDistinct) {
  const Dataset d = shape_only(5, 2);
  for (const ModelType& type : model_types()) {
    const auto model = type.make(d, {{"layers", "3"}}, Rng(0));
    std::set<std::string> names;
    for (const Param& p : model->params()) names.insert(p.name);
    EXPECT_EQ(names.size(), model->params().size()) << type.name;
  }
}

TEST(Models, WrongOptionsAreRefused) {
  const Dataset d = shape_only(5, 2);
  for (const ModelType& type : model_types()) {
    const OptionValues wrong = {{"layers", "0"}, {"steps", "0"}, {"rounds", "0"}, {"hidden", "0"}, {"dropout", "1"}};
    for (const OptionInfo& option : type.options) {
      const auto refuses = [&](const std::string& value) {
        EXPECT_THROW(type.make(d, {{option.name, value}}, Rng(0)), Error) << type.name << " " << option.name;
      };
      if (!option.words.empty()) refuses("no such word");
      if (std::isfinite(option.range.least)) refuses(to_text(option.range.least - 1));
      if (std::isfinite(option.range.most)) refuses(to_text(option.range.most + 1));
      if (!wrong.contains(option.name)) continue;
      EXPECT_THROW(type.make(d, {{option.name, wrong.at(option.name)}}, Rng(0)), Error)
          << type.name << " " << option.name;
    }
  }
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"aggregation", "median"}, {"encoders", "none"}, {"beta", "1.5"}, {"beta", "-0.1"}, {"beta", "fixed"}})
    EXPECT_THROW(make_model("gcnh", d, {{name, value}}), Error) << name;
  EXPECT_THROW(find_model_type("gcnn"), Error);
}

// A model keeps a reference to its dataset: one made of a temporary does not compile.
template <class Data>
concept Makes = requires(const ModelType& type, Data d) {
  type.make(std::forward<Data>(d), OptionValues{}, Rng(0));
};
static_assert(!Makes<Dataset> && Makes<const Dataset&>);

TEST(Models, OptionsThatDecideWhatIsDerivedAreOptions) {
  for (const ModelType& type : model_types()) {
    EXPECT_EQ(type.derive_options.empty(), !type.derive) << type.name;
    for (const std::string& name : type.derive_options)
      EXPECT_TRUE(std::any_of(type.options.begin(), type.options.end(), [&](const auto& o) { return o.name == name; }));
  }
}

TEST(Models, OneLayerIsEnoughForAll) {
  const Dataset d = random_dataset({.nodes = 6}, 4, 3, Rng(3));
  for (const ModelType& type : model_types()) {
    const auto model = type.make(d, {{"layers", "1"}}, Rng(0));
    EXPECT_EQ(log_probabilities(*model, d).cols(), 3);
    EXPECT_GT(loss_and_gradients(*model, d, {1, 2}), 0);
  }
}

}  // namespace
}  // namespace gcnh::testing
