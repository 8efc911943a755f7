#include "gcnh/report/escape.h"

#include <gtest/gtest.h>

namespace gcnh::report {
namespace {

TEST(Escape, HtmlLeavesNothingThatActs) {
  EXPECT_EQ(escape_html("</script><b a='1' c=\"2\">&`"),
            "&lt;/script&gt;&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;&#96;");
  EXPECT_EQ(escape_html("a\x01"
                        "b\x7f"),
            "a\uFFFDb\uFFFD");
  EXPECT_EQ(escape_html("tab\tline\n"), "tab line ");
}

TEST(Escape, DirectionMarksBecomeVisible) {
  EXPECT_EQ(escape_html("ab\u202Edc\u202C"), "ab(U+202E)dc(U+202C)");
  EXPECT_EQ(escape_html("عربي"), "عربي") << "letters of right-to-left scripts stay";
}

TEST(Escape, BrokenBytesAreReplaced) {
  EXPECT_EQ(clean_text("a\xff"
                       "b"),
            "a\uFFFDb");
  EXPECT_EQ(clean_text("\xc0\xaf"), "\uFFFD\uFFFD") << "overlong";
  EXPECT_EQ(clean_text("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD") << "surrogate";
  EXPECT_EQ(clean_text("\xe2\x82"), "\uFFFD\uFFFD") << "cut off";
  EXPECT_EQ(clean_text("€😀é"), "€😀é");
}

TEST(Escape, Latex) {
  EXPECT_EQ(escape_latex("\\{}$&#_%~^<>|±"),
            "\\textbackslash{}\\{\\}\\$\\&\\#\\_\\%\\textasciitilde{}\\textasciicircum{}$<$$>$$|$$\\pm$");
}

TEST(Escape, WidthsAndShortForms) {
  EXPECT_EQ(display_width("aé漢"), 4u);
  EXPECT_EQ(shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(shorten("abcdefg", 6), "abcde…");
  EXPECT_EQ(shorten("漢字漢字", 5), "漢字…");
}

}  // namespace
}  // namespace gcnh::report
