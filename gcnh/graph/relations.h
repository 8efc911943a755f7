// Relations for Geom-GCN: every node's neighbours, in the graph and in an embedding, sorted by where they lie.
#pragma once

#include <string>
#include <vector>

#include "gcnh/base/csr.h"
#include "gcnh/base/options.h"
#include "gcnh/graph/embedding.h"

namespace gcnh {

// Four directions in the graph and four in the embedding.
constexpr Index kRelations = 8;

enum class EmbeddingKind { poincare, mds };
inline Words words_of(EmbeddingKind) { return {{"poincare"}, {"mds", "of shortest paths"}}; }

// From one matrix whose entries are relation numbers to one matrix of ones per number.
std::vector<Csr> split_relations(const Csr& numbers);

// Relation r = 2 [u.x <= v.x] + [u.y <= v.y] of v holds its graph neighbours u in that direction, relation 4 + r the
// others nearer than a distance below which there are, in the mean over nodes, `latent` times as many nodes as a node
// has neighbours. An embedding says nothing about nodes that no path joins, and lays small components on top of each
// other: only nodes of the largest component have latent neighbours, as nearly all in Cora's published file.
// The graph is undirected without loops; each pair of nodes is in one relation for each direction, none with itself.
std::vector<Csr> relations_in(const Embedding& embedding, const Csr& graph, double latent = 1);

// relations_in for any adjacency.
std::vector<Csr> compute_relations(const Csr& adjacency, EmbeddingKind embedding, double latent = 1);

// With k relations, the node itself being the last of them, one operator on blocks: row v k + i lists the columns
// u k + i of the nodes u in relation i of v, with 1 / sqrt(deg u deg v), where deg counts a row over all relations.
Csr relation_blocks(const std::vector<Csr>& relations);
// The mean of the blocks: row v holds the k rows of v above, divided by k.
Csr mean_of_blocks(const Csr& blocks, Index num_nodes);

}  // namespace gcnh
