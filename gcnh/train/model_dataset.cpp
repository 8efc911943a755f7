#include "gcnh/train/model_dataset.h"

#include "gcnh/io/relations.h"

namespace gcnh {

Dataset make_dataset_for(const ModelType& type, const OptionValues& options, Tables tables, const View& view) {
  if (!type.relations) return make_dataset(std::move(tables), view);
  const RelationChoice choice = type.relations(options);
  const auto file = tables.relation_files.find(choice.embedding);
  const bool published = choice.published && file != tables.relation_files.end();
  if (published) tables.relations = read_relations(file->second, tables.num_nodes());
  Dataset out = make_dataset(std::move(tables), view);
  if (!published) out.relations = compute_relations(out.adjacency, choice);
  out.relation_source = (published ? "published " : "computed ") + choice.embedding;
  return out;
}

}  // namespace gcnh
