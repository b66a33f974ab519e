// Rows as JSON, CSV and Swift. What the grid has cut is fetched whole first, so that copies are exact.

import { copy } from "./dom.js";
import { get, write } from "./api.js";
import { exact, isCut } from "./values.js";
import { find, keyOf, type } from "./model.js";
import { number } from "./text.js";

async function whole(className, row) {
  if (!Object.values(row.object).some(isCut)) return row.object;
  const answer = await get(`object/${encodeURIComponent(className)}/${encodeURIComponent(keyOf(row))}`);
  return answer.object;
}

function csvField(value) {
  if (value === "") return '""';
  const text = exact(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/// A text as a literal of Swift, whatever is in it.
export function swiftText(text) {
  const body = [...text].map((character) => {
    const code = character.codePointAt(0);
    if (character === '"' || character === "\\") return `\\${character}`;
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || /[\u200b-\u200f\u2028-\u202e\u2066-\u2069\u061c\ufeff]/.test(character)
      ? `\\u{${code.toString(16)}}` : character;
  }).join("");
  return `"${body}"`;
}

function swiftValue(value, kind) {
  if (value === null) return "nil";
  if (kind?.collection === "map") return `[${Object.entries(value).map(([name, one]) => `${swiftText(name)}: ${swiftValue(one, { ...kind, collection: null })}`).join(", ") || ":"}]`;
  if (Array.isArray(value)) return `[${value.map((one) => swiftValue(one, { ...kind, collection: null })).join(", ")}]`;
  if (kind?.embedded && typeof value === "object") return swiftObject(kind.base, value, true);
  if (kind?.link) return `realm.object(ofType: ${kind.base}.self, forPrimaryKey: ${swiftValue(value)})`;
  const base = kind?.base;
  if (base === "date") return `try! Date(${swiftText(value)}, strategy: .iso8601)`;
  if (base === "data") return `Data(base64Encoded: ${swiftText(value)})!`;
  if (base === "uuid") return `UUID(uuidString: ${swiftText(value)})!`;
  if (base === "objectId") return `try! ObjectId(string: ${swiftText(value)})`;
  if (base === "decimal128") return `try! Decimal128(string: ${swiftText(value)})`;
  if (value === "nan" && base !== "string") return ".nan";
  if ((value === "inf" || value === "-inf") && base !== "string") return `${value === "inf" ? "" : "-"}.infinity`;
  return typeof value === "string" ? swiftText(value) : exact(value) || "nil";
}

function swiftObject(className, object, inner) {
  const fields = (find(className)?.properties ?? []).filter((property) => property.name in object)
    .map((property) => `${JSON.stringify(property.name)}: ${swiftValue(object[property.name], type(property.type))}`);
  return inner ? `[${fields.join(", ")}]` : `${className}(value: [\n  ${fields.join(",\n  ")}\n])`;
}

export async function copyValue(className, row, name) {
  const object = await whole(className, row);
  await copy(exact(name === "#" ? row.key : object[name]), name);
}

export async function copyRows(className, rows, form) {
  const objects = await Promise.all(rows.map((row) => whole(className, row)));
  const names = find(className).properties.map((property) => property.name);
  const text = form === "json" ? objects.map((object) => write(object)).join("\n")
    : form === "csv" ? [names.map(csvField), ...objects.map((object) => names.map((name) => csvField(object[name])))].map((fields) => fields.join(",")).join("\r\n")
      : objects.map((object) => swiftObject(className, object)).join("\n");
  await copy(`${text}\n`, `${number(rows.length)} ${rows.length === 1 ? "object" : "objects"}`);
}
