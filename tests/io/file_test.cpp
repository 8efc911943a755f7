#include "gcnh/io/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;

TEST(File, ReadsBytesAsTheyAre) {
  const TempDir dir;
  const std::string bytes("a\0b\r\n\xff", 6);
  write_text(dir / "x", bytes);
  EXPECT_EQ(read_file(dir / "x"), bytes);
}

TEST(File, EmptyFileIsEmpty) {
  const TempDir dir;
  write_text(dir / "x", "");
  EXPECT_EQ(read_file(dir / "x"), "");
}

TEST(File, MissingFileNamesPathAndReason) {
  const TempDir dir;
  EXPECT_ERROR(read_file(dir / "absent"), "absent': No such file or directory");
  EXPECT_EQ(status_of([&] { read_file(dir / "absent"); }), Status::io);
}

TEST(File, FolderAndPipeAreNoFiles) {
  const TempDir dir;
  EXPECT_ERROR(read_file(dir.path()), "it is a folder; give a file");
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_ERROR(read_file(dir / "pipe"), "it is a pipe; write it to a file first and give that");
}

TEST(File, IsReadPieceByPiece) {
  const TempDir dir;
  write_text(dir / "x", "one, two");
  FileReader file(dir / "x");
  EXPECT_EQ(file.left(), 8u);
  std::string text = ">";
  file.read(3, text);
  EXPECT_EQ(text, ">one");
  file.read(100, text);
  EXPECT_EQ(text, ">one, two");
  EXPECT_EQ(file.left(), 0u);
  file.read(100, text);
  EXPECT_EQ(text, ">one, two");
}

TEST(File, ThatBecomesShorterIsAnError) {
  const TempDir dir;
  write_text(dir / "x", std::string(100'000, 'x'));
  FileReader file(dir / "x");
  std::string text;
  file.read(1000, text);
  fs::resize_file(dir / "x", 5000);
  EXPECT_ERROR(file.read(100'000, text), "x': it became shorter meanwhile");
}

TEST(File, ThatGrowsIsReadToItsOldEnd) {
  const TempDir dir;
  write_text(dir / "x", "old");
  FileReader file(dir / "x");
  std::ofstream(dir / "x", std::ios::app) << " and new";
  std::string text;
  file.read(100, text);
  EXPECT_EQ(text, "old");
}

TEST(File, WritesAndReplaces) {
  const TempDir dir;
  write_atomically(dir / "x", "old");
  write_atomically(dir / "x", std::string("new\0bytes", 9));
  EXPECT_EQ(read_file(dir / "x"), std::string("new\0bytes", 9));
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()), 1);
}

TEST(File, WritesIntoTheCurrentFolder) {
  const TempDir dir;
  const fs::path before = fs::current_path();
  fs::current_path(dir.path());
  write_atomically("plain", "x");
  fs::current_path(before);
  EXPECT_EQ(read_file(dir / "plain"), "x");
}

TEST(File, FailedWriteKeepsTheOldFileAndLeavesNothing) {
  const TempDir dir;
  write_atomically(dir / "x", "old");
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const struct rlimit small { 1000, before.rlim_max };
  auto* handler = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = error_of([&] { write_atomically(dir / "x", std::string(100'000, 'n')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_PRED2(contains, message, "File too large");
  EXPECT_EQ(read_file(dir / "x"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()), 1);
}

TEST(File, RefusesToReplaceWhatIsNoFile) {
  const TempDir dir;
  EXPECT_ERROR(write_atomically(dir.path(), "x"), "not a regular file");
  EXPECT_ERROR(write_atomically("/dev/null", "x"), "not a regular file");
  write_atomically(dir / "open", "old");
  const int fd = ::open((dir / "open").c_str(), O_RDONLY | O_CLOEXEC);
  fs::create_symlink("/proc/self/fd/" + std::to_string(fd), dir / "link");
  EXPECT_ERROR(write_atomically(dir / "link", "x"), "leads to a device or an open file");
  EXPECT_TRUE(fs::is_symlink(dir / "link"));
  ::close(fd);
  EXPECT_EQ(status_of([&] { write_atomically(dir / "absent/x", "x"); }), Status::io);
  EXPECT_ERROR(write_atomically(dir / "absent/x", "x"), "absent/x': No such file or directory");
}

}  // namespace
}  // namespace gcnh
