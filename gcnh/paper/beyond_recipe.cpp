// What a study chose, as a recipe.
#include <fmt/core.h>

#include "gcnh/paper/beyond.h"
#include "gcnh/run/outcome_json.h"

namespace gcnh::paper {

std::string recipe_text(const std::string& name, const std::map<std::string, Chosen>& by_data) {
  std::string out;
  for (const auto& [data, found] : by_data) {
    const std::string value = value_text(found.metric, mean_std(val_values(found.by_mean, found.metric)).mean);
    out += fmt::format("# The best of {} by mean validation {}, {}{} over {}.\n[{}.data.{}.options]\n",
                       counted(found.cells, "cell"), title_of(found.metric), value, percent_sign(found.metric),
                       counted(std::ssize(found.by_mean), "split"), name, data);
    for (const auto& [option, text] : found.cell) out += option + " = " + option_json(text).dump() + "\n";
    out += "\n";
  }
  return out;
}

}  // namespace gcnh::paper
