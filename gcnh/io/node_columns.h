// The feature columns of a node table: gathered as text while rows are read, then given a kind and parsed, so that
// everything that cannot be used is named at once.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/graph/dataset.h"
#include "gcnh/io/cells.h"
#include "gcnh/io/column_parse.h"
#include "gcnh/io/feature_spec.h"
#include "gcnh/io/rows.h"

namespace gcnh {

// Why a column of a second table is no feature.
inline constexpr const char* kSeveralNumbers = "several numbers for one node";

class NodeColumns {
 public:
  // The columns of the table but those at the `taken` places. Words that stand for no value: in all columns, and by the
  // name of one.
  NodeColumns(const Rows& rows, const std::set<std::size_t>& taken, const FeatureSpec& spec,
              const std::vector<std::string>& missing,
              const std::map<std::string, std::vector<std::string>>& missing_of);

  void add(const Rows& rows);  // the row that was just read
  // From a row each to a cell per node: those of its rows, which become a set where a node has several of them.
  void gather(const std::vector<std::vector<std::size_t>>& rows_of, const std::string& table);
  // Adds every column parsed, ignored ones too, without cells, and what there is to tell of them. Throws a data error
  // that lists what cannot be read.
  void parse(const std::string& table, Tables& out);

 private:
  struct Part {
    std::size_t place;  // in a row
    Column column;
    bool is_declared;
    Cells cells;
    std::vector<std::string> own_missing = {};  // words for no value of this column alone
  };
  void read_thousands(Tables& out, CellReport& report);
  static char joint(const Part& part, const std::string& table);

  bool is_of_model_;  // a trained model says what the columns are
  std::vector<Part> parts_;
  std::vector<std::pair<std::size_t, bool>> nameless_;  // columns, and whether they hold anything
  std::vector<int> lines_;
};

}  // namespace gcnh
