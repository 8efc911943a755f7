#include "gcnh/io/edge_weights.h"

#include "gcnh/base/error.h"
#include "gcnh/io/number_form.h"
#include "gcnh/io/number_marks.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

Real checked_weight(std::optional<double> weight, std::string_view text, const Rows& rows, int line,
                    std::size_t column) {
  if (weight && is_weight(*weight)) return static_cast<Real>(*weight);
  static constexpr const char* kOutside = " is outside 1e-15..1e15; divide all weights by the same number";
  static constexpr const char* kNoNumber =
      " is not a number; every edge has a weight above 0, written like 1234.5 or, in all edges, 1234,5";
  const char* fix = !weight        ? is_too_large(text, {}) ? kOutside : kNoNumber
                    : *weight == 0 ? " is no weight; leave the edge out, or give it one above 0"
                    : *weight < 0  ? " is below 0; weights are above 0: leave the edge out, or take another column"
                                   : kOutside;
  fail(Status::data, rows.name(), ":", line, ": column ", quote(rows.header()[column]), ": ",
       text.empty() ? "the cell is empty; every edge has a weight above 0" : quote(text) + fix);
}

}  // namespace

// A number such as 0.5 tells that points stand before fractions: cells that waited for it are plain numbers.
void EdgeWeights::settle_points(const Rows& rows, std::size_t column) {
  may_be_grouped_ = false;
  if (!are_plain_) return;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    plain_.push_back(checked_weight(parse_plain_number(cells_[i]), cells_[i], rows, lines_[i], column));
  has_points_ = has_points_ || cells_.size() > 0;
  cells_ = {};
  lines_.clear();
}

void EdgeWeights::add(const Rows& rows, std::size_t column) {
  const std::string& text = rows.row()[column];
  const auto weight = parse_plain_number(text);
  const bool has_point = text.find('.') != std::string::npos;
  if (weight && may_be_grouped_ && !may_be_grouped(text, '.')) settle_points(rows, column);
  if (cells_.size() == 0 && weight && !(has_point && may_be_grouped_)) {
    has_points_ = has_points_ || has_point;
    plain_.push_back(checked_weight(weight, text, rows, rows.line(), column));
  } else {
    if (text.find_first_of("0123456789") == std::string::npos) checked_weight({}, text, rows, rows.line(), column);
    are_plain_ = are_plain_ && weight;
    cells_.add(text);
    lines_.push_back(rows.line());
  }
}

void EdgeWeights::finish(const Rows& rows, std::size_t column, Tables& out) {
  out.edge_weights = std::move(plain_);
  if (cells_.size() == 0) return;
  const ForAllCells all = [&](const std::function<bool(std::string_view)>& f) {
    for (std::size_t i = 0; i < cells_.size(); ++i)
      if (!f(cells_[i])) return false;
    return true;
  };
  NumberForm form = find_number_form(all, has_points_ ? std::optional('.') : std::nullopt).value_or(NumberForm{});
  const bool unclear = are_plain_ && may_be_grouped_;
  if (unclear && !name_of_commas(out.columns).empty()) form = other_reading(form);
  for (std::size_t i = 0; i < cells_.size(); ++i)
    out.edge_weights.push_back(checked_weight(parse_formed(cells_[i], form), cells_[i], rows, lines_[i], column));
  out.assumptions.push_back(join(rows.name(), ": column ", quote(rows.header()[column]), " is read as ", describe(form),
                                 unclear && form.is_plain() ? ", '.' before fractions" : ""));
}

}  // namespace gcnh
