#include "gcnh/io/edge_weights.h"

#include "gcnh/base/error.h"
#include "gcnh/io/number_form.h"
#include "gcnh/io/number_marks.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// What is wrong with a cell that holds no weight.
std::string flaw_of(std::optional<double> weight, std::string_view text) {
  static constexpr const char* kOutside = " is outside 1e-15..1e15; divide all weights by the same number";
  static constexpr const char* kNoNumber =
      " is not a number; every edge has a weight above 0, written like 1234.5 or, in all edges, 1234,5";
  if (text.empty()) return "the cell is empty; every edge has a weight above 0";
  const char* flaw = !weight        ? is_too_large(text, {}) ? kOutside : kNoNumber
                     : *weight == 0 ? " is no weight; leave the edge out, or give it one above 0"
                     : *weight < 0  ? " is below 0; weights are above 0: leave the edge out, or take another column"
                                    : kOutside;
  return quote(text) + flaw;
}

}  // namespace

void EdgeWeights::take(std::optional<double> weight, std::string_view text, int line) {
  if (weight && is_weight(*weight)) return weights_.push_back(static_cast<Real>(*weight));
  if (count_wrong_++ == 0) first_wrong_ = {line, flaw_of(weight, text)};
}

// A number such as 0.5 tells that points stand before fractions: cells that waited for it are plain numbers.
void EdgeWeights::settle_points() {
  may_be_grouped_ = false;
  if (!are_plain_) return;
  for (std::size_t i = 0; i < cells_.size(); ++i) take(parse_plain_number(cells_[i]), cells_[i], lines_[i]);
  has_points_ = has_points_ || cells_.size() > 0;
  cells_ = {};
  lines_.clear();
}

void EdgeWeights::add(const Rows& rows, std::size_t column) {
  const std::string& text = rows.row()[column];
  const auto weight = parse_plain_number(text);
  const bool has_point = text.find('.') != std::string::npos;
  if (weight && may_be_grouped_ && !may_be_grouped(text, '.')) settle_points();
  if (cells_.size() == 0 && weight && !(has_point && may_be_grouped_)) {
    has_points_ = has_points_ || has_point;
    take(weight, text, rows.line());
  } else if (text.find_first_of("0123456789") == std::string::npos) {
    take({}, text, rows.line());
  } else {
    are_plain_ = are_plain_ && weight;
    cells_.add(text);
    lines_.push_back(rows.line());
  }
}

void EdgeWeights::check(const Rows& rows, std::size_t column) const {
  if (count_wrong_ == 0) return;
  const std::int64_t more = count_wrong_ - 1;
  fail(Status::data, rows.name(), ":", first_wrong_.first, ": column ", quote(rows.header()[column]), ": ",
       first_wrong_.second,
       more == 0 ? ""
                 : join(" (and ", counted(more, "more cell"),
                        " without one: remove those rows, or leave `weight` out and all edges weigh 1)"));
}

void EdgeWeights::finish(const Rows& rows, std::size_t column, Tables& out) {
  if (cells_.size() > 0) finish_cells(rows, column, out);
  check(rows, column);
  out.edge_weights = std::move(weights_);
}

// What only the whole column tells how to read.
void EdgeWeights::finish_cells(const Rows& rows, std::size_t column, Tables& out) {
  const ForAllCells all = [&](const std::function<bool(std::string_view)>& f) {
    for (std::size_t i = 0; i < cells_.size(); ++i)
      if (!f(cells_[i])) return false;
    return true;
  };
  NumberForm form = find_number_form(all, has_points_ ? std::optional('.') : std::nullopt).value_or(NumberForm{});
  const bool unclear = are_plain_ && may_be_grouped_;
  if (unclear && !name_of_commas(out.columns).empty()) form = other_reading(form);
  for (std::size_t i = 0; i < cells_.size(); ++i) take(parse_formed(cells_[i], form), cells_[i], lines_[i]);
  out.assumptions.push_back(join(rows.name(), ": column ", quote(rows.header()[column]), " is read as ", describe(form),
                                 unclear && form.is_plain() ? ", '.' before fractions" : ""));
}

}  // namespace gcnh
