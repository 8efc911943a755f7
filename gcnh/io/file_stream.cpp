#include "gcnh/io/file_stream.h"

#include <algorithm>

namespace gcnh {
namespace {

constexpr std::size_t kPackedPiece = std::size_t{64} << 10;  // what is unpacked at once

}  // namespace

FileStream::FileStream(const std::filesystem::path& path) : file_(path, Pipes::read) {
  file_.read(kPackedPiece, piece_);
  if (is_packed(piece_)) unpacker_ = make_unpacker(piece_, shown_name(path), [this] { return next_piece(); });
}

void FileStream::read(std::size_t size, std::string& to) { unpacker_ ? read_packed(size, to) : read_plain(size, to); }

std::string_view FileStream::next_piece() {
  if (!piece_is_new_) {
    piece_.clear();
    file_.read(kPackedPiece, piece_);
  }
  piece_is_new_ = false;
  return piece_;
}

void FileStream::read_plain(std::size_t size, std::string& to) {
  const std::size_t first = std::min(size, piece_.size());
  to.append(piece_, 0, first);
  piece_.erase(0, first);
  file_.read(size - first, to);
  more_ = !piece_.empty() || file_.left() > 0;
}

void FileStream::read_packed(std::size_t size, std::string& to) {
  std::size_t have = to.size();
  to.resize(have + size);
  while (more_ && have < to.size()) {
    const std::size_t got = unpacker_->read(to.data() + have, to.size() - have);
    more_ = got > 0;
    have += got;
  }
  to.resize(have);
}

}  // namespace gcnh
