// Geom-GCN's published neighbourhoods, outf_nodes_space_relation_NAME_EMBEDDING.txt: lines "u,v<TAB>space<TAB>r" say
// that node v finds u in direction r = 0..3 of the space, graph or latent_space.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gcnh/graph/dataset.h"

namespace gcnh {

// What a dataset's files hold, under "poincare relations" and "mds relations".
PublishedMatrices published_relations(const std::filesystem::path& folder, const std::string& name, Index num_nodes);

// One matrix per relation: row v lists the nodes u. Relations are numbered in the order they are met; where a pair is
// listed twice, the later line holds; lines of a node with itself are left out, since models add those themselves.
std::vector<Csr> read_relations(const std::filesystem::path& path, Index num_nodes);

}  // namespace gcnh
