#include "gcnh/io/splits.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

void check_mask(std::span<const std::int64_t> mask, const char* name, const std::string& where) {
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] != 0 && mask[i] != 1)
      fail(Status::data, where, ": ", name, " mask: node ", i, " has the value ", mask[i], "; allowed: 0 and 1");
  }
}

std::vector<Index> sorted(std::span<const Index> nodes) {
  std::vector<Index> out(nodes.begin(), nodes.end());
  std::sort(out.begin(), out.end());
  return out;
}

// The state that Python's random.seed gives the Mersenne Twister (init_by_array with one word), offered to std::mt19937
// the way it asks a seed sequence.
struct PythonSeed {
  using result_type = std::uint32_t;
  std::uint32_t key;

  template <class Iterator>
  void generate(Iterator begin, Iterator end) const {
    std::vector<std::uint32_t> s(static_cast<std::size_t>(end - begin));
    const std::size_t n = s.size();
    s[0] = 19650218;
    for (std::size_t i = 1; i < n; ++i) s[i] = 1812433253u * mix(s[i - 1]) + static_cast<std::uint32_t>(i);
    std::size_t i = 1;
    const auto advance = [&] {
      if (++i < n) return;
      s[0] = s[n - 1];
      i = 1;
    };
    for (std::size_t k = 0; k < n; ++k, advance()) s[i] = (s[i] ^ (mix(s[i - 1]) * 1664525u)) + key;
    for (std::size_t k = 1; k < n; ++k, advance())
      s[i] = (s[i] ^ (mix(s[i - 1]) * 1566083941u)) - static_cast<std::uint32_t>(i);
    s[0] = 0x80000000u;
    std::copy(s.begin(), s.end(), begin);
  }

  static std::uint32_t mix(std::uint32_t word) { return word ^ (word >> 30); }
};

}  // namespace

Split split_from_masks(std::span<const std::int64_t> train, std::span<const std::int64_t> val,
                       std::span<const std::int64_t> test, const std::string& where) {
  check_mask(train, "train", where);
  check_mask(val, "val", where);
  check_mask(test, "test", where);
  Split out;
  for (std::size_t i = 0; i < train.size(); ++i) {
    if (train[i] + val[i] + test[i] > 1)
      fail(Status::data, where, ": node ", i, " is in more than one of train, val and test");
    if (train[i]) out.train.push_back(static_cast<Index>(i));
    if (val[i]) out.val.push_back(static_cast<Index>(i));
    if (test[i]) out.test.push_back(static_cast<Index>(i));
  }
  require(!out.train.empty(), where, ": the train mask is empty");
  return out;
}

void drop_unlabelled(std::vector<Split>& splits, std::span<const int> labels) {
  const auto unlabelled = [&](Index node) { return labels[node] < 0; };
  for (Split& split : splits)
    for (auto* nodes : {&split.train, &split.val, &split.test}) std::erase_if(*nodes, unlabelled);
}

std::mt19937 python_generator(std::uint32_t key) {
  PythonSeed seed{key};
  return std::mt19937(seed);
}

// Fisher-Yates from the end; a number below i + 1 is drawn as its leading bits until one fits.
std::vector<Index> python_shuffle(std::uint32_t key, Index count) {
  std::mt19937 draw = python_generator(key);
  std::vector<Index> out(count);
  std::iota(out.begin(), out.end(), Index{0});
  for (Index i = count - 1; i > 0; --i) {
    const auto bound = static_cast<std::uint32_t>(i) + 1;
    const int shift = std::countl_zero(bound);
    std::uint_fast32_t r = draw() >> shift;
    while (r >= bound) r = draw() >> shift;
    std::swap(out[i], out[r]);
  }
  return out;
}

Split syn_cora_split(Index num_nodes) {
  const std::vector<Index> order = python_shuffle(155, num_nodes);
  const std::span<const Index> nodes(order);
  const std::size_t train = nodes.size() / 2, val = nodes.size() / 5;
  return {sorted(nodes.first(train)), sorted(nodes.subspan(train, val)), sorted(nodes.subspan(train + val))};
}

}  // namespace gcnh
