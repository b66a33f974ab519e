// Changes are staged, looked over with their old values, and written in one transaction, or not at all.

import { el, button, put, dialog, notice } from "./dom.js";
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

/// An input in the place of a value. Enter stages what is typed, Escape does not; an empty field of an optional property is nil.
export function editCell(cell, className, row, property, done) {
  const key = keyOf(row);
  const old = row.object[property.name];
  const before = staged(className, key, property.name);
  const optional = type(property.type).optional;
  let isNil = before ? before.text === null : old === null;
  const input = el("input", { class: "edit", "aria-label": `${property.name}, ${property.type}`, value: before ? before.text ?? "" : exact(old), title: "Enter keeps, Escape does not" });
  const nil = optional ? el("button", { type: "button", class: "nil-button", "aria-pressed": String(isNil), onmousedown: (event) => event.preventDefault(),
    onclick: () => { isNil = !isNil; nil.setAttribute("aria-pressed", String(isNil)); input.focus(); } }, "nil") : null;
  let ended = false;
  const end = (keep) => {
    if (ended) return;
    ended = true;
    if (keep) stage(className, row, property, isNil ? null : input.value);
    input.remove();
    done();
  };
  input.addEventListener("input", () => { isNil = false; nil?.setAttribute("aria-pressed", "false"); });
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
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
  else stages.set(id, { class: className, key, property: property.name, text, old, type: property.type, base: model.version });
  changed();
}

export function stageDeletion(className, row) {
  stages.set(name(className, keyOf(row), null), { class: className, key: keyOf(row), property: null, deleted: true, base: model.version });
  changed();
  review();
}

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
    el("td", { class: "old" }, one.deleted ? "" : inline(one.old, one.type)), el("td", { class: "new" }, one.deleted ? "deleted" : inline(one.text, "string?")),
    el("td", {}, button("Drop", (event) => { stages.delete(id); changed(); event.target.closest("tr").remove(); if (!stages.size) box.close(); }))));
  const box = dialog("Review changes", el("table", { class: "review" }, el("thead", {}, el("tr", {}, ["Object", "Property", "Old", "New", ""].map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, rows)),
    state, el("div", { class: "bar" }, write, button("Drop all", () => { stages.clear(); changed(); box.close(); })));
  try {
    const answer = await post("edit?dry=1", request());
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
    const answer = await post("edit", request());
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
  if (error.status !== 409 || !conflicts) { put(state, el("p", { class: "fault", role: "alert" }, shown(error.message))); return; }
  put(state, el("p", { class: "fault", role: "alert" }, "Another program changed the same values meanwhile."),
    el("table", { class: "review" }, el("thead", {}, el("tr", {}, ["Value", "Base", "Theirs", "Mine", ""].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, conflicts.map((one) => {
        const kind = find(one.class)?.properties.find((property) => property.name === one.property)?.type ?? "string?";
        const id = name(one.class, String(exact(one.key)), one.property);
        const solve = (keep) => (event) => {
          const mine = stages.get(id);
          if (keep && mine) Object.assign(mine, { base: error.body.version ?? model.version, old: one.theirs });
          else stages.delete(id);
          changed();
          event.target.closest("tr").remove();
          write.disabled = !stages.size;
        };
        return el("tr", {}, el("td", {}, shown(`${objectName(one.class, exact(one.key))} ${one.property ?? ""}`)), el("td", {}, inline(one.base, kind)), el("td", {}, inline(one.theirs, kind)), el("td", {}, inline(one.mine, "string?")),
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
