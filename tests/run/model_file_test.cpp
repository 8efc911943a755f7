// Model files that are not what gcnh writes are refused with the field that is wrong; those of every model are read.
#include "gcnh/run/model_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gcnh/io/safetensors.h"
#include "gcnh/models/model.h"
#include "gcnh/run/experiment.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;

class HostileModel : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempDir;
    std::string nodes = "id,label,a,b,c,d\n", edges = "source,target\n";
    for (int i = 0; i < 60; ++i) {
      nodes += std::to_string(i) + (i % 2 == 0 ? ",x" : ",y");
      for (int k = 0; k < 4; ++k) nodes += "," + std::to_string((i % 2) + (i * (k + 3) % 7) * 0.25);
      nodes += "\n";
      edges += std::to_string(i) + "," + std::to_string((i * 7 + 1) % 60) + "\n";
    }
    write_text(*folder_ / "nodes.csv", nodes);
    write_text(*folder_ / "edges.csv", edges);
  }
  static void TearDownTestSuite() { delete folder_; }

  static std::vector<std::string> on_data(std::vector<std::string> args) {
    for (const char* name : {"nodes", "edges"})
      args.insert(args.end(), {join("--", name), *folder_ / join(name, ".csv")});
    return args;
  }
  // As gcnh writes it today: with a schema of the table's columns.
  static Tensors trained_on_columns() {
    const std::filesystem::path run = *folder_ / "run";
    if (!std::filesystem::exists(run)) {
      const Answer a = run_program(on_data({"train", "--epochs", "3", "--splits", "0", "--quiet", "--out", run}));
      EXPECT_EQ(a.code, 0) << a.err;
    }
    return read_safetensors(run / "model.safetensors");
  }
  // The same as 0.1.0 wrote it, and as it still is for features without columns: names, and the scaling as tensors.
  static Tensors trained() {
    Tensors file = trained_on_columns();
    const json columns = json::parse(file.metadata["gcnh.schema"]).at("columns");
    json names = json::array();
    Matrix mean(1, 4), deviation(1, 4);
    for (const json& column : columns) {
      const Index k = static_cast<Index>(names.size());
      names.push_back(column.at("name"));
      mean(0, k) = column.at("mean").get<Real>();
      deviation(0, k) = column.at("deviation").get<Real>();
    }
    file.metadata["gcnh.format"] = "1";
    file.metadata["gcnh.schema"] = json{{"features", 4}, {"names", names}}.dump();
    file.metadata["gcnh.scaling"] = "\"standard\"";
    file.matrices["scaling.mean"] = mean;
    file.matrices["scaling.deviation"] = deviation;
    return file;
  }
  // The answer of predict to the trained model with one thing changed.
  static Answer predict(const std::function<void(Tensors&)>& change, Tensors file = trained()) {
    change(file);
    write_safetensors(*folder_ / "m.safetensors", file);
    return run_program(on_data({"predict", "--model", *folder_ / "m.safetensors"}));
  }
  static void expect_refused(const std::string& word, const std::function<void(Tensors&)>& change) {
    const Answer a = predict(change);
    EXPECT_EQ(a.code, 65) << word << ": " << a.err;
    EXPECT_EQ(a.out, "");
    EXPECT_NE(a.err.find("m.safetensors: "), std::string::npos) << a.err;
    EXPECT_NE(a.err.find(word), std::string::npos) << a.err;
    EXPECT_EQ(std::count(a.err.begin(), a.err.end(), '\n'), 1) << a.err;
  }
  static void expect_refused(const std::string& key, const std::string& value, const std::string& word) {
    SCOPED_TRACE(key + " = " + value.substr(0, 100));
    expect_refused(word, [&](Tensors& file) { file.metadata[key] = value; });
  }
  static Matrix filled(Index rows, Index cols, Real value) {
    Matrix out(rows, cols);
    std::fill(out.values().begin(), out.values().end(), value);
    return out;
  }

  inline static TempDir* folder_ = nullptr;
};

TEST_F(HostileModel, TheFileAsItWasIsRead) {
  const Answer a = predict([](Tensors&) {});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out.find("nan"), std::string::npos);
}

// What has no use for the third format is written as it was, for programs that do not know it.
TEST_F(HostileModel, ModelsOfASplitAreStillOfTheSecondFormat) {
  const Tensors file = trained_on_columns();
  EXPECT_EQ(file.metadata.at("gcnh.format"), "2");
  EXPECT_FALSE(file.metadata.contains("gcnh.final") || file.metadata.contains("gcnh.decision"));
  EXPECT_FALSE(file.matrices.contains("known.ids") || file.matrices.contains("decision.scores"));
}

TEST_F(HostileModel, AFileOfTheFirstVersionGivesTheSameAnswers) {
  const Answer first = predict([](Tensors&) {}), now = predict([](Tensors&) {}, trained_on_columns());
  EXPECT_EQ(first.code, 0) << first.err;
  // Means and deviations were kept as floats: the last digit of a probability may differ.
  std::istringstream a(first.out), b(now.out);
  for (std::string x, y; std::getline(a, x);) {
    ASSERT_TRUE(std::getline(b, y));
    const std::size_t words = x.rfind(',', x.rfind(',') - 1);
    EXPECT_EQ(x.substr(0, words), y.substr(0, words));
    if (x.starts_with("id")) continue;
    EXPECT_NEAR(std::stod(x.substr(words + 1)), std::stod(y.substr(words + 1)), 2e-6);
  }
}

TEST_F(HostileModel, SchemasThatNoTrainingMade) {
  const auto refuse = [](const std::string& word, const std::function<void(json&)>& change) {
    const Answer a = predict(
        [&](Tensors& file) {
          json schema = json::parse(file.metadata["gcnh.schema"]);
          change(schema.at("columns"));
          file.metadata["gcnh.schema"] = schema.dump();
        },
        trained_on_columns());
    EXPECT_EQ(a.code, 65) << word << ": " << a.err;
    EXPECT_NE(a.err.find(word), std::string::npos) << word << ": " << a.err;
    EXPECT_EQ(std::count(a.err.begin(), a.err.end(), '\n'), 1) << a.err;
  };
  refuse("column 'a' is listed twice", [](json& columns) { columns.push_back(columns[0]); });
  refuse("deviation 0", [](json& columns) { columns[0]["deviation"] = 0; });
  refuse("numbers from 2 to 1", [](json& columns) { columns[0]["low"] = 2, columns[0]["high"] = 1; });
  refuse("must be number", [](json& columns) { columns[0]["mean"] = "much"; });
  refuse("kind", [](json& columns) { columns[0].erase("kind"); });
  refuse("unknown value 'nunm'", [](json& columns) { columns[0]["kind"] = "nunm"; });
  refuse("only features are listed", [](json& columns) { columns[0]["kind"] = "ignore"; });
  refuse("5 features", [](json& columns) { columns[0]["indicator"] = true; });
  refuse("3 features", [](json& columns) { columns.erase(0); });
  refuse("a value is listed twice", [](json& columns) {
    columns[0]["kind"] = "cat";
    columns[0]["values"] = {"u", "u"};
  });
  refuse("buckets", [](json& columns) {
    columns[0]["kind"] = "text";
    columns[0]["buckets"] = -1;
  });
  refuse("separator", [](json& columns) {
    columns[0]["kind"] = "multi";
    columns[0]["separator"] = "";
    columns[0]["values"] = json::array();
  });
  refuse("columns", [](json& columns) { columns = 7; });
}

TEST_F(HostileModel, ScalingThatDoesNotFitTheFeatures) {
  const std::string mean = "scaling.mean", deviation = "scaling.deviation";
  for (const std::string& name : {mean, deviation}) {
    expect_refused(name, [&](Tensors& file) { file.matrices.erase(name); });
    for (const auto& [rows, cols] : {std::pair(0, 4), std::pair(1, 1), std::pair(1, 5), std::pair(2, 4)})
      expect_refused(name, [&, r = rows, c = cols](Tensors& file) { file.matrices[name] = filled(r, c, 1); });
  }
  expect_refused(deviation, [&](Tensors& file) { file.matrices[deviation](0, 2) = 0; });
  expect_refused(deviation, [&](Tensors& file) { file.matrices[deviation](0, 3) = -1; });
  expect_refused("gcnh.scaling", "\"standardd\"",
                 "gcnh.scaling: unknown value 'standardd'; allowed: none rows standard");
  expect_refused("gcnh.scaling", "\"auto\"", "gcnh.scaling is 'auto'; a model's is none, rows, standard or largest");
}

TEST_F(HostileModel, NumbersThatAreNotFinite) {
  for (const char* name : {"scaling.mean", "scaling.deviation"})
    expect_refused(name, [&](Tensors& file) { file.matrices[name](0, 1) = std::nanf(""); });
  const Answer tiny = predict(
      [](Tensors& file) { file.matrices["scaling.deviation"](0, 1) = std::numeric_limits<float>::denorm_min(); });
  EXPECT_EQ(tiny.code, 65) << tiny.out;
  EXPECT_NE(tiny.err.find("finite"), std::string::npos) << tiny.err;
}

TEST_F(HostileModel, ContractsThatContradictThemselves) {
  expect_refused("gcnh.format", "-5", "format -5 is not known");
  expect_refused("gcnh.format", "0", "format 0 is not known");
  expect_refused("gcnh.format", "1.5", "format 1.5 is not known");
  expect_refused("gcnh.format", "\"1\"", "format \"1\" is not known");
  expect_refused("gcnh.format", "4", "format 4 is newer");
  expect_refused("gcnh.format", "3", "metadata key 'gcnh.final' is missing");
  expect_refused("gcnh.format", "99999999999999", "newer");
  expect_refused("gcnh.classes", R"(["x","x"])", "gcnh.classes: 'x' appears twice");
  expect_refused("gcnh.classes", "[]", "gcnh.classes");
  expect_refused("gcnh.schema", R"({"features":4,"names":["a","b","b","d"]})",
                 "gcnh.schema: feature 'b' appears twice");
  expect_refused("gcnh.schema", R"({"features":4,"names":["a","b"]})", "gcnh.schema: 2 names for 4 features");
  expect_refused("gcnh.schema", R"({"features":-4,"names":[]})", "gcnh.schema: -4 features");
  expect_refused("gcnh.schema", R"({"features":4})", "names");
  expect_refused("gcnh.model", "\"gcnn\"", "unknown model 'gcnn'");
  expect_refused("gcnh.weighted", "1", "not a model of gcnh");
  expect_refused("gcnh.table", R"({"id":1})", "not a model of gcnh");
}

TEST_F(HostileModel, NamesOfColumnsAreKept) {
  TrainedModel model = load_model((trained_on_columns(), *folder_ / "run" / "model.safetensors"));
  EXPECT_TRUE(model.table.empty());
  model.table = {{"id", "user"}, {"source", "a"}};
  save_model(*folder_ / "named.safetensors", model);
  EXPECT_EQ(load_model(*folder_ / "named.safetensors").table, model.table);
}

TEST_F(HostileModel, OptionsThatNoTensorCanComeFrom) {
  for (const auto& [name, value] :
       {std::pair("hidden", "2000000000"), std::pair("layers", "100000000"), std::pair("hops", "1000000000"),
        std::pair("hidden", "many"), std::pair("layers", "1e3"), std::pair("dropout", "7"),
        std::pair("aggregation", "median"), std::pair("beta", "2")}) {
    SCOPED_TRACE(join(name, " ", value));
    expect_refused(name, [&, n = name, v = value](Tensors& file) {
      json options = json::parse(file.metadata["gcnh.options"]);
      options[n] = v;
      file.metadata["gcnh.options"] = options.dump();
    });
  }
}

// Each option by itself could belong to a network of this file. That they are refused with the name of the file shows
// that no network was built of them: what comes of that is said of parameters. They are as small as that allows, so
// that a program that builds it can.
TEST_F(HostileModel, OptionsThatAskForMoreNumbersThanTheFileHas) {
  const auto refuse = [](const json& options, const std::function<void(Tensors&)>& change) {
    SCOPED_TRACE(options.dump());
    expect_refused("do not fit the file's ", [&](Tensors& file) {
      change(file);
      json all = json::parse(file.metadata["gcnh.options"]);
      all.update(options);
      file.metadata["gcnh.options"] = all.dump();
    });
  };
  refuse({{"hidden", "60000"}}, [](Tensors& file) { file.matrices["wide"] = Matrix(2147483647, 0); });
  refuse({{"layers", "8"}, {"hops", "8"}, {"hidden", "64"}, {"mixing", "concat"}}, [](Tensors& file) {
    std::erase_if(file.matrices, [](const auto& m) { return !m.first.starts_with("scaling."); });
    for (int i = 0; i < 8; ++i) file.matrices[join("one.", i)] = filled(1, 1, 1);
  });
  // 65537 channels side by side, each 65536 wide, are 65536 wide in 32 bits.
  refuse({{"hops", "65536"}, {"hidden", "65536"}, {"encoders", "shared"}, {"mixing", "concat"}},
         [](Tensors& file) { file.matrices["many"] = filled(1, 500000, 1); });
}

// Options may be larger than any tensor, and than their number.
TEST_F(HostileModel, NetworksOfFewTensorsAreRead) {
  const std::vector<std::vector<std::string>> networks = {
      {"--encoders", "shared", "--hops", "6"},
      {"--encoders", "shared", "--hops", "6", "--mixing", "concat"},
      {"--encoders", "shared", "--hops", "9", "--mixing", "concat", "--direction", "separate", "--layers", "2"},
      {"--own", "false", "--direction", "separate", "--beta", "0.3"},
      {"--adjacency-rows", "true", "--mixing", "concat", "--jump", "concat", "--layers", "3", "--norm", "batch"},
      {"--model", "gcn", "--layers", "1", "--hidden", "5000"},
      {"--model", "gat", "--layers", "1", "--hidden", "5000", "--heads", "9"}};
  for (std::size_t i = 0; i < networks.size(); ++i) {
    SCOPED_TRACE(i);
    const std::string out = *folder_ / join("network", i);
    std::vector<std::string> train = {"train", "--epochs", "2", "--splits", "0", "--quiet", "--out", out};
    train.insert(train.end(), networks[i].begin(), networks[i].end());
    const Answer made = run_program(on_data(train));
    ASSERT_EQ(made.code, 0) << made.err;
    const Answer a = run_program(on_data({"predict", "--model", out + "/model.safetensors"}));
    EXPECT_EQ(a.code, 0) << a.err;
  }
}

TEST_F(HostileModel, WordsOfVersion010AreRead) {
  const std::string now = predict([](Tensors&) {}).out;
  const auto with = [](const char* direction) {
    return predict([&](Tensors& file) {
      json view = json::parse(file.metadata["gcnh.view"]);
      view["direction"] = direction;
      file.metadata["gcnh.view"] = view.dump();
    });
  };
  EXPECT_EQ(with("undirected").out, now);
  EXPECT_NE(with("directed").out, now);
  EXPECT_EQ(with("directed").out, with("out").out);
  EXPECT_EQ(with("sideways").code, 65);
}

// An ensemble of the network with itself, with decisions and two nodes that it knows.
Tensors as_ensemble(Tensors file) {
  const std::map<std::string, Matrix> network = file.matrices;
  for (const auto& [name, matrix] : network) file.matrices["member.1." + name] = matrix;
  const json columns = json::parse(file.metadata["gcnh.schema"]).at("columns");
  file.metadata["gcnh.format"] = "3";
  file.metadata["gcnh.final"] = json{{"kind", "ensemble"}, {"epochs", 3},  {"labels", 60},
                                     {"nodes", 60},        {"members", 2}, {"schemas", json::array({columns})}}
                                    .dump();
  file.metadata["gcnh.decision"] = R"({"temperature":1.5,"level":0.9,"weights":[1,2],"costs":[[0,1],[3,0]]})";
  Matrix scores(1, 3), known(2, 2);
  for (Index i = 0; i < 3; ++i) scores(0, i) = Real(0.3) * static_cast<Real>(i);
  known(1, 0) = 5;
  file.matrices["decision.scores"] = scores;
  file.matrices["known.ids"] = known;
  return file;
}

TEST_F(HostileModel, FinalModelsThatNoTrainingMade) {
  const Tensors good = as_ensemble(trained_on_columns());
  const Answer fine = predict([](Tensors&) {}, good);
  ASSERT_EQ(fine.code, 0) << fine.err;
  EXPECT_NE(fine.out.find(",set,status"), std::string::npos);
  const auto refuse = [&](const std::string& word, const std::function<void(Tensors&)>& change) {
    const Answer a = predict(change, good);
    EXPECT_EQ(a.code, 65) << word << ": " << a.err;
    EXPECT_NE(a.err.find(word), std::string::npos) << word << ": " << a.err;
    EXPECT_EQ(std::count(a.err.begin(), a.err.end(), '\n'), 1) << a.err;
  };
  const auto with = [](const char* key, const char* field, json value) {
    return [=](Tensors& file) {
      json j = json::parse(file.metadata[key]);
      j[field] = value;
      file.metadata[key] = j.dump();
    };
  };
  refuse("unknown value 'best'", with("gcnh.final", "kind", "best"));
  refuse("a refit of 2 members", with("gcnh.final", "kind", "refit"));
  refuse("members 0", with("gcnh.final", "members", 0));
  refuse("as many schemas", with("gcnh.final", "members", 3));
  refuse("members 1e+99", with("gcnh.final", "members", 1e99));
  refuse("epochs -1", with("gcnh.final", "epochs", -1));
  refuse("nodes 0", with("gcnh.final", "nodes", 0));
  refuse("schemas", with("gcnh.final", "schemas", json::array()));
  refuse("not a model of gcnh", with("gcnh.final", "schemas", 7));
  refuse("no tensors of member 1", [](Tensors& file) {
    std::erase_if(file.matrices, [](const auto& m) { return m.first.starts_with("member."); });
  });
  refuse("temperature 0.04 is outside 0.05..20", with("gcnh.decision", "temperature", 0.04));
  refuse("temperature 20.1 is outside 0.05..20", with("gcnh.decision", "temperature", 20.1));
  EXPECT_EQ(predict(with("gcnh.decision", "temperature", 20), good).code, 0);
  refuse("temperature 0", with("gcnh.decision", "temperature", 0));
  refuse("level 1", with("gcnh.decision", "level", 1));
  refuse("weights of 3", with("gcnh.decision", "weights", {1, 2, 3}));
  refuse("a weight of -1", with("gcnh.decision", "weights", {1, -1}));
  refuse("costs of 1", with("gcnh.decision", "costs", json::array({{0, 1}})));
  refuse("row 1 has 1", with("gcnh.decision", "costs", json::array({{0, 1}, {1}})));
  refuse("not a model of gcnh", with("gcnh.decision", "costs", json::array({{0, 1}, {"much", 0}})));
  refuse("not ascending", [](Tensors& file) { file.matrices["decision.scores"](0, 0) = 1; });
  refuse("not ascending", [](Tensors& file) { file.matrices["known.ids"](0, 0) = 9; });
  refuse("below 16777216", [](Tensors& file) { file.matrices["known.ids"](1, 1) = Real(0.5); });
  refuse("has 3 columns", [](Tensors& file) { file.matrices["known.ids"] = filled(2, 3, 0); });
  refuse("is not JSON", [](Tensors& file) { file.metadata["gcnh.decision"] = "{"; });
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (const char* key : {"gcnh.final", "gcnh.decision"})
    refuse("nested deeper", [&](Tensors& file) { file.metadata[key] = deep; });
}

TEST_F(HostileModel, ParametersOfOtherNames) {
  expect_refused("is missing", [](Tensors& file) {
    const auto found = std::find_if(file.matrices.begin(), file.matrices.end(),
                                    [](const auto& m) { return m.first.ends_with("weight"); });
    ASSERT_NE(found, file.matrices.end());
    auto renamed = file.matrices.extract(found);
    renamed.key() += "s";
    file.matrices.insert(std::move(renamed));
  });
}

TEST_F(HostileModel, DeepMetadata) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (const char* key : {"gcnh.model", "gcnh.options", "gcnh.view", "gcnh.classes", "gcnh.schema", "gcnh.scaling"})
    expect_refused(key, deep, "nested deeper");
}

TEST_F(HostileModel, FilesOfEveryModelAreRead) {
  for (const ModelType& type : model_types()) {
    for (const char* hidden : {"16", "1"}) {
      SCOPED_TRACE(type.name + " " + hidden);
      const std::string out = *folder_ / (type.name + hidden);
      std::vector<std::string> train = {"train",    "--model", type.name, "--epochs", "2",
                                        "--splits", "0",       "--quiet", "--out",    out};
      if (has_option(type.name, "hidden")) train.insert(train.end(), {"--hidden", hidden});
      if (has_option(type.name, "layers")) train.insert(train.end(), {"--layers", hidden[1] == '6' ? "1" : "3"});
      const Answer made = run_program(on_data(train));
      ASSERT_EQ(made.code, 0) << made.err;
      const Answer a = run_program(on_data({"predict", "--model", out + "/model.safetensors"}));
      EXPECT_EQ(a.code, 0) << a.err;
      if (hidden[1] == '6' || !has_option(type.name, "hidden")) continue;
      const Answer wide = predict(
          [](Tensors& file) {
            json options = json::parse(file.metadata["gcnh.options"]);
            options["hidden"] = "4000";
            file.metadata["gcnh.options"] = options.dump();
          },
          read_safetensors(out + "/model.safetensors"));
      EXPECT_EQ(wide.code, 65) << wide.out;
      EXPECT_NE(wide.err.find("m.safetensors: gcnh.options"), std::string::npos) << wide.err;
    }
  }
}

}  // namespace
}  // namespace gcnh::testing
