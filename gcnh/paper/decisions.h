// The parts of the chapter on decisions, which is not in the paper: what final models, sets, scaled probabilities,
// class weights and decisions are worth. GCNH with the options of its recipes, clean views, random splits of 48/32/20.
#pragma once

#include <string>

#include "gcnh/paper/paper.h"

namespace gcnh::paper {

// GCNH with its recipe for these data, where it has one.
Setup decisions_setup(const std::string& data);
Tables without_splits(Tables tables);

constexpr const char* kRare = "rare";  // stands among the graphs for the generated one

// Each adds its table and its claims, for those of its graphs that are wanted.
void add_finals(Workbench& bench, Chapter& out);    // final models on labels that were blanked: the paper's graphs
void add_coverage(Workbench& bench, Chapter& out);  // sets and temperatures: all graphs
void add_rare(Workbench& bench, Chapter& out);      // class weights and decisions for a class of 4 %

}  // namespace gcnh::paper
