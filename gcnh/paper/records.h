// What others have published on the same graphs (recipes/records.toml), with the protocol behind every number.
#pragma once

#include <string>
#include <vector>

namespace gcnh::paper {

struct PublishedRecord {
  std::string model;
  double value = 0;     // percent
  std::string splits;   // fixed | random | other | unknown
  std::string chosen;   // what chose epoch or cell, where it is known: epoch by validation
  std::string code;     // public | unknown
  std::string why_not;  // why it is not comparable with what is measured here; empty: it is
};

// Those on a graph, the largest first.
std::vector<PublishedRecord> records_on(const std::string& dataset);

// The largest that is comparable: FSGNN 88.38; "none" where there is none.
std::string best_record(const std::string& dataset);

}  // namespace gcnh::paper
