#include "cli/final.h"

#include <fmt/core.h>

#include <cmath>

#include "cli/layout.h"
#include "cli/progress.h"

namespace gcnh::cli {
namespace {

constexpr std::size_t kMostWeights = 20;  // that are printed

std::string percent_of(double share) { return fmt::format("{:.3g} %", 100 * share); }

// Where answers are right more often than sets promise to be.
std::string note_on_level(std::optional<double> better) {
  return "where they were fitted, answers were right more often than that, so the less sure ones get an empty set" +
         (better ? fmt::format(" (not with --level {:g})", *better) : "");
}

// "cost 0.214 -> 0.087", or a metric.
std::string aim_text(const DecisionScores& s) {
  if (s.aim == "cost") return fmt::format("mean cost {:.4g} -> {:.4g}", s.before, s.after);
  Metric metric{};
  parse_text("aim", s.aim, metric);
  return fmt::format("{} {} -> {}{}", title_of(metric), value_text(metric, s.before), value_text(metric, s.after),
                     percent_sign(metric));
}

std::string sets_text(const DecisionScores& s, const std::string& nodes, const std::string& note) {
  return wrapped("sets           ",
                 fmt::format("of {} hold the class of {} of {}, {:.2f} classes each{}", percent_of(s.level),
                             percent_of(s.coverage), nodes, s.set_size, note.empty() ? "" : "; " + note));
}

std::string scores_text(const DecisionScores& s, const std::string& temperature, const std::string& sets) {
  std::string out = wrapped(
      "probabilities  ", fmt::format("ECE {:.2f} -> {:.2f} % {}", 100 * s.ece_before, 100 * s.ece_after, temperature));
  out += sets;
  if (!s.aim.empty())
    out += wrapped("decisions      ", aim_text(s) + " for answers by the rule instead of the most probable class");
  return out;
}

std::string final_scores_text(const FinalModel& f) {
  const Decision& d = *f.model.decision;
  const std::string temperature =
      fmt::format("where each fifth is scaled by the others; the model's temperature is {:.2f}", d.temperature);
  std::string out = scores_text(f.decision, temperature, sets_text(f.decision, "these nodes", level_note(d)));
  if (d.has_rule()) out += wrapped("answers        ", rule_text(d, f.model.classes));
  return out;
}

}  // namespace

FinalChoice final_choice(const RunFlags& flags, FinalChoice otherwise) {
  if (flags.final.empty()) return flags.out.empty() ? FinalChoice::none : otherwise;
  FinalChoice out{};
  parse_text("--final", flags.final, out);
  if (out != FinalChoice::none && flags.out.empty())
    fail(Status::usage, "--final needs --out, the folder to keep the model in");
  return out;
}

void check_final_kept(const RunFlags& flags, const std::vector<std::filesystem::path>& folders, FinalChoice choice) {
  if (!flags.resume || choice != FinalChoice::none) return;
  std::error_code ignored;
  for (const std::filesystem::path& folder : folders)
    if (const auto file = folder / "final.safetensors"; std::filesystem::exists(file, ignored))
      fail(Status::usage, file.string(), " is of the run as it is now; continue with --final, which makes it anew, ",
           "or move it away first");
}

std::optional<FinalModel> make_final(const RunFlags& flags, const Experiment& e, const RunResult& result,
                                     FinalChoice choice) {
  if (choice == FinalChoice::none) return std::nullopt;
  const StopOnInterrupt interrupt;
  TrainOptions options = e.train;
  options.epochs = final_epochs(result);
  Progress progress("final " + e.model, kFinalTrainings, options, flags.data.quiet);
  RunObserver observer;
  observer.on_epoch = [&](int split, const TrainState& state) { progress.update(split, state); };
  observer.should_stop = [&] { return interrupt.requested(); };
  try {
    FinalModel out = make_final(e, result, choice, observer);
    progress.finish();
    return out;
  } catch (const Error& error) {
    progress.finish();
    if (error.status() != Status::interrupted) throw;
    fail(Status::interrupted, "interrupted; ", how_to_resume(flags));
  }
}

std::string describe_final(const FinalModel& f, const std::string& file) {
  const bool is_refit = *f.model.final == FinalKind::refit;
  std::vector<std::string> facts = {is_refit ? fmt::format("{} trained on all {} labels for {}", f.model.model,
                                                           f.model.labels, counted(f.model.epochs, "epoch"))
                                    : f.model.others.empty() ? fmt::format("the one network of {}", f.model.model)
                                                             : fmt::format("mean logits of the {} networks of {}",
                                                                           1 + f.model.others.size(), f.model.model)};
  for (const FinalCandidate& c : f.candidates)
    facts.push_back(
        fmt::format("{} {}{}", to_word(c.kind), value_text(f.metric, c.measures[f.metric]), percent_sign(f.metric)));
  std::string out = in_lines("final  ", facts);
  out += wrapped("       ", fmt::format("{} on {} that the networks answering had not been trained on",
                                        title_of(f.metric), counted(static_cast<std::int64_t>(f.judged), "node")));
  if (!std::isnan(f.decision.coverage)) out += final_scores_text(f);
  return out + in_lines("       ", {file});
}

std::string describe_decision(std::span<const SplitOutcome> splits) {
  const auto mean = mean_decision(splits);
  if (!mean) return "";
  const double right = mean_std(val_accuracies(splits)).mean;
  return scores_text(*mean, fmt::format("with temperature {:.2f}, both on average", mean->temperature),
                     sets_text(*mean, "the test nodes", right > mean->level ? note_on_level({}) : ""));
}

std::string level_note(const Decision& d) {
  const double right = share_of_sure(d);
  return right > d.level ? note_on_level(level_above(right, d.scores.size())) : "";
}

std::string rule_text(const Decision& d, const std::vector<std::string>& classes) {
  if (classes.size() == 2) {
    const std::optional<double> from = threshold(d);
    if (!from) return "the same for every node, by these costs";
    const bool second = *from <= 0.5;
    return fmt::format("{} from p {:.2g} on", in_one_line(classes[second]), second ? *from : 1 - *from);
  }
  std::string out = d.costs.empty() ? "highest weight x p" : "least sum of weight x p x cost";
  for (std::size_t k = 0; k < classes.size() && k < kMostWeights; ++k)
    out += fmt::format("{}{} {:.3g}", k == 0 ? "; weights: " : ", ", in_one_line(classes[k]),
                       d.weights.empty() ? 1.0 : d.weights[k]);
  return out + (classes.size() > kMostWeights ? "..." : "");
}

std::string describe_missing_sets(const Experiment& e) {
  bool no_val = false, no_test = false;
  for (int s : e.splits) {
    no_val |= e.dataset->splits[s].val.empty();
    no_test |= e.dataset->splits[s].test.empty();
  }
  std::string out;
  if (no_val) out += "no validation nodes: the last epoch was kept\n";
  if (no_test) out += "no test nodes: nothing tells how good the model is on other nodes\n";
  return out;
}

}  // namespace gcnh::cli
