// Metrics of what was answered: how many nodes of each class, and how many of them rightly.
#include "gcnh/train/metric_functions.h"
#include "gcnh/train/stepper.h"

namespace gcnh {
namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

double num_right(const LabelledAnswers& a) {
  double sum = 0;
  for (const ClassCounts& c : a.classes) sum += c.right;
  return sum;
}

}  // namespace

LabelledAnswers::LabelledAnswers(const Matrix& log_probabilities, std::span<const int> its_labels)
    : logp(log_probabilities), labels(its_labels), classes(logp.cols()), answers(labels.size()), areas_(logp.cols()) {
  for (Index i = 0; i < logp.rows(); ++i) {
    const int answer = answers[i] = argmax(logp, i);
    ++classes[labels[i]].support;
    ++classes[answer].predicted;
    classes[answer].right += answer == labels[i];
  }
}

double precision(const ClassCounts& c) { return ratio(c.right, c.predicted); }
double recall(const ClassCounts& c) { return ratio(c.right, c.support); }
double f1(const ClassCounts& c) { return ratio(2 * c.right, c.support + c.predicted); }

double accuracy(const LabelledAnswers& a) { return num_right(a) / a.num_nodes(); }

// Mean recall of the classes that have nodes.
double balanced_accuracy(const LabelledAnswers& a) {
  double sum = 0, classes = 0;
  for (const ClassCounts& c : a.classes) {
    sum += recall(c);
    classes += c.support > 0;
  }
  return sum / classes;
}

// Mean F1 of the classes that have nodes or were predicted.
double macro_f1(const LabelledAnswers& a) {
  double sum = 0, classes = 0;
  for (const ClassCounts& c : a.classes) {
    sum += f1(c);
    classes += c.support + c.predicted > 0;
  }
  return sum / classes;
}

// (n c - s p) / sqrt((n^2 - p p) (n^2 - s s)), s and p the nodes and predictions by class, c the right ones; 0 where it
// would divide by 0.
double mcc(const LabelledAnswers& a) {
  const double n = a.num_nodes();
  double both = n * num_right(a), predicted = n * n, labelled = n * n;
  for (const ClassCounts& c : a.classes) {
    both -= c.support * c.predicted;
    predicted -= c.predicted * c.predicted;
    labelled -= c.support * c.support;
  }
  return predicted * labelled > 0 ? both / std::sqrt(predicted * labelled) : 0;
}

std::vector<std::vector<Index>> confusion(const Matrix& logp, std::span<const int> labels) {
  std::vector<std::vector<Index>> out(logp.cols(), std::vector<Index>(logp.cols()));
  for (Index i = 0; i < logp.rows(); ++i) ++out[labels[i]][argmax(logp, i)];
  return out;
}

}  // namespace gcnh
