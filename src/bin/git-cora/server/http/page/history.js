// History: a slider over the first parents of the current commit; the working tree is its newest
// end.

import { by, counted, el, fill, shown } from "./dom.js";

// The stops, oldest first: `{ rev, commit, subject, time, names, indexed, label }`.
let stops = [];
// The position of the current revision; -1 if the slider doesn't have it.
let at = -1;

function age(seconds) {
  const passed = Math.max(0, Date.now() / 1000 - seconds);
  for (const [unit, length] of [
    ["year", 31557600],
    ["month", 2629800],
    ["week", 604800],
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ]) {
    const n = Math.floor(passed / length);
    if (n >= 1) return `${counted(n, unit, `${unit}s`)} ago`;
  }
  return "just now";
}

function words(stop) {
  if (!stop.commit) return `working tree${stop.names.length ? ` of ${stop.names[0]}` : ""}`;
  const names = stop.names.length ? ` (${stop.names.join(", ")})` : "";
  return `${stop.label} · ${stop.commit.slice(0, 10)}${names} · ${stop.subject} · ${age(stop.time)} · ${stop.indexed ? "indexed" : "not indexed yet"}`;
}

// Fills the slider from the server's answer.
export function take(answer) {
  stops = answer.line
    .map((one, n) => ({ ...one, rev: one.commit, label: n === 0 ? "HEAD" : `HEAD~${n}` }))
    .reverse();
  if (answer.worktree)
    stops.push({
      rev: "",
      commit: null,
      names: answer.branch ? [answer.branch] : [],
      indexed: true,
    });
  const slider = by("slider");
  slider.max = Math.max(0, stops.length - 1);
  by("history").hidden = stops.length < 2;
  fill(
    by("ticks"),
    stops.map((stop) =>
      el("span", { class: stop.indexed ? "tick indexed" : "tick", title: words(stop) }),
    ),
  );
  by("ticks").classList.toggle("dense", stops.length > 60);
  const known = new Map();
  for (const one of [...answer.line, ...answer.others]) {
    for (const name of one.names) known.set(name, one.subject);
  }
  for (const one of answer.others) {
    if (one.names.length === 0) known.set(one.commit.slice(0, 12), one.subject);
  }
  fill(
    by("revisions"),
    [...known]
      .slice(0, 300)
      .map(([name, subject]) => el("option", { value: name, label: `${name} ${subject}` })),
  );
}

// Returns a revision as the page names it: a commit id is cut.
export const short = (rev) => (/^[0-9a-f]{40}$/.test(rev) ? rev.slice(0, 10) : rev);

// Returns what the page calls a revision in a sentence.
export function called(rev) {
  if (rev) return short(rev);
  return stops.at(-1)?.commit ? "HEAD" : "the working tree";
}

// Moves the slider to a revision. `commit` is the one that was searched, if known. Without it the
// revision may not exist.
export function mark(rev, commit) {
  const isAt = (stop) =>
    stop.commit === commit ||
    (rev.length >= 7 && stop.commit.startsWith(rev)) ||
    stop.names.includes(rev) ||
    stop.label === rev;
  at = rev === "" ? stops.length - 1 : stops.findLastIndex((stop) => stop.commit && isAt(stop));
  const stop = stops[at];
  const slider = by("slider");
  slider.value = Math.max(0, at);
  by("history").classList.toggle("away", !stop);
  const other = commit ? " · older, or on another branch" : "";
  const text = stop ? words(stop) : `${short(rev)}${other}`;
  slider.setAttribute("aria-valuetext", shown(text));
  fill(by("moment"), text);
  by("older").disabled = at <= 0;
  by("newer").disabled = at === stops.length - 1;
}

// Returns the revision at a position of the slider.
export function revision(value) {
  return stops[value]?.rev ?? "";
}

// Returns the revision some steps from the current one; `null` past the ends. From a revision that
// the slider doesn't have, the next newer one is the newest.
export function beside(steps) {
  const stop = at >= 0 ? stops[at + steps] : steps > 0 ? stops.at(-1) : null;
  return stop ? stop.rev : null;
}

// Whether the slider doesn't have the current revision.
export const isAway = () => at < 0;

// Notes that a commit has an index by now.
export function indexed(commit) {
  const found = stops.findIndex((stop) => stop.commit === commit);
  if (found < 0) return;
  stops[found].indexed = true;
  by("ticks").children[found]?.classList.add("indexed");
}
