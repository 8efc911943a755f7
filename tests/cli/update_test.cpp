// gcnh update: no reason on the same data, one by one the reasons that are made up, and its exit codes.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/cli/people.h"

namespace gcnh::testing {
namespace {

using Person = std::vector<std::string>;  // user, segment, age, city, joined

// Changes the people from number `first` on.
void change_people(const TempDir& folder, int first, const std::function<void(int, Person&)>& change) {
  std::istringstream lines(slurp(folder / "users.csv"));
  std::string line, out;
  std::getline(lines, line);
  out = line + "\n";
  for (int i = 0; std::getline(lines, line); ++i) {
    Person cells;
    std::istringstream rest(line);
    for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
    if (i >= first) change(i, cells);
    for (std::size_t c = 0; c < cells.size(); ++c) out += (c > 0 ? "," : "") + cells[c];
    out += "\n";
  }
  write_text(folder / "users.csv", out);
}

// Labels that contradict everything that was learned.
void contradict(int, Person& cells) {
  cells[1] = cells[1] == "buyer" ? "gone" : cells[1] == "gone" ? "window" : "buyer";
}

class UpdateCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    write_people(folder_, 300);
    train_people(folder_, "run");
  }
  Answer update(const TempDir& data, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"update", "--model", folder_ / "run"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(people_command(words, data));
  }
  // By rule, whether it says to train again; the exit code says the same of all.
  std::map<std::string, nlohmann::json> rules(const TempDir& data, const std::string& run = "run") const {
    const Answer a = run_program(people_command({"update", "--model", folder_ / run, "--json"}, data));
    const nlohmann::json j = nlohmann::json::parse(a.out);
    EXPECT_EQ(a.code, j["train_again"].get<bool>() ? 1 : 0) << a.err;
    std::map<std::string, nlohmann::json> out;
    for (const auto& rule : j["rules"]) out[rule["rule"]] = rule;
    return out;
  }
  std::set<std::string> reasons(const TempDir& data, const std::string& run = "run") const {
    std::set<std::string> out;
    for (const auto& [name, rule] : rules(data, run)) {
      EXPECT_EQ(rule["verdict"], rule["train_again"].get<bool>() ? "train again"
                                 : rule["obstacle"].is_null()    ? "ok"
                                                                 : "not judged");
      if (rule["train_again"].get<bool>()) out.insert(name);
      EXPECT_EQ(rule["train_again"].get<bool>(), rule["obstacle"].is_null() && rule["drift"] > rule["limit"]) << name;
    }
    return out;
  }
  TempDir folder_;
};

TEST_F(UpdateCommand, TheDataOfTrainingIsNoReasonToTrainAgain) {
  EXPECT_TRUE(reasons(folder_).empty());
  const Answer a = update(folder_);
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("no reason to train again"), std::string::npos) << a.out;
  std::istringstream lines(a.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(UpdateCommand, AGraphThatGrewAsItWasStillFits) {
  const TempDir grown;
  write_people(grown, 430, 1 << 20, 310);
  const auto found = rules(grown);
  EXPECT_TRUE(reasons(grown).empty());
  EXPECT_NEAR(found.at("new-nodes")["now"].get<double>(), 130.0 / 430, 1e-9);
  EXPECT_EQ(found.at("unseen-values")["now"], 0);
  EXPECT_FALSE(found.at("accuracy")["obstacle"].is_null()) << "ten labels are too few";
}

TEST_F(UpdateCommand, UnseenValuesAreAReason) {
  const TempDir strange;
  write_people(strange, 340, 320, 300);
  const auto found = rules(strange);
  EXPECT_EQ(reasons(strange), (std::set<std::string>{"unseen-values"}));
  EXPECT_NEAR(found.at("unseen-values")["now"].get<double>(), 0.5, 1e-9) << "20 of 40 new nodes";
  EXPECT_NE(found.at("unseen-values")["about"].get<std::string>().find("'city'"), std::string::npos);
}

TEST_F(UpdateCommand, SizeLabelsAndScoresAreReasons) {
  const TempDir large;
  write_people(large, 700);
  EXPECT_TRUE(reasons(large).contains("new-nodes"));
  EXPECT_TRUE(reasons(large).contains("more-labels"));
  const TempDir contrary;
  write_people(contrary, 420);
  change_people(contrary, 300, contradict);
  EXPECT_TRUE(reasons(contrary).contains("accuracy"));
  EXPECT_TRUE(reasons(contrary).contains("calibration"));
  EXPECT_EQ(update(contrary).code, 1);
  // A class that the model cannot answer.
  std::string nodes = slurp(folder_ / "users.csv");
  nodes.replace(nodes.find("u_5,") + 4, nodes.find(',', nodes.find("u_5,") + 4) - nodes.find("u_5,") - 4, "pirate");
  const TempDir pirate;
  write_text(pirate / "users.csv", nodes);
  write_text(pirate / "follows.csv", slurp(folder_ / "follows.csv"));
  EXPECT_EQ(reasons(pirate), (std::set<std::string>{"new-classes"}));
}

TEST_F(UpdateCommand, OtherDegreesAndOtherHomophilyAreReasons) {
  const TempDir sparse;
  write_text(sparse / "users.csv", slurp(folder_ / "users.csv"));
  std::string fewer = "a,b\n";
  for (int i = 1; i < 299; i += 2) fewer += "u_" + std::to_string(i) + ",u_" + std::to_string(i - 1) + "\n";
  write_text(sparse / "follows.csv", fewer);
  EXPECT_TRUE(reasons(sparse).contains("degrees"));
  const TempDir alike;
  write_text(alike / "users.csv", slurp(folder_ / "users.csv"));
  std::string same = "a,b\n";
  for (int i = 0; i < 299; ++i)
    for (int j = i + 1; j < std::min(299, i + 25); ++j)
      if ((i * 5 + i / 7) % 3 == (j * 5 + j / 7) % 3)
        same += "u_" + std::to_string(i) + ",u_" + std::to_string(j) + "\n";
  write_text(alike / "follows.csv", same);
  EXPECT_TRUE(reasons(alike).contains("homophily"));
}

TEST_F(UpdateCommand, TheEdgesOfLastWeekAreAReason) {
  const TempDir stale;
  write_people(stale, 340);
  write_text(stale / "follows.csv", slurp(folder_ / "follows.csv"));
  EXPECT_EQ(reasons(stale), (std::set<std::string>{"degrees", "isolated"}));
  const auto found = rules(stale);
  EXPECT_EQ(found.at("isolated")["now"], 1);
  EXPECT_EQ(found.at("degrees")["now"], 0) << "the mean degree of the new ones";
  EXPECT_EQ(found.at("homophily")["verdict"], "not judged") << "no edge of theirs";
  const Answer a = update(stale);
  EXPECT_NE(a.out.find("\nnot judged: homophily, class-shares, accuracy, calibration\n"), std::string::npos) << a.out;
  const TempDir grown;
  write_people(grown, 340);
  EXPECT_TRUE(reasons(grown).empty());
}

TEST_F(UpdateCommand, ManyMoreNeighboursOfNewNodesAreAReason) {
  const TempDir busy;
  write_people(busy, 340);
  std::string edges = slurp(busy / "follows.csv");
  for (int i = 300; i < 340; ++i)
    for (int k = 0; k < 12; ++k)
      edges += "u_" + std::to_string(i) + ",u_" + std::to_string((i * 7 + k * 23) % 300) + "\n";
  write_text(busy / "follows.csv", edges);
  const auto found = rules(busy);
  EXPECT_TRUE(found.at("degrees")["train_again"].get<bool>()) << found.at("degrees");
  EXPECT_FALSE(found.at("isolated")["train_again"].get<bool>()) << found.at("isolated");
}

TEST_F(UpdateCommand, OtherHomophilyOfNewNodesIsAReason) {
  const TempDir apart, grown, silent;
  write_people(grown, 420);
  EXPECT_EQ(rules(grown).at("homophily")["verdict"], "ok");
  write_people(silent, 420, 1 << 20, 300);
  EXPECT_EQ(rules(silent).at("homophily")["verdict"], "not judged") << "no new labels";
  EXPECT_TRUE(rules(silent).at("homophily")["drift"].is_null());
  write_people(apart, 420);
  std::string edges = slurp(folder_ / "follows.csv");
  const auto kind = [](int i) { return (i * 5 + i / 7) % 3; };
  for (int i = 300; i < 420; ++i)
    for (int other : {i - 10, i - 11, i - 12, i - 13})
      if (kind(i) != kind(other)) edges += "u_" + std::to_string(i) + ",u_" + std::to_string(other) + "\n";
  write_text(apart / "follows.csv", edges);
  const auto found = rules(apart);
  EXPECT_EQ(found.at("homophily")["verdict"], "train again") << found.at("homophily");
  EXPECT_EQ(found.at("homophily")["now"], 0) << "not diluted by the edges of training";
}

TEST_F(UpdateCommand, TheMetricThatChoseTheModelAndItsCostsAreHeldAgainstTheirRehearsal) {
  write_text(folder_ / "costs.csv", "truth,buyer,window,gone\nbuyer,0,1,5\nwindow,1,0,1\ngone,5,1,0\n");
  train_people(folder_, "costly", {"--metric", "roc_auc", "--costs", folder_ / "costs.csv", "--final", "refit"});
  const TempDir grown, contrary, few;
  write_people(grown, 480);
  const auto fine = rules(grown, "costly");
  const nlohmann::json final = nlohmann::json::parse(slurp(folder_ / "costly" / "final.json"));
  EXPECT_EQ(fine.at("metric")["then"], final["candidates"][0]["metrics"]["roc_auc"]);
  EXPECT_EQ(fine.at("cost")["then"], final["decision"]["after"]);
  for (const char* name : {"metric", "cost"}) {
    EXPECT_EQ(fine.at(name)["verdict"], "ok") << fine.at(name);
    EXPECT_GT(fine.at(name)["margin"], 0);
  }
  write_people(contrary, 480);
  change_people(contrary, 300, contradict);
  for (const char* name : {"metric", "cost"})
    EXPECT_TRUE(reasons(contrary, "costly").contains(name)) << rules(contrary, "costly").at(name);
  write_people(few, 480);
  int gone = 0;
  change_people(few, 300, [&](int, Person& cells) {
    if (cells[1] == "gone" && ++gone > 3) cells[1].clear();
  });
  const auto open = rules(few, "costly");
  for (const char* name : {"metric", "cost"}) {
    EXPECT_EQ(open.at(name)["verdict"], "not judged");
    EXPECT_EQ(open.at(name)["obstacle"], "3 of the rarest class, 'gone', too few to tell; judged from 10 on");
  }
  EXPECT_EQ(open.at("accuracy")["verdict"], "ok");
  EXPECT_FALSE(rules(grown).contains("metric")) << "that is the accuracy";
}

TEST_F(UpdateCommand, OtherSharesOfClassesAreAReason) {
  const TempDir alike, labelled;
  write_people(alike, 480, 1 << 20, 300);
  change_people(alike, 300, [](int, Person& cells) { cells[2] = "40", cells[3] = "Lima"; });
  const auto found = rules(alike);
  EXPECT_TRUE(found.at("class-shares")["train_again"].get<bool>()) << found.at("class-shares");
  write_people(labelled, 480);
  change_people(labelled, 300, [](int, Person& cells) { cells[1] = "gone"; });
  const nlohmann::json labels = rules(labelled).at("class-shares");
  EXPECT_TRUE(labels["train_again"].get<bool>()) << labels;
  EXPECT_NE(labels["about"].get<std::string>().find("new labels"), std::string::npos) << labels;
}

// The most probable class is the same for all; probabilities are not.
TEST_F(UpdateCommand, AnswersForTheMajorityAreNoReason) {
  const auto blur = [](int i, Person& cells) {
    cells[1] = i * 37 % 100 < 62 ? "buyer" : i * 37 % 100 < 87 ? "window" : "gone";
    cells[2] = std::to_string(20 + i * 13 % 29);
    cells[3] = "Rome";
  };
  change_people(folder_, 0, blur);
  train_people(folder_, "blurred");
  const TempDir grown;
  write_people(grown, 480, 1 << 20, 300);
  change_people(grown, 0, [&](int i, Person& cells) {
    blur(i, cells);
    if (i >= 300) cells[1].clear();
  });
  const nlohmann::json rule = rules(grown, "blurred").at("class-shares");
  EXPECT_EQ(rule["verdict"], "ok") << rule;
  std::istringstream answers(run_program(people_command({"predict", "--model", folder_ / "blurred"}, grown)).out);
  int buyers = 0, people = -1;
  for (std::string line; std::getline(answers, line); ++people) buyers += line.find(",buyer,") != std::string::npos;
  EXPECT_GT(buyers, 0.8 * people) << "or this tests nothing: 62 % are";
}

TEST_F(UpdateCommand, CountsNewNodesOfUnknownClasses) {
  const TempDir pirates;
  write_people(pirates, 340, 1 << 20, 300);
  change_people(pirates, 320, [](int, Person& cells) { cells[1] = "pirate"; });
  const Answer a = update(pirates);
  EXPECT_EQ(a.code, 1);
  EXPECT_NE(a.out.find("40 new, 20 of them with a label"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("20 of these of a class that the model does not know"), std::string::npos) << a.out;
  const nlohmann::json j = nlohmann::json::parse(update(pirates, {"--json"}).out);
  EXPECT_EQ(j["new_labels"], 20);
  EXPECT_EQ(j["new_labels_unknown"], 20);
}

TEST_F(UpdateCommand, NumbersFarBeyondTrainingAreUnseenValues) {
  const auto exact = [](int i, Person& person) { person[2] = std::to_string(20 + 0.37 * i); };
  change_people(folder_, 0, exact);
  train_people(folder_, "exact");
  const TempDir far, near;
  for (const TempDir* each : {&far, &near}) {
    write_people(*each, 340);
    change_people(*each, 0, exact);
  }
  EXPECT_EQ(rules(near, "exact").at("unseen-values")["verdict"], "ok") << "a little beyond";
  change_people(far, 300, [](int i, Person& person) {
    if (i % 2 == 0) person[2] = "900";
  });
  const nlohmann::json rule = rules(far, "exact").at("unseen-values");
  EXPECT_TRUE(rule["train_again"].get<bool>()) << rule;
  EXPECT_EQ(rule["about"], "cells of 'age' with numbers far beyond those of training");
}

TEST_F(UpdateCommand, WritesTheAnswersOfPredict) {
  const TempDir grown;
  write_people(grown, 310);
  ASSERT_EQ(update(grown, {"--out", grown / "answers.csv"}).code, 0);
  std::istringstream answers(slurp(grown / "answers.csv"));
  std::istringstream plain(run_program(people_command({"predict", "--model", folder_ / "run"}, grown)).out);
  int fresh = 0;
  for (std::string a, b; std::getline(plain, a) && std::getline(answers, b);) {
    EXPECT_TRUE(b.starts_with(a + ",")) << a << " " << b;
    fresh += b.ends_with(",new");
  }
  EXPECT_EQ(fresh, 10);
  EXPECT_EQ(update(grown, {"--out", grown / "answers.csv"}).code, 2) << "there already";
  EXPECT_EQ(update(grown, {"--out", grown / "answers.csv", "--force"}).code, 0) << "as a job of every week does";
}

TEST_F(UpdateCommand, FinalModelsKnowTheirNodesThemselves) {
  train_people(folder_, "all", {"--final", "ensemble"});
  std::filesystem::remove(folder_ / "all" / "map.csv");
  const TempDir strange;
  write_people(strange, 340, 320, 300);
  const Answer a = run_program(
      people_command({"update", "--model", folder_ / "all", "--json", "--out", strange / "answers.csv"}, strange));
  EXPECT_EQ(a.code, 1) << a.err;
  const nlohmann::json j = nlohmann::json::parse(a.out);
  EXPECT_EQ(j["new"], 40);
  for (const auto& rule : j["rules"])
    EXPECT_TRUE(rule["rule"] != "unseen-values" || std::abs(rule["now"].get<double>() - 0.5) < 1e-9);
  EXPECT_EQ(slurp(strange / "answers.csv"),
            run_program(people_command({"predict", "--model", folder_ / "all"}, strange)).out);
}

TEST_F(UpdateCommand, NeedsTheRunOfTheModel) {
  const TempDir alone;
  write_text(alone / "model.safetensors", slurp(folder_ / "run" / "model.safetensors"));
  const Answer a = run_program(people_command({"update", "--model", alone / "model.safetensors"}, folder_));
  EXPECT_EQ(a.code, 65);
  EXPECT_NE(a.err.find("no result.json beside"), std::string::npos) << a.err;
}

}  // namespace
}  // namespace gcnh::testing
