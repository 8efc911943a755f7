#include "gcnh/report/canvas.h"

#include "gcnh/report/escape.h"
#include "gcnh/report/frame.h"

namespace gcnh::report {

Box draw_chart(const Chart& chart, Canvas& canvas) {
  const Frame f = draw_frame(chart, canvas);
  const bool clipped = chart.kind == ChartKind::scatter;  // can be zoomed: marks must not run over the axes
  if (clipped) canvas.open_clip({f.left - 4, f.top - 4, f.right - f.left + 8, f.bottom - f.top + 8});
  draw_marks(chart, f, canvas);
  if (clipped) canvas.close();
  return {0, 0, f.width, f.height};
}

double text_width(std::string_view words) { return kCharacter * static_cast<double>(display_width(words)); }

const std::array<std::vector<Place>, kColours>& marker_outlines() {
  static const std::array<std::vector<Place>, kColours> outlines = {{
      {},
      {{-.89, -.89}, {.89, -.89}, {.89, .89}, {-.89, .89}},  // square
      {{0, -1.2}, {1.1, .75}, {-1.1, .75}},                  // triangle
      {{0, -1.3}, {1.1, 0}, {0, 1.3}, {-1.1, 0}},            // diamond
      {{0, 1.2}, {1.1, -.75}, {-1.1, -.75}},                 // triangle upside down
      {{-.4, -1.2},
       {.4, -1.2},
       {.4, -.4},
       {1.2, -.4},
       {1.2, .4},
       {.4, .4},
       {.4, 1.2},
       {-.4, 1.2},
       {-.4, .4},
       {-1.2, .4},
       {-1.2, -.4},
       {-.4, -.4}},  // plus
      {{0, -.6},
       {.7, -1.2},
       {1.2, -.7},
       {.6, 0},
       {1.2, .7},
       {.7, 1.2},
       {0, .6},
       {-.7, 1.2},
       {-1.2, .7},
       {-.6, 0},
       {-1.2, -.7},
       {-.7, -1.2}},  // cross
      {{0, -1.4},
       {.4, -.45},
       {1.33, -.43},
       {.6, .18},
       {.82, 1.13},
       {0, .6},
       {-.82, 1.13},
       {-.6, .18},
       {-1.33, -.43},
       {-.4, -.45}},  // star
  }};
  return outlines;
}

}  // namespace gcnh::report
