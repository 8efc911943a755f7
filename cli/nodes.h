// The flag that names some nodes of a graph.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "gcnh/gcnh.h"

namespace gcnh::cli {

void add_only_flag(CLI::App& app, std::vector<std::string>& only, const std::string& verb);

// The nodes with these ids, all without any. A single word that is no id may name a file with an id per line.
std::vector<Index> chosen_nodes(const Dataset& dataset, const std::vector<std::string>& only);

}  // namespace gcnh::cli
