// One object: everything unfolded, what links to it, and what the log knows of it.

import { el, button, put, copy, alert, gap, quiet, span } from "./dom.js";
import { state, link, change } from "./state.js";
import { get, write } from "./api.js";
import { model, find, objectName, type, keyOf } from "./model.js";
import { number, shown, plain } from "./text.js";
import { unfolded, inline, exact, chip } from "./values.js";
import { copyRows } from "./copying.js";
import { editCell, canEdit, staged, stageDeletion } from "./edit.js";

export class ObjectScreen {
  constructor(place) {
    this.place = place;
    this.className = state.params.class;
    this.key = state.params.key;
    this.load();
  }

  get path() { return `${encodeURIComponent(this.className)}/${encodeURIComponent(this.key)}`; }

  async load() {
    this.request?.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      const answer = await get(`object/${this.path}`, {}, signal);
      // Drawn when the edit ends.
      if (this.place.querySelector(".edit")) return;
      this.answer = answer;
      this.draw();
      const [incoming, history] = await Promise.all([get(`incoming/${this.path}`, {}, signal), get(`history/${this.path}`, {}, signal).catch((error) => ({ error }))]);
      this.drawIncoming(incoming);
      this.drawHistory(history);
    } catch (error) {
      if (error.name === "AbortError") return;
      put(this.place, el("h1", {}, shown(objectName(this.className, this.key))), alert(shown(error.message)));
    }
  }

  draw(at = document.activeElement?.closest("#fields tr")?.dataset.property) {
    const properties = find(this.className)?.properties ?? [];
    const object = this.answer.object;
    this.incoming = el("section", { id: "incoming", "aria-labelledby": "incoming-title", tabindex: "-1" }, el("h2", { id: "incoming-title" }, "Incoming links"), quiet("…"));
    this.history = el("section", { "aria-labelledby": "history-title" }, el("h2", { id: "history-title" }, "History"), quiet("…"));
    this.table = el("table", { class: "fields", id: "fields" }, el("tbody", {}, properties.map((property) => this.field(property, object[property.name]))));
    put(this.place, el("div", { class: "bar" },
      el("h1", {}, el("a", { href: link("grid", { class: this.className }) }, this.className), " ", shown(objectName("", this.key).trim())),
      span("nil", `${this.answer.key == null ? "" : `object key #${this.answer.key} · `}version ${this.answer.version}`), gap(),
      ["JSON", "CSV", "Swift"].map((form) => button(`Copy ${form}`, () => copyRows(this.className, [this.answer], form.toLowerCase()))),
      model.writable && !find(this.className)?.embedded ? button("Delete", () => stageDeletion(this.className, this.answer), { class: "danger" }) : null),
    this.table, this.incoming, this.history);
    this.table.querySelector("tr").tabIndex = 0;
    if (at) this.rows.find((row) => row.dataset.property === at)?.focus();
  }

  field(property, value) {
    const change = staged(this.className, keyOf(this.answer), property.name);
    const cell = el("td", { class: change ? "staged" : "", data: { property: property.name } }, change ? inline(change.text, "string?") : unfolded(value, property.type));
    return el("tr", { tabindex: "-1", data: { property: property.name }, onkeydown: (event) => this.keyOnField(event),
      onfocus: (event) => this.table.querySelectorAll("tr[tabindex='0']").forEach((row) => { if (row !== event.currentTarget) row.tabIndex = -1; }) },
    el("th", { scope: "row" }, property.name, span("type", property.type)), cell,
    el("td", { class: "tools" }, button("Copy", () => copy(exact(value), property.name), { "aria-label": `Copy ${property.name}`, tabindex: "-1" }),
      canEdit(property) ? button("Edit", () => this.edit(property, cell), { "aria-label": `Edit ${property.name}`, tabindex: "-1" }) : null));
  }

  get rows() { return [...this.table.querySelectorAll(":scope > tbody > tr")]; }
  get at() { return Math.max(0, this.rows.findIndex((row) => row.contains(document.activeElement))); }

  move(to) {
    const row = this.rows[Math.max(0, Math.min(this.rows.length - 1, to))];
    row.tabIndex = 0;
    row.focus();
  }

  keyOnField(event) {
    if (event.target !== event.currentTarget) return;
    const to = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, Home: 0, End: this.rows.length - 1 }[event.key];
    if (to !== undefined) this.move(to);
    else if (event.key === "Enter") this.follow();
    else if ((event.ctrlKey || event.metaKey) && event.key === "c" && !String(getSelection())) copy(exact(this.answer.object[event.currentTarget.dataset.property]), "value");
    else return;
    event.preventDefault();
  }

  follow() {
    const target = this.rows[this.at].querySelector("a.chip");
    if (target) location.hash = target.getAttribute("href");
  }

  edit(property, cell) {
    editCell(cell, this.className, this.answer, property, () => { this.draw(document.activeElement === document.body ? property.name : undefined); this.load(); });
  }

  drawIncoming(answer) {
    const all = answer.incomingLinks.filter((one) => (one.count ?? one.objects.length) > 0);
    put(this.incoming, el("h2", { id: "incoming-title" }, "Incoming links"), all.length ? all.map((one) => {
      const count = one.count ?? one.objects.length;
      return el("details", { open: count <= 100 }, el("summary", {}, `${one.class}.${one.property}`, " ", span("n", number(count))),
        el("p", { class: "chips" }, one.objects.slice(0, 100).map((key) => [chip(one.class, key), " "])),
        count > one.objects.length || count > 100 ? el("p", {}, el("a", { href: this.incomingQuery(one) }, `All ${number(count)} as a query`)) : null);
    }) : quiet("nothing links to it"));
    if (state.params.part === "incoming") { this.incoming.scrollIntoView(); this.incoming.focus(); }
  }

  incomingQuery(one) {
    const key = find(this.className)?.properties.find((property) => property.primaryKey);
    if (!key) return link("grid", { class: one.class });
    const value = typeof this.answer.primaryKey === "string" ? JSON.stringify(this.answer.primaryKey) : exact(this.answer.primaryKey);
    const owner = find(one.class)?.properties.find((property) => property.name === one.property);
    return link("grid", { class: one.class, q: `${owner && type(owner.type).collection ? "ANY " : ""}${one.property}.${key.name} == ${value}` });
  }

  drawHistory(answer) {
    const title = el("h2", { id: "history-title" }, "History");
    if (answer.error) { put(this.history, title, quiet(plain(answer.error.message))); return; }
    const reach = answer.oldestVersion != null ? `The log reaches back to version ${answer.oldestVersion}.` : "The store keeps no log.";
    put(this.history, title, quiet(reach), el("ol", { class: "history" }, answer.entries.slice(0, 200).map((entry) =>
      el("li", {}, el("a", { href: link("versions", { from: Math.max(0, Number(entry.version) - 1), to: entry.version }) }, `version ${entry.version}`), " ", entry.change,
        entry.properties?.length ? `: ${entry.properties.join(", ")}` : ""))));
  }

  heard(version, live) {
    if (live && !this.place.querySelector(".edit") && version > (this.answer?.version ?? 0)) this.refresh();
  }

  /// The newest values. Nothing is drawn where they are what is shown.
  async refresh() {
    try {
      const answer = await get(`object/${this.path}`, {}, this.request.signal);
      const same = write(answer.object) === write(this.answer.object);
      this.answer = answer;
      if (!same) this.load();
    } catch { /* the object may be deleted; what was is still shown */ }
  }

  command(key) {
    if (!this.answer) return false;
    const does = { j: () => this.move(document.activeElement.closest("#fields") ? this.at + 1 : 0), k: () => this.move(this.at - 1), o: () => this.follow(),
      b: () => { change({ part: "incoming" }, true); this.incoming.scrollIntoView(); this.incoming.focus(); },
      e: () => { const property = find(this.className).properties[this.at]; if (canEdit(property)) this.edit(property, this.rows[this.at].querySelector("td")); } }[key];
    if (does) does();
    return Boolean(does);
  }

  update() {
    if (this.className === state.params.class && this.key === state.params.key) return;
    this.className = state.params.class;
    this.key = state.params.key;
    this.load();
  }

  close() { this.request?.abort(); }
}

