// Numbers that a model tells of itself, such as GCNH's weight of the centre node.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gcnh {

using Readings = std::map<std::string, std::vector<double>>;  // by name; one value per layer, for example

struct ReadingInfo {
  std::string name;
  std::string help;
  double low, high;  // the ends of its axis
};

// The readings of all models, each name once.
std::vector<ReadingInfo> known_readings();

}  // namespace gcnh
