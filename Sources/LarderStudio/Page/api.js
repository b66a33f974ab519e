// Requests to the tool. The token comes in the URL that the tool prints, is taken out of it, and is kept for this tab.

const SAVED = "larder-token";
let token = null;

export function takeToken() {
  const found = /^#token=([0-9a-f]+)$/i.exec(location.hash);
  if (found) {
    sessionStorage.setItem(SAVED, found[1]);
    history.replaceState(null, "", `${location.pathname}#/`);
  }
  token = sessionStorage.getItem(SAVED);
  return token;
}

/// An error as the tool writes it: kind, message, and where.
export class RequestError extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? `The server answered with status ${status}.`);
    this.status = status;
    this.body = body ?? {};
    this.detail = body?.error ?? {};
  }
}

/// JSON in which whole numbers that a double does not keep are exact.
export function read(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === "number" && context && Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?\d+$/.test(context.source)
      ? { int: context.source } : value);
}

// Questions that the tool works on, by the names that they have here. It ends one when its connection closes, which a browser may keep: so it
// is told when an answer is not wanted any more.
const TAB = crypto.getRandomValues(new Uint32Array(3)).join("-");
let number = 0;
let unwanted = [];

function drop(id) {
  unwanted.push(id);
  if (unwanted.length === 1) queueMicrotask(() => { send("cancel", { method: "POST", keepalive: true, body: JSON.stringify({ ids: unwanted }) }).catch(() => {}); unwanted = []; });
}

/// The token goes in a header. No cookies: a browser sends those to every port of a computer.
const send = (path, options) => fetch(`api/${path}`, { ...options, headers: { ...options.headers, "X-Larder-Token": token ?? "" }, credentials: "omit", cache: "no-store" });

/// Asks with parameters, which are in the URL unless they are long.
function ask(path, params, options) {
  const text = query(params);
  return text.length > 4000 ? [path, { ...options, method: "POST", body: text }] : [text ? `${path}?${text}` : path, options];
}

/// An answer that is not wanted any more need not be worked out.
export async function get(path, params, signal) {
  const id = `${TAB}-${(number += 1)}`;
  const stop = () => drop(id);
  signal?.addEventListener("abort", stop);
  try {
    return await answer(...ask(path, params, { signal, headers: { "X-Larder-Question": id } }));
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

async function answer(path, options) {
  let response, text;
  try {
    response = await send(path, options);
    text = await response.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new RequestError(0, { error: { kind: "offline", message: "The tool does not answer. Is it still running?" } });
  }
  let body = null;
  try { body = read(text); } catch { /* reported by the status below */ }
  if (!response.ok || body === null) throw new RequestError(response.status, body);
  return body;
}

function query(params) {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value == null || value === "") continue;
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(name, one);
  }
  return pairs.toString();
}

export function post(path, body) {
  const text = typeof body === "string" ? body : write(body);
  return answer(path, { method: "POST", body: text, headers: { "Content-Type": "application/json" } });
}

/// Values as JSON: exact whole numbers stay digits.
export function write(value, indent = "", step = "") {
  if (value == null) return "null";
  if (Object.is(value, -0)) return "-0.0";
  if (typeof value !== "object") return JSON.stringify(value);
  const open = step ? `\n${indent}${step}` : "";
  const shut = step ? `\n${indent}` : "";
  const comma = step ? `,${open}` : ", ";
  if (Array.isArray(value)) {
    return value.length ? `[${open}${value.map((one) => write(one, indent + step, step)).join(comma)}${shut}]` : "[]";
  }
  const names = Object.keys(value);
  if (isExact(value)) return value.int;
  return names.length
    ? `{${open}${names.map((name) => `${JSON.stringify(name)}: ${write(value[name], indent + step, step)}`).join(comma)}${shut}}` : "{}";
}

/// One stream of events for the tab. After an interruption it goes on after the newest event that was seen.
export class Stream {
  constructor(handle) {
    this.handle = handle;
    this.last = null;
    this.connected = false;
    this.failures = 0;
  }

  follow(topics) {
    const text = JSON.stringify(topics);
    if (this.source && text === this.text) return;
    this.text = text;
    // The newest event stays: a commit between two streams makes its card.
    this.open();
  }

  async open() {
    clearTimeout(this.timer);
    this.source?.abort();
    const source = this.source = new AbortController();
    try {
      const response = await send(...ask("events", { topics: this.text, last: this.last }, { signal: source.signal }));
      if (!response.ok) throw response;
      this.failures = 0;
      this.tell(true);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ;) {
        const { value, done } = await reader.read();
        if (done) break;
        const pieces = (text + value).split("\n\n");
        text = pieces.pop();
        if (source === this.source) pieces.forEach((piece) => this.take(Object.fromEntries(piece.split("\n").map((line) => line.split(/: (.*)/s)))));
      }
    } catch { /* as when the stream ends */ }
    if (source !== this.source) return;
    this.tell(false);
    this.failures += 1;
    this.timer = setTimeout(() => this.open(), Math.min(900, 150 * this.failures));
  }

  take({ id, event, data }) {
    if (id) this.last = id;
    // In a step of its own: a fault in what hears it does not end the stream.
    if (event) queueMicrotask(() => this.handle(event, read(data)));
  }

  tell(connected) {
    if (this.connected === connected) return;
    this.connected = connected;
    this.handle("connection", { connected });
  }
}

/// Whether a value is a whole number that is written as text, because a double does not keep it.
export function isExact(value) {
  return value !== null && typeof value === "object" && Object.keys(value).length === 1
    && typeof value.int === "string" && /^-?\d{16,}$/.test(value.int);
}
