// gcnh predict: answers under the user's own ids, on the same graph, a grown one and one that does not fit.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gcnh/base/error.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

// Two groups that only ever link to each other; strings as ids and labels. The graph grows with `count`.
void write_tables(const TempDir& folder, int count, bool labels, const std::string& columns = "age,spend") {
  std::ostringstream nodes, edges;
  nodes << "user," << (labels ? "segment," : "") << columns << "\n";
  edges << "a,b\n";
  const bool swapped = columns == "spend,age";
  for (int i = 0; i < count; ++i) {
    const bool buyer = i % 2 == 0;
    const int age = 20 + (i * 7) % 40, spend = buyer ? 90 + i % 9 : 10 + i % 11;
    nodes << "u_" << i << ',' << (labels ? (buyer ? "buyer, loyal," : "window,") : "");
    nodes << (swapped ? spend : age) << ',' << (swapped ? age : spend) << "\n";
    edges << "u_" << i << ",u_" << (i + 1) % count << "\n";
  }
  std::string text = nodes.str();
  for (std::size_t at = 0; (at = text.find("buyer, loyal", at)) != std::string::npos; at += 14)
    text.replace(at, 12, "\"buyer, loyal\"");
  write_text(folder / "nodes.csv", text);
  write_text(folder / "edges.csv", edges.str());
}

std::vector<std::string> data_args(const TempDir& folder) {
  return {"--nodes", folder / "nodes.csv",
          "--edges", folder / "edges.csv",
          "--id",    "user",
          "--label", "segment",
          "--src",   "a",
          "--dst",   "b"};
}

std::vector<std::string> with(std::vector<std::string> args, const std::vector<std::string>& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

class Predict : public ::testing::Test {
 protected:
  void SetUp() override {
    write_tables(folder_, 60, true);
    const Answer a = run_program(
        with({"train", "--epochs", "60", "--splits", "0,1", "--quiet", "--out", folder_ / "run"}, data_args(folder_)));
    ASSERT_EQ(a.code, 0) << a.err;
  }
  Answer predict(const TempDir& data, const std::vector<std::string>& more = {}) {
    return run_program(
        with(with({"predict", "--model", folder_ / "run" / "model.safetensors"}, data_args(data)), more));
  }
  TempDir folder_;
};

TEST_F(Predict, AnswersUnderTheUsersIdsAndClasses) {
  const Answer a = predict(folder_);
  ASSERT_EQ(a.code, 0) << a.err;
  std::istringstream lines(a.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "id,predicted,\"p_buyer, loyal\",p_window");
  int count = 0, right = 0;
  for (; std::getline(lines, line); ++count) {
    EXPECT_EQ(line.rfind("u_" + std::to_string(count) + ",", 0), 0u) << line;
    right += (line.find(count % 2 == 0 ? "buyer" : ",window") != std::string::npos);
  }
  EXPECT_EQ(count, 60);
  EXPECT_GE(right, 58);
}

TEST_F(Predict, ScoresAGrownGraphWithoutLabels) {
  const TempDir grown;
  write_tables(grown, 80, false);
  const Answer a = predict(grown);
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(std::count(a.out.begin(), a.out.end(), '\n'), 81);
  const Answer some = predict(grown, {"--only", "u_79,u_3"});
  EXPECT_EQ(std::count(some.out.begin(), some.out.end(), '\n'), 3);
  EXPECT_EQ(some.out.find("id,predicted"), 0u);
  EXPECT_EQ(predict(grown, {"--only", "nobody"}).code, 2);
}

TEST_F(Predict, BlanksAroundIdsDoNotCount) {
  const Answer a = predict(folder_, {"--only", " u_7, u_3 "});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out, predict(folder_, {"--only", "u_7,u_3"}).out);
}

// Sixty people who spend 1000 to 1806, written as `amount` writes it.
void write_amounts(const TempDir& data, const std::function<std::string(int)>& amount) {
  std::string nodes = "user,segment,spend\n", edges = "a,b\n";
  for (int i = 0; i < 60; ++i) {
    nodes += join("u", i, i % 2 ? ",x," : ",y,", amount(1000 + i * 7 + 400 * (i % 2)), "\n");
    edges += join("u", i, ",u", (i + 2) % 60, "\n");
  }
  write_text(data / "nodes.csv", nodes);
  write_text(data / "edges.csv", edges);
}

TEST_F(Predict, TakesPointsBetweenThousandsWhereTrainingHadThem) {
  const TempDir data;
  const auto predict = [&] { return run_program(with({"predict", "--model", data / "run"}, data_args(data))); };
  write_amounts(data, [](int x) { return "\"1." + std::to_string(x).substr(1) + ",15\""; });
  ASSERT_EQ(
      run_program(with({"train", "--epochs", "3", "--splits", "0", "--quiet", "--out", data / "run"}, data_args(data)))
          .code,
      0);
  write_amounts(data, [](int x) { return std::to_string(x); });
  const Answer plain = predict();
  EXPECT_EQ(plain.err, "");
  write_amounts(data, [](int x) { return "1." + std::to_string(x).substr(1); });
  const Answer thousands = predict();
  EXPECT_EQ(thousands.out, plain.out);
  EXPECT_NE(thousands.err.find("column 'spend': 60 numbers"), std::string::npos) << thousands.err;
}

// A column of the training may have been written with a currency; a plain number is of the same one.
TEST_F(Predict, TakesPlainNumbersWhereTrainingHadAUnit) {
  const TempDir data;
  const auto write = [&](const auto& amount) { write_amounts(data, amount); };
  write([](int x) { return "\"€1," + std::to_string(x).substr(1) + ".15\""; });
  ASSERT_EQ(
      run_program(with({"train", "--epochs", "3", "--splits", "0", "--quiet", "--out", data / "run"}, data_args(data)))
          .code,
      0);
  const auto predict = [&] { return run_program(with({"predict", "--model", data / "run"}, data_args(data))); };
  const Answer formed = predict();
  EXPECT_EQ(formed.err, "");
  write([](int x) { return join(x, ".15"); });
  const Answer plain = predict();
  EXPECT_EQ(plain.code, 0);
  EXPECT_EQ(plain.out, formed.out);
  EXPECT_NE(plain.err.find("column 'spend': 60 of 60 numbers"), std::string::npos) << plain.err;
  write([](int x) { return x == 1000 ? std::string("$5") : join(x); });
  const Answer other = predict();
  EXPECT_EQ(other.code, 65);
  EXPECT_NE(other.err.find("nodes.csv:2: column 'spend': '$5' is not a number; the model was trained on numbers like "
                           "€1,234.5; write all of them like that, or all like 1234.5"),
            std::string::npos)
      << other.err;
}

TEST_F(Predict, FindsColumnsByName) {
  const TempDir swapped;
  write_tables(swapped, 60, true, "spend,age");
  EXPECT_EQ(predict(swapped).out, predict(folder_).out);
}

TEST_F(Predict, RefusesATableThatDoesNotFit) {
  const TempDir other;
  write_tables(other, 60, true, "age,income");
  const Answer a = predict(other);
  EXPECT_EQ(a.code, 65);
  EXPECT_NE(a.err.find("missing: spend"), std::string::npos) << a.err;
  EXPECT_NE(a.err.find("income"), std::string::npos) << a.err;
  const Answer synthetic = run_program({"predict", "--model", folder_ / "run" / "model.safetensors"});
  EXPECT_EQ(synthetic.code, 65);
  EXPECT_NE(synthetic.err.find("1433"), std::string::npos) << synthetic.err;
}

// Directions come from an embedding of the very graph: the same one again is fine, any other is refused with the
// reason.
TEST_F(Predict, AModelBoundToItsGraphIsAppliedToThatGraphOnly) {
  for (const char* embedding : {"poincare", "mds"}) {
    const std::string out = folder_ / embedding;
    const Answer trained = run_program(with({"train", "--model", "geomgcn", "--embedding", embedding, "--epochs", "60",
                                             "--splits", "0", "--quiet", "--out", out},
                                            data_args(folder_)));
    ASSERT_EQ(trained.code, 0) << trained.err;
    const auto apply = [&](const TempDir& data) {
      return run_program(with({"predict", "--model", out + "/model.safetensors"}, data_args(data)));
    };
    const Answer same = apply(folder_);
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_EQ(std::count(same.out.begin(), same.out.end(), '\n'), 61);
    const TempDir grown;
    write_tables(grown, 80, false);
    const Answer refused = apply(grown);
    EXPECT_EQ(refused.code, 65);
    EXPECT_NE(refused.err.find("not the graph that the model was trained on"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("embedding of that graph"), std::string::npos) << refused.err;
  }
}

TEST_F(Predict, WritesAFile) {
  ASSERT_EQ(predict(folder_, {"--out", folder_ / "p.csv"}).code, 0);
  EXPECT_EQ(slurp(folder_ / "p.csv"), predict(folder_).out);
}

TEST_F(Predict, ReplacesNothingThatItReads) {
  for (const char* name : {"nodes.csv", "edges.csv", "run/model.safetensors"}) {
    const std::string before = slurp(folder_ / name);
    const Answer a = predict(folder_, {"--out", folder_ / name});
    EXPECT_EQ(a.code, 2);
    EXPECT_NE(a.err.find(name), std::string::npos) << a.err;
    EXPECT_EQ(slurp(folder_ / name), before);
  }
}

TEST(PredictOnly, TakesIdsWithCommasInQuotes) {
  const TempDir folder;
  write_text(folder / "nodes.csv",
             "id,label,x\n\"Doe, Jo\",a,1\nMy,b,2\nAl,a,3\nBo,b,4\nCy,a,5\nDi,b,6\nEd,a,7\nFi,b,8\n");
  write_text(folder / "edges.csv", "source,target\n\"Doe, Jo\",My\nAl,Bo\n");
  const std::vector<std::string> data = {"--nodes", folder / "nodes.csv", "--edges", folder / "edges.csv", "--quiet"};
  const Answer trained =
      run_program(with({"train", "--model", "mlp", "--epochs", "1", "--splits", "0", "--out", folder / "run"}, data));
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto predict = [&](const std::string& only) {
    return run_program(with({"predict", "--model", folder / "run", "--only", only, "--top", "1"}, data));
  };
  const Answer two = predict("Al,\"Doe, Jo\"");
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(std::count(two.out.begin(), two.out.end(), '\n'), 3) << two.out;
  EXPECT_NE(two.out.find("\n\"Doe, Jo\","), std::string::npos) << two.out;
  write_text(folder / "only.txt", "\xEF\xBB\xBF\"Doe, Jo\"\n");
  EXPECT_NE(predict(folder / "only.txt").err.find("'\"Doe, Jo\"' is not in"), std::string::npos)
      << "as it stands there";
  write_text(folder / "only.txt", "\xEF\xBB\xBF Doe, Jo\r\n\n");
  EXPECT_EQ(predict(folder / "only.txt").code, 0);
}

// A model of users of whom some have a mass like 7.5K, and its answers for one more.
class PredictMultiples : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string nodes = "user,segment,mass\n", edges = "a,b\n";
    for (int i = 0; i < 40; ++i) {
      const std::string n = std::to_string(i);
      nodes += "u" + n + "," + (i % 2 ? "x," + n + ".5K" : "y,3" + n) + "\n";
      edges += "u" + n + ",u" + std::to_string((i + 1) % 40) + "\n";
    }
    write_text(folder_ / "nodes.csv", nodes);
    write_text(folder_ / "edges.csv", edges);
    const Answer a = run_program(
        with({"train", "--epochs", "2", "--splits", "0", "--quiet", "--out", folder_ / "run"}, data_args(folder_)));
    ASSERT_EQ(a.code, 0) << a.err;
  }
  Answer predict(const std::string& mass) {
    write_text(folder_ / "nodes.csv", "user,mass\nu1," + mass + "\nu2,7.5K\n");
    write_text(folder_ / "edges.csv", "a,b\nu1,u2\n");
    return run_program(with({"predict", "--model", folder_ / "run" / "model.safetensors"}, data_args(folder_)));
  }
  TempDir folder_;
};

TEST_F(PredictMultiples, MultiplyAsInTraining) {
  const Answer thousands = predict("6.3K"), plain = predict("6300"), millions = predict("6.3M");
  ASSERT_EQ(thousands.code, 0) << thousands.err;
  EXPECT_EQ(thousands.out, plain.out);
  EXPECT_NE(thousands.out, millions.out);
  EXPECT_NE(predict("6.3 kg").err.find("trained on numbers like 1234.5K"), std::string::npos);
}

TEST(PredictForms, NumbersAndDatesAreReadAsInTraining) {
  const TempDir folder;
  std::string nodes = "user,segment,mass,since\n", edges = "a,b\n";
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i), day = std::to_string(1 + i % 28);
    nodes += "u" + n + "," + (i % 2 ? "x" : "y") + ",\"" + n + ",5 kg\",3/" + day + "/2020\n";
    edges += "u" + n + ",u" + std::to_string((i + 1) % 40) + "\n";
  }
  write_text(folder / "nodes.csv", nodes);
  write_text(folder / "edges.csv", edges);
  const Answer trained = run_program(
      with({"train", "--epochs", "2", "--splits", "0", "--quiet", "--out", folder / "run"}, data_args(folder)));
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto predict = [&](const std::string& mass, const std::string& since) {
    write_text(folder / "nodes.csv", "user,mass,since\nu1,\"" + mass + "\"," + since + "\nu2,\"2,5 kg\",3/2/2020\n");
    write_text(folder / "edges.csv", "a,b\nu1,u2\n");
    return run_program(with({"predict", "--model", folder / "run" / "model.safetensors"}, data_args(folder)));
  };
  const Answer month_first = predict("7,5 kg", "5/3/2020"), the_same = predict("7,50kg", "2020-05-03");
  EXPECT_EQ(month_first.code, 0) << month_first.err;
  EXPECT_EQ(month_first.out, the_same.out);
  EXPECT_NE(month_first.out, predict("7,5 kg", "2020-03-05").out);
  const Answer refused = predict("7,5 lb", "5/3/2020");
  EXPECT_EQ(refused.code, 65);
  EXPECT_NE(refused.err.find("nodes.csv:2: column 'mass': '7,5 lb' is not a number"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace gcnh::testing
