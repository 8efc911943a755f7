#include "gcnh/run/stored_tables.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "gcnh/base/error.h"
#include "gcnh/io/csv_rows.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// Classes by name, in the order of the data.
std::map<std::string, std::size_t> class_numbers(const DataSummary& data) {
  std::map<std::string, std::size_t> out;
  for (std::size_t k = 0; k < data.classes.size(); ++k) out[data.classes[k].first] = k;
  return out;
}

double number_in(const Rows& rows, std::size_t column) {
  const std::string& cell = rows.row()[column];
  const auto value = parse_number<double>(cell);
  if (!value) rows.fail(quote(cell), " is not a number");
  return *value;
}

// The columns of a node's surroundings, which older folders lack.
struct Surroundings {
  explicit Surroundings(const Rows& rows) : degree(find(rows, "degree")), homophily(find(rows, "homophily")) {}
  static std::optional<std::size_t> find(const Rows& rows, const std::string& name) {
    const auto found = std::find(rows.header().begin(), rows.header().end(), name);
    return found == rows.header().end() ? std::nullopt : std::optional<std::size_t>(found - rows.header().begin());
  }
  double homophily_of(const Rows& rows) const {
    return rows.row()[*homophily].empty() ? std::numeric_limits<double>::quiet_NaN() : number_in(rows, *homophily);
  }
  std::optional<std::size_t> degree, homophily;
};

// A probability of a billionth of a billionth and none at all are the same to every reader.
double log_of(double p) { return std::log(std::clamp(p, 1e-30, 1.0)); }

// Reads predictions.csv row by row.
class AnswersReader {
 public:
  AnswersReader(const std::filesystem::path& path, StoredRun& run)
      : run_(run), rows_(path.string()), classes_(class_numbers(run.data)), around_(rows_) {
    run.confusion.assign(classes_.size(), std::vector<double>(classes_.size()));
    run.answers.resize(run.result.splits.size());
    logp_.resize(run.answers.size());
    for (std::size_t i = 0; i < run.answers.size(); ++i) split_[std::to_string(run.result.splits[i].split)] = i;
    for (const auto& [name, nodes] : run.data.classes) columns_.push_back(rows_.column("p_" + name));
  }

  void read() {
    const std::size_t split = rows_.column("split"), id = rows_.column("id");
    const std::size_t label = rows_.column("label"), predicted = rows_.column("predicted");
    while (rows_.next()) {
      const auto at = split_.find(rows_.row()[split]);
      if (at == split_.end()) rows_.fail("a split that result.json does not name");
      run_.test_nodes[at->second] += std::hash<std::string>{}(rows_.row()[id]) | 1;  // in any order the same
      const std::size_t k = class_of(label);
      run_.confusion[k][class_of(predicted)] += 1;
      add(run_.answers[at->second], logp_[at->second], k);
    }
    if (std::all_of(logp_.begin(), logp_.end(), [](const auto& rows) { return rows.empty(); })) {
      run_.answers.clear();  // no test nodes
      run_.confusion.clear();
    }
    for (std::size_t i = 0; i < run_.answers.size(); ++i) {
      Matrix& to = run_.answers[i].logp;
      to = Matrix(static_cast<Index>(run_.answers[i].labels.size()), static_cast<Index>(classes_.size()));
      std::copy(logp_[i].begin(), logp_[i].end(), to.data());
    }
  }

 private:
  std::size_t class_of(std::size_t column) const {
    const auto found = classes_.find(rows_.row()[column]);
    if (found == classes_.end()) rows_.fail("a class that data.json does not name");
    return found->second;
  }

  void add(TestAnswers& to, std::vector<Real>& logp, std::size_t label) const {
    to.labels.push_back(static_cast<int>(label));
    for (std::size_t column : columns_) logp.push_back(static_cast<Real>(log_of(number_in(rows_, column))));
    if (around_.degree) to.degree.push_back(number_in(rows_, *around_.degree));
    if (around_.homophily) to.homophily.push_back(around_.homophily_of(rows_));
  }

  StoredRun& run_;
  CsvRows rows_;
  std::map<std::string, std::size_t> classes_, split_;
  Surroundings around_;
  std::vector<std::size_t> columns_;     // of the probabilities
  std::vector<std::vector<Real>> logp_;  // by split
};

}  // namespace

void read_predictions(const std::filesystem::path& path, StoredRun& run) { AnswersReader(path, run).read(); }

void read_map(const std::filesystem::path& path, std::vector<MapPoint>& map) {
  CsvRows rows(path.string());
  const Surroundings around(rows);
  const std::size_t end = around.degree ? *around.degree : rows.header().size();
  while (rows.next()) {
    const std::vector<std::string>& cells = rows.row();
    if (cells.size() < 5) rows.fail("at least five columns are needed");
    MapPoint point{cells[0], cells[1], cells[2], cells[3], {}};
    for (std::size_t k = 4; k < end; ++k) point.scores.push_back(number_in(rows, k));
    if (around.homophily) point.homophily = around.homophily_of(rows);
    map.push_back(std::move(point));
  }
}

}  // namespace gcnh
