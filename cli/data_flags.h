// Flags that say where the graph comes from and how it is taken, of all commands that read one.
#pragma once

#include "cli/columns.h"
#include "cli/flags.h"

namespace gcnh::cli {

// Where the graph comes from.
struct DataFlags {
  std::string data;
  std::string data_dir;
  CsvSource csv;
  ColumnFlags columns;
  std::string split_file;
  std::string ratio = "48/32/20";
  int num_splits = 10;
  bool asks_for_splits = false;  // one of these two was given
  std::string direction;         // both | out | in | separate; empty: not given
  bool directed = false;         // the same as in
  std::string scale = "auto";
  bool quiet = false;
};

void add_data_flags(CLI::App& app, DataFlags& flags);
void add_quiet_flag(CLI::App& app, DataFlags& flags);
std::filesystem::path data_dir(const DataFlags& flags);
// What the reader notes, and what it took the columns for, goes to stderr, unless quiet. A model reads the columns as
// in its training; null: there is none.
Tables load_tables(const DataFlags& flags, const TrainedModel* model = nullptr);
// A file that flags were read from.
void add_config_file(const std::string& file);
// A slip of the keyboard must not cost the data: throws when the file to write is one of those that are read, by these
// flags, as one of the inputs or as --config.
void check_not_read(const DataFlags& flags, const std::string& out, std::vector<std::string> inputs = {});
// The same for a file that is no part of a run: nor may it be one of a run, or what leads to a device or to an open
// file.
void check_output(const DataFlags& flags, const std::string& out, std::vector<std::string> inputs = {});
// Shares of the training and the validation nodes in random splits.
std::pair<double, double> split_shares(const DataFlags& flags);

// How data is split, directed and scaled, and the defaults of everything else.
Setup data_setup(const DataFlags& flags);

}  // namespace gcnh::cli
