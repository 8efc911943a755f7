#include "cli/nodes.h"

#include <filesystem>
#include <numeric>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "cli/flags.h"

namespace gcnh::cli {
namespace {

// One per line; empty lines are passed over.
std::vector<std::string> ids_in(const std::string& file) {
  std::vector<std::string> out;
  std::string text = read_file(file);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // the mark that some editors put in front of UTF-8
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (CLI::detail::trim(line); !line.empty()) out.push_back(line);
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
  take_list(app.add_option("--only", only,
                           "ids of the nodes to " + verb +
                               ", comma-separated, or a file with an id per line; "
                               "default: all"));
}

std::vector<Index> chosen_nodes(const Dataset& d, const std::vector<std::string>& only, const std::string& flag) {
  std::vector<Index> nodes(d.num_nodes());
  std::iota(nodes.begin(), nodes.end(), 0);
  if (only.empty()) return nodes;
  std::unordered_map<std::string, Index> number;
  for (Index node : nodes) number[d.id(node)] = node;
  std::error_code ignored;
  const bool is_file =
      only.size() == 1 && !number.contains(only[0]) && std::filesystem::is_regular_file(only[0], ignored);
  nodes.clear();
  std::unordered_set<std::string> seen;
  for (const std::string& id : is_file ? ids_in(only[0]) : only) {
    const auto found = number.find(id);
    if (found == number.end()) fail(Status::usage, flag, ": node '", id, "' is not in ", d.name);
    if (!seen.insert(id).second) fail(Status::usage, flag, ": node '", id, "' is given twice");
    nodes.push_back(found->second);
  }
  return nodes;
}

}  // namespace gcnh::cli
