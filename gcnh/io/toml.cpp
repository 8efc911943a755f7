#include "gcnh/io/toml.h"

#include "gcnh/base/options.h"
#include "gcnh/io/depth.h"
#include "gcnh/io/file.h"

namespace gcnh {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;  // the largest file of ours has a hundredth of that

}  // namespace

toml::table parse_toml(const std::string& path) {
  FileReader file(path);
  require(file.left() <= kMostBytes, path, ": ", file.left(), " bytes; TOML of people has at most ", kMostBytes);
  std::string text;
  file.read(kMostBytes, text);
  check_toml_depth(text, path);
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    fail(Status::data, path, ":", error.source().begin.line, ": ", error.description());
  }
}

std::string toml_text(const std::string& file, const toml::node& value) {
  if (const auto* text = value.as_string()) return text->get();
  if (const auto* flag = value.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* whole = value.as_integer()) return std::to_string(whole->get());
  if (const auto* number = value.as_floating_point()) return to_text(number->get());
  fail_at(Status::data, file, value, "a value is neither a number nor a word");
}

}  // namespace gcnh
