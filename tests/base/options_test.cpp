// Options travel as text and come back the same; wrong text is refused with a message that helps.
#include "gcnh/base/options.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gcnh::testing {
namespace {

enum class Joining { sum, mean, first_max };
Words words_of(Joining) { return {{"sum"}, {"mean", "of each column"}, {"first-max"}}; }
enum class Found { by_size, never };
Words words_of(Found) { return {{"auto", "by size"}, {"never"}}; }

struct SampleOptions {
  int layers = 2;
  double rate = 0.1;
  bool shared = false;
  std::string title = "any";
  Joining joining = Joining::sum;
  NumberOr<int, Found> batch = Found::by_size;
  NumberOr<double, Found> weight = 0.5;

  void visit(auto&& f) {
    f("layers", layers, "how many", at_least(1));
    f("rate", rate, "how fast");
    f("shared", shared, "one for all");
    f("title", title, "what above it");
    f("joining", joining, "which one");
    f("batch", batch, "", at_least(1));
    f("own_weight", weight, "how much", within(0, 1));
  }
};

// The message of the usage error that the call throws.
template <class Call>
std::string usage_error(const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Status::usage);
    return e.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(Options, DescribeListsNamesValuesAndHelpInOrder) {
  std::vector<std::string> lines;
  for (const OptionInfo& info : describe<SampleOptions>())
    lines.push_back(info.name + "=" + info.value + " " + info.help);
  EXPECT_EQ(lines, (std::vector<std::string>{"layers=2 how many, at least 1", "rate=0.1 how fast",
                                             "shared=false one for all", "title=any what above it",
                                             "joining=sum which one: sum | mean (of each column) | first-max",
                                             "batch=auto auto (by size) | never | a number, at least 1",
                                             "own_weight=0.5 how much: auto (by size) | never | a number, 0..1"}));
}

TEST(Options, DescribeTellsWordsAndRanges) {
  const std::vector<OptionInfo> info = describe<SampleOptions>();
  const auto words = [&](std::size_t i) { return list_words(texts_of(info[i].words)); };
  EXPECT_EQ(words(0) + words(1) + words(3), "");
  EXPECT_EQ(words(2), "true false");
  EXPECT_EQ(words(4), "sum mean first-max");
  EXPECT_EQ(words(5), "auto never");
  EXPECT_EQ(info[0].range.text(), "at least 1");
  EXPECT_EQ(info[1].range.text(), "");
  EXPECT_EQ(info[5].range.text(), "at least 1");
  EXPECT_EQ(info[6].range.most, 1);
}

TEST(Options, RoundTripThroughText) {
  const SampleOptions set{7, 1.0 / 3, true, "two words", Joining::first_max, 32, Found::never};
  SampleOptions read;
  assign(read, to_values(set));
  EXPECT_EQ(read.layers, set.layers);
  EXPECT_EQ(read.rate, set.rate);
  EXPECT_EQ(read.shared, set.shared);
  EXPECT_EQ(read.title, set.title);
  EXPECT_EQ(read.joining, Joining::first_max);
  EXPECT_EQ(read.batch.number(), 32);
  EXPECT_TRUE(read.weight == Found::never);
  EXPECT_FALSE(read.batch == Found::by_size) << "a number is no word";
  EXPECT_EQ(to_values(read), to_values(set));
  assign(read, {{"batch", "auto"}});
  EXPECT_TRUE(read.batch == Found::by_size);
  EXPECT_EQ(to_values(read).at("joining"), "first-max");
}

TEST(Options, AssignRefusesWhatAFieldDoesNotTake) {
  SampleOptions options;
  const auto refused = [&](const char* name, const char* text) {
    return usage_error([&] { assign(options, {{name, text}}); });
  };
  EXPECT_EQ(refused("layers", "0"), "layers: 0 is below 1");
  EXPECT_EQ(refused("layers", "two"), "layers: 'two' is not a whole number");
  EXPECT_EQ(refused("joining", "maen"),
            "joining: unknown value 'maen'; allowed: sum mean first-max; did you mean 'mean'?");
  EXPECT_EQ(refused("joining", ""), "joining: unknown value ''; allowed: sum mean first-max");
  EXPECT_EQ(refused("batch", "-3"), "batch: -3 is below 1");
  EXPECT_EQ(refused("batch", "1.5"), "batch: '1.5' is neither a whole number nor one of: auto never");
  EXPECT_EQ(refused("own_weight", "2"), "own_weight: 2 is outside 0..1");
  EXPECT_EQ(refused("own_weight", "nevr"),
            "own_weight: 'nevr' is neither a number nor one of: auto never; did you mean 'never'?");
  EXPECT_EQ(refused("own_weight", "nan"), "own_weight: 'nan' is neither a number nor one of: auto never");
  EXPECT_EQ(to_values(options), to_values(SampleOptions())) << "what is refused changes nothing";
}

TEST(Options, RangesHoldForFieldsSetWithoutText) {
  SampleOptions options;
  EXPECT_NO_THROW(check_ranges(options));
  options.weight = -0.5;
  EXPECT_EQ(usage_error([&] { check_ranges(options); }), "own_weight: -0.5 is outside 0..1");
  options.weight = Found::never;
  EXPECT_NO_THROW(check_ranges(options));
}

TEST(Options, AssignSetsOnlyWhatIsNamedAndItsOwn) {
  SampleOptions options;
  assign(options, {{"rate", "5e-3"}, {"of_another_part", "x"}});
  EXPECT_EQ(options.rate, 5e-3);
  EXPECT_EQ(options.layers, 2);
  EXPECT_EQ(options.title, "any");
}

TEST(Options, NumbersReadBackTheSame) {
  for (double value : {0.0, 0.1, 5e-3, 1e-8, 1.0 / 3, -2.5, 1e300, 5e-324, 123456789.0}) {
    double read = 0;
    parse_text("x", to_text(value), read);
    EXPECT_EQ(read, value) << to_text(value);
  }
  EXPECT_EQ(to_text(0.005), "0.005");
  EXPECT_EQ(to_text(300), "300");
  EXPECT_EQ(to_text(100000), "100000");  // an int must be able to read it
}

TEST(Options, NamesMayBeWrittenAsFlags) {
  EXPECT_EQ(option_name("weight-decay"), "weight_decay");
  EXPECT_EQ(option_name("weight_decay"), "weight_decay");
  SampleOptions options;
  assign(options, {{"own-weight", "0.25"}});
  EXPECT_EQ(options.weight.number(), 0.25);
  OptionValues values = {{"weight_decay", "1"}};
  values["weight-decay"] = "2";
  EXPECT_EQ(values, (OptionValues{{"weight_decay", "2"}})) << "one option";
}

TEST(Words, CountsOfOneAreSingular) {
  EXPECT_EQ(counted(1, "split"), "1 split");
  EXPECT_EQ(counted(0, "split"), "0 splits");
  EXPECT_EQ(counted(1, "class"), "1 class");
  EXPECT_EQ(counted(2, "class"), "2 classes");
  EXPECT_EQ(counted(34, "entry"), "34 entries");
  EXPECT_EQ(plural(2, "edge line"), "edge lines");
}

TEST(Options, WrongTextIsRefused) {
  int whole = 0;
  double number = 0;
  bool flag = false;
  for (const char* text : {"", " 1", "1 ", "1.5", "1e3", "x", "+1", "99999999999", "0x10"})
    EXPECT_EQ(usage_error([&] { parse_text("n", text, whole); }),
              std::string("n: '") + text + "' is not a whole number");
  for (const char* text : {"", "1,5", "x", "1.5x", "nan", "inf", "-inf", "1e999"})
    EXPECT_EQ(usage_error([&] { parse_text("n", text, number); }), std::string("n: '") + text + "' is not a number");
  for (const char* text : {"", "1", "yes", "True"})
    EXPECT_NE(usage_error([&] { parse_text("n", text, flag); }).find("allowed: true false"), std::string::npos);
  EXPECT_EQ(whole, 0);
  EXPECT_EQ(flag, false);
}

TEST(Options, AllowedWordsAreListedAndTheNearestSuggested) {
  const std::vector<std::string> allowed = {"sum", "mean", "max"};
  EXPECT_NO_THROW(require_one_of("aggregation", "max", allowed));
  EXPECT_EQ(usage_error([&] { require_one_of("aggregation", "maen", allowed); }),
            "aggregation: unknown value 'maen'; allowed: sum mean max; did you mean 'mean'?");
}

TEST(Options, Ranges) {
  const auto refused = [](const Range& range, double value) { return usage_error([&] { range.check("x", value); }); };
  EXPECT_NO_THROW(at_least(1).check("x", 1));
  EXPECT_EQ(refused(at_least(1), 0), "x: 0 is below 1");
  EXPECT_EQ(refused(at_least(0, "0 tries all"), -1), "x: -1 is below 0; 0 tries all");
  EXPECT_EQ(refused(above(0), 0), "x: 0 is not above 0");
  EXPECT_EQ(refused(above(0), std::nan("")), "x: nan is not above 0");
  EXPECT_NO_THROW(within(0, 1).check("x", 1));
  EXPECT_EQ(refused(within(1, 5), 4096), "x: 4096 is outside 1..5");
  EXPECT_NO_THROW(share().check("x", 0));
  EXPECT_NO_THROW(share().check("x", 0.999));
  EXPECT_EQ(refused(share(), 1), "x: 1 is outside 0..1 (1 excluded)");
  EXPECT_EQ(refused(share(), -0.1), "x: -0.1 is outside 0..1 (1 excluded)");
  EXPECT_EQ(at_least(0, "0 tries all").text(), "at least 0; 0 tries all");
  EXPECT_EQ(above(0).text(), "above 0");
  EXPECT_NO_THROW(Range().check("x", -1e300));
}

TEST(DidYouMean, SuggestsTheNearestWord) {
  const std::vector<std::string> known = {"appnp", "gat", "gcn", "gcnh", "mlp"};
  EXPECT_EQ(did_you_mean("gcnn", known), "; did you mean 'gcn'?");
  EXPECT_EQ(did_you_mean("gcnhh", known), "; did you mean 'gcnh'?");
  EXPECT_EQ(did_you_mean("apnp", known), "; did you mean 'appnp'?");
  EXPECT_EQ(did_you_mean("transformer", known), "");
  EXPECT_EQ(did_you_mean("xyz", known), "");
  EXPECT_EQ(did_you_mean("gcn", {}), "");
}

TEST(Error, CarriesStatusAndParts) {
  try {
    require(false, "line ", 18, ": ", 2.5);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "line 18: 2.5");
    EXPECT_EQ(e.status(), Status::data);
    EXPECT_EQ(static_cast<int>(e.status()), 65);
  }
  EXPECT_NO_THROW(require(true, "never"));
  EXPECT_EQ(list_words({"a", "b", "c"}), "a b c");
  EXPECT_EQ(list_words({}), "");
}

}  // namespace
}  // namespace gcnh::testing
