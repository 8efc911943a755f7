// A run folder, read back. What older folders lack stays empty.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gcnh {

struct SplitScores {
  int split = 0;
  int best_epoch = 0;
  int epochs = 0;
  double val_accuracy = 0;
  double test_accuracy = 0;
  double seconds = 0;
  std::vector<double> beta;
  std::size_t test_nodes = 0;  // a fingerprint of their ids; 0 without predictions.csv
};

// Of one split, one value per epoch.
struct Curves {
  int split = 0;
  std::vector<double> train_loss, val_loss, val_accuracy;
  std::vector<std::vector<double>> beta;  // one list per layer
};

struct DataSummary {
  std::string name, view, fingerprint;
  double nodes = 0, edges = 0, self_loops = 0, features = 0, feature_nonzeros = 0, unlabelled = 0;
  double test_per_train = 0;                              // test nodes per training node
  std::vector<std::pair<std::string, double>> classes;    // name and nodes; without data.json none
  std::vector<std::pair<std::string, double>> homophily;  // four measures and label informativeness
  std::vector<std::pair<std::string, double>> degree;     // min, median, mean, max, isolated
  std::vector<std::pair<double, double>> degree_counts;
  std::vector<double> node_homophily_counts;
  std::vector<std::vector<double>> compatibility;
};

struct MapPoint {
  std::string id, label, predicted, role;
  std::vector<double> scores;  // log-probabilities
};

struct Run {
  std::filesystem::path path;
  std::string name;  // the model's, with more where that is not unique among the runs of a report
  std::string file;  // the name, safe in paths and anchors
  std::string model;
  DataSummary data;
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<std::pair<std::string, std::string>> environment;  // engine, seed, threads, version, cpu ...
  std::string command;
  double parameters = 0;
  double seconds = 0;
  std::vector<SplitScores> splits;
  double val_mean = 0, val_std = 0, test_mean = 0, test_std = 0;  // population standard deviations
  std::vector<Curves> curves;
  std::vector<std::vector<double>> confusion;  // test nodes of all splits: rows true, columns predicted class
  std::vector<MapPoint> map;
};

// The folders that hold a run: the folder itself, or those in it. An error names what is missing.
std::vector<std::filesystem::path> find_runs(const std::filesystem::path& folder);

Run read_run(const std::filesystem::path& folder);

// All runs of the folders, each under a name of its own.
std::vector<Run> read_runs(const std::vector<std::filesystem::path>& folders);

}  // namespace gcnh
