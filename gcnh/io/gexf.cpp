#include "gcnh/io/gexf.h"

#include <fmt/core.h>

#include <string_view>

#include "gcnh/io/graph_text.h"

namespace gcnh {
namespace {

// Letters that XML 1.0 forbids: of control characters it takes line ends and tabs alone, and neither U+FFFE nor U+FFFF.
std::string xml_text(std::string_view text) {
  constexpr const char* kReplacement = "\xEF\xBF\xBD";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool is_mark = c == '&' || c == '<' || c == '>' || c == '"' || c == '\t' || c == '\n' || c == '\r';
    if (is_mark) {
      out += fmt::format("&#{};", static_cast<int>(c));
    } else if (c < ' ') {
      out += kReplacement;
    } else if (text.substr(i).starts_with("\xEF\xBF\xBE") || text.substr(i).starts_with("\xEF\xBF\xBF")) {
      out += kReplacement;
      i += 2;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out;
}

}  // namespace

std::string gexf_text(const Tables& tables) {
  const std::vector<std::string> words = label_words(tables);
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">\n"
      "<graph defaultedgetype=\"directed\">\n"
      "<attributes class=\"node\"><attribute id=\"0\" title=\"class\" type=\"string\"/></attributes>\n<nodes>\n";
  for (Index node = 0; node < tables.num_nodes(); ++node) {
    out += fmt::format("<node id=\"{}\" label=\"{}\"", node, xml_text(node_id(tables, node)));
    out += words[node].empty() ? "/>\n"
                               : fmt::format("><attvalues><attvalue for=\"0\" value=\"{}\"/></attvalues></node>\n",
                                             xml_text(words[node]));
  }
  out += "</nodes>\n<edges>\n";
  for (std::size_t e = 0; e < tables.edges.size(); ++e) {
    const std::string weight = tables.edge_weights.empty() ? "" : fmt::format(" weight=\"{}\"", tables.edge_weights[e]);
    out += fmt::format("<edge id=\"{}\" source=\"{}\" target=\"{}\"{}/>\n", e, tables.edges[e].source,
                       tables.edges[e].target, weight);
  }
  return out + "</edges>\n</graph>\n</gexf>\n";
}

}  // namespace gcnh
