// The start page: an overview of the repository, or a list of the repositories. All texts stay
// text.

import { by, counted, el, fill, link, name, path, shown, ticked } from "./dom.js";

function part(title, kind, ...children) {
  return el("section", { class: `part ${kind}` }, el("h3", {}, title), ...children);
}

// Returns a date in UTC; nothing for a time that no calendar has.
function date(seconds) {
  const when = new Date(seconds * 1000);
  if (Number.isNaN(when.getTime())) return null;
  const day = when.toISOString().slice(0, 10);
  return el("time", { datetime: day }, day);
}

// Separates the parts that exist with dots.
function dotted(...parts) {
  return parts.filter(Boolean).flatMap((one, at) => (at > 0 ? [" · ", one] : [one]));
}

function head(given) {
  const [commit] = given.recent;
  const dirty =
    given.repo.dirtyFiles > 0 &&
    `${counted(given.repo.dirtyFiles, "uncommitted file", "uncommitted files")}`;
  return el(
    "header",
    {},
    el("h2", {}, name(shown(given.name))),
    given.about &&
      given.about.toLowerCase() !== given.name.toLowerCase() &&
      el("p", { class: "lead" }, ticked(given.about)),
    el(
      "p",
      { class: "facts" },
      given.branch && el("span", { class: "chip" }, given.branch),
      commit
        ? el(
            "span",
            {},
            dotted(el("code", {}, commit.commit.slice(0, 10)), date(commit.time), commit.subject),
          )
        : el("span", {}, "no commit yet"),
      dirty && el("span", {}, dirty),
    ),
    el("p", { class: "modes" }, "Search lists places; Ask groups them into an answer."),
  );
}

function index(given) {
  const state =
    given.repo.progress ?? (given.repo.state !== "exact" ? "the index is being built" : null);
  const size =
    given.index &&
    dotted(
      counted(given.index.files, "searched file", "searched files"),
      counted(given.index.chunks, "chunk", "chunks"),
      counted(given.indexedCommits, "indexed commit", "indexed commits"),
    );
  const languages = given.index?.languages ?? [];
  const more = given.index?.moreLanguages ?? 0;
  return part(
    "Index",
    "index",
    state && el("p", { class: "notice" }, state),
    size && el("p", {}, size),
    languages.length > 0 &&
      el(
        "ul",
        { class: "languages" },
        languages.map((one) =>
          el("li", { class: "chip" }, `${one.language} ${percent(one.share)}`),
        ),
        more > 0 && el("li", { class: "chip" }, `${more} more`),
      ),
  );
}

const percent = (share) => (share < 0.01 ? "<1%" : `${Math.round(share * 100)}%`);

const placeOf = (one) => ({
  path: one.path,
  start: one.line,
  end: one.endLine ?? one.line,
  line: one.line,
  symbol: one.symbol,
  kind: one.kind,
});

function places(title, list, doors) {
  if (list.length === 0) return null;
  return part(
    title,
    "places",
    el(
      "ul",
      {},
      list.map((one) => {
        const at = placeOf(one);
        return el(
          "li",
          {},
          link(
            doors.place(at),
            () => doors.open(at),
            {},
            one.symbol ? el("span", { class: "symbol" }, name(one.symbol)) : path(one.path),
          ),
          el(
            "span",
            { class: "facts" },
            one.kind && el("span", { class: "kind" }, one.kind),
            el("span", {}, path(one.path), `:${one.line}`),
          ),
        );
      }),
    ),
  );
}

function folders(list) {
  if (list.length === 0) return null;
  return part(
    "Directories",
    "folders",
    el(
      "dl",
      {},
      list.map((one) =>
        el(
          "div",
          {},
          el("dt", {}, name(one.path)),
          el("dd", {}, dotted(counted(one.files, "file", "files"), one.about && ticked(one.about))),
        ),
      ),
    ),
  );
}

function recent(list, doors) {
  if (list.length === 0) return null;
  return part(
    "Recent changes",
    "recent",
    el(
      "ul",
      {},
      list.map((one) =>
        el(
          "li",
          {},
          link(
            doors.revision(one.commit),
            () => doors.travel(one.commit),
            {},
            one.subject || one.commit.slice(0, 10),
          ),
          el(
            "span",
            { class: "facts" },
            date(one.time),
            el("span", {}, one.author),
            el("code", {}, one.commit.slice(0, 10)),
          ),
        ),
      ),
    ),
  );
}

// Makes the link of an example: to what answers it best. Only the history of a declaration says
// when it was added; null if that declaration is not known.
function example(text, given, doors) {
  const [, added] = /^when was (\S+) added$/.exec(text) ?? [];
  if (!added) {
    const isQuestion = text.startsWith("what calls ");
    return link(doors.question(text, isQuestion), () => doors.ask(text, isQuestion), {}, text);
  }
  const one = given.important.find((known) => known.symbol === added);
  if (!one) return null;
  const at = placeOf(one);
  return link(doors.place(at, "commits"), () => doors.open(at, "commits"), {}, text);
}

function examples(given, doors) {
  const links = given.questions.map((text) => example(text, given, doors)).filter(Boolean);
  if (links.length === 0) return null;
  return part("Try", "examples", el("ul", {}, links.map((one) => el("li", {}, one))));
}

function help() {
  return el(
    "details",
    { class: "part" },
    el("summary", {}, "How to ask"),
    el(
      "p",
      {},
      "Type a question, a name, a path, or an error with its stack trace. ",
      el("code", {}, '"Quoted text"'),
      " at the start must match exactly; ",
      el("code", {}, "path:"),
      ", ",
      el("code", {}, "lang:"),
      ", ",
      el("code", {}, "kind:"),
      " and ",
      el("code", {}, "symbol:"),
      " narrow the search.",
    ),
    el(
      "p",
      {},
      el("strong", {}, "Ask"),
      " answers a question part by part from the sources, with citations.",
    ),
    el("p", {}, "The page contacts only the server that it came from."),
  );
}

// Replaces the content, and keeps the focus on the same link.
function show(...children) {
  const section = by("start");
  const at = [...section.querySelectorAll("a")].indexOf(document.activeElement);
  const text = document.activeElement?.textContent;
  fill(section, ...children);
  section.hidden = false;
  if (at >= 0)
    [...section.querySelectorAll("a")]
      .find((one) => one.textContent === text)
      ?.focus({ preventScroll: true });
}

// Draws the overview of a repository. `doors` has the addresses and what a click does.
export function draw(given, doors) {
  show(
    head(given),
    examples(given, doors),
    el(
      "div",
      { class: "columns" },
      places("Most used declarations", given.important, doors),
      recent(given.recent, doors),
      places("Entry points", given.entries, doors),
      folders(given.folders),
    ),
    index(given),
    help(),
  );
}

// Draws the list of repositories.
export function list(repositories, doors) {
  show(
    el("h2", {}, "Repositories"),
    el(
      "ul",
      { class: "part" },
      repositories.slice(0, 100).map((one) =>
        el(
          "li",
          {},
          link(
            doors.repository(one.checkoutPath),
            () => doors.choose(one.checkoutPath),
            {},
            one.name,
          ),
          el("span", { class: "facts" }, one.origin ?? one.checkoutPath),
        ),
      ),
    ),
    repositories.length > 100 && el("p", {}, "The field 'Repository' lists all of them."),
    help(),
  );
}

export function hide() {
  by("start").hidden = true;
  fill(by("start"));
}
