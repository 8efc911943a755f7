#include "cli/flags.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>

#include "cli/help.h"
#include "cli/layout.h"

namespace gcnh::cli {
namespace {

std::string started_as;

}  // namespace

CLI::Validator number_between(double low, double high) {
  const auto check = [=](const std::string& text) {
    double value = 0;
    const bool is_number = CLI::detail::lexical_cast(text, value);
    return is_number && value >= low && value <= high
               ? std::string()
               : fmt::format("'{}'; a number from {} to {} is expected", text, low, high);
  };
  return CLI::Validator(check, fmt::format("NUMBER in {} to {}", low, high));
}

CLI::Validator a_seed() {
  const auto check = [](const std::string& text) {
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && rest == text.data() + text.size()
               ? std::string()
               : fmt::format("'{}'; a whole number from 0 to {} is expected", text,
                             std::numeric_limits<std::uint64_t>::max());
  };
  return CLI::Validator(check, "");
}

CLI::Validator not_empty() {
  const auto check = [](const std::string& text) {
    return text.empty() ? std::string("'' is empty; leave the flag out, or give it a value") : std::string();
  };
  return CLI::Validator(check, "");
}

void complete_quiet_flags(CLI::App& program) {
  const std::string help = "accepted by every command; this one has no progress and no notes";
  for (CLI::App* command : leaf_commands(program))
    if (!command->get_option_no_throw("--quiet")) command->add_flag("-q,--quiet", help);
}

void tell(const std::string& line) { std::fputs((printable(line) + "\n").c_str(), stderr); }

// Notes name fields of the library: `missing_label`.
static std::string with_flags(std::string note) {
  for (std::size_t begin = 0; (begin = note.find('`', begin)) != std::string::npos; ++begin)
    if (const std::size_t end = note.find('`', begin + 1); end != std::string::npos)
      note.replace(begin, end + 1 - begin, flag_name(note.substr(begin + 1, end - begin - 1)));
  return note;
}

void tell_note(const std::string& note) {
  std::string text = wrapped("note: ", with_flags(note));
  text.pop_back();
  tell(text);
}

void check_new(const std::filesystem::path& out, bool force) {
  std::error_code ignored;
  if (!force && std::filesystem::exists(std::filesystem::symlink_status(out, ignored)))
    fail(Status::usage, "'", out.string(), "' is there already; --force replaces it");
}

std::string beside(const std::string& file, const std::string& ending) {
  return std::filesystem::path(file).replace_extension().string() + ending;
}

std::string plain_cell(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

std::string flag_name(const std::string& option) {
  std::string out = "--" + option;
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

std::string in_flags(const CLI::App& command, std::string message) {
  const auto flag_of = [](const std::string& field) {
    const std::map<std::string, std::string> others = {
        {"source", "--src"}, {"target", "--dst"}, {"split", "--split-column"}};
    const auto other = others.find(field);
    return other == others.end() ? flag_name(field) : other->second;
  };
  for (std::size_t begin = 0; (begin = message.find('`', begin)) != std::string::npos; ++begin) {
    const std::size_t end = std::min(message.find('`', begin + 1), message.size());
    const std::string flag = flag_of(message.substr(begin + 1, end - begin - 1));
    if (command.get_option_no_throw(flag)) message.replace(begin, end + 1 - begin, flag);
  }
  const std::size_t colon = std::min(message.find(": "), message.size());
  const std::string flag = flag_of(message.substr(0, colon));
  const CLI::Option* option = command.get_option_no_throw(flag);
  return option && option->count() > 0 ? flag + message.substr(colon) : message;
}

CLI::Option* take_list(CLI::Option* option) {
  return option->delimiter(',')->transform([](const std::string& word) { return CLI::detail::trim_copy(word); });
}

CLI::Option* add_names(CLI::App& app, const std::string& flag, std::vector<std::string>& names,
                       const std::string& help) {
  const auto take = [&names](const std::vector<std::string>& lists) {
    names.clear();
    for (const std::string& list : lists)
      for (std::string& name : split_list(list))
        if (!name.empty()) names.push_back(std::move(name));
  };
  return app.add_option_function<std::vector<std::string>>(flag, take, help);
}

std::string for_shell(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + gcnh::for_shell(word);
  return out;
}

void set_command_line(int argc, const char* const* argv) {
  std::vector<std::string> words = {"gcnh"};  // wherever the program lies
  words.insert(words.end(), argv + std::min(argc, 1), argv + argc);
  started_as = for_shell(words);
}

const std::string& command_line() { return started_as; }

void OptionFlags::add(CLI::App& app, const OptionInfo& info, const std::string& group, const std::string& defaults) {
  if (options_.contains(info.name)) return;
  double number = 0;
  const char* type = !info.words.empty() ? "WORD" : read_number(info.value, number) ? "N" : "TEXT";
  options_[info.name] = app.add_option(flag_name(info.name), texts_[info.name], info.help)
                            ->group(group)
                            ->type_name(type)
                            ->default_str(defaults.empty() ? info.value : defaults);
}

const OptionValues OptionFlags::values() const {
  OptionValues out;
  for (const auto& [name, option] : options_)
    if (option->count() > 0) out[name] = texts_.at(name);
  return out;
}

}  // namespace gcnh::cli
