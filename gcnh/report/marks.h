// The marks of each kind of chart inside its frame.
#pragma once

#include <string>

#include "gcnh/report/frame.h"

namespace gcnh {

std::string draw_lines(const Chart& chart, const Frame& frame);
std::string draw_dots(const Chart& chart, const Frame& frame);
std::string draw_bars(const Chart& chart, const Frame& frame);
std::string draw_heat(const Chart& chart, const Frame& frame);
std::string draw_scatter(const Chart& chart, const Frame& frame);

}  // namespace gcnh
