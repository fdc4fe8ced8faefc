// The client: sends requests with the token to the server.
//
// The printed address has a key behind `#`, which browsers don't send. It is exchanged for the
// token, once. The token is stored for this tab only, and shared with other tabs of this page while
// they are open.

const KEPT = "git-cora-token";
const tabs = new BroadcastChannel("git-cora");
let token = sessionStorage.getItem(KEPT);

// An error that the server reported.
export class Problem extends Error {
  constructor({ title, detail, hint, type, status }) {
    super(detail || title);
    Object.assign(this, { title, hint, type, status });
  }
}

export function keep(given) {
  token = given;
  if (given) sessionStorage.setItem(KEPT, given);
  else sessionStorage.removeItem(KEPT);
}

tabs.addEventListener("message", ({ data }) => {
  if (data === "wanted" && token) tabs.postMessage({ token });
});

// Finds the token: by the key in the address, in storage, or from another tab. Returns whether
// there is one.
export async function enter() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key) {
    // Immediately, so that the key stays neither in the history nor on the screen.
    history.replaceState(history.state, "", location.pathname + location.search);
    try {
      keep((await send("/coderag/key", { key }, {}, new AbortController().signal)).token);
    } catch (error) {
      if (!token) token = await fromTabs();
      if (!token) throw error;
    }
  }
  if (!token) keep(await fromTabs());
  return Boolean(token);
}

function fromTabs() {
  return new Promise((found) => {
    const heard = ({ data }) => data && data.token && found(data.token);
    tabs.addEventListener("message", heard);
    tabs.postMessage("wanted");
    setTimeout(() => {
      tabs.removeEventListener("message", heard);
      found(null);
    }, 200);
  });
}

async function send(route, body, headers, signal) {
  let response;
  try {
    response = await fetch(route, {
      method: "POST",
      mode: "same-origin",
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({
      title: "The server does not answer",
      hint: "run 'git cora serve' to start it again",
    });
  }
  if (response.ok) return response.json();
  throw new Problem(
    await response
      .json()
      .catch(() => ({ title: `The server answered with status ${response.status}` })),
  );
}

// Sends a request to a route. Throws a `Problem`, or an `AbortError` if the signal aborts it.
export function ask(route, body, signal) {
  return send(route, body, token ? { Authorization: `Bearer ${token}` } : {}, signal);
}

// Returns a signal for a request, and aborts an older request for the same purpose.
const latest = new Map();
export function only(purpose) {
  latest.get(purpose)?.abort();
  const mine = new AbortController();
  latest.set(purpose, mine);
  return mine.signal;
}
