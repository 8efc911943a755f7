// Options are declared once, in a struct with visit(f) calling f(name, field, help) for each field, and a range behind
// the help where a number has one. Command line, help, recipes, model files and reports all walk visit; values travel
// between them as text, and assign() refuses what a field does not take.
// A field is a number, a bool, a text, an enum whose words stand beside it (words_of), or a NumberOr of both.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gcnh/base/error.h"

namespace gcnh {

// One word of an enum, and what it means where that needs saying. `Words words_of(E)` lists those of E in its order.
struct Word {
  const char* text;
  const char* help = "";
};
using Words = std::vector<Word>;

template <class E>
std::string to_word(E value) {
  return words_of(value)[static_cast<std::size_t>(value)].text;
}

// A number, or a word for one that is found otherwise.
template <class Number, class E>
class NumberOr {
 public:
  NumberOr(Number number) : is_number_(true), number_(number) {}
  NumberOr(E word) : word_(word) {}
  std::optional<Number> number() const { return is_number_ ? std::optional(number_) : std::nullopt; }
  E word() const { return word_; }  // holds where there is no number
  bool operator==(E word) const { return !is_number_ && word_ == word; }

 private:
  bool is_number_ = false;
  Number number_{};
  E word_{};
};

// The numbers that an option takes.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_excluded = false;
  bool most_excluded = false;
  const char* note = "";  // what one of them means

  std::string text() const;                                 // at least 1, above 0, 0..1; empty for all numbers
  void check(std::string_view option, double value) const;  // throws a usage error for a number outside
};
constexpr Range at_least(double least, const char* note = "") { return {.least = least, .note = note}; }
constexpr Range above(double least) { return {.least = least, .least_excluded = true}; }
constexpr Range within(double least, double most) { return {.least = least, .most = most}; }
constexpr Range share() { return {.least = 0, .most = 1, .most_excluded = true}; }

// A name as users may write it: weight-decay, like the flag, is weight_decay.
std::string option_name(std::string_view text);

// Values by name; a name in either spelling finds them.
struct OptionOrder {
  bool operator()(const std::string& a, const std::string& b) const { return option_name(a) < option_name(b); }
};
using OptionValues = std::map<std::string, std::string, OptionOrder>;

struct OptionInfo {
  std::string name;
  std::string value;
  std::string help;  // words and range included
  Words words = {};  // that it takes; none for text and for numbers alone
  Range range = {};
};

std::string to_text(double value);  // shortest form that reads back to the same number
bool read_number(const std::string& text, int& value);
bool read_number(const std::string& text, double& value);  // finite ones only

// These throw a usage error for a text that is no such value.
void parse_text(std::string_view name, const std::string& text, int& value);
void parse_text(std::string_view name, const std::string& text, double& value);
void parse_text(std::string_view name, const std::string& text, bool& value);
inline void parse_text(std::string_view, const std::string& text, std::string& value) { value = text; }

// The place of a value among the allowed ones, or a usage error that lists them and suggests the nearest.
std::size_t require_one_of(std::string_view option, const std::string& value, const std::vector<std::string>& allowed);

std::vector<std::string> texts_of(const Words& words);
// "how they are joined: sum | mean | max (of each column)"
std::string help_with(const std::string& help, const Words& words);

template <class E>
requires std::is_enum_v<E>
void parse_text(std::string_view name, const std::string& text, E& value) {
  value = static_cast<E>(require_one_of(name, text, texts_of(words_of(value))));
}

template <class Number, class E>
void parse_text(std::string_view name, const std::string& text, NumberOr<Number, E>& value) {
  const std::vector<std::string> words = texts_of(words_of(value.word()));
  const auto word = std::find(words.begin(), words.end(), text);
  if (Number number{}; read_number(text, number)) {
    value = number;
  } else if (word != words.end()) {
    value = static_cast<E>(word - words.begin());
  } else {
    fail(Status::usage, name, ": '", text, "' is neither a ", std::is_same_v<Number, int> ? "whole number" : "number",
         " nor one of: ", list_words(words), did_you_mean(text, words));
  }
}

// Adds value, words and all help to what a visit line says of a field.
template <class Field>
OptionInfo describe_field(const char* name, const Field& field, const std::string& help, const Range& range) {
  const std::string numbers = (range.text().empty() ? "" : ", ") + range.text();
  if constexpr (std::is_same_v<Field, std::string>) {
    return {name, field, help};
  } else if constexpr (std::is_same_v<Field, bool>) {
    return {name, field ? "true" : "false", help, {{"true"}, {"false"}}};
  } else if constexpr (std::is_enum_v<Field>) {
    return {name, to_word(field), help_with(help, words_of(field)), words_of(field)};
  } else if constexpr (std::is_arithmetic_v<Field>) {
    return {name, to_text(static_cast<double>(field)), help + numbers, {}, range};
  } else {
    const Words words = words_of(field.word());
    return {name, field.number() ? to_text(*field.number()) : to_word(field.word()),
            help_with(help, words) + " | a number" + numbers, words, range};
  }
}

template <class Field>
void check_range(std::string_view name, const Field& field, const Range& range) {
  if constexpr (std::is_arithmetic_v<Field>) range.check(name, static_cast<double>(field));
  if constexpr (requires { field.number(); })
    if (field.number()) range.check(name, *field.number());
}

// Names, current values and help of all options.
template <class Options>
std::vector<OptionInfo> describe(Options options = {}) {
  std::vector<OptionInfo> out;
  options.visit([&](const char* name, auto& field, const char* help, const Range& range = {}) {
    out.push_back(describe_field(name, field, help, range));
  });
  return out;
}

template <class Options>
OptionValues to_values(const Options& options) {
  OptionValues out;
  for (const OptionInfo& info : describe(options)) out[info.name] = info.value;
  return out;
}

// Sets the options that `values` names; names that Options does not have are left to others.
template <class Options>
void assign(Options& options, const OptionValues& values) {
  options.visit([&](const char* name, auto& field, const char*, const Range& range = {}) {
    const auto found = values.find(name);
    if (found == values.end()) return;
    auto value = field;
    parse_text(name, found->second, value);
    check_range(name, value, range);
    field = std::move(value);
  });
}

// For options that were set without assign().
template <class Options>
void check_ranges(Options options) {
  options.visit(
      [](const char* name, auto& field, const char*, const Range& range = {}) { check_range(name, field, range); });
}

}  // namespace gcnh
