// The feed: up to eight queries, and a card for each commit that changed what one of them finds.

import { el, button, put, notice, gap, quiet, span, bar } from "./dom.js";
import { state, change, go, link } from "./state.js";
import { find, model, objectName } from "./model.js";
import { number, shown } from "./text.js";
import { inline, exact, chip } from "./values.js";

export const MOST = 8;
const CARDS = 200;
const LINES = 20;

/// What the feed heard. It goes on while other screens are shown.
export const feed = { pins: [], cards: [], waiting: [], paused: false, seen: new Map(), listener: null, counts: new Map() };

export function pinsOf(params) {
  try {
    const pins = JSON.parse(params.pins ?? "[]");
    return Array.isArray(pins) ? pins.filter((pin) => find(pin?.class)).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export const idOf = (pin) => JSON.stringify([pin.class, pin.q ?? "", pin.sort ?? []]);
export const labelOf = (pin) => `${pin.class}${pin.q ? ` where ${pin.q}` : ""}${pin.sort?.length ? ` by ${pin.sort.join(", ")}` : ""}`;

export function pin(query) {
  const pins = state.screen === "feed" ? pinsOf(state.params) : feed.pins;
  if (pins.length >= MOST) return notice(`The feed follows ${MOST} queries at most. Remove one first.`, "error");
  const all = pins.some((one) => idOf(one) === idOf(query)) ? pins : [...pins, query];
  return go("feed", { pins: JSON.stringify(all) });
}

/// The queries that the stream of events follows.
export function topics() {
  return feed.pins.map((one) => ({ id: idOf(one), class: one.class, q: one.q ?? "", sort: one.sort ?? [] }));
}

/// An event of the stream; each commit of a query makes one card, also when the stream says it twice.
export function heard(kind, event) {
  if (kind === "change") {
    if (event.count !== undefined) feed.counts.set(event.topic, event.count);
    if (event.version <= (feed.seen.get(event.topic) ?? -1)) return;
    feed.seen.set(event.topic, event.version);
    if (!event.deleted && !event.inserted && !event.modified) { feed.listener?.(); return; }
  }
  const card = { kind, at: new Date(), ...event };
  const place = feed.paused ? feed.waiting : feed.cards;
  place.unshift(card);
  place.length = Math.min(place.length, CARDS);
  feed.listener?.(feed.paused ? null : card);
}

export function setPaused(paused) {
  feed.paused = paused;
  if (!paused) { feed.cards = [...feed.waiting, ...feed.cards].slice(0, CARDS); feed.waiting = []; }
  feed.listener?.();
}

export class Feed {
  constructor(place, actions) {
    this.actions = actions;
    this.state = el("span", { role: "status", class: "count" });
    this.toggle = button("", () => actions.toggleLive());
    this.pins = el("ul", { class: "pins", "aria-label": "Queries that are followed" });
    this.cards = el("div", { class: "cards scroll", id: "cards", role: "feed", "aria-label": "Commits", tabindex: "0" });
    this.form = el("form", { class: "query", onsubmit: (event) => { event.preventDefault(); this.add(); } },
      this.select = el("select", { "aria-label": "Class" }, model.classes.map((one) => el("option", { value: one.name }, one.name))),
      el("div", { class: "field" }, this.input = el("input", { id: "query", "aria-label": "Predicate", placeholder: "all objects, or a predicate", spellcheck: "false", autocomplete: "off" })),
      this.order = el("input", { class: "order", "aria-label": "Order", placeholder: "order: name:desc", spellcheck: "false" }), el("button", { class: "primary" }, "Follow"));
    put(place, bar(el("h1", {}, "Feed"), this.toggle, this.state, gap(), button("Clear", () => { feed.cards = []; this.draw(); })), this.form, this.pins, this.cards);
    feed.listener = (card) => (card ? this.insert(card) : this.draw());
    this.update();
  }

  add() {
    pin({ class: this.select.value, q: this.input.value.trim(), sort: this.order.value.split(",").map((one) => one.trim()).filter(Boolean) });
    this.input.value = "";
  }

  update() {
    const pins = pinsOf(state.params);
    if (!pins.length && feed.pins.length && !state.params.pins) { change({ pins: JSON.stringify(feed.pins) }, true); }
    else feed.pins = pins;
    this.actions.follow();
    this.draw();
  }

  head() {
    put(this.toggle, feed.paused ? "Resume" : "Pause");
    this.toggle.setAttribute("aria-pressed", String(!feed.paused));
    put(this.state, feed.paused ? `Paused · ${number(feed.waiting.length)} new` : "Live");
    put(this.pins, feed.pins.map((one) => el("li", {}, el("a", { href: link("grid", { class: one.class, q: one.q, sort: (one.sort ?? []).join(",") }) }, shown(labelOf(one))), " ",
      span("n", feed.counts.has(idOf(one)) ? number(feed.counts.get(idOf(one))) : ""),
      button("✕", () => change({ pins: JSON.stringify(feed.pins.filter((other) => other !== one)) }), { "aria-label": `Do not follow ${labelOf(one)}` }))));
  }

  draw() {
    this.head();
    put(this.cards, feed.cards.slice(0, 60).map((card) => this.card(card)));
    if (!feed.cards.length) put(this.cards, quiet(feed.pins.length ? "Commits that change what these queries find appear here." : "Follow a query to see what every commit changes in it."));
  }

  insert(card) {
    this.head();
    if (feed.cards.length === 1) put(this.cards);
    this.cards.prepend(this.card(card));
    while (this.cards.children.length > 60) this.cards.lastChild.remove();
  }

  card(card) {
    const time = el("time", {}, card.at.toLocaleTimeString());
    if (card.kind === "reset") {
      return el("article", { class: "card reset", tabindex: "-1" }, el("h2", {}, `Begun again at version ${card.version}`), time, el("p", {}, "What happened before is no longer in the store's log."));
    }
    const query = feed.pins.find((one) => idOf(one) === card.topic);
    const className = query?.class ?? JSON.parse(card.topic)[0];
    const parts = [["deleted", "−"], ["inserted", "+"], ["modified", "~"]].filter(([name]) => card[name]?.length);
    const count = (name) => card.total?.[name] ?? card[name]?.length ?? 0;
    const missed = card.since !== undefined;
    const title = missed && card.version - card.since > 1 ? `Versions ${card.since + 1} to ${card.version}` : `Version ${card.version}`;
    return el("article", { class: "card", tabindex: "-1", data: { version: card.version } }, el("h2", {}, title), time, quiet(shown(query ? labelOf(query) : className)),
      el("p", {}, `${card.count === undefined ? "" : `${number(card.count)} objects: `}${missed ? "" : `${number(count("deleted"))} deleted, `}${number(count("inserted"))} inserted, ${number(count("modified"))} modified`),
      missed ? quiet(`While the page was not connected, from the log.${card.left ? ` ${number(card.left)} more of the class were deleted, or changed so that they may have been found before.` : ""}`) : null,
      parts.map(([name, sign]) => el("ul", { class: `changes ${name}`, "aria-label": name }, card[name].slice(0, LINES).map((one) => this.line(sign, one, className)),
        count(name) > LINES ? el("li", { class: "nil" }, `and ${number(count(name) - LINES)} more`) : null)));
  }

  line(sign, one, className) {
    const properties = find(className)?.properties ?? [];
    const primary = properties.find((property) => property.primaryKey);
    const key = one.primaryKey ?? (primary && one.object ? one.object[primary.name] : null);
    const name = key == null ? (one.key === undefined ? "" : `#${one.key}`) : exact(key);
    const values = one.object ? properties.filter((property) => property !== primary && one.object[property.name] !== undefined).slice(0, 4) : [];
    return el("li", {}, el("span", { class: "sign", "aria-hidden": "true" }, sign), span("position", `[${one.position}]`), " ",
      name === "" ? null : sign === "−" ? shown(objectName("", name).trim()) : chip(className, name), " ",
      values.map((property) => [span("nil", `${property.name} `), inline(one.object[property.name], property.type, 40), " "]));
  }

  command(key) {
    if (key !== "j" && key !== "k") return false;
    const all = [...this.cards.querySelectorAll(".card")];
    const at = all.indexOf(document.activeElement);
    all[Math.max(0, Math.min(all.length - 1, at + (key === "j" ? 1 : -1)))]?.focus();
    return true;
  }

  close() { feed.listener = null; }
}
