// Labels: are they classes, are there enough of them, and are all of them in the training sets?
#include <algorithm>
#include <cmath>
#include <map>

#include "gcnh/check/rules.h"
#include "gcnh/io/text.h"
#include "gcnh/run/metric_advice.h"

namespace gcnh {
namespace {

constexpr Offset kFewPerClass = 5;   // training nodes of a class, in the mean
constexpr Offset kInEverySet = 3;    // nodes that a class needs to be in all three sets
constexpr Offset kManyClasses = 20;  // measures have more values than that

Offset num_classes(const CheckInput& input) { return std::ssize(input.class_sizes); }

// Whether all class names are numbers: broken ones, or whole ones.
enum class Numbers { none, whole, broken };
Numbers numbers_in(const std::vector<std::string>& classes) {
  bool whole = true;
  for (const std::string& name : classes) {
    const auto number = parse_number<double>(name);
    if (!number) return Numbers::none;
    whole = whole && *number == std::floor(*number);
  }
  return whole ? Numbers::whole : Numbers::broken;
}

bool is_nearly_all_distinct(const CheckInput& input) {
  return num_classes(input) >= 10 && 2 * num_classes(input) > input.num_labelled;
}

bool is_measure(const CheckInput& input) {
  if (num_classes(input) < kManyClasses) return false;
  const Numbers numbers = numbers_in(input.tables.classes);
  return numbers == Numbers::broken || (numbers == Numbers::whole && num_classes(input) >= 50 &&
                                        num_classes(input) * 20 > input.num_labelled && !is_nearly_all_distinct(input));
}

std::vector<Remark> look_for_measures(const CheckInput& input) {
  if (!is_measure(input)) return in_order("the labels are names of classes");
  const auto& classes = input.tables.classes;
  return complain(
      join("the labels look like a measure: ", classes.size(), " different numbers on ",
           counted(input.num_labelled, "node"), ", such as ", quote(classes.front()), " and ", quote(classes.back())),
      "every number would be a class of its own, and 1.9 as far from 2.0 as from 7.5",
      "cut them into a few ranges first, or " + input.how_to_relabel());
}

std::vector<Remark> look_for_ids(const CheckInput& input) {
  if (!is_nearly_all_distinct(input) || is_measure(input)) return in_order("nodes share their labels with others");
  return complain(join("the labels look like ids: ", num_classes(input), " different ones on ",
                       counted(input.num_labelled, "node"), ", such as ", input.class_name(0)),
                  "what only one node is called cannot be learned from the others", input.how_to_relabel());
}

std::vector<Remark> look_for_few_labels(const CheckInput& input) {
  const Offset nodes = input.tables.num_nodes(), classes = num_classes(input);
  if (classes < 2)
    return complain(classes == 0 ? "no node has a label" : join("a single class, ", input.class_name(0)),
                    "there is nothing to tell apart", input.how_to_relabel());
  Offset train = input.num_labelled;
  for (const Split& split : input.splits) train = std::min(train, static_cast<Offset>(split.train.size()));
  const std::string some = join(input.num_labelled, " of ", counted(nodes, "node"), " have a label, ", classes,
                                " classes, ", train, " in the smallest training set");
  if (train >= kFewPerClass * classes) return in_order(some);
  return warn(some, join("below ", kFewPerClass, " training nodes per class a score is mostly luck"),
              "label more nodes, or merge classes");
}

std::vector<Remark> look_for_rare_classes(const CheckInput& input) {
  std::vector<std::string> rare;
  for (Index k = 0; k < num_classes(input); ++k)
    if (input.class_sizes[k] < kInEverySet)
      rare.push_back(join(input.class_name(k), " (", counted(input.class_sizes[k], "node"), ")"));
  if (rare.empty()) return in_order(join("every class has ", kInEverySet, " nodes or more"));
  return warn(join(plural(std::ssize(rare), "class"), " of one or two nodes: ", some_of(rare)),
              "too few to be trained on, validated and tested",
              rare.size() == 1 ? "merge it with another class, or leave its labels empty"
                               : "merge them with other classes, or leave their labels empty");
}

std::vector<Remark> look_for_missing_classes(const CheckInput& input) {
  std::vector<Offset> missing_in(num_classes(input));
  Offset affected = 0;
  for (const Split& split : input.splits) {
    std::vector<bool> seen(num_classes(input));
    for (Index k = 0; k < num_classes(input); ++k) seen[k] = input.class_sizes[k] == 0;
    for (Index node : split.train) seen[input.tables.labels[node]] = true;
    for (Index k = 0; k < num_classes(input); ++k) missing_in[k] += !seen[k];
    affected += std::find(seen.begin(), seen.end(), false) != seen.end();
  }
  std::vector<std::string> names;
  for (Index k = 0; k < num_classes(input); ++k)
    if (missing_in[k] > 0) names.push_back(join(input.class_name(k), " (in ", missing_in[k], ")"));
  if (names.empty()) return in_order("every class is in every training set");
  return warn(
      join(affected, " of ", counted(std::ssize(input.splits), "training set"), " lack a class: ", some_of(names)),
      "its nodes can only be wrong there", "merge the class with another one, or use other splits");
}

std::vector<Remark> look_at_words(const CheckInput& input) {
  std::vector<Remark> out;
  std::vector<std::string> none, alike;
  std::map<std::string, std::string> first;
  for (Index k = 0; k < num_classes(input); ++k) {
    const std::string name = input.tables.classes[k], word = lower(name);
    for (const char* no : {"unknown", "?", "missing", "none", "-", "-1", "n.a.", "na", "unlabelled", "unlabeled"})
      if (word == no) none.push_back(join(input.class_name(k), " (", counted(input.class_sizes[k], "node"), ")"));
    const auto [at, is_new] = first.try_emplace(word, name);
    if (!is_new) alike.push_back(join(quote(at->second), " and ", quote(name)));
  }
  if (!none.empty())
    out.push_back(warn(join("a class is called ", some_of(none)), "nodes without a label would be a class of their own",
                       "`missing_label` names such words, unless it is a class")[0]);
  if (!alike.empty())
    out.push_back(warn(join("classes that differ in case alone: ", some_of(alike)), "they count as different classes",
                       "write them in one way")[0]);
  return out.empty() ? in_order("every class has a name of its own") : out;
}

std::vector<Remark> look_for_imbalance(const CheckInput& input) {
  if (num_classes(input) < 2) return {};
  const auto largest = std::max_element(input.class_sizes.begin(), input.class_sizes.end());
  const std::string name = input.class_name(static_cast<Index>(largest - input.class_sizes.begin()));
  const double share = share_of(static_cast<double>(*largest), static_cast<double>(input.num_labelled));
  const auto advice = advise_metric(input.class_sizes);
  if (!advice) return in_order(join("the largest class, ", name, ", has ", in_percent(share), " of the labels"));
  return warn(join("class ", name, " has ", in_percent(share), " of the labels"), advice->why,
              join("choose by `metric` ", advice->metrics, ", and look at each class in the report"));
}

}  // namespace

std::vector<Rule> label_rules() {
  return {
      {"label-number", "labels that are measures: many numbers instead of a few classes", look_for_measures,
       Rule::When::always},
      {"label-id", "labels that are nearly all different, as ids are", look_for_ids, Rule::When::always},
      {"few-labels", "too few labelled nodes for the number of classes", look_for_few_labels, Rule::When::always},
      {"rare-class", "classes of one or two nodes, which cannot be in every set", look_for_rare_classes,
       Rule::When::always},
      {"label-words", "classes whose names mean no label, or differ in case alone", look_at_words, Rule::When::always},
      {"class-missing", "classes that a training set lacks", look_for_missing_classes},
      {"imbalance", "one class that has more than 60 % of the labels", look_for_imbalance},
  };
}

}  // namespace gcnh
