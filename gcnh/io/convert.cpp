#include "gcnh/io/convert.h"

#include "gcnh/base/error.h"
#include "gcnh/io/converter.h"
#include "gcnh/io/file.h"

namespace gcnh {

namespace fs = std::filesystem;

namespace {

// A folder's name may end with one.
fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

}  // namespace

const std::vector<Converter::Form>& Converter::forms() {
  static const std::vector<Form> forms = {
      {".scipy.npz", {"-features.npz", "-labels.txt", "-edges.npz", "-splits.csv"}, &Converter::make_scipy},
      {".npz", {kOwn}, &Converter::make_npz},
      {".csv", {"-nodes.csv", "-edges.csv"}, &Converter::make_csv},
      {".edges", {"-nodes.csv", kOwn}, &Converter::make_edge_list},
      {".db", {kOwn}, &Converter::make_sqlite},
      {".sqlite", {kOwn}, &Converter::make_sqlite},
      {".svm", {kOwn, "-edges.mtx", "-splits.csv"}, &Converter::make_svmlight},
      {".svmlight", {kOwn, "-edges.mtx", "-splits.csv"}, &Converter::make_svmlight},
      {".libsvm", {kOwn, "-edges.mtx", "-splits.csv"}, &Converter::make_svmlight},
      {".mtx", {"-features.mtx", "-labels.txt", "-edges.mtx", "-splits.csv"}, &Converter::make_matrix_market},
      {".ogb", {kOwn}, &Converter::make_ogb},
      {".gexf", {kOwn}, &Converter::make_gexf},
  };
  return forms;
}

const Converter::Form& Converter::form_of(const fs::path& to) {
  const std::string name = to.filename().string();
  for (const Form& form : forms())
    if (name.size() > form.ending.size() && name.ends_with(form.ending)) return form;
  fail(Status::usage, "`to`: '", to.string(), "' has none of the endings ", conversion_endings());
}

fs::path Converter::named(const fs::path& to, const std::string& file) {
  if (file == kOwn) return to;
  const std::string name = to.filename().string();
  return to.parent_path() / (name.substr(0, name.size() - form_of(to).ending.size()) + file);
}

Converted Converter::run(bool replace) {
  const Form& form = form_of(to_);
  std::error_code ignored;
  for (const fs::path& file : conversion_files(to_))
    if (!replace && fs::exists(fs::symlink_status(file, ignored)))
      fail(Status::usage, "'", file.string(), "' is there already; `force` replaces it");
  (this->*form.make)();
  for (const auto& [path, bytes] : contents_) {
    write_atomically(path, bytes);
    out_.files.push_back(path);
  }
  return std::move(out_);
}

std::string conversion_endings() {
  std::string out;
  for (const Converter::Form& form : Converter::forms()) out += (out.empty() ? "" : ", ") + form.ending;
  return out;
}

std::vector<fs::path> conversion_files(const fs::path& to) {
  std::vector<fs::path> out;
  const fs::path name = without_slash(to);
  for (const std::string& file : Converter::form_of(name).files) out.push_back(Converter::named(name, file));
  return out;
}

Converted convert_graph(const Tables& tables, const fs::path& to, bool replace) {
  return Converter(tables, without_slash(to)).run(replace);
}

}  // namespace gcnh
