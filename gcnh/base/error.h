// Errors for people: where, what was found, what is allowed, what to do. Only the program's main catches and prints.
#pragma once

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gcnh {

// What went wrong, as the exit code the program ends with.
enum class Status { usage = 2, data = 65, io = 74, interrupted = 130 };

class Error : public std::runtime_error {
 public:
  Error(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

template <class... Parts>
std::string join(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

template <class... Parts>
[[noreturn]] void fail(Status status, const Parts&... parts) {
  throw Error(status, join(parts...));
}

// Throws a data error made of the parts unless the condition holds.
template <class... Parts>
void require(bool condition, const Parts&... parts) {
  if (!condition) fail(Status::data, parts...);
}

// "; did you mean 'x'?" for the nearest of the known words, or an empty string when none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

// "split" for 1, else "splits"; "class" becomes "classes".
std::string plural(std::int64_t count, const std::string& one);
std::string counted(std::int64_t count, const std::string& one);  // "1 split", "2 splits"

// The words separated by blanks, as many as one can read; one with blanks of its own is quoted.
std::string list_words(const std::vector<std::string>& words);

// A word of a command, quoted where a shell needs it.
std::string for_shell(std::string word);

}  // namespace gcnh
