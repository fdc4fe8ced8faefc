// Answers: what the sources say to a question, with citations that open the code.

import { by, el, fill, name } from "./dom.js";

// Places of each part that are told in the answer; the others follow as results.
const TOLD = 4;

// An answer as the results of a search: the places in the order of their numbers.
export function asResults(given) {
  return {
    repos: [given.repo],
    results: given.places.map((one) => ({ ...one.place, relation: one.relation, explain: [] })),
    more: given.cut, near: [], ms: given.ms, topics: given.topics, says: given.places.map((one) => one.says), stopped: given.stopped,
  };
}

// A part as the beginning of a sentence; names keep their letters.
const sentence = (text) => text.replace(/^(how|what|when|where|which|who|whose|why|is|are|do|does|did|can)\b/, (word) => word[0].toUpperCase() + word.slice(1));

// Draws the answer, or nothing for a search. `link` gives a place's address, `open` opens it.
export function draw(answer, { link, open }) {
  const section = by("answer");
  section.hidden = !answer?.topics;
  if (section.hidden) {
    fill(section);
    return;
  }
  const cite = (number) => el("a", {
    class: "cite", href: link(answer.results[number - 1]), "aria-label": `Source ${number}: ${answer.results[number - 1].path}`,
    click: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      open(number - 1);
    },
  }, `[${number}]`);
  const told = new Set();
  const parts = answer.topics.map((topic) => {
    const fresh = topic.cited.filter((number) => !told.has(number));
    if (topic.whole && fresh.length === 0) return null;
    // What answers a part best is told there even if another part has told it.
    const first = [...new Set(topic.whole ? fresh : [...topic.cited.slice(0, 1), ...fresh])].slice(0, TOLD);
    const others = topic.cited.filter((number) => !first.includes(number) && !(topic.whole && told.has(number))).slice(0, 12);
    first.forEach((number) => told.add(number));
    const title = topic.whole ? (answer.topics.length > 1 ? "The question as a whole" : null) : sentence(topic.question);
    return el("div", { class: "part" }, title && el("h3", {}, title),
      topic.cited.length === 0 && el("p", { class: "empty" }, "Nothing was found."),
      el("ul", {}, first.map((number) => {
        const place = answer.results[number - 1];
        return el("li", {}, el("span", { class: "symbol" }, name(place.symbol ?? place.path)),
          answer.says[number - 1] && el("span", { class: "says" }, ` — ${answer.says[number - 1]}`),
          place.symbol && !answer.says[number - 1] && el("span", { class: "facts in" }, " in ", name(place.path), `:${place.startLine}`),
          place.relation && el("span", { class: "facts" }, ` (${place.relation})`), " ", cite(number));
      })),
      others.length > 0 && el("p", { class: "others" }, "also ", others.map((number) => [cite(number), " "])));
  });
  fill(section, el("h2", { id: "answer-title" }, "What the sources say"),
    answer.results.length === 0 ? el("p", { class: "empty" }, `No answer: ${answer.stopped ?? "nothing is indexed yet"}. A search is less strict: Enter in the search box.`) : parts,
    answer.results.length > 0 && el("p", { class: "facts" }, "Put together by rules from the sources at this revision; no model was asked."));
}
