#include "gcnh/train/class_weights.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "gcnh/base/error.h"
#include "gcnh/base/names.h"

namespace gcnh {
namespace {

constexpr double kLeast = 1e-6, kMost = 1e6;  // so that sums and steps stay finite

// Classes that no node has count for nothing here.
std::vector<Real> balanced(const Dataset& d, std::span<const Index> nodes) {
  std::vector<double> count(d.classes.size(), 0);
  for (Index u : nodes) ++count[d.labels[u]];
  const auto present = std::count_if(count.begin(), count.end(), [](double c) { return c > 0; });
  const double share = static_cast<double>(nodes.size()) / static_cast<double>(present);
  std::vector<Real> out;
  for (double c : count) out.push_back(c > 0 ? static_cast<Real>(share / c) : Real{1});
  return out;
}

std::vector<Real> given(const std::string& words, const Dataset& d) {
  std::vector<Real> out(d.classes.size(), 1);
  std::set<std::string> seen;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t quoted = quoted_size(std::string_view(words).substr(begin));
    const std::size_t end = std::min(words.find(',', begin + quoted), words.size());
    const std::string word = words.substr(begin, end - begin);
    const std::size_t equals = word.rfind('=');
    double weight = 0;
    if (equals == std::string::npos || !read_number(word.substr(equals + 1), weight) || weight < kLeast ||
        weight > kMost)
      fail(Status::usage, "class_weights: '", word, "' is neither none, balanced nor a class and its weight from ",
           kLeast, " to ", kMost, ", such as rare=20");
    const std::string name = quoted > 0 && quoted == equals ? unquoted(word.substr(0, equals)) : word.substr(0, equals);
    const auto found = std::find(d.classes.begin(), d.classes.end(), name);
    if (found == d.classes.end())
      fail(Status::usage, "class_weights: no class '", name, "'; classes: ", list_words(d.classes),
           did_you_mean(name, d.classes));
    if (!seen.insert(name).second) fail(Status::usage, "class_weights: class '", name, "' is given twice");
    out[static_cast<std::size_t>(found - d.classes.begin())] = static_cast<Real>(weight);
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::vector<Real> class_weights(const std::string& words, const Dataset& dataset, std::span<const Index> nodes) {
  if (words == "none") return {};
  return words == "balanced" ? balanced(dataset, nodes) : given(words, dataset);
}

}  // namespace gcnh
