// How a query is answered: what each step was estimated to find and found, and which index would have helped.

import { el, button, put, copy, heads, quiet, digits, span } from "./dom.js";
import { state, link } from "./state.js";
import { get } from "./api.js";
import { model, find } from "./model.js";
import { number, duration, shown } from "./text.js";
import { QueryBar } from "./querybar.js";
import { sorts } from "./columns.js";

const OFF = 10;

/// How many times an estimate is too large or too small.
function factor(step) {
  if (step.estimated == null) return 1;
  return Math.max(step.estimated, step.found) / Math.max(1, Math.min(step.estimated, step.found));
}

export class Plan {
  constructor(place, actions) {
    if (!find(state.params.class)) state.params.class = (model.classes.find((one) => !one.embedded) ?? model.classes[0])?.name;
    const top = el("div", { class: "query-place" });
    this.result = el("div", { class: "scroll" });
    put(place, top, this.result);
    this.bar = new QueryBar(top, { ...actions, again: () => this.load() });
    this.load();
  }

  async load() {
    this.request?.abort();
    this.request = new AbortController();
    const question = { class: state.params.class, q: state.params.q, sort: sorts() };
    try {
      const [plan, advice] = await Promise.all([get("explain", question, this.request.signal), get("advise", question, this.request.signal)]);
      this.draw(plan, advice);
    } catch (error) {
      if (error.name !== "AbortError") { this.bar.fault(error); put(this.result); }
    }
  }

  draw(plan, advice) {
    const rows = [];
    const walk = (step, depth) => {
      const off = factor(step);
      rows.push(el("tr", { class: off >= OFF ? "off" : "", "aria-level": depth + 1 },
        el("th", { scope: "row", style: { paddingLeft: `${8 + depth * 22}px` } }, span("kind", step.kind), " ", shown(step.does.replace(new RegExp(`^${step.kind} `), ""))),
        digits(step.estimated == null ? "–" : number(step.estimated)), digits(number(step.found)),
        el("td", {}, off >= OFF ? `${number(Math.round(off))} times off` : ""), digits(number(step.leavesRead)), digits(duration(step.nanoseconds))));
      (step.from ?? []).forEach((inner) => walk(inner, depth + 1));
    };
    walk(plan.steps, 0);
    const head = ["Step", "Estimated", "Found", "", "Leaves", "Time"];
    put(this.result, el("p", {}, `${number(plan.results)} objects. `, el("a", { href: link("grid", { class: state.params.class, q: state.params.q, sort: state.params.sort }) }, "Show them")),
      el("table", { class: "plan", id: "plan" }, heads(head), el("tbody", {}, rows)),
      el("h2", {}, "Counters"), el("dl", { class: "counters" }, Object.entries(plan.ran ?? {}).map(([name, value]) =>
        el("div", {}, el("dt", {}, name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)), el("dd", {}, number(value))))),
      el("h2", {}, "Index advice"), advice.indexes.length ? advice.indexes.map((index) => this.advice(index)) : quiet("No further index would help this query."));
  }

  advice(index) {
    return el("div", { class: "advice" }, el("p", {}, `Index ${index.class} (${index.properties.join(", ")}): ${number(index.after)} objects looked at, instead of ${number(index.before)}${index.sorts ? "; no sorting" : ""}.`),
      index.swift ? el("p", {}, el("code", {}, index.swift), " ", button("Copy", () => copy(index.swift, "line"))) : null);
  }

  update() {
    this.bar.input.value = state.params.q ?? "";
    this.bar.select.value = state.params.class;
    this.load();
  }

  fault(error) { this.bar.fault(error); }
  close() { this.request?.abort(); }
}
