// What is said of the open place: its declaration, its state, and links to other programs: the
// clipboard, the forge, an editor.

import { el, name, outside } from "./dom.js";
import { stateOf } from "./results.js";

// How forges write the address of lines in a file of a commit.
const FORGES = [
  [/^github\.com$/, (at) => `blob/${at.commit}/${at.path}#L${at.start}-L${at.end}`],
  [/^(gitlab\.com|gitlab\..+)$/, (at) => `-/blob/${at.commit}/${at.path}#L${at.start}-${at.end}`],
  [
    /^(codeberg\.org|gitea\.com|git\.disroot\.org)$/,
    (at) => `src/commit/${at.commit}/${at.path}#L${at.start}-L${at.end}`,
  ],
  [/^bitbucket\.org$/, (at) => `src/${at.commit}/${at.path}#lines-${at.start}:${at.end}`],
];

const encoded = (path) => path.split("/").map(encodeURIComponent).join("/");

// Returns the link to the lines on the forge of `origin`; null if that is not known.
function forge(place, commit, origin) {
  const [, host, project] = /^([a-z0-9.-]+)\/(.+?)(?:\.git)?\/?$/i.exec(origin ?? "") ?? [];
  const known = host && FORGES.find(([name]) => name.test(host.toLowerCase()));
  if (!known || !commit) return null;
  const rest = known[1]({ commit, path: encoded(place.path), start: place.start, end: place.end });
  return outside("https", `${host.toLowerCase()}/${encoded(project)}/${rest}`, `open on ${host}`);
}

// Returns the link that opens a file of this machine's working tree in VS Code; null for another
// machine.
function editor(place, file, repository) {
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  if (!isHere || !file.worktree || !repository) return null;
  const root = repository.checkoutPath.replaceAll("\\", "/").replace(/^\/?/, "/");
  return outside(
    "vscode",
    `file${encoded(root)}/${encoded(place.path)}:${place.line}`,
    "open in VS Code",
  );
}

// Makes a button that copies a text, and says so for a moment.
function copy(label, text) {
  if (!navigator.clipboard) return null;
  const button = el("button", { type: "button", class: "plain", click: async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  } }, label);
  return button;
}

// Makes the links of a place. A file with uncommitted changes has other lines on the forge.
function links(place, file, status, repository) {
  if (place.pathBytes) return [];
  const isCommitted = !status || status === "unmodified";
  return [
    copy("copy path:line", `${place.path}:${place.line}`),
    isCommitted && forge(place, file.commit, repository?.origin),
    editor(place, file, repository),
  ];
}

// Makes the facts about a place. `file` says where it was read, as far as that is known; `chip` is
// the name of the repository, if there are several; `address` is the page's own.
export function facts(place, file, { repository, chip, address }) {
  const status = file.gitStatus ?? place.gitStatus;
  const commit = file.commit ? `at ${file.commit.slice(0, 10)}` : null;
  const version = [file.worktree ? "working tree" : null, commit].filter(Boolean).join(" ");
  return [
    place.symbol && el("span", { class: "symbol" }, name(place.symbol)),
    place.kind && el("span", { class: "kind" }, place.kind),
    status && stateOf(status),
    version && el("span", {}, version),
    chip && el("span", { class: "chip" }, chip),
    copy("copy link", location.origin + address),
    links(place, file, status, repository),
  ];
}
