// One training over several parts of a graph. Every part has a model of the same parameters and a tape; they run in
// lockstep, each on its own nodes, and their gradients and losses are added up along a binary tree over the numbers of
// the parts. So the bits depend on how the graph was cut, and on neither ranks nor threads; those of a single part are
// the plain tape's. Rank 0 alone has the optimiser and tells the others what to do, new parameters among it.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gcnh/base/parallel.h"
#include "gcnh/comm/part_team.h"
#include "gcnh/graph/part.h"
#include "gcnh/ops/share.h"
#include "gcnh/train/adam.h"

namespace gcnh {

// The parts of one rank.
class PartsWorker {
 public:
  using MakeModel = std::function<std::unique_ptr<Model>(const Dataset&)>;
  struct Step {
    std::uint64_t rng = 0;  // key of the stream that dropout draws from
    double total = 0;       // what the loss is divided by
  };

  // `parts` are those of the team on this rank. So many threads compute at a time; the team outlives it.
  PartsWorker(PartTeam& team, std::vector<Part> parts, const MakeModel& make, std::vector<Real> class_weights,
              int threads);

  // Of these nodes. On rank 0: the sum of their losses, its gradient left in the model.
  double step(std::span<const Index> nodes, const Step& step);
  // On rank 0: log-probabilities in this order, for which there is room.
  void evaluate(std::span<const Index> nodes, Matrix& logp);

  Model& model() { return *seats_.front().model; }  // of the first part; what a rank without parts does not have
  bool has_parts() const { return !seats_.empty(); }
  // To be called after the parameters of model() have changed.
  void parameters_changed() { ++version_; }
  // Rows that came from other parts so far: of ghosts and, backward, of their gradients.
  std::int64_t rows_received() const;

 private:
  // Nodes of a list that a part owns: their rows, and their places in the list.
  struct Listed {
    std::vector<Index> rows;
    Places places;
  };
  struct Seat {
    Part part;
    std::unique_ptr<Model> model;
    Share share;
    Tape training, evaluation;
    Matrix logp;
    std::uint64_t version = 0;  // of its parameters

    Seat(Part&& cut, PartTeam& team, const MakeModel& make);
  };
  // A list as the parts see it, remembered as long as it stays the same.
  struct Lists {
    std::vector<Index> nodes;
    std::vector<Listed> by_part;
  };

  bool is_here(int part) const { return part >= team_.begin() && part < team_.end(); }
  Seat& seat(int part) { return seats_[static_cast<std::size_t>(part - team_.begin())]; }
  const Listed& listed(const Lists& lists, int part) const {
    return lists.by_part[static_cast<std::size_t>(part - team_.begin())];
  }
  void list(std::span<const Index> nodes, Lists& lists) const;
  void run(const std::function<void(int)>& body);
  void refresh(Seat& s);
  double train_part(int part, const Step& step);
  double add_up(int part, double loss);
  void hand_up(int part, int to, double loss);
  double take_in(int part, int from);
  void compute_answers(int part);
  void collect_answers(int part, Matrix& logp);

  PartTeam& team_;
  std::vector<Real> class_weights_;
  Pool pool_;  // for the kernels of a rank with a single part
  std::deque<Seat> seats_;
  std::vector<std::pair<int, Index>> owner_;  // of a node: the part of this rank, or -1, and its row there
  Lists training_, evaluation_;
  std::uint64_t version_ = 1;
};

// Rank 0's side.
class PartsStepper : public Stepper {
 public:
  // `labels` are those of the whole graph, which outlive it.
  PartsStepper(std::unique_ptr<PartTeam> team, std::unique_ptr<PartsWorker> worker, const std::vector<int>& labels,
               const StepOptions& options);
  const char* engine() const override { return "tape"; }
  double step(std::span<const Index> batch, const Rng& rng) override;
  const Matrix& log_probabilities(std::span<const Index> rows) override;
  void parameters_changed() override;
  Model& model() override { return worker_->model(); }
  Adam& adam() override { return adam_; }
  const PartsWorker& worker() const { return *worker_; }

 private:
  void order(std::span<const Index> nodes, std::vector<Index>& known, const std::optional<PartsWorker::Step>& step);

  std::unique_ptr<PartTeam> team_;
  std::unique_ptr<PartsWorker> worker_;
  const std::vector<int>& labels_;
  std::vector<Real> class_weights_;
  Adam adam_;
  std::vector<Index> trained_, evaluated_;  // the lists that the others know
  bool has_news_ = true;                    // parameters that the others do not know
  Matrix logp_;
};

// The side of the other ranks: makes the worker and does what rank 0's stepper asks for until the training is over.
void follow(PartTeam& team, const std::function<std::unique_ptr<PartsWorker>()>& make);

}  // namespace gcnh
