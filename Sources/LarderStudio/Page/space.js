// What takes how much of the file, as boxes of that size: classes, their properties, and what those are made of.

import { el, svg, put, alert, heads, digits, span, bar } from "./dom.js";
import { state, change, link } from "./state.js";
import { get } from "./api.js";
import { find } from "./model.js";
import { bytes, plain, fit } from "./text.js";

/// Places boxes in a rectangle so that their areas are their shares and their sides are nearly equal.
export function squarify(parts, area) {
  const total = parts.reduce((sum, part) => sum + part.bytes, 0);
  const boxes = [];
  if (!total || area.width <= 0 || area.height <= 0) return boxes;
  const scale = (area.width * area.height) / total;
  let { x, y, width, height } = area;
  let rest = parts.filter((part) => part.bytes > 0).sort((a, b) => b.bytes - a.bytes);
  const worst = (row, side) => {
    const sum = row.reduce((all, part) => all + part.bytes * scale, 0);
    return Math.max((side * side * row[0].bytes * scale) / (sum * sum), (sum * sum) / (side * side * row[row.length - 1].bytes * scale));
  };
  while (rest.length) {
    const side = Math.min(width, height);
    let length = 1;
    while (length < rest.length && worst(rest.slice(0, length + 1), side) <= worst(rest.slice(0, length), side)) length += 1;
    const row = rest.slice(0, length);
    rest = rest.slice(length);
    const thick = row.reduce((sum, part) => sum + part.bytes * scale, 0) / Math.max(side, 0.001);
    let along = 0;
    for (const part of row) {
      const long = (part.bytes * scale) / Math.max(thick, 0.001);
      boxes.push(width >= height ? { part, x, y: y + along, width: thick, height: long } : { part, x: x + along, y, width: long, height: thick });
      along += long;
    }
    if (width >= height) { x += thick; width -= thick; } else { y += thick; height -= thick; }
  }
  return boxes;
}

export class Space {
  constructor(place) {
    this.place = place;
    this.request = new AbortController();
    this.load();
  }

  async load() {
    try {
      this.root = await get("space", {}, this.request.signal);
      this.draw();
    } catch (error) {
      if (error.name !== "AbortError") put(this.place, alert(error.message));
    }
  }

  get parts() {
    const within = state.params.in;
    return within ? this.root.parts.find((part) => part.name === within)?.parts ?? [] : this.root.parts;
  }

  draw() {
    const total = this.root.bytes;
    const within = state.params.in;
    const width = Math.max(320, this.place.clientWidth - 32);
    const height = Math.max(260, Math.min(560, Math.round(width * 0.55)));
    const map = svg("svg", { class: "treemap", viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": "Boxes as large as the bytes that parts take" });
    const classes = this.parts;
    const share = (part) => (100 * part.bytes) / Math.max(1, total);
    squarify(classes, { x: 0, y: 0, width, height }).forEach((box) => this.box(map, box, classes.indexOf(box.part)));
    put(this.place, el("div", { class: "scroll" }, bar(el("h1", {}, within ? [el("a", { href: link("space", {}) }, "Space"), ` of ${within}`] : "Space"),
      span("count", `${bytes(total)}${this.root.freeBytes === undefined ? "" : `, of them ${bytes(this.root.freeBytes)} free`}`)), map,
    el("table", { class: "space-table" }, heads(["Part", "Bytes", "Share"]),
      el("tbody", {}, classes.flatMap((part) => [this.line(part, 0, share), ...(part.parts ?? []).map((inner) => this.line(inner, 1, share))])))));
  }

  line(part, depth, share) {
    const target = depth === 0 && find(part.name) && !state.params.in;
    return el("tr", {}, el("th", { scope: "row", style: { paddingLeft: `${8 + depth * 20}px` } }, target ? [el("a", { href: link("grid", { class: part.name }) }, part.name), " ", el("a", { href: link("space", { in: part.name }), "aria-label": `Parts of ${part.name}` }, "parts")] : plain(part.name)),
      el("td", { class: "num", title: `${part.bytes} bytes` }, bytes(part.bytes)), digits(`${share(part).toFixed(1)} %`));
  }

  box(map, { part, x, y, width, height }, at) {
    const isClass = !state.params.in && find(part.name);
    const group = svg("g", { class: `part c${at % 8}`, ...(isClass ? { tabindex: "0", role: "link", "aria-label": `${part.name}, ${bytes(part.bytes)}` } : {}) },
      svg("title", {}, `${part.name}: ${bytes(part.bytes)}`), svg("rect", { x, y, width, height, class: isClass || state.params.in ? "outer" : "outer other" }));
    if (width > 50 && height > 16) group.append(this.label(`${part.name} ${bytes(part.bytes)}`, x + 4, y + 13, width - 8));
    this.inside(group, { part, x, y, width, height }, part.name);
    if (isClass) {
      const open = () => { location.hash = link("grid", { class: part.name }); };
      group.addEventListener("click", (event) => (event.shiftKey ? change({ in: part.name }) : open()));
      group.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); event.stopPropagation(); open(); } });
    }
    map.append(group);
  }

  /// The parts of a part within its box, and theirs, where there is room for them.
  inside(group, { part, x, y, width, height }, name) {
    if (!part.parts || width < 13 || height < 33) return;
    squarify(part.parts, { x: x + 2, y: y + 18, width: width - 4, height: height - 20 }).forEach((box) => {
      const path = `${name}.${box.part.name}`;
      const node = svg("g", {}, svg("title", {}, `${path}: ${bytes(box.part.bytes)}${(box.part.parts ?? []).map((one) => `\n${one.name}: ${bytes(one.bytes)}`).join("")}`),
        svg("rect", { x: box.x, y: box.y, width: box.width, height: box.height, class: "inner" }));
      if (box.width > 50 && box.height > 16) node.append(this.label(`${box.part.name} ${bytes(box.part.bytes)}`, box.x + 4, box.y + 13, box.width - 8));
      this.inside(node, box, path);
      group.append(node);
    });
  }

  label(text, x, y, width) { return svg("text", { x, y }, fit(text, width)); }

  update() { if (this.root) this.draw(); }
  close() { this.request.abort(); }
}
