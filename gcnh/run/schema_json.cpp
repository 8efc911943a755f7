#include "gcnh/run/schema_json.h"

#include <cmath>
#include <limits>
#include <set>

#include "gcnh/base/error.h"
#include "gcnh/io/feature_spec.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

using SortedJson = nlohmann::json;

SortedJson form_json(const NumberForm& form) {
  const std::string group = form.group == '\0' ? "" : std::string(1, form.group);
  SortedJson out = {
      {"before", form.before}, {"after", form.after}, {"point", std::string(1, form.point)}, {"group", group}};
  if (form.has_multiples) out["multiples"] = true;
  return out;
}

NumberForm form_from(const SortedJson& j, const std::string& where) {
  const std::string point = j.at("point"), group = j.at("group");
  require(point == "." || point == ",", where, ": point ", quote(point), "; it is . or ,");
  const bool known =
      group.size() <= 1 && (group.empty() || std::string_view(",.' ").find(group) != std::string_view::npos);
  require(known && group != point, where, ": group ", quote(group), "; it is empty, a comma, a point, ' or a blank");
  return {j.at("before"), j.at("after"), point[0], group.empty() ? '\0' : group[0], j.value("multiples", false)};
}

bool has_values(const ColumnSpec& spec) {
  return spec.kind == ColumnKind::cat || spec.kind == ColumnKind::multi ||
         (spec.kind == ColumnKind::text && spec.buckets == 0);
}

ColumnCode code_from(const SortedJson& j, const std::string& where) {
  ColumnCode out;
  j.at("name").get_to(out.spec.name);
  parse_text("kind", j.at("kind").get<std::string>(), out.spec.kind);
  j.at("missing").get_to(out.spec.missing);
  j.at("indicator").get_to(out.has_indicator);
  if (out.spec.kind == ColumnKind::multi) {
    const std::string separator = j.at("separator");
    require(separator.size() == 1, where, ": separator ", quote(separator), "; it is one character");
    out.spec.separator = separator[0];
  }
  if (out.spec.kind == ColumnKind::text) {
    const SortedJson& buckets = j.at("buckets");
    require(buckets.is_number_integer() && buckets >= 0 && buckets <= kMostBuckets, where, ": ", buckets.dump(),
            " buckets; allowed: 0..", kMostBuckets);
    buckets.get_to(out.spec.buckets);
  }
  if (out.spec.kind == ColumnKind::num) out.spec.form = j.contains("form") ? form_from(j["form"], where) : NumberForm{};
  if (out.spec.kind == ColumnKind::date) {
    out.spec.order = DateOrder::dmy;
    if (j.contains("order")) parse_text("order", j["order"].get<std::string>(), *out.spec.order);
  }
  if (has_values(out.spec)) {
    j.at("values").get_to(out.values);
  } else if (out.spec.kind != ColumnKind::text) {
    j.at("mean").get_to(out.mean);
    j.at("deviation").get_to(out.deviation);
    j.at("centred").get_to(out.is_centred);
    if (j.contains("low") || j.contains("high")) {
      j.at("low").get_to(out.low);
      j.at("high").get_to(out.high);
    }
  }
  return out;
}

void check(const ColumnCode& code, const std::string& where) {
  require(code.spec.kind != ColumnKind::ignore, where, ": kind 'ignore'; only features are listed");
  require(code.deviation > 0 && std::isfinite(code.deviation) && std::isfinite(code.mean), where, ": mean ", code.mean,
          ", deviation ", code.deviation, "; finite numbers, the second above 0");
  require(code.low <= code.high, where, ": numbers from ", code.low, " to ", code.high);
  std::set<std::string> distinct(code.values.begin(), code.values.end());
  require(distinct.size() == code.values.size(), where, ": a value is listed twice");
}

}  // namespace

SortedJson schema_json(const Schema& schema) {
  SortedJson out = SortedJson::array();
  for (const ColumnCode& code : schema.columns) {
    const ColumnSpec& spec = code.spec;
    SortedJson column = {{"name", spec.name},
                         {"kind", to_word(spec.kind)},
                         {"missing", spec.missing},
                         {"indicator", code.has_indicator}};
    if (spec.kind == ColumnKind::multi) column["separator"] = std::string(1, spec.separator);
    if (spec.kind == ColumnKind::text) column["buckets"] = spec.buckets;
    if (spec.form && !spec.form->is_plain()) column["form"] = form_json(*spec.form);
    if (spec.order && spec.order != DateOrder::dmy) column["order"] = to_word(*spec.order);
    if (has_values(spec)) {
      column["values"] = code.values;
    } else if (spec.kind != ColumnKind::text) {
      column.update({{"mean", code.mean}, {"deviation", code.deviation}, {"centred", code.is_centred}});
      if (std::isfinite(code.low)) column.update({{"low", code.low}, {"high", code.high}});
    }
    out.push_back(std::move(column));
  }
  return out;
}

Schema schema_from(const SortedJson& columns, const std::string& where) {
  require(columns.is_array() && !columns.empty(), where, ": columns are not a list");
  Schema out;
  std::set<std::string> names;
  std::int64_t width = 0;
  for (const SortedJson& j : columns) {
    ColumnCode code = code_from(j, where);
    const std::string column = join(where, ": column ", quote(code.spec.name));
    check(code, column);
    require(names.insert(code.spec.name).second, column, " is listed twice");
    width += code.width();
    require(width < std::numeric_limits<Index>::max(), where, ": too many features");
    out.columns.push_back(std::move(code));
  }
  return out;
}

Schema schema_from(const nlohmann::json& columns, const std::map<std::string, Matrix>& tensors,
                   const std::string& where) {
  Schema out = schema_from(columns, where);
  std::int64_t widest = 0;
  for (const auto& [name, m] : tensors) widest = std::max<std::int64_t>({widest, m.rows(), m.cols()});
  require(out.width() <= widest, where, ": columns of ", out.width(), " features, which no tensor of the file has");
  return out;
}

}  // namespace gcnh
