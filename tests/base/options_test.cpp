// Options travel as text and come back the same; wrong text is refused with a message that helps.
#include "gcnh/base/options.h"

#include <gtest/gtest.h>

namespace gcnh::testing {
namespace {

struct SampleOptions {
  int layers = 2;
  double rate = 0.1;
  bool shared = false;
  std::string kind = "sum";

  void visit(auto&& f) {
    f("layers", layers, "how many");
    f("rate", rate, "how fast");
    f("shared", shared, "one for all");
    f("kind", kind, "which one");
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
  const std::vector<OptionInfo> info = describe<SampleOptions>();
  ASSERT_EQ(info.size(), 4u);
  EXPECT_EQ(info[0].name + "=" + info[0].value + " " + info[0].help, "layers=2 how many");
  EXPECT_EQ(info[1].name + "=" + info[1].value + " " + info[1].help, "rate=0.1 how fast");
  EXPECT_EQ(info[2].name + "=" + info[2].value + " " + info[2].help, "shared=false one for all");
  EXPECT_EQ(info[3].name + "=" + info[3].value + " " + info[3].help, "kind=sum which one");
}

TEST(Options, RoundTripThroughText) {
  const SampleOptions set{-7, 1.0 / 3, true, "two words"};
  SampleOptions read;
  assign(read, to_values(set));
  EXPECT_EQ(read.layers, set.layers);
  EXPECT_EQ(read.rate, set.rate);
  EXPECT_EQ(read.shared, set.shared);
  EXPECT_EQ(read.kind, set.kind);
  EXPECT_EQ(to_values(read), to_values(set));
}

TEST(Options, AssignSetsOnlyWhatIsNamedAndItsOwn) {
  SampleOptions options;
  assign(options, {{"rate", "5e-3"}, {"of_another_part", "x"}});
  EXPECT_EQ(options.rate, 5e-3);
  EXPECT_EQ(options.layers, 2);
  EXPECT_EQ(options.kind, "sum");
}

TEST(Options, NumbersReadBackTheSame) {
  for (double value : {0.0, 0.1, 5e-3, 1e-8, 1.0 / 3, -2.5, 1e300, 5e-324, 123456789.0}) {
    double read = 0;
    parse_text("x", to_text(value), read);
    EXPECT_EQ(read, value) << to_text(value);
  }
  EXPECT_EQ(to_text(0.005), "0.005");
  EXPECT_EQ(to_text(300), "300");
}

TEST(Options, NamesMayBeWrittenAsFlags) {
  EXPECT_EQ(option_name("weight-decay"), "weight_decay");
  EXPECT_EQ(option_name("weight_decay"), "weight_decay");
}

TEST(Words, CountsOfOneAreSingular) {
  EXPECT_EQ(counted(1, "split"), "1 split");
  EXPECT_EQ(counted(0, "split"), "0 splits");
  EXPECT_EQ(counted(1, "class"), "1 class");
  EXPECT_EQ(counted(2, "class"), "2 classes");
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
  EXPECT_NO_THROW(require_positive("hidden", 1));
  EXPECT_EQ(usage_error([] { require_positive("hidden", 0); }), "hidden: 0 is below 1");
  EXPECT_NO_THROW(require_share("dropout", 0));
  EXPECT_NO_THROW(require_share("dropout", 0.999));
  EXPECT_EQ(usage_error([] { require_share("dropout", 1); }), "dropout: 1 is outside 0..1 (1 excluded)");
  EXPECT_EQ(usage_error([] { require_share("dropout", -0.1); }), "dropout: -0.1 is outside 0..1 (1 excluded)");
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
