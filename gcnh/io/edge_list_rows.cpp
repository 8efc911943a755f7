#include "gcnh/io/edge_list_rows.h"

#include <utility>

#include "gcnh/io/file_kind.h"
#include "gcnh/io/text.h"
#include "gcnh/io/unpack.h"

namespace gcnh {
namespace {

constexpr std::size_t kLongestEdge = std::size_t{1} << 20;

bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with('%'); }

std::vector<std::string> column_names(std::size_t count) {
  std::vector<std::string> out = {"source", "target", "weight"};
  for (std::size_t i = out.size(); i < count; ++i) out.push_back(join("column", i + 1));
  out.resize(std::max(count, std::size_t{2}));
  return out;
}

}  // namespace

bool EdgeListRows::is_one(const std::string& path, std::string_view line) {
  const std::string name = unpacked_name(path);
  if (name.ends_with(".csv") || name.ends_with(".tsv")) return false;
  if (name.ends_with(".edges") || name.ends_with(".edgelist")) return line.find(',') == line.npos || is_comment(line);
  if (is_comment(line)) return line.find(',') == line.npos || line.substr(1).starts_with(' ');
  std::string_view rest = line.substr(0, line.find_last_not_of("\r\n") + 1);
  const std::string_view source = take_word(rest), target = take_word(rest);
  return parse_number<std::int64_t>(source) && parse_number<std::int64_t>(target);
}

EdgeListRows::EdgeListRows(const std::string& path, std::unique_ptr<FileLines> file)
    : Rows(shown_name(path)), file_(std::move(file)) {
  first_is_read_ = read_words();
  first_ = std::move(row_);
  row_ = column_names(width_);
  take_header();
}

bool EdgeListRows::read_row() {
  if (!first_is_read_) return read_words();
  row_ = std::move(first_);
  first_is_read_ = false;
  return true;
}

bool EdgeListRows::read_words() {
  row_.clear();
  while (row_.empty()) {
    std::string_view line = file_->take();
    if (line.empty()) return false;
    line_ = ++lines_read_;
    if (line.size() > kLongestEdge) fail("a line of more than ", kLongestEdge, " bytes");
    if (const std::string flaw = flaw_of_text(line); !flaw.empty()) fail(flaw);
    line = line.substr(0, line.find_last_not_of("\r\n") + 1);
    if (is_comment(line)) continue;
    while (true) {
      const std::string_view word = take_word(line);
      if (word.empty()) break;
      row_.emplace_back(word);
    }
  }
  if (row_.size() < 2) fail("one word; an edge names two nodes");
  if (width_ == 0) width_ = row_.size();
  if (row_.size() != width_) fail("found ", counted(std::ssize(row_), "word"), ", expected ", width_, " as before");
  return true;
}

}  // namespace gcnh
