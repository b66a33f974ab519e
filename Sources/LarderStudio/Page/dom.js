// Elements without markup: every text goes in as a text node, every style through the object model.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(node.style, value);
    else if (name === "value") node.value = value;
    else if (name === "data") Object.assign(node.dataset, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child != null && child !== false) node.append(child);
  }
  return node;
}

export function el(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

export function button(label, action, attributes) {
  return el("button", { type: "button", onclick: action, ...attributes }, label);
}

export const alert = (...text) => el("p", { class: "fault", role: "alert" }, text);
export const quiet = (...text) => el("p", { class: "nil" }, text);
export const digits = (...text) => el("td", { class: "num" }, text);
export const span = (name, ...children) => el("span", { class: name }, children);
export const bar = (...children) => el("div", { class: "bar" }, children);
export const gap = () => el("span", { class: "space" });
export const heads = (names) => el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col" }, name))));

/// Puts other children into a node.
export function put(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return node;
}

export function notice(text, kind = "info") {
  const line = el("div", { class: `notice ${kind}` }, text);
  document.getElementById("notices").append(line);
  setTimeout(() => line.remove(), kind === "error" ? 12000 : 5000);
}

export function save(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission for the clipboard: a field that is selected, and the browser's own command.
    const field = el("textarea", { class: "offscreen", "aria-hidden": "true", value: text });
    const focused = document.activeElement;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    if (focused) focused.focus();
  }
  notice(`${what} copied`);
}

/// A dialog over the page. Escape closes it and gives the focus back.
export function dialog(title, ...content) {
  const box = el("dialog", { "aria-label": title },
    el("div", { class: "dialog-head" }, el("h2", {}, title), button("Close", () => box.close())), ...content);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/// A menu at a button: entries are [label, action]. Arrow keys move, Escape closes.
export function menu(owner, label, entries) {
  const shown = document.querySelector("[role=menu]");
  if (shown) shown.remove();
  const place = owner.getBoundingClientRect();
  let closed = false;
  const close = (refocus) => { if (closed) return; closed = true; list.remove(); if (refocus && owner.isConnected) owner.focus(); };
  const list = el("div", {
    role: "menu", class: "menu", "aria-label": label,
    style: { left: `${Math.max(4, Math.min(place.left, innerWidth - 230))}px`, top: `${Math.min(place.bottom + 2, Math.max(4, innerHeight - 34 * entries.length - 16))}px` },
    onkeydown: (event) => {
      const items = [...list.children];
      const at = items.indexOf(document.activeElement);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
      if (to !== undefined) items[(to + items.length) % items.length].focus();
      else if (event.key === "Escape" || event.key === "Tab") close(true);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    onfocusout: (event) => { if (!list.contains(event.relatedTarget)) close(false); },
  }, entries.map(([text, action]) => button(text, () => { close(true); action(); }, { role: "menuitem", tabindex: "-1" })));
  document.body.append(list);
  list.firstChild.focus();
}
