#include "gcnh/io/rows.h"

#include <algorithm>

#include "gcnh/io/csv_rows.h"
#include "gcnh/io/edge_list_rows.h"
#include "gcnh/io/sqlite_rows.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

// What seems to stand between the names of a header that was taken for a single one.
std::string other_separator(const std::vector<std::string>& header) {
  const std::size_t mark = header.size() == 1 ? header[0].find_first_of(" ^:~") : std::string::npos;
  if (mark == std::string::npos) return "";
  return join("; ", header[0][mark] == ' ' ? "blanks" : quote(header[0].substr(mark, 1)),
              " between the names? separate columns by commas, semicolons, tabs or |");
}

constexpr const char* kNoHeader = "; does the file lack a line that names the columns?";

}  // namespace

void Rows::take_header() {
  header_ = row_;
  check_header();
}

void Rows::check_header() const {
  std::vector<std::string> names = named_columns();
  const std::string where = name_ + (line_ > 0 ? join(":", line_) : "");  // a query has no line of names
  require(!names.empty(), where, ": no column has a name; the first line names the columns");
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    gcnh::fail(Status::data, where, ": two columns are called ", quote(*twice),
               parse_number<double>(*twice) ? kNoHeader : "; rename one of them");
}

std::vector<std::string> Rows::named_columns() const {
  std::vector<std::string> out = header_;
  std::erase(out, "");
  return out;
}

bool Rows::next() {
  if (!read_row()) return false;
  if (row_.size() != header_.size())
    fail("found ", counted(std::ssize(row_), "field"), ", expected ", header_.size(), " as in the header");
  return true;
}

void Rows::require_header(const std::vector<std::string>& wanted,
                          const std::function<bool(const std::string&)>& is_data) const {
  if (std::any_of(wanted.begin(), wanted.end(), [&](const std::string& name) { return has(name); })) return;
  const auto cell = std::find_if(header_.begin(), header_.end(),
                                 [&](const std::string& name) { return parse_number<double>(name) || is_data(name); });
  if (cell != header_.end()) fail("no column ", quote(wanted[0]), ", but ", quote(*cell), kNoHeader);
}

void Rows::require_no_title(const std::string& column) {
  constexpr int kFarthest = 10;  // rows below
  if (has(column)) return;
  const int line = line_;
  for (int k = 0; k < kFarthest && read_row(); ++k)
    if (std::find(row_.begin(), row_.end(), column) != row_.end())
      fail("the column names seem to be in this line, which has ", quote(column), "; remove what stands above it");
  line_ = line;
}

bool Rows::has(const std::string& name) const {
  return std::find(header_.begin(), header_.end(), name) != header_.end();
}

std::size_t Rows::column(const std::string& name, const std::string& field) const {
  const auto found = std::find(header_.begin(), header_.end(), name);
  if (found != header_.end() && !name.empty()) return static_cast<std::size_t>(found - header_.begin());
  const auto nameless = std::find(header_.begin(), header_.end(), "");
  gcnh::fail(Status::data, name_, ": no column ", quote(name), "; columns: ", list_words(named_columns()),
             nameless == header_.end() ? "" : join(", and number ", nameless - header_.begin() + 1, " has no name"),
             field.empty() ? "" : "; `" + field + "` names another", other_separator(header_),
             did_you_mean(name, header_));
}

std::unique_ptr<Rows> open_rows(const std::string& path, const std::string& database) {
  if (!database.empty()) return std::make_unique<SqliteRows>(database, path);
  auto file = std::make_unique<FileLines>(path, CsvRows::kLongestRow);
  if (EdgeListRows::is_one(path, file->peek())) return std::make_unique<EdgeListRows>(path, std::move(file));
  return std::make_unique<CsvRows>(path, std::move(file));
}

}  // namespace gcnh
