// gcnh embed: nodes as points, for other tools, and the nodes most like one.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/data_flags.h"
#include "cli/layout.h"
#include "cli/nodes.h"

namespace gcnh::cli {
namespace {

struct EmbedFlags {
  DataFlags data;
  std::string model, layer, like, out;
  std::vector<std::string> only;
  int components = 0;
  std::size_t top = 10;
  bool force = false;
};

std::string label_of(const Dataset& d, Index node) { return d.labels[node] < 0 ? "" : d.classes[d.labels[node]]; }

std::string to_csv(const Dataset& d, const NodeEmbedding& e, const std::vector<Index>& nodes) {
  std::string out = "id";
  for (const std::string& name : e.columns) out += "," + csv_field(name);
  out += "\n";
  for (Index node : nodes) {
    out += csv_field(d.id(node));
    for (Index k = 0; k < e.points.cols(); ++k) out += fmt::format(",{}", e.points(node, k));
    out += "\n";
  }
  return out;
}

// Two tables of the Embedding Projector: numbers, and what is known of each row.
std::string to_tsv(const NodeEmbedding& e, const std::vector<Index>& nodes) {
  std::string out;
  for (Index node : nodes)
    for (Index k = 0; k < e.points.cols(); ++k)
      out += fmt::format("{}{}", e.points(node, k), k + 1 < e.points.cols() ? '\t' : '\n');
  return out;
}

std::string metadata_tsv(const Dataset& d, const NodeEmbedding& e, const std::vector<Index>& nodes) {
  std::string out = "id\tlabel\tpredicted\n";
  for (Index node : nodes)
    out += plain_cell(d.id(node)) + "\t" + plain_cell(label_of(d, node)) + "\t" +
           plain_cell(d.classes[e.answers[node]]) + "\n";
  return out;
}

std::string to_npy(const NodeEmbedding& e, const std::vector<Index>& nodes) {
  std::vector<Real> values;
  for (Index node : nodes) values.insert(values.end(), e.points.row(node), e.points.row(node) + e.points.cols());
  return format_npy(make_npy(values, {std::ssize(nodes), e.points.cols()}));
}

std::string ids_text(const Dataset& d, const std::vector<Index>& nodes) {
  std::string out;
  for (Index node : nodes) out += plain_cell(d.id(node)) + "\n";
  return out;
}

std::vector<std::string> files_of(const std::string& out) {
  if (out.ends_with(".npy")) return {out, beside(out, "-ids.txt")};
  if (out.ends_with(".tsv")) return {out, beside(out, "-metadata.tsv")};
  if (out.ends_with(".csv")) return {out};
  fail(Status::usage, "--out: '", out, "': the ending says what is written: .csv, .npy or .tsv");
}

void write_points(const Dataset& d, const NodeEmbedding& e, const std::vector<Index>& nodes, const std::string& out) {
  const std::vector<std::string> files = files_of(out);
  if (out.ends_with(".csv")) return write_atomically(out, to_csv(d, e, nodes));
  const bool npy = out.ends_with(".npy");
  write_atomically(files[1], npy ? ids_text(d, nodes) : metadata_tsv(d, e, nodes));
  write_atomically(out, npy ? to_npy(e, nodes) : to_tsv(e, nodes));
}

// Of the chosen nodes those most like this one.
void print_similar(const Dataset& d, const NodeEmbedding& e, Index node, const std::vector<Index>& chosen,
                   std::size_t count) {
  std::vector<bool> is_chosen(static_cast<std::size_t>(d.num_nodes()), false);
  for (Index other : chosen) is_chosen[static_cast<std::size_t>(other)] = true;
  std::vector<Similar> similar = most_similar(e.points, node, is_chosen.size());
  std::erase_if(similar, [&](const Similar& s) { return !is_chosen[static_cast<std::size_t>(s.node)]; });
  similar.resize(std::min(similar.size(), count));
  fmt::print("id,similarity,label,predicted\n");
  for (const Similar& s : similar)
    fmt::print("{},{:.6f},{},{}\n", csv_field(d.id(s.node)), s.similarity, csv_field(label_of(d, s.node)),
               csv_field(d.classes[e.answers[s.node]]));
}

void embed_nodes(EmbedFlags flags) {
  const std::filesystem::path file = model_file(flags.model);
  if (!flags.out.empty())
    for (const std::string& out : files_of(flags.out)) {
      check_output(flags.data, out, {file.string(), flags.only.empty() ? "" : flags.only[0], flags.like});
      check_new(out, flags.force);
    }
  const TrainedModel model = load_model(file);
  flags.data.csv.label_required = false;
  const Dataset dataset = fit_and_tell(model, load_tables(flags.data, &model), flags.data.quiet);
  const std::vector<Index> nodes = chosen_nodes(dataset, flags.only);
  const std::vector<Index> like =
      flags.like.empty() ? std::vector<Index>() : chosen_nodes(dataset, {flags.like}, "--like");
  if (like.size() > 1) fail(Status::usage, "--like: one node is expected; the file names ", like.size());
  const NodeEmbedding e = embed(model, dataset, flags.layer, flags.components);
  if (!flags.data.quiet && !e.share.empty()) {
    std::string shares;
    for (double share : e.share) shares += fmt::format(" {:.1f}", 100 * share);
    tell_note("percent of the variance along the components:" + shares);
  }
  if (!flags.out.empty()) write_points(dataset, e, nodes, flags.out);
  if (!like.empty()) return print_similar(dataset, e, like[0], nodes, flags.top);
  if (flags.out.empty()) fmt::print("{}", to_csv(dataset, e, nodes));
}

}  // namespace

void add_embed(CLI::App& app) {
  auto flags = std::make_shared<EmbedFlags>();
  CLI::App* command = app.add_subcommand("embed", "nodes as points: what a layer makes of them, and who is alike");
  add_model_flag(*command, flags->model);
  add_data_flags(*command, flags->data);
  command->add_option("--layer", flags->layer, "a hidden layer, from 1 on, or logits; default: the last hidden layer");
  command->add_option("--components", flags->components, "so many principal components instead of all numbers")
      ->check(CLI::Range(1, 1 << 20));
  command
      ->add_option("--like", flags->like,
                   "the nodes, all or those of --only, most like this one, by the angle between points")
      ->type_name("ID");
  command->add_option("--top", flags->top, "how many of them")->capture_default_str()->check(CLI::Range(1, 1 << 30));
  add_only_flag(*command, flags->only, "write");
  command
      ->add_option("--out", flags->out,
                   "points.csv (id and numbers), points.npy (with points-ids.txt) or points.tsv (with "
                   "points-metadata.tsv, for the Embedding Projector); default: CSV on stdout")
      ->type_name("FILE");
  command->add_flag("--force", flags->force, "replace files that are there");
  add_quiet_flag(*command, flags->data);
  command->footer(
      "Hidden layers are numbered from the features on; h2gcn and gprgnn have one, before they propagate. --like "
      "prints "
      "CSV: id, similarity (cosine, at most 1), label, predicted.\n"
      "Examples:\n"
      "  gcnh embed --model runs/seg/gcnh --nodes users.csv --edges follows.csv --out points.npy\n"
      "  gcnh embed --model runs/seg/gcnh --nodes users.csv --edges follows.csv --like u_9912");
  command->callback([flags] { embed_nodes(*flags); });
}

}  // namespace gcnh::cli
