// The client: questions to the server, with the token.
//
// The address that the server prints has a key behind `#`, which browsers don't send. It is given back for the token,
// once; the token is kept for this tab alone, and shared with other tabs of this page while they are open.

const KEPT = "git-cora-token";
const tabs = new BroadcastChannel("git-cora");
let token = sessionStorage.getItem(KEPT);

// What went wrong, as the server tells it.
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

// Finds the token: by the key of the address, from before, or from another tab. Whether there is one.
export async function enter() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key) {
    // At once: neither the history nor a look at the screen shall have it.
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
    throw new Problem({ title: "The server does not answer", hint: "start it again with 'git cora serve'" });
  }
  if (response.ok) return response.json();
  throw new Problem(await response.json().catch(() => ({ title: `The server answers ${response.status}` })));
}

// Asks a route. Fails with a problem, or with an `AbortError` when the signal says so.
export function ask(route, body, signal) {
  return send(route, body, token ? { Authorization: `Bearer ${token}` } : {}, signal);
}

// For each purpose, only the latest question counts: an older one is given up.
const latest = new Map();
export function only(purpose) {
  latest.get(purpose)?.abort();
  const mine = new AbortController();
  latest.set(purpose, mine);
  return mine.signal;
}
