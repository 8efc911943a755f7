// Numbers as people write them, all of a column in one way: $1,200, 1 200,50 kg, 45 %.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gcnh/graph/columns.h"
#include "gcnh/io/cells.h"

namespace gcnh {

// 1234.5, 1e3, +2e-4. What is too small for a double is 0.
std::optional<double> parse_plain_number(std::string_view cell);

// Whether the cell is a number beyond what features hold, 3.4e38: 1e999.
bool is_too_large(std::string_view cell, const NumberForm& form);

// The number of a cell that is written in this form. The unit may be left out.
std::optional<double> parse_formed(std::string_view cell, const NumberForm& form);
// <0.1, ≥ 100 mg/L: only known to be below or above a number.
bool is_bound(std::string_view cell);
bool lacks_unit(std::string_view cell, const NumberForm& form);  // that the form has

// The one form that all cells have; with `point` given, among those with that mark. Fewer than half of them may lack
// the unit. Nothing when they have no form in common, or when they may as well be sets of codes: 100,200.
std::optional<NumberForm> find_number_form(const ForAllCells& all, std::optional<char> point = {});

// Numbers with known units or currencies, but of several kinds: the form of the commonest. Nothing when that is not so.
std::optional<NumberForm> find_mixed_form(const ForAllCells& all);

// Numbers of which some have a word behind them that may be a sign, CR or H, and others none or another one: the form
// of those without.
std::optional<NumberForm> find_signed_form(const ForAllCells& all);

bool has_minus_behind(std::string_view cell);    // 800,00-
std::string sign_behind(std::string_view cell);  // the CR of 80.00 CR; else nothing

std::string describe(const NumberForm& form);    // for people: "numbers with 'kg' behind them"
std::string example_of(const NumberForm& form);  // €1,234.5

}  // namespace gcnh
