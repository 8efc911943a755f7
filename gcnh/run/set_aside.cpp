#include "gcnh/run/set_aside.h"

#include <algorithm>

#include "gcnh/base/error.h"
#include "gcnh/io/file.h"
#include "gcnh/run/run_paths.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;

// Stands there while files are moved, in either direction.
fs::path move_mark(const fs::path& run) { return set_aside_folder(run) / "moving"; }

void move_files(const std::vector<fs::path>& files, const fs::path& from, const fs::path& to) {
  make_folders(checkpoint_folder(to));
  for (const fs::path& file : files) {
    std::error_code error;
    fs::rename(from / file, to / file, error);
    if (error) fail(Status::io, "cannot move '", (from / file).string(), "' to '", to.string(), "': ", error.message());
  }
}

void remove_if_empty(const fs::path& folder) {
  std::error_code ignored;
  if (is_folder(folder) && fs::is_empty(folder, ignored)) fs::remove(folder, ignored);
}

void remove_empty_folders(const fs::path& run) {
  remove_if_empty(checkpoint_folder(run));
  remove_if_empty(run);
}

void take_back(const fs::path& run) {
  const fs::path aside = set_aside_folder(run);
  write_atomically(move_mark(run), "");
  std::vector<fs::path> files = run_files_in(aside);
  std::reverse(files.begin(), files.end());
  move_files(files, aside, run);
  remove_file(move_mark(run));
  remove_empty_folders(aside);
}

}  // namespace

fs::path set_aside_folder(const fs::path& run) { return run / "before-force"; }

bool has_set_aside(const fs::path& run) {
  const fs::path aside = set_aside_folder(run);
  return is_folder(aside) && is_there(aside / "result.json");
}

bool is_in_two_places(const fs::path& run) { return is_folder(set_aside_folder(run)) && is_there(move_mark(run)); }

void put_together(const fs::path& run) {
  if (is_in_two_places(run)) take_back(run);
}

void set_aside(const fs::path& run) {
  put_together(run);
  const fs::path aside = set_aside_folder(run);
  if (is_there(aside) && !is_folder(aside))
    fail(Status::usage, aside.string(), " is no folder of a run (a file or a link); take another `out`");
  const std::vector<fs::path> files = run_files_in(run);
  if (!is_there(run / "result.json")) return remove_run(run);
  remove_run(aside);
  make_folders(aside);
  write_atomically(move_mark(run), "");
  move_files(files, run, aside);
  remove_file(move_mark(run));
}

void bring_back(const fs::path& run) {
  put_together(run);
  if (!has_set_aside(run)) return;
  remove_run(run);
  take_back(run);
}

void drop_set_aside(const fs::path& run) {
  const fs::path aside = set_aside_folder(run);
  if (!is_folder(aside)) return;
  remove_run(aside);
  remove_empty_folders(aside);
  remove_empty_folders(run);
}

}  // namespace gcnh
