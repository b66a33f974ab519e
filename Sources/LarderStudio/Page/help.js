// The keys.

import { el, dialog } from "./dom.js";

const KEYS = [["/", "query"], ["g c", "classes"], ["g d f p s v m", "data, feed, plan, space, versions, schema"], ["j k", "next and previous row"], ["← →", "columns"], ["Enter", "open the object"], ["Esc", "back"],
  ["o", "follow the link in the cell"], ["b", "incoming links"], ["s", "sort by the column"], ["f", "group by the column"], ["p", "plan of the query"], ["l", "live or paused"],
  ["e", "edit the cell"], ["u", "undo the last edit"], ["Ctrl-Enter", "run the query; review the changes that are staged"], ["Ctrl-C", "copy the value"], ["?", "this help"]];

export function help() {
  dialog("Keys", el("dl", { class: "keys" }, KEYS.map(([key, text]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)))));
}
