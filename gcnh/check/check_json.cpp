#include <nlohmann/json.hpp>

#include "gcnh/check/check.h"

namespace gcnh {

namespace {

using json = nlohmann::ordered_json;

}  // namespace

std::string check_json(const Tables* tables, const std::vector<Remark>& findings) {
  json data = nullptr, list = json::array();
  if (tables)
    data = {{"name", tables->name},
            {"nodes", tables->num_nodes()},
            {"edge_lines", tables->edges.size()},
            {"features", tables->features.cols()},
            {"classes", tables->classes.size()}};
  for (const Remark& f : findings)
    list.push_back(
        {{"rule", f.rule}, {"severity", to_word(f.severity)}, {"found", f.found}, {"why", f.why}, {"fix", f.fix}});
  const json out = {{"data", std::move(data)},
                    {"findings", std::move(list)},
                    {"errors", count_of(Severity::error, findings)},
                    {"warnings", count_of(Severity::warning, findings)}};
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace gcnh
