// Accounts in files: read back as they were, and refused where they are damaged.
#include "gcnh/run/account_json.h"

#include <gtest/gtest.h>

#include "gcnh/base/error.h"
#include "gcnh/explain/explain.h"
#include "tests/support/fixtures.h"

namespace gcnh::testing {
namespace {

Account small_account(std::size_t top) {
  Dataset d = random_dataset({.nodes = 20, .edges_per_node = 3}, 6, 3, Rng(5));
  d.classes = {"a\"b", "</script>", "\u00e9"};
  const auto model = make_model("gcnh", d, {{"layers", "2"}, {"hidden", "4"}});
  const auto explainer = make_explainer(*model);
  const std::vector<Real> logp = {-1, -2, -3};
  return make_account(*explainer, d, 0, logp, {std::nullopt, std::nullopt, top});
}

TEST(AccountJson, IsReadBackAsItWas) {
  for (std::size_t top : {0u, 2u}) {
    Account account = small_account(top);
    const nlohmann::ordered_json j = account_json(account);
    EXPECT_EQ(account_json(account_from(j, "x")).dump(), j.dump());
    account.change = {{"v"}, "c", true};
    EXPECT_EQ(account_json(account)["change"]["edges"][0], "v");
  }
}

TEST(AccountJson, WhatIsNotListedIsAddedUp) {
  const Account all = small_account(0), some = small_account(2);
  ASSERT_EQ(some.sources.size(), 3u);
  EXPECT_EQ(some.others + 3, all.sources.size());
  for (std::size_t k = 0; k < 3; ++k) {
    double expected = 0;
    for (std::size_t s = 3; s < all.sources.size(); ++s) expected += all.sources[s].parts[k];
    EXPECT_NEAR(some.other_parts[k], expected, 1e-6);
    EXPECT_EQ(some.sources[1].parts[k], all.sources[1].parts[k]) << "the largest first";
  }
  for (std::size_t s = 2; s < all.sources.size(); ++s)
    EXPECT_GE(std::abs(Account::lead(all.sources[s - 1].parts)), std::abs(Account::lead(all.sources[s].parts)));
}

TEST(AccountJson, DamagedOnesAreRefused) {
  const nlohmann::ordered_json good = account_json(small_account(2));
  const auto refused = [](const nlohmann::ordered_json& j) {
    try {
      account_from(j, "errors.json");
      return false;
    } catch (const nlohmann::json::exception&) {
      return true;
    } catch (const Error& e) {
      return std::string(e.what()).starts_with("errors.json: ");
    }
  };
  EXPECT_FALSE(refused(good));
  for (const auto& [key, value] : good.items()) {
    if (key == "predicted" || key == "rival") continue;  // they are the first two classes
    nlohmann::ordered_json less = good;
    less.erase(key);
    EXPECT_TRUE(refused(less)) << key;
  }
  for (const char* path : {"/bias", "/logits", "/others/parts", "/sources/0/parts", "/sources/1/features/0/parts"}) {
    nlohmann::ordered_json shorter = good;
    shorter[nlohmann::ordered_json::json_pointer(path)].erase(0);
    EXPECT_TRUE(refused(shorter)) << path;
  }
  nlohmann::ordered_json none = good;
  none["sources"] = nlohmann::ordered_json::array();
  EXPECT_TRUE(refused(none));
}

}  // namespace
}  // namespace gcnh::testing
