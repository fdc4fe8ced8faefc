// The history of the open declaration: the commits that changed it, through renames and moves.

import { ask, only } from "./client.js";
import { counted, el, fill, link, name, path } from "./dom.js";

// Draws the commits that changed the declaration at a place. `doors` says what a click does.
export async function show(panel, place, doors) {
  panel.setAttribute("aria-busy", "true");
  if (!panel.firstChild) fill(panel, el("p", { class: "empty" }, "Reading the history …"));
  const signal = only("commits");
  try {
    const given = await ask(
      "/coderag/history",
      { ...doors.body, path: place.path, line: place.line, symbol: place.symbol || undefined },
      signal,
    );
    draw(panel, place, given, doors);
  } finally {
    if (!signal.aborted) panel.removeAttribute("aria-busy");
  }
}

function draw(panel, place, given, doors) {
  if (given.commits.length === 0) {
    fill(
      panel,
      el(
        "p",
        { class: "empty" },
        "There is no committed declaration at this line. If the declaration is new, commit it first.",
      ),
    );
    return;
  }
  const items = given.commits.map((one, at) => el("li", {}, commit(one, place, doors, at)));
  fill(
    panel,
    el(
      "p",
      { class: "lead" },
      `${counted(given.commits.length, "commit", "commits")} changed this declaration. The newest is at the top. Choose one to see the code as it was.`,
    ),
    given.notes.map((text) => el("p", { class: "notice" }, text)),
    el("ol", { class: "commits" }, items),
    given.more > 0 &&
      el(
        "p",
        { class: "empty" },
        `${counted(given.more, "older commit", "older commits")}: run 'git cora log ${place.path}:${place.line}'.`,
      ),
  );
}

function commit(one, place, doors, at) {
  const there = one.place;
  const title = [one.merge && "merge: ", one.subject || one.commit.slice(0, 10)].filter(Boolean);
  const follow = () => doors.travel(one.commit, there);
  const isElsewhere = there && (there.path !== place.path || there.symbol !== place.symbol);
  return [
    there
      ? link(doors.past(one.commit, there), follow, { "data-at": at }, title)
      : el("span", {}, title),
    el(
      "span",
      { class: "facts" },
      one.changes.map((change) => el("span", { class: "chip" }, change)),
      el("span", {}, one.date),
      el("span", {}, one.author),
      el("code", {}, one.commit.slice(0, 10)),
    ),
    isElsewhere &&
      el(
        "span",
        { class: "facts" },
        el("span", { class: "symbol" }, name(there.symbol)),
        el("span", {}, path(there.path), `:${there.line}`),
      ),
  ];
}
