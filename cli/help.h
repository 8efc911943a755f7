// What the program says when it is asked how it is used.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gcnh::cli {

// Purpose, usage, the flags of most uses, two examples and where there is more, in lines of this width.
std::string short_help(const CLI::App& command, std::size_t width);
// Everything; of a command that has commands of its own, all of theirs.
std::string full_help(const CLI::App& command, std::size_t width);

std::string path_of(const CLI::App& command);  // gcnh data split
// Its commands that others are not made of, or itself.
std::vector<CLI::App*> leaf_commands(CLI::App& command);
// What it takes, in groups; the group that has no name of its own comes last.
std::vector<std::pair<std::string, std::vector<const CLI::Option*>>> grouped_options(const CLI::App& command);

}  // namespace gcnh::cli
