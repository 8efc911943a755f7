// One HTML file that needs nothing else: style, script and charts are inside, and its policy forbids the browser to
// fetch anything. It reads without the script, which adds tooltips, highlighting, zoom and sorting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gcnh/report/chart.h"
#include "gcnh/report/table.h"

namespace gcnh::report {

// A number to show large, with its name and a remark.
struct Figure {
  std::string name, value, remark;
};

// A statement, and whether the numbers bear it out.
struct Check {
  std::string claim;
  bool holds = false;
};

struct Section {
  std::string anchor;
  std::string title;
  std::vector<std::string> paragraphs = {};  // plain text
  std::vector<Check> checks = {};
  std::vector<Figure> figures = {};
  std::vector<Chart> charts = {};  // each with its table folded below it
  std::vector<Table> tables = {};
  std::vector<Table> folded = {};  // shown on demand
  std::string code = {};           // a command line
};

// Whether a file that begins so is such a page.
bool is_html_page(std::string_view begin);

std::string html_page(const std::string& title, const std::string& subtitle, const std::vector<Section>& sections);

}  // namespace gcnh::report
