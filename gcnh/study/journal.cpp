#include "gcnh/study/journal.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <set>

#include "gcnh/io/file.h"
#include "gcnh/io/json.h"
#include "gcnh/models/model.h"
#include "gcnh/run/outcome_json.h"
#include "gcnh/train/make_stepper.h"
#include "gcnh/version.h"

namespace gcnh::study {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view kLineStart = R"({"run":{"model":)";

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm day{};
  ::gmtime_r(&now, &day);
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

json to_json(const Record& record) {
  json out = outcome_json(record.outcome);
  out["arithmetic"] = record.arithmetic;
  out["seconds"] = record.outcome.seconds;
  out["date"] = record.date;
  out["cpu"] = record.cpu;
  return out;
}

Record record_from(const json& j) {
  for (const char* key : {"seconds", "parameters", "engine"}) j.at(key);
  if (j.contains("test_accuracy")) j.at("test_accuracy").get<double>();  // a score, never null
  return {outcome_from(j), j.value("arithmetic", 0), j.at("date"), j.at("cpu")};
}

// The run of a line as describe_run writes it now. An option that the line does not name is younger than the line and
// had its default.
std::string current(json run) {
  const auto& types = model_types();
  const auto type =
      std::find_if(types.begin(), types.end(), [&](const ModelType& t) { return t.name == run.at("model"); });
  if (type == types.end()) return run.dump();
  std::vector<OptionInfo> known = type->options;
  for (OptionInfo& info : describe<TrainOptions>()) known.push_back(std::move(info));
  std::map<std::string, json> options = run.at("options").get<std::map<std::string, json>>();
  for (const OptionInfo& info : known) options.insert({info.name, option_json(info.value)});
  run["options"] = options;
  return run.dump();
}

std::vector<JournalLine> parse_lines(const std::filesystem::path& path, const std::vector<std::string>& lines) {
  std::vector<JournalLine> out;
  for (const std::string& line : lines) {
    const int number = static_cast<int>(out.size()) + 1;
    try {
      const json entry = parse_json<json>(line, path.string(), number);
      for (const char* key : {"data", "hash", "seed"}) entry.at("run").at(key);
      out.push_back({number, current(entry.at("run")), record_from(entry.at("result"))});
    } catch (const json::exception&) {
      fail(Status::data, path.string(), ":", number, ": not a line of a journal; one begins with ", kLineStart);
    }
  }
  return out;
}

bool has_mark(const SplitOutcome& o, int epochs) {
  return std::any_of(o.marks.begin(), o.marks.end(), [&](const EpochMark& m) { return m.epochs == epochs; });
}

// A split trained again gives the same numbers; what the two records know is put together.
void merge(Record record, Record& kept) {
  SplitOutcome& o = record.outcome;
  if (!o.test_accuracy) o.test_accuracy = kept.outcome.test_accuracy;
  if (!o.val) o.val = kept.outcome.val;
  if (!o.test) o.test = kept.outcome.test;
  for (const EpochMark& mark : kept.outcome.marks)
    if (!has_mark(o, mark.epochs)) o.marks.push_back(mark);
  kept = std::move(record);
}

}  // namespace

std::string describe_run(const Experiment& e) {
  json out = {{"model", e.model},
              {"data", e.dataset->name},
              {"hash", e.hash},
              {"seed", e.seed},
              {"options", options_json(all_options(e))}};
  if (e.engine != "auto") out["engine"] = e.engine;
  return out.dump();
}

bool is_stale(const Record& record) { return record.arithmetic != arithmetic_of(record.outcome.engine); }

std::vector<JournalLine> read_journal(const std::filesystem::path& path) {
  return parse_lines(path, whole_lines(read_file(path)));
}

Journal::Journal(const std::filesystem::path& path) : log_(std::in_place, path) {
  for (JournalLine& line : parse_lines(path, log_->lines())) {
    if (is_stale(line.record)) {
      ++num_stale_;
    } else {
      merge(line.record, runs_[line.run][line.record.outcome.split]);
    }
  }
  // What a kill left of a line is replaced by the next one; anything else is somebody's text.
  const std::size_t common = std::min(log_->rest().size(), kLineStart.size());
  require(log_->rest().substr(0, common) == kLineStart.substr(0, common), path.string(), ":", log_->lines().size() + 1,
          ": not a line of a journal; take another folder, or remove what stands there");
}

std::optional<SplitOutcome> Journal::find(const std::string& run, int split, bool test,
                                          const std::vector<int>& marks) const {
  std::lock_guard lock(mutex_);
  const auto records = runs_.find(run);
  if (records == runs_.end()) return std::nullopt;
  const auto record = records->second.find(split);
  if (record == records->second.end()) return std::nullopt;
  const SplitOutcome& found = record->second.outcome;
  if ((test && !found.test_accuracy) ||
      !std::all_of(marks.begin(), marks.end(), [&](int epochs) { return has_mark(found, epochs); }))
    return std::nullopt;
  return found;
}

void Journal::add(const std::string& run, const SplitOutcome& outcome) {
  std::lock_guard lock(mutex_);
  const Record record{outcome, arithmetic_of(outcome.engine), today(), cpu_name()};
  if (log_) log_->append(json{{"run", json::parse(run)}, {"result", to_json(record)}}.dump());
  merge(record, runs_[run][outcome.split]);
}

std::string Journal::origin() const {
  std::lock_guard lock(mutex_);
  std::set<std::string> dates, cpus;
  for (const auto& [run, records] : runs_) {
    for (const auto& [split, record] : records) {
      dates.insert(record.date);
      cpus.insert(record.cpu);
    }
  }
  if (dates.empty()) return "";
  std::string out = dates.size() == 1 ? *dates.begin() : *dates.begin() + " to " + *dates.rbegin();
  for (const std::string& cpu : cpus) out += (cpu == *cpus.begin() ? " on " : " and ") + cpu;
  return out;
}

}  // namespace gcnh::study
