// What eval, predict, explain and others are asked for: a model, and some nodes of a graph.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "gcnh/gcnh.h"

namespace gcnh::cli {

// A model file, or a folder that has one.
void add_model_flag(CLI::App& app, std::string& model);

// The tables as the model takes them, with what there is to say of it. `unseen`: nodes with values that training had
// not.
Dataset fit_and_tell(const TrainedModel& model, Tables tables, bool quiet, std::vector<Index>* unseen = nullptr);

void add_only_flag(CLI::App& app, std::vector<std::string>& only, const std::string& verb);

// The nodes with these ids, all without any. A single word that is no id may name a file with an id per line.
// The flag is what messages call them.
std::vector<Index> chosen_nodes(const Dataset& dataset, const std::vector<std::string>& only,
                                const std::string& flag = "--only");

}  // namespace gcnh::cli
