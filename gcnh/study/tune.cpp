#include "gcnh/study/tune.h"

#include <algorithm>

#include "gcnh/base/error.h"

namespace gcnh::study {
namespace {

void check_grid(const Grid& grid) {
  for (const GridAxis& axis : grid) {
    if (axis.option == "metric")
      fail(Status::usage, "grid: metric is what chooses between the cells; give it as an option of all of them");
    if (axis.values.empty()) fail(Status::usage, "grid: ", axis.option, " has no values");
    for (const std::string& value : axis.values) {
      if (value.empty()) fail(Status::usage, "grid: ", axis.option, " has an empty value");
      if (std::count(axis.values.begin(), axis.values.end(), value) > 1)
        fail(Status::usage, "grid: ", axis.option, " lists ", value, " twice");
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

// A number of cells drawn without repetition, in the order of the grid.
void draw(std::vector<OptionValues>& cells, int count, std::uint64_t seed) {
  if (count <= 0 || static_cast<std::size_t>(count) >= cells.size()) return;
  std::vector<std::size_t> order(cells.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  shuffle(order, Rng(seed));
  order.resize(static_cast<std::size_t>(count));
  std::sort(order.begin(), order.end());
  std::vector<OptionValues> drawn;
  for (std::size_t i : order) drawn.push_back(cells[i]);
  cells = std::move(drawn);
}

Cell summarise(OptionValues options, const std::vector<BestEpoch>& splits) {
  Cell out;
  out.options = std::move(options);
  for (const BestEpoch& best : splits) {
    out.val_accuracies.push_back(best.score.accuracy);
    out.val_accuracy += best.score.accuracy / static_cast<double>(splits.size());
    out.val_loss += best.score.loss / static_cast<double>(splits.size());
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

// Which of two cells is the better one by a metric.
struct IsBetter {
  Metric metric;

  bool operator()(const Cell& a, const Cell& b) const {
    if (a.val_values.size() != b.val_values.size()) return a.val_values.size() > b.val_values.size();
    const double x = merit(metric, a.val_value), y = merit(metric, b.val_value);
    return x != y ? x > y : a.val_loss < b.val_loss;
  }
};

// Best first; those of the last round come before those dropped earlier.
void rank(std::vector<Candidate>& candidates, const std::vector<int>& epochs, const IsBetter& is_better) {
  const auto best = [&](const Candidate& c) {
    const std::vector<Cell> cells = expand(c, epochs);
    return *std::min_element(cells.begin(), cells.end(), is_better);
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const Candidate& a, const Candidate& b) { return is_better(best(a), best(b)); });
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

std::vector<OptionValues> cells_of(const Grid& grid) {
  std::vector<OptionValues> out = {{}};
  for (const GridAxis& axis : grid) {
    std::vector<OptionValues> longer;
    for (const OptionValues& cell : out) {
      for (const std::string& value : axis.values) {
        longer.push_back(cell);
        longer.back()[option_name(axis.option)] = value;
      }
    }
    out = std::move(longer);
  }
  return out;
}

void TuneOptions::check() const {
  check_ranges(*this);
  if (method == Method::random && trials == 0)
    fail(Status::usage, "method: random needs `trials`, the number of cells to draw");
}

TuneResult tune(Study& study, const Experiment& experiment, const Grid& grid, const TuneOptions& options) {
  options.check();
  check_grid(grid);
  Grid rest = grid;
  const std::vector<int> epochs = take_epochs(rest);
  const IsBetter is_better{experiment.train.metric};
  std::vector<OptionValues> cells = cells_of(rest);
  draw(cells, options.trials, options.seed);
  std::vector<Candidate> candidates;
  for (OptionValues& cell : cells) candidates.push_back({std::move(cell), {}});

  const std::size_t all_splits = experiment.splits.size();
  const auto keep = static_cast<std::size_t>(options.keep);
  std::size_t num_splits = options.method == Method::halving ? 1 : all_splits;
  std::size_t alive = candidates.size();
  for (;;) {
    std::vector<Trial> trials;
    for (std::size_t i = 0; i < alive; ++i)
      trials.push_back(make_trial(experiment, candidates[i].options, epochs, num_splits));
    std::vector<std::vector<SplitOutcome>> outcomes = run_trials(study, trials);
    for (std::size_t i = 0; i < alive; ++i) candidates[i].outcomes = std::move(outcomes[i]);
    rank(candidates, epochs, is_better);
    alive = (alive + keep - 1) / keep;
    if (num_splits == all_splits || alive == 1) break;
    num_splits = std::min(all_splits, num_splits * keep);
  }
  TuneResult out;
  for (const Candidate& candidate : candidates)
    for (Cell& cell : expand(candidate, epochs)) out.cells.push_back(std::move(cell));
  std::stable_sort(out.cells.begin(), out.cells.end(), is_better);
  const OptionValues& best = out.cells.front().options;
  const Trial winner{with_options(experiment, best), {}, cell_text(best)};
  out.winner_options = all_options(winner.experiment);
  out.winner = run_trials(study, {winner}).front();
  return out;
}

}  // namespace gcnh::study
