#include "gcnh/run/account_json.h"

#include "gcnh/base/error.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

json source_json(const Account::Source& s) {
  json features = json::array();
  for (const Account::Feature& f : s.features) {
    features.push_back({{"name", f.name}, {"value", f.value}});
    if (!f.cell.empty()) features.back()["cell"] = f.cell;
    features.back()["parts"] = f.parts;
  }
  return {{"id", s.id},
          {"label", s.label.empty() ? json() : json(s.label)},
          {"hops", s.hops},
          {"parts", s.parts},
          {"constant", s.constant},
          {"features", std::move(features)},
          {"other_features", {{"count", s.other_features}, {"parts", s.other_parts}}}};
}

std::string text_or_empty(const json& j) { return j.is_null() ? "" : j.get<std::string>(); }

// Lists of as many numbers as there are classes.
class PartsReader {
 public:
  PartsReader(std::size_t classes, const std::string& where) : classes_(classes), where_(where) {}
  Account::Parts operator()(const json& j) const {
    auto out = j.get<Account::Parts>();
    require(out.size() == classes_, where_, ": ", out.size(), " numbers for ", classes_, " classes");
    return out;
  }

 private:
  std::size_t classes_;
  std::string where_;
};

Account::Source source_from(const json& j, const PartsReader& parts) {
  Account::Source out{j.at("id"),
                      text_or_empty(j.at("label")),
                      j.at("hops"),
                      parts(j.at("parts")),
                      parts(j.at("constant")),
                      {},
                      j.at("other_features").at("count"),
                      parts(j.at("other_features").at("parts"))};
  for (const json& f : j.at("features"))
    out.features.push_back({f.at("name"), f.value("cell", ""), f.at("value"), parts(f.at("parts"))});
  return out;
}

}  // namespace

json account_json(const Account& a) {
  json out = {{"id", a.id},
              {"label", a.label.empty() ? json() : json(a.label)},
              {"predicted", a.answer()},
              {"rival", a.rival()},
              {"exact", a.is_exact},
              {"classes", a.classes},
              {"probabilities", a.probabilities},
              {"logits", a.logits},
              {"bias", a.bias},
              {"sources", json::array()},
              {"others", {{"count", a.others}, {"parts", a.other_parts}}},
              {"remainder", a.remainder}};
  for (const Account::Source& s : a.sources) out["sources"].push_back(source_json(s));
  if (a.change)
    out["change"] = {{"edges", a.change->edges}, {"predicted", a.change->answer}, {"exact", a.change->is_exact}};
  return out;
}

Account account_from(const json& j, const std::string& where) {
  Account out;
  j.at("id").get_to(out.id);
  out.label = text_or_empty(j.at("label"));
  j.at("classes").get_to(out.classes);
  require(out.classes.size() >= 2, where, ": ", out.classes.size(), " classes in an account");
  const PartsReader parts(out.classes.size(), where);
  out.probabilities = parts(j.at("probabilities"));
  out.logits = parts(j.at("logits"));
  out.bias = parts(j.at("bias"));
  out.remainder = parts(j.at("remainder"));
  j.at("others").at("count").get_to(out.others);
  out.other_parts = parts(j.at("others").at("parts"));
  j.at("exact").get_to(out.is_exact);
  for (const json& s : j.at("sources")) out.sources.push_back(source_from(s, parts));
  require(!out.sources.empty(), where, ": an account without sources");
  return out;
}

}  // namespace gcnh
