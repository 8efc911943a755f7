// What surrounds the marks of a chart: size, axes, grid, legend.
#pragma once

#include "gcnh/report/canvas.h"
#include "gcnh/report/scale.h"

namespace gcnh::report {

struct Frame {
  double width = 480, height = 300;                 // of the whole drawing; text is 13 units high
  double left = 0, right = 0, top = 0, bottom = 0;  // of the area of the marks
  AxisScale x, y;                                   // of values; unused where there are categories
  double step = 0;                                  // height of a category of dots and bars
  double cell_width = 0, cell_height = 0;           // of a heat map
};

Frame draw_frame(const Chart& chart, Canvas& canvas);

// What is inside (marks.cpp).
void draw_marks(const Chart& chart, const Frame& frame, Canvas& canvas);

}  // namespace gcnh::report
