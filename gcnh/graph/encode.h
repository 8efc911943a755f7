// Applies a schema: from the columns of a table to the features that a model was or will be trained on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gcnh/graph/features.h"
#include "gcnh/graph/schema.h"

namespace gcnh {

// What applying a schema met that training had not.
struct Unseen {
  struct Values {
    std::string column = {};
    std::int64_t cells = 0;  // with such a value
    std::string example = {};
    bool is_number = false;
  };
  std::vector<Values> values = {};
  std::vector<std::string> columns = {};  // that the schema does not know
  std::vector<Values> missing = {};       // missing where training had no missing value: taken for the mean
  std::vector<Values> far = {};           // numbers far beyond those of training, whose range the example has behind it
  std::vector<Index> nodes = {};          // with one of these, ascending; a new word of a text does not count

  std::vector<std::string> notes() const;  // one line each
};

// Columns are found by name; those that are not there are an error that lists them, behind the table's name.
Features encode(const Schema& schema, const std::vector<Column>& columns, Index rows, Unseen* unseen = nullptr,
                const std::string& table = "table");

}  // namespace gcnh
