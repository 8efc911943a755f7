// The data doctor: looks at a graph before anything is trained on it. Every rule has a name, by which it can be
// allowed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gcnh/base/error.h"
#include "gcnh/base/options.h"
#include "gcnh/graph/dataset.h"
#include "gcnh/run/experiment.h"

namespace gcnh {

enum class Severity { error, warning, allowed, ok };
inline Words words_of(Severity) {
  return {{"error", "results would be wrong or mean nothing"},
          {"warning", "to be known before a number is trusted"},
          {"allowed", "found, and accepted by whoever asked"},
          {"ok", "looked at, nothing found"}};
}

// What a rule has to say, in parts that read on as one line.
struct Remark {
  std::string rule = {};
  Severity severity = Severity::ok;
  std::string found = {};  // numbers and an example
  std::string why = {};    // it matters; empty where nothing was found
  std::string fix = {};    // what to do; fields of the setup and of CsvSource stand in backticks

  std::string text() const;  // the three of them
};

struct RuleInfo {
  std::string name = {};
  std::string sentence = {};  // what it looks for
};
std::vector<RuleInfo> check_rules();

// Everything there is to say: errors first, then warnings, then what is in order. The setup tells how random splits are
// made for tables that bring none. Throws a data error for tables that contradict themselves.
std::vector<Remark> check_data(const Tables& tables, const Setup& setup = {});

// Errors and the warnings that matter most, by rules that take no time beside a training.
std::vector<Remark> check_briefly(const Tables& tables, const Setup& setup = {});

// The error of a reader as a finding.
Remark unreadable(const Error& error);

// Errors and warnings of these rules become `allowed`. Throws a usage error for a rule that does not exist.
void allow(const std::vector<std::string>& rules, std::vector<Remark>& findings);

std::int64_t count_of(Severity severity, const std::vector<Remark>& findings);

// One object; null stands for tables that could not be read.
std::string check_json(const Tables* tables, const std::vector<Remark>& findings);

}  // namespace gcnh
