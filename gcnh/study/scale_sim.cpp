#include "gcnh/study/scale_sim.h"

#include <algorithm>
#include <bit>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "gcnh/graph/part.h"
#include "gcnh/graph/partition.h"
#include "gcnh/models/model.h"
#include "gcnh/train/make_stepper.h"

namespace gcnh::study {
namespace {

using json = nlohmann::ordered_json;

constexpr double kBytesPerNumber = 4;
constexpr std::uint64_t kSimSeed = 1;

OptionValues gcnh_options(const ScaleOptions& o) {
  return {{"layers", std::to_string(o.layers)}, {"hidden", std::to_string(o.hidden)}};
}

// Of this thread alone: other programs on the machine are not part of the work.
double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Seconds of a step on the tape.
double time_steps(const Dataset& d, std::span<const Index> batch, const ScaleOptions& o, std::size_t& parameters) {
  const std::unique_ptr<Model> model = find_model_type("gcnh").make(d, gcnh_options(o), Rng(kSimSeed));
  parameters = model->num_parameters();
  TapeStepper stepper(*model, 0.01, 0);
  std::vector<double> seconds;
  for (int i = 0; i <= o.steps; ++i) {
    const double begin = cpu_seconds();
    stepper.step(batch, Rng(kSimSeed).fork(static_cast<std::uint64_t>(i)));
    if (i > 0) seconds.push_back(cpu_seconds() - begin);
  }
  const auto middle = seconds.begin() + std::ssize(seconds) / 2;
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

// One part by itself, cut off from all others as if these were one.
Part cut_one(const Dataset& d, std::span<const int> part_of, int part) {
  std::vector<int> side(part_of.size());
  std::transform(part_of.begin(), part_of.end(), side.begin(), [&](int p) { return p == part ? 0 : 1; });
  return std::move(cut(d, side, 2).front());
}

double time_part(const Dataset& d, std::span<const int> part_of, int number, const ScaleOptions& o) {
  Part part = cut_one(d, part_of, number);
  std::vector<Index> batch;
  for (Index row = 0; row < part.num_own; ++row)
    if (std::binary_search(d.splits.front().train.begin(), d.splits.front().train.end(), part.ids[row]))
      batch.push_back(row);
  if (part.num_own == 0) return 0;
  if (batch.empty()) {  // it has all the work but for the loss
    batch.push_back(0);
    part.dataset.labels[0] = 0;
  }
  std::size_t parameters = 0;
  return time_steps(part.dataset, batch, o, parameters);
}

// The parts with the most stored entries, features of ghosts included.
std::vector<int> busiest_parts(const Dataset& d, std::span<const PartSize> sizes, int count) {
  const double features = static_cast<double>(d.features.nonzeros()) / std::max<Index>(1, d.num_nodes());
  const auto work = [&](int p) { return static_cast<double>(sizes[p].entries) + features * sizes[p].ghosts; };
  std::vector<int> out(sizes.size());
  std::iota(out.begin(), out.end(), 0);
  std::stable_sort(out.begin(), out.end(), [&](int a, int b) { return work(a) > work(b); });
  out.resize(std::min(out.size(), static_cast<std::size_t>(count)));
  return out;
}

ScalePoint point_of(const Dataset& d, const Loads& loads, int parts, std::size_t parameters, const ScaleOptions& o) {
  const std::vector<int> part_of = partition(d.adjacency, loads, parts);
  const std::vector<PartSize> sizes = measure_parts(d.adjacency, loads, part_of, parts);
  double compute = 0;
  for (const int p : busiest_parts(d, sizes, o.timed_parts)) compute = std::max(compute, time_part(d, part_of, p, o));
  return price(sizes, compute, parameters, o);
}

}  // namespace

ScalePoint price(std::span<const PartSize> sizes, double compute, std::size_t parameters, const ScaleOptions& o) {
  const double alpha = 1e-6 * o.alpha, beta = 1e9 * o.beta;
  ScalePoint out;
  out.parts = static_cast<int>(sizes.size());
  out.halo_rows = halo_rows(sizes);
  out.imbalance = imbalance(sizes, &PartSize::entries);
  Offset nodes = 0;
  double exchange = 0;
  for (const PartSize& p : sizes) {
    nodes += p.nodes;
    out.largest_part = std::max(out.largest_part, p.nodes);
    out.most_ghosts = std::max(out.most_ghosts, p.ghosts);
    out.most_lenders = std::max(out.most_lenders, p.lenders);
    const double bytes = static_cast<double>(std::max<Offset>(p.ghosts, p.lent)) * o.hidden * kBytesPerNumber;
    exchange = std::max(exchange, p.lenders * alpha + bytes / beta);
  }
  out.halo_per_node = static_cast<double>(out.halo_rows) / static_cast<double>(std::max<Offset>(1, nodes));
  const auto levels = static_cast<int>(std::bit_width(sizes.size() - 1));  // ceil(log2 P)
  out.compute = compute;
  out.halo = 2 * (o.layers - 1) * exchange;
  out.sum = 2 * levels * (alpha + static_cast<double>(parameters) * kBytesPerNumber / beta);
  out.step = out.compute + (1 - o.overlap) * out.halo + out.sum;
  return out;
}

ScaleForecast forecast_scale(const Dataset& d, const ScaleOptions& o, std::vector<int> parts_list,
                             const std::function<void(const ScalePoint&)>& told) {
  check_ranges(o);
  const Loads loads = loads_of(d);
  ScaleForecast out;
  const double alone = time_steps(d, d.splits.front().train, o, out.parameters);
  const std::vector<int> one_part(static_cast<std::size_t>(d.num_nodes()));
  out.points.push_back(price(measure_parts(d.adjacency, loads, one_part, 1), alone, out.parameters, o));
  if (told) told(out.points.front());
  for (const int parts : parts_list) {
    if (parts == 1) continue;
    ScalePoint point = point_of(d, loads, parts, out.parameters, o);
    point.speedup = alone / point.step;
    point.efficiency = point.speedup / parts;
    if (told) told(point);
    out.points.push_back(point);
  }
  return out;
}

std::string scale_json(const Dataset& d, const ScaleOptions& o, const ScaleForecast& forecast) {
  json out = {
      {"name", d.name},          {"nodes", d.num_nodes()}, {"entries", d.adjacency.nnz()},      {"model", "gcnh"},
      {"layers", o.layers},      {"hidden", o.hidden},     {"parameters", forecast.parameters}, {"alpha_us", o.alpha},
      {"beta_gb_per_s", o.beta}, {"overlap", o.overlap},   {"timed_parts", o.timed_parts},      {"steps", o.steps},
      {"points", json::array()}};
  for (const ScalePoint& p : forecast.points)
    out["points"].push_back({{"parts", p.parts},
                             {"halo_rows", p.halo_rows},
                             {"halo_per_node", p.halo_per_node},
                             {"largest_part", p.largest_part},
                             {"most_ghosts", p.most_ghosts},
                             {"most_lenders", p.most_lenders},
                             {"imbalance", p.imbalance},
                             {"compute_seconds", p.compute},
                             {"halo_seconds", p.halo},
                             {"sum_seconds", p.sum},
                             {"step_seconds", p.step},
                             {"speedup", p.speedup},
                             {"efficiency", p.efficiency}});
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace gcnh::study
