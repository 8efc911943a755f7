// Geom-GCN's published neighbourhoods, outf_nodes_space_relation_NAME_EMBEDDING.txt: lines "u,v<TAB>space<TAB>r" say
// that node v finds u in direction r = 0..3 of the space, graph or latent_space.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gcnh/base/csr.h"

namespace gcnh {

// The files of a dataset, by embedding (poincare, mds).
std::map<std::string, std::string> relation_files(const std::filesystem::path& folder, const std::string& name);

// One matrix per relation: row v lists the nodes u. Relations are numbered in the order they are met; where a pair is
// listed twice, the later line holds; lines of a node with itself are left out, since models add those themselves.
std::vector<Csr> read_relations(const std::filesystem::path& path, Index num_nodes);

}  // namespace gcnh
