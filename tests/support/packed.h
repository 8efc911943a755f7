// Packed texts, made by libarchive.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gcnh {

// ARCHIVE_FILTER_GZIP, _ZSTD, _XZ or _BZIP2
inline std::string packed(std::string_view text, int filter) {
  std::string out(2 * text.size() + 4096, '\0');
  std::size_t size = 0;
  archive* a = archive_write_new();
  EXPECT_EQ(archive_write_add_filter(a, filter), ARCHIVE_OK);
  archive_write_set_format_raw(a);
  archive_write_open_memory(a, out.data(), out.size(), &size);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(a, entry);
  archive_entry_free(entry);
  archive_write_data(a, text.data(), text.size());
  EXPECT_EQ(archive_write_close(a), ARCHIVE_OK) << archive_error_string(a);
  archive_write_free(a);
  out.resize(size);
  return out;
}

}  // namespace gcnh
