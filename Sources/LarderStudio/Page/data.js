// The screen of a query: the bar, and its result as a grid, as JSON or as groups.

import { el, button, put, copy, gap, quiet, digits, span, bar } from "./dom.js";
import { state, change, go } from "./state.js";
import { get, write } from "./api.js";
import { model, find, type, typeAt, ordered } from "./model.js";
import { number, plain } from "./text.js";
import { inline, exact } from "./values.js";
import { QueryBar } from "./querybar.js";
import { Grid } from "./grid.js";
import { sorts } from "./columns.js";

export class Data {
  constructor(place, actions) {
    this.actions = actions;
    if (!find(state.params.class)) {
      const first = model.classes.find((one) => !one.embedded) ?? model.classes[0];
      if (!first) { put(place, el("p", {}, "The store has no classes.")); return; }
      state.params.class = first.name;
      change({ class: first.name }, true);
    }
    const top = el("div", { class: "query-place" });
    this.result = el("div", { class: "result" });
    put(place, top, this.result);
    this.bar = new QueryBar(top, { ...actions, again: () => this.draw() });
    this.draw();
  }

  draw() {
    this.grid?.close();
    this.grid = null;
    this.request?.abort();
    const form = state.params.as;
    if (form === "groups") this.groups();
    else if (form === "json") this.json();
    else {
      this.grid = new Grid(this.result);
      this.grid.onFault = (error) => this.bar.fault(error);
    }
  }

  async ask(path, params) {
    this.request = new AbortController();
    try {
      return await get(path, { class: state.params.class, q: state.params.q, ...params }, this.request.signal);
    } catch (error) {
      if (error.name !== "AbortError") { this.bar.fault(error); put(this.result); }
      return null;
    }
  }

  async json() {
    put(this.result, quiet("…"));
    const answer = await this.ask("rows", { sort: sorts(), limit: 200 });
    if (!answer) return;
    const text = answer.rows.map((row) => write(row.object, "", "  ")).join("\n");
    put(this.result, bar(span("count", `${number(answer.rows.length)} of ${number(answer.count)} objects`),
      gap(), button("Copy", () => copy(text, "JSON")), button("Grid", () => change({ as: "" }))),
    el("pre", { class: "json-text", tabindex: "0", "aria-label": "JSON" }, plain(text.slice(0, 400000)).replaceAll("\u240a", "\n")));
  }

  async groups() {
    const by = state.params.by;
    put(this.result, quiet("…"));
    const answer = await this.ask("groups", { by, limit: 200 });
    if (!answer) return;
    const most = Math.max(1, ...answer.groups.map((group) => group.count));
    const kind = typeAt(state.params.class, by) ?? type("string");
    const names = find(state.params.class).properties.map(ordered).filter(Boolean);
    put(this.result, bar(el("label", {}, "By ",
      el("select", { onchange: (event) => change({ by: event.target.value }), "aria-label": "Group by" }, [...new Set([by, ...names])].map((name) => el("option", { value: name, selected: name === by }, name)))),
    span("count", `${answer.groups.length < answer.total ? `first ${number(answer.groups.length)} of ` : ""}${number(answer.total)} ${answer.total === 1 ? "value" : "values"}`), gap(),
    button("Grid", () => change({ as: "", by: "" }))),
    el("table", { class: "groups", id: "groups" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, by), el("th", { scope: "col" }, "Objects"), el("th", { "aria-hidden": "true" }))),
      el("tbody", {}, answer.groups.map((group) => el("tr", {},
        el("td", {}, el("button", { type: "button", class: "group", title: "Only these", onclick: () => this.filter(by, group.value) }, inline(group.value, { ...kind, link: false }))),
        digits(number(group.count)),
        el("td", { "aria-hidden": "true", class: "bar-cell" }, el("span", { class: "share", style: { width: `${(100 * group.count) / most}%` } })))))));
    this.result.querySelector(".group")?.focus();
  }

  filter(by, value) {
    const quotedValue = value === null ? "nil" : typeof value === "string" ? quote(value) : exact(value);
    const only = `${by} == ${quotedValue}`;
    const now = state.params.q;
    go("grid", { ...state.params, q: now ? `(${now}) AND ${only}` : only, as: "", by: "", row: "" });
  }

  update() {
    this.bar.select.value = state.params.class;
    if (this.bar.text !== (state.params.q ?? "")) { this.bar.input.value = state.params.q ?? ""; this.bar.clear(); }
    this.draw();
    if (!state.params.as && !["INPUT", "SELECT"].includes(document.activeElement?.tagName)) document.getElementById("grid")?.focus();
  }

  heard(version, live) { this.grid?.heard(version, live); }
  command(key) { return this.grid?.command(key); }
  fault(error) { this.bar.fault(error); }
  close() { this.grid?.close(); this.request?.abort(); }
}

/// A text as the language of predicates writes it.
export function quote(text) {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`;
}

