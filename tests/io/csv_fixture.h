// What the tests of tables share: two small files, and a fixture that writes and reads them.
#pragma once

#include <gtest/gtest.h>

#include "gcnh/io/csv.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {

inline const std::string kCsvNodes = "id,label,age,spend\na,red,1,0\nb,blue,2.5,0\nc,,-3,1e2\n";
inline const std::string kCsvEdges = "source,target\na,b\nb,a\nc,c\n";

class CsvTest : public ::testing::Test {
 protected:
  Tables read(const std::string& nodes, const std::string& edges = kCsvEdges) {
    write_text(from_.nodes, nodes);
    write_text(from_.edges, edges);
    return read_csv(from_);
  }
  TempDir dir_;
  CsvSource from_ = {.nodes = (dir_ / "nodes.csv").string(), .edges = (dir_ / "edges.csv").string()};
};

}  // namespace gcnh
