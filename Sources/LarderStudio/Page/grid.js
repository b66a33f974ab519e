// The grid: as many rows and columns as fit are elements, whatever the number of objects.

import { el, button, put, menu, notice, gap, bar } from "./dom.js";
import { get } from "./api.js";
import { state, change, go } from "./state.js";
import { model, find, keyOf, type, ordered } from "./model.js";
import { inline, exact, isCut } from "./values.js";
import { number } from "./text.js";
import { Windows } from "./windows.js";
import { columns, widthsOf, resize, hide, pin, showAll, hiddenCount, sorts, nextSort } from "./columns.js";
import { copyRows, copyValue } from "./copying.js";
import { editCell, canEdit, staged } from "./edit.js";

const ROW = 28;
// Browsers limit the height of an element; above this a pixel of the scroll bar is more than a pixel of rows.
const TALLEST = 8_000_000;

export class Grid {
  constructor(place) {
    this.className = state.params.class;
    this.layout();
    put(place, this.bar, this.head, this.box);
    this.question = { class: this.className, q: state.params.q, sort: sorts() };
    this.windows = new Windows(this.question, () => this.draw());
    this.row = Number(state.params.row) || 0;
    this.column = Number(state.params.column) || 0;
    this.pointer = false;
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.box);
    this.begun = false;
    this.draw();
  }

  layout() {
    this.count = el("span", { class: "count", "aria-live": "polite" }, "…");
    this.fresh = button("", () => this.renew(), { class: "fresh", hidden: true });
    this.bar = bar(this.count, this.fresh, gap(),
      button("Columns", (event) => this.columnMenu(event.currentTarget), { "aria-haspopup": "menu" }),
      button("Copy", (event) => this.copyMenu(event.currentTarget), { "aria-haspopup": "menu" }));
    this.headRow = el("div", { role: "row", class: "head-row", "aria-rowindex": "1" });
    this.head = el("div", { class: "grid-head", role: "rowgroup" }, this.headRow);
    this.rows = el("div", { class: "rows", role: "rowgroup" });
    this.tall = el("div", { class: "tall", role: "presentation" });
    this.box = el("div", {
      class: "grid", role: "grid", tabindex: "0", id: "grid", "aria-label": `Objects of ${this.className}`, "aria-readonly": String(!model.writable),
      onscroll: () => { this.head.scrollLeft = this.box.scrollLeft; this.soon(); },
      onkeydown: (event) => this.key(event),
      onpointerenter: () => { this.pointer = true; },
      onpointerleave: () => { this.pointer = false; if (this.waiting && this.live) this.renew(); },
      onclick: (event) => this.click(event), ondblclick: () => this.open(),
    }, this.tall, this.rows);
    this.box.setAttribute("aria-owns", "grid-head");
    this.head.id = "grid-head";
  }

  soon() {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => { this.asked = 0; this.draw(); });
  }

  get total() { return this.windows.count ?? 0; }
  get page() { return Math.max(1, Math.floor(this.box.clientHeight / ROW) - 1); }
  get tooTall() { return this.total * ROW > TALLEST; }
  /// The first row when the last one is at the bottom.
  get most() { return Math.max(0, this.total - Math.floor(this.box.clientHeight / ROW)); }
  /// How far the scroll bar moves for a row, in pixels.
  get unit() { return this.tooTall ? (TALLEST - this.box.clientHeight) / this.most : ROW; }

  get first() {
    // Where a pixel is several rows, the row that was moved to, not one near it.
    if (this.moved?.top === this.box.scrollTop && this.moved.first <= this.most) return this.moved.first;
    return Math.min(this.most, Math.floor(this.box.scrollTop / this.unit));
  }

  set first(row) {
    const first = Math.max(0, Math.min(this.most, row));
    this.box.scrollTop = Math.ceil(first * this.unit);
    this.moved = this.tooTall ? { top: this.box.scrollTop, first } : null;
  }

  draw() {
    if (this.windows.error) return this.fault(this.windows.error);
    const [window] = this.windows.windows.values();
    if (window?.rows.length) this.widths ??= widthsOf(this.className, window.rows);
    this.columns = columns(this.className, this.widths);
    const width = this.columns.reduce((sum, column) => sum + column.width, 0);
    Object.assign(this.tall.style, { height: `${Math.min(TALLEST, this.total * ROW)}px`, width: `${width}px` });
    if (!this.begun && this.windows.count !== null) { this.begun = true; this.reveal(false); }
    const first = this.first;
    const last = Math.min(Math.max(0, this.total - 1), first + Math.ceil(this.box.clientHeight / ROW) + 1);
    this.windows.need(first, last);
    const visible = this.visible();
    this.drawHead(visible, width);
    // A cell that is edited stays where it is.
    if (!this.rows.querySelector("input")) this.drawRows(first, last, visible, width);
    put(this.count, this.windows.count === null ? "…" : `${number(this.total)} ${this.total === 1 ? "object" : "objects"}`,
      this.windows.version ? ` · version ${this.windows.version}` : "");
    this.box.setAttribute("aria-rowcount", String(this.total + 1));
    this.box.setAttribute("aria-colcount", String(this.columns.length));
  }

  /// The columns that are in sight: those that stay at the left, and those at the place of the scroll bar.
  visible() {
    const from = this.box.scrollLeft;
    const to = from + this.box.clientWidth;
    return this.columns.map((column, at) => ({ ...column, at }))
      .filter((column) => column.pinned || (column.left + column.width > from && column.left < to)).slice(0, 40);
  }

  place(column, base) {
    const left = column.pinned ? column.left + this.box.scrollLeft : column.left;
    return { ...base, left: `${left}px`, width: `${column.width}px` };
  }

  drawHead(visible, width) {
    this.headRow.style.width = `${width + 40}px`;
    const names = visible.map((column) => `${column.name}:${column.left}:${column.width}`).join() + sorts().join() + this.box.scrollLeft;
    if (this.headShown === names) return;
    this.headShown = names;
    const order = sorts();
    put(this.headRow, visible.map((column) => {
      const at = order.findIndex((sort) => sort.replace(/:desc$/, "") === ordered(column));
      const direction = at < 0 ? "none" : order[at].endsWith(":desc") ? "descending" : "ascending";
      return el("div", { role: "columnheader", class: `${column.pinned ? "pinned " : ""}${column.right ? "right" : ""}`, "aria-sort": direction, "aria-colindex": column.at + 1, style: this.place(column) },
        button([column.name, { none: "", ascending: " ▲", descending: " ▼" }[direction]], (event) => this.headMenu(event.currentTarget, column),
          { title: `${column.name}: ${column.type}`, "aria-haspopup": "menu", tabindex: "-1", class: "head" }),
        el("span", { class: "grip", "aria-hidden": "true", onpointerdown: (event) => this.drag(event, column) }));
    }));
  }

  drawRows(first, last, visible, width) {
    const top = this.tooTall ? this.box.scrollTop : first * ROW;
    this.rows.style.transform = `translateY(${top}px)`;
    this.rows.style.width = `${width}px`;
    const rows = [];
    for (let index = first; index <= last && index < this.total; index += 1) {
      rows.push(this.line(index, index - first, visible));
    }
    put(this.rows, rows);
    this.box.setAttribute("aria-activedescendant", `cell-${this.row}-${this.column}`);
  }

  line(index, at, visible) {
    const row = this.windows.row(index);
    const here = index === this.row;
    return el("div", { role: "row", class: `row${here ? " here" : ""}${index % 2 ? " odd" : ""}`, "aria-rowindex": index + 2, "aria-selected": String(here), data: { row: index }, style: { top: `${at * ROW}px` } },
      visible.map((column) => {
        const change = row && staged(this.className, keyOf(row), column.name);
        const value = change ? change.text : row && (column.objectKey ? row.key : row.object[column.name]);
        return el("div", { role: "gridcell", id: `cell-${index}-${column.at}`, "aria-colindex": column.at + 1, data: { column: column.at },
          class: `${column.pinned ? "pinned " : ""}${column.right ? "right " : ""}${here && column.at === this.column ? "here " : ""}${change ? "staged" : ""}`, style: this.place(column) },
        row ? inline(value, change ? "string?" : column.type, Math.ceil(column.width / 5)) : "");
      }));
  }

  fault(error) {
    put(this.count, "");
    put(this.rows);
    this.tall.style.height = "0";
    this.onFault?.(error);
    if (error.detail.kind !== "predicate") put(this.rows, el("p", { class: "fault" }, error.message));
  }

  // Moving

  move(to, column = this.column) {
    this.row = Math.max(0, Math.min(this.total - 1, to));
    this.column = Math.max(0, Math.min(this.columns.length - 1, column));
    change({ row: this.row || "", column: this.column || "" }, true);
    this.reveal();
  }

  reveal(redraw = true) {
    const fit = Math.floor(this.box.clientHeight / ROW);
    const first = this.first;
    if (this.row < first) this.first = this.row;
    else if (this.row >= first + fit) this.first = this.row - fit + 1;
    const column = this.columns[this.column];
    if (column && !column.pinned) {
      const pinned = this.columns.filter((one) => one.pinned).reduce((sum, one) => sum + one.width, 0);
      if (column.left - pinned < this.box.scrollLeft) this.box.scrollLeft = column.left - pinned;
      else if (column.left + column.width > this.box.scrollLeft + this.box.clientWidth) this.box.scrollLeft = column.left + column.width - this.box.clientWidth;
    }
    if (redraw) this.draw();
  }

  key(event) {
    if (event.target !== this.box || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "c" && !String(getSelection())) {
      if (this.current) copyValue(this.className, this.current, this.columns[this.column].name);
      return event.preventDefault();
    }
    const far = event.ctrlKey || event.metaKey;
    const to = { ArrowDown: this.row + 1, ArrowUp: this.row - 1, PageDown: this.row + this.page, PageUp: this.row - this.page }[event.key];
    if (to !== undefined) this.move(to);
    else if (event.key === "ArrowRight") this.move(this.row, this.column + 1);
    else if (event.key === "ArrowLeft") this.move(this.row, this.column - 1);
    else if (event.key === "Home") far || this.column === 0 || this.row > 0 ? this.move(0, far ? 0 : this.column) : this.move(this.row, 0);
    else if (event.key === "End") this.move(this.total - 1, far ? this.columns.length - 1 : this.column);
    else if (event.key === "Enter" && !far) this.open();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  click(event) {
    const cell = event.target.closest("[role=gridcell]");
    if (!cell) return;
    this.move(Number(cell.parentElement.dataset.row), Number(cell.dataset.column));
  }

  get current() { return this.windows.row(this.row); }

  open(params = {}) {
    if (this.current) go("object", { class: this.className, key: keyOf(this.current), ...params });
  }

  /// Follows the link in the current cell.
  follow() {
    const column = this.columns[this.column];
    const value = this.current?.object[column.name];
    const kind = type(column.type);
    const target = Array.isArray(value) ? value[0] : value;
    if (kind.link && target != null) go("object", { class: kind.base, key: exact(target) });
    else if (value?.link) go("object", { class: value.link[0], key: exact(value.link[1]) });
    else this.open();
  }

  /// Edits the current cell. What the grid has cut is fetched whole first: what is written is all of it.
  async edit() {
    const column = this.columns[this.column];
    let row = this.current;
    if (!row || !canEdit(column)) return;
    const id = `cell-${this.row}-${this.column}`;
    if (isCut(row.object[column.name])) {
      try { row = await get(`object/${encodeURIComponent(this.className)}/${encodeURIComponent(keyOf(row))}`); } catch (error) { notice(error.message, "error"); return; }
    }
    const cell = document.getElementById(id);
    if (cell && id === `cell-${this.row}-${this.column}`) editCell(cell, this.className, row, column, () => { this.draw(); this.box.focus(); });
  }

  command(key) {
    const column = this.columns?.[this.column];
    const path = column && ordered(column);
    const does = { j: () => this.move(this.row + 1), k: () => this.move(this.row - 1), o: () => this.follow(), e: () => this.edit(),
      b: () => this.open({ part: "incoming" }), s: () => path && nextSort(path),
      f: () => path && change({ by: path, as: "groups" }) }[key];
    if (does) { if (key !== "f" && key !== "s") this.box.focus(); does(); }
    return Boolean(does);
  }

  // Menus

  headMenu(owner, column) {
    this.column = column.at;
    const path = ordered(column);
    menu(owner, column.name, [
      ...(path ? [["Sort ascending", () => change({ sort: path, row: "" })], ["Sort descending", () => change({ sort: `${path}:desc`, row: "" })]] : []),
      ...(sorts().length ? [["No order", () => change({ sort: "" })]] : []),
      ...(path ? [["Group by this", () => change({ as: "groups", by: path })]] : []),
      [column.pinned ? "Do not keep at the left" : "Keep at the left", () => pin(column.name)],
      ["Wider", () => { resize(column.name, column.width * 1.5); this.draw(); }],
      ["Narrower", () => { resize(column.name, column.width / 1.5); this.draw(); }],
      ["Hide", () => hide(column.name)],
    ]);
  }

  columnMenu(owner) {
    const shown = this.columns.map((column) => column.name);
    const names = (find(this.className)?.properties ?? []).map((property) => property.name).slice(0, 60);
    const column = { ...this.columns[this.column], at: this.column };
    menu(owner, "Columns", [...(column.name ? [[`Menu of ${column.name}`, () => this.headMenu(owner, column)]] : []), ...(hiddenCount() ? [["Show all", showAll]] : []), ...names.map((name) => [`${shown.includes(name) ? "✓ " : "  "}${name}`, () => hide(name)])]);
  }

  copyMenu(owner) {
    const forms = [["JSON", "json"], ["CSV", "csv"], ["Swift", "swift"]];
    menu(owner, "Copy", [...forms.map(([name, form]) => [`This row as ${name}`, () => this.current && copyRows(this.className, [this.current], form)]),
      ...forms.map(([name, form]) => [`The ${Math.min(200, this.total)} rows from here as ${name}`, () => copyRows(this.className, this.loaded(), form)])]);
  }

  loaded() {
    const rows = [];
    for (let index = this.row; rows.length < 200 && this.windows.row(index); index += 1) rows.push(this.windows.row(index));
    return rows;
  }

  drag(event, column) {
    event.preventDefault();
    const start = event.clientX;
    const move = (moved) => { resize(column.name, column.width + moved.clientX - start); this.draw(); };
    const end = () => { removeEventListener("pointermove", move); removeEventListener("pointerup", end); };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }

  // Other programs

  /// A commit of another program. Rows never move under the pointer or under a cell that is edited.
  heard(version, live) {
    this.live = live;
    if (version <= this.windows.version) return;
    this.waiting = version;
    const busy = this.pointer || this.box.querySelector("input");
    if (live && !busy) return this.renew();
    this.fresh.hidden = false;
    put(this.fresh, `${number(version - this.windows.version)} new`);
    this.fresh.title = "Show the newest version";
  }

  renew() {
    const version = this.waiting ?? this.windows.version;
    this.waiting = null;
    this.fresh.hidden = true;
    this.windows.renew(version);
  }

  close() {
    this.windows.close();
    this.resized.disconnect();
  }
}
