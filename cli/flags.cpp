#include "cli/flags.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>

#include "cli/help.h"
#include "cli/layout.h"

namespace gcnh::cli {
namespace {

std::string started_as;
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

CLI::Validator number_between(double low, double high) {
  const auto check = [=](const std::string& text) {
    double value = 0;
    const bool is_number = CLI::detail::lexical_cast(text, value);
    return is_number && value >= low && value <= high
               ? std::string()
               : fmt::format("'{}'; a number from {} to {} is expected", text, low, high);
  };
  return CLI::Validator(check, fmt::format("NUMBER in {} to {}", low, high));
}

CLI::Validator a_seed() {
  const auto check = [](const std::string& text) {
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && rest == text.data() + text.size()
               ? std::string()
               : fmt::format("'{}'; a whole number from 0 to {} is expected", text,
                             std::numeric_limits<std::uint64_t>::max());
  };
  return CLI::Validator(check, "");
}

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

void complete_quiet_flags(CLI::App& program) {
  const std::string help = "accepted by every command; this one has no progress and no notes";
  for (CLI::App* command : leaf_commands(program))
    if (!command->get_option_no_throw("--quiet")) command->add_flag("-q,--quiet", help);
}

void tell(const std::string& line) { std::fputs((printable(line) + "\n").c_str(), stderr); }

// Notes name fields of the library: `missing_label`.
static std::string with_flags(std::string note) {
  for (std::size_t begin = 0; (begin = note.find('`', begin)) != std::string::npos; ++begin)
    if (const std::size_t end = note.find('`', begin + 1); end != std::string::npos)
      note.replace(begin, end + 1 - begin, flag_name(note.substr(begin + 1, end - begin - 1)));
  return note;
}

void tell_note(const std::string& note) {
  std::string text = wrapped("note: ", with_flags(note));
  text.pop_back();
  tell(text);
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

void check_new(const std::filesystem::path& out, bool force) {
  std::error_code ignored;
  if (!force && std::filesystem::exists(std::filesystem::symlink_status(out, ignored)))
    fail(Status::usage, "'", out.string(), "' is there already; --force replaces it");
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

std::string flag_name(const std::string& option) {
  std::string out = "--" + option;
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

std::string in_flags(const CLI::App& command, std::string message) {
  const auto flag_of = [](const std::string& field) {
    const std::map<std::string, std::string> others = {
        {"source", "--src"}, {"target", "--dst"}, {"split", "--split-column"}};
    const auto other = others.find(field);
    return other == others.end() ? flag_name(field) : other->second;
  };
  for (std::size_t begin = 0; (begin = message.find('`', begin)) != std::string::npos; ++begin) {
    const std::size_t end = std::min(message.find('`', begin + 1), message.size());
    const std::string flag = flag_of(message.substr(begin + 1, end - begin - 1));
    if (command.get_option_no_throw(flag)) message.replace(begin, end + 1 - begin, flag);
  }
  const std::size_t colon = std::min(message.find(": "), message.size());
  const std::string flag = flag_of(message.substr(0, colon));
  const CLI::Option* option = command.get_option_no_throw(flag);
  return option && option->count() > 0 ? flag + message.substr(colon) : message;
}

CLI::Option* take_list(CLI::Option* option) {
  return option->delimiter(',')->transform([](const std::string& word) { return CLI::detail::trim_copy(word); });
}

CLI::Option* add_names(CLI::App& app, const std::string& flag, std::vector<std::string>& names,
                       const std::string& help) {
  const auto take = [&names](const std::vector<std::string>& lists) {
    names.clear();
    for (const std::string& list : lists)
      for (std::string& name : split_list(list))
        if (!name.empty()) names.push_back(std::move(name));
  };
  return app.add_option_function<std::vector<std::string>>(flag, take, help);
}

std::string for_shell(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + gcnh::for_shell(word);
  return out;
}

void set_command_line(int argc, const char* const* argv) {
  std::vector<std::string> words = {"gcnh"};  // wherever the program lies
  words.insert(words.end(), argv + std::min(argc, 1), argv + argc);
  started_as = for_shell(words);
}

const std::string& command_line() { return started_as; }

void OptionFlags::add(CLI::App& app, const OptionInfo& info, const std::string& group, const std::string& defaults) {
  if (options_.contains(info.name)) return;
  double number = 0;
  const char* type = !info.words.empty() ? "WORD" : read_number(info.value, number) ? "N" : "TEXT";
  options_[info.name] = app.add_option(flag_name(info.name), texts_[info.name], info.help)
                            ->group(group)
                            ->type_name(type)
                            ->default_str(defaults.empty() ? info.value : defaults);
}

const OptionValues OptionFlags::values() const {
  OptionValues out;
  for (const auto& [name, option] : options_)
    if (option->count() > 0) out[name] = texts_.at(name);
  return out;
}

}  // namespace gcnh::cli
