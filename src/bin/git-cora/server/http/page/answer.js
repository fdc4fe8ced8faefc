// Answers: the evidence for each part of a question, with citations that open the code.

import { by, el, fill, link as linkTo, name, ticked } from "./dom.js";

// Largest number of places described per part; the others are listed by number.
const DESCRIBED = 4;

// Converts an answer to search results: the places in the order of their numbers.
export function asResults(given) {
  return {
    repos: [given.repo],
    results: given.places.map((one) => ({ ...one.place, relation: one.relation, explain: [] })),
    more: given.cut,
    near: [],
    ms: given.ms,
    topics: given.topics,
    says: given.places.map((one) => one.says),
    stopped: given.stopped,
  };
}

// Capitalises a part that begins with a question word; any other first word may be a name.
const sentence = (text) =>
  text.replace(
    /^(how|what|when|where|which|who|whose|why|is|are|do|does|did|can)\b/,
    (word) => word[0].toUpperCase() + word.slice(1),
  );

// Says that there is no answer, and offers a search.
function none(answer, instead) {
  const isWaiting = answer.repos.some((repo) => repo.progress);
  const isLooked = !answer.stopped || answer.stopped === "no relevant result";
  const ended = isLooked ? "" : `The search for sources ended: ${answer.stopped}. `;
  const why = isWaiting
    ? "The index is being built; the question is asked again when it is ready."
    : `${ended}A search is less strict, and may still find something.`;
  return [
    el("h2", { id: "answer-title" }, isWaiting ? "No answer yet" : "No answer"),
    el("p", { class: "empty" }, why),
    el("p", {}, el("button", { type: "button", click: instead }, "Search instead")),
  ];
}

// Draws an answer, and hides the section for a search. `link` returns a place's address, `open`
// opens it, `instead` searches for the question.
export function draw(answer, { link, open, instead }) {
  const section = by("answer");
  section.hidden = !answer?.topics;
  if (section.hidden) {
    fill(section);
    return;
  }
  if (answer.results.length === 0) {
    fill(section, none(answer, instead));
    return;
  }
  const cite = (number) =>
    linkTo(
      link(answer.results[number - 1]),
      () => open(number - 1),
      {
        class: "cite",
        "aria-label": `Source ${number}: ${answer.results[number - 1].path}`,
      },
      `[${number}]`,
    );
  const described = new Set();
  const parts = answer.topics.map((topic) => {
    const fresh = topic.cited.filter((number) => !described.has(number));
    if (topic.whole && fresh.length === 0) return null;
    // The best place of a part is described there, even if another part has described it already.
    const first = [...new Set(topic.whole ? fresh : [...topic.cited.slice(0, 1), ...fresh])].slice(
      0,
      DESCRIBED,
    );
    const others = topic.cited
      .filter((number) => !first.includes(number) && !(topic.whole && described.has(number)))
      .slice(0, 12);
    first.forEach((number) => described.add(number));
    const title = topic.whole
      ? answer.topics.length > 1
        ? "The whole question"
        : null
      : sentence(topic.question);
    return el(
      "div",
      { class: "part" },
      title && el("h3", {}, title),
      topic.cited.length === 0 && el("p", { class: "empty" }, "Nothing found."),
      el(
        "ul",
        {},
        first.map((number) => {
          const place = answer.results[number - 1];
          return el(
            "li",
            {},
            el("span", { class: "symbol" }, name(place.symbol ?? place.path)),
            answer.says[number - 1] &&
              el("span", { class: "says" }, " — ", ticked(answer.says[number - 1])),
            place.symbol &&
              !answer.says[number - 1] &&
              el("span", { class: "facts in" }, " in ", name(place.path), `:${place.startLine}`),
            place.relation && el("span", { class: "facts" }, ` (${place.relation})`),
            " ",
            cite(number),
          );
        }),
      ),
      others.length > 0 &&
        el(
          "p",
          { class: "others" },
          "also ",
          others.map((number) => [cite(number), " "]),
        ),
    );
  });
  fill(
    section,
    el("h2", { id: "answer-title" }, "Answer from the sources"),
    parts,
    el(
      "p",
      { class: "facts" },
      "Selected by rules from the sources at this revision; no language model was used.",
    ),
  );
}
