#include "gcnh/io/labels.h"

#include <algorithm>
#include <map>

#include "gcnh/io/file.h"
#include "gcnh/io/file_kind.h"
#include "gcnh/io/file_lines.h"
#include "gcnh/io/npy.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

constexpr std::size_t kLongestLabel = 4096;

std::vector<std::string> sort_classes(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase(names, "");
  const auto number = [](const std::string& name) { return parse_number<std::int64_t>(name); };
  if (std::all_of(names.begin(), names.end(), number))
    std::stable_sort(names.begin(), names.end(),
                     [&](const std::string& a, const std::string& b) { return *number(a) < *number(b); });
  return names;
}

std::string_view trimmed(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r\n"), line.size()));
  return line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
}

std::vector<std::string> words_of_array(const std::string& path) {
  const NpyArray array = parse_npy(read_file(path), path);
  require(array.shape.size() == 1, path, ": ", array.shape.size(), " dimensions; labels are an array of one");
  std::vector<std::string> out;
  for (std::int64_t label : array.as_integers()) out.push_back(label == -1 ? "" : std::to_string(label));
  return out;
}

}  // namespace

void number_labels(const std::vector<std::string>& words, Tables& out) {
  out.classes = sort_classes(words);
  std::map<std::string, int> number_of = {{"", -1}};
  for (std::size_t c = 0; c < out.classes.size(); ++c) number_of[out.classes[c]] = static_cast<int>(c);
  out.labels.clear();
  for (const std::string& word : words) out.labels.push_back(number_of.at(word));
}

std::vector<std::string> read_label_words(const std::string& path) {
  if (kind_of_file(path) == FileKind::npy) return words_of_array(path);
  FileLines lines(path, kLongestLabel);
  std::vector<std::string> out;
  for (std::string_view line = lines.take(); !line.empty(); line = lines.take()) {
    const std::string where = join(shown_name(path), ":", out.size() + 1);
    require(line.size() <= kLongestLabel, where, ": a label of more than ", kLongestLabel, " bytes");
    const std::string flaw = flaw_of_text(line);
    require(flaw.empty(), where, ": ", flaw);
    out.emplace_back(trimmed(line));
  }
  return out;
}

}  // namespace gcnh
