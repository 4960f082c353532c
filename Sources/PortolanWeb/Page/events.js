// Follows the state of Portolan. Each screen subscribes to the events that it draws.

const names = [
  "hello", "session", "network", "waiting", "settings", "maps", "watched", "jobs", "preview", "map",
  "sharing", "tiles",
];
const reloadMark = "portolan-reloaded";
const retryDelays = [500, 1000, 2000, 4000];

const states = new Map();
const listeners = new Map();
const connectionListeners = new Set();
let source = null;
let attempts = 0;
let retry = null;
let connection = "connected";
let version = null;

/// Whether the page has loaded itself again since it was of an older version; tells it once.
export function wasReloaded() {
  const isMarked = sessionStorage.getItem(reloadMark) !== null;
  sessionStorage.removeItem(reloadMark);
  return isMarked;
}

/// The last state of that name; `undefined` until the first has arrived.
export function current(name) {
  return states.get(name);
}

/// Calls `listener` with the present state, if there is one, and with each later one.
///
/// Returns a function that ends the subscription.
export function subscribe(name, listener) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(listener);
  if (states.has(name)) listener(states.get(name));
  return () => listeners.get(name).delete(listener);
}

/// Calls `listener` with how Portolan can be reached, now and at each change: "connected"; "lost"
/// while it is not running; "refused" where another has been started that has not let this browser in.
export function subscribeToConnection(listener) {
  connectionListeners.add(listener);
  listener(connection);
  return () => connectionListeners.delete(listener);
}

/// Connects, and keeps connecting whenever the connection is lost.
///
/// Browsers allow six connections to a server, of all tabs together: a hidden one gives its own
/// up, and has the present states sent again when it is seen.
export function follow() {
  document.addEventListener("visibilitychange", () => document.hidden ? disconnect() : connect());
  if (!document.hidden) connect();
}

function disconnect() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

function connect() {
  disconnect();
  const own = new EventSource("/api/events");
  source = own;
  source.addEventListener("open", () => {
    attempts = 0;
    setConnection("connected");
  });
  source.addEventListener("error", async () => {
    own.close();
    const isOthers = await isRefused();
    if (source !== own) return;
    setConnection(isOthers ? "refused" : "lost");
    const delay = retryDelays[Math.min(attempts, retryDelays.length - 1)];
    attempts += 1;
    retry = setTimeout(connect, delay);
  });
  for (const name of names) {
    source.addEventListener(name, (event) => receive(name, event.data));
  }
}

function receive(name, data) {
  const state = JSON.parse(data);
  if (name === "hello" && isNewVersion(state.version)) {
    sessionStorage.setItem(reloadMark, "true");
    location.reload();
    return;
  }
  states.set(name, state);
  for (const listener of listeners.get(name) ?? []) {
    // A part that cannot draw a state keeps it from no other part.
    try {
      listener(state);
    } catch (error) {
      reportError(error);
    }
  }
}

function isNewVersion(latest) {
  const isNew = version !== null && version !== latest;
  version = latest;
  return isNew;
}

function setConnection(value) {
  if (value === connection) return;
  connection = value;
  for (const listener of connectionListeners) listener(value);
}

/// Whether the server answers, but wants the address with the token first.
async function isRefused() {
  try {
    return (await fetch("/page/icon.svg", { cache: "no-store" })).status === 403;
  } catch {
    return false;
  }
}
