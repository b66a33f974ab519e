// Texts as they are: characters that cannot be seen, or that turn the direction of others, are shown as marks.

import { span } from "./dom.js";

// Controls, marks of direction, separators of lines and halves of surrogate pairs.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function mark(character) {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `\\u{${code.toString(16)}}`;
}

/// The text with its hidden characters as marks, in one string.
export function plain(text) {
  return String(text).replace(HIDDEN, mark);
}

/// The text as nodes: marks are elements of their own, so that they look different from text that is spelled like them.
export function shown(text, options = {}) {
  const whole = String(text);
  const nodes = [];
  let from = 0;
  for (const found of whole.matchAll(HIDDEN)) {
    if (found.index > from) nodes.push(whole.slice(from, found.index));
    nodes.push(span("mark", mark(found[0])));
    if (options.lines && found[0] === "\n") nodes.push("\n");
    from = found.index + found[0].length;
    if (nodes.length > (options.marks ?? 40)) {
      nodes.push(plain(whole.slice(from)));
      return nodes;
    }
  }
  if (from < whole.length) nodes.push(whole.slice(from));
  return nodes;
}

/// As much of a text as fits into a width of a picture.
export function fit(text, width) {
  const most = Math.max(2, Math.floor(width / 6.7));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

export function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = Number(count);
  let unit = 0;
  while (size >= 1000 && unit < 4) { size /= 1000; unit += 1; }
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`;
}

export function number(count) {
  return Number(count).toLocaleString("en");
}

export function duration(nanoseconds) {
  if (nanoseconds < 1e3) return `${nanoseconds} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toFixed(1)} µs`;
  if (nanoseconds < 1e9) return `${(nanoseconds / 1e6).toFixed(1)} ms`;
  return `${(nanoseconds / 1e9).toFixed(2)} s`;
}

/// A position in characters as one in UTF-16, which is what the browser counts in.
export function offset(text, position) {
  return Array.from(text).slice(0, position).join("").length;
}
