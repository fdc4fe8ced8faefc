// Results: the list of results, for mouse and keyboard.

import { by, code, counted, el, fill, name, path, span } from "./dom.js";

// Makes the label of a file's state; null if it is unmodified.
export function stateOf(status) {
  return status === "unmodified" ? null : el("span", { class: `chip state ${status}` }, status);
}

// Explains a result in a few words: the largest parts of its score.
function reason(explain) {
  const most = [...explain]
    .filter((one) => one.value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, 3);
  if (most.length === 0) return null;
  // What follows a semicolon is for the table of all reasons.
  const words = most.map((one) => one.detail.split(";")[0]);
  return el("p", { class: "why" }, el("span", { class: "unseen" }, "Reasons: "), words.join(" · "));
}

// Links to the other declarations of the file that answer nearly as well; null if there are none.
function alsoHere(found, link) {
  if (!found.also) return null;
  const each = found.also.flatMap((one, at) => [
    at > 0 && " · ",
    el(
      "a",
      {
        href: link({
          ...found,
          startLine: one.line,
          endLine: one.line,
          symbolLine: one.line,
          symbol: one.symbol,
          kind: one.kind,
        }),
      },
      `${one.line} `,
      name(one.symbol),
    ),
  ]);
  return el("p", { class: "why" }, "Also here: ", each);
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

// Draws the results. `link` returns a result's address, `open` opens it.
export function draw(answer, { link, open, several }) {
  const list = by("list");
  fill(
    list,
    answer.results.map((found, at) => {
      const heading = el(
        "h3",
        {},
        answer.topics && el("span", { class: "lines" }, `[${found.rank}] `),
        el(
          "a",
          {
            class: "where",
            href: link(found),
            "data-at": at,
            click: (event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
              event.preventDefault();
              open(at);
            },
          },
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
        el("pre", { class: "code excerpt", click: () => open(at) }, code(found.code));
      return el(
        "li",
        {},
        el(
          "article",
          { class: "card" },
          heading,
          facts,
          source,
          alsoHere(found, link),
          copies(found),
          reason(found.explain),
          found.relation && el("p", { class: "why" }, found.relation),
        ),
      );
    }),
  );
}

// Returns the summary line of the list.
export function summary(answer) {
  if (answer.results.length === 0) return "Nothing found";
  const more =
    answer.more > 0 ? ` of ${(answer.results.length + answer.more).toLocaleString("en")}` : "";
  if (answer.topics)
    return `${counted(answer.results.length, "source", "sources")}${answer.more > 0 ? `, ${answer.more} more left out` : ""}, in ${answer.ms.toLocaleString("en")} ms`;
  const shownAs = more
    ? `${answer.results.length}${more} results`
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
