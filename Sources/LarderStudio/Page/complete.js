// What can be typed at a place of a predicate: properties, over links too, and the words of the language.

import { find, type } from "./model.js";

const WORDS = ["AND", "OR", "NOT", "ANY", "ALL", "NONE", "IN", "BETWEEN", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "TEXT", "true", "false", "nil"];
const SUFFIXES = ["@count", "@min", "@max", "@sum", "@avg"];

/// Whether a place is within a text in quotes.
function quoted(text) {
  let quote = null;
  for (let at = 0; at < text.length; at += 1) {
    if (quote && text[at] === "\\") at += 1;
    else if (quote) { if (text[at] === quote) quote = null; }
    else if (text[at] === '"' || text[at] === "'") quote = text[at];
  }
  return quote !== null;
}

/// The suggestions at the caret, and where the word that they complete begins.
export function complete(className, text, caret) {
  const before = text.slice(0, caret);
  if (quoted(before)) return { from: caret, items: [] };
  const word = /[\p{L}\p{N}_.@]*$/u.exec(before)[0];
  const parts = word.split(".");
  const last = parts.pop();
  let owner = className;
  let collection = null;
  for (const part of parts) {
    const property = find(owner)?.properties.find((one) => one.name === part);
    if (!property) return { from: caret, items: [] };
    const kind = type(property.type);
    collection = kind.collection;
    owner = kind.base;
  }
  const begins = (name) => name.toLowerCase().startsWith(last.toLowerCase()) && name !== last;
  const items = (find(owner)?.properties ?? []).filter((property) => begins(property.name))
    .map((property) => ({ text: property.name, note: property.type + (property.indexed ? ", indexed" : "") }));
  if (parts.length && collection) items.push(...SUFFIXES.filter(begins).map((name) => ({ text: name, note: "of the collection" })));
  if (!parts.length && last) items.push(...WORDS.filter(begins).map((name) => ({ text: name, note: "word" })));
  return { from: caret - last.length, items: items.slice(0, 12) };
}
