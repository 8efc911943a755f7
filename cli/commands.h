// The subcommands. Each adds itself to the program and does its work in a callback; results go to stdout, the rest to
// stderr.
#pragma once

#include <CLI/CLI.hpp>

namespace gcnh::cli {

void add_train(CLI::App& app);
void add_compare(CLI::App& app);
void add_tune(CLI::App& app);
void add_paper(CLI::App& app);
void add_journal(CLI::App& app);
void add_report(CLI::App& app);
void add_predict(CLI::App& app);
void add_eval(CLI::App& app);
void add_explain(CLI::App& app);
void add_embed(CLI::App& app);
void add_update(CLI::App& app);
void add_inspect(CLI::App& app);
void add_check(CLI::App& app);
void add_data(CLI::App& app);
void add_data_split(CLI::App& data);  // commands of data
void add_convert(CLI::App& data);
void add_shard(CLI::App& app);
void add_scale_sim(CLI::App& app);
void add_synth(CLI::App& app);
void add_models(CLI::App& app);
void add_bench(CLI::App& app);
void add_bench_explain(CLI::App& bench);

}  // namespace gcnh::cli
