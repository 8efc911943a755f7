// The test nodes that a run's model is most surely wrong about, with the reasons; reports show them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/run/account.h"
#include "gcnh/run/run_files.h"

namespace gcnh {

// Of the split whose model the run keeps, compared with the true class, the surest first. On data with more than five
// million entries of features, none: an account may have as many parts.
std::string errors_json(const Experiment& experiment, const RunResult& result, const Answers& answers,
                        std::size_t count = 5);

std::vector<Account> read_errors(const std::filesystem::path& path);

}  // namespace gcnh
