// What the GCNH paper prints (recipes/published.toml).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gcnh::paper {

// The numbers of a table's row for a dataset, such as ("accuracy", "gcnh", "texas"); empty where nothing is printed.
std::vector<double> published(const std::string& table, const std::string& row, const std::string& dataset);

// An accuracy as printed: 87.84 ± 3.87.
std::string printed_accuracy(const std::string& model, const std::string& dataset);

// How far a measured mean (in percent) lies from the printed one, in standard errors of the printed one (std / sqrt
// 10); nothing where no standard deviation is printed.
std::optional<double> distance(const std::string& table, const std::string& row, const std::string& dataset,
                               double mean);

// The same from what the authors' own code gave when it was run again.
std::optional<double> distance_from_rerun(const std::string& model, const std::string& dataset, double mean);

// Within two standard errors of the paper or of that run. Only where a standard deviation is printed.
bool is_near(const std::string& table, const std::string& row, const std::string& dataset, double mean);

// Whether a model's options on a dataset were not published, or several were and not which of them was used.
bool has_own_options(const std::string& model, const std::string& dataset);

// Why a cell of a table lies far from the paper, in our words; empty where nobody looked into it.
std::string explanation(const std::string& row, const std::string& dataset);

}  // namespace gcnh::paper
