// Links from the open place to other programs: the clipboard, the forge, an editor.

import { el, outside } from "./dom.js";

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

function copy(place) {
  if (!navigator.clipboard) return null;
  const text = `${place.path}:${place.line}`;
  const button = el("button", { type: "button", class: "plain", click: async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy path:line"; }, 1500);
  } }, "copy path:line");
  return button;
}

// Makes the links of a place. A file with uncommitted changes has other lines on the forge.
export function links(place, file, status, repository) {
  if (place.pathBytes) return [];
  const isCommitted = !status || status === "unmodified";
  return [
    copy(place),
    isCommitted && forge(place, file.commit, repository?.origin),
    editor(place, file, repository),
  ];
}
