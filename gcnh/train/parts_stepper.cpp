#include "gcnh/train/parts_stepper.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "gcnh/base/denormals.h"
#include "gcnh/base/error.h"
#include "gcnh/comm/wire.h"
#include "gcnh/kernels/kernels.h"
#include "gcnh/kernels/weighted_loss.h"

namespace gcnh {

void visit_fields(auto& f, PartsWorker::Step& s) {
  auto& [rng, total] = s;
  f(rng, total);
}

namespace {

// What rank 0 asks of the others.
struct Order {
  std::optional<std::vector<Index>> nodes;  // absent: those of the last order of this kind
  std::optional<PartsWorker::Step> step;    // absent: an evaluation
  std::optional<std::vector<Matrix>> parameters;
};

void visit_fields(auto& f, Order& o) {
  auto& [nodes, step, parameters] = o;
  f(nodes, step, parameters);
}

bool are_same(std::span<const Index> a, const std::vector<Index>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// to[places[i]] = from[i]
void put_rows(const Matrix& from, const Places& places, Matrix& to) {
  for (Index i = 0; i < from.rows(); ++i)
    std::copy_n(from.row(i), from.cols(), to.row(static_cast<Index>(places[static_cast<std::size_t>(i)])));
}

template <class... T>
std::string packed(const T&... fields) {
  WireWriter write;
  write(fields...);
  return write.take();
}

}  // namespace

PartsWorker::Seat::Seat(Part&& cut, PartTeam& team, const MakeModel& make)
    : part(std::move(cut)), model(make(part.dataset)), share(part, team) {
  training.set_share(&share);
  evaluation.set_share(&share);
}

PartsWorker::PartsWorker(PartTeam& team, std::vector<Part> parts, const MakeModel& make,
                         std::vector<Real> class_weights, int threads)
    : team_(team), class_weights_(std::move(class_weights)), pool_(parts.size() == 1 ? threads : 1) {
  for (Part& part : parts) {
    Seat& s = seats_.emplace_back(std::move(part), team, make);
    for (Index i = 0; i < s.part.num_own; ++i) {
      const auto node = static_cast<std::size_t>(s.part.ids[i]);
      if (node >= owner_.size()) owner_.resize(node + 1, {-1, 0});
      owner_[node] = {s.part.number, i};
    }
  }
  for (Lists* lists : {&training_, &evaluation_}) lists->by_part.resize(seats_.size());
}

std::int64_t PartsWorker::rows_received() const {
  std::int64_t sum = 0;
  for (const Seat& s : seats_) sum += s.share.rows_received();
  return sum;
}

void PartsWorker::list(std::span<const Index> nodes, Lists& lists) const {
  if (are_same(nodes, lists.nodes)) return;
  lists.nodes.assign(nodes.begin(), nodes.end());
  for (Listed& l : lists.by_part) l = {};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (std::cmp_greater_equal(nodes[i], owner_.size())) continue;
    const auto [part, row] = owner_[static_cast<std::size_t>(nodes[i])];
    if (part < 0) continue;
    Listed& own = lists.by_part[static_cast<std::size_t>(part - team_.begin())];
    own.rows.push_back(row);
    own.places.push_back(static_cast<Offset>(i));
  }
}

void PartsWorker::run(const std::function<void(int)>& body) {
  const PoolScope scope(seats_.size() == 1 ? &pool_ : nullptr);
  team_.run([&](int part) {
    const FlushDenormals flush;
    refresh(seat(part));
    body(part);
  });
}

// The first part's parameters are those of all.
void PartsWorker::refresh(Seat& s) {
  if (s.version == version_) return;
  s.version = version_;
  if (s.model.get() == &model()) return;
  auto from = model().params().begin();
  for (Param& p : s.model->params()) p.value = (from++)->value;
}

double PartsWorker::step(std::span<const Index> nodes, const Step& step) {
  list(nodes, training_);
  double loss = 0;
  run([&](int part) {
    const double own = train_part(part, step), sum = add_up(part, own);
    if (part == 0) loss = sum;
  });
  return loss;
}

double PartsWorker::train_part(int part, const Step& step) {
  Seat& s = seat(part);
  const Listed& own = listed(training_, part);
  s.share.set_listed(own.places);
  s.training.start_training(Rng(step.rng));
  const Var logits = s.model->forward(s.training, own.rows);
  std::vector<int> labels;
  for (Index row : own.rows) labels.push_back(s.part.dataset.labels[row]);
  const double loss = softmax_nll_share(s.training, logits, labels, class_weights_, step.total);
  s.training.backward();
  return loss;
}

// Part p with lowest bit b hands what it has to part p - b, after it has taken in what p + 1, p + 2, ... below p + b
// have.
double PartsWorker::add_up(int part, double loss) {
  for (int bit = 1; bit < team_.parts(); bit *= 2) {
    if (part & bit) {
      hand_up(part, part - bit, loss);
      return loss;
    }
    if (part + bit < team_.parts()) loss += take_in(part, part + bit);
  }
  return loss;
}

// What is on this rank is taken from where it is.
void PartsWorker::hand_up(int part, int to, double loss) {
  WireWriter write;
  write(loss);
  if (!is_here(to)) {
    for (Param& p : seat(part).model->params()) {
      write(p.grad);
      p.grad.fill(0);
    }
  }
  team_.send(part, to, write.take());
}

double PartsWorker::take_in(int part, int from) {
  const std::string bytes = team_.receive(from, part);
  WireReader read(bytes);
  const auto loss = read.take<double>();
  std::deque<Param>& sums = seat(part).model->params();
  if (!is_here(from)) {
    for (Param& p : sums) kernels::add(read.take<Matrix>(), p.grad);
    return loss;
  }
  auto other = seat(from).model->params().begin();
  for (Param& p : sums) {
    kernels::add(other->grad, p.grad);
    (other++)->grad.fill(0);
  }
  return loss;
}

void PartsWorker::evaluate(std::span<const Index> nodes, Matrix& logp) {
  list(nodes, evaluation_);
  run([&](int part) {
    compute_answers(part);
    if (team_.rank() == 0) return collect_answers(part, logp);
    team_.send(part, 0, packed(listed(evaluation_, part).places, seat(part).logp));
  });
}

void PartsWorker::compute_answers(int part) {
  Seat& s = seat(part);
  const Listed& own = listed(evaluation_, part);
  s.share.set_listed(own.places);
  s.evaluation.start_evaluation();
  const Var logits = s.model->forward(s.evaluation, own.rows);
  s.logp.resize(logits->rows(), logits->cols());
  kernels::log_softmax(logits->value, s.logp);
}

// Every part of rank 0 puts its rows where they belong; part 0 does so for those of other ranks.
void PartsWorker::collect_answers(int part, Matrix& logp) {
  put_rows(seat(part).logp, listed(evaluation_, part).places, logp);
  for (int other = team_.end(); part == 0 && other < team_.parts(); ++other) {
    const std::string bytes = team_.receive(other, 0);
    WireReader read(bytes);
    const auto places = read.take<Places>();
    put_rows(read.take<Matrix>(), places, logp);
  }
}

PartsStepper::PartsStepper(std::unique_ptr<PartTeam> team, std::unique_ptr<PartsWorker> worker,
                           const std::vector<int>& labels, const StepOptions& options)
    : team_(std::move(team)),
      worker_(std::move(worker)),
      labels_(labels),
      class_weights_(options.class_weights),
      adam_(worker_->model().params(), options.lr, options.weight_decay) {}

double PartsStepper::step(std::span<const Index> batch, const Rng& rng) {
  const FlushDenormals flush;
  const double total = kernels::weight_sum(labels_of(labels_, batch), class_weights_);
  const PartsWorker::Step step{rng.key(), total};
  order(batch, trained_, step);
  const double loss = worker_->step(batch, step);
  adam_.next_step();
  adam_.update_all();
  parameters_changed();
  return static_cast<double>(static_cast<Real>(loss / total));
}

const Matrix& PartsStepper::log_probabilities(std::span<const Index> rows) {
  order(rows, evaluated_, {});
  logp_.resize(static_cast<Index>(rows.size()), model().dataset().num_classes());
  worker_->evaluate(rows, logp_);
  return logp_;
}

void PartsStepper::parameters_changed() {
  worker_->parameters_changed();
  has_news_ = true;
}

void PartsStepper::order(std::span<const Index> nodes, std::vector<Index>& known,
                         const std::optional<PartsWorker::Step>& step) {
  if (team_->ranks() == 1) return;
  Order out{{}, step, {}};
  if (!are_same(nodes, known)) {
    known.assign(nodes.begin(), nodes.end());
    out.nodes = known;
  }
  if (std::exchange(has_news_, false)) {
    std::vector<Matrix>& values = out.parameters.emplace();
    for (const Param& p : model().params()) values.push_back(p.value);
  }
  team_->order(packed(out));
}

namespace {

void set_values(Model& model, const std::vector<Matrix>& values) {
  require(values.size() == model.params().size(), "rank 0 has sent ", values.size(), " parameters for ",
          model.params().size());
  auto from = values.begin();
  for (Param& p : model.params()) p.value = *from++;
}

void obey(const std::string& bytes, PartsWorker& worker, std::vector<Index>& trained, std::vector<Index>& evaluated) {
  WireReader read(bytes);
  auto order = read.take<Order>();
  std::vector<Index>& nodes = order.step ? trained : evaluated;
  if (order.nodes) nodes = std::move(*order.nodes);
  if (!worker.has_parts()) return;
  if (order.parameters) {
    set_values(worker.model(), *order.parameters);
    worker.parameters_changed();
  }
  Matrix none;
  order.step ? void(worker.step(nodes, *order.step)) : worker.evaluate(nodes, none);
}

}  // namespace

void follow(PartTeam& team, const std::function<std::unique_ptr<PartsWorker>()>& make) {
  try {
    const std::unique_ptr<PartsWorker> worker = make();
    std::vector<Index> trained, evaluated;
    while (const std::optional<std::string> bytes = team.next_order()) obey(*bytes, *worker, trained, evaluated);
  } catch (...) {
    team.report(std::current_exception());
    while (team.next_order()) {
    }
  }
}

}  // namespace gcnh
