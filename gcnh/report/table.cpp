#include "gcnh/report/table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gcnh/base/error.h"
#include "gcnh/io/csv_write.h"
#include "gcnh/report/escape.h"
#include "gcnh/run/outcome.h"

namespace gcnh::report {
namespace {

using Cells = std::vector<std::string>;

void check(const Table& table) {
  for (const Cells& row : table.rows)
    require(row.size() == table.columns.size(), "table '", table.name, "': a row has ", row.size(), " cells, not ",
            table.columns.size());
}

bool is_numeric(std::string cell) {
  for (const char* sign : {"±", "−", "–", "≈", "\u202f"})
    for (std::size_t at; (at = cell.find(sign)) != std::string::npos;) cell.erase(at, std::string(sign).size());
  return cell.find_first_not_of("0123456789.,+-e% ") == std::string::npos && !cell.starts_with("e");
}

// A number with a remark in brackets breaks before the remark only: 84.3 ± 5.7 (-0.6).
std::string cell_html(const std::string& cell) {
  const std::size_t remark = std::min(cell.find(" ("), cell.find(" ["));
  if (remark == std::string::npos || remark == 0 || !is_numeric(cell.substr(0, remark))) return escape_html(cell);
  return "<span>" + escape_html(cell.substr(0, remark)) + "</span> <small>" + escape_html(cell.substr(remark + 1)) +
         "</small>";
}

std::string padded(const std::string& cell, std::size_t width, bool right) {
  const std::string space(width - std::min(width, display_width(cell)), ' ');
  return right ? space + cell : cell + space;
}

// The cell between the marks where it stands out.
std::string emphasis(const Table& table, std::size_t row, std::size_t column, const std::string& cell,
                     const char* begin, const char* end) {
  return table.bold.contains({row, column}) ? begin + cell + end : cell;
}

// The cells of a row, each through f, between the marks.
template <class F>
std::string row_of(const Cells& cells, const char* begin, const char* between, const char* end, const F& f) {
  std::string out = begin;
  for (std::size_t i = 0; i < cells.size(); ++i) out += (i > 0 ? between : "") + f(cells[i], i);
  return out + end;
}

}  // namespace

std::vector<bool> numeric_columns(const Table& table) {
  std::vector<bool> out(table.columns.size(), !table.rows.empty());
  if (!out.empty()) out[0] = false;  // a name, even where it is a number
  for (const Cells& row : table.rows)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] && is_numeric(row[i]);
  return out;
}

std::string to_text(const Table& table) {
  check(table);
  const std::vector<bool> numeric = numeric_columns(table);
  std::vector<std::size_t> width;
  for (const std::string& name : table.columns) width.push_back(display_width(clean_text(name)));
  for (const Cells& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], display_width(clean_text(row[i])));
  const auto line = [&](const Cells& cells) {
    std::string out = row_of(cells, "", "  ", "", [&](const std::string& cell, std::size_t i) {
      return padded(clean_text(cell), width[i], numeric[i]);
    });
    return out.erase(out.find_last_not_of(' ') + 1) + "\n";
  };
  std::string out = table.title.empty() ? "" : clean_text(table.title) + "\n\n";
  out += line(table.columns);
  for (const Cells& row : table.rows) out += line(row);
  return out + (table.note.empty() ? "" : "\n" + clean_text(table.note) + "\n");
}

std::string to_markdown(const Table& table) {
  check(table);
  const std::vector<bool> numeric = numeric_columns(table);
  const auto escaped = [](const std::string& cell, std::size_t) { return escape_markdown(cell); };
  std::string out = table.title.empty() ? "" : "**" + escape_markdown(table.title) + "**\n\n";
  out += row_of(table.columns, "| ", " | ", " |\n", escaped);
  out += row_of(table.columns, "|", "|", "|\n",
                [&](const std::string&, std::size_t i) { return std::string(numeric[i] ? "---:" : "---"); });
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    out += row_of(table.rows[r], "| ", " | ", " |\n", [&](const std::string& cell, std::size_t i) {
      return emphasis(table, r, i, escape_markdown(cell), "**", "**");
    });
  return out + (table.note.empty() ? "" : "\n" + escape_markdown(table.note) + "\n");
}

std::string to_csv(const Table& table) {
  check(table);
  const auto field = [](const std::string& cell, std::size_t) { return csv_field(cell); };
  std::string out = row_of(table.columns, "", ",", "\r\n", field);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Cells& row = table.rows[r];
    const auto marked = [&](const std::string& cell, std::size_t i) {
      return csv_field(emphasis(table, r, i, cell, "", " *"));
    };
    out += row.size() == 1 && row[0].empty() ? "\"\"\r\n" : row_of(row, "", ",", "\r\n", marked);  // not a blank line
  }
  return out;
}

std::string to_latex(const Table& table) {
  check(table);
  const auto escaped = [](const std::string& cell, std::size_t) { return escape_latex(cell); };
  std::string out = "\\begin{table}\n\\centering\n\\caption{" + escape_latex(table.title) +
                    "}\n\\label{tab:" + table.name + "}\n\\begin{tabular}{";
  for (bool right : numeric_columns(table)) out += right ? 'r' : 'l';
  out += "}\n\\toprule\n" + row_of(table.columns, "", " & ", " \\\\\n", escaped) + "\\midrule\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string line = row_of(table.rows[r], "", " & ", " \\\\\n", [&](const std::string& cell, std::size_t i) {
      return emphasis(table, r, i, escape_latex(cell), "\\textbf{", "}");
    });
    out += (line.starts_with("[") || line.starts_with("*") ? "{}" : "") + line;  // else an argument of the \\ before
  }
  out += "\\bottomrule\n\\end{tabular}\n";
  if (!table.note.empty()) out += "\n\\smallskip\n{\\footnotesize " + escape_latex(table.note) + "}\n";
  return out + "\\end{table}\n";
}

std::string to_html(const Table& table) {
  check(table);
  const std::vector<bool> numeric = numeric_columns(table);
  const std::string title = escape_html(table.title);
  // The title stands outside of what scrolls.
  std::string out = "<div class=\"table\" id=\"table-" + escape_html(table.name) + "\">\n<p class=\"title\">" + title +
                    "</p>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" + title +
                    "\">\n<table aria-label=\"" + title + "\">\n<thead><tr>";
  for (std::size_t i = 0; i < numeric.size(); ++i)
    out += std::string("<th scope=\"col\"") + (numeric[i] ? " class=\"n\">" : ">") + escape_html(table.columns[i]) +
           "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    out += row_of(table.rows[r], "<tr>", "", "</tr>\n", [&](const std::string& cell, std::size_t i) {
      const std::string tag = i == 0 ? "th" : "td";
      return "<" + tag + (i == 0 ? " scope=\"row\"" : "") + (numeric[i] ? " class=\"n\">" : ">") +
             emphasis(table, r, i, cell_html(cell), "<b>", "</b>") + "</" + tag + ">";
    });
  out += "</tbody>\n</table>\n</div>\n";
  if (!table.note.empty()) out += "<p class=\"note\">" + escape_html(table.note) + "</p>\n";
  return out + "</div>\n";
}

Table thin(const Table& table, std::size_t most) {
  if (table.rows.size() <= most) return table;
  Table out = table;
  out.rows.clear();
  for (std::size_t i = 0; i < most; ++i) out.rows.push_back(table.rows[i * table.rows.size() / most]);
  out.note += (out.note.empty() ? "" : " ") + fmt::format("{} of {} rows, evenly taken.", most, table.rows.size());
  return out;
}

std::string number_cell(double value, bool percent) {
  if (!std::isfinite(value)) return "–";
  if (percent) return fmt::format("{:.2f}", 100 * value);
  const bool whole = value == std::round(value) && std::abs(value) < 1e15;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

std::string percent_cell(const std::vector<double>& shares) {
  const MeanStd m = mean_std(shares);
  return percent_cell(m.mean, m.std);
}

std::string percent_cell(double mean, double std) { return number_cell(mean, true) + " ± " + number_cell(std, true); }

}  // namespace gcnh::report
