// Builds elements from text: the content of a repository always stays text.

// Control and bidirectional characters, which are replaced by visible signs, as in the terminal.
const ACTS =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

// Returns text with its control characters and line ends made visible.
export function shown(text) {
  return String(text).replace(ACTS, (c) => {
    const code = c.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `\u2039U+${code.toString(16).toUpperCase().padStart(4, "0")}\u203a`;
  });
}

// Makes an element: attributes by name (`class`, `href` within this page, functions as `onEvent`),
// then children.
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(key, value);
    else if (key === "href" && !String(value).startsWith("/"))
      throw new Error("only this page is linked to");
    else made.setAttribute(key, value === true ? "" : shown(value));
  }
  fill(made, ...children);
  return made;
}

// Makes a link that leads away from the page: to a forge or to an editor. It is followed only when
// the user clicks.
export function outside(scheme, rest, ...children) {
  const href = `${scheme}://${rest}`;
  if (!/^(https:\/\/[a-z0-9.-]+\/|vscode:\/\/file\/)/.test(href))
    throw new Error("only a forge or an editor is linked to");
  const made = el(
    "a",
    { rel: "noreferrer noopener", target: scheme === "https" ? "_blank" : null },
    ...children,
  );
  made.setAttribute("href", href);
  return made;
}

// Makes a link that the page follows itself, unless the user wants another tab or window.
export function link(href, follow, attributes, ...children) {
  const click = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    follow();
  };
  return el("a", { ...attributes, href, click }, ...children);
}

// Replaces the children of an element.
export function fill(element, ...children) {
  element.replaceChildren(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : document.createTextNode(shown(child)))),
  );
  return element;
}

export function svg(name, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Returns text with its `code` in backticks as elements.
export function ticked(text) {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? el("code", {}, part) : part));
}

export const by = (id) => document.getElementById(id);

export function counted(n, one, many) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

// Splits a name, so that lines may break between its words.
export function name(text) {
  return text
    .split(/(?<=\/|::)|(?<=[\p{L}\p{N}]_)(?=[\p{L}\p{N}])|(?<=[^.])(?=\.)/u)
    .flatMap((word, at) => (at > 0 ? [el("wbr"), word] : [word]));
}

// Makes two elements of a path: its directory and its file name.
export function path(text) {
  const at = text.lastIndexOf("/") + 1;
  return [
    el("span", { class: "dir" }, name(text.slice(0, at))),
    el("wbr"),
    el("span", { class: "file" }, name(text.slice(at))),
  ];
}

export const span = (first, last) => (first === last ? `${first}` : `${first}–${last}`);

// Makes rows of source lines, with a mark where lines are missing in between.
export function code(lines, { first = 0, last = -1, named = null, gutter } = {}) {
  const rows = [];
  let before = null;
  for (const line of lines) {
    if (before !== null && line.number > before + 1) rows.push(el("span", { class: "gap" }, "⋮"));
    before = line.number;
    const isCited = line.number >= first && line.number <= last;
    const isNamed = named && line.number >= named.startLine && line.number <= named.endLine;
    const kind = ["row", isCited && "cited", isNamed && "named"].filter(Boolean).join(" ");
    const pieces = line.pieces.map((piece) => {
      const kind = [piece.class, piece.match && "match"].filter(Boolean).join(" ");
      // The server has already replaced control characters of source, except tabs.
      const text = document.createTextNode(piece.text.replace(ACTS, (c) => shown(c)));
      return kind ? el(piece.match ? "mark" : "span", { class: kind }, text) : text;
    });
    rows.push(
      el(
        "span",
        { class: kind, "data-line": line.number },
        gutter
          ? gutter(line.number)
          : el("span", { class: "no", "data-no": line.number, "aria-hidden": "true" }),
        el("span", { class: "src" }, pieces, line.cut && el("span", { class: "cut" }, " … cut")),
      ),
    );
  }
  return el("code", {}, rows);
}
