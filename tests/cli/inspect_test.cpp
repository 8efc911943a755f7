// gcnh inspect: the JSON has everything that the text has.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;

// Every number of the JSON, as the text may round it: as it is, in percent, and with up to four decimals.
void collect(const json& value, std::set<std::string>& out) {
  if (value.is_structured())
    for (const json& inner : value) collect(inner, out);
  if (!value.is_number()) return;
  for (const double scaled : {value.get<double>(), 100 * value.get<double>()})
    for (int decimals = 0; decimals <= 4; ++decimals) {
      char text[64];
      std::snprintf(text, sizeof text, "%.*f", decimals, scaled);
      out.insert(text);
    }
  char brief[64];
  std::snprintf(brief, sizeof brief, "%.4g", value.get<double>());
  out.insert(brief);
}

void expect_json_has_the_text(std::vector<std::string> args) {
  const Answer text = run_program(args);
  args.push_back("--json");
  const Answer answer = run_program(args);
  ASSERT_EQ(text.code, 0) << text.err;
  ASSERT_EQ(answer.code, 0) << answer.err;
  const json j = json::parse(answer.out);
  std::set<std::string> known;
  collect(j, known);
  known.insert(std::to_string(j["splits"].size()));
  const std::string body = text.out.substr(text.out.find('\n'));
  const double filled = j["feature_nonzeros"].get<double>() / (j["nodes"].get<double>() * j["features"].get<double>());
  collect(filled, known);  // the one number that is made of others
  std::set<std::string> names;
  for (const json& entry : j["class_sizes"]) names.insert(entry["name"].get<std::string>());
  const std::regex number("[-]?[0-9]+(\\.[0-9]+)?");
  for (std::sregex_iterator match(body.begin(), body.end(), number), end; match != end; ++match)
    EXPECT_TRUE(known.contains(match->str()) || names.contains(match->str())) << match->str() << " of\n" << body;
  EXPECT_TRUE(text.out.starts_with(j["name"].get<std::string>() + "\n"));
  EXPECT_NE(text.out.find(" kept " + j["features_are"].get<std::string>()), std::string::npos);
}

TEST(InspectCommand, JsonHasAllThatTheTextHas) {
  expect_json_has_the_text({"inspect"});
  if (std::getenv("GCNH_DATA")) expect_json_has_the_text({"inspect", "--data", "chameleon"});
}

TEST(InspectCommand, JsonHasWeightsAndUnlabelledNodes) {
  const TempDir folder;
  const std::string nodes = folder / "n.csv", edges = folder / "e.csv";
  std::ofstream(nodes) << "id,label,x\na,p,1\nb,q,2\nc,,3\nd,p,0\n";
  std::ofstream(edges) << "source,target,w\na,b,0.5\nb,c,2.25\n";
  const std::vector<std::string> args = {"inspect", "--nodes", nodes, "--edges", edges, "--weight", "w", "-q"};
  expect_json_has_the_text(args);
  std::vector<std::string> with_json = args;
  with_json.push_back("--json");
  const json j = json::parse(run_program(with_json).out);
  EXPECT_EQ(j["unlabelled"], 1);
  EXPECT_EQ(j["degree"]["isolated"], 1);
  EXPECT_EQ(j["weights"]["max"], 2.25);
  EXPECT_EQ(j["class_sizes"][0], json({{"name", "p"}, {"nodes", 2}}));
  EXPECT_EQ(j["splits"], json::array());
  EXPECT_EQ(j["compatibility"].size(), 2u);
}

}  // namespace
}  // namespace gcnh::testing
