// Labels as words become numbers of classes.
#pragma once

#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// Fills classes and labels from a word per node; an empty one is an unlabelled node. Classes are sorted, as numbers
// when all of them are integers, else by their bytes.
void number_labels(const std::vector<std::string>& words, Tables& out);

// A file of labels: one per line, an empty line for an unlabelled node; or an .npy array of integers, -1 for none.
std::vector<std::string> read_label_words(const std::string& path);

}  // namespace gcnh
