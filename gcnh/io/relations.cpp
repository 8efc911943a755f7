#include "gcnh/io/relations.h"

#include <array>
#include <cstdint>

#include "gcnh/graph/relations.h"
#include "gcnh/io/file.h"
#include "gcnh/io/text.h"

namespace gcnh {
namespace {

namespace fs = std::filesystem;

Index parse_related(const Lines& lines, std::string_view text, Index num_nodes) {
  const auto id = parse_number<std::int64_t>(text);
  if (!id) lines.fail(quote(text), " is not a node id; expected 'source,target<TAB>space<TAB>direction'");
  if (*id < 0 || *id >= num_nodes)
    lines.fail("node id ", *id, " outside 0..", num_nodes - 1, "; the file belongs to another graph");
  return static_cast<Index>(*id);
}

// 0..3 in the graph, 4..7 in the latent space.
std::size_t parse_kind(const Lines& lines, std::string_view space, std::string_view direction) {
  if (space != "graph" && space != "latent_space")
    lines.fail("space ", quote(space), " is neither graph nor latent_space");
  const auto r = parse_number<int>(direction);
  if (!r || *r < 0 || *r > 3) lines.fail("direction ", quote(direction), " is not an integer in 0..3");
  return static_cast<std::size_t>(*r) + (space == "graph" ? 0 : 4);
}

}  // namespace

PublishedMatrices published_relations(const fs::path& folder, const std::string& name, Index num_nodes) {
  PublishedMatrices out;
  for (const auto& [embedding, spelling] : {std::pair("poincare", "poincare"), std::pair("mds", "MDS")}) {
    const fs::path path = folder / join("outf_nodes_space_relation_", name, "_", spelling, ".txt");
    if (is_file(path))
      out[join(embedding, " relations")] = [path, num_nodes] { return read_relations(path, num_nodes); };
  }
  return out;
}

std::vector<Csr> read_relations(const fs::path& path, Index num_nodes) {
  constexpr int kNotMet = -1;
  std::array<int, kRelations> number;  // of each kind
  number.fill(kNotMet);
  int met = 0;
  std::vector<Triple> entries;
  Lines lines(path.string());
  while (lines.next()) {
    std::string_view rest = lines.line();
    if (lines.number() == 1 && is_header(rest)) continue;
    if (const auto tabs = std::count(rest.begin(), rest.end(), '\t'); tabs != 2)
      lines.fail("found ", tabs + 1, " tab-separated fields, expected 3: 'source,target', space, direction");
    std::string_view pair = take_until(rest, '\t');
    const Index u = parse_related(lines, take_until(pair, ','), num_nodes), v = parse_related(lines, pair, num_nodes);
    const std::string_view space = take_until(rest, '\t');
    int& relation = number[parse_kind(lines, space, rest)];
    if (relation == kNotMet) relation = met++;
    if (u != v) entries.push_back({v, u, static_cast<Real>(relation)});
  }
  require(met > 0, path.string(), ": no relations");
  return split_relations(make_csr(num_nodes, num_nodes, std::move(entries), Repeats::keep_one));
}

}  // namespace gcnh
