#include "gcnh/io/csv_rows.h"

#include <csv.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "gcnh/io/file_kind.h"
#include "gcnh/io/text.h"
#include "gcnh/io/unpack.h"

namespace gcnh {
namespace {

struct Target {
  std::vector<std::string>* row;
  bool* ended;
  bool out_of_memory = false;  // C code in between: nothing may be thrown through it
};

void on_field(void* text, std::size_t size, void* data) {
  auto* target = static_cast<Target*>(data);
  try {
    target->row->emplace_back(static_cast<const char*>(text), size);
  } catch (const std::bad_alloc&) {
    target->out_of_memory = true;
  }
}

void on_row(int, void* data) { *static_cast<Target*>(data)->ended = true; }

// Only a line feed ends a row, so that rows and lines can be counted together; the CR before it is trimmed like a
// blank.
int is_line_end(unsigned char c) { return c == '\n'; }
int is_blank(unsigned char c) { return c == ' ' || c == '\t' || c == '\r'; }

// What stands most often between the names; in quotes it is part of one.
char choose_delimiter(const std::string& path, std::string_view header) {
  if (unpacked_name(path).ends_with(".tsv")) return '\t';
  constexpr std::string_view kMarks = ",\t;|";
  std::array<int, kMarks.size()> counts{};
  bool quoted = false;
  for (const char c : header) {
    quoted = quoted != (c == '"');
    if (const std::size_t mark = kMarks.find(c); mark != std::string_view::npos && !quoted) ++counts[mark];
  }
  return kMarks[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin())];
}

// Lines that end as on an old Mac would be one long line.
bool ends_with_cr_alone(std::string_view line) {
  const std::size_t at = line.find('\r');
  return at != std::string_view::npos && at + 1 < line.size() && line[at + 1] != '\n' && line[at + 1] != '\r' &&
         line.find('"') > at;
}

// "sep=;", as spreadsheets may write above the header.
std::optional<char> declared_delimiter(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  return line.size() == 5 && line.starts_with("sep=") ? std::optional(line[4]) : std::nullopt;
}

}  // namespace

struct CsvRows::Parser {
  explicit Parser(char delimiter) {
    if (csv_init(&state, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0) throw std::bad_alloc();
    csv_set_delim(&state, static_cast<unsigned char>(delimiter));
    csv_set_term_func(&state, is_line_end);
    csv_set_space_func(&state, is_blank);
    csv_set_blk_size(&state, 256 * 1024);  // by this much its buffer grows
  }
  ~Parser() { csv_free(&state); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  csv_parser state{};
};

CsvRows::CsvRows(const std::string& path) : CsvRows(path, std::make_unique<FileLines>(path, kLongestRow)) {}

CsvRows::CsvRows(const std::string& path, std::unique_ptr<FileLines> file)
    : Rows(shown_name(path)), file_(std::move(file)) {
  require(!ends_with_cr_alone(file_->peek()), name(), ":1: lines end with CR alone; save the file with LF or CRLF");
  const std::optional<char> declared = declared_delimiter(file_->peek());
  if (declared) take_line();
  parser_ = std::make_unique<Parser>(declared ? *declared : choose_delimiter(path, file_->peek()));
  require(CsvRows::read_row(), name(), ": the file is empty; the first line names the columns");
  take_header();
}

CsvRows::~CsvRows() = default;

// Below the header, rows of separators alone are passed over.
bool CsvRows::read_row() {
  const auto is_empty = [](const std::string& cell) { return cell.empty(); };
  while (read_any_row()) {
    if (header().empty() || !std::all_of(row_.begin(), row_.end(), is_empty)) return true;
    ++empty_rows_;
  }
  return false;
}

// One line after the other goes to libcsv until it reports the end of a row.
bool CsvRows::read_any_row() {
  row_.clear();
  row_ended_ = false;
  skip_blank_lines();
  line_ = lines_read_ + 1;
  for (std::size_t size = 0; !row_ended_ && !file_->peek().empty();) {
    const std::string_view text = take_line();
    size += text.size();
    if (const std::string flaw = flaw_of_text(text); !flaw.empty()) fail(flaw);
    if (size > kLongestRow) fail("a row of more than ", kLongestRow, " bytes; is a quote missing?");
    feed(text);
  }
  if (!row_ended_) feed({});
  return row_ended_;
}

void CsvRows::skip_blank_lines() {
  for (;;) {
    const std::string_view line = file_->peek();
    if (line.empty() || line.find_first_not_of(" \r\n") != std::string_view::npos) return;
    take_line();
  }
}

std::string_view CsvRows::take_line() {
  ++lines_read_;
  return file_->take();
}

// No text: the end of the file, which also ends the row.
void CsvRows::feed(std::string_view text) {
  Target target{&row_, &row_ended_};
  const bool ok = text.empty()
                      ? csv_fini(&parser_->state, on_field, on_row, &target) == 0
                      : csv_parse(&parser_->state, text.data(), text.size(), on_field, on_row, &target) == text.size();
  if (target.out_of_memory || (!ok && csv_error(&parser_->state) == CSV_ENOMEM)) throw std::bad_alloc();
  if (!ok)
    fail(text.empty() ? "a quoted field does not end" : "a quote inside a field; write it twice in a quoted field");
}

}  // namespace gcnh
