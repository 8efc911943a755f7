#include "gcnh/io/relations.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "gcnh/graph/relations.h"
#include "gcnh/io/catalog.h"
#include "tests/io/io_tools.h"
#include "tests/support/temp_dir.h"

namespace gcnh {
namespace {

const std::string kRelationHeader = "node1,node2\tspace\trelation_type\n";
const std::string kGoodRelations =
    kRelationHeader + "0,1\tgraph\t3\n1,0\tgraph\t0\n2,1\tlatent_space\t3\n0,2\tgraph\t3\n";

class RelationsTest : public ::testing::Test {
 protected:
  std::vector<Csr> read(const std::string& text) {
    write_text(dir_ / "r.txt", text);
    return read_relations(dir_ / "r.txt", 3);
  }
  // The nodes in relation i of node v.
  static std::vector<Index> row(const std::vector<Csr>& relations, int i, Index v) {
    const auto found = relations.at(i).row(v);
    return {found.begin(), found.end()};
  }
  TempDir dir_;
};

TEST_F(RelationsTest, RelationsAreNumberedInTheOrderTheyAreMet) {
  const std::vector<Csr> r = read(kGoodRelations);
  ASSERT_EQ(r.size(), std::size_t{kRelations});
  EXPECT_EQ(row(r, 0, 1), std::vector<Index>({0}));  // graph 3: the target lists the source
  EXPECT_EQ(row(r, 0, 2), std::vector<Index>({0}));
  EXPECT_EQ(row(r, 1, 0), std::vector<Index>({1}));  // graph 0
  EXPECT_EQ(row(r, 2, 1), std::vector<Index>({2}));  // latent 3
  for (int i = 3; i < kRelations; ++i) EXPECT_EQ(r[i].nnz(), 0);
  for (const Csr& relation : r) {
    EXPECT_EQ(relation.rows, 3);
    EXPECT_EQ(relation.offsets.size(), 4u);
    EXPECT_TRUE(relation.values.empty());
  }
}

TEST_F(RelationsTest, ALaterLineHoldsAndLoopsAreLeftOut) {
  const std::vector<Csr> r = read("0,1\tgraph\t1\n1,1\tgraph\t2\n0,1\tlatent_space\t1\n");
  EXPECT_EQ(r[0].nnz() + r[1].nnz(), 0);  // graph 1 gave its pair away, graph 2 held a loop
  EXPECT_EQ(row(r, 2, 1), std::vector<Index>({0}));
}

TEST_F(RelationsTest, HeaderAndLineEndsAreOptional) {
  const std::vector<Csr> plain = read(kGoodRelations);
  std::string crlf;
  for (char c : kGoodRelations) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  for (const std::string& text : {kGoodRelations.substr(kRelationHeader.size()), "\xEF\xBB\xBF" + kGoodRelations,
                                  crlf + "\r\n\n", kGoodRelations.substr(0, kGoodRelations.size() - 1)}) {
    const std::vector<Csr> r = read(text);
    for (int i = 0; i < kRelations; ++i) EXPECT_EQ(r[i].indices, plain[i].indices) << text;
  }
}

TEST_F(RelationsTest, WrongLinesAreErrors) {
  EXPECT_ERROR(read(kRelationHeader + "0,3\tgraph\t0\n"),
               "r.txt:2: node id 3 outside 0..2; the file belongs to another graph");
  EXPECT_ERROR(read("-1,0\tgraph\t0\n"), "r.txt:1: node id -1 outside 0..2");
  EXPECT_ERROR(read("4294967296,0\tgraph\t0\n"), "r.txt:1: node id 4294967296 outside 0..2");
  EXPECT_ERROR(read("0,x\tgraph\t0\n"),
               "r.txt:1: 'x' is not a node id; expected 'source,target<TAB>space<TAB>direction'");
  EXPECT_ERROR(read("0\tgraph\t0\n"), "r.txt:1: '' is not a node id");
  EXPECT_ERROR(read("0,1,2\tgraph\t0\n"), "r.txt:1: '1,2' is not a node id");
  EXPECT_ERROR(read("0,1\tgraph\n"), "r.txt:1: found 2 tab-separated fields, expected 3");
  EXPECT_ERROR(read("0,1\tgraph\t0\t0\n"), "r.txt:1: found 4 tab-separated fields, expected 3");
  EXPECT_ERROR(read("0,1\tGraph\t0\n"), "r.txt:1: space 'Graph' is neither graph nor latent_space");
  for (const char* r : {"4", "-1", "", "1.0", "x", "99999999999"})
    EXPECT_ERROR(read(kRelationHeader + "0,1\tgraph\t" + r + "\n"),
                 "r.txt:2: direction '" + std::string(r) + "' is not an integer in 0..3");
  EXPECT_ERROR(read(""), "r.txt: no relations");
  EXPECT_ERROR(read(kRelationHeader), "r.txt: no relations");
  EXPECT_EQ(status_of([&] { read_relations(dir_ / "absent", 3); }), Status::io);
}

TEST_F(RelationsTest, CutAndDamagedFilesAreReadOrRefused) {
  for_every_cut(kGoodRelations, [&](const std::string& text) { expect_read_or_refused("r.txt", [&] { read(text); }); });
  for_every_flip(kGoodRelations, 0, kGoodRelations.size(),
                 [&](const std::string& text) { expect_read_or_refused("r.txt", [&] { read(text); }); });
}

TEST_F(RelationsTest, FilesAreFoundByDatasetAndEmbedding) {
  write_text(dir_ / "outf_nodes_space_relation_toy_MDS.txt", kGoodRelations);
  write_text(dir_ / "outf_nodes_space_relation_other_poincare.txt", kGoodRelations);
  const PublishedMatrices found = published_relations(dir_.path(), "toy", 3);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.at("mds relations")().size(), std::size_t{kRelations});
  EXPECT_TRUE(published_relations(dir_ / "absent", "toy", 3).empty());
}

struct Published {
  const char* dataset;
  const char* embedding;
  Offset edges;  // directed, one loop per node included
};

TEST(PublishedRelations, HaveTheirNumberOfEdgesAndHoldTheGraph) {
  SKIP_WITHOUT_DATA(data);
  for (const auto& [dataset, embedding, edges] : std::vector<Published>{{"cornell", "poincare", 1247},
                                                                        {"texas", "poincare", 1272},
                                                                        {"wisconsin", "poincare", 1641},
                                                                        {"film", "poincare", 62382},
                                                                        {"chameleon", "poincare", 65270},
                                                                        {"cora", "mds", 22203},
                                                                        {"citeseer", "mds", 16366}}) {
    SCOPED_TRACE(dataset);
    const Tables tables = load_named(dataset, data);
    ASSERT_EQ(tables.published.size(), 1u);
    const std::vector<Csr> relations = tables.published.at(std::string(embedding) + " relations")();
    Offset found = tables.num_nodes();
    std::set<std::pair<Index, Index>> pairs;
    for (const Csr& relation : relations) {
      found += relation.nnz();
      for (Index v = 0; v < relation.rows; ++v)
        for (Index u : relation.row(v)) EXPECT_TRUE(pairs.insert({u, v}).second && u != v);
    }
    EXPECT_EQ(found, edges);
    for (const Edge& e : tables.edges)
      EXPECT_TRUE(e.source == e.target ||
                  (pairs.contains({e.source, e.target}) && pairs.contains({e.target, e.source})));
  }
}

// The published files of these embeddings hold about as many latent neighbours as neighbours; so do ours.
TEST(PublishedRelations, ComputedOnesHaveAsManyLatentNeighbours) {
  SKIP_WITHOUT_DATA(data);
  for (const auto& [name, published] : std::map<std::string, double>{{"cora", 9681}, {"citeseer", 4401}}) {
    SCOPED_TRACE(name);
    const Dataset d = make_dataset(load_named(name, data));
    const std::vector<Csr> relations = compute_relations(d.adjacency, EmbeddingKind::mds);
    double latent = 0;
    for (std::size_t i = 4; i < relations.size(); ++i) latent += static_cast<double>(relations[i].nnz());
    EXPECT_GT(latent, published / 2);
    EXPECT_LT(latent, 2 * published);
  }
}

TEST(PublishedRelations, SquirrelHasNone) {
  SKIP_WITHOUT_DATA(data);
  EXPECT_TRUE(load_named("squirrel", data).published.empty());
}

}  // namespace
}  // namespace gcnh
