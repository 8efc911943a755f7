// The search that compare gives every model: the same number of cells for all, chosen by validation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/study.h"

namespace gcnh::cli {

// What a search of the model may try; options of flags and recipe are settled.
Candidates candidates_for(const RunFlags& flags, const std::string& model, const std::string& data);

class ModelSearch {
 public:
  // The plan follows from the data of an experiment with any of the models. Without candidates nothing is searched.
  ModelSearch(const RunFlags& flags, std::vector<Candidates> models, const Experiment& any, double budget_seconds);

  // That every training of the search has; 0 without a search.
  int epochs() const { return study_ ? plan_.epochs : 0; }
  // "search 32 cells of each model, about 40 s on 2 idle cores", or why there is none
  std::string text() const;

  // The experiment with the options that were found; the same where nothing is searched.
  Experiment choose(const Experiment& experiment);
  // The same from the journal alone, for a model that was chosen before. Throws when the journal lacks a training: then
  // it was chosen otherwise.
  Experiment recall(const Experiment& experiment);
  // Options whose values the search sets.
  std::vector<std::string> open_options(const std::string& model) const;
  // Of the model that was chosen last: the options that were found, and JSON for tools; empty without a search.
  const OptionValues& chosen() const { return chosen_; }
  const std::string& json() const { return json_; }

 private:
  const Candidates& candidates_of(const std::string& model) const;
  SearchResult find(Study& study, const Experiment& experiment) const;

  double budget_;
  std::vector<Candidates> models_;
  SearchPlan plan_;
  int threads_;
  std::uint64_t seed_;
  std::optional<StudyRun> study_;
  OptionValues chosen_;
  std::string json_;
};

}  // namespace gcnh::cli
