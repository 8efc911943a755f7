// The report in a real browser: what it shows, and what it must not do.
#include "tests/report/browser.h"

#include <gtest/gtest.h>

#include "tests/report/run_fixture.h"

namespace gcnh::testing {
namespace {

using nlohmann::json;

TEST(Browser, TheReportWorksAndStaysWithinItself) {
  NEED_BROWSER();
  const TempDir folder;
  compare_hostile(folder);
  const json page = ask_page(slurp(folder / "runs/report.html"), R"js(
    const svg = document.querySelector('#chart-scores');
    const marks = Array.from(svg.querySelectorAll('.mark[data-y]'),
                             m => [m.dataset.series, +m.dataset.x, +m.dataset.y]);
    svg.focus();
    svg.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
    const tip = document.querySelector('.tip').textContent;
    svg.querySelectorAll('.key')[1].dispatchEvent(new MouseEvent('click', {bubbles: true}));
    const dim = svg.querySelectorAll('.series.dim').length;
    const table = document.querySelector('#table-comparison table');
    const before = Array.from(table.tBodies[0].rows, r => r.cells[0].textContent);
    const button = table.tHead.rows[0].cells[5].querySelector('button');
    button.click(); button.click();
    const sorted = Array.from(table.tBodies[0].rows, r => +r.cells[5].textContent.replace(/\D/g, ''));
    const map = document.querySelector('#chart-map');
    const place = () => map.querySelector('.cloud .mark').outerHTML;
    const whole = place();
    map.parentNode.querySelector('.tools button').click();
    await new Promise(r => setTimeout(r, 50));
    return {ready: document.documentElement.dataset.ready, title: document.title, marks, tip, dim, sorted, before,
            zoomed: place() !== whole, nodes: map.querySelectorAll('.series .mark').length,
            fetched: performance.getEntriesByType('resource').length,
            overflow: document.documentElement.scrollWidth - innerWidth};)js");
  EXPECT_EQ(page["problems"], json::array());
  const json& answer = page["answer"];
  EXPECT_EQ(answer["ready"], "true");
  EXPECT_EQ(answer["title"], "Report on nodes");
  EXPECT_EQ(answer["fetched"], 0);
  EXPECT_EQ(answer["nodes"], 90);
  EXPECT_TRUE(answer["zoomed"].get<bool>());
  EXPECT_EQ(answer["dim"], 1) << "a click on the legend leaves one series of two";
  EXPECT_LE(answer["overflow"].get<int>(), 0);
  ASSERT_EQ(answer["sorted"].size(), 5u) << "two models and three floors";
  EXPECT_GT(answer["sorted"][0], answer["sorted"][1]);
  json expected = json::array();
  const std::vector<std::string> models = {"gcnh", "mlp", "logreg", "majority", "labelprop"};
  for (std::size_t i = 0; i < models.size(); ++i)
    expected.push_back({"mean ± population std", i, result_of(folder, models[i])["test_accuracy"]["mean"]});
  for (std::size_t i = 0; i < models.size(); ++i) {
    const json result = result_of(folder, models[i]);
    for (const json& split : result["splits"]) expected.push_back({"each split", i, split["test_accuracy"]});
  }
  ASSERT_EQ(expected.size(), 20u);
  EXPECT_EQ(answer["marks"], expected) << "the marks are the numbers of result.json, bit for bit";
  EXPECT_NE(answer["tip"].get<std::string>().find("mean ± population std"), std::string::npos) << answer["tip"];
}

TEST(Browser, TheReportReadsWithoutScripts) {
  NEED_BROWSER();
  const TempDir folder;
  compare_hostile(folder);
  // A frame that may not run scripts, looked into from outside.
  std::string text = json(slurp(folder / "runs/report.html")).dump();
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos;) text.replace(at, 2, "<\\/");
  const json page = ask_page(
      "<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"x-ua-compatible\"><body></body>",
      "const frame = document.createElement('iframe'); frame.sandbox = 'allow-same-origin'; frame.srcdoc = " + text +
          R"js(;
    const loaded = new Promise(done => frame.addEventListener('load', done));
    document.body.append(frame);  // not before it has its page: an empty one is loaded, too
    await loaded;
    const page = frame.contentDocument, seen = e => e && e.getBoundingClientRect().height > 0;
    return {ready: page.documentElement.dataset.ready || 'no',
            score: page.querySelector('#table-comparison td').textContent,
            tables: page.querySelectorAll('section > .tables > .table').length,
            figures: page.querySelectorAll('figure').length,
            folded: page.querySelectorAll('figure details table').length,
            seen: ['#table-comparison', '#table-data', '#chart-map'].every(id => seen(page.querySelector(id)))};)js");
  const json& answer = page["answer"];
  EXPECT_EQ(answer["ready"], "no") << "no script ran";
  EXPECT_TRUE(answer["seen"].get<bool>());
  EXPECT_EQ(answer["figures"], answer["folded"]) << "every chart has its table";
  EXPECT_GE(answer["tables"].get<int>(), 8) << answer["tables"];
  const json result = result_of(folder, "gcnh");
  char score[64];
  std::snprintf(score, sizeof score, "%.2f ± %.2f", 100 * result["test_accuracy"]["mean"].get<double>(),
                100 * result["test_accuracy"]["std"].get<double>());
  EXPECT_EQ(answer["score"], score);
}

TEST(Browser, ANarrowWindowScrollsNothingButTablesAndTheMap) {
  NEED_BROWSER();
  const TempDir folder;
  compare_hostile(folder);
  const json page = ask_page(slurp(folder / "runs/report.html"), R"js(
    document.querySelectorAll('details').forEach(d => d.open = true);
    const wide = Array.from(document.querySelectorAll('svg.chart, p, h1, h2, dl, .table, pre')).filter(
        e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('footer') && !e.closest('figure.wide'));
    const letters = Array.from(document.querySelectorAll('svg.chart')).map(
        svg => 12 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width);
    return {width: innerWidth, page: document.documentElement.scrollWidth, letters: Math.min(...letters),
            wide: wide.map(e => e.outerHTML.slice(0, 80))};
  )js",
                             "", "400,900");
  EXPECT_EQ(page["problems"], json::array());
  EXPECT_LE(page["answer"]["width"].get<int>(), 500);
  EXPECT_LE(page["answer"]["page"].get<int>(), page["answer"]["width"].get<int>());
  EXPECT_EQ(page["answer"]["wide"], json::array());
  EXPECT_GT(page["answer"]["letters"].get<double>(), 8) << "pixels of the smallest letters";
}

TEST(Browser, NoSeriousBarrierForPeopleWhoDoNotSeeOrPoint) {
  NEED_BROWSER();
  NEED_AXE();
  const TempDir folder;
  compare_hostile(folder);
  EXPECT_EQ(barriers_of(slurp(folder / "runs/report.html")), kNothingWrong);
}

}  // namespace
}  // namespace gcnh::testing
