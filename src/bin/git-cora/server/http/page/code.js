// Code: shows a file at a revision, with the cited lines marked.

import { ask, only } from "./client.js";
import { code, counted, el, fill, span } from "./dom.js";

// Lines shown before and after the cited ones, and how many more at a time.
const BEFORE = 60;
const AFTER = 240;
const MORE = 400;

// Returns the request for a place's file.
function request(place, { body }) {
  const wanted = { ...body, path: place.path };
  if (place.pathBytes) wanted.pathBytes = place.pathBytes;
  return wanted;
}

// The server's last description of a file, and the request for it.
let last = { of: null, file: null };

// Returns the server's description of a place's file, whose code is not to be shown.
export async function describe(place, doors) {
  const wanted = request(place, doors);
  const of = JSON.stringify(wanted);
  if (last.of !== of) {
    const lines = { startLine: place.line, endLine: place.line };
    last = { of, file: await ask("/coderag/file", { ...wanted, ...lines }, only("code")) };
  }
  return last.file;
}

// Shows a place in the panel, and returns the server's description of the file. `walk` is called
// with a declaration whose references are to be shown.
export async function show(panel, place, { body, walk, cite, fail }) {
  const signal = only("code");
  panel.setAttribute("aria-busy", "true");
  const wanted = request(place, { body });
  const get = (startLine, endLine) =>
    ask("/coderag/file", { ...wanted, startLine, endLine }, signal);
  try {
    const file = await get(Math.max(1, place.start - BEFORE), place.end + AFTER);
    last = { of: JSON.stringify(wanted), file };
    draw(panel, file, place, { get, walk, cite, fail });
    return file;
  } finally {
    if (!signal.aborted) panel.removeAttribute("aria-busy");
  }
}

function draw(panel, file, place, { get, walk, cite, fail }) {
  const declared = new Map(file.declarations.map((one) => [one.line, one]));
  const gutter = (number) => {
    const one = declared.get(number);
    return el(
      "span",
      { class: "gutter" },
      el("button", {
        type: "button",
        class: "no",
        "data-no": number,
        "aria-label": `Line ${number}`,
        tabindex: "-1",
        click: () => cite(number),
      }),
      one
        ? el(
            "button",
            {
              type: "button",
              class: "node",
              tabindex: "-1",
              title: `References to and from ${one.symbol}`,
              "aria-label": `References to and from ${one.symbol}`,
              click: () => walk(one),
            },
            "◇",
          )
        : el("span", { class: "node" }),
    );
  };
  // The declaration at the place's line, if the place has several.
  const named = declared.get(place.line);
  const pre = el("pre", {
    class: named ? "code whole names" : "code whole",
    tabindex: "0",
    role: "region",
    "aria-label": `Source of ${file.path}`,
  });
  const draws = (lines) => code(lines, { first: place.start, last: place.end, named, gutter });
  let lines = file.lines;
  const jump = el("select", {
    "aria-label": "Go to a declaration",
    change: () => {
      const one = file.declarations[Number(jump.value)];
      if (one) cite(one.startLine, one.endLine, one);
    },
  }, el("option", { value: "" }, counted(file.declarations.length, "declaration", "declarations")),
  file.declarations.map((one, at) => el("option", { value: at }, `${one.line}  ${one.symbol}`)));
  const reach = el("span", { class: "facts" });
  const earlier = el(
    "button",
    { type: "button", click: () => load(-1).catch(fail) },
    "Earlier lines",
  );
  const later = el("button", { type: "button", click: () => load(1).catch(fail) }, "Later lines");
  const refresh = () => {
    fill(pre, draws(lines));
    const [first, last] = lines.length ? [lines[0].number, lines.at(-1).number] : [0, 0];
    fill(
      reach,
      lines.length ? `lines ${span(first, last)} of ${file.nLines.toLocaleString("en")}` : "empty",
      ` · ${file.language}`,
    );
    earlier.hidden = first <= 1;
    later.hidden = last >= file.nLines;
  };
  async function load(direction) {
    const from = direction < 0 ? Math.max(1, lines[0].number - MORE) : lines.at(-1).number + 1;
    const to = direction < 0 ? lines[0].number - 1 : lines.at(-1).number + MORE;
    const more = (await get(from, to)).lines;
    const anchor = pre.querySelector(".row");
    const top = direction < 0 && anchor ? anchor.dataset.line : null;
    lines = direction < 0 ? [...more, ...lines] : [...lines, ...more];
    refresh();
    if (top) pre.querySelector(`[data-line="${top}"]`)?.scrollIntoView({ block: "start" });
    pre.focus({ preventScroll: true });
  }
  fill(
    panel,
    el("div", { class: "bar" }, file.declarations.length > 0 && jump, reach, earlier, later),
    pre,
  );
  refresh();
  const cited = pre.querySelector(".named") ?? pre.querySelector(".cited");
  // Scroll the pane alone: `scrollIntoView` would move the page as well.
  if (cited)
    pre.scrollTop +=
      cited.getBoundingClientRect().top - pre.getBoundingClientRect().top - pre.clientHeight / 5;
}
