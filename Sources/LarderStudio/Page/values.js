// Values as they are shown: nil, empty text and each kind look different, and nothing is markup.

import { el, span } from "./dom.js";
import { shown, plain, number } from "./text.js";
import { type, model } from "./model.js";
import { link } from "./state.js";
import { isExact, write } from "./api.js";

/// The value as text, exact: what is copied.
export function exact(value) {
  if (value == null) return "";
  if (typeof value === "string") return value;
  if (isExact(value)) return value.int;
  if (isCut(value)) return value.cut;
  return write(value);
}

export function isCut(value) {
  return value !== null && typeof value === "object" && typeof value.cut === "string" && typeof value.length === "number"
    && Object.keys(value).length === 2;
}

export function local(date) {
  const when = new Date(date);
  return Number.isNaN(when.getTime()) ? "" : when.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" });
}

export function chip(className, key) {
  const name = typeof key === "object" ? exact(key) : String(key);
  return el("a", { class: "chip", href: link("object", { class: className, key: name }), title: `${className} ${plain(name)}`, tabindex: "-1" },
    shown(name, { marks: 8 }));
}

function muted(text) {
  return span("nil", text);
}

/// A value within a line: a cell of the grid, a line of a card.
export function inline(value, text, limit = 200) {
  const kind = typeof text === "string" ? type(text) : text;
  if (value === undefined) return muted("");
  if (value === null) return muted("nil");
  if (kind.collection) return many(value, kind, limit);
  if (kind.embedded) return summary(value, limit);
  if (kind.link) return typeof value === "object" && !isExact(value) ? summary(value, limit) : chip(kind.base, value);
  if (kind.base === "mixed") return mixed(value, limit);
  return single(value, kind.base, limit);
}

function single(value, base, limit) {
  if (isCut(value)) return el("span", {}, base === "data" ? hex(value.cut, 16) : shown(value.cut.slice(0, limit)), muted(` … ${number(value.length)}`));
  if (isExact(value)) return span("num", value.int);
  if (value === "" && (base === "string" || base === "data")) return muted(base === "data" ? "0 bytes" : "empty text");
  if (base === "data" && typeof value === "string") return span("hex", hex(value, 16));
  if (base === "date") return el("time", { title: local(value) }, plain(value));
  if (typeof value === "boolean") return span("bool", String(value));
  if (typeof value === "number") return span("num", Object.is(value, -0) ? "-0" : String(value));
  if (typeof value === "string") {
    const short = value.length > limit ? value.slice(0, limit) : value;
    return el("span", { class: base === "string" ? "text" : "num" }, shown(short), short.length < value.length ? muted(" …") : null);
  }
  return el("span", {}, plain(write(value)).slice(0, limit));
}

function mixed(value, limit) {
  if (Array.isArray(value?.link) && value.link.length === 2 && Object.keys(value).length === 1) {
    return el("span", {}, muted(`${plain(value.link[0])} `), chip(value.link[0], value.link[1]));
  }
  if (typeof value === "object" && !isExact(value) && !isCut(value)) return summary(value, limit);
  if (typeof value === "string") return span("text", "“", shown(value.slice(0, limit)), "”");
  return single(value, "mixed", limit);
}

function many(value, kind, limit) {
  const entries = kind.collection === "map" ? Object.entries(value) : value;
  if (!entries.length) return muted(kind.collection === "map" ? "empty map" : `empty ${kind.collection}`);
  const element = { ...kind, collection: null };
  return span("many", muted(`${number(entries.length)}: `), entries.slice(0, 4).map((entry, at) => [
    at ? ", " : "", kind.collection === "map" ? [shown(entry[0]), " = ", inline(entry[1], element, 40)] : inline(entry, element, 40)]),
  entries.length > 4 ? ", …" : "");
}

function summary(value, limit) {
  const text = write(value);
  return span("json", plain(text.slice(0, limit)), text.length > limit ? "…" : "");
}

function decode(base64) {
  try {
    const text = atob(base64);
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

export function hex(base64, most) {
  const data = decode(base64.slice(0, Math.ceil(most / 3) * 4 + 4).replace(/[^A-Za-z0-9+/=]/g, ""));
  if (!data) return plain(base64);
  const length = Math.floor(base64.replace(/=+$/, "").length * 3 / 4);
  const digits = [...data.slice(0, most)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return `${digits}${length > most ? " …" : ""}  (${number(length)} B)`;
}

/// A picture, drawn without an address, or nothing when the data are none.
function picture(base64) {
  const data = decode(base64);
  const head = data ? String.fromCharCode(...data.slice(0, 12)) : "";
  const kind = head.startsWith("\x89PNG") ? "png" : head.startsWith("\xff\xd8\xff") ? "jpeg" : head.startsWith("GIF8") ? "gif"
    : head.startsWith("RIFF") && head.endsWith("WEBP") ? "webp" : null;
  if (!kind) return null;
  const canvas = el("canvas", { role: "img", "aria-label": `picture (${kind})`, class: "picture" });
  createImageBitmap(new Blob([data], { type: `image/${kind}` })).then((map) => {
    const scale = Math.min(1, 480 / Math.max(map.width, map.height));
    canvas.width = Math.max(1, map.width * scale);
    canvas.height = Math.max(1, map.height * scale);
    canvas.getContext("2d").drawImage(map, 0, 0, canvas.width, canvas.height);
  }, () => canvas.replaceWith(span("nil", `${kind} that cannot be drawn`)));
  return canvas;
}

/// A value with room: everything unfolded, to a hundred elements of a collection at first.
export function unfolded(value, text, most = 100) {
  const kind = typeof text === "string" ? type(text) : text;
  if (value == null) return muted("nil");
  if (kind.collection) return unfoldedMany(value, kind, most);
  if (kind.embedded && typeof value === "object") return nested(value, kind.base);
  if (kind.base === "mixed" && typeof value === "object" && !isExact(value) && !value.link) {
    const element = { base: "mixed", collection: null };
    return unfoldedMany(value, { ...element, collection: Array.isArray(value) ? "list" : "map" }, most);
  }
  if (kind.base === "data" && typeof value === "string" && value) {
    return el("div", {}, picture(value), el("pre", { class: "hex" }, hex(value, 512)));
  }
  if (kind.base === "date") return el("span", {}, el("time", {}, plain(value), " UTC"), " ", muted(`${local(value)} here`));
  if (kind.base === "string" && typeof value === "string" && value) {
    const cut = value.length > 20000;
    return span("text long", shown(cut ? value.slice(0, 20000) : value, { lines: true, marks: 400 }),
      cut ? muted(` … ${number(value.length)} characters; copy gives all`) : null);
  }
  return inline(value, kind, 2000);
}

function unfoldedMany(value, kind, most) {
  const entries = kind.collection === "map" ? Object.entries(value) : value;
  if (!entries.length) return inline(value, kind);
  const element = { ...kind, collection: null };
  const list = el("ol", { class: "elements", start: "0" });
  const add = (from, to) => entries.slice(from, to).forEach((entry) => list.append(kind.collection === "map"
    ? el("li", {}, el("b", {}, shown(entry[0])), ": ", unfolded(entry[1], element, most)) : el("li", {}, unfolded(entry, element, most))));
  add(0, most);
  if (entries.length <= most) return list;
  const more = el("button", { type: "button", onclick: () => {
    add(list.children.length, list.children.length + 500);
    if (list.children.length >= entries.length) more.remove();
  } }, `of ${number(entries.length)}: show 500 more`);
  return el("div", {}, list, more);
}

function nested(value, className) {
  const properties = model.classes.find((one) => one.name === className)?.properties ?? [];
  return el("table", { class: "fields nested" }, properties.map((property) =>
    el("tr", {}, el("th", { scope: "row" }, property.name), el("td", {}, unfolded(value[property.name], property.type)))));
}
