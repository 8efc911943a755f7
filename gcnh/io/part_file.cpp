#include "gcnh/io/part_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/io/json.h"

namespace gcnh {
namespace {

using json = nlohmann::ordered_json;

// What a part has in common with others, as arrays.
struct Neighbourhood {
  std::vector<int> parts;
  std::vector<Index> ghosts_end;       // the ghosts of a neighbour end here and begin where those before it end
  std::vector<std::int64_t> lent_end;  // the same in `lent`
  std::vector<Index> lent;
};

Neighbourhood flatten(const Part& part) {
  Neighbourhood out;
  Index end = part.num_own;
  for (const Part::Neighbour& n : part.neighbours) {
    out.parts.push_back(n.part);
    if (n.begin < n.end) end = n.end;
    out.ghosts_end.push_back(end);
    out.lent.insert(out.lent.end(), n.lent.begin(), n.lent.end());
    out.lent_end.push_back(std::ssize(out.lent));
  }
  return out;
}

void write_csr(SectionWriter& out, const std::string& name, const Csr& a) {
  out.array(name + ".offsets", a.offsets);
  out.array(name + ".indices", a.indices);
  out.array(name + ".values", a.values);
}

// A file can be whole and yet not be ours: nothing in it may lead out of an array.
class PartReader {
 public:
  explicit PartReader(SectionReader& in) : in_(in) {}

  Part read();

 private:
  void check(bool holds, const char* section, const char* what) const {
    require(holds, in_.path(), ": section '", section, "': ", what);
  }
  void read_about();
  void read_rows();
  void read_neighbours();
  Csr read_csr(const std::string& name, Index cols);
  Features read_features();

  SectionReader& in_;
  Part part_;
  Index rows_ = 0, features_ = 0;
  bool is_sparse_ = false;
};

void PartReader::read_about() {
  Dataset& d = part_.dataset;
  try {
    const json about = parse_json<json>(in_.text("about"), in_.path());
    about.at("part").get_to(part_.number);
    about.at("parts").get_to(part_.count);
    about.at("own").get_to(part_.num_own);
    about.at("rows").get_to(rows_);
    about.at("features").get_to(features_);
    about.at("is_sparse").get_to(is_sparse_);
    about.at("is_weighted").get_to(d.weighted);
    about.at("name").get_to(d.name);
  } catch (const json::exception& problem) {
    fail(Status::data, in_.path(), ": section 'about': ", problem.what());
  }
  d.classes = in_.texts("classes");
  check(part_.number >= 0 && part_.number < part_.count, "about", "no such part");
  check(part_.num_own >= 0 && part_.num_own <= rows_ && features_ >= 0, "about", "no such size");
}

Csr PartReader::read_csr(const std::string& name, Index cols) {
  Csr out{rows_, cols, in_.array<Offset>(name + ".offsets"), in_.array<Index>(name + ".indices"), {}};
  const bool fits = std::ssize(out.offsets) == Offset{rows_} + 1 && out.offsets.front() == 0 &&
                    out.offsets.back() == out.nnz() && std::is_sorted(out.offsets.begin(), out.offsets.end());
  check(fits, (name + ".offsets").c_str(), "they do not divide the entries into rows");
  const bool inside = std::all_of(out.indices.begin(), out.indices.end(), [&](Index v) { return v >= 0 && v < cols; });
  check(inside, (name + ".indices").c_str(), "a column that does not exist");
  out.values = in_.array<Real>(name + ".values");
  check(out.values.empty() || std::ssize(out.values) == out.nnz(), (name + ".values").c_str(), "not one per entry");
  return out;
}

Features PartReader::read_features() {
  if (is_sparse_) return read_csr("features", features_);
  return in_.matrix("features", rows_, features_);
}

void PartReader::read_rows() {
  Dataset& d = part_.dataset;
  part_.ids = in_.array<Index>("ids");
  d.labels = in_.array<int>("labels");
  d.adjacency = read_csr("adjacency", rows_);
  d.whole_sums.rows = in_.array<double>("whole_sums.rows");
  d.whole_sums.columns = in_.array<double>("whole_sums.columns");
  d.features = read_features();
  part_.feature_entries = in_.array<Offset>("feature_entries");
  part_.looped_entries = in_.array<Offset>("looped_entries");
  const auto classes = d.num_classes();
  const auto none_negative = [](const auto& numbers) {
    return std::none_of(numbers.begin(), numbers.end(), [](auto x) { return x < 0; });
  };
  check(std::ssize(part_.ids) == rows_, "ids", "not one per row");
  check(none_negative(part_.ids), "ids", "no such node");
  check(std::ssize(d.labels) == rows_ &&
            std::all_of(d.labels.begin(), d.labels.end(), [&](int k) { return k >= -1 && k < classes; }),
        "labels", "not a class per row");
  check(std::ssize(d.whole_sums.rows) == rows_, "whole_sums.rows", "not one per row");
  check(std::ssize(d.whole_sums.columns) == rows_, "whole_sums.columns", "not one per row");
  check(std::ssize(part_.feature_entries) == (is_sparse_ ? rows_ : 0), "feature_entries", "not one per row");
  check(std::ssize(part_.looped_entries) == part_.num_own, "looped_entries", "not one per own node");
  check(none_negative(part_.feature_entries), "feature_entries", "no such entry");
  check(none_negative(part_.looped_entries), "looped_entries", "no such entry");
}

void PartReader::read_neighbours() {
  const Neighbourhood all{in_.array<int>("neighbours"), in_.array<Index>("ghosts_end"),
                          in_.array<std::int64_t>("lent_end"), in_.array<Index>("lent")};
  check(all.ghosts_end.size() == all.parts.size(), "ghosts_end", "not one per neighbour");
  check(all.lent_end.size() == all.parts.size(), "lent_end", "not one per neighbour");
  const auto is_own = [&](Index u) { return u >= 0 && u < part_.num_own; };
  check(std::all_of(all.lent.begin(), all.lent.end(), is_own), "lent", "a row of another part");
  Index ghosts = part_.num_own;
  std::int64_t lent = 0;
  for (std::size_t i = 0; i < all.parts.size(); ++i) {
    check(all.parts[i] >= 0 && all.parts[i] < part_.count, "neighbours", "no such part");
    check(all.ghosts_end[i] >= ghosts && all.ghosts_end[i] <= rows_, "ghosts_end", "it leads out of the rows");
    check(all.lent_end[i] >= lent && all.lent_end[i] <= std::ssize(all.lent), "lent_end", "it leads out of 'lent'");
    const auto lends = [&](std::int64_t at) { return all.lent.begin() + at; };
    Part::Neighbour& n = part_.neighbours.emplace_back();
    n.part = all.parts[i];
    n.lent.assign(lends(lent), lends(all.lent_end[i]));
    if (all.ghosts_end[i] > ghosts) std::tie(n.begin, n.end) = std::pair(ghosts, all.ghosts_end[i]);
    ghosts = all.ghosts_end[i];
    lent = all.lent_end[i];
  }
  check(ghosts == rows_, "ghosts_end", "a ghost belongs to nobody");
}

Part PartReader::read() {
  read_about();
  read_rows();
  read_neighbours();
  in_.finish();
  return std::move(part_);
}

}  // namespace

std::uint64_t write_part(const std::filesystem::path& path, const Part& part) {
  // Does not compile until a new field has a place in the file.
  const auto& [number, count, d, num_own, ids, neighbours, feature_entries, looped_entries] = part;
  const json about = {{"part", number},
                      {"parts", count},
                      {"own", num_own},
                      {"rows", d.num_nodes()},
                      {"features", d.features.cols()},
                      {"is_sparse", d.features.is_sparse()},
                      {"is_weighted", d.weighted},
                      {"name", d.name}};
  const Neighbourhood all = flatten(part);
  SectionWriter out(kPartFile);
  out.text("about", about.dump(-1, ' ', false, json::error_handler_t::replace));
  out.texts("classes", d.classes);
  out.array("ids", ids);
  out.array("labels", d.labels);
  write_csr(out, "adjacency", d.adjacency);
  out.array("whole_sums.rows", d.whole_sums.rows);
  out.array("whole_sums.columns", d.whole_sums.columns);
  if (d.features.is_sparse()) {
    write_csr(out, "features", d.features.sparse());
  } else {
    out.matrix("features", d.features.dense());
  }
  out.array("feature_entries", feature_entries);
  out.array("looped_entries", looped_entries);
  out.array("neighbours", all.parts);
  out.array("ghosts_end", all.ghosts_end);
  out.array("lent_end", all.lent_end);
  out.array("lent", all.lent);
  return out.write(path);
}

Part read_part(const std::filesystem::path& path, std::uint64_t& fingerprint) {
  SectionReader in(path, kPartFile);
  fingerprint = in.fingerprint();
  return PartReader(in).read();
}

}  // namespace gcnh
