// The query bar: a predicate with completion, its fault underlined where it is, earlier ones, and the same question elsewhere.

import { el, button, put, menu, copy, span } from "./dom.js";
import { state, change, go } from "./state.js";
import { model, find, ordered, kept, keep } from "./model.js";
import { complete } from "./complete.js";
import { offset, shown } from "./text.js";
import { sorts } from "./columns.js";
import { swiftText } from "./copying.js";

const list = (name) => { try { return JSON.parse(kept(name)) ?? []; } catch { return []; } };
const earlier = () => list("queries");
export const saved = () => list("saved");
export const keepSaved = (all) => keep("saved", JSON.stringify(all.slice(0, 100)));

function remember(className, q) {
  if (!q) return;
  const rest = earlier().filter((one) => one.class !== className || one.q !== q);
  keep("queries", JSON.stringify([{ class: className, q }, ...rest].slice(0, 50)));
}

export function commandLine(className, q, order) {
  const quote = (text) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return ["larder query", quote(model.store.file), className, ...(q ? [quote(q)] : []), ...order.map((sort) => `--sort ${quote(sort)}`)].join(" ");
}

export function swiftQuery(className, q, order) {
  const filter = q ? `.filter(${swiftText(q)})` : "";
  return `realm.objects(${className}.self)${filter}${order.map((sort) => {
    const [path, direction] = sort.split(":");
    return `.sorted(byKeyPath: "${path}", ascending: ${direction !== "desc"})`;
  }).reverse().join("")}`;
}

export class QueryBar {
  constructor(place, actions) {
    this.actions = actions;
    this.input = el("input", {
      id: "query", type: "text", role: "combobox", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-autocomplete": "list",
      "aria-expanded": "false", "aria-controls": "completions", "aria-describedby": "fault", "aria-label": "Predicate",
      placeholder: "all objects, or a predicate: population > 1000000", value: state.params.q ?? "",
      oninput: () => { this.clear(); this.suggest(); }, onkeydown: (event) => this.key(event), onscroll: () => this.follow(),
      onblur: () => setTimeout(() => this.shut(), 150),
    });
    this.under = el("div", { class: "under", "aria-hidden": "true" });
    this.list = el("ul", { id: "completions", role: "listbox", class: "completions", "aria-label": "Completions", hidden: true });
    this.message = el("p", { id: "fault", class: "fault", role: "alert", hidden: true });
    this.other = el("p", { class: "other", hidden: true });
    put(place, el("form", { class: "query", role: "search", onsubmit: (event) => { event.preventDefault(); this.run(); } },
      el("select", { "aria-label": "Class", onchange: (event) => go(state.screen, { class: event.target.value }) },
        model.classes.map((one) => el("option", { value: one.name, selected: one.name === state.params.class }, one.name))),
      el("div", { class: "field" }, this.under, this.input, this.list),
      el("button", { type: "submit", class: "primary" }, "Run"),
      button("History", (event) => this.history(event.currentTarget), { "aria-haspopup": "menu" }),
      button("More", (event) => this.more(event.currentTarget), { "aria-haspopup": "menu" })), this.message, this.other);
    this.select = place.querySelector("select");
    this.select.value = state.params.class;
    this.chosen = -1;
  }

  get text() { return this.input.value.trim(); }

  run() {
    this.shut();
    this.clear();
    remember(state.params.class, this.text);
    const same = this.text === (state.params.q ?? "");
    if (same) this.actions.again();
    else change({ q: this.text, row: "" });
  }

  history(owner) {
    const all = earlier().slice(0, 20);
    menu(owner, "History", all.length ? all.map((one) => [`${one.class}: ${one.q}`, () => go("grid", one)]) : [["no queries yet", () => {}]]);
  }

  more(owner) {
    const q = state.params.q ?? "";
    menu(owner, "More", [
      ["As a grid", () => change({ as: "" })], ["As JSON", () => change({ as: "json" })],
      ["Groups", () => change({ as: "groups", by: state.params.by || find(state.params.class).properties.map(ordered).find(Boolean) })],
      ["Save this query", () => { keepSaved([{ class: state.params.class, q, sort: state.params.sort ?? "" }, ...saved()]); this.actions.savedChanged(); }],
      ["Follow it in the feed", () => this.actions.pin({ class: state.params.class, q, sort: sorts() })],
      ["As a command line", () => this.showAs(commandLine(state.params.class, q, sorts()), "command line")],
      ["As Swift", () => this.showAs(swiftQuery(state.params.class, q, sorts()), "Swift")],
    ]);
  }

  showAs(text, what) {
    this.other.hidden = false;
    put(this.other, el("code", {}, shown(text)), " ", button("Copy", () => copy(text, what)), button("Close", () => { this.other.hidden = true; }));
  }

  // Faults

  clear() {
    this.message.hidden = true;
    this.input.removeAttribute("aria-invalid");
    put(this.under);
  }

  fault(error) {
    const detail = error.detail ?? {};
    this.message.hidden = false;
    this.input.setAttribute("aria-invalid", "true");
    put(this.message, shown(error.message));
    const text = this.input.value;
    if (typeof detail.position !== "number") return;
    const from = Math.min(offset(text, detail.position), text.length);
    const wrong = detail.found && text.startsWith(detail.found, from) ? detail.found : text.slice(from, from + 1) || " ";
    put(this.under, text.slice(0, from), el("mark", {}, wrong), text.slice(from + wrong.length));
    this.follow();
    if (detail.suggestion) {
      this.message.append(" ", button(`Use ${detail.suggestion}`, () => {
        this.input.value = text.slice(0, from) + detail.suggestion + text.slice(from + wrong.length);
        this.input.focus();
        this.run();
      }, { class: "suggestion" }));
    }
  }

  follow() {
    this.under.scrollLeft = this.input.scrollLeft;
  }

  // Completion

  suggest() {
    const found = complete(state.params.class, this.input.value, this.input.selectionStart);
    this.found = found;
    this.chosen = -1;
    this.list.hidden = !found.items.length;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.input.removeAttribute("aria-activedescendant");
    put(this.list, found.items.map((item, at) => el("li", { role: "option", id: `option-${at}`, "aria-selected": "false",
      onpointerdown: (event) => { event.preventDefault(); this.accept(at); } }, el("b", {}, item.text), " ", span("nil", item.note))));
  }

  choose(at) {
    const count = this.found.items.length;
    this.chosen = (at + count) % count;
    [...this.list.children].forEach((item, place) => item.setAttribute("aria-selected", String(place === this.chosen)));
    this.input.setAttribute("aria-activedescendant", `option-${this.chosen}`);
  }

  accept(at) {
    const { from, items } = this.found;
    const rest = this.input.value.slice(this.input.selectionStart);
    this.input.value = this.input.value.slice(0, from) + items[at].text + rest;
    const caret = from + items[at].text.length;
    this.input.setSelectionRange(caret, caret);
    this.shut();
  }

  shut() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    const open = !this.list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!open) this.suggest();
      if (!this.list.hidden) this.choose(event.key === "ArrowDown" ? this.chosen + 1 : this.chosen < 0 ? -1 : this.chosen - 1);
    } else if (event.key === "Tab" && open && !event.shiftKey) this.accept(Math.max(0, this.chosen));
    else if (event.key === "Enter" && open && this.chosen >= 0 && !event.ctrlKey) this.accept(this.chosen);
    else if (event.key === "Enter") this.run();
    else if (event.key === "Escape" && open) this.shut();
    else if (event.key === "Escape") { this.input.blur(); document.getElementById("grid")?.focus(); }
    else if (event.key === " " && event.ctrlKey) this.suggest();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
