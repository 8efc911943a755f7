// A run folder, read back. What older folders lack stays empty.
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/base/matrix.h"
#include "gcnh/run/account.h"
#include "gcnh/run/outcome.h"

namespace gcnh {

struct DataSummary {
  std::string name = {}, view = {}, fingerprint = {};
  double nodes = 0, edges = 0, self_loops = 0, features = 0, feature_nonzeros = 0, unlabelled = 0;
  double test_per_train = 0;                                   // test nodes per training node
  std::vector<std::pair<std::string, double>> classes = {};    // name and nodes; without data.json none
  std::vector<std::pair<std::string, double>> homophily = {};  // four measures and label informativeness
  std::vector<std::pair<std::string, double>> degree = {};     // min, median, mean, max, isolated
  std::vector<std::pair<double, double>> degree_counts = {};
  std::vector<double> node_homophily_counts = {};
  std::vector<std::vector<double>> compatibility = {};
  std::vector<std::pair<std::string, std::string>> remarks = {};  // of gcnh check: a rule and what it found
};

struct MapPoint {
  std::string id = {}, label = {}, predicted = {}, role = {};
  std::vector<double> scores = {};  // log-probabilities
  double homophily = std::numeric_limits<double>::quiet_NaN();
};

// The answers for the test nodes of a split. A node's homophily is the share of its labelled neighbours that have its
// class, not a number where it has none.
struct TestAnswers {
  std::vector<int> labels = {};
  Matrix logp = {};                                 // (nodes, classes) log-probabilities
  std::vector<double> degree = {}, homophily = {};  // empty in folders that do not tell
};

// What the search that chose the options of a run tried, best first.
struct StoredSearch {
  struct Cell {
    std::vector<std::pair<std::string, std::string>> options = {};
    MeanStd val = {};        // of the metric
    std::size_t splits = 0;  // that it was trained on
    bool diverged = false;   // on one of them
  };
  Metric metric = Metric::accuracy;
  double budget_seconds = 0, seconds = 0;
  double trainings = 0, test_reads = 0;
  std::vector<Cell> cells = {};
};

// final.json: what was made of all labels.
struct StoredFinal {
  std::string kind = {};
  double epochs = 0, labels = 0, members = 0, judged = 0;
  Metric metric = Metric::accuracy;
  std::vector<std::pair<std::string, Measures>> candidates = {};  // kinds, the one that was taken first
  DecisionScores decision = {};                                   // with the temperature of the model
  std::vector<std::string> classes = {};                          // where answers follow costs or weights
  std::vector<std::vector<double>> decided = {};                  // then rows are true classes, columns answers
};

struct StoredRun {
  std::filesystem::path path = {};
  std::string model = {};
  DataSummary data = {};
  std::vector<std::pair<std::string, std::string>> options = {};
  std::vector<std::pair<std::string, std::string>> environment = {};  // engine, seed, threads, version, cpu ...
  std::string command = {};
  RunResult result = {};                            // without weights
  std::vector<std::size_t> test_nodes = {};         // per split a fingerprint of their ids; 0 without predictions.csv
  std::vector<std::vector<double>> confusion = {};  // test nodes of all splits: rows true, columns predicted class
  std::vector<TestAnswers> answers = {};            // per split; empty without predictions.csv
  std::vector<MapPoint> map = {};
  std::vector<Account> errors = {};         // the surest of them
  std::optional<StoredSearch> search = {};  // where the options were searched for
  std::optional<StoredFinal> final = {};    // where one was made
};

// The folders that hold a run: the folder itself, or those in it. An error names what is missing.
std::vector<std::filesystem::path> find_runs(const std::filesystem::path& folder);

StoredRun read_run(const std::filesystem::path& folder);

}  // namespace gcnh
