// Nodes as points: what a layer of a trained model makes of them, in how many directions it varies, and who is alike.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gcnh/run/model_file.h"

namespace gcnh {

struct NodeEmbedding {
  std::vector<std::string> columns = {};  // names of its numbers
  Matrix points = {};                     // (nodes, columns), of all nodes
  std::vector<double> share = {};         // of the variance in each column; empty unless they are principal components
  std::vector<int> answers = {};          // class number by node, as `predict` answers
};

// The layer is the number of a hidden one, from 1 on, `logits`, or empty: the last hidden one, or the logits where
// there is none. With `components` above 0, so many principal components of it.
NodeEmbedding embed(const TrainedModel& model, const Dataset& dataset, const std::string& layer = "",
                    int components = 0);

struct Similar {
  Index node = 0;
  double similarity = 0;  // cosine of the angle between the points, -1 to 1; 0 for a point at the origin
};

// The nodes most like this one, the likest first, without itself.
std::vector<Similar> most_similar(const Matrix& points, Index node, std::size_t count);

}  // namespace gcnh
