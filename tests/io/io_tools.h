// What the tests of the readers share: errors as text, damage done to good files, the folder with the real data.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "gcnh/base/error.h"

namespace gcnh {

// The message of the Error that f throws; empty when it throws none. Other exceptions pass and fail the test.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

template <class F>
Status status_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.status();
  }
  return Status::interrupted;  // no reader ends with this one
}

// A damaged file is read or refused by an error that names it; anything else that is wrong, such as a byte read beyond
// its end, only sanitizers see (./test runs these tests under them).
template <class F>
void expect_read_or_refused(const std::string& name, F&& f) {
  const std::string message = error_of(f);
  EXPECT_TRUE(message.empty() || message.find(name) != std::string::npos) << message;
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

#define EXPECT_ERROR(statement, part)                         \
  do {                                                        \
    const std::string message = error_of([&] { statement; }); \
    EXPECT_PRED2(gcnh::contains, message, std::string(part)); \
  } while (false)

// f(damaged) for the text cut at every length.
template <class F>
void for_every_cut(const std::string& text, F&& f) {
  for (std::size_t size = 0; size < text.size(); ++size) f(text.substr(0, size));
}

// f(damaged) for the text with every single bit of [begin, end) turned over.
template <class F>
void for_every_flip(const std::string& text, std::size_t begin, std::size_t end, F&& f) {
  for (std::size_t i = begin; i < end; ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      f(damaged);
    }
  }
}

#define SKIP_WITHOUT_DATA(folder)                                                                      \
  const char* folder##_variable = std::getenv("GCNH_DATA");                                            \
  if (!folder##_variable) GTEST_SKIP() << "set GCNH_DATA to the folder with geom-gcn, planetoid, ..."; \
  const std::filesystem::path folder = folder##_variable

}  // namespace gcnh
