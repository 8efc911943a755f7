#include "gcnh/study/tune.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "gcnh/base/error.h"

namespace gcnh::study {
namespace {

void check_grid(const Grid& grid) {
  for (const GridAxis& axis : grid) {
    if (axis.option == "metric")
      fail(Status::usage, "grid: metric is what chooses between the cells; give it as an option of all of them");
    if (axis.values.empty()) fail(Status::usage, "grid: ", axis.option, " has no values");
    std::unordered_set<std::string_view> seen;
    for (const std::string& value : axis.values) {
      if (value.empty()) fail(Status::usage, "grid: ", axis.option, " has an empty value");
      if (!seen.insert(value).second) fail(Status::usage, "grid: ", axis.option, " lists ", value, " twice");
    }
  }
}

// The grid without its epochs, and these in ascending order.
std::vector<int> take_epochs(Grid& grid) {
  const auto axis = std::find_if(grid.begin(), grid.end(), [](const GridAxis& a) { return a.option == "epochs"; });
  std::vector<int> out;
  if (axis == grid.end()) return out;
  for (const std::string& text : axis->values) {
    TrainOptions options;
    assign(options, {{"epochs", text}});
    out.push_back(options.epochs);
  }
  std::sort(out.begin(), out.end());
  grid.erase(axis);
  return out;
}

constexpr std::uint64_t kMostTried = 1'000'000;  // that are looked at one by one

// Some of the numbers below `cells`, ascending, drawn without repetition; 0: all of them.
std::vector<std::uint64_t> draw(std::uint64_t cells, int count, std::uint64_t seed) {
  const auto wanted = static_cast<std::uint64_t>(num_trials(cells, count));
  const Rng rng(seed);
  std::vector<std::uint64_t> out;
  if (cells <= kMostTried) {
    out.resize(cells);
    std::iota(out.begin(), out.end(), 0);
    if (wanted == cells) return out;
    shuffle(out, rng);
    out.resize(wanted);
  } else {
    std::unordered_set<std::uint64_t> drawn;
    for (std::uint64_t i = 0; drawn.size() < wanted; ++i) drawn.insert(rng.below(cells, i));
    out.assign(drawn.begin(), drawn.end());
  }
  std::sort(out.begin(), out.end());
  return out;
}

// The number of a cell; nothing where the grid does not have it.
std::optional<std::uint64_t> number_of(const Grid& grid, const OptionValues& cell) {
  std::uint64_t out = 0;
  for (const GridAxis& axis : grid) {
    const auto value = cell.find(option_name(axis.option));
    if (value == cell.end()) return std::nullopt;
    const auto found = std::find(axis.values.begin(), axis.values.end(), value->second);
    if (found == axis.values.end()) return std::nullopt;
    out = out * axis.values.size() + static_cast<std::uint64_t>(found - axis.values.begin());
  }
  return out;
}

// The cells that a search begins with.
std::vector<OptionValues> choose_cells(const Experiment& experiment, const Grid& grid, const TuneOptions& options) {
  std::vector<OptionValues> out;
  const std::uint64_t cells = num_cells(grid);
  if (!options.try_own) {
    for (std::uint64_t number : draw(cells, options.trials, options.seed)) out.push_back(cell_at(grid, number));
    return out;
  }
  const OptionValues all = all_options(experiment);
  OptionValues own;
  for (const GridAxis& axis : grid) {
    const auto found = all.find(option_name(axis.option));
    if (found != all.end()) own.insert(*found);  // an option that it does not have is refused later
  }
  const std::optional<std::uint64_t> own_number = number_of(grid, own);
  out.push_back(own);
  if (options.trials == 1) return out;
  for (std::uint64_t number : draw(cells - (own_number ? 1 : 0), std::max(0, options.trials - 1), options.seed))
    out.push_back(cell_at(grid, own_number && number >= *own_number ? number + 1 : number));
  return out;
}

Cell summarise(OptionValues options, const std::vector<BestEpoch>& splits) {
  Cell out;
  out.options = std::move(options);
  for (const BestEpoch& best : splits) {
    out.val_accuracies.push_back(best.score.accuracy);
    out.val_accuracy += best.score.accuracy / static_cast<double>(splits.size());
    const bool diverged = best.epoch == 0;
    out.diverged += diverged;
    out.val_loss +=
        diverged ? std::numeric_limits<double>::infinity() : best.score.loss / static_cast<double>(splits.size());
    out.val_values.push_back(best.score.metric);
    out.val_value += best.score.metric / static_cast<double>(splits.size());
  }
  return out;
}

// A cell of the grid without its epochs, and its splits so far.
struct Candidate {
  OptionValues options;
  std::vector<SplitOutcome> outcomes;
};

// The candidate once per number of epochs, or once as it is.
std::vector<Cell> expand(const Candidate& candidate, const std::vector<int>& epochs) {
  std::vector<Cell> out;
  std::vector<BestEpoch> splits;
  if (epochs.empty()) {
    for (const SplitOutcome& o : candidate.outcomes) splits.push_back(o.best);
    out.push_back(summarise(candidate.options, splits));
  }
  for (int number : epochs) {
    splits.clear();
    for (const SplitOutcome& o : candidate.outcomes)
      for (const EpochMark& mark : o.marks)
        if (mark.epochs == number) splits.push_back(mark.best);
    OptionValues options = candidate.options;
    options["epochs"] = std::to_string(number);
    out.push_back(summarise(std::move(options), splits));
  }
  return out;
}

// Best first; those of the last round come before those dropped earlier.
void rank(std::vector<Candidate>& candidates, const std::vector<int>& epochs, Metric metric) {
  const auto better = [&](const Cell& a, const Cell& b) { return is_better(metric, a, b); };
  const auto best = [&](const Candidate& c) {
    const std::vector<Cell> cells = expand(c, epochs);
    return *std::min_element(cells.begin(), cells.end(), better);
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const Candidate& a, const Candidate& b) { return better(best(a), best(b)); });
}

Trial make_trial(const Experiment& experiment, OptionValues options, const std::vector<int>& epochs,
                 std::size_t num_splits) {
  if (!epochs.empty()) options["epochs"] = std::to_string(epochs.back());
  Trial out{with_options(experiment, options), epochs, cell_text(options)};
  out.experiment.read_test = false;
  out.experiment.splits.resize(num_splits);
  return out;
}

}  // namespace

bool is_better(Metric metric, const Cell& a, const Cell& b) {
  if (a.val_values.size() != b.val_values.size()) return a.val_values.size() > b.val_values.size();
  const double x = merit(metric, a.val_value), y = merit(metric, b.val_value);
  return x != y ? x > y : a.val_loss < b.val_loss;
}

std::uint64_t num_cells(const Grid& grid) {
  std::uint64_t out = 1;
  for (const GridAxis& axis : grid)
    if (__builtin_mul_overflow(out, axis.values.size(), &out))
      fail(Status::usage, "grid: more cells than can be counted; take fewer axes, or fewer values");
  return out;
}

int num_trials(std::uint64_t cells, int trials) {
  const std::uint64_t out = trials <= 0 ? cells : std::min(cells, static_cast<std::uint64_t>(trials));
  if (out > kMostTried)
    fail(Status::usage, "grid: ", out, " cells to try, at most ", kMostTried, "; `trials` draws some of them");
  return static_cast<int>(out);
}

OptionValues cell_at(const Grid& grid, std::uint64_t number) {
  std::vector<std::size_t> place(grid.size());
  for (std::size_t a = grid.size(); a-- > 0; number /= grid[a].values.size()) place[a] = number % grid[a].values.size();
  OptionValues out;
  for (std::size_t a = 0; a < grid.size(); ++a) out[option_name(grid[a].option)] = grid[a].values[place[a]];
  return out;
}

std::vector<OptionValues> cells_of(const Grid& grid) {
  std::vector<OptionValues> out;
  const auto cells = static_cast<std::uint64_t>(num_trials(num_cells(grid), 0));
  for (std::uint64_t number = 0; number < cells; ++number) out.push_back(cell_at(grid, number));
  return out;
}

Grid fix_axes(Grid grid, const OptionValues& fixed) {
  for (GridAxis& axis : grid)
    if (const auto value = fixed.find(axis.option); value != fixed.end()) axis.values = {value->second};
  return grid;
}

void TuneOptions::check() const {
  check_ranges(*this);
  if (method == Method::random && trials == 0)
    fail(Status::usage, "method: random needs `trials`, the number of cells to draw");
}

std::vector<Round> rounds_of(const TuneOptions& options, std::size_t cells, std::size_t splits) {
  if (options.method != Method::halving) return {{cells, splits}};
  const auto keep = static_cast<std::size_t>(options.keep);
  std::vector<Round> out = {{cells, 1}};
  while (out.back().splits < splits && (out.back().cells + keep - 1) / keep > 1)
    out.push_back({(out.back().cells + keep - 1) / keep, std::min(splits, out.back().splits * keep)});
  return out;
}

SearchResult search(Study& study, const Experiment& experiment, const Grid& grid, const TuneOptions& options) {
  options.check();
  check_grid(grid);
  require_validation(experiment);
  Grid rest = grid;
  const std::vector<int> epochs = take_epochs(rest);
  const Metric metric = experiment.train.metric;
  std::vector<Candidate> candidates;
  for (OptionValues& cell : choose_cells(experiment, rest, options)) candidates.push_back({std::move(cell), {}});
  for (const Round& round : rounds_of(options, candidates.size(), experiment.splits.size())) {
    std::vector<Trial> trials;
    for (std::size_t i = 0; i < round.cells; ++i)
      trials.push_back(make_trial(experiment, candidates[i].options, epochs, round.splits));
    std::vector<std::vector<SplitOutcome>> outcomes = run_trials(study, trials);
    for (std::size_t i = 0; i < round.cells; ++i) candidates[i].outcomes = std::move(outcomes[i]);
    rank(candidates, epochs, metric);
  }
  SearchResult out;
  for (const Candidate& candidate : candidates) {
    for (Cell& cell : expand(candidate, epochs)) out.cells.push_back(std::move(cell));
    for (const SplitOutcome& o : candidate.outcomes) {
      ++out.trainings;
      out.test_reads += o.test_accuracy.has_value();
      out.seconds += o.seconds;
    }
  }
  std::stable_sort(out.cells.begin(), out.cells.end(),
                   [&](const Cell& a, const Cell& b) { return is_better(metric, a, b); });
  out.winner = with_options(experiment, out.cells.front().options);
  return out;
}

TuneResult tune(Study& study, const Experiment& experiment, const Grid& grid, const TuneOptions& options) {
  SearchResult found = search(study, experiment, grid, options);
  const std::string name = cell_text(found.cells.front().options);
  const OptionValues all = all_options(found.winner);
  return {std::move(found.cells), run_trials(study, {{std::move(found.winner), {}, name}}).front(), all};
}

}  // namespace gcnh::study
