#include "gcnh/run/run_paths.h"

#include <cctype>
#include <charconv>

#include "gcnh/base/error.h"
#include "gcnh/run/run_folder.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;

}  // namespace

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(fs::symlink_status(path, ignored));
}

fs::path checkpoint_folder(const fs::path& run) { return run / "splits"; }

fs::path checkpoint_path(const fs::path& run, int split) {
  return checkpoint_folder(run) / ("split-" + std::to_string(split) + ".safetensors");
}

std::optional<int> split_of(const fs::path& path) {
  constexpr std::string_view kBefore = "split-", kAfter = ".safetensors";
  const std::string name = path.filename().string();
  if (name.size() <= kBefore.size() + kAfter.size() || !name.starts_with(kBefore) || !name.ends_with(kAfter))
    return std::nullopt;
  const char *begin = name.data() + kBefore.size(), *end = name.data() + name.size() - kAfter.size();
  int split = 0;
  const auto [rest, error] = std::from_chars(begin, end, split);
  if (!std::isdigit(static_cast<unsigned char>(*begin)) || rest != end || error != std::errc()) return std::nullopt;
  return split;
}

std::vector<fs::path> checkpoints(const fs::path& run) {
  const fs::path folder = checkpoint_folder(run);
  std::vector<fs::path> found;
  if (!is_there(folder)) return found;
  if (!is_folder(folder))
    fail(Status::usage, folder.string(), " is no folder of a run (a file or a link); take another `out`");
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (split_of(at->path())) found.push_back(at->path());
  if (error) fail(Status::io, "cannot read '", folder.string(), "': ", error.message());
  return found;
}

void remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) fail(Status::io, "cannot remove '", path.string(), "': ", error.message());
}

std::vector<fs::path> run_files_in(const fs::path& run) {
  std::vector<fs::path> out;
  for (const std::string& name : RunFolder::file_names())
    if (is_there(run / name)) out.emplace_back(name);
  for (const fs::path& split : checkpoints(run)) out.push_back(checkpoint_folder("") / split.filename());
  for (const fs::path& file : out)
    if (is_folder(run / file))
      fail(Status::usage, (run / file).string(),
           " is a folder, not a file of a run; nothing was replaced; take another `out`");
  return out;
}

void remove_run(const fs::path& run) {
  for (const fs::path& file : run_files_in(run)) remove_file(run / file);
}

}  // namespace gcnh
