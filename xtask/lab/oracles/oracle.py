# Prints what the Rust compiler knows about a package: declarations, and where each is used.
#
# Usage: python3 oracle.py DIR. One tab-separated row a line, paths relative to DIR:
#
#   file PATH                               a file that was checked
#   dark PATH LINE                          a line that the compiler's answer says nothing about
#   decl PATH LINE NAME KIND                a function, type, trait or macro
#   use  PATH LINE NAME FROM_PATH FROM_LINE the declaration, and a line that uses it
#
# rustdoc writes the source as pages in which each name is a link to its declaration. The option for
# that is unstable, so RUSTC_BOOTSTRAP is set. What is inside of a macro call has no links: those
# lines are dark, as are those with a name that rustdoc does not link. Tests are read as plain
# functions: in a copy of the package, `#[test]` is replaced.
# Only libraries and programs are read, with their default features. A name from another package of
# the workspace has no row.
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

DECLARED = re.compile(r"\b(fn|struct|enum|union|trait|type|macro_rules!)\s+(?:r#)?(\w+)")
LINK = re.compile(r'<a (?:class="[^"]*" )?href="([^"]*)"[^>]*>([^<]*)</a>')
# What stands in front of the type that a header of an implementation names.
PATH = r"(&\s*)?('\w+\s+)?(mut\s+)?(\w+::)*$"
HEAD_FOR = re.compile(r" for " + PATH)
HEAD = re.compile(r"^\s*(unsafe )?impl(<.*>)?\s+" + PATH)
LINE = re.compile(r"<a href=#(\d+) id=\1 data-nosnippet>\1</a>")


def run(command, where, **more):
    done = subprocess.run(command, cwd=where, env=dict(os.environ, RUSTC_BOOTSTRAP="1"), text=True,
                          capture_output=True, **more)
    if done.returncode:
        sys.exit(" ".join(command) + "\n" + done.stderr[-2000:])
    return done.stdout


def dark(text):
    """Returns the lines of macro calls and macro definitions."""
    lines, at = set(), 0
    token = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|r(#+)".*?"\1|' r"'(?:\\.|[^'\\])'"
                       r"|\b\w+!\s*(?:\w+\s*)?([(\[{])", re.S)
    while found := token.search(text, at):
        at = found.end()
        if not found.group(2):
            continue
        depth = 1
        inside = re.compile(
            r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|' r"'(?:\\.|[^'\\])'|[()\[\]{}]", re.S
        )
        while depth and (next_one := inside.search(text, at)):
            at = next_one.end()
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(next_one.group(), 0)
        first = text.count("\n", 0, found.start()) + 1
        lines.update(range(first, text.count("\n", 0, at) + 2))
    return lines


def imports(lines):
    """Returns the lines of import statements, which are not uses."""
    found, is_open = set(), False
    for at, line in enumerate(lines, 1):
        is_open |= bool(re.match(r"\s*(pub(\([^)]*\))?\s+)?(use|extern crate)\b", line))
        if is_open:
            found.add(at)
            is_open = ";" not in line
    return found


def in_traits(path):
    """Returns the lines inside of traits, as indentation shows them."""
    found, around = set(), None
    with open(path, encoding="utf-8", errors="replace") as file:
        for at, line in enumerate(file, 1):
            indent = len(line) - len(line.lstrip())
            if around is not None and line.strip() and indent <= around:
                around = around if line.strip().startswith(("where", "{")) else None
            elif around is not None:
                found.add(at)
            if re.match(r"\s*(pub(\([^)]*\))?\s+)?(unsafe\s+)?trait\b", line):
                around = indent
    return found


def main():
    root = os.path.realpath(sys.argv[1])
    place = tempfile.mkdtemp()
    copy = os.path.join(place, "package")
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".git", "target"), symlinks=True)
    for folder, _, names in os.walk(copy):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".rs") and not os.path.islink(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    text = file.read()
                with open(path, "w", encoding="utf-8") as file:
                    file.write(re.sub(r"#\[test\]", "#[cfg(all())]", text))
    built = os.path.join(place, "target")
    messages = run(
        ["cargo", "test", "--no-run", "--message-format=json", "--target-dir", built], copy
    )
    externs = {}
    for line in messages.splitlines():
        message = json.loads(line)
        if message.get("reason") == "compiler-artifact" and not message["profile"]["test"]:
            for name in message["filenames"]:
                if name.endswith((".rlib", ".so")):
                    externs[message["target"]["name"].replace("-", "_")] = name
    metadata = json.loads(run(["cargo", "metadata", "--no-deps", "--format-version=1"], copy))
    rows = set()
    for package in metadata["packages"]:
        for target in package["targets"]:
            kinds = target["kind"]
            if not ({"lib", "rlib", "bin"} & set(kinds)) or not target.get("doc", True):
                continue
            chosen = ["--lib"] if "bin" not in kinds else ["--bin", target["name"]]
            own = target["name"].replace("-", "_")
            wanted = {
                one["name"].replace("-", "_")
                for one in package["dependencies"]
                if not one["rename"]
            }
            named = [
                part
                for name, path in externs.items()
                if name in wanted and name != own
                for part in ("--extern", f"{name}={path}")
            ]
            run(
                [
                    "cargo",
                    "rustdoc",
                    "--manifest-path",
                    package["manifest_path"],
                    *chosen,
                    "--target-dir",
                    built,
                    "--",
                    "-Zunstable-options",
                    "--generate-link-to-definition",
                    "--document-private-items",
                    "--cfg",
                    "test",
                    "--cap-lints",
                    "allow",
                    "-L",
                    f"dependency={built}/debug/deps",
                    *named,
                ],
                copy,
            )
            read(
                os.path.join(built, "doc", "src", own),
                copy,
                os.path.dirname(target["src_path"]),
                rows,
            )
            shutil.rmtree(os.path.join(built, "doc"))
    shutil.rmtree(place)
    print("\n".join(sorted(rows)))


def read(pages, root, sources, rows):
    """Adds the rows of a crate whose source pages are in a folder."""
    declared, traits = {}, {}

    def declarations(path):
        if path not in declared:
            found = {}
            if not os.path.exists(path):
                return found
            with open(path, encoding="utf-8", errors="replace") as file:
                for at, line in enumerate(file, 1):
                    for kind, name in DECLARED.findall(line.split("//")[0]):
                        found.setdefault(at, (name, kind))
            declared[path] = found
            traits[path] = in_traits(path)
        return declared[path]

    every = set()
    for folder, _, names in os.walk(pages):
        for name in (name for name in names if name.endswith(".rs.html")):
            path = os.path.join(
                sources, os.path.relpath(os.path.join(folder, name), pages)[: -len(".html")]
            )
            every.update(one for one, _ in declarations(path).values())
    for folder, _, names in os.walk(pages):
        for name in names:
            if not name.endswith(".rs.html"):
                continue
            page = os.path.join(folder, name)
            path = os.path.join(sources, os.path.relpath(page, pages)[: -len(".html")])
            own = os.path.relpath(path, root)
            if not os.path.exists(path) or own.startswith(".."):
                continue
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
            skipped = imports(text.split("\n"))
            rows.add(f"file\t{own}")
            rows.update(f"dark\t{own}\t{at}" for at in dark(text))
            rows.update(
                f"decl\t{own}\t{at}\t{one}\t{kind}"
                for at, (one, kind) in declarations(path).items()
            )
            at = 0
            with open(page, encoding="utf-8") as file:
                shown = file.read()
            for line in shown.split("\n"):
                found = LINE.search(line)
                at = int(found.group(1)) if found else at
                line = line[found.end():] if found else line
                if not at or at in skipped:
                    continue
                plain = html.unescape(re.sub("<[^>]*>", "", line)).lstrip()
                is_header = re.match(r"(unsafe )?impl\b", plain)
                # rustdoc links not every name.
                rest = html.unescape(re.sub("<[^>]*>", "", LINK.sub(" ", line)))
                if not every.isdisjoint(re.findall(r"\w+", rest)):
                    rows.add(f"dark\t{own}\t{at}")
                for link in LINK.finditer(line):
                    before = re.sub("<[^>]*>", "", line[: link.start()])
                    # A header says whose method follows, and does not use that type.
                    before = html.unescape(before)
                    if is_header and (HEAD_FOR if " for " in plain else HEAD).search(before):
                        continue
                    # A call of a trait's method names the trait, even if the type is known: which
                    # implementation is called is not said.
                    if re.search(r"/trait\.\w+\.html#", link.group(1)):
                        rows.add(f"dark\t{own}\t{at}")
                    to = re.fullmatch(r"([^#]*)#(\d+)(?:-\d+)?", link.group(1))
                    if not to or to.group(1).startswith("http"):
                        continue
                    of = (
                        os.path.normpath(os.path.join(folder, to.group(1))) if to.group(1) else page
                    )
                    if not of.startswith(pages + os.sep):
                        continue
                    of = os.path.join(sources, os.path.relpath(of, pages)[: -len(".html")])
                    known = declarations(of).get(int(to.group(2))) if os.path.exists(of) else None
                    if known and (known[0] == link.group(2).rstrip("!") or link.group(2) != "Self"):
                        target = os.path.relpath(of, root)
                        if of in traits and int(to.group(2)) in traits[of]:
                            rows.add(f"dark\t{own}\t{at}")
                        rows.add(f"use\t{target}\t{to.group(2)}\t{known[0]}\t{own}\t{at}")


main()
