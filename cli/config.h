// Flags from a file: --config FILE.toml, and --print-config, which shows every setting of a command and its origin.
// Both walk the options that a command has; nothing is declared for them.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "gcnh/gcnh.h"
#include "gcnh/studies.h"

namespace gcnh::cli {

class ConfigFlags {
 public:
  // Gives every command of the program both flags. It outlives the program's parse().
  explicit ConfigFlags(CLI::App& program);

  bool wants_print(const CLI::App& command) const;
  // Every setting as TOML that gives the same run again: what was given as a line, and whatever else holds in a
  // comment.
  std::string print(const CLI::App& command) const;

  // "--lr: 0 is not above 0" with the place where the file says so, in front.
  std::string located(const CLI::App& command, const std::string& message) const;

 private:
  void read(const std::string& file, CLI::App& command);
  void apply(const std::string& file, const Setting& setting, CLI::App& command);

  CLI::App& program_;
  std::map<const CLI::Option*, std::string> origins_;  // FILE:LINE
};

}  // namespace gcnh::cli
