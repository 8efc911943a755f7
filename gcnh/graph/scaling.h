// Feature scaling that can be fitted on one table and applied to another, so that new nodes see what training saw.
#pragma once

#include "gcnh/base/options.h"
#include "gcnh/graph/features.h"

namespace gcnh {

enum class Scale { none, rows, standard, largest, automatic };
inline Words words_of(Scale) {
  return {{"none"},
          {"rows", "divide by row sum"},
          {"standard", "each column to mean 0, deviation 1"},
          {"largest", "each column divided by its largest number, which keeps zeros"},
          {"auto", "standard when dense"}};
}

struct Scaling {
  Scale kind = Scale::none;
  Matrix mean = {};       // (1, features), standard only
  Matrix deviation = {};  // what columns are divided by; standard and largest
};

// Automatic is standard for dense features, none for sparse ones; a Scaling is never automatic.
Scaling fit_scaling(Scale kind, const Features& features);
void apply_scaling(const Scaling& scaling, Features& features);

// Columns of which one goes this many times as far as another are of different sizes: as they are, the large ones drown
// the others.
inline constexpr double kApart = 10;
// Whether sparse features, which nothing scales by itself, have such columns.
bool need_scaling(const Features& features);

}  // namespace gcnh
