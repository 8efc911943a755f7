// The fields of what ranks send each other, for gcnh/comm/wire.h: an experiment without its dataset, the dataset by
// itself, checkpoints and outcomes. What only people read, and what is read from files when asked for, stays behind.
// Bindings name every field, so that a new one does not compile until somebody has decided whether it travels.
#pragma once

#include <memory>
#include <vector>

#include "gcnh/comm/wire.h"
#include "gcnh/graph/part.h"
#include "gcnh/run/checkpoint.h"
#include "gcnh/run/experiment.h"
#include "gcnh/run/outcome.h"

namespace gcnh {

void visit_fields(auto& f, NumberForm& n) {
  auto& [before, after, point, group, has_multiples] = n;
  f(before, after, point, group, has_multiples);
}
void visit_fields(auto& f, ColumnSpec& s) {
  auto& [name, kind, separator, buckets, missing, point, form, order] = s;
  f(name, kind, separator, buckets, missing, point, form, order);
}
void visit_fields(auto& f, Column& c) {
  auto& [spec, why, is_guess, has_unclear_marks, numbers, values, items] = c;
  f(spec, why, is_guess, has_unclear_marks, numbers, values, items);
}
void visit_fields(auto& f, Split& s) {
  auto& [train, val, test] = s;
  f(train, val, test);
}
void visit_fields(auto& f, Derived& d) {
  auto& [name, source, matrices] = d;
  f(name, source, matrices);
}
void visit_fields(auto& f, MatrixSums& s) {
  auto& [rows, columns] = s;
  f(rows, columns);
}
void visit_fields(auto& f, Features& x) {
  bool is_sparse = x.is_sparse();
  f(is_sparse);
  if (is_sparse != x.is_sparse()) x = is_sparse ? Features(Csr()) : Features(Matrix());
  is_sparse ? f(x.sparse()) : f(x.dense());
}
void visit_fields(auto& f, std::shared_ptr<const std::vector<Column>>& columns) {
  bool is_there = columns != nullptr;
  f(is_there);
  if (!is_there) return columns.reset();
  if (!columns) columns = std::make_shared<std::vector<Column>>();
  f(const_cast<std::vector<Column>&>(*columns));  // written to where it was just made
}
void visit_fields(auto& f, Dataset& d) {
  auto& [name, adjacency, weighted, pointing_to, whole_sums, features, labels, classes, ids, feature_names, columns,
         splits, published, derived, num_edges, num_one_way, num_self_loops, form] = d;
  f(name, adjacency, weighted, pointing_to, whole_sums, features, labels, classes, ids, feature_names, columns, splits,
    derived, num_edges, num_one_way, num_self_loops, form);
}

void visit_fields(auto& f, Part::Neighbour& n) {
  auto& [part, lent, begin, end] = n;
  f(part, lent, begin, end);
}
void visit_fields(auto& f, Part& p) {
  auto& [number, count, dataset, num_own, ids, neighbours, feature_entries, looped_entries] = p;
  f(number, count, dataset, num_own, ids, neighbours, feature_entries, looped_entries);
}

// Options by the texts that recipes and model files have of them.
template <class Options>
void visit_options(auto& f, Options& options) {
  OptionValues values = to_values(options);
  f(values);
  assign(options, values);
}
void visit_fields(auto& f, Scaling& s) {
  auto& [kind, mean, deviation] = s;
  f(kind, mean, deviation);
}
void visit_fields(auto& f, Aims& a) {
  auto& [level, costs, metric] = a;
  f(level, costs, metric);
}
void visit_fields(auto& f, Experiment& e) {
  auto& [dataset, hash, view_name, view, scaling, model, model_options, train, engine, seed, threads, parts,
         part_of_node, splits, aims, is_trained, read_test, remarks] = e;
  f(hash, view_name, scaling, model, model_options, engine, seed, threads, parts, splits, aims, is_trained, read_test);
  visit_options(f, view);
  visit_options(f, train);
}

void visit_fields(auto& f, Score& s) {
  auto& [loss, accuracy, metric] = s;
  f(loss, accuracy, metric);
}
void visit_fields(auto& f, EpochRecord& r) {
  auto& [train_loss, val_loss, val_accuracy, val_metric, readings] = r;
  f(train_loss, val_loss, val_accuracy, val_metric, readings);
}
void visit_fields(auto& f, TrainState& s) {
  auto& [history, best_epoch, best, best_parameters, seconds, diverged] = s;
  f(history, best_epoch, best, best_parameters, seconds, diverged);
}
void visit_fields(auto& f, Measures& m) {
  for (Metric metric : all_metrics()) f(m[metric]);
}
void visit_fields(auto& f, ClassMeasures& c) {
  auto& [support, predicted, precision, recall, f1, roc_auc] = c;
  f(support, predicted, precision, recall, f1, roc_auc);
}
void visit_fields(auto& f, DecisionScores& s) {
  auto& [temperature, ece_before, ece_after, level, coverage, set_size, aim, before, after, class_coverage] = s;
  f(temperature, ece_before, ece_after, level, coverage, set_size, aim, before, after, class_coverage);
}
void visit_fields(auto& f, Checkpoint::Finished& c) {
  auto& [test_accuracy, val, test, test_classes, decision, readings] = c;
  f(test_accuracy, val, test, test_classes, decision, readings);
}
void visit_fields(auto& f, Checkpoint& c) {
  auto& [state, engine, finished, parameters, moments, steps] = c;
  f(state, engine, finished, parameters, moments, steps);
}
void visit_fields(auto& f, BestEpoch& b) {
  auto& [epoch, score] = b;
  f(epoch, score);
}
void visit_fields(auto& f, EpochMark& m) {
  auto& [epochs, best] = m;
  f(epochs, best);
}
void visit_fields(auto& f, SplitOutcome& o) {
  auto& [split, epochs, best, metric, test_accuracy, val, test, readings, marks, parameters, seconds, engine, decision,
         test_classes, history, weights] = o;
  f(split, epochs, best, metric, test_accuracy, val, test, readings, marks, parameters, seconds, engine, decision,
    test_classes, history, weights);
}

}  // namespace gcnh
