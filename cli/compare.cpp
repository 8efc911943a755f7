// gcnh compare: several models on the same splits, side by side, and how sure the differences are.
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/contest.h"
#include "cli/final.h"
#include "cli/plan.h"

namespace gcnh::cli {
namespace {

// A report of some of the models must not take the place of one of all.
void check_models(const CompareFlags& flags, const std::vector<std::string>& kept) {
  const std::vector<std::string> named = flags.trained();
  std::vector<std::string> others;
  for (const std::string& model : kept)
    if (std::find(named.begin(), named.end(), model) == named.end()) others.push_back(model);
  if (others.empty()) return;
  std::string all;
  for (const auto& models : {flags.models, others})
    for (const std::string& model : models) all += (all.empty() ? "" : ",") + model;
  fail(Status::usage, flags.out, " also holds ", list_words(others), "; continue with --resume --models ", all,
       ", or take another --out");
}

// What else is in the folder of a comparison: a single run, other models, or its beginning.
void check_comparison(const CompareFlags& flags, const std::filesystem::path& page) {
  if (flags.out.empty()) return;
  if (holds_run(flags.out)) fail(Status::usage, flags.out, " holds a single run; take another --out for a comparison");
  if (flags.force) return;
  const std::vector<std::string> kept = compared_models(flags.out);
  check_models(flags, kept);
  if (!flags.resume && !kept.empty() && !std::filesystem::exists(page))
    fail(Status::usage, flags.out,
         " holds an unfinished comparison; add --resume to continue it or --force to begin anew, or take another "
         "--out");
}

// The report of another comparison, or what somebody else calls so.
void check_page(const CompareFlags& flags, const std::filesystem::path& page) {
  const bool continues = flags.resume && !compared_models(flags.out).empty();
  if (flags.out.empty() || continues || flags.force || !std::filesystem::exists(page)) return;
  fail(Status::usage, page.string(), " is there already; take another --out, or add --force to replace it");
}

// All that --out will hold, for people.
std::vector<std::string> files_written(const CompareFlags& flags, bool is_searched) {
  if (flags.out.empty()) return {};
  const bool has_final = final_choice(flags, FinalChoice::automatic) != FinalChoice::none;
  std::vector<std::string> out = files_in(flags.out + "/MODEL", true, is_searched, has_final ? "of the best" : "");
  for (const Floor& floor : floors())
    for (const std::string& file : files_in(flags.out + "/" + floor.name, false)) out.push_back(file);
  if (is_searched) out.push_back(journal_in(flags.out).string());
  out.push_back(flags.out + "/" + kPage);
  return out;
}

// The search comes first, so the time of it stands beside that of the trainings.
void plan(const CompareFlags& flags, const Tables& tables) {
  RunFlags unkept = flags;
  unkept.out.clear();
  const Experiment first = make_experiment(flags.of(flags.models[0]), tables, flags.models[0]);
  const ModelSearch search(unkept, flags.candidates(tables.name), first, flags.budget);
  const auto make = [&](const std::string& model) {
    Experiment out = make_experiment(flags.of(model), tables, model);
    if (search.epochs() > 0) out.train.epochs = search.epochs();
    return out;
  };
  std::vector<PlannedRun> runs;
  for (const std::string& model : flags.trained())
    runs.push_back(
        {[&make, model] { return make(model); }, 1, search.text().empty() ? "" : "; before that, " + search.text()});
  print_plan(flags, runs, files_written(flags, search.epochs() > 0));
}

void compare(const CompareFlags& flags, const CLI::App& command) {
  const FinalChoice choice = final_choice(flags, FinalChoice::automatic);  // a wrong word is told at once
  if (!(flags.budget > 0)) fail(Status::usage, "--budget: ", flags.budget, " s; give more, or --no-tune");
  check_options(flags, flags.models);
  const std::filesystem::path page = std::filesystem::path(flags.out) / kPage;
  if (!flags.out.empty())
    for (const std::filesystem::path& file : {page, journal_in(flags.out)}) check_written(flags, file);
  check_comparison(flags, page);
  check_folders(flags, flags.model_folders());
  check_final_kept(flags, flags.model_folders(), choice);
  for (const std::filesystem::path& folder : flags.floor_folders()) {
    for (const std::string& name : RunFolder::file_names()) check_written(flags, folder / name);
    RunFolder::check(folder, flags.earlier_floor());
  }
  check_page(flags, page);
  const Tables tables = load_tables(flags.data);
  if (flags.plan) return plan(flags, tables);
  if (flags.force)
    for (const std::string& model : flags.trained())
      make_experiment(flags.of(model), tables, model);  // nothing is cleared for wrong options
  Contest contest(flags, command, tables);
  try {
    contest.run_models();
    contest.run_floors();
    contest.finish();
  } catch (const std::exception& e) {
    const auto* error = dynamic_cast<const Error*>(&e);
    if (flags.force && !(error && error->status() == Status::interrupted)) contest.give_up();
    throw;
  }
}

}  // namespace

void add_compare(CLI::App& app) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* command = app.add_subcommand("compare", "train several models on the same splits and print one table");
  take_list(command->add_option("--models", flags->models, "comma-separated; floors are always beside them"))
      ->capture_default_str();
  CLI::Option* budget = command
                            ->add_option("--budget", flags->budget,
                                         "seconds of search per model, meant for two cores; the number of cells "
                                         "follows from it and the graph, the same on every machine")
                            ->group("Search")
                            ->capture_default_str();
  command->add_flag("--no-tune", flags->no_tune, "no search: every model with its default options, or those given")
      ->group("Search")
      ->excludes(budget);
  add_run_flags(*command, *flags);
  command->footer(
      "Does the graph help? Compare gcnh with mlp, which never sees it.\n"
      "Every model gets the same search: cells of the grid `search` of recipes/, all on one split, the better half on "
      "two, and so\non, by validation; options given as flags or by a recipe are the same in every cell. Test nodes "
      "are "
      "read for the winners.\n"
      "Floors: the majority class, logistic regression and label propagation.\n"
      "The model with the best mean validation value of the metric (--metric) is the reference. Differences on the "
      "test "
      "nodes to it: corrected resampled t-test (Nadeau and Bengio 2003; test nodes per training node widen the "
      "interval), p adjusted by Holm, Wilcoxon's signed ranks.\n"
      "A folder that holds runs of these models is refused without --resume or --force; what else is in it stays.\n"
      "Of the reference a final model is made of all labels and kept in its folder (--final none: not); gcnh predict "
      "--model OUT finds it.\n"
      "--json prints the array of runs; all but the reference's have a key \"comparison\" with these numbers.\n"
      "Examples:\n"
      "  gcnh compare --data chameleon --models gcnh,gcn,gat,mlp  a known graph\n"
      "  gcnh compare --nodes users.csv --edges follows.csv --id user --label segment --src a --dst b --out runs/seg");
  command->callback([flags, command] { compare(*flags, *command); });
}

}  // namespace gcnh::cli
