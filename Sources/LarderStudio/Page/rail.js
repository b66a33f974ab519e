// The rail: classes with their counts, embedded ones under their owners, and saved queries.

import { el, button, put, span } from "./dom.js";
import { state, link } from "./state.js";
import { model, owners } from "./model.js";
import { number, shown } from "./text.js";
import { saved, keepSaved } from "./querybar.js";

const counts = new Map();

export function draw() {
  const rail = document.getElementById("rail");
  counts.clear();
  const top = model.classes.filter((one) => !one.embedded);
  const below = (name) => model.classes.filter((one) => one.embedded && owners(one.name).includes(name));
  const loose = model.classes.filter((one) => one.embedded && !owners(one.name).some((owner) => !model.classes.find((c) => c.name === owner)?.embedded));
  put(rail, el("h2", { id: "rail-title" }, "Classes"),
    el("ul", { "aria-labelledby": "rail-title" }, [...top, ...loose].map((one) => el("li", {}, entry(one),
      below(one.name).length ? el("ul", {}, below(one.name).map((inner) => el("li", {}, entry(inner)))) : null))),
    saved().length ? [el("h2", {}, "Saved queries"), el("ul", {}, saved().map((query, at) => el("li", { class: "saved" },
      el("a", { href: link("grid", query), title: `${query.class}: ${query.q}` }, shown(`${query.class} ${query.q}`)),
      button("✕", () => { keepSaved(saved().filter((_, place) => place !== at)); draw(); }, { "aria-label": `Remove ${query.class} ${query.q}` }))))] : null);
}

function entry(one) {
  const count = span("n", number(one.objects));
  counts.set(one.name, (counts.get(one.name) ?? []).concat(count));
  return el("a", { href: link("grid", { class: one.name }), class: one.embedded ? "embedded" : "", "aria-current": one.name === state.params.class ? "page" : null },
    span("name", one.name), count);
}

/// New counts, after a commit. They are in place: nothing is drawn again.
export function update(numbers) {
  for (const [name, value] of Object.entries(numbers ?? {})) {
    const one = model.classes.find((other) => other.name === name);
    if (one) one.objects = value;
    counts.get(name)?.forEach((node) => { node.textContent = number(value); });
  }
}

export function mark() {
  document.querySelectorAll("#rail a[aria-current]").forEach((one) => one.removeAttribute("aria-current"));
  document.querySelectorAll("#rail a").forEach((one) => {
    if (one.querySelector(".name")?.textContent === state.params.class) one.setAttribute("aria-current", "page");
  });
}

export function focus() {
  document.body.classList.add("rail-open");
  (document.querySelector("#rail a[aria-current]") ?? document.querySelector("#rail a"))?.focus();
}
