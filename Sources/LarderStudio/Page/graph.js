// The classes of the store and what links them, as a graph; and what a changed schema would do to it.

import { el, svg, button, put, save, copy, alert, gap, span, bar } from "./dom.js";
import { state, change, go } from "./state.js";
import { get } from "./api.js";
import { model, find, type, kept, keep } from "./model.js";
import { plain, fit } from "./text.js";
import { place } from "./layout.js";
import { Migration } from "./migration.js";

const LINE = 18;
const MOST = 24;
// Titles are bold: so much of what fits otherwise.
const BOLD = 0.8;
const STYLE = "svg{background:#fff;font:12px system-ui,sans-serif}.box>rect{fill:#fff;stroke:#5b6068}.head{fill:#dbe6fb;stroke:#5b6068}text{fill:#1c1e21}.kind{fill:#5b6068}.edge{fill:none;stroke:#5b6068;stroke-width:1.3}.edge.embeds{stroke-dasharray:5 3}.tip{fill:#5b6068}";

export class Graph {
  constructor(root) {
    this.root = root;
    this.panel = el("div", { class: "migration-place" });
    this.canvas = el("div", { class: "scroll graph-place", tabindex: "-1" });
    const file = el("input", { type: "file", accept: ".json,application/json", class: "offscreen", "aria-label": "Schema file", onchange: () => file.files[0] && this.preview(file.files[0]) });
    put(root, bar(el("h1", {}, "Schema"), span("count", `${model.classes.length} classes`), gap(),
      button("SVG", () => this.saveSVG()), button("Mermaid", () => this.text("mermaid")), button("Swift", () => this.text("swift")), button("JSON", () => this.text("json")),
      button("Lay out again", () => { this.remember({}); this.draw(); }), button("Preview a migration", () => file.click()), file), this.panel, this.canvas);
    this.dropping = (event) => { event.preventDefault(); root.classList.toggle("dropping", event.type === "dragover"); if (event.type === "drop" && event.dataTransfer.files[0]) this.preview(event.dataTransfer.files[0]); };
    for (const name of ["dragover", "dragleave", "drop"]) root.addEventListener(name, this.dropping);
    this.draw();
  }

  preview(file) { new Migration(this.panel, file); }

  remembered() {
    const text = state.params.boxes ?? kept("boxes") ?? "";
    return Object.fromEntries(text.split(",").filter(Boolean).map((one) => one.split(":")).map(([name, x, y]) => [name, { x: Number(x), y: Number(y) }]));
  }

  remember(places) {
    const text = Object.entries(places).map(([name, at]) => `${name}:${Math.round(at.x)}:${Math.round(at.y)}`).join(",");
    keep("boxes", text);
    change({ boxes: text }, true);
  }

  draw() {
    this.boxes = model.classes.map((one) => {
      const lines = one.properties.slice(0, MOST);
      const widest = Math.max((one.name.length + (one.embedded ? 13 : 2)) * 1.1, ...lines.map((property) => property.name.length + property.type.length + 4));
      return { name: one.name, one, lines, width: Math.max(130, Math.min(330, widest * 6.7)), height: 26 + LINE * (lines.length + (one.properties.length > MOST ? 1 : 0)) };
    });
    this.edges = model.classes.flatMap((one) => one.properties.map((property, at) => ({ from: one.name, at: Math.min(at, MOST), property, kind: type(property.type) })).filter((edge) => find(edge.kind.base)));
    this.byName = place(this.boxes, this.edges.map((edge) => [edge.from, edge.kind.base]));
    for (const [name, at] of Object.entries(this.remembered())) Object.assign(this.byName.get(name) ?? {}, at);
    this.svg = svg("svg", { class: "graph", role: "group", "aria-label": "Classes and their links" },
      svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8z", class: "tip" }))),
      this.lines = svg("g", {}), this.boxes.map((box) => this.box(box)));
    this.connect();
    put(this.canvas, this.svg);
  }

  box(box) {
    const group = svg("g", { class: "box", tabindex: "0", role: "link", "aria-label": `${box.name}, ${box.one.objects} objects. Arrow keys move the box.`, transform: `translate(${box.x} ${box.y})` },
      svg("rect", { width: box.width, height: box.height, rx: 4 }), svg("path", { class: "head", d: `M0 24V4q0-4 4-4H${box.width - 4}q4 0 4 4V24z` }),
      svg("text", { x: 8, y: 16, class: "title" }, svg("title", {}, box.name), fit(box.name, (box.width - (box.one.embedded ? 100 : 16)) * BOLD) + (box.one.embedded ? " (embedded)" : "")),
      box.lines.map((property, at) => {
        const kind = fit(property.type, box.width / 2);
        return [svg("text", { x: 8, y: 40 + at * LINE }, svg("title", {}, property.name), fit(`${property.primaryKey ? "◆ " : property.indexed ? "◇ " : ""}${property.name}`, box.width - 24 - kind.length * 6.7)),
          svg("text", { x: box.width - 8, y: 40 + at * LINE, "text-anchor": "end", class: "kind" }, svg("title", {}, property.type), kind)];
      }),
      box.one.properties.length > MOST ? svg("text", { x: 8, y: 40 + MOST * LINE, class: "kind" }, `and ${box.one.properties.length - MOST} more`) : null);
    const step = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0, 20] };
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter") go("grid", { class: box.name });
      else if (step[event.key]) this.shift(box, group, box.x + step[event.key][0], box.y + step[event.key][1], true);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    group.addEventListener("pointerdown", (event) => this.drag(event, box, group));
    return group;
  }

  drag(event, box, group) {
    const start = { x: event.clientX - box.x, y: event.clientY - box.y };
    let moved = false;
    const move = (at) => { moved = true; this.shift(box, group, at.clientX - start.x, at.clientY - start.y, false); };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      if (moved) this.shift(box, group, box.x, box.y, true);
      else go("grid", { class: box.name });
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }

  shift(box, group, x, y, keep) {
    Object.assign(box, { x: Math.max(0, x), y: Math.max(0, y) });
    group.setAttribute("transform", `translate(${box.x} ${box.y})`);
    this.connect();
    if (keep) this.remember({ ...this.remembered(), [box.name]: box });
  }

  connect() {
    const width = Math.max(300, ...this.boxes.map((box) => box.x + box.width + 60));
    const height = Math.max(200, ...this.boxes.map((box) => box.y + box.height + 20));
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) this.svg.setAttribute(name, value);
    put(this.lines, this.edges.map((edge) => {
      const from = this.byName.get(edge.from);
      const to = this.byName.get(edge.kind.base);
      const y = from.y + 36 + edge.at * LINE;
      const right = to.x >= from.x + from.width / 2;
      const x1 = right || from === to ? from.x + from.width : from.x;
      const x2 = from === to ? to.x + to.width : right ? to.x : to.x + to.width;
      const y2 = to.y + 13;
      const bend = from === to ? 45 : Math.max(30, Math.abs(x2 - x1) / 2);
      const out = right || from === to ? bend : -bend;
      const inwards = from === to ? bend : right ? -bend : bend;
      return svg("path", { class: `edge${edge.kind.embedded ? " embeds" : ""}`, d: `M${x1} ${y}C${x1 + out} ${y} ${x2 + inwards} ${y2} ${x2} ${y2}`, "marker-end": "url(#tip)" }, svg("title", {}, `${edge.from}.${edge.property.name}: ${edge.property.type}`));
    }));
  }

  saveSVG() {
    const copied = this.svg.cloneNode(true);
    copied.prepend(svg("style", {}, STYLE));
    save("schema.svg", new XMLSerializer().serializeToString(copied), "image/svg+xml");
  }

  async text(form) {
    const answer = await get("schema", { format: form }).catch((error) => ({ error }));
    if (answer.error) { put(this.panel, alert(answer.error.message)); return; }
    const text = answer.text ?? JSON.stringify(answer.schema, null, 2);
    const name = { mermaid: "schema.mmd", swift: "Models.swift", json: "schema.json" }[form];
    put(this.panel, bar(el("h2", {}, name), button("Copy", () => copy(text, name)), button("Save", () => save(name, text)), button("Close", () => put(this.panel))), el("pre", { tabindex: "0" }, plain(text).replaceAll("\u240a", "\n")));
  }

  update() {}
  close() { for (const name of ["dragover", "dragleave", "drop"]) this.root.removeEventListener(name, this.dropping); }
}
