// Graphs: made from arrays, from tables in memory or from files; looked at by views of their memory.
#include <optional>

#include "python/core/columns.h"
#include "python/core/core.h"

namespace gcnh::python {
namespace {

using Triple = std::tuple<Array<Index>, Array<Index>, Array<Index>>;

std::vector<Split> to_splits(const std::vector<Triple>& triples) {
  std::vector<Split> out;
  for (const auto& [train, val, test] : triples) out.push_back({to_vector(train), to_vector(val), to_vector(test)});
  return out;
}

Graph make_graph(Tables tables) {
  check_tables(tables);
  return {std::make_shared<const Tables>(std::move(tables))};
}

// What a graph is made of but its features. Edges are (edges, 2).
Tables tables_of(std::string name, const Array<Index>& edges, const std::optional<Array<Real>>& weights,
                 const Array<int>& labels, std::vector<std::string> classes, std::vector<std::string> ids,
                 std::vector<std::string> feature_names, const std::vector<Triple>& splits) {
  Tables out;
  out.name = std::move(name);
  out.edges.resize(static_cast<std::size_t>(edges.size() / 2));
  static_assert(sizeof(Edge) == 2 * sizeof(Index));
  std::memcpy(static_cast<void*>(out.edges.data()), edges.data(), out.edges.size() * sizeof(Edge));
  if (weights) out.edge_weights = to_vector(*weights);
  out.labels = to_vector(labels);
  out.classes = std::move(classes);
  out.ids = std::move(ids);
  out.feature_names = std::move(feature_names);
  out.splits = to_splits(splits);
  return out;
}

// Features are dense, or parts of a sparse matrix whose columns ascend within a row and that stores no zeros.
Graph from_arrays(std::string name, const Array<Index>& edges, const std::optional<Array<Real>>& weights,
                  const py::object& x, const Array<int>& labels, std::vector<std::string> classes,
                  std::vector<std::string> ids, std::vector<std::string> feature_names,
                  const std::vector<Triple>& splits) {
  Tables out = tables_of(std::move(name), edges, weights, labels, std::move(classes), std::move(ids),
                         std::move(feature_names), splits);
  out.features = features_as_read(x);
  const py::gil_scoped_release release;
  return make_graph(std::move(out));
}

using NamedCells = std::vector<std::pair<std::string, std::vector<std::string>>>;

std::vector<TextColumn> text_columns(const NamedCells& table) {
  std::vector<TextColumn> out;
  for (const auto& [name, cells] : table) out.push_back({name, cells});
  return out;
}

// What the files of the program would be read as; `source` holds fields of CsvSource.
CsvSource to_source(const py::dict& fields, const TrainedModel* model) {
  CsvSource out;
  const auto take = [&](const char* name, auto& field) { take_field(fields, name, field); };
  take("nodes", out.nodes);
  take("edges", out.edges);
  take("database", out.database);
  take("id", out.id);
  take("label", out.label);
  take("label_required", out.label_required);
  take("source", out.source);
  take("target", out.target);
  take("weight", out.weight);
  take("skip_unknown_ids", out.skip_unknown_ids);
  take("labels", out.labels);
  take("split", out.split);
  take("missing", out.missing);
  std::string features;
  take("features", features);
  if (!features.empty()) out.features = parse_feature_spec(features);
  if (model) out.features = feature_spec(*model);
  for (const auto& [field, kind] :
       {std::pair("categorical", ColumnKind::cat), {"numeric", ColumnKind::num}, {"ignore", ColumnKind::ignore}}) {
    std::vector<std::string> names;
    take(field, names);
    for (const std::string& name : names) declare(out.features, {.name = name, .kind = kind});
  }
  return out;
}

Graph from_tables(const std::string& name, const NamedCells& nodes, const NamedCells& edges, const py::dict& fields,
                  const Model* model) {
  CsvSource source = to_source(fields, model ? &model->trained : nullptr);
  source.nodes = "nodes";
  source.edges = edges.empty() ? "" : "edges";
  const py::gil_scoped_release release;
  const std::vector<TextColumn> node_columns = text_columns(nodes), edge_columns = text_columns(edges);
  Tables out = read_csv(source, [&](const std::string& table, const std::string&) {
    return std::make_unique<MemoryRows>(table, table == "nodes" ? node_columns : edge_columns);
  });
  out.name = name;
  return make_graph(std::move(out));
}

Graph from_files(const py::dict& fields) {
  const CsvSource source = to_source(fields, nullptr);
  const py::gil_scoped_release release;
  return make_graph(read_graph_files(source));
}

Graph load(const std::string& name, const std::string& folder) {
  const py::gil_scoped_release release;
  if (name == "synthetic") return make_graph(make_synthetic(SyntheticOptions{}));
  const std::vector<std::string> names = dataset_names();
  if (std::find(names.begin(), names.end(), name) == names.end() && std::filesystem::exists(name))
    return make_graph(load_path(name));
  return make_graph(load_named(name, folder.empty() ? default_data_dir() : std::filesystem::path(folder)));
}

// The same graph with other labels or splits.
Graph replace(const Graph& g, const std::optional<Array<int>>& labels,
              const std::optional<std::vector<std::string>>& classes,
              const std::optional<std::vector<Triple>>& splits) {
  Tables out = *g.tables;
  if (labels) out.labels = to_vector(*labels);
  if (classes) out.classes = *classes;
  if (splits) out.splits = to_splits(*splits);
  return make_graph(std::move(out));
}

py::object edges(const py::object& self) {
  const Tables& t = *self.cast<const Graph&>().tables;
  return view(reinterpret_cast<const Index*>(t.edges.data()), {std::ssize(t.edges), 2}, self);
}

py::object weights(const py::object& self) {
  const Tables& t = *self.cast<const Graph&>().tables;
  if (t.edge_weights.empty()) return py::none();
  return view(t.edge_weights.data(), {std::ssize(t.edge_weights)}, self);
}

py::list split_arrays(const py::object& self, const std::vector<Split>& splits) {
  py::list out;
  const auto array = [&](const std::vector<Index>& nodes) { return view(nodes.data(), {std::ssize(nodes)}, self); };
  for (const Split& s : splits) out.append(py::make_tuple(array(s.train), array(s.val), array(s.test)));
  return out;
}

// Those that the program would draw for data without splits.
py::list drawn_splits(const Graph& g, double train, double val, int count) {
  const Tables& t = *g.tables;
  Dataset labels;
  labels.labels = t.labels;
  labels.classes = t.classes;
  const std::vector<Split> splits =
      random_splits({.train_share = train, .val_share = val, .num_splits = count}, labels);
  py::list out;
  for (const Split& s : splits)
    out.append(py::make_tuple(to_array(std::span<const Index>(s.train)), to_array(std::span<const Index>(s.val)),
                              to_array(std::span<const Index>(s.test))));
  return out;
}

py::list check(const Graph& g) {
  std::vector<Remark> remarks;
  {
    const py::gil_scoped_release release;
    remarks = check_data(*g.tables);
  }
  py::list out;
  for (const Remark& r : remarks) {
    py::dict row;
    row["severity"] = to_word(r.severity);
    row["rule"] = r.rule;
    row["found"] = r.found;
    row["why"] = r.why;
    row["fix"] = r.fix;
    out.append(row);
  }
  return out;
}

std::string inspect(const Graph& g) {
  const py::gil_scoped_release release;
  const Dataset d = make_dataset(*g.tables);
  return inspect_json(d, measure_homophily(d));
}

py::dict column_kinds(const Graph& g) {
  py::dict out;
  for (const Column& column : g.tables->columns)
    out[py::str(column.spec.name)] = py::make_tuple(to_word(column.spec.kind), column.why);
  return out;
}

// Matrices that were published with the graph are read now: a pickle does not refer to files.
py::dict state(const py::object& self) {
  const Tables& t = *self.cast<const Graph&>().tables;
  py::dict published;
  for (const auto& [name, read] : t.published) {
    py::list matrices;
    for (const Csr& m : read()) matrices.append(csr_state(m));
    published[py::str(name)] = matrices;
  }
  py::list columns;
  for (const Column& column : t.columns) columns.append(column_state(column));
  py::dict out;
  out["name"] = t.name;
  out["edges"] = edges(self);
  out["weights"] = weights(self);
  out["x"] = features_state(t.features, self);
  out["labels"] = view(t.labels.data(), {std::ssize(t.labels)}, self);
  out["classes"] = t.classes;
  out["ids"] = t.ids;
  out["feature_names"] = t.feature_names;
  out["splits"] = split_arrays(self, t.splits);
  out["columns"] = columns;
  out["file_order"] = to_array(std::span<const Index>(t.file_order));
  out["metric"] = t.metric;
  out["notes"] = t.notes;
  out["published"] = published;
  return out;
}

Graph from_state(const py::dict& s) {
  using Names = std::vector<std::string>;
  Tables out = tables_of(s["name"].cast<std::string>(), s["edges"].cast<Array<Index>>(),
                         s["weights"].cast<std::optional<Array<Real>>>(), s["labels"].cast<Array<int>>(),
                         s["classes"].cast<Names>(), s["ids"].cast<Names>(), s["feature_names"].cast<Names>(),
                         s["splits"].cast<std::vector<Triple>>());
  out.features = features_as_given(s["x"]);
  for (const py::handle column : s["columns"]) out.columns.push_back(to_column(column.cast<py::dict>()));
  out.file_order = to_vector(s["file_order"].cast<Array<Index>>());
  out.metric = s["metric"].cast<std::string>();
  out.notes = s["notes"].cast<std::vector<std::string>>();
  for (const auto& [name, matrices] : s["published"].cast<py::dict>()) {
    std::vector<Csr> kept;
    for (const py::handle m : matrices) kept.push_back(csr_from(m.cast<py::tuple>()));
    out.published[name.cast<std::string>()] = [kept = std::move(kept)] { return kept; };
  }
  return make_graph(std::move(out));
}

}  // namespace

void add_graph(py::module_& m) {
  const auto of = [](auto member) { return [member](const Graph& g) { return g.tables.get()->*member; }; };
  py::class_<Graph>(m, "Graph", "What a graph is made of, as it was given; never changed.")
      .def_static("from_arrays", &from_arrays, py::arg("name"), py::arg("edges"), py::arg("weights"), py::arg("x"),
                  py::arg("labels"), py::arg("classes"), py::arg("ids"), py::arg("feature_names"), py::arg("splits"))
      .def_static("from_tables", &from_tables, py::arg("name"), py::arg("nodes"), py::arg("edges"), py::arg("fields"),
                  py::arg("model"))
      .def_static("from_files", &from_files, py::arg("fields"))
      .def_static("load", &load, py::arg("name"), py::arg("folder"))
      .def("replace", &replace, py::arg("labels"), py::arg("classes"), py::arg("splits"))
      .def_property_readonly("name", of(&Tables::name))
      .def_property_readonly("num_nodes", [](const Graph& g) { return g.tables->num_nodes(); })
      .def_property_readonly("classes", of(&Tables::classes))
      .def_property_readonly("ids", of(&Tables::ids))
      .def_property_readonly("feature_names", of(&Tables::feature_names))
      .def_property_readonly("metric", of(&Tables::metric))
      .def_property_readonly("notes", of(&Tables::notes))
      .def_property_readonly("edges", &edges)
      .def_property_readonly("weights", &weights)
      .def_property_readonly("labels",
                             [](const py::object& self) {
                               const Tables& t = *self.cast<const Graph&>().tables;
                               return view(t.labels.data(), {std::ssize(t.labels)}, self);
                             })
      .def_property_readonly(
          "x", [](const py::object& self) { return features_state(self.cast<const Graph&>().tables->features, self); })
      .def_property_readonly(
          "splits", [](const py::object& self) { return split_arrays(self, self.cast<const Graph&>().tables->splits); })
      .def("drawn_splits", &drawn_splits, py::arg("train"), py::arg("val"), py::arg("count"))
      .def("column_kinds", &column_kinds)
      .def("check", &check)
      .def("inspect", &inspect)
      .def(py::pickle(&state, &from_state));
  m.def("dataset_names", &dataset_names);
}

}  // namespace gcnh::python
