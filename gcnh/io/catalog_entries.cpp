// What users should know about each named dataset before they trust a number on it.
#include "gcnh/io/catalog.h"

namespace gcnh {

const std::vector<CatalogEntry>& catalog() {
  static const std::vector<CatalogEntry> entries = {
      {"cornell", "web pages of Cornell's computer science department: 183 nodes, 5 classes, links",
       "The released node table is a copy of Texas's; only the links are Cornell's. Papers report on this mixture, and "
       "its edge homophily of 0.30 comes from it. cornell-fixed has the right table."},
      {"cornell-fixed", "cornell with its own node table, from the heterophilous-graphs release",
       "Labels and features differ from what papers call Cornell (edge homophily 0.12), so results do not compare with "
       "theirs. Links are undirected and without loops.",
       Release::heterophilous, "cornell"},
      {"texas", "web pages of the University of Texas's computer science department: 183 nodes, 5 classes, links",
       "One class has a single node, which 4 of the 10 training sets miss. A test set has 37 nodes: one node is 2.7 "
       "points."},
      {"wisconsin", "web pages of Wisconsin's computer science department: 251 nodes, 5 classes, links",
       "A test set has 51 nodes: one node is 2 points. 16 pages link to themselves."},
      {"film", "actors linked when they appear on the same Wikipedia page: 7600 nodes, 5 classes",
       "Rows are not in id order, and code that ignores the ids gives every node another node's features. Links repeat "
       "up to 16 times (33,391 lines, 30,019 distinct). There are 932 feature columns, although the header says 931."},
      {"chameleon", "Wikipedia articles on chameleons, linked by hyperlinks, classed by traffic: 2277 nodes, 5 classes",
       "Links are directed and mostly one-way; direction changes results. 233 nodes have no feature at all."},
      {"squirrel", "Wikipedia articles on squirrels, linked by hyperlinks, classed by traffic: 5201 nodes, 5 classes",
       "Links are directed and mostly one-way; direction changes results. 165 nodes have no feature at all."},
      {"cora", "machine learning papers and their citations: 2708 nodes, 7 classes",
       "Neighbour lists hold repeats (10,858 entries, 10,556 distinct). The ten splits leave out 223 nodes.",
       Release::planetoid},
      {"citeseer", "computer science papers and their citations: 3327 nodes, 6 classes",
       "15 nodes have neither label nor features; they are in no set here. Papers differ on whether they stay in the "
       "graph. Splits 4 and 5 are a third smaller than the others; 124 papers cite themselves.",
       Release::planetoid},
      {"chameleon-filtered", "chameleon without the articles that repeat others: 890 nodes, 5 classes, undirected",
       "Of articles with the same links and the same class one is kept, so that test nodes have no twins to learn "
       "from; "
       "results are lower than on chameleon and do not compare with them. 94 nodes have no feature at all.",
       Release::heterophilous, "chameleon_filtered"},
      {"chameleon-filtered-directed", "chameleon-filtered with the direction of the links: 890 nodes, 5 classes",
       "13,534 links, of which 4,680 pairs go both ways, and 50 loops. The clean view takes them undirected, which "
       "gives "
       "the graph of chameleon-filtered.",
       Release::heterophilous, "chameleon_filtered_directed"},
      {"chameleon-directed", "chameleon as released with the heterophilous graphs: 2277 nodes, 5 classes",
       "The same links, features and splits as chameleon, whose release has the direction, too.",
       Release::heterophilous, "chameleon_directed"},
      {"squirrel-filtered", "squirrel without the articles that repeat others: 2223 nodes, 5 classes, undirected",
       "Of articles with the same links and the same class one is kept, so that test nodes have no twins to learn "
       "from; "
       "results are lower than on squirrel and do not compare with them. 113 nodes have no feature at all.",
       Release::heterophilous, "squirrel_filtered"},
      {"squirrel-filtered-directed", "squirrel-filtered with the direction of the links: 2223 nodes, 5 classes",
       "65,578 links, of which 18,580 pairs go both ways, and 140 loops. The clean view takes them undirected, which "
       "gives the graph of squirrel-filtered.",
       Release::heterophilous, "squirrel_filtered_directed"},
      {"squirrel-directed", "squirrel as released with the heterophilous graphs: 5201 nodes, 5 classes",
       "The same links, features and splits as squirrel, whose release has the direction, too.", Release::heterophilous,
       "squirrel_directed"},
      {"minesweeper", "a grid of 100 x 100 cells, a fifth of them mines: 10,000 nodes, 2 classes",
       "Four of five cells are no mine: 80 % accuracy is what answering nothing else gives, so papers report the area "
       "under the ROC curve, which is what chooses here, too (--metric). The splits are 50/25/25.",
       Release::heterophilous, "", "roc_auc"},
  };
  return entries;
}

}  // namespace gcnh
