#include "gcnh/io/npz.h"

#include <zip.h>

#include <string_view>

#include "gcnh/base/error.h"
#include "gcnh/io/text.h"
#include "gcnh/io/unpack.h"

namespace gcnh {
namespace {

constexpr zip_int64_t kMostMembers = 64;
constexpr std::size_t kLongestName = 255;
constexpr std::size_t kDeflateLimit = 1032;  // deflate cannot pack 1032 bytes into less than one

struct ZipError {
  zip_error_t error{};
  ZipError() { zip_error_init(&error); }
  ~ZipError() { zip_error_fini(&error); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  std::string text() { return zip_error_strerror(&error); }
};

// libzip shows a NUL inside a name as a blank.
void check_name(std::string_view name, const std::string& path) {
  require(name.size() <= kLongestName, path, ": a member name of ", name.size(), " bytes; at most ", kLongestName);
  for (unsigned char c : name)
    require(c > ' ' && c != '/' && c != '\\', path, ": member name ", quote(name), " holds a separator, blank or NUL");
  require(name.find("..") == std::string_view::npos, path, ": member name ", quote(name), " holds '..'");
}

}  // namespace

void Npz::Close::operator()(zip* archive) const { zip_discard(archive); }

Npz::Npz(const std::filesystem::path& path)
    : path_(path.string()), file_(std::make_unique<const std::string>(read_file(path))) {
  require(!is_packed(*file_), path_, ": an npz file that was packed again; unpack it once: its arrays are packed already");
  ZipError problem;
  zip_source_t* source = zip_source_buffer_create(file_->data(), file_->size(), 0, &problem.error);
  require(source != nullptr, path_, ": not a readable npz file: ", problem.text());
  // CHECKCONS: local and central headers must agree.
  archive_.reset(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &problem.error));
  if (!archive_) zip_source_free(source);
  require(archive_ != nullptr, path_, ": not a readable npz file: ", problem.text());
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  require(count > 0, path_, ": not a readable npz file: it is empty");
  require(count <= kMostMembers, path_, ": ", count, " members; at most ", kMostMembers);
  for (zip_int64_t i = 0; i < count; ++i) add_member(static_cast<std::size_t>(i));
}

void Npz::add_member(std::size_t position) {
  zip_stat_t info;
  zip_stat_init(&info);
  const bool found = zip_stat_index(archive_.get(), position, ZIP_FL_ENC_RAW, &info) == 0 && info.name != nullptr;
  constexpr zip_uint64_t kNeeded =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  require(found && (info.valid & kNeeded) == kNeeded, path_, ": member ", position, " is not described");
  std::string name = info.name;
  check_name(name, path_);
  require(info.encryption_method == ZIP_EM_NONE, path_, ": member ", quote(name), " is encrypted");
  require(info.comp_method == ZIP_CM_STORE || info.comp_method == ZIP_CM_DEFLATE, path_, ": member ", quote(name),
          " is packed with method ", info.comp_method, "; known: 0 (stored) and 8 (deflate)");
  // Members that overlap would let a small file unpack without end; together they cannot exceed the file.
  const std::size_t file_size = file_->size();
  require(info.comp_size <= file_size - packed_size_, path_, ": member ", quote(name), " of ", info.comp_size,
          " packed bytes does not fit in a file of ", file_size);
  packed_size_ += info.comp_size;
  const bool stored = info.comp_method == ZIP_CM_STORE;
  const std::size_t most = stored ? info.comp_size : (info.comp_size + 1) * kDeflateLimit;
  require(info.size <= most && (!stored || info.size == info.comp_size), path_, ": member ", quote(name), " claims ",
          info.size, " bytes from ", info.comp_size, " packed ones");
  if (name.size() > 4 && name.ends_with(".npy")) name.resize(name.size() - 4);
  require(members_.emplace(name, Member{position, info.size}).second, path_, ": member ", quote(name),
          " appears twice");
}

std::vector<std::string> Npz::names() const {
  std::vector<std::string> out;
  for (const auto& [name, member] : members_) out.push_back(name);
  return out;
}

NpyArray Npz::get(const std::string& name) const {
  const auto found = members_.find(name);
  require(found != members_.end(), path_, ": no array ", quote(name), "; it holds: ", list_words(names()));
  const std::string where = join(path_, ": ", name);
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(archive_.get(), found->second.position, 0),
                                                         zip_fclose);
  require(file != nullptr, where, ": ", zip_strerror(archive_.get()));
  std::string bytes(found->second.size, '\0');
  std::size_t have = 0;
  // One more read than needed: libzip compares size and checksum when it meets the end.
  for (;;) {
    char extra = 0;
    char* to = have < bytes.size() ? bytes.data() + have : &extra;
    const zip_int64_t got = zip_fread(file.get(), to, have < bytes.size() ? bytes.size() - have : 1);
    require(got >= 0, where, ": ", zip_file_strerror(file.get()));
    if (got == 0) break;
    require(to != &extra, where, ": longer than the ", bytes.size(), " bytes it claims");
    have += static_cast<std::size_t>(got);
  }
  require(have == bytes.size(), where, ": ", have, " bytes, but it claims ", bytes.size());
  return parse_npy(std::move(bytes), where);
}

}  // namespace gcnh
