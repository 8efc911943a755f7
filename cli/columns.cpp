#include "cli/columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "cli/flags.h"
#include "cli/layout.h"

namespace gcnh::cli {
namespace {

constexpr std::size_t kMostNames = 24;  // columns of the name
constexpr std::size_t kMostShown = 30;  // lines; a table of words as columns has thousands

std::string shortened(const std::string& name) {
  std::string out = name;
  while (display_width(out) > kMostNames - 3) {
    while ((out.back() & 0xC0) == 0x80) out.pop_back();  // whole characters
    out.pop_back();
  }
  return display_width(name) <= kMostNames ? name : out + "...";
}

std::string cell(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return text + std::string(used < width ? width - used : 0, ' ');
}

// How many features each column makes of all nodes; 0 for those that are ignored.
std::vector<Index> widths(const Tables& tables) {
  std::vector<Index> all(tables.num_nodes());
  std::iota(all.begin(), all.end(), 0);
  const Schema schema = fit_schema(tables.columns, all, Scale::none);
  std::vector<Index> out;
  auto code = schema.columns.begin();
  for (const Column& column : tables.columns)
    out.push_back(column.spec.kind == ColumnKind::ignore ? 0 : (code++)->width());
  return out;
}

std::string advice(const std::vector<Column>& columns) {
  constexpr std::size_t kMost = 8;
  std::string out;
  for (const Advice& a : advice_on(columns)) {
    out += wrapped("  ? ", fmt::format("a guess; {} {} {}", flag_name(a.field), a.argument(kMost), a.when));
  }
  return out;
}

}  // namespace

FeatureSpec ColumnFlags::spec(const TrainedModel* model) const {
  if (model) {
    FeatureSpec known = feature_spec(*model);
    for (const std::string& name : ignore) declare(known, ColumnSpec{.name = name, .kind = ColumnKind::ignore});
    return known;
  }
  FeatureSpec out = features.empty() ? FeatureSpec{} : parse_feature_spec(features);
  for (const auto& [names, kind] : {std::pair(&numeric, ColumnKind::num), std::pair(&categorical, ColumnKind::cat),
                                    std::pair(&ignore, ColumnKind::ignore)})
    for (const std::string& name : *names) declare(out, ColumnSpec{.name = name, .kind = kind});
  return out;
}

void ColumnFlags::set_missing(CsvSource& csv) const {
  for (const std::string& text : missing) {
    const std::size_t quoted = quoted_size(text), equals = text.find('=', quoted);
    const bool has_name = equals != std::string::npos && equals > 0 && text.find(',', quoted) > equals;
    const std::string name = split_list(text.substr(0, equals)).front();
    if (has_name && equals + 1 == text.size())
      fail(Status::usage, "--missing: '", text, "' names no word; an empty cell is missing anyway");
    std::vector<std::string>& words = has_name ? csv.missing_of[name] : csv.missing;
    for (std::string& word : split_list(has_name ? text.substr(equals + 1) : text)) words.push_back(std::move(word));
  }
}

void add_column_flags(CLI::App& app, ColumnFlags& flags, CsvSource& csv) {
  const std::string group = "Columns of your table (kinds are found by looking where nothing is said)";
  app.add_option("--features", flags.features,
                 "exactly these: num:age cat:city multi:tags(|) text:about(hash=4096) date:since bool:paid; rest: "
                 "and all others")
      ->group(group);
  add_names(app, "--categorical", flags.categorical, "columns of words or codes, comma-separated")->group(group);
  add_names(app, "--numeric", flags.numeric, "columns of numbers, comma-separated")->group(group);
  app.add_option(
         "--missing", flags.missing,
         "words for no value, besides an empty cell, NA, NaN, null: 0,? in all features, age=0,99 in one column")
      ->group(group);
  add_names(app, "--missing-label", csv.missing_labels, "words for an unlabelled node, besides these")->group(group);
}

std::string describe_columns(const Tables& tables) {
  const auto is_plain = [](const Column& c) {
    return !c.is_guess && (c.spec.kind == ColumnKind::num || c.spec.kind == ColumnKind::ignore);
  };
  if (std::all_of(tables.columns.begin(), tables.columns.end(), is_plain)) return "";
  const std::vector<Index> width = widths(tables);
  std::size_t longest = 6;
  for (const Column& column : tables.columns)
    longest = std::max(longest, std::min(kMostNames, display_width(column.spec.name)));
  std::string out = fmt::format("  {}  kind      features  why\n", cell("column", longest));
  const std::size_t shown = std::min(tables.columns.size(), kMostShown);
  for (std::size_t c = 0; c < shown; ++c) {
    const Column& column = tables.columns[c];
    const std::string kind = to_word(column.spec.kind) + (column.is_guess ? " ?" : "");
    out += fmt::format("  {}  {}  {:8}  {}\n", cell(shortened(column.spec.name), longest), cell(kind, 8), width[c],
                       column.why);
  }
  if (shown < tables.columns.size()) out += fmt::format("  and {} more\n", tables.columns.size() - shown);
  out += advice(tables.columns);
  out.pop_back();  // the last line's end is whoever prints it
  return out;
}

}  // namespace gcnh::cli
