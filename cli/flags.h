// What all flags have in common: how they are declared, read and named in messages.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <string>

#include "gcnh/gcnh.h"
#include "gcnh/studies.h"

namespace gcnh::cli {

using namespace study;
using namespace report;
using namespace paper;

// A line for people, on stderr. When it cannot be written, the work goes on without.
void tell(const std::string& line);
void tell_note(const std::string& note);  // behind "note: ", in lines

inline const CLI::Range kThreads(0, 4096);
// A number within bounds, which "nan" is not.
CLI::Validator number_between(double low, double high);
// Digits alone, of a number that fits: "-1" would become another seed without a word.
CLI::Validator a_seed();
// What a variable of the shell that is not set would leave.
CLI::Validator not_empty();

// Every command takes -q; those that never say more than their answer have nothing to change.
void complete_quiet_flags(CLI::App& program);
// Throws when there is such a file already, unless it may be replaced.
void check_new(const std::filesystem::path& out, bool force);

// The file beside another: points.npy, points-ids.txt.
std::string beside(const std::string& file, const std::string& ending);
// A name where nothing can be quoted: control characters become blanks.
std::string plain_cell(std::string text);

// Options declared by visit(), as flags --like-this. Only those the user gave end up in values(); help shows
// `defaults`, or the value of the OptionInfo.
class OptionFlags {
 public:
  void add(CLI::App& app, const OptionInfo& info, const std::string& group, const std::string& defaults = "");
  const OptionValues values() const;

 private:
  std::map<std::string, std::string> texts_;  // addresses stay valid while flags are added
  std::map<std::string, const CLI::Option*> options_;
};

// Makes the option take words between commas, without the blanks around them.
CLI::Option* take_list(CLI::Option* option);
// An option for such a list in which a name may be in double quotes, where it has a comma of its own.
CLI::Option* add_names(CLI::App& app, const std::string& flag, std::vector<std::string>& names,
                       const std::string& help);

// The words of a command, quoted where a shell needs it.
std::string for_shell(const std::vector<std::string>& words);

// How this program was started, quoted for a shell; main tells it.
void set_command_line(int argc, const char* const* argv);
const std::string& command_line();

std::string flag_name(const std::string& option);  // weight_decay -> --weight-decay

// The library names fields: `out`, or "lr: 0 is not above 0". Whoever typed flags reads --out, and --lr where it was
// given.
std::string in_flags(const CLI::App& command, std::string message);

}  // namespace gcnh::cli
