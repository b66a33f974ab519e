// The page: its head, the screen that the URL names, the stream of events, and the keys.

import { el, button, put, notice, alert, gap } from "./dom.js";
import { begin, state, onState, go, change, link } from "./state.js";
import { takeToken, Stream } from "./api.js";
import { model, load, find } from "./model.js";
import { number, plain } from "./text.js";
import * as rail from "./rail.js";
import { Data } from "./data.js";
import { ObjectScreen } from "./object.js";
import { Plan } from "./plan.js";
import { Feed, feed, heard, setPaused, topics, pin, pinsOf } from "./feed.js";
import { Space } from "./space.js";
import { Versions } from "./versions.js";
import { Graph } from "./graph.js";
import { onEdits, stagedCount, review, undo } from "./edit.js";
import { help } from "./help.js";

const SCREENS = { grid: Data, object: ObjectScreen, plan: Plan, feed: Feed, space: Space, versions: Versions, schema: Graph };
const TABS = [["grid", "Data", "d"], ["feed", "Feed", "f"], ["plan", "Plan", "p"], ["space", "Space", "s"], ["versions", "Versions", "v"], ["schema", "Schema", "m"]];

let view = null;
let shownScreen = null;
let live = true;
let prefix = false;
let asked = {};
const parts = {};
const main = document.getElementById("main");
const stream = new Stream(event);

const actions = {
  pin, savedChanged: () => { rail.draw(); notice("Saved"); },
  follow: () => stream.follow(topics()), toggleLive,
};

function head() {
  parts.version = el("span", { class: "version" });
  parts.connection = el("span", { class: "offline", role: "status" });
  parts.staged = button("", review, { class: "primary", hidden: true });
  parts.live = button("", toggleLive, { class: "live" });
  parts.tabs = el("nav", { class: "tabs", "aria-label": "Screens" });
  const name = model.store.name ?? String(model.store.file ?? "").split("/").pop();
  put(document.getElementById("top"), button("Classes", () => { document.body.classList.toggle("rail-open"); if (document.body.classList.contains("rail-open")) rail.focus(); }, { class: "rail-button" }),
    el("span", { class: "brand", title: plain(model.store.file ?? "") }, plain(name)),
    el("span", { class: `badge ${model.writable ? "write" : ""}` }, model.writable ? "WRITE" : "read only"), parts.version, parts.connection, parts.staged,
    parts.tabs, gap(), parts.live, button("Theme", theme, { title: "Light or dark" }), button("?", help, { "aria-label": "Keys" }));
  document.title = `${plain(name)} · Larder`;
}

/// What was last asked for, which is what the tabs of data and plan go back to.
function query() {
  const { class: name, q, sort } = state.params;
  if (state.screen === "grid") { asked = { ...state.params }; delete asked.theme; }
  else if (state.screen === "plan" && (name !== asked.class || q !== asked.q || sort !== asked.sort)) asked = { class: name, q, sort };
  else if (name && name !== asked.class) asked = { class: name };
  return asked;
}

function drawHead() {
  const { class: name, q, sort } = query();
  put(parts.tabs, TABS.map(([screen, text]) => el("a", { href: link(screen, screen === "grid" ? asked : screen === "plan" ? { class: name, q, sort } : screen === "feed" && feed.pins.length ? { pins: JSON.stringify(feed.pins) } : {}),
    "aria-current": screen === state.screen || (screen === "grid" && state.screen === "object") ? "page" : null }, text)));
  put(parts.version, `version ${number(model.version)}`);
  put(parts.live, live ? "Live" : "Paused");
  parts.live.setAttribute("aria-pressed", String(live));
  parts.staged.hidden = !stagedCount();
  put(parts.staged, `Review ${stagedCount()}`);
  if (state.params.theme) document.documentElement.dataset.theme = state.params.theme;
  else delete document.documentElement.dataset.theme;
}

function theme() {
  const dark = state.params.theme ? state.params.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  change({ theme: dark ? "light" : "dark" }, true);
  drawHead();
}

function show() {
  document.body.classList.remove("rail-open");
  const Screen = SCREENS[state.screen] ?? Data;
  const identity = state.screen === "grid" ? `grid ${state.params.class}` : state.screen;
  document.querySelector("dialog")?.close();
  if (identity === shownScreen && view?.update) view.update();
  else {
    view?.close?.();
    put(main);
    main.className = `screen-${state.screen}`;
    view = new Screen(main, actions);
    shownScreen = state.screen === "grid" ? `grid ${state.params.class}` : state.screen;
    if (document.activeElement === main || !main.contains(document.activeElement)) (document.getElementById("grid") ?? main).focus();
  }
  rail.mark();
  drawHead();
}

// Events

function event(kind, data) {
  if (kind === "connection") {
    put(parts.connection, data.connected ? "" : "not connected");
    if (data.connected) refreshVersion();
    return;
  }
  if (kind === "store") newVersion(data.version, data.classes);
  else if (kind === "change") heard(kind, data);
  else if (kind === "failed") notice(data.error.message, "error");
  else if (kind === "reset") { heard(kind, data); newVersion(data.version); }
}

function newVersion(version, counts) {
  if (version < model.version) return;
  model.version = version;
  if (Object.keys(counts ?? {}).some((name) => !find(name))) { load().then(() => rail.draw(), () => {}); }
  rail.update(counts);
  put(parts.version, `version ${number(version)}`);
  if (version > 0) view?.heard?.(version, live);
}

/// After an interruption: what changed meanwhile, also where no event says it.
async function refreshVersion() {
  const before = model.version;
  const names = model.classes.map((one) => one.name).join();
  try { await load(); } catch { return; }
  if (names !== model.classes.map((one) => one.name).join()) rail.draw();
  const now = model.version;
  model.version = before;
  newVersion(now, Object.fromEntries(model.classes.map((one) => [one.name, one.objects])));
}

function toggleLive() {
  live = !live;
  setPaused(!live);
  drawHead();
  if (live) view?.heard?.(model.version, true);
}

// Keys

function key(pressed) {
  const field = pressed.target.closest?.("input, textarea, select");
  if ((pressed.ctrlKey || pressed.metaKey) && pressed.key === "Enter") {
    if (stagedCount()) review();
    else view?.bar?.run?.();
    return pressed.preventDefault();
  }
  if (field || pressed.ctrlKey || pressed.metaKey || pressed.altKey || document.querySelector("dialog[open], [role=menu]")) {
    if (field && pressed.key === "Escape") { field.blur(); document.getElementById("grid")?.focus(); }
    return undefined;
  }
  if (prefix) {
    prefix = false;
    if (pressed.key === "c") rail.focus();
    else {
      const tab = TABS.find(([, , letter]) => letter === pressed.key);
      if (tab) location.hash = parts.tabs.children[TABS.indexOf(tab)].getAttribute("href");
    }
    return pressed.preventDefault();
  }
  const does = {
    "/": () => { const query = document.getElementById("query"); if (query) query.focus(); else go("grid", asked); },
    g: () => { prefix = true; }, "?": help, l: toggleLive, u: () => undo(), p: () => { location.hash = parts.tabs.children[2].getAttribute("href"); },
    Escape: back,
  }[pressed.key];
  if (view?.command?.(pressed.key) || does) {
    if (does && !"jkobsfe".includes(pressed.key)) does();
    pressed.preventDefault();
  }
  return undefined;
}

function back() {
  if (document.body.classList.contains("rail-open")) { document.body.classList.remove("rail-open"); main.focus(); return; }
  if (document.getElementById("rail").contains(document.activeElement)) { (document.getElementById("grid") ?? main).focus(); return; }
  if (state.params.as === "groups") { change({ as: "", by: "" }); return; }
  if (state.screen !== "grid" || state.params.q) history.back();
}

// Start

function needsToken(message) {
  const field = el("input", { "aria-label": "URL that the tool printed", placeholder: "http://127.0.0.1:…/#token=…", autocomplete: "off" });
  put(main, el("h1", {}, "Larder"), alert(message), el("p", {}, "Open the URL that larder studio printed, or paste it here."),
    el("form", { class: "query", onsubmit: (submitted) => { submitted.preventDefault(); const found = /#token=[0-9a-f]+/i.exec(field.value); if (found) { location.hash = found[0]; location.reload(); } } }, field, el("button", { class: "primary" }, "Open")));
}

async function start() {
  document.getElementById("skip").addEventListener("click", (clicked) => { clicked.preventDefault(); main.focus(); });
  if (!takeToken()) return needsToken("This page has no token.");
  try {
    await load();
  } catch (error) {
    return error.status === 403 ? needsToken("The token is not the one of this tool.") : put(main, alert(error.message), button("Try again", () => location.reload()));
  }
  begin();
  feed.pins = pinsOf(state.params);
  head();
  rail.draw();
  onState(show);
  addEventListener("keydown", key);
  onEdits((version) => { drawHead(); if (version) { model.version = version; refreshVersion().then(() => view?.load?.()); view?.grid?.heard(version, true); } });
  addEventListener("beforeunload", (leaving) => { if (stagedCount()) leaving.preventDefault(); });
  show();
  stream.follow(topics());
  if (state.params.class && !find(state.params.class)) notice(`The store has no class ${plain(state.params.class)}.`, "error");
  return undefined;
}

start();
