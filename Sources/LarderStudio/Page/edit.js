// Changes are staged, looked over with their old values, and written in one transaction, or not at all.

import { el, button, put, dialog, notice, alert, heads, bar } from "./dom.js";
import { post } from "./api.js";
import { model, find, keyOf, objectName, type } from "./model.js";
import { shown } from "./text.js";
import { inline, exact } from "./values.js";

const DEEP = 50;
const stages = new Map();
let undos = 0;
let changed = () => {};

const name = (className, key, property) => JSON.stringify([className, key, property]);

export function onEdits(listener) { changed = listener; }
export const stagedCount = () => stages.size;
export const undoDepth = () => undos;

export function staged(className, key, property) {
  return stages.get(name(className, key, property));
}

export function canEdit(property) {
  return model.writable && Boolean(property) && !property.primaryKey && !property.objectKey && !type(property.type).embedded;
}

/// An input in the place of a value: of several lines where the value has some. Enter stages what is typed, Escape does not, and what is
/// left as it was stages nothing; an optional property can be nil.
export function editCell(cell, className, row, property, done) {
  const key = keyOf(row);
  const old = row.object[property.name];
  const before = staged(className, key, property.name);
  const optional = type(property.type).optional;
  const wasNil = before ? before.text === null : old === null;
  let isNil = wasNil;
  const first = before ? before.text ?? "" : exact(old);
  const lines = /[\r\n]/.test(first);
  const input = el(lines ? "textarea" : "input", { class: "edit", "aria-label": `${property.name}, ${property.type}`,
    title: lines ? "Enter keeps, Shift-Enter begins a line, Escape does not keep" : "Enter keeps, Escape does not" });
  input.value = first;
  // A field has its own line breaks, and none of some other characters.
  const unchanged = input.value;
  const typed = () => (/\r\n/.test(first) && !/(^|[^\r])\n/.test(first) ? input.value.replaceAll("\n", "\r\n") : input.value);
  const nil = optional ? el("button", { type: "button", class: "nil-button", "aria-pressed": String(isNil), onmousedown: (event) => event.preventDefault(),
    onclick: () => { isNil = !isNil; nil.setAttribute("aria-pressed", String(isNil)); input.focus(); } }, "nil") : null;
  let ended = false;
  const end = (keep) => {
    if (ended) return;
    ended = true;
    if (keep && (isNil !== wasNil || input.value !== unchanged)) stage(className, row, property, isNil ? null : typed());
    input.remove();
    done();
  };
  input.addEventListener("input", () => { isNil = false; nil?.setAttribute("aria-pressed", "false"); });
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && event.shiftKey && lines) return;
    if (event.key === "Enter") { end(true); if (event.ctrlKey) review(); }
    else if (event.key === "Escape") end(false);
    else return;
    event.preventDefault();
  });
  input.addEventListener("blur", (event) => { if (event.relatedTarget !== nil) end(true); });
  put(cell, input, nil);
  input.focus();
  input.select();
}

function stage(className, row, property, text) {
  const key = keyOf(row);
  const old = row.object[property.name];
  const id = name(className, key, property.name);
  if (text === null ? old === null : old !== null && text === exact(old)) stages.delete(id);
  else stages.set(id, { class: className, key, property: property.name, text, old, type: property.type, base: row.version ?? model.version });
  changed();
}

export function stageDeletion(className, row) {
  stages.set(name(className, keyOf(row), null), { class: className, key: keyOf(row), property: null, deleted: true, base: row.version ?? model.version });
  changed();
  review();
}

/// Asks for the changes, or with `dry=1` for what they would be. What an edit began with is known here: the tool need not look it up.
const ask = (dry) => post(`edit?bases=0${dry ? "&dry=1" : ""}`, request());

/// The staged changes as the server takes them: by object.
function request() {
  const objects = new Map();
  for (const one of stages.values()) {
    const id = `${one.class} ${one.key}`;
    const entry = objects.get(id) ?? { class: one.class, key: one.key };
    if (one.deleted) entry.delete = true;
    else entry.set = { ...entry.set, [one.property]: one.text };
    objects.set(id, entry);
  }
  const base = Math.min(...[...stages.values()].map((one) => one.base));
  return { base, changes: [...objects.values()].map((entry) => (entry.delete ? { class: entry.class, key: entry.key, delete: true } : entry)) };
}

export async function review() {
  if (!stages.size) return;
  const state = el("div", { role: "status" }, "Trying the changes…");
  const write = button("Write", () => apply(box, state, write), { class: "primary", disabled: true });
  const rows = [...stages.entries()].map(([id, one]) => el("tr", {}, el("td", {}, shown(objectName(one.class, one.key))), el("td", {}, one.deleted ? "whole object" : one.property),
    el("td", { class: "old" }, one.deleted ? "" : inline(one.old, one.type)), el("td", { class: one.deleted ? "old" : "new" }, one.deleted ? "deleted" : inline(one.text, "string?")),
    el("td", {}, button("Drop", (event) => { stages.delete(id); changed(); event.target.closest("tr").remove(); if (!stages.size) box.close(); }))));
  const box = dialog("Review changes", el("table", { class: "review" }, heads(["Object", "Property", "Old", "New", ""]), el("tbody", {}, rows)),
    state, bar(write, button("Drop all", () => { stages.clear(); changed(); box.close(); })));
  try {
    const answer = await ask(true);
    const links = answer.changes.reduce((sum, one) => sum + (one.links ?? 0), 0);
    put(state, links ? `${links} links to deleted objects become nil or are removed.` : "Nothing is written yet. All changes are one transaction.");
    write.disabled = false;
    write.focus();
  } catch (error) {
    fault(error, state, write);
  }
}

async function apply(box, state, write) {
  write.disabled = true;
  try {
    const answer = await ask(false);
    undos = Math.min(DEEP, undos + 1);
    stages.clear();
    box.close();
    notice(`Written as version ${answer.version}. u undoes it.`);
    changed(answer.version);
  } catch (error) {
    fault(error, state, write);
  }
}

/// What keeps changes from being written; where another program was first: mine, theirs and what both began with.
function fault(error, state, write) {
  const conflicts = error.body?.conflicts;
  if (error.status !== 409 || !conflicts) { put(state, alert(shown(error.message))); return; }
  const version = error.body.version ?? model.version;
  const ids = new Set(conflicts.map((one) => name(one.class, String(exact(one.key)), one.property)));
  // All others were compared with that version, too.
  for (const [id, one] of stages) if (!ids.has(id)) one.base = version;
  write.disabled = true;
  put(state, alert("Another program changed the same values meanwhile."),
    el("table", { class: "review" }, heads(["Value", "Base", "Theirs", "Mine", ""]),
      el("tbody", {}, conflicts.map((one) => {
        const kind = find(one.class)?.properties.find((property) => property.name === one.property)?.type ?? "string?";
        const id = name(one.class, String(exact(one.key)), one.property);
        const solve = (keep) => (event) => {
          const mine = stages.get(id);
          if (keep && mine) Object.assign(mine, { base: version, old: one.theirs });
          else stages.delete(id);
          changed();
          event.target.closest("tr").remove();
          ids.delete(id);
          write.disabled = !stages.size || ids.size > 0;
        };
        return el("tr", {}, el("td", {}, shown(`${objectName(one.class, exact(one.key))} ${one.property ?? ""}`)), el("td", {}, inline(one.base ?? stages.get(id)?.old ?? null, kind)), el("td", {}, inline(one.theirs, kind)), el("td", {}, inline(one.mine, "string?")),
          el("td", {}, button("Keep mine", solve(true)), button("Take theirs", solve(false))));
      }))));
}

export async function undo() {
  if (!model.writable) return;
  try {
    const answer = await post("undo", {});
    undos = Math.max(0, undos - 1);
    notice(`${answer.undone ?? "Undone"}, as version ${answer.version}.${answer.notice ? ` ${answer.notice}` : ""}`);
    changed(answer.version);
  } catch (error) {
    notice(error.message, "error");
  }
}
