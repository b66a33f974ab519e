// The columns of the grid: which are shown, how wide they are, which stay at the left. All of it is in the URL.

import { state, change } from "./state.js";
import { find, type } from "./model.js";
import { inline } from "./values.js";

const WIDTHS = { bool: 70, int: 110, double: 130, float: 110, date: 230, uuid: 300, objectId: 220, decimal128: 140, string: 180 };

function list(name) {
  return (state.params[name] ?? "").split(",").filter(Boolean);
}

function widths() {
  return Object.fromEntries(list("widths").map((entry) => entry.split(":")).map(([name, width]) => [name, Number(width)]));
}

/// How wide the columns are for what the first rows hold.
export function widthsOf(className, rows) {
  return Object.fromEntries((find(className)?.properties ?? []).map(({ name, type: kind }) => {
    const most = Math.max(2, ...rows.slice(0, 40).map((row) => inline(row.object[name], kind, 60).textContent.length));
    return [name, Math.ceil(Math.min(300, most * 7.8 + (type(kind).link ? 34 : 18)))];
  }));
}

/// The columns from left to right, each with its place in pixels.
export function columns(className, fitting = {}) {
  const hidden = new Set(list("hide"));
  const pinned = list("pin");
  const wide = widths();
  const properties = find(className)?.properties ?? [];
  const keyed = properties.some((property) => property.primaryKey);
  const all = (keyed ? [] : [{ name: "#", type: "int", objectKey: true }]).concat(properties)
    .filter((column) => !hidden.has(column.name))
    .map((column) => ({ ...column, pinned: pinned.includes(column.name),
      right: /^(int|double|float|decimal128)\??$/.test(column.type),
      width: wide[column.name] || Math.max(fitting[column.name] || WIDTHS[column.type.replace("?", "")] || 160, Math.min(220, column.name.length * 7.2 + 26)) }));
  const ordered = all.filter((one) => one.pinned).concat(all.filter((one) => !one.pinned));
  let left = 0;
  for (const column of ordered) { column.left = left; left += column.width; }
  return ordered;
}

export function resize(name, width) {
  const all = { ...widths(), [name]: Math.round(Math.max(50, Math.min(900, width))) };
  change({ widths: Object.entries(all).map((entry) => entry.join(":")).join(",") }, true);
}

function toggle(param, name) {
  const all = list(param);
  change({ [param]: (all.includes(name) ? all.filter((one) => one !== name) : [...all, name]).join(",") });
}

export const hide = (name) => toggle("hide", name);
export const pin = (name) => toggle("pin", name);
export const showAll = () => change({ hide: "" });
export const hiddenCount = () => list("hide").length;

/// The order as it is in the URL: "name,population:desc".
export function sorts() {
  return list("sort");
}

/// Ascending, then descending, then none.
export function nextSort(name) {
  const now = sorts()[0];
  change({ sort: now === name ? `${name}:desc` : now === `${name}:desc` ? "" : name, row: "" });
}
