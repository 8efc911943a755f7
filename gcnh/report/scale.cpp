#include "gcnh/report/scale.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace gcnh::report {
namespace {

double nice_step(double low, double high, int about) {
  const double rough = (high - low) / std::max(1, about);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double share = rough / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

// The multiples of the step from low to high; ends may be off by rounding.
std::vector<double> multiples(double low, double high, double step) {
  const double slack = 1e-9 * step;
  std::vector<double> out;
  for (double i = std::ceil((low - slack) / step); i * step <= high + slack; ++i) out.push_back(i == 0 ? 0 : i * step);
  return out;
}

// Thousands apart by thin blanks, and a true minus.
std::string grouped(std::string digits) {
  const bool negative = digits.starts_with("-");
  if (negative) digits.erase(0, 1);
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  if (whole > 4)
    for (std::size_t at = whole; at > 3;) digits.insert(at -= 3, "\u202f");
  return (negative ? "−" : "") + digits;
}

}  // namespace

std::vector<double> log_ticks(double low, double high) {
  const bool few = std::log10(high / low) < 2;
  std::vector<double> out;
  for (double power = std::floor(std::log10(low)); power <= std::ceil(std::log10(high)); ++power) {
    for (double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10, power);
      if ((few || factor == 1) && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) out.push_back(tick);
    }
  }
  return out;
}

std::vector<std::string> tick_texts(const std::vector<double>& ticks) {
  double step = 0;
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const double distance = std::abs(ticks[i] - ticks[i - 1]);
    step = step == 0 ? distance : std::min(step, distance);
  }
  if (step == 0) step = ticks.empty() || ticks[0] == 0 ? 1 : std::abs(ticks[0]);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  std::vector<std::string> out;
  for (double tick : ticks)
    out.push_back(grouped(decimals > 6 ? fmt::format("{:.1e}", tick) : fmt::format("{:.{}f}", tick, decimals)));
  return out;
}

double AxisScale::operator()(double value) const {
  const double share = log ? std::log(std::max(value, low) / low) / std::log(high / low) : (value - low) / (high - low);
  return from + share * (to - from);
}

AxisScale make_scale(double low, double high, bool log, double from, double to, int about) {
  AxisScale out{low, high, from, to, log, {}};
  if (log) {
    out.low = low / 1.15;
    out.high = high * 1.15;
    out.ticks = log_ticks(out.low, out.high);
    return out;
  }
  if (!(low < high)) {
    const double margin = low == 0 ? 1 : std::abs(low) / 10;
    out.low -= margin;
    out.high += margin;
  }
  const double step = nice_step(out.low, out.high, about);
  out.low = std::floor(out.low / step + 1e-9) * step;
  out.high = std::ceil(out.high / step - 1e-9) * step;
  out.ticks = multiples(out.low, out.high, step);
  return out;
}

}  // namespace gcnh::report
