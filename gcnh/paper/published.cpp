#include "gcnh/paper/published.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "gcnh/report/table.h"
#include "gcnh/run/recipe.h"

namespace gcnh::paper {
namespace {

constexpr double kSplits = 10;  // that every printed standard deviation is of

const toml::table& tables() {
  static const toml::table all = toml::parse(find_text(recipe_files(), "published.toml"));
  return all;
}

}  // namespace

std::vector<double> published(const std::string& table, const std::string& row, const std::string& dataset) {
  std::vector<double> out;
  if (const toml::array* values = tables()[table][row][dataset].as_array())
    for (const toml::node& value : *values) out.push_back(value.value<double>().value());
  return out;
}

std::string printed_accuracy(const std::string& model, const std::string& dataset) {
  const std::vector<double> printed = published("accuracy", model, dataset);
  return report::percent_cell(printed.at(0) / 100, printed.at(1) / 100);
}

std::optional<double> distance(const std::string& table, const std::string& row, const std::string& dataset,
                               double mean) {
  const std::vector<double> printed = published(table, row, dataset);
  if (printed.size() < 2) return std::nullopt;
  return (mean - printed[0]) / (printed[1] / std::sqrt(kSplits));
}

std::optional<double> distance_from_rerun(const std::string& model, const std::string& dataset, double mean) {
  const std::vector<double> printed = published("accuracy", model, dataset);
  const std::vector<double> rerun = published("rerun", model, dataset);
  if (printed.size() < 2 || rerun.empty()) return std::nullopt;
  return (mean - rerun[0]) / (printed[1] / std::sqrt(kSplits));
}

bool is_near(const std::string& table, const std::string& row, const std::string& dataset, double mean) {
  const auto paper = distance(table, row, dataset, mean), rerun = distance_from_rerun(row, dataset, mean);
  return std::abs(paper.value()) <= 2 || (rerun && std::abs(*rerun) <= 2);
}

bool has_own_options(const std::string& model, const std::string& dataset) {
  const toml::array* names = tables()["own_options"][model].as_array();
  return names && std::any_of(names->begin(), names->end(),
                              [&](const toml::node& name) { return name.value_or(std::string()) == dataset; });
}

std::string explanation(const std::string& row, const std::string& dataset) {
  return tables()["explained"][row][dataset].value_or<std::string>("");
}

}  // namespace gcnh::paper
