#include "cli/nodes.h"

#include <filesystem>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "cli/flags.h"

namespace gcnh::cli {
namespace {

// One per line; empty lines are passed over.
std::vector<std::string> ids_in(const std::string& file) {
  std::vector<std::string> out;
  for (Lines lines(file); lines.next();)
    if (std::string id(lines.line()); !CLI::detail::trim(id).empty()) out.push_back(std::move(id));
  if (out.empty()) fail(Status::data, file, ": no ids; one per line is expected");
  return out;
}

}  // namespace

void add_model_flag(CLI::App& app, std::string& model) {
  app.add_option("--model", model,
                 "model file, also that of a split (RUN/splits/...), or the folder of a run or comparison: its final "
                 "model, if it has one")
      ->required();
}

Dataset fit_and_tell(const TrainedModel& model, Tables tables, bool quiet, std::vector<Index>* unseen) {
  std::vector<std::string> notes;
  Dataset out = fit_to_model(model, std::move(tables), &notes, unseen);
  if (!quiet)
    for (const std::string& note : notes) tell_note(note);
  return out;
}

void add_only_flag(CLI::App& app, std::vector<std::string>& only, const std::string& verb) {
  const auto take = [&only](const std::vector<std::string>& lists) {
    only.clear();
    for (const std::string& list : lists)
      for (std::string& id : split_list(list)) only.push_back(std::move(id));
  };
  app.add_option_function<std::vector<std::string>>(
      "--only", take,
      "ids of the nodes to " + verb +
          ", comma-separated, in double quotes where one has a comma, or a file with an id per line; default: all");
}

std::vector<Index> chosen_nodes(const Dataset& d, const std::vector<std::string>& only, const std::string& flag) {
  std::vector<Index> nodes(d.num_nodes());
  std::iota(nodes.begin(), nodes.end(), 0);
  if (only.empty()) return nodes;
  std::unordered_map<std::string, Index> number;
  for (Index node : nodes) number[d.id(node)] = node;
  const bool is_list = only.size() == 1 && !number.contains(only[0]) && is_file(only[0]);
  nodes.clear();
  std::unordered_set<std::string> seen;
  for (const std::string& id : is_list ? ids_in(only[0]) : only) {
    const auto found = number.find(id);
    if (found == number.end()) fail(Status::usage, flag, ": node '", id, "' is not in ", d.name);
    if (!seen.insert(id).second) fail(Status::usage, flag, ": node '", id, "' is given twice");
    nodes.push_back(found->second);
  }
  return nodes;
}

}  // namespace gcnh::cli
