// Graph: the callers and callees of a declaration, as a picture to walk through.
//
// The places are buttons in three columns, for the keyboard and for screen readers. The lines
// between them are drawn behind them.

import { ask, only } from "./client.js";
import { counted, el, fill, name, path, shown, svg } from "./dom.js";

const LIMIT = 12;
const MOST = 200;
// The places visited before, oldest first.
let trail = [];

const key = (place) => `${place.path}:${place.line}`;

// Clears the trail.
export function forget() {
  trail = [];
}

// Shows the relations around a place. `doors.walk` is called with the next place, `doors.open` with
// the place whose code is to be shown, `doors.say` with text for screen readers.
export async function show(panel, place, doors, limit = LIMIT) {
  const signal = only("graph");
  panel.setAttribute("aria-busy", "true");
  let answer;
  try {
    answer = await ask("/coderag/relations", { ...doors.body, symbol: key(place), limit }, signal);
  } finally {
    if (!signal.aborted) panel.removeAttribute("aria-busy");
  }
  const symbol = answer.symbols[0];
  if (!symbol) {
    const why =
      answer.repo.state === "indexing"
        ? `not indexed yet (${answer.repo.progress ?? "the index is being built in the background"}).`
        : "no declaration contains this line.";
    fill(panel, way(doors), el("p", { class: "empty" }, `No graph: ${why}`));
    return null;
  }
  draw(panel, symbol, place, doors, limit);
  return symbol;
}

function way(doors) {
  if (trail.length === 0) return null;
  return el(
    "nav",
    { class: "trail", "aria-label": "Places visited before" },
    el(
      "ol",
      {},
      trail.map((place, at) =>
        el(
          "li",
          {},
          el(
            "button",
            {
              type: "button",
              click: () => {
                trail = trail.slice(0, at);
                doors.walk(place);
              },
            },
            place.symbol ?? key(place),
          ),
        ),
      ),
    ),
  );
}

// Goes one step back. Returns whether there was one.
export function back(walk) {
  const place = trail.pop();
  if (place) walk(place);
  return Boolean(place);
}

const VERBS = { call: "calls", type: "refers to", inherits: "inherits", import: "imports" };

function node(one, side, go) {
  const { place } = one;
  const certainty = one.certain
    ? `certain (${one.how})`
    : `guess (${one.how}), ${Math.round(one.confidence * 100)}% confidence`;
  const title = place.symbol ?? place.path;
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: one.certain ? "node" : "node guess",
        "data-side": side,
        title: `${VERBS[one.relation] ?? one.relation}, line ${one.at}; ${certainty}`,
        "aria-label": `${title}, ${place.kind}, ${place.path} line ${place.line}; ${one.relation} on line ${one.at}, ${certainty}${one.test ? ", a test" : ""}`,
        click: () => go(place),
      },
      el("span", { class: "name" }, name(title)),
      el("span", { class: "facts" }, path(place.path), `:${place.line}`),
      el(
        "span",
        { class: "marks" },
        !one.certain && el("span", { class: "chip" }, "guess"),
        one.test && el("span", { class: "chip" }, "test"),
        one.relation !== "call" && el("span", { class: "chip" }, one.relation),
      ),
    ),
  );
}

function draw(panel, symbol, from, doors, limit) {
  const { callers, callees, implementers } = symbol;
  const centre = symbol.place;
  const go = (place) => {
    trail.push({ ...centre });
    if (trail.length > 30) trail.shift();
    doors.walk(place);
  };
  const list = (title, relatives, side) =>
    relatives &&
    (relatives.items.length > 0 || side !== "implements") &&
    el(
      "div",
      { class: "set", "data-set": side },
      el("h3", {}, `${title} (${(relatives.items.length + relatives.more).toLocaleString("en")})`),
      relatives.items.length === 0
        ? el("p", { class: "empty" }, "none")
        : el(
            "ol",
            {},
            relatives.items.map((one) => node(one, side === "callees" ? "right" : "left", go)),
          ),
      relatives.more > 0 &&
        (limit < MOST
          ? el(
              "button",
              {
                type: "button",
                class: "more",
                "data-side": side === "callees" ? "right" : "left",
                click: () => more(side, relatives.items.length),
              },
              `${relatives.more} more`,
            )
          : el("p", { class: "empty" }, `${relatives.more} more`)),
    );
  // The focus moves to the first new place.
  const more = (side, shownBefore) =>
    show(panel, from, doors, Math.min(MOST, limit * 4)).then(
      () => panel.querySelectorAll(`[data-set=${side}] .node`)[shownBefore]?.focus(),
      doors.fail,
    );
  const middle = el(
    "button",
    {
      type: "button",
      class: "node centre",
      "data-side": "centre",
      title: "Show its code",
      "aria-label": `${centre.symbol ?? centre.path}, ${centre.kind}, ${centre.path} line ${centre.line}; show its code`,
      click: () => doors.open(centre),
    },
    el("span", { class: "name" }, name(centre.symbol ?? centre.path)),
    el("span", { class: "facts" }, path(centre.path), `:${centre.line}`),
    el("span", { class: "marks" }, el("span", { class: "chip" }, centre.kind)),
  );
  const edges = svg("svg", { class: "edges", "aria-hidden": "true" });
  const field = el(
    "div",
    { class: "field" },
    edges,
    el(
      "div",
      { class: "column left" },
      list("Called or referred to by", callers, "callers"),
      list("Inherited or implemented by", implementers, "implements"),
    ),
    el("div", { class: "column centre" }, middle),
    el("div", { class: "column right" }, list("Calls or refers to", callees, "callees")),
  );
  const graph = el(
    "div",
    {
      class: "graph",
      role: "group",
      "aria-label": `References to and from ${centre.symbol ?? centre.path}`,
      keydown: (event) => keys(event, field, doors),
    },
    field,
  );
  fill(
    panel,
    way(doors),
    graph,
    el(
      "p",
      { class: "hint" },
      "Arrow keys move, Enter goes to a place, Backspace goes back. Solid lines are certain, dashed ones are guesses.",
    ),
  );
  const redraw = () => lines(field, edges, middle);
  new ResizeObserver(redraw).observe(field);
  // The centre is sticky, so that the lines must follow it when the panel scrolls.
  panel.onscroll = redraw;
  redraw();
  doors.say(
    `${shown(centre.symbol ?? centre.path)}: ${counted(callers.items.length + callers.more, "caller", "callers")}, ${counted(callees.items.length + callees.more, "callee", "callees")}`,
  );
}

// Draws the lines between the places at their current positions.
function lines(field, edges, middle) {
  const box = field.getBoundingClientRect();
  const centre = middle.getBoundingClientRect();
  edges.setAttribute("width", box.width);
  edges.setAttribute("height", box.height);
  edges.replaceChildren();
  const isNarrow = getComputedStyle(field).gridTemplateColumns.split(" ").length < 3;
  if (isNarrow) return;
  for (const side of ["left", "right"]) {
    const nodes = [...field.querySelectorAll(`.node[data-side="${side}"]`)];
    nodes.forEach((one, at) => {
      const place = one.getBoundingClientRect();
      // The lines end spread over the side of the centre.
      const share = nodes.length > 1 ? at / (nodes.length - 1) - 0.5 : 0;
      const y2 = centre.top - box.top + centre.height / 2 + share * centre.height * 0.6;
      const y1 = place.top - box.top + place.height / 2;
      const [x1, x2] =
        side === "left"
          ? [place.right - box.left, centre.left - box.left - 7]
          : [place.left - box.left - 7, centre.right - box.left];
      const bend = (x2 - x1) / 2;
      edges.append(
        svg("path", {
          class: one.classList.contains("guess") ? "edge guess" : "edge",
          d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
        }),
      );
      // The arrow tip: references point from left to right.
      const [x, y] = side === "left" ? [x2, y2] : [x1, y1];
      edges.append(svg("path", { class: "tip", d: `M${x} ${y - 4}l7 4l-7 4z` }));
    });
  }
}

function keys(event, field, doors) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const now = document.activeElement;
  const side = now?.dataset?.side;
  const of = (column) => [...field.querySelectorAll(`[data-side="${column}"]`)];
  const nearest = (nodes) => {
    const y = now.getBoundingClientRect().top;
    return nodes.toSorted(
      (a, b) =>
        Math.abs(a.getBoundingClientRect().top - y) - Math.abs(b.getBoundingClientRect().top - y),
    )[0];
  };
  let next = null;
  if (event.key === "Backspace") {
    if (back(doors.walk)) event.preventDefault();
    return;
  }
  if (!side) return;
  const column = of(side);
  const at = column.indexOf(now);
  if (event.key === "ArrowDown") next = column[at + 1];
  else if (event.key === "ArrowUp") next = column[at - 1];
  else if (event.key === "ArrowLeft")
    next = side === "centre" ? nearest(of("left")) : side === "right" ? of("centre")[0] : null;
  else if (event.key === "ArrowRight")
    next = side === "centre" ? nearest(of("right")) : side === "left" ? of("centre")[0] : null;
  else return;
  event.preventDefault();
  next?.focus();
}
