// Labels that are no classes, too few of them, and classes that training does not meet.
#include "tests/check/check_tools.h"

namespace gcnh::testing {
namespace {

// Node u has label(u), one of so many classes with these names.
template <class Label, class Name>
Tables labelled(int num_classes, const Label& label, const Name& name) {
  Tables t = sane_tables();
  t.classes.clear();
  for (int k = 0; k < num_classes; ++k) t.classes.push_back(name(k));
  for (Index u = 0; u < kSaneNodes; ++u) t.labels[u] = label(u);
  return t;
}

std::string letter_name(int k) { return "k" + std::to_string(k); }

TEST(CheckLabels, MeasuresAreNoClasses) {
  const auto broken = [](int k) { return std::to_string(k) + ".5"; };
  expect_found(labelled(
                   200, [](Index u) { return u % 200; }, broken),
               "label-number", Severity::error, {"200 different numbers on 600 nodes", "'0.5'"});
  expect_fine(labelled(
                  5, [](Index u) { return u % 5; }, broken),
              "label-number");
  const auto whole = [](int k) { return std::to_string(1900 + k); };
  expect_found(labelled(
                   80, [](Index u) { return u % 80; }, whole),
               "label-number", Severity::error, {"80 different"});
  expect_fine(labelled(
                  20, [](Index u) { return u % 20; }, whole),
              "label-number");
}

TEST(CheckLabels, IdsAreNoClasses) {
  expect_found(labelled(
                   590, [](Index u) { return std::min(u, 589); }, letter_name),
               "label-id", Severity::error, {"590 different ones on 600 nodes", "'k0'"});
}

TEST(CheckLabels, FewLabels) {
  const auto three = [](Index u) { return u < 9 ? u % 3 : -1; };
  expect_found(labelled(3, three, letter_name), "few-labels", Severity::warning, {"9 of 600 nodes have a label"});
  expect_found(labelled(
                   1, [](Index) { return 0; }, letter_name),
               "few-labels", Severity::error, {"a single class"});
  expect_found(labelled(
                   0, [](Index) { return -1; }, letter_name),
               "few-labels", Severity::error, {"no node"});
}

TEST(CheckLabels, RareClassesAreMissingSomewhere) {
  const Tables t = labelled(
      3, [](Index u) { return u == 7 ? 2 : u % 2; }, letter_name);
  expect_found(t, "rare-class", Severity::warning, {"'k2' (1 node)"});
  expect_found(t, "class-missing", Severity::warning, {"of 10 training sets", "'k2'"});
  const Tables three = labelled(
      3, [](Index u) { return u < 3 ? 2 : u % 2; }, letter_name);
  expect_fine(three, "rare-class");
  expect_fine(three, "class-missing");
}

TEST(CheckLabels, WordsThatMeanNoLabelAndWordsThatDifferInCase) {
  const auto named = [](std::vector<std::string> names) {
    Tables t = labelled(
        static_cast<int>(names.size()), [n = static_cast<int>(names.size())](Index u) { return u % n; }, letter_name);
    t.classes = std::move(names);
    return t;
  };
  expect_fine(named({"no", "yes"}), "label-words");
  expect_found(named({"no", "Unknown", "yes"}), "label-words", Severity::warning, {"a class is called 'Unknown'"});
  expect_found(named({"Yes", "no", "yes"}), "label-words", Severity::warning, {"'Yes' and 'yes'", "case alone"});
}

TEST(CheckLabels, Imbalance) {
  expect_found(labelled(
                   2, [](Index u) { return u % 10 == 0 ? 1 : 0; }, letter_name),
               "imbalance", Severity::warning, {"'k0' has 90.0 %"});
  expect_found(labelled(
                   3, [](Index u) { return u % 4 == 0 ? 1 + u % 3 % 2 : 0; }, letter_name),
               "imbalance", Severity::warning, {"'k0' has 75.0 %"});
  expect_fine(labelled(
                  2, [](Index u) { return u % 5 < 2 ? 1 : 0; }, letter_name),
              "imbalance");
}

}  // namespace
}  // namespace gcnh::testing
