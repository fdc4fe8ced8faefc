// The page: the question, the open place, and the keys. The address contains both, so that links
// and "back" work.

import * as said from "./answer.js";
import { Problem, ask, enter, keep, only } from "./client.js";
import { describe, show as showCode } from "./code.js";
import * as commits from "./commits.js";
import { by, el, fill, path, shown, span } from "./dom.js";
import * as graph from "./graph.js";
import * as past from "./history.js";
import * as about from "./links.js";
import * as results from "./results.js";
import * as start from "./start.js";

// Length limit of an encoded question in characters: longer ones do not fit into an address.
const ADDRESS = 6000;
// Errors whose detail says all that their title says, and those that another revision may not have.
const CLEAR = ["urn:git-cora:no-version", "urn:git-cora:no-file", "urn:git-cora:not-text"];
const ELSEWHERE = CLEAR.slice(0, 2);
const TABS = ["code", "graph", "commits", "why"];
// The element of each tab that gets the focus.
const INSIDE = {
  code: "#panel-code pre",
  graph: "#panel-graph .node.centre",
  commits: "#panel-commits a",
  why: "#panel-why",
};

// The question. `repo` is a path, or empty for all; `rev` is empty for the working tree;
// `isQuestion` asks for an answer.
const asked = { q: "", repo: "", rev: "", isQuestion: false };
// The open place: `{ repo, path, pathBytes, start, end, line, symbol }`, or null.
let place = null;
let tab = "code";
let answer = null;
// The commit that the last answer is from; null if that is another one than was asked for.
let answeredAt = null;
let repositories = [];
// The repository whose history is shown.
let historyOf = null;

const say = (text) => fill(by("status"), text);

function notice(...texts) {
  fill(by("notices"), texts.filter(Boolean));
}

function trouble(error, where = by("notices")) {
  if (error.name === "AbortError") return;
  if (error instanceof Problem && error.status === 401) {
    keep(null);
    gate(error.message);
    return;
  }
  const title = error.title ?? "The page failed";
  const isOne = CLEAR.includes(error.type) || error.message === title;
  const back = asked.rev && ELSEWHERE.includes(error.type);
  const box = el(
    "div",
    { class: "notice error", role: "alert" },
    el("strong", {}, isOne ? sentence(error.message) : `${title}:`),
    !isOne && ` ${sentence(error.message)}`,
    error.hint && ` ${sentence(error.hint)}`,
    back && el("p", {}, el("button", { type: "button", click: goBack }, wayBack())),
  );
  fill(where, box);
}

// Makes a sentence of what the server says.
function sentence(text) {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? "" : "."}`;
}

const wayBack = () => `${place || !asked.q ? "Go to" : "Search"} ${past.called("")}`;

// Goes from a revision that lacks something to the newest one.
function goBack() {
  travel("");
  by(place ? "place-title" : "query").focus();
}

// The address: writing and reading.

function address(at = place, of = asked, show = tab) {
  const parts = new URLSearchParams();
  const q = new URLSearchParams({ q: of.q });
  if (of.q && q.toString().length <= ADDRESS) parts.set("q", of.q);
  if (of.q && of.isQuestion) parts.set("ask", "1");
  if (of.rev) parts.set("rev", of.rev);
  const repo = at?.repo ?? of.repo;
  if (repo && (repositories.length > 1 || of.repo)) parts.set("repo", repo);
  if (at) {
    parts.set("path", at.path);
    if (at.pathBytes) parts.set("bytes", at.pathBytes);
    parts.set("lines", `${at.start}-${at.end}`);
    if (at.line !== at.start) parts.set("at", at.line);
    if (show !== "code") parts.set("show", show);
  }
  const text = parts.toString();
  return (at ? "/file" : "/") + (text ? `?${text}` : "");
}

function remember(isNew) {
  const target = address();
  document.title = place
    ? `${shown(place.path)} · git cora`
    : asked.q
      ? `${shown(asked.q.slice(0, 80))} · git cora`
      : chosen()
        ? `${shown(nameOf(chosen()))} · git cora`
        : "git cora";
  if (target === location.pathname + location.search) return;
  if (isNew) history.pushState({}, "", target);
  else history.replaceState({}, "", target);
}

// Restores the state from the address.
function recall() {
  const parts = new URLSearchParams(location.search);
  asked.q = parts.get("q") ?? "";
  asked.rev = parts.get("rev") ?? "";
  asked.isQuestion = parts.get("ask") === "1";
  asked.repo = parts.get("repo") ?? (repositories.length === 1 ? repositories[0].checkoutPath : "");
  tab = TABS.includes(parts.get("show")) ? parts.get("show") : "code";
  const [first, last] = (parts.get("lines") ?? "1-1").split("-").map(Number);
  const start = Number.isSafeInteger(first) && first > 0 ? first : 1;
  const end = Number.isSafeInteger(last) && last >= start ? last : start;
  const file = location.pathname === "/file" ? parts.get("path") : null;
  const line = Number(parts.get("at"));
  place = file
    ? {
        repo: asked.repo || repositories[0]?.checkoutPath,
        path: file,
        pathBytes: parts.get("bytes"),
        start,
        end,
        line: line > 0 ? line : start,
      }
    : null;
  by("query").value = asked.q;
  by("revision").value = asked.rev;
  by("repository").value = asked.repo;
}

// The question: requests and results.

// Returns the selected repository, or the only one; null for all.
const chosen = () =>
  asked.repo || (repositories.length === 1 ? repositories[0].checkoutPath : null);

function wanted(repo) {
  return { checkoutPath: repo, versionSpecifier: asked.rev || null };
}

// Asks, and shows at most `most` results. The result at the position `focus` gets the focus.
async function search({ focus = null, most = results.STEP } = {}) {
  by("results-title").classList.toggle("unseen", !asked.q);
  answeredAt = null;
  if (!asked.q) {
    answer = null;
    await welcome();
    return;
  }
  start.hide();
  const signal = only("search");
  const list = by("results");
  list.setAttribute("aria-busy", "true");
  const from = document.activeElement;
  const repos = (
    asked.repo ? [asked.repo] : repositories.slice(0, 16).map((one) => one.checkoutPath)
  ).map(wanted);
  const where = repos.length > 1 ? `${repos.length} repositories` : past.called(asked.rev);
  say(`Searching ${where} …`);
  if (most === results.STEP) notice();
  try {
    for (;;) {
      const given = asked.isQuestion
        ? said.asResults(await ask("/coderag/ask", { question: asked.q, repo: repos[0] }, signal))
        : await ask("/coderag/search", { query: asked.q, repos, limit: most, lines: 10 }, signal);
      answer = given;
      draw();
      // Once only, and not if the user has moved the focus meanwhile.
      const first =
        (focus === 0 && document.querySelector("#answer a.cite")) ||
        document.querySelector(`#list a.where[data-at="${focus}"]`);
      if (first && [from, document.body].includes(document.activeElement)) first.focus();
      if (first) focus = null;
      const waits = given.repos.filter((repo) => repo.progress);
      if (waits.length === 0) break;
      // The results stay while the request is repeated until they are exact.
      await new Promise((go) => setTimeout(go, 1200));
      if (signal.aborted) return;
    }
  } catch (error) {
    if (error.name === "AbortError") return;
    answer = null;
    fill(by("list"));
    said.draw(null, {});
    say("");
    trouble(error);
  } finally {
    if (!signal.aborted) list.removeAttribute("aria-busy");
  }
}

function draw() {
  const several =
    answer.repos.length > 1 ? answer.repos.map((one) => nameOf(one.checkoutPath)) : null;
  const doors = {
    several,
    link: (found) => address(placeOf(found)),
    open: (at) => openResult(answer.results[at]),
    goTo: openResult,
    more: () => {
      const n = answer.results.length;
      search({ focus: n, most: Math.min(n + results.STEP, results.MOST) });
    },
    instead: () => {
      by("query").value = asked.q;
      by("search").requestSubmit();
    },
  };
  const focused = document.activeElement?.closest("#list a.where, #answer a.cite");
  said.draw(answer, doors);
  results.draw(answer, doors);
  if (focused) {
    const links = document.querySelectorAll(
      focused.classList.contains("cite") ? "#answer a.cite" : "#list a.where",
    );
    (links[Math.min(focused.dataset.at ?? 0, links.length - 1)] ?? by("results")).focus({
      preventScroll: true,
    });
  }
  results.current(at());
  say(results.summary(answer));
  const notes = results.notes(answer, nameOf);
  if (answer.topics && !asked.repo && repositories.length > 1)
    notes.unshift(
      `Only one repository was searched for this answer: ${nameOf(answer.repos[0].checkoutPath)}.`,
    );
  notice(notes.map((text) => el("p", { class: "notice" }, text)), results.searched(answer));
  const isDone = !answer.repos.some((repo) => repo.progress);
  if (answer.results.length === 0 && !answer.topics && isDone) results.none();
  if (answer.repos.length === 1) reached(answer.repos[0]);
}

// Marks the commit that an answer is from on the slider.
function reached(repo) {
  if (repo.state !== "exact" || !repo.commit) return;
  answeredAt = repo.commit;
  past.indexed(repo.commit);
  past.mark(asked.rev, repo.commit);
}

function nameOf(checkoutPath) {
  return repositories.find((one) => one.checkoutPath === checkoutPath)?.name ?? checkoutPath;
}

// Returns the address of the results with other values of `asked`.
function addressWith(changes) {
  const before = { ...asked };
  Object.assign(asked, changes);
  const text = address(null);
  Object.assign(asked, before);
  return text;
}

function choose(repo) {
  by("repository").value = repo;
  by("repository").dispatchEvent(new Event("change"));
}

// Shows the start page, and repeats the request until the index is ready.
async function welcome() {
  const signal = only("search");
  by("results").removeAttribute("aria-busy");
  said.draw(null, {});
  say("");
  notice();
  fill(by("list"));
  const repo = chosen();
  if (!repo) {
    start.list(repositories, { repository: (of) => addressWith({ repo: of }), choose });
    return;
  }
  const doors = {
    place: (to, show = "code") => address({ ...to, repo }, asked, show),
    open: (to, show = "code") => open({ ...to, repo }, { show, focus: true }),
    revision: (rev) => addressWith({ rev }),
    travel,
    question: (q, isQuestion) => addressWith({ q, isQuestion }),
    ask: (q, isQuestion) => {
      by("query").value = q;
      by("search").requestSubmit(isQuestion ? by("ask") : null);
    },
  };
  try {
    for (;;) {
      const given = await ask("/coderag/overview", { repo: wanted(repo) }, signal);
      start.draw(given, doors);
      reached(given.repo);
      notice(given.repo.warnings.slice(0, 6).map((text) => el("p", { class: "notice" }, text)));
      if (given.repo.state === "exact" && !given.repo.progress) break;
      await new Promise((go) => setTimeout(go, 1200));
      if (signal.aborted) return;
    }
  } catch (error) {
    if (error.name === "AbortError") return;
    start.hide();
    trouble(error);
  }
}

// The open place: code, graph and explanation.

function placeOf(found) {
  return {
    repo: answer.repos[found.repository].checkoutPath,
    path: found.path,
    pathBytes: found.pathBytes,
    start: found.startLine,
    end: found.endLine,
    line: found.symbolLine,
    symbol: found.symbol,
    kind: found.kind,
    gitStatus: found.gitStatus,
  };
}

// Returns the index of the result at the open place; -1 if none.
function at() {
  if (!place || !answer) return -1;
  return answer.results.findIndex(
    (found) =>
      found.path === place.path &&
      answer.repos[found.repository].checkoutPath === place.repo &&
      found.startLine <= place.line &&
      place.line <= found.endLine,
  );
}

function openResult(found) {
  graph.forget();
  open(placeOf(found), { focus: true });
}

function open(next, { isNew = true, focus = false, show = tab } = {}) {
  place = next;
  tab = show;
  remember(isNew);
  return render({ focus });
}

function close() {
  const number = at();
  place = null;
  tab = "code";
  graph.forget();
  remember(true);
  render({});
  const link = document.querySelector(`#list a[data-at="${number}"]`);
  (link ?? by("query")).focus();
}

// Shows the open place. Returns whether it is still the current one when everything has loaded.
let drawn = 0;
async function render({ focus = false } = {}) {
  const mine = ++drawn;
  const section = by("place");
  section.hidden = !place;
  by("main").classList.toggle("split", Boolean(place));
  results.current(at());
  if (!place) {
    // Abort pending requests, and clear the panels so that the next place does not show old
    // content.
    only("code");
    only("graph");
    only("commits");
    for (const name of TABS) fill(by(`panel-${name}`));
    return false;
  }
  for (const name of TABS) {
    const isOn = name === tab;
    by(`tab-${name}`).setAttribute("aria-selected", isOn);
    by(`tab-${name}`).tabIndex = isOn ? 0 : -1;
    by(`panel-${name}`).hidden = !isOn;
  }
  const now = place;
  fill(
    by("place-title"),
    path(now.path),
    el("span", { class: "lines" }, `:${span(now.start, now.end)}`),
  );
  // On a small screen the directory may be cut.
  by("place-title").title = shown(now.path);
  facts(now, answer?.repos.find((repo) => repo.checkoutPath === now.repo) ?? {});
  if (focus) by("place-title").focus();
  const doors = {
    body: { repo: wanted(now.repo) },
    cite: (start, end = start, one = null) =>
      open(
        { ...now, start, end, line: one?.line ?? start, symbol: one?.symbol, kind: one?.kind },
        { show: "code" },
      ),
    walk: (to) => walk(now, to),
    open: (to) => open(goTo(now, to), { show: "code", focus: true }),
    past: (rev, to) => address(goTo(now, to), { ...asked, rev }, "code"),
    travel: (rev, to) => {
      travel(rev);
      open(goTo(now, to), { show: "code", focus: true });
    },
    say: (text) => fill(by("said"), text),
  };
  const shows = tab;
  const panel = by(`panel-${shows}`);
  const isWithin = panel.contains(document.activeElement);
  doors.fail = (error) => trouble(error, panel);
  try {
    const showFacts = (file) => mine === drawn && facts(now, file);
    if (shows !== "code") {
      const described = describe(now, doors).then(showFacts, () => {});
      // The history needs the name of the declaration.
      if (!now.symbol) await described;
      if (mine !== drawn) return false;
    }
    if (shows === "code") showFacts(await showCode(panel, now, doors));
    else if (shows === "graph") await graph.show(panel, now, doors);
    else if (shows === "commits") await commits.show(panel, now, doors);
    else results.why(panel, answer?.results[at()]);
  } catch (error) {
    doors.fail(error);
  }
  // The element that had the focus may have been replaced.
  if (mine === drawn && isWithin && document.activeElement === document.body)
    document.querySelector(INSIDE[shows])?.focus({ preventScroll: true });
  return mine === drawn;
}

function goTo(from, to) {
  const isSame = to.path === from.path;
  return {
    repo: from.repo,
    path: to.path,
    pathBytes: isSame ? from.pathBytes : undefined,
    start: to.startLine ?? to.line,
    end: to.endLine ?? to.line,
    line: to.line,
    symbol: to.symbol,
    kind: to.kind,
  };
}

// Goes to a place in the graph, with the focus on its centre.
async function walk(from, to) {
  if (await open(goTo(from, to), { show: "graph" })) document.querySelector(INSIDE.graph)?.focus();
}

// Shows the facts about a place. One from an address gets the name of the declaration at its line.
function facts(now, file) {
  const isThere = (found) => found?.symbol && (found.symbolLine ?? found.line) === now.line;
  const known = [answer?.results[at()], ...(file.declarations ?? [])].find(isThere);
  if (!now.symbol && known) Object.assign(now, { symbol: known.symbol, kind: known.kind });
  const doors = {
    repository: repositories.find((one) => one.checkoutPath === now.repo),
    chip: repositories.length > 1 && nameOf(now.repo),
    address: address(now),
  };
  fill(by("place-facts"), about.facts(now, file, doors));
}

// The history slider.

async function loadHistory() {
  const repo = chosen();
  by("history").hidden = true;
  historyOf = repo;
  if (!repo) return;
  try {
    past.take(await ask("/coderag/revisions", { repo: { checkoutPath: repo } }, only("history")));
    past.mark(asked.rev, answeredAt);
  } catch (error) {
    trouble(error);
  }
}

let resting = null;
function travel(rev) {
  if (rev === null) return;
  asked.rev = rev;
  by("revision").value = rev.length > 20 ? rev.slice(0, 12) : rev;
  past.mark(rev, rev);
  clearTimeout(resting);
  resting = setTimeout(async () => {
    remember(true);
    await search();
    if (!place) return;
    // The same declaration may be on other lines at that revision.
    const same = answer?.results.find(
      (found) => place.symbol && found.symbol === place.symbol && found.path === place.path,
    );
    open(same ? placeOf(same) : place, { isNew: false });
  }, 250);
}

// The token dialog.

function gate(why) {
  const dialog = by("gate");
  if (why) {
    fill(by("gate-why"), sentence(why));
    by("gate-why").className = "notice error";
    by("gate-why").setAttribute("role", "alert");
  }
  if (!dialog.open) dialog.showModal();
  by("token").focus();
}

by("gate-form").addEventListener("submit", () => {
  keep(by("token").value.trim());
  by("token").value = "";
  begin();
});
by("gate").addEventListener("cancel", (event) => event.preventDefault());

// Event handlers.

by("search").addEventListener("submit", (event) => {
  event.preventDefault();
  asked.q = by("query").value.trim();
  asked.isQuestion = event.submitter === by("ask");
  asked.rev = by("revision").value.trim();
  place = null;
  tab = "code";
  graph.forget();
  remember(true);
  render();
  past.mark(asked.rev, null);
  search({ focus: 0 });
});
by("repository").addEventListener("change", () => {
  asked.repo = by("repository").value;
  asked.rev = "";
  by("revision").value = "";
  place = null;
  remember(true);
  render();
  loadHistory();
  search();
});
by("home").addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  Object.assign(asked, { q: "", rev: "", isQuestion: false });
  place = null;
  remember(true);
  recall();
  render();
  past.mark("", null);
  search();
  by("query").focus();
});
by("query").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  by("search").requestSubmit(by("ask"));
});
// A click on the end where the hidden thumb rests changes no value.
by("slider").addEventListener("click", () => {
  if (past.isAway()) travel(past.revision(Number(by("slider").value)));
});
by("slider").addEventListener("input", () => travel(past.revision(Number(by("slider").value))));
by("older").addEventListener("click", () => travel(past.beside(-1)));
by("newer").addEventListener("click", () => travel(past.beside(1)));
by("close").addEventListener("click", close);
// The fragment must not get into the address.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  by("main").focus();
});
by("help").addEventListener("click", () => by("keys").showModal());

function chooseTab(name, focus) {
  if (!place) return;
  open(place, { isNew: false, show: name }).then((isThere) => {
    if (isThere && focus) document.querySelector(INSIDE[name])?.focus({ preventScroll: true });
  });
}
for (const name of TABS) {
  by(`tab-${name}`).addEventListener("click", () => chooseTab(name, false));
  by(`tab-${name}`).addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(name) + step + TABS.length) % TABS.length];
    chooseTab(next, false);
    by(`tab-${next}`).focus();
  });
}

document.addEventListener("keydown", (event) => {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    document.querySelector("dialog[open]")
  )
    return;
  const field = event.target.closest?.("input:not([type=range]), select, textarea");
  if (event.key === "Escape") {
    if (field) {
      field.blur();
      if (answer) results.step(0);
    } else if (place) close();
    else by("query").focus();
    return;
  }
  if (field) return;
  const keys = {
    "/": () => {
      by("query").focus();
      by("query").select();
    },
    j: () => results.step(1),
    k: () => results.step(-1),
    c: () => chooseTab("code", true),
    g: () => chooseTab("graph", true),
    h: () => chooseTab("commits", true),
    w: () => chooseTab("why", true),
    "[": () => travel(past.beside(-1)),
    "]": () => travel(past.beside(1)),
    "?": () => by("keys").showModal(),
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

window.addEventListener("popstate", () => {
  const before = { ...asked };
  recall();
  graph.forget();
  if (historyOf !== (asked.repo || null) && repositories.length > 1) loadHistory();
  else past.mark(asked.rev, before.rev === asked.rev ? answeredAt : null);
  if (
    before.q !== asked.q ||
    before.rev !== asked.rev ||
    before.isQuestion !== asked.isQuestion ||
    before.repo !== asked.repo
  )
    search();
  render();
});

// The start of the page.

async function begin() {
  try {
    ({ repositories } = await ask("/coderag/repositories", {}, only("begin")));
  } catch (error) {
    trouble(error);
    return;
  }
  fill(
    by("repository"),
    repositories.length > 1 &&
      el("option", { value: "" }, repositories.length > 16 ? "the first 16" : "all"),
    repositories.map((one) =>
      el("option", { value: one.checkoutPath, title: one.checkoutPath }, one.name),
    ),
  );
  recall();
  remember(false);
  loadHistory();
  const found = search();
  if (place && asked.q) await found;
  render();
  if (!place && !asked.q) by("query").focus();
}

enter().then((isIn) => (isIn ? begin() : gate()), (error) => gate(error.message));
