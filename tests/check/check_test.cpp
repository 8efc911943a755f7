// The rules as a whole: order, allowing, the brief form, and that each of them is tested.
#include "gcnh/check/check.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/check/check_tools.h"
#include "tests/graph/graph_tools.h"

namespace gcnh::testing {
namespace {

// Two loops, which are a warning, on a graph without other edges, which is an error.
Tables bad_tables() {
  Tables t = sane_tables();
  t.edges = {{3, 3}, {4, 4}};
  return t;
}

TEST(Check, NothingIsFoundInSaneData) {
  for (const Remark& remark : check_data(sane_tables()))
    EXPECT_EQ(remark.severity, Severity::ok) << remark.rule << ": " << remark.text();
  EXPECT_TRUE(check_briefly(sane_tables()).empty());
}

TEST(Check, ErrorsComeFirst) {
  const std::vector<Remark> findings = check_data(bad_tables());
  EXPECT_EQ(findings[0].rule, "no-edges");
  EXPECT_EQ(findings[1].rule, "self-loops");
  EXPECT_EQ(count_of(Severity::error, findings), 1);
  EXPECT_EQ(count_of(Severity::warning, findings), 1);
}

TEST(Check, AllowedRulesDoNotCount) {
  std::vector<Remark> findings = check_data(bad_tables());
  allow({"no-edges"}, findings);
  EXPECT_EQ(count_of(Severity::error, findings), 0);
  EXPECT_EQ(count_of(Severity::allowed, findings), 1);
  EXPECT_NE(
      error_text([&] { allow({"no-edge"}, findings); }).find("2: allow: no rule 'no-edge'; did you mean 'no-edges'"),
      std::string::npos);
}

TEST(Check, BrieflyIsErrorsAndWhatMattersMost) {
  const std::vector<Remark> findings = check_briefly(bad_tables());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].rule, "no-edges");
}

TEST(Check, TablesThatContradictThemselvesAreRefused) {
  Tables t = sane_tables();
  t.edges.push_back({0, kSaneNodes});
  EXPECT_NE(error_text([&] { check_data(t); }).find("65: sane: edge"), std::string::npos);
}

TEST(Check, Json) {
  const Tables t = bad_tables();
  const auto out = nlohmann::json::parse(check_json(&t, check_data(t)));
  EXPECT_EQ(out["errors"], 1);
  EXPECT_EQ(out["warnings"], 1);
  EXPECT_EQ(out["data"]["nodes"], kSaneNodes);
  EXPECT_EQ(out["findings"][0]["rule"], "no-edges");
  EXPECT_EQ(out["findings"][0]["severity"], "error");
  EXPECT_TRUE(nlohmann::json::parse(check_json(nullptr, {}))["data"].is_null());
}

TEST(Check, EveryRuleHasATest) {
  std::string tests;
  for (const auto& folder : {"check", "cli"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(GCNH_TEST_DATA).parent_path() / folder)) {
      std::ifstream in(entry.path());
      tests.append(std::istreambuf_iterator<char>(in), {});
    }
  }
  EXPECT_GT(check_rules().size(), 25u);
  for (const RuleInfo& rule : check_rules()) {
    EXPECT_NE(tests.find('"' + rule.name + '"'), std::string::npos) << rule.name;
    EXPECT_LE(rule.sentence.size(), 100u) << rule.name;
  }
}

}  // namespace
}  // namespace gcnh::testing
