// Adds to the finished page: exact values on marks (mouse, touch, arrow keys), highlighting of a series, zoom on maps, sorting of tables.
"use strict";
(() => {
  const tip = d3.select("body").append("div").attr("class", "tip").attr("role", "status").attr("hidden", true);
  const number = d3.format(".6~g");

  function shown(svg, mark, key) {
    const value = +mark[key];
    const percent = svg.dataset.percent && key !== "x" && !(svg.dataset.zLabel && key === "y");
    return percent ? d3.format(".2f")(100 * value) : number(value);
  }

  // The lines of a tooltip: series, remark, numbers.
  function words(svg, mark) {
    const lines = [mark.series];
    if (mark.label) lines.push(mark.label);
    if (mark.z !== undefined) {
      lines.push(`${svg.dataset.zLabel || "value"}: ${shown(svg, mark, "z")}`);
    } else if (!svg.classList.contains("heat")) {
      if (!svg.classList.contains("dots") && !svg.classList.contains("bars")) lines.push(`${svg.dataset.xLabel}: ${shown(svg, mark, "x")}`);
      lines.push(`${svg.dataset.yLabel}: ${shown(svg, mark, "y")}`);
      if (mark.low !== undefined) lines.push(`interval: ${shown(svg, mark, "low")} to ${shown(svg, mark, "high")}`);
    }
    return lines.join("\n");
  }

  function show(svg, mark, x, y) {
    tip.attr("hidden", null).text(words(svg, mark));
    const box = tip.node().getBoundingClientRect();
    tip.style("left", `${Math.max(8, Math.min(x + 14, innerWidth - box.width - 8))}px`);
    tip.style("top", `${y + box.height + 28 > innerHeight ? y - box.height - 14 : y + 16}px`);
  }

  function hide(svg) {
    tip.attr("hidden", true);
    d3.select(svg).selectAll(".active").classed("active", false);
    d3.select(svg).selectAll(".guide").remove();
  }

  // A long line keeps its numbers in two lists: the point nearest to a place along it.
  function nearest(svg, path, clientX) {
    const place = new DOMPoint(clientX, 0).matrixTransform(svg.getScreenCTM().inverse()).x;
    const points = path.getAttribute("d").split(/[ML]/).slice(1).map((p) => p.split(" ").map(Number));
    const xs = path.dataset.x.split(" "), ys = path.dataset.y.split(" ");
    const kept = d3.range(xs.length).filter((i) => ys[i] !== "-");
    const at = d3.scan(points, (a, b) => Math.abs(a[0] - place) - Math.abs(b[0] - place));
    return { point: points[at], mark: { series: path.dataset.series, x: xs[kept[at]], y: ys[kept[at]] } };
  }

  function activate(svg, node) {
    hide(svg);
    d3.select(node).classed("active", true);
    const box = node.getBoundingClientRect();
    show(svg, node.dataset, box.left + box.width / 2, box.top + box.height / 2);
  }

  function highlight(svg, series) {
    const key = Array.from(svg.querySelectorAll(".key")).find((k) => k.dataset.series === series);
    const colour = key && Array.from(key.classList).find((name) => /^c\d$/.test(name));
    d3.select(svg).selectAll(".series, .key").classed("dim", function () {
      const behind = this.classList.contains("faint") && this.classList.contains(colour);
      return series !== null && this.dataset.series !== series && !behind;
    });
    svg.dataset.highlight = series === null ? "" : series;
  }

  function toggle(svg, series) {
    highlight(svg, svg.dataset.highlight === series ? null : series);
  }

  // Arrow keys: left and right walk along the marks, up and down pick a series, escape ends it.
  function keys(svg) {
    let at = -1, picked = -1;
    const series = () => Array.from(svg.querySelectorAll(".key"), (k) => k.dataset.series);
    d3.select(svg).attr("tabindex", 0).on("keydown", () => {
      const key = d3.event.key, names = series();
      const marks = Array.from(svg.querySelectorAll(".series .mark, .series path[data-x]")).filter((m) => !m.closest(".dim"));
      if (key === "ArrowRight" || key === "ArrowLeft") {
        at = (at + (key === "ArrowRight" ? 1 : marks.length - 1) + (at < 0 && key === "ArrowLeft" ? 1 : 0)) % marks.length;
        if (marks[at].dataset.x && marks[at].dataset.x.includes(" ")) {
          const box = marks[at].getBoundingClientRect();
          show(svg, nearest(svg, marks[at], box.right).mark, box.right, box.top);
        } else {
          activate(svg, marks[at]);
        }
      } else if ((key === "ArrowUp" || key === "ArrowDown") && names.length) {
        picked = (picked + (key === "ArrowDown" ? 2 : names.length + 1)) % (names.length + 1) - 1;
        if (picked < -1) picked = -1;
        at = -1;
        highlight(svg, picked < 0 ? null : names[picked]);
      } else if (key === "Escape") {
        at = picked = -1;
        highlight(svg, null);
        hide(svg);
      } else {
        return;
      }
      d3.event.preventDefault();
    }).on("blur", () => hide(svg));
  }

  function pointer(svg) {
    d3.select(svg).on("mousemove touchstart", () => {
      const event = d3.event.touches ? d3.event.touches[0] : d3.event;
      const node = document.elementFromPoint(event.clientX, event.clientY);
      if (node && node.classList.contains("mark") && node.dataset.series && node.closest(".series")) {
        hide(svg);
        d3.select(node).classed("active", true);
        show(svg, node.dataset, event.clientX, event.clientY);
      } else if (node && node.dataset && node.dataset.x && node.dataset.x.includes(" ")) {
        hide(svg);
        const { point, mark } = nearest(svg, node, event.clientX);
        d3.select(svg).append("circle").attr("class", "guide").attr("r", 4).attr("cx", point[0]).attr("cy", point[1]);
        show(svg, mark, event.clientX, event.clientY);
      } else {
        hide(svg);
      }
    }).on("mouseleave", () => hide(svg));
    d3.select(svg).selectAll(".key").on("click", function () { toggle(svg, this.dataset.series); });
  }

  // Places move, marks keep their size.
  function zoom(svg) {
    const cloud = d3.select(svg).select(".cloud");
    const marks = cloud.selectAll(".mark").nodes().map((node) => {
      const moved = node.getAttribute("transform");
      if (!moved) return { node, x: +node.getAttribute("cx"), y: +node.getAttribute("cy") };
      const [x, y] = moved.match(/-?[\d.]+/g).map(Number);
      return { node, x, y, rest: moved.slice(moved.indexOf(")") + 1) };
    });
    const ticks = d3.select(svg).selectAll(".grid, .tick");
    const behaviour = d3.zoom().scaleExtent([1, 40]).filter(() => d3.event.type !== "wheel" || d3.event.ctrlKey).on("zoom", () => {
      const t = d3.event.transform;
      ticks.style("visibility", t.k === 1 && t.x === 0 && t.y === 0 ? null : "hidden");
      for (const m of marks) {
        const x = t.applyX(m.x), y = t.applyY(m.y);
        if (m.rest === undefined) {
          m.node.setAttribute("cx", x);
          m.node.setAttribute("cy", y);
        } else {
          m.node.setAttribute("transform", `translate(${x} ${y})${m.rest}`);
        }
      }
    });
    const target = d3.select(svg).call(behaviour).on("dblclick.zoom", null);
    const tools = d3.select(svg.parentNode).insert("div", "svg + *").attr("class", "tools");
    const button = (name, act) => tools.append("button").attr("type", "button").text(name).on("click", act);
    button("Closer", () => target.call(behaviour.scaleBy, 1.6));
    button("Farther", () => target.call(behaviour.scaleBy, 1 / 1.6));
    button("Whole map", () => target.call(behaviour.transform, d3.zoomIdentity));
  }

  function value(row, column) {
    const text = row.cells[column].textContent.replace(/[\u202f <]/g, "").replace("−", "-");
    const parsed = parseFloat(text);
    return isNaN(parsed) ? text : parsed;
  }

  function compare(a, b) {
    if (typeof a === typeof b) return d3.ascending(a, b);
    return typeof a === "number" ? -1 : 1;  // words and dashes after numbers
  }

  function sortable(table) {
    const heads = d3.select(table).selectAll("thead th");
    heads.each(function (unused, column) {
      const head = this, name = head.textContent;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.attr("aria-sort", null);
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const body = table.tBodies[0];
        const rows = Array.from(body.rows).map((row, i) => ({ row, i, key: value(row, column) }));
        rows.sort((a, b) => (up ? 1 : -1) * compare(a.key, b.key) || a.i - b.i);
        body.append(...rows.map((r) => r.row));
      });
    });
  }

  document.querySelectorAll("svg.chart").forEach((svg) => {
    pointer(svg);
    keys(svg);
    if (svg.classList.contains("scatter") && svg.closest("figure.wide")) zoom(svg);
  });
  document.querySelectorAll("table").forEach(sortable);
  document.documentElement.dataset.ready = "true";
})();
