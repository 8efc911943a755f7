// From numbers to places on paper, and where to put the ticks.
#pragma once

#include <string>
#include <vector>

namespace gcnh::report {

// Powers of ten, with 2 and 5 times them where there are few.
std::vector<double> log_ticks(double low, double high);
// Ticks as text, all with the decimals that their distance needs; thousands are set apart.
std::vector<std::string> tick_texts(const std::vector<double>& ticks);

struct AxisScale {
  double low = 0, high = 1;  // numbers
  double from = 0, to = 1;   // places
  bool log = false;
  std::vector<double> ticks;

  double operator()(double value) const;
};

// Covers the numbers; the ends move outwards to ticks, which are about `about` multiples of 1, 2 or 5 times a power of
// ten, or by a little on a logarithmic scale.
AxisScale make_scale(double low, double high, bool log, double from, double to, int about);

}  // namespace gcnh::report
