// Numbers as people write them, all of a column in one way: $1,200, 1 200,50 kg, 45 %.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gcnh/graph/columns.h"
#include "gcnh/io/cells.h"

namespace gcnh {

// The number of a cell that is written in this form.
std::optional<double> parse_formed(std::string_view cell, const NumberForm& form);

// The one form that all cells have; with `point` given, among those with that mark. Nothing when they have none, or
// when they may as well be sets of codes: 100,200.
std::optional<NumberForm> find_number_form(const ForAllCells& all, std::optional<char> point = {});

std::string describe(const NumberForm& form);  // for people: "numbers with 'kg' behind them"

}  // namespace gcnh
