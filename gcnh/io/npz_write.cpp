// Arrays into a zip archive. The reader is in npz.cpp.
#include <zip.h>

#include <memory>

#include "gcnh/base/error.h"
#include "gcnh/io/npz.h"

namespace gcnh {
namespace {

// 1980-01-01, the first day a zip can name: the bytes must not depend on the clock.
constexpr zip_uint16_t kFirstDay = (0 << 9) | (1 << 5) | 1;

using Source = std::unique_ptr<zip_source_t, void (*)(zip_source_t*)>;

void add_member(zip_t* archive, const std::string& name, const std::string& file) {
  zip_source_t* source = zip_source_buffer(archive, file.data(), file.size(), 0);
  require(source != nullptr, name, ": ", zip_strerror(archive));
  const zip_int64_t position = zip_file_add(archive, (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
  if (position < 0) zip_source_free(source);
  require(position >= 0 && zip_file_set_dostime(archive, static_cast<zip_uint64_t>(position), 0, kFirstDay, 0) == 0,
          name, ": ", zip_strerror(archive));
}

std::string read_all(zip_source_t* source) {
  zip_stat_t info;
  zip_stat_init(&info);
  require(zip_source_stat(source, &info) == 0 && zip_source_open(source) == 0, "the packed bytes cannot be read");
  std::string out(info.size, '\0');
  const zip_int64_t got = zip_source_read(source, out.data(), out.size());
  zip_source_close(source);
  require(got == static_cast<zip_int64_t>(out.size()), "the packed bytes cannot be read");
  return out;
}

}  // namespace

std::string npz_bytes(const NpzMembers& members) {
  require(!members.empty(), "an npz file holds at least one array");
  zip_error_t problem;
  zip_error_init(&problem);
  Source packed(zip_source_buffer_create(nullptr, 0, 0, &problem), zip_source_free);
  require(packed != nullptr, "npz: no memory to pack");
  zip_source_keep(packed.get());  // closing the archive gives up one of the two claims
  std::unique_ptr<zip_t, void (*)(zip_t*)> archive(zip_open_from_source(packed.get(), ZIP_TRUNCATE, &problem),
                                                   zip_discard);
  require(archive != nullptr, "npz: cannot pack");
  std::vector<std::string> files;  // libzip reads them when the archive is closed
  for (const auto& [name, array] : members) files.push_back(format_npy(array));
  for (std::size_t i = 0; i < members.size(); ++i) add_member(archive.get(), members[i].first, files[i]);
  require(zip_close(archive.get()) == 0, "npz: ", zip_strerror(archive.get()));
  archive.release();
  return read_all(packed.get());
}

void write_npz(const std::filesystem::path& path, const NpzMembers& members) {
  write_atomically(path, npz_bytes(members));
}

}  // namespace gcnh
