#include "gcnh/io/file_lines.h"

#include "gcnh/io/file_kind.h"

namespace gcnh {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;  // what is read at once

}  // namespace

FileLines::FileLines(const std::filesystem::path& path, std::size_t longest) : file_(path), longest_(longest) {
  file_.read(kPiece, buffer_);
  require_text(buffer_, shown_name(path));
  rest_ = buffer_;
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

std::string_view FileLines::peek() {
  std::size_t end = rest_.find('\n');
  while (end == std::string_view::npos && file_.more() && rest_.size() <= longest_) {
    const std::size_t seen = rest_.size();
    buffer_.erase(0, buffer_.size() - seen);
    file_.read(kPiece, buffer_);
    rest_ = buffer_;
    end = rest_.find('\n', seen);
  }
  return rest_.substr(0, end == std::string_view::npos ? end : end + 1);
}

std::string_view FileLines::take() {
  const std::string_view line = peek();
  rest_.remove_prefix(line.size());
  return line;
}

}  // namespace gcnh
