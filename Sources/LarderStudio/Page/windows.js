// The rows of a query in windows of 200, fetched as they are looked at. The newest 12 windows are kept.

import { get } from "./api.js";

export const SIZE = 200;
const KEPT = 12;

export class Windows {
  constructor(question, changed) {
    this.question = question;
    this.changed = changed;
    this.windows = new Map();
    this.loading = new Map();
    this.count = null;
    this.version = 0;
    this.error = null;
  }

  row(index) {
    return this.windows.get(Math.floor(index / SIZE))?.rows[index % SIZE];
  }

  /// Asks for the windows of these rows, and ends requests for others.
  need(first, last) {
    const from = Math.floor(first / SIZE);
    const to = Math.floor(Math.max(first, last) / SIZE);
    for (const [at, request] of this.loading) if (at < from || at > to) request.abort();
    for (let at = from; at <= to; at += 1) {
      const window = this.windows.get(at);
      if (window) {
        // The newest in use is last in the map.
        this.windows.delete(at);
        this.windows.set(at, window);
      }
      const outdated = !window || window.version < this.version;
      const exists = at === 0 || this.count === null || at * SIZE < this.count;
      if (outdated && exists && !this.loading.has(at)) this.load(at);
    }
  }

  /// Fetches what is looked at again. The rows that are there stay until the new ones come.
  renew(version) {
    this.version = Math.max(this.version, version);
    this.changed();
  }

  async load(at) {
    const request = new AbortController();
    this.loading.set(at, request);
    const before = this.windows.get(at - 1);
    const place = before?.next && before.version === this.version ? { after: before.next } : { offset: at * SIZE };
    try {
      const answer = await get("rows", { ...this.question, limit: SIZE, ...place }, request.signal);
      this.version = Math.max(this.version, answer.version);
      this.count = answer.count;
      // An edit tells which version it was made on.
      for (const row of answer.rows) row.version = answer.version;
      this.windows.set(at, answer);
      this.error = null;
      for (const other of this.windows.keys()) {
        if (this.windows.size <= KEPT) break;
        this.windows.delete(other);
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      this.error = error;
    } finally {
      if (this.loading.get(at) === request) this.loading.delete(at);
    }
    this.changed();
  }

  close() {
    this.changed = () => {};
    for (const request of this.loading.values()) request.abort();
  }
}
