// Commits with the classes that they touched, readers of all processes, and what differs between two versions.

import { el, button, put, alert, heads, quiet, digits, span } from "./dom.js";
import { state, change } from "./state.js";
import { get } from "./api.js";
import { find } from "./model.js";
import { number, bytes, shown } from "./text.js";
import { inline, exact, chip } from "./values.js";

export class Versions {
  constructor(place) {
    this.readers = el("section", { "aria-labelledby": "readers-title" });
    this.commits = el("section", { "aria-labelledby": "commits-title" });
    this.diff = el("section", { "aria-labelledby": "diff-title", "aria-live": "polite" });
    put(place, el("div", { class: "scroll" }, el("h1", {}, "Versions"), this.readers, el("div", { class: "halves" }, this.commits, this.diff)));
    this.request = new AbortController();
    this.load();
    this.timer = setInterval(() => { if (!document.hidden) this.loadReaders(); }, 2000);
  }

  async load() {
    try {
      this.answer = await get("versions", { limit: 200 }, this.request.signal);
      this.drawCommits();
      await this.loadReaders();
      await this.loadDiff();
    } catch (error) {
      if (error.name !== "AbortError") put(this.commits, alert(error.message));
    }
  }

  async loadReaders() {
    try {
      this.drawReaders((await get("readers", {}, this.request.signal)).readers);
    } catch { /* the head of the page says that the tool does not answer */ }
  }

  drawReaders(readers) {
    const most = Math.max(1, ...readers.map((one) => one.commitsBehind));
    put(this.readers, el("h2", { id: "readers-title" }, "Readers"), readers.length ? el("table", { class: "readers" },
      heads(["Process", "Version", "Commits behind", "", "Holds", "Since"]),
      el("tbody", {}, readers.map((one) => el("tr", {}, el("th", { scope: "row" }, shown(`${one.name ?? ""} ${one.process}`.trim())), digits(one.version ?? "–"), digits(number(one.commitsBehind ?? 0)),
        el("td", { class: "bar-cell", "aria-hidden": "true" }, el("span", { class: "share", style: { width: `${(100 * (one.commitsBehind ?? 0)) / most}%` } })),
        digits(one.heldBytes == null ? "–" : bytes(one.heldBytes)),
        digits(one.heldSeconds == null ? "–" : `${Number(one.heldSeconds).toFixed(1)} s`))))) : quiet("No process reads the store now."));
  }

  drawCommits() {
    const { from, to } = state.params;
    const { commits, oldestVersion } = this.answer;
    put(this.commits, el("h2", { id: "commits-title" }, "Commits"), quiet(oldestVersion == null ? "The store keeps no log." : `The log reaches back to version ${oldestVersion}. Choose two versions to compare.`),
      el("table", { class: "commits", id: "commits" }, heads(["From", "To", "Version", "Classes"]),
        el("tbody", {}, commits.map((commit) => el("tr", {},
          ["from", "to"].map((name) => el("td", {}, el("input", { type: "radio", name, value: commit.version, "aria-label": `${name} version ${commit.version}`, checked: String(commit.version) === (name === "from" ? from : to), onchange: () => change({ [name]: commit.version }) }))),
          el("th", { scope: "row" }, commit.version),
          el("td", {}, (commit.classes ?? []).map((one) => [span("touch", `${one.class} `, one.inserted ? span("plus", `+${number(one.inserted)} `) : null, one.deleted ? span("minus", `−${number(one.deleted)} `) : null, one.modified ? `~${number(one.modified)}` : ""), " "])))))));
  }

  async loadDiff() {
    this.difference?.abort();
    this.difference = new AbortController();
    const { from, to } = state.params;
    const title = el("h2", { id: "diff-title" }, "Difference");
    if (!from && !to) { put(this.diff, title, quiet("No versions are chosen.")); return; }
    if (!from || !to) { put(this.diff, title, quiet(`${from ? "From" : "To"} version ${from ?? to}; choose the other one.`)); return; }
    put(this.diff, title, quiet("…"));
    const [old, now] = [from, to].map(Number).sort((a, b) => a - b);
    try {
      const answer = await get("diff", { from: old, to: now }, this.difference.signal);
      this.drawDiff(title, answer.changes, old, now);
    } catch (error) {
      if (error.name !== "AbortError") put(this.diff, title, alert(shown(error.message)));
    }
  }

  drawDiff(title, changes, old, now) {
    const counts = {};
    for (const one of changes) counts[one.change] = (counts[one.change] ?? 0) + 1;
    let count = 0;
    const list = el("ul", { class: "diff", id: "diff" });
    const more = button("", () => add());
    const add = () => {
      list.append(...changes.slice(count, count + 25).map((one) => this.line(one)));
      count = Math.min(changes.length, count + 25);
      put(more, `of ${number(changes.length)}: show 25 more`);
      more.hidden = count >= changes.length;
    };
    add();
    put(this.diff, title, el("p", {}, `From version ${old} to ${now}: ${["inserted", "deleted", "modified"].map((name) => `${number(counts[name] ?? 0)} ${name}`).join(", ")}`), changes.length ? [list, more] : quiet("nothing differs"));
  }

  line(one) {
    if (one.change === "unknown") return el("li", {}, `A commit changed so much of ${one.class} that the log does not list it.`);
    const sign = { inserted: "+", deleted: "−", modified: "~" }[one.change];
    const kinds = Object.fromEntries((find(one.class)?.properties ?? []).map((property) => [property.name, property.type]));
    return el("li", { class: one.change }, el("span", { class: "sign", "aria-hidden": "true" }, sign), span("kind", one.change), ` ${one.class} `, one.change === "deleted" ? shown(exact(one.object)) : chip(one.class, one.object),
      el("ul", {}, Object.entries(one.values ?? {}).slice(0, 12).map(([name, value]) => el("li", {}, span("nil", `${name} `),
        "old" in value ? [el("del", {}, inline(value.old, kinds[name] ?? "mixed?", 60)), " → "] : null, "new" in value ? el("ins", {}, inline(value.new, kinds[name] ?? "mixed?", 60)) : null))));
  }

  heard(version, live) {
    if (!live || this.commits.matches(":hover") || this.asked) return;
    this.asked = setTimeout(async () => {
      this.asked = null;
      try { this.answer = await get("versions", { limit: 200 }); } catch { return; }
      if (!this.commits.contains(document.activeElement)) this.drawCommits();
    }, 300);
  }

  update() {
    if (this.answer && !this.commits.contains(document.activeElement)) this.drawCommits();
    this.loadDiff();
  }

  close() {
    clearInterval(this.timer);
    clearTimeout(this.asked);
    this.request.abort();
    this.difference?.abort();
  }
}
