// Makes the files of a form from a graph; convert_graph is what others call.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gcnh/io/convert.h"
#include "gcnh/io/graph_text.h"

namespace gcnh {

// The contents of files come first, and with them flags and notes; nothing is written before all of them are there.
class Converter {
 public:
  Converter(const Tables& tables, std::filesystem::path to) : tables_(tables), to_(std::move(to)) {}

  Converted run(bool replace);

  // A form, the ending that chooses it, its files, and who fills them. What is here of a file's name stands in place of
  // the ending; kOwn: the file has the name itself.
  struct Form {
    std::string ending;
    std::vector<std::string> files;
    void (Converter::*make)();
  };
  static constexpr const char* kOwn = "";
  static const std::vector<Form>& forms();
  static const Form& form_of(const std::filesystem::path& to);
  static std::filesystem::path named(const std::filesystem::path& to, const std::string& file);

 private:
  // convert_forms.cpp
  void make_npz();
  void make_csv();
  void make_edge_list();
  void make_sqlite();
  void make_svmlight();
  void make_matrix_market();
  void make_scipy();
  void make_ogb();
  void make_gexf();

  std::filesystem::path named(const std::string& file) const { return named(to_, file); }
  void add(const std::string& file, std::string bytes) { contents_.emplace_back(named(file), std::move(bytes)); }
  void add_flag(const std::string& flag, const std::string& value) {
    out_.flags.insert(out_.flags.end(), {flag, value});
  }
  void add_table_flags(const NodeColumnNames& names);
  void add_scale_flag();
  void add_matrix(const std::string& features, std::string feature_bytes, const std::string& edges,
                  std::string edge_bytes);
  void check_words() const;
  void note_numbers(const std::vector<std::string>& words);
  void note_names(bool classes);
  void note_digits();

  const Tables& tables_;
  std::filesystem::path to_;
  std::vector<std::pair<std::filesystem::path, std::string>> contents_;
  Converted out_;
};

}  // namespace gcnh
