// A user's own tables: what is not as it should be is said in words that help.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "gcnh/io/npz.h"
#include "tests/support/packed.h"
#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

class OwnData : public ::testing::Test {
 protected:
  OwnData() {
    std::string nodes = "id,label,x\n", edges = "source,target\n";
    for (int i = 0; i < 20; ++i) {
      nodes += "n" + std::to_string(i) + (i % 2 ? ",a," : ",b,") + std::to_string(i % 5) + ".5\n";
      edges += "n" + std::to_string(i) + ",n" + std::to_string((i + 2) % 20) + "\n";
    }
    write_text(nodes_, nodes);
    write_text(edges_, edges);
  }

  std::vector<std::string> with_data(std::vector<std::string> args) const {
    args.insert(args.end(), {"--nodes", nodes_, "--edges", edges_});
    return args;
  }
  Answer train(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"train", "--epochs", "2", "--splits", "0"});
    return run_program(with_data(more));
  }
  void expect_refused(std::vector<std::string> args, int code, const std::vector<std::string>& words) const {
    const Answer a = run_program(with_data(std::move(args)));
    SCOPED_TRACE(a.err);
    EXPECT_EQ(a.code, code);
    EXPECT_EQ(std::count(a.err.begin(), a.err.end(), '\n'), 1) << "one line";
    for (const std::string& word : words) EXPECT_NE(a.err.find(word), std::string::npos) << word;
  }
  // The file in place of the nodes and in place of the edges.
  void expect_no_table(const std::string& path, int code, const std::vector<std::string>& words) {
    std::swap(nodes_, other_ = path);
    expect_refused({"inspect"}, code, words);
    std::swap(nodes_, other_);
    std::swap(edges_, other_ = path);
    expect_refused({"inspect"}, code, words);
    std::swap(edges_, other_);
  }
  std::string file(const std::string& name, std::string_view bytes) const {
    write_text(folder_ / name, bytes);
    return folder_ / name;
  }

  TempDir folder_;
  std::string nodes_ = folder_ / "nodes.csv", edges_ = folder_ / "edges.csv", other_;
};

// A zip file begins with its first member: signature, 22 bytes, length of the name, 2 bytes, name.
std::string zip_of(const std::string& member) {
  return std::string("PK\x03\x04") + std::string(22, '\0') + static_cast<char>(member.size()) + std::string(3, '\0') +
         member + "...";
}

TEST_F(OwnData, PackedTablesAreRead) {
  const Answer plain = run_program(with_data({"inspect"}));
  ASSERT_EQ(plain.code, 0) << plain.err;
  for (int filter : {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_BZIP2}) {
    write_text(nodes_ + ".x", packed(slurp(nodes_), filter));
    write_text(edges_ + ".x", packed(slurp(edges_), filter));
    const Answer a = run_program({"inspect", "--nodes", nodes_ + ".x", "--edges", edges_ + ".x"});
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(a.out.substr(a.out.find('\n')), plain.out.substr(plain.out.find('\n')));  // but for the name
  }
}

TEST_F(OwnData, DamagedPackedTablesAreNamed) {
  const std::string bad = "the packed data is damaged or cut off (";
  for (int filter : {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_BZIP2}) {
    const std::string whole = packed(slurp(nodes_), filter);
    expect_no_table(file("cut", whole.substr(0, whole.size() - 2)), 65, {"cut: " + bad});
  }
  const std::string gz = packed(slurp(nodes_), ARCHIVE_FILTER_GZIP);
  expect_no_table(file("twice.gz", packed(gz, ARCHIVE_FILTER_GZIP)), 65, {"twice.gz is packed twice; unpack it once"});
  expect_no_table(file("word.csv", "BZh"), 65, {"word.csv", "no column"});
  const std::string zip = file("n.zip", zip_of("nodes.csv"));
  expect_no_table(zip, 65, {"is a zip archive; unpack it first: unzip " + zip});
}

TEST_F(OwnData, FilesOfOtherKindsAreNamed) {
  expect_no_table(file("n.xlsx", zip_of("[Content_Types].xml")), 65,
                  {"n.xlsx", "spreadsheet", "save the sheet as CSV"});
  const std::vector<std::int64_t> ends = {0, 1};
  write_npz(folder_ / "g.npz", {{"edges", make_npy(std::span<const std::int64_t>(ends), {1, 2})}});
  expect_no_table(folder_ / "g.npz", 65, {"g.npz", "NumPy", "--data " + (folder_ / "g.npz").string()});
  expect_no_table(file("n.parquet", "PAR1....PAR1"), 65, {"n.parquet", "Parquet", "CSV"});
  expect_no_table(file("long.parquet", "PAR1" + std::string(1 << 20, '\0') + "PAR1"), 65, {"long.parquet", "Parquet"});
  expect_no_table(file("n.html", "<!DOCTYPE html>\n<html>"), 65, {"n.html", "web page"});
  ASSERT_EQ(train({"--out", folder_ / "run", "--quiet"}).code, 0);
  expect_no_table(folder_ / "run" / "model.safetensors", 65, {"safetensors", "predict takes it as `model`"});
}

TEST_F(OwnData, FoldersAndDevicesAreNotTables) {
  expect_no_table(folder_.path(), 74, {folder_.path().string() + "'", "is a folder; give a file"});
  expect_no_table("/dev/null", 74, {"/dev/null", "is a device"});
}

TEST_F(OwnData, ComeThroughPipes) {
  const std::string pipe = folder_ / "nodes";  // the name that nodes.csv gives
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Answer plain = run_program(with_data({"inspect"}));
  std::thread writer([&] { std::ofstream(pipe) << slurp(nodes_); });
  const Answer named = run_program({"inspect", "--nodes", pipe, "--edges", edges_});
  writer.join();
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_EQ(named.out, plain.out);
}

TEST_F(OwnData, ComeThroughStandardInput) {
  const Answer plain = run_program(with_data({"inspect"}));
  const auto shell = [&](const std::string& before, const std::string& nodes, const std::string& edges) {
    const std::string command = before + " \"" + GCNH_PROGRAM + "\" inspect --nodes " + nodes + " --edges " + edges +
                                " >" + (folder_ / "out").string() + " 2>&1";
    return std::system(command.c_str());
  };
  EXPECT_EQ(shell("cat " + edges_ + " |", nodes_, "-"), 0);
  EXPECT_EQ(slurp(folder_ / "out"), plain.out);
  EXPECT_EQ(shell("gzip -c " + edges_ + " |", nodes_, "/dev/stdin"), 0);
  EXPECT_EQ(slurp(folder_ / "out"), plain.out);
  EXPECT_EQ(shell("< " + edges_, nodes_, "/dev/stdin"), 0);  // a file there: nothing may be taken before it is read
  EXPECT_EQ(slurp(folder_ / "out"), plain.out);
  EXPECT_NE(shell("cat " + edges_ + " |", "-", "-"), 0);
  EXPECT_NE(slurp(folder_ / "out").find("--nodes and --edges cannot both be standard input"), std::string::npos);
  EXPECT_NE(shell("echo id |", "-", edges_), 0);
  EXPECT_NE(slurp(folder_ / "out").find("standard input: no column 'label'"), std::string::npos);
}

TEST_F(OwnData, ModelsAreTheirFilesOrRunFolders) {
  ASSERT_EQ(train({"--out", folder_ / "run", "--quiet"}).code, 0);
  const std::string model = folder_ / "run" / "model.safetensors";
  const std::vector<std::string> data = {"--nodes", nodes_, "--edges", edges_, "--quiet"};
  const auto predicted = [&](const std::string& path) {
    std::vector<std::string> args = {"predict", "--model", path};
    args.insert(args.end(), data.begin(), data.end());
    return run_program(args);
  };
  const Answer by_folder = predicted(folder_ / "run");
  ASSERT_EQ(by_folder.code, 0) << by_folder.err;
  EXPECT_EQ(by_folder.out, predicted(model).out);
  expect_refused({"predict", "--model", folder_.path()}, 74,
                 {"without model.safetensors; a model file in it is " + model});
  std::filesystem::create_directory(folder_ / "empty");
  expect_refused({"predict", "--model", folder_ / "empty"}, 74,
                 {"without model.safetensors; give the folder of a run that has one"});
  for (const std::string& wrong : {nodes_, file("m.gz", "\x1f\x8b\x08\x08....."), file("short", "id")})
    expect_refused({"predict", "--model", wrong}, 65, {wrong + ": ", "safetensors file"});
}

TEST_F(OwnData, ColumnsOfTheEdgesThatAreNotUsedAreNamed) {
  std::string dated = "source,weight,target,date\n", weighted = "source,weight,target\n";
  for (int i = 0; i < 20; ++i) {
    const std::string edge = "n" + std::to_string(i) + ",3,n" + std::to_string((i + 1) % 20);
    dated += edge + ",today\n";
    weighted += edge + "\n";
  }
  file("edges.csv", dated);
  const std::string note = "note: " + edges_ + ": columns not used: weight date\n";
  for (const char* command : {"inspect", "models"}) {
    EXPECT_EQ(run_program(with_data({command})).err, note) << command;
    EXPECT_EQ(run_program(with_data({command, "--quiet"})).err, "") << command;
  }
  EXPECT_EQ(train().err, note);
  EXPECT_EQ(train({"--quiet"}).err, "");
  const Answer a = train({"--json"});
  EXPECT_EQ(a.err, note);
  EXPECT_TRUE(nlohmann::json::accept(a.out));
  file("edges.csv", weighted);
  EXPECT_EQ(train().err, "note: " + edges_ + ": column not used: weight\n");
}

TEST_F(OwnData, EdgesToUnknownIdsCanBeSkipped) {
  file("edges.csv", slurp(edges_) + "n1,stranger\n");
  expect_refused({"inspect"}, 65,
                 {"node 'stranger' is not in nodes.csv", "--skip-unknown-ids to leave such edges out"});
  const Answer a = run_program(with_data({"inspect", "--skip-unknown-ids"}));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.err.find("1 edge left out"), std::string::npos) << a.err;
}

TEST_F(OwnData, WithoutEdgesItGoesOnAndSaysSo) {
  file("edges.csv", "source,target\n");
  const Answer a = train();
  EXPECT_EQ(a.code, 0);
  EXPECT_TRUE(a.err.starts_with("note: " + edges_ + " has no edges:")) << a.err;
  file("edges.csv", "");
  expect_refused({"inspect"}, 65, {"edges.csv: the file is empty"});
}

// A spreadsheet's export: a byte order mark, sep=, semicolons, decimal commas, times, columns without a name at the
// end.
TEST_F(OwnData, SpreadsheetsAreReadAsTheyAreExported) {
  std::string nodes =
      "\xEF\xBB\xBF"
      "sep=;\r\nNr;Segment;Umsatz, netto;Rabatt;Zuletzt;Uhrzeit;PLZ;;\r\n";
  std::string edges =
      "\xEF\xBB\xBF"
      "A;B;Anteil\r\n";
  for (int i = 0; i < 40; ++i) {
    nodes += "000" + std::to_string(10 + i) + (i % 2 ? ";Gold" : ";Silber") + ";1." + std::to_string(100 + 17 * i) +
             ",50 €;" + std::to_string(i % 7) + ",5 %;" + std::to_string(10 + i % 18) + ".03.21;" +
             std::to_string(8 + i % 9) + ":05;0" + std::to_string(4100 + i % 3) + ";;\r\n";
    edges += "000" + std::to_string(10 + i) + ";000" + std::to_string(10 + (i + 2) % 40) + ";0," +
             std::to_string(1 + i % 9) + "\r\n";
  }
  write_text(nodes_, nodes);
  write_text(edges_, edges);
  const Answer a = train({"--id", "Nr", "--label", "Segment", "--src", "A", "--dst", "B", "--weight", "Anteil"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* line :
       {"Umsatz, netto  num ?", "Rabatt         num ?", "Zuletzt        date ", "Uhrzeit        date ",
        "PLZ            cat ", "times of day", "'Anteil' is read as numbers"})
    EXPECT_NE(a.err.find(line), std::string::npos) << line << " in\n" << a.err;
  EXPECT_EQ(a.err.find("no name"), std::string::npos) << a.err;
}

TEST_F(OwnData, NamesWithCommasStandInQuotes) {
  std::string nodes = "id,label,\"rent, paid\",city\n";
  for (int i = 0; i < 40; ++i)
    nodes += "n" + std::to_string(i) + (i % 2 ? ",a," : ",b,") + std::to_string(100 + 7 * i) + " EUR,c" +
             std::to_string(i % 3) + "\n";
  write_text(nodes_, nodes);
  write_text(edges_, "source,target\nn0,n1\n");
  const auto err_of = [&](const std::vector<std::string>& flags) { return run_program(with_data(flags)).err; };
  EXPECT_NE(err_of({"inspect"}).find("--categorical '\"rent, paid\"' if"), std::string::npos) << err_of({"inspect"});
  const std::string config = folder_ / "c.toml";
  write_text(config, "ignore = ['\"rent, paid\",city']\n");
  using Flags = std::vector<std::string>;
  for (const Flags& flags : {Flags{"--ignore", "\"rent, paid\",city"},
                             {"--ignore", "\"rent, paid\"", "--ignore", "city"},
                             {"--features", "ignore:city,\"rent, paid\""},
                             {"--config", config}}) {
    Flags all = {"inspect", "--json"};
    all.insert(all.end(), flags.begin(), flags.end());
    const Answer a = run_program(with_data(all));
    ASSERT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(nlohmann::json::parse(a.out)["features"], 0) << flags[1];
  }
  const Answer missing = run_program(with_data({"inspect", "--missing", "\"rent, paid\"=100 EUR,107 EUR"}));
  EXPECT_EQ(missing.code, 0) << missing.err;
}

TEST_F(OwnData, MissingWordsAreForColumnsThatHaveThem) {
  const std::string nodes = slurp(nodes_);
  write_text(nodes_, std::regex_replace(nodes, std::regex("n3,a"), "n3,tbd"));
  const Answer a = run_program(with_data({"inspect", "--json", "--missing", "label=tbd"}));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(nlohmann::json::parse(a.out)["classes"], 2);
  write_text(nodes_, std::regex_replace(nodes, std::regex(",a"), ",None"));
  const Answer none = run_program(with_data({"inspect", "--json"}));
  for (const char* part : {"labels 'None'", "--missing-label", "'!None'"})  // lines may end between them
    EXPECT_NE(none.err.find(part), std::string::npos) << none.err;
  const Answer kept = run_program(with_data({"inspect", "--json", "--missing-label", "!None"}));
  EXPECT_EQ(kept.err, "");
  EXPECT_EQ(nlohmann::json::parse(kept.out)["classes"], nlohmann::json::parse(none.out)["classes"].get<int>() + 1);
  write_text(nodes_, nodes);
  expect_refused({"inspect", "--missing", "id=n3"}, 2, {"--missing: column 'id' holds ids or splits"});
  expect_refused({"inspect", "--missing", "y=0"}, 65, {"no column 'y'; columns: id label x"});
  expect_refused({"inspect", "--missing", "x="}, 2, {"--missing: 'x=' names no word; an empty cell is missing anyway"});
}

TEST_F(OwnData, SwappedFilesAreNoticed) {
  std::swap(nodes_, edges_);
  expect_refused({"inspect"}, 65, {"edges.csv: no column 'id'", "source target", "--nodes and --edges swapped?"});
}

TEST_F(OwnData, CountsOfOneAreNotPlural) {
  file("nodes.csv", "id,label,x,set\na,k,1,train\nb,m,2,val\nc,k,3,test\n");
  file("edges.csv", "source,target\na,a\na,b\n");
  const std::regex wrong(
      "(^|[^0-9.,±+-])1 ((?!s |class|loss)[a-z-]+ )?(?!s\\b|class\\b|loss\\b|is\\b|minus\\b|points\\b)[a-z-]+s\\b");
  const auto expect_singular = [&](const std::vector<std::string>& args) {
    const Answer a = run_program(with_data(args));
    EXPECT_EQ(a.code, 0) << a.err;
    std::smatch found;
    const std::string text = a.out + a.err;
    EXPECT_FALSE(std::regex_search(text, found, wrong)) << found.str() << " in\n" << text;
  };
  const std::string out = folder_ / "out";
  expect_singular({"inspect", "--split-column", "set"});
  expect_singular({"train", "--split-column", "set", "--epochs", "1"});
  expect_singular({"compare", "--no-tune", "--split-column", "set", "--epochs", "1"});
  expect_singular(
      {"tune", "--split-column", "set", "--grid", file("g.toml", "hidden = [8]"), "--epochs", "1", "--out", out});
}

}  // namespace
}  // namespace gcnh::testing
