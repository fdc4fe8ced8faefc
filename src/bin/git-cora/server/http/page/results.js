// Results: the list of results, for mouse and keyboard.

import { by, code, counted, el, fill, link as linkTo, name, path, span } from "./dom.js";

// Most results that the server gives, and how many are shown first and at a time.
export const MOST = 100;
export const STEP = 20;

// Makes the label of a file's state; null if it is unmodified.
export function stateOf(status) {
  return status === "unmodified" ? null : el("span", { class: `chip state ${status}` }, status);
}

// Explains a result in a few words: the largest parts of its score. Nearly every result was
// compared more closely, so that this part says nothing here.
function reason(explain) {
  const most = [...explain]
    .filter((one) => one.value > 0 && one.part !== "rerank")
    .sort((a, b) => b.value - a.value)
    .slice(0, 3);
  if (most.length === 0) return null;
  // What follows a semicolon is for the table of all reasons.
  const words = most.map((one) => one.detail.split(";")[0]);
  return el("p", { class: "why reasons" }, `Why: ${words.join(" · ")}`);
}

// Links to the other declarations of the file that answer nearly as well; null if there are none.
function alsoHere(found, { link, goTo }) {
  if (!found.also) return null;
  const each = found.also.flatMap((one, at) => {
    const other = {
      ...found,
      startLine: one.line,
      endLine: one.line,
      symbolLine: one.line,
      symbol: one.symbol,
      kind: one.kind,
    };
    return [
      at > 0 && " · ",
      linkTo(link(other), () => goTo(other), {}, `${one.line} `, name(one.symbol)),
    ];
  });
  return el("p", { class: "why also" }, "Also here: ", each);
}

// Most files that are named as copies of a result's file.
const mostCopies = 3;

// Names the files that say nearly the same; null if there are none.
function copies(found) {
  if (!found.copies) return null;
  const each = found.copies
    .slice(0, mostCopies)
    .flatMap((one, at) => [at > 0 && " · ", name(one)]);
  const more = found.copies.length - mostCopies;
  return el("p", { class: "why" }, "Also in: ", each, more > 0 && ` · ${more} more`);
}

// Lets the keyboard scroll the excerpts that are wider than their cards.
function reach() {
  for (const one of document.querySelectorAll("#list .excerpt")) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  }
}
new ResizeObserver(reach).observe(by("list"));

// Draws the button for more results; null if the server has no more, or gives no more.
function further(answer, more) {
  const n = Math.min(answer.more, STEP, MOST - answer.results.length);
  if (answer.topics || n <= 0) return null;
  return el(
    "li",
    { class: "further" },
    el("button", { type: "button", click: more }, `Show ${n} more`),
  );
}

// Draws the results. `link` returns a result's address, `open` opens it, `goTo` opens another place
// of its file, `more` shows more results.
export function draw(answer, { link, open, goTo, more, several }) {
  const list = by("list");
  fill(
    list,
    answer.results.map((found, at) => {
      const heading = el(
        "h3",
        {},
        answer.topics && el("span", { class: "lines" }, `[${found.rank}] `),
        linkTo(
          link(found),
          () => open(at),
          { class: "where", "data-at": at },
          path(found.path),
          el("span", { class: "lines" }, `:${span(found.startLine, found.endLine)}`),
        ),
      );
      const facts = el(
        "p",
        { class: "facts" },
        found.symbol && el("span", { class: "symbol" }, name(found.symbol)),
        el("span", { class: "kind" }, found.kind),
        stateOf(found.gitStatus),
        several && el("span", { class: "chip" }, several[found.repository]),
      );
      const source =
        found.code.length > 0 &&
        el(
          "pre",
          {
            class: "code excerpt",
            role: "group",
            "aria-label": `Lines of ${found.path}`,
            click: () => open(at),
          },
          code(found.code),
        );
      return el(
        "li",
        {},
        el(
          "article",
          { class: "card" },
          heading,
          facts,
          source,
          alsoHere(found, { link, goTo }),
          copies(found),
          reason(found.explain),
          found.relation && el("p", { class: "why" }, found.relation),
        ),
      );
    }),
    further(answer, more),
  );
  reach();
}

// Draws the empty list of a search that found nothing.
export function none() {
  fill(
    by("list"),
    el(
      "li",
      { class: "empty" },
      "Try fewer or different words, or remove filters such as path: or lang:.",
    ),
  );
}

// Describes the state that was searched; null if none was, or if there are several repositories.
export function searched(answer) {
  if (answer.repos.length !== 1) return null;
  const [repo] = answer.repos;
  if (!repo.worktree && !repo.commit) return null;
  const commit = repo.commit ? `at ${repo.commit.slice(0, 10)}` : "before the first commit";
  const dirty = repo.dirtyFiles
    ? ` + ${counted(repo.dirtyFiles, "uncommitted file", "uncommitted files")}`
    : "";
  return el(
    "p",
    { class: "searched" },
    repo.worktree ? `working tree ${commit}${dirty}` : `commit ${repo.commit.slice(0, 10)}`,
  );
}

// Returns what the answer could not take into account, as texts. `nameOf` names a repository.
export function notes(answer, nameOf) {
  const state = (repo) =>
    repo.state === "nearest"
      ? "answered from the nearest commit with an index"
      : "not indexed yet";
  const ofRepos = answer.repos.flatMap((repo) => [
    !["exact", "missing"].includes(repo.state) &&
      `${nameOf(repo.checkoutPath)}: ${state(repo)}; ${repo.progress ?? "the index is being built in the background"}`,
    ...repo.warnings.map((text) =>
      repo.state === "missing" ? `${nameOf(repo.checkoutPath)}: ${text}` : text,
    ),
  ]);
  const quoted = (words) => words.map((word) => `'${word}'`).join(", ");
  const near = answer.near
    .filter((one) => one.instead.length)
    .map((one) => `'${one.word}' is not in the index; searched for ${quoted(one.instead)} instead`);
  const missing = answer.near.filter((one) => !one.instead.length).map((one) => one.word);
  if (missing.length && answer.results.length) near.push(`not in the index: ${quoted(missing)}`);
  return [...near, ...ofRepos.filter(Boolean).slice(0, 6)];
}

// Returns the summary line of the list.
export function summary(answer) {
  if (answer.results.length === 0)
    return answer.repos.some((repo) => repo.progress) ? "Nothing found yet" : "Nothing found";
  const isFull = answer.results.length >= MOST;
  const more =
    answer.more > 0 ? ` of ${(answer.results.length + answer.more).toLocaleString("en")}` : "";
  if (answer.topics)
    return `${counted(answer.results.length, "source", "sources")}${answer.more > 0 ? `, ${answer.more} more left out` : ""}, in ${answer.ms.toLocaleString("en")} ms`;
  const shownAs = more
    ? `${isFull && more ? "The best " : ""}${answer.results.length}${more} results`
    : counted(answer.results.length, "result", "results");
  return `${shownAs} in ${answer.ms.toLocaleString("en")} ms`;
}

// Moves the focus by some results.
export function step(by_) {
  const links = [...document.querySelectorAll("#list a.where")];
  if (links.length === 0) return;
  const current = links.findIndex((link) => link === document.activeElement);
  const open = links.findIndex((link) => link.getAttribute("aria-current"));
  const from = current >= 0 ? current : open;
  const next = from < 0 ? 0 : Math.min(Math.max(from + by_, 0), links.length - 1);
  links[next].focus();
  links[next].closest("li").scrollIntoView({ block: "nearest" });
}

// Marks the open result; -1 marks none.
export function current(at) {
  for (const link of document.querySelectorAll("#list a.where")) {
    if (Number(link.dataset.at) === at) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// Shows all parts of a score.
export function why(panel, found) {
  if (!found) {
    fill(
      panel,
      el(
        "p",
        { class: "empty" },
        "The search did not find this place. You opened it through a link or in the graph.",
      ),
    );
    return;
  }
  if (found.explain.length === 0) {
    fill(
      panel,
      el(
        "p",
        { class: "empty" },
        found.relation
          ? `Found by references: ${found.relation}.`
          : `Source [${found.rank}] of the answer.`,
      ),
    );
    return;
  }
  const most = Math.max(...found.explain.map((one) => Math.abs(one.value)), 1e-9);
  const rows = found.explain.map((one) => {
    const bar = el("span", { class: one.value < 0 ? "bar less" : "bar" });
    bar.style.setProperty("--share", `${(100 * Math.abs(one.value)) / most}%`);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, one.part),
      el("td", { class: "value" }, one.value.toFixed(4)),
      el("td", { class: "share", "aria-hidden": "true" }, bar),
      el("td", {}, one.detail),
    );
  });
  const order = found.order ? ` Why it has this rank: ${found.order}.` : "";
  fill(
    panel,
    el(
      "p",
      { class: "lead" },
      `Rank ${found.rank}, score ${found.score.toFixed(4)}. Scores of different searches can't be compared.${order}`,
    ),
    el(
      "table",
      { class: "parts" },
      el("caption", { class: "unseen" }, "Parts of the score"),
      el("thead", {}, el("tr", {}, ["Part", "Value"].map((one) => el("th", { scope: "col" }, one)),
        el("td", { class: "share", "aria-hidden": "true" }), el("th", { scope: "col" }, "Reason"))),
      el("tbody", {}, rows)));
}
