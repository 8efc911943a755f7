#include "cli/data_flags.h"

#include <algorithm>

namespace gcnh::cli {
namespace {

std::vector<std::string> config_files;

// "48/32/20" as shares of training and validation.
std::pair<double, double> parse_ratio(const std::string& text) {
  double parts[3] = {0, 0, 0};
  std::size_t begin = 0;
  for (int i = 0; i < 3; ++i) {
    const std::size_t end = i < 2 ? text.find('/', begin) : text.size();
    if (end == std::string::npos) fail(Status::usage, "--ratio: '", text, "' is not of the form 48/32/20");
    parse_text("--ratio", text.substr(begin, end - begin), parts[i]);
    begin = end + 1;
  }
  const double sum = parts[0] + parts[1] + parts[2];
  if (parts[0] <= 0 || parts[1] < 0 || parts[2] < 0)
    fail(Status::usage, "--ratio: '", text, "': the training share must be above 0, the others at least 0");
  return {parts[0] / sum, parts[1] / sum};
}

bool is_catalog_name(const std::string& name) {
  const std::vector<std::string> names = dataset_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

Tables read_tables(const DataFlags& flags, const TrainedModel* model) {
  const bool database = !flags.csv.database.empty();
  if (database || !flags.csv.nodes.empty() || !flags.csv.edges.empty()) {
    if (!database && (flags.csv.nodes.empty() || flags.csv.edges.empty()))
      fail(Status::usage, "--nodes and --edges go together");
    if (!flags.data.empty())
      fail(Status::usage, "give either --data or ", database ? "--sqlite" : "--nodes and --edges");
    CsvSource source = flags.csv;
    source.features = flags.columns.spec(model);
    flags.columns.set_missing(source);
    return read_graph_files(source);
  }
  if (!flags.csv.weight.empty() || !flags.csv.split.empty())
    fail(Status::usage, flags.csv.weight.empty() ? "--split-column" : "--weight",
         " names a column of your own tables: give --nodes and --edges");
  if (flags.data.empty() || flags.data == "synthetic") return make_synthetic(SyntheticOptions{});
  const bool looks_like_path = flags.data.ends_with(".npz") || std::filesystem::exists(flags.data);
  if (looks_like_path && !is_catalog_name(flags.data)) return load_path(flags.data);
  return load_named(flags.data, data_dir(flags));
}

// Words that do not exist, and those that a model was not trained with: it has its own view of the data.
void check_view(const DataFlags& flags, const TrainedModel* model) {
  const Setup setup = data_setup(flags);
  View::Direction direction = model ? model->view.direction : View::Direction::both;
  if (!setup.direction.empty()) parse_text("--direction", setup.direction, direction);
  if (model && direction != model->view.direction)
    fail(Status::usage, flags.directed ? "--directed" : "--direction", ": the model was trained with direction ",
         to_word(model->view.direction), ", which is used here, too; leave the flag out");
  Scale scale{};
  parse_text("--scale", setup.scale, scale);
  const bool is_known = model && model->schema.columns.empty();  // else every column has its own
  if (is_known && scale != Scale::automatic && scale != model->scaling.kind)
    fail(Status::usage, "--scale: the model was trained with scale ", to_word(model->scaling.kind),
         ", which is used here, too; leave the flag out");
}

void add_view_flags(CLI::App& app, DataFlags& flags) {
  const std::string group = "Data";
  CLI::Option* direction =
      app.add_option("--direction", flags.direction,
                     "whom a node receives from: both | out (those it points to) | in (those that point to it) | "
                     "separate (either way, the two kept apart); default: as the view says, both in clean; trained "
                     "models know theirs")
          ->group(group);
  app.add_flag("--directed", flags.directed, "edges have a direction and messages follow it: --direction in")
      ->group(group)
      ->excludes(direction);
  app.add_option(
         "--scale", flags.scale,
         "features: none | rows (divide by row sum) | standard | largest (divide columns by their largest number, "
         "which keeps zeros) | auto (standard when dense; trained models know theirs)")
      ->group(group)
      ->capture_default_str();
}

}  // namespace

void add_data_flags(CLI::App& app, DataFlags& flags) {
  const std::string group = "Data";
  app.add_option(
         "--data", flags.data,
         "a known graph (gcnh data list), a .npz file or a folder (Geom-GCN, Planetoid, OGB); default: synthetic")
      ->group(group);
  app.add_option("--data-dir", flags.data_dir,
                 "where the known graphs are; default: $GCNH_DATA, then ~/.local/share/gcnh")
      ->group(group);
  CLI::Option* nodes =
      app.add_option(
             "--nodes", flags.csv.nodes,
             "your nodes, CSV or TSV: id, label, and columns of any kind; svmlight, or a matrix of features (.mtx, "
             ".npz, .npy)")
          ->type_name("FILE")
          ->group(group);
  CLI::Option* edges =
      app.add_option("--edges", flags.csv.edges,
                     "your edges, CSV or TSV: two columns of node ids; a plain list, or a matrix (.mtx, .npz)")
          ->type_name("FILE")
          ->group(group);
  CLI::Option* database = app.add_option("--sqlite", flags.csv.database, "an SQLite file with your nodes and edges")
                              ->type_name("FILE")
                              ->group(group);
  app.add_option("--nodes-sql", flags.csv.nodes,
                 "the query for the nodes, columns as in --nodes; default: select * from nodes")
      ->group(group)
      ->needs(database);
  app.add_option("--edges-sql", flags.csv.edges,
                 "the query for the edges, columns as in --edges; default: select * from edges")
      ->group(group)
      ->needs(database);
  database->excludes(nodes)->excludes(edges);
  app.add_option("--labels", flags.csv.labels,
                 "labels of nodes that have none: for a matrix of features one per line, or .npy; for a table a CSV "
                 "with columns --id and --label")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--id", flags.csv.id, "column of the node ids")->group(group)->capture_default_str();
  app.add_option("--label", flags.csv.label, "column of the classes; an empty cell is an unlabelled node")
      ->group(group)
      ->capture_default_str();
  app.add_option("--src", flags.csv.source, "column of the edge's first node")->group(group)->capture_default_str();
  app.add_option("--dst", flags.csv.target, "column of the edge's second node")->group(group)->capture_default_str();
  app.add_option("--weight", flags.csv.weight, "column of the edges' weights, above 0; default: all edges weigh 1")
      ->group(group);
  add_names(app, "--split-column", flags.csv.split,
            "columns with train, val or test per node, comma-separated: splits 0, 1, ...")
      ->group(group);
  app.add_option("--split-file", flags.split_file,
                 "CSV with the node ids and a column per split, as gcnh data split writes it")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--skip-unknown-ids", flags.csv.skip_unknown_ids,
               "leave out edges that name an id which the nodes lack, and count them; default: they are an error")
      ->group(group);
  add_names(app, "--ignore", flags.columns.ignore,
            "other columns that are not features, comma-separated; in double quotes where a name has a comma")
      ->group(group);
  app.add_option("--more-features", flags.csv.more, "a second table of features; a node may have several rows")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--key", flags.csv.key, "its column of node ids")->group(group)->capture_default_str();
  const auto note = [&flags](const std::string&) { flags.asks_for_splits = true; };
  app.add_option("--ratio", flags.ratio, "train/val/test shares of random splits, when the data brings none")
      ->group(group)
      ->capture_default_str()
      ->each(note);
  app.add_option("--num-splits", flags.num_splits, "how many random splits, when the data brings none")
      ->group(group)
      ->capture_default_str()
      ->each(note);
  add_view_flags(app, flags);
  add_column_flags(app, flags.columns, flags.csv);
}

void add_quiet_flag(CLI::App& app, DataFlags& flags) {
  app.add_flag("-q,--quiet", flags.quiet, "no progress and no notes on stderr");
}

std::filesystem::path data_dir(const DataFlags& flags) {
  return flags.data_dir.empty() ? default_data_dir() : std::filesystem::path(flags.data_dir);
}

Tables load_tables(const DataFlags& flags, const TrainedModel* model) {
  if (!flags.split_file.empty() && !flags.csv.split.empty())
    fail(Status::usage, "give either --split-file or --split-column");
  check_view(flags, model);
  Tables out = read_tables(flags, model);
  if (!flags.split_file.empty()) out.splits = read_splits(flags.split_file, flags.csv.id, out);
  if (flags.quiet) return out;
  for (const auto* notes : {&out.notes, &out.assumptions})
    for (const std::string& note : *notes) tell_note(note);
  const std::string columns = model ? "" : describe_columns(out);
  if (!columns.empty())
    tell("columns of " + (flags.csv.nodes.empty() ? flags.csv.database : flags.csv.nodes) + "\n" + columns);
  return out;
}

void add_config_file(const std::string& file) { config_files.push_back(file); }

void check_not_read(const DataFlags& flags, const std::string& out, std::vector<std::string> inputs) {
  if (out.empty()) return;
  inputs.insert(inputs.end(), {flags.csv.nodes, flags.csv.edges, flags.csv.more, flags.csv.labels, flags.csv.database,
                               flags.split_file, flags.data});
  inputs.insert(inputs.end(), config_files.begin(), config_files.end());
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (!input.empty() && std::filesystem::equivalent(out, input, ignored))
      fail(Status::usage, "'", out, "' is a file that is read; name another one");
  }
}

void check_output(const DataFlags& flags, const std::string& out, std::vector<std::string> inputs) {
  if (out.empty()) return;
  check_not_read(flags, out, std::move(inputs));
  if (is_of_system(out))
    fail(Status::usage, "'", out, "' leads to a device or an open file; name a file of your own, or leave the flag ",
         "out where the answer then goes to standard output");
  if (is_run_file(out)) fail(Status::usage, "'", out, "' is a file of a run; name another one");
}

std::pair<double, double> split_shares(const DataFlags& flags) { return parse_ratio(flags.ratio); }

Setup data_setup(const DataFlags& flags) {
  Setup out;
  std::tie(out.train_share, out.val_share) = split_shares(flags);
  out.num_splits = flags.num_splits;
  out.direction = flags.directed ? "in" : flags.direction;
  out.scale = flags.scale;
  return out;
}

}  // namespace gcnh::cli
