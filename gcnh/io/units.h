// Words beside a number: currencies and units.
#pragma once

#include <string>

namespace gcnh {

bool is_currency(const std::string& word);  // $, €, USD

// What may stand behind the numbers of a column in which all have it.
bool is_unit(const std::string& word);

// A currency, or a unit that is in use: also where a column has several, it means the number before it.
bool is_known_unit(const std::string& word);

// CR and DR, H and S: where only some numbers of a column have it, or each has one of two, it may be their sign.
bool is_sign(const std::string& word);

// What the word multiplies the number before it by: 1000 for K, k and Tsd, then M and Mio, B, bn and Mrd; else 0.
double multiple(const std::string& word);

// 1 year and 3 Years, 5 lb and 7 lbs.: the same for words that are only written differently. Mg is not mg.
std::string unit_key(std::string word);

}  // namespace gcnh
