// gcnh models: what can be trained, and with which options.
#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/flags.h"

namespace gcnh::cli {

void add_models(CLI::App& app) {
  CLI::App* command = app.add_subcommand("models", "the models and their options");
  command->callback([] {
    for (const ModelType& type : model_types()) {
      fmt::print("{}: {}\n", type.name, type.summary);
      for (const OptionInfo& info : type.options)
        fmt::print("  {:14} {} [{}]\n", flag_name(info.name), info.help, info.value);
    }
  });
}

}  // namespace gcnh::cli
