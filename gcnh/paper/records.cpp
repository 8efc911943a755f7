#include "gcnh/paper/records.h"

#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>

#include "gcnh/run/recipe.h"

namespace gcnh::paper {
namespace {

const toml::array& all_records() {
  static const toml::table file = toml::parse(find_text(recipe_files(), "records.toml"));
  return *file["record"].as_array();
}

std::string text_of(const toml::table& record, const char* key) { return record[key].value_or<std::string>(""); }

std::string chosen_by(const toml::table& record) {
  std::string out;
  for (const char* what : {"epoch", "cell"})
    if (const std::string by = text_of(record, what); !by.empty())
      out += fmt::format("{}{} by {}", out.empty() ? "" : ", ", what, by);
  return out;
}

}  // namespace

std::vector<PublishedRecord> records_on(const std::string& dataset) {
  std::vector<PublishedRecord> out;
  for (const toml::node& node : all_records()) {
    const toml::table& record = *node.as_table();
    if (const auto value = record["values"][dataset].value<double>())
      out.push_back({text_of(record, "model"), *value, text_of(record, "splits"), chosen_by(record),
                     text_of(record, "code"), text_of(record, "why_not")});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const PublishedRecord& a, const PublishedRecord& b) { return a.value > b.value; });
  return out;
}

std::string best_record(const std::string& dataset) {
  for (const PublishedRecord& record : records_on(dataset))
    if (record.why_not.empty()) return fmt::format("{} {:.2f}", record.model, record.value);
  return "none";
}

}  // namespace gcnh::paper
