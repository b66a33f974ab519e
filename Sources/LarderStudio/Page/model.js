// What is known of the store: its classes, and the newest version that was heard of.

import { get } from "./api.js";

export const model = { store: {}, classes: [], version: 0, writable: false };

export async function load() {
  const [store, classes] = await Promise.all([get("store"), get("classes")]);
  model.store = store;
  model.classes = classes.classes;
  model.version = Math.max(store.version, classes.version);
  model.writable = store.writable === true;
  if (store.encrypted) for (const name of ["queries", "saved", "boxes"]) localStorage.removeItem(id(name));
}

// Names and queries tell of what is in a store. Of an encrypted one nothing is kept but while the page is open.
const here = {};
const id = (name) => `larder-${name}-${model.store.storeID}`;
const place = () => (model.store.encrypted ? here : localStorage);
export const kept = (name) => place()[id(name)];
export const keep = (name, text) => { place()[id(name)] = text; };

export function find(name) {
  return model.classes.find((one) => one.name === name);
}

export function primaryKey(name) {
  return find(name)?.properties.find((property) => property.primaryKey);
}

/// A type as it is written, such as "[string: City?]", taken apart.
export function type(text) {
  let inner = text.trim();
  let collection = null;
  if (/^\[string: .*\]$/.test(inner)) { collection = "map"; inner = inner.slice(9, -1); }
  else if (/^\[.*\]$/.test(inner)) { collection = "list"; inner = inner.slice(1, -1); }
  else if (/^\{.*\}$/.test(inner)) { collection = "set"; inner = inner.slice(1, -1); }
  const optional = inner.endsWith("?");
  const base = optional ? inner.slice(0, -1) : inner;
  const target = find(base);
  return { collection, base, optional, embedded: Boolean(target?.embedded), link: Boolean(target) && !target.embedded };
}

/// What a column is sorted and grouped by: itself, and of a link the primary key of its object; null for what has no order.
export function ordered({ name, type: text, objectKey }) {
  const kind = type(text);
  if (kind.collection || kind.embedded || objectKey || kind.base === "data") return null;
  return kind.link ? primaryKey(kind.base) ? `${name}.${primaryKey(kind.base).name}` : null : name;
}

/// The type at the end of a path over links and embedded objects.
export function typeAt(className, path) {
  let owner = className;
  let found = null;
  for (const part of path.split(".")) {
    const property = find(owner)?.properties.find((one) => one.name === part);
    if (!property) return part.startsWith("@") ? type("int") : null;
    found = type(property.type);
    owner = found.base;
  }
  return found;
}

/// The classes in which objects of an embedded class are.
export function owners(name) {
  return model.classes.filter((one) => one.properties.some((property) => type(property.type).base === name)).map((one) => one.name);
}

/// How an object is named in paths of requests: by its primary key, else by its object key.
export function keyOf(row) {
  const key = row.primaryKey;
  if (key == null) return `#${row.key}`;
  return typeof key === "object" ? key.int : String(key);
}

export function objectName(className, key) {
  const text = String(key);
  if (text.startsWith("#") || /^[\p{L}\p{N}_.-]+$/u.test(text)) return `${className} ${text}`;
  return `${className} ${JSON.stringify(text)}`;
}
