// gcnh data convert: a graph as files of another form.
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"

namespace gcnh::cli {
namespace {

struct ConvertFlags {
  DataFlags data;
  std::string to;
  bool force = false;
};

void convert(const ConvertFlags& flags) {
  for (const std::filesystem::path& file : conversion_files(flags.to)) check_output(flags.data, file.string());
  const Tables tables = load_tables(flags.data);
  const Converted done = convert_graph(tables, flags.to, flags.force);
  if (!flags.data.quiet)
    for (const std::string& note : done.notes) tell_note(note);
  for (const std::filesystem::path& file : done.files) fmt::print("{}\n", file.string());
  if (!done.flags.empty()) fmt::print("\nread with {}\n", for_shell(done.flags));
}

}  // namespace

void add_convert(CLI::App& data) {
  auto flags = std::make_shared<ConvertFlags>();
  CLI::App* command = data.add_subcommand("convert", "a graph as files of another form");
  add_data_flags(*command, flags->data);
  command
      ->add_option("--to", flags->to,
                   "NAME and an ending that chooses the form: " + conversion_endings() + " (docs/formats.md)")
      ->required();
  command->add_flag("--force", flags->force, "replace files that are there");
  add_quiet_flag(*command, flags->data);
  command->footer("For example: gcnh data convert --data cora --to cora.csv");
  command->callback([flags] { convert(*flags); });
}

}  // namespace gcnh::cli
