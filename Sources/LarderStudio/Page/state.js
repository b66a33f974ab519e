// What is shown, in the fragment of the URL: #/screen?name=value. The fragment is never sent to the server.

const listeners = [];
export const state = { screen: "grid", params: {} };

function parse() {
  const fragment = location.hash.slice(1);
  const [path, query] = fragment.split(/\?(.*)/s);
  state.screen = path.replace(/^\//, "") || "grid";
  state.params = Object.fromEntries(new URLSearchParams(query || ""));
}

export function href(screen, params) {
  const set = Object.entries(params).filter(([, value]) => value != null && value !== "");
  const query = new URLSearchParams(set).toString();
  return `#/${screen}${query ? `?${query}` : ""}`;
}

/// What stays when another screen is shown.
function kept() {
  return state.params.theme ? { theme: state.params.theme } : {};
}

export function link(screen, params) {
  return href(screen, { ...kept(), ...params });
}

export function go(screen, params) {
  location.hash = link(screen, params);
}

/// Changes some parameters of this screen; `quiet` without an entry in the history and without drawing again.
export function change(params, quiet = false) {
  const next = href(state.screen, { ...state.params, ...params });
  if (!quiet) { location.hash = next; return; }
  history.replaceState(history.state, "", next);
  parse();
}

export function onState(listener) {
  listeners.push(listener);
}

export function begin() {
  parse();
  addEventListener("hashchange", () => {
    if (location.hash === "#main") return;
    parse();
    listeners.forEach((listener) => listener());
  });
}
