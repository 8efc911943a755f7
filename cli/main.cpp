// gcnh: node classification on graphs whose neighbours disagree.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <system_error>

#include "cli/commands.h"
#include "cli/config.h"
#include "cli/flags.h"
#include "cli/help.h"
#include "cli/layout.h"
#include "gcnh/gcnh.h"
#include "gcnh/studies.h"

namespace {

constexpr const char* kFooter =
    "gcnh COMMAND -h says what a command takes, --help-all everything.\n"
    "Exit codes: 0 done, 1 update: train again, 2 wrong usage, 65 bad data, 71 out of memory, 74 file trouble, 130 "
    "interrupted.\n"
    "Examples:\n"
    "  gcnh train  GCNH on a built-in graph\n"
    "  gcnh check --nodes nodes.csv --edges edges.csv  what is wrong with your data\n"
    "  gcnh compare --nodes nodes.csv --edges edges.csv --out runs/mine  does the graph help?\n"
    "  gcnh predict --model runs/mine/gcnh/model.safetensors --nodes nodes.csv --edges edges.csv\n"
    "  gcnh report runs/mine  one HTML file with all of it";

// The subcommand that was being parsed.
const CLI::App& last_command(const CLI::App& app) {
  const CLI::App* current = &app;
  while (!current->get_subcommands().empty()) current = current->get_subcommands().front();
  return *current;
}

// Names of its options, for suggestions.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : last_command(app).get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// Behind what was printed before, where both go to one place. Whether it arrives is nobody's business: there is no
// other place to say so.
int complain(const std::string& message, int code) {
  std::fflush(stdout);
  std::fputs(("gcnh: " + gcnh::cli::printable(message) + "\n").c_str(), stderr);
  return code;
}

int usage_error(const std::string& message) { return complain(message, static_cast<int>(gcnh::Status::usage)); }

int output_error(int reason) {
  return complain(
      gcnh::join("cannot write to standard output", reason == 0 ? "" : ": ", reason == 0 ? "" : std::strerror(reason)),
      static_cast<int>(gcnh::Status::io));
}

// A closed standard descriptor would be given to the first file that is opened, and what is printed would end up there.
// In its place: nothing to read, no errors, and for output what still refuses to be written to.
void occupy_standard_descriptors() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0) (void)::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

std::string describe(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& last = last_command(app);
  if (dynamic_cast<const CLI::RequiredError*>(&error) && !command_names(last).empty())
    return gcnh::join("no command; commands: ", gcnh::list_words(command_names(last)), "; ",
                      &last == &app ? "gcnh" : "gcnh " + last.get_name(), " --help says what they do");
  if (!dynamic_cast<const CLI::ExtrasError*>(&error)) return error.what();
  const std::vector<std::string> extras = app.remaining(true);
  auto word = std::find_if(extras.begin(), extras.end(), [](const std::string& e) { return e.starts_with("-"); });
  if (word == extras.end()) word = extras.begin();
  return gcnh::join("unknown argument '", *word, "'", gcnh::did_you_mean(*word, option_names(app)));
}

// A word in the place of a command, or of a command's command, that is neither one nor an option.
std::string unknown_command(const CLI::App& app, std::span<char*> words) {
  const std::vector<std::string> names = command_names(app);
  if (words.empty() || words[0][0] == '-' || names.empty()) return "";
  if (std::find(names.begin(), names.end(), words[0]) != names.end())
    return unknown_command(*app.get_subcommand(words[0]), words.subspan(1));
  return gcnh::join("unknown command '", words[0], "'; commands: ", gcnh::list_words(names),
                    gcnh::did_you_mean(words[0], names));
}

// What parsing ended with when nothing is wrong: a call for help, or for something else that was printed.
int answer(const CLI::App& app, const CLI::ParseError& error) {
  const std::size_t width = gcnh::cli::terminal_width(STDOUT_FILENO);
  if (dynamic_cast<const CLI::CallForHelp*>(&error)) {
    fmt::print("{}", gcnh::cli::short_help(last_command(app), width));
  } else if (dynamic_cast<const CLI::CallForAllHelp*>(&error)) {
    fmt::print("{}", gcnh::cli::full_help(last_command(app), width));
  } else {
    app.exit(error);
  }
  return 0;
}

int run_command(int argc, char** argv) {
  CLI::App app{"node classification on graphs whose neighbours disagree", "gcnh"};
  app.set_help_flag("-h,--help", "how to use it, in short");
  app.set_help_all_flag("--help-all", "every flag");
  app.set_version_flag("--version", fmt::format("gcnh {} ({})", gcnh::version(), gcnh::simd()), "which one this is");
  app.require_subcommand(1);
  app.footer(kFooter);
  gcnh::cli::add_train(app);
  gcnh::cli::add_compare(app);
  gcnh::cli::add_tune(app);
  gcnh::cli::add_paper(app);
  gcnh::cli::add_journal(app);
  gcnh::cli::add_report(app);
  gcnh::cli::add_predict(app);
  gcnh::cli::add_eval(app);
  gcnh::cli::add_explain(app);
  gcnh::cli::add_embed(app);
  gcnh::cli::add_update(app);
  gcnh::cli::add_inspect(app);
  gcnh::cli::add_check(app);
  gcnh::cli::add_data(app);
  gcnh::cli::add_shard(app);
  gcnh::cli::add_scale_sim(app);
  gcnh::cli::add_synth(app);
  gcnh::cli::add_models(app);
  gcnh::cli::add_bench(app);
  gcnh::cli::complete_quiet_flags(app);
  gcnh::cli::ConfigFlags config(app);
  app.parse_complete_callback([&] {
    if (!config.wants_print(last_command(app))) return;
    fmt::print("{}", config.print(last_command(app)));
    throw CLI::Success();
  });
  const std::string unknown = unknown_command(app, std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
  if (!unknown.empty()) return usage_error(unknown);
  try {
    gcnh::greet_ranks(gcnh::current_comm(), gcnh::cli::command_line());
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::RuntimeError& error) {  // a command that is done and has something to say by its code
    return error.get_exit_code();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return answer(app, error);
    return usage_error(describe(app, error));
  } catch (const gcnh::Error& error) {
    const CLI::App& command = last_command(app);
    return complain(config.located(command, gcnh::cli::in_flags(command, error.what())),
                    static_cast<int>(error.status()));
  } catch (const std::bad_alloc&) {
    return complain("out of memory", 71);
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(gcnh::join("cannot access '", error.path1().string(), "': ", error.code().message()),
                    static_cast<int>(gcnh::Status::io));
  } catch (const std::system_error& error) {
    if (std::ferror(stdout)) return output_error(error.code().value());
    return complain(gcnh::join("internal error: ", error.what()), 70);
  } catch (const std::exception& error) {
    return complain(gcnh::join("internal error: ", error.what()), 70);
  }
}

// A rank that trains for rank 0, which alone prints and is stopped by signals. What it cannot cope with ends the job.
int serve(gcnh::Comm& comm) {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  const std::string who = gcnh::join("rank ", comm.rank(), ": ");
  try {
    gcnh::serve(comm, gcnh::cli::command_line());
    return 0;
  } catch (const std::bad_alloc&) {
    std::_Exit(complain(who + "out of memory", 71));
  } catch (const std::exception& error) {
    std::_Exit(complain(who + error.what(), 70));
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a write that fails
  gcnh::cli::set_command_line(argc, argv);
  std::unique_ptr<gcnh::Comm> comm;
  try {
    comm = gcnh::open_comm();
  } catch (const gcnh::Error& error) {
    return complain(error.what(), static_cast<int>(error.status()));
  }
  if (comm->rank() > 0) return serve(*comm);
  const gcnh::CommScope scope(*comm);
  const int code = run_command(argc, argv);
  gcnh::dismiss_ranks(*comm);
  errno = 0;
  const bool arrived = std::fflush(stdout) == 0 && !std::ferror(stdout);
  return code == 0 && !arrived ? output_error(errno) : code;
}
