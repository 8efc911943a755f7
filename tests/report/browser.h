// A page as headless Chromium sees it.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.h"

namespace gcnh::testing {

// The browser's path, or an empty string. GCNH_CHROMIUM names another one.
inline std::string find_browser() {
  if (const char* named = std::getenv("GCNH_CHROMIUM")) return named;
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"})
    if (std::filesystem::exists(path)) return path;
  return "";
}

// The document after scripts have run.
inline std::string dump_dom(const std::filesystem::path& page, const std::string& size = "1200,900") {
  const TempDir folder;
  const std::string out = folder / "dom", profile = "--user-data-dir=" + (folder / "profile").string();
  const std::string url = "file://" + page.string(), window = "--window-size=" + size, browser = find_browser();
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execl("/usr/bin/timeout", "timeout", "90", browser.c_str(), "--headless=new", "--no-sandbox", "--disable-gpu",
          "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", profile.c_str(),
          window.c_str(), "--virtual-time-budget=20000", "--dump-dom", url.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  wait_for(child);
  return slurp(out);
}

inline std::string percent_decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%')
      out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16)), i += 2;
    else
      out += text[i];
  }
  return out;
}

// Runs an async script at the end of the page and returns what it returns. `problems` holds whatever went wrong on the
// page: uncaught errors, console errors, violations of its policy.
inline nlohmann::json ask_page(std::string html, const std::string& script, const std::string& library = "",
                               const std::string& size = "1200,900") {
  const std::string watch =
      "<script>window.problems=[];addEventListener('error',e=>problems.push(String(e.message)));"
      "addEventListener('unhandledrejection',e=>problems.push(String(e.reason)));"
      "addEventListener('securitypolicyviolation',e=>problems.push('policy '+e.violatedDirective+' '+e.blockedURI));"
      "console.error=(...a)=>problems.push(a.join(' '));</script>";
  const std::string probe =
      "<script>" + library +
      "</script><script>addEventListener('load',async()=>{let answer;try{answer=await(async()=>{" + script +
      "})();}catch(e){problems.push('probe: '+e);}const p=document.createElement('pre');p.id='probe';"
      "p.textContent=encodeURIComponent(JSON.stringify({answer,problems}));document.body.append(p);});</script>";
  html.insert(html.find("<meta http-equiv"), watch);
  html.insert(html.rfind("</body>"), probe);
  const TempDir folder;
  write_text(folder / "page.html", html);
  const std::string mark = "<pre id=\"probe\">";
  std::string dom;  // of a browser that may fail to start, which is no fault of the page
  for (int tries = 0; tries < 3 && dom.rfind(mark) == std::string::npos; ++tries)
    dom = dump_dom(folder / "page.html", size);
  const std::size_t begin = dom.rfind(mark);
  if (begin == std::string::npos)
    return {{"problems", {"the page did not answer"}}, {"answer", nlohmann::json::object()}};
  const std::size_t from = begin + mark.size();
  return nlohmann::json::parse(percent_decoded(dom.substr(from, dom.find("</pre>", from) - from)));
}

// What axe-core, which GCNH_AXE names, finds on the page: serious barriers, each with its element.
inline nlohmann::json barriers_of(const std::string& html) {
  return ask_page(html, R"js(
    document.querySelectorAll('details').forEach(d => d.open = true);
    const found = await axe.run(document, {resultTypes: ['violations']});
    return found.violations.filter(v => v.impact === 'serious' || v.impact === 'critical')
        .map(v => v.id + ': ' + v.help + ' ' + v.nodes[0].html.slice(0, 200));)js",
                  slurp(std::getenv("GCNH_AXE")));
}
const nlohmann::json kNothingWrong = {{"answer", nlohmann::json::array()}, {"problems", nlohmann::json::array()}};

#define NEED_BROWSER() \
  if (find_browser().empty()) GTEST_SKIP() << "no chromium on this machine (Debian: chromium)"
#define NEED_AXE() \
  if (!std::getenv("GCNH_AXE")) GTEST_SKIP() << "GCNH_AXE does not name axe.min.js (npm package axe-core)"

}  // namespace gcnh::testing
