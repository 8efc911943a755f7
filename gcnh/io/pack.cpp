#include "gcnh/io/pack.h"

#include <zlib.h>

#include <algorithm>
#include <new>

#include "gcnh/base/error.h"

namespace gcnh {

std::string gzip(std::string_view bytes) {
  constexpr int kGzipHeader = 16, kMemory = 8;  // the latter is zlib's own choice
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipHeader, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::bad_alloc();
  std::string out, piece(kAtOnce, '\0');
  int answer = Z_OK;
  while (answer == Z_OK || answer == Z_BUF_ERROR) {
    if (stream.avail_in == 0) {
      const std::string_view next = bytes.substr(0, kAtOnce);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next.data()));
      stream.avail_in = static_cast<uInt>(next.size());
      bytes.remove_prefix(next.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    answer = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(piece, 0, piece.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  require(answer == Z_STREAM_END, "gzip: cannot pack");
  return out;
}

}  // namespace gcnh
