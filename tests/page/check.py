#!/usr/bin/env python3
"""Drives the page of `git cora serve` in headless Chromium, by keyboard alone.

Makes a small repository with a history, uncommitted changes, and hostile names and contents, and
serves it. Then tests search, code, graph, reasons, history, links and ask. The script fails on:

- a failed expectation;
- a request to another host;
- a violation of the page's content security policy, or an error of its script;
- a serious or critical finding of axe-core.

It is not part of `cargo test`, because not every machine has a browser.

    pip install -r tests/page/requirements.txt
    apt install chromium        # or: playwright install chromium
    cargo build && python3 tests/page/check.py --shots /tmp/shots
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]

STORE = '''\
"""Sessions of users."""

import time


class SessionStore:
    """Keeps a token for each user."""

    def __init__(self, clock=time.time):
        self.clock = clock
        self.tokens = {}

    def refresh_token(self, user):
        """Gives the user a new token, and tells when it ends."""
        # A token of before ends here.
        token = make_token(user)
        self.tokens[user] = token
        return token, expiry(self.clock(), HOURS)


HOURS = 2


def make_token(user):
    return f"{user}-{len(user)}"


def expiry(now, hours):
    return now + 3600 * hours
'''

LOGIN = '''\
from store import SessionStore


def log_in(store: SessionStore, user):
    """Logs in."""
    return store.refresh_token(user)


def keep_alive(store: SessionStore, user):
    return store.refresh_token(user)
'''

TEST = '''\
from store import SessionStore


def test_refresh_token():
    store = SessionStore(lambda: 0)
    assert store.refresh_token("a")
'''

# More callers than the graph initially shows.
BOUND = "def bound(n):\n    return min(n, 7)\n" + "".join(
    f"\n\ndef bounded_{n}():\n    return bound({n})\n" for n in range(14)
)

# Markup, terminal escapes, and characters that reorder text.
HOSTILE_NAME = "src/<img src=x onerror=alert(1)>&amp;\"'\u202e.py"
HOSTILE_TEXT = '''\
def zanzibar_<script>():
    """</code></pre><script>window.hacked = 1</script><img src=https://evil.example/x onerror="window.hacked=1">"""
    return "\x1b[31mred\u202e gnitset \u2066"


def zanzibar():
    """Sails to <img src=x onerror="window.hacked = 1"> and \x1b[31m red\u202e."""
    return "javascript:alert(1)"
'''


class Repository:
    def __init__(self, top):
        self.top = pathlib.Path(top)
        self.n = 0
        self.git("init", "-q", "-b", "main", ".")

    def git(self, *args):
        self.n += 1
        date = f"{1_700_000_000 + 86_400 * self.n} +0000"
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.top),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A U Thor",
            "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_NAME": "A U Thor",
            "GIT_COMMITTER_EMAIL": "a@example.com",
            "GIT_COMMITTER_DATE": date,
        }
        return subprocess.run(
            ["git", *args], cwd=self.top, env=env, check=True, capture_output=True, text=True
        ).stdout

    def write(self, path, text):
        path = self.top / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


def make(top):
    """Makes a repository of five commits: the second adds the searched code, and a later one moves it."""
    top.mkdir()
    repo = Repository(top)
    repo.write("README.md", "# Sample\n\nKeeps sessions.\n")
    repo.commit("begin")
    repo.write("src/store.py", STORE)
    repo.write("src/login.py", LOGIN)
    repo.write("src/bound.py", BOUND)
    repo.commit("keep sessions <b>bold</b>")
    repo.write("tests/test_store.py", TEST)
    repo.commit("test sessions")
    repo.write(
        "src/store.py", STORE.replace("import time", "import time\n\nVERSION = 2\nLIMIT = 10")
    )
    repo.commit("count versions")
    repo.write(HOSTILE_NAME, HOSTILE_TEXT)
    repo.commit("be hostile")
    repo.git("tag", "v1", "HEAD~2")
    repo.write(
        "src/login.py",
        LOGIN
        + "\n\ndef log_out(store, user):\n"
        + '    """Drops the token of a user."""\n    store.tokens.pop(user)\n',
    )
    return repo


class Checks:
    def __init__(self, page, shots):
        self.page, self.shots, self.n = page, shots, 0

    def says(self, what):
        self.n += 1
        print(f"ok {self.n} {what}", flush=True)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def shot(self, name):
        if not self.shots:
            return
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            self.page.screenshot(path=str(self.shots / f"{name}-{scheme}.png"))

    def axe(self, name):
        """Checks that axe-core has no serious or critical finding, in either colour scheme."""
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            found = Axe().run(self.page).response["violations"]
            bad = [
                (
                    one["id"],
                    one["impact"],
                    [node["target"] for node in one["nodes"]][:4],
                    one["nodes"][0].get("failureSummary"),
                )
                for one in found
                if one["impact"] in ("serious", "critical")
            ]
            assert not bad, (name, scheme, bad)
            mild = [(one["id"], one["impact"]) for one in found]
            if mild:
                print(f"   axe, {name}, {scheme}: {mild}")
        self.says(f"axe finds nothing serious: {name}")


def focused(page):
    return page.evaluate(
        "document.activeElement.id || document.activeElement.className"
        " || document.activeElement.tagName"
    )


def drive(checks, url, server):
    page = checks.page
    press = checks.press
    page.goto(url)
    expect(page.locator("#query")).to_be_focused()
    assert "key" not in page.url, page.url
    assert page.evaluate("sessionStorage.length") == 1
    checks.says("the key opens the page, and leaves the address")
    expect(page.locator("#moment")).to_contain_text("working tree of main")
    begin = page.locator("#start")
    expect(begin).to_contain_text("sample")
    for part in ("Most used declarations", "Recent changes", "Directories", "Index"):
        expect(begin.locator("h3", has_text=part)).to_have_count(1)
    expect(begin.locator(".important, .places").first).to_contain_text("refresh_token")
    expect(begin.locator(".recent li").first).to_contain_text("be hostile")
    chips = begin.locator(".languages .chip")
    assert chips.first.bounding_box()["width"] < 200, "a language is a chip, not a bar"
    checks.says("the start page shows the repository")
    checks.shot("1-begin")
    checks.axe("begin")
    begin.locator(".examples a", has_text="what calls").click()
    expect(page.locator("#list li").first.locator(".where")).to_be_visible()
    page.go_back()
    expect(begin.locator("h2")).to_be_visible()
    page.locator("#query").fill("when was refresh_token added")
    press("Enter")
    expect(page.locator("#notices")).to_contain_text("git cora when refresh_token")
    page.locator("#home").click()
    expect(begin.locator("h2")).to_be_visible()
    expect(page.locator("#query")).to_be_focused()
    checks.says("an example is one click away; a question about time names its command")

    # Search.
    page.keyboard.type("refresh the token")
    press("Enter")
    first = page.locator("#list li").first
    expect(first.locator(".where")).to_be_focused()
    expect(first.locator(".where")).to_contain_text("src/store.py")
    expect(first.locator(".symbol")).to_contain_text("refresh_token")
    expect(first.locator(".keyword").first).to_be_visible()
    expect(first.locator("mark").first).to_be_visible()
    expect(first.locator("mark.comment").first).to_be_visible()
    expect(first.locator(".why", has_text="Why:")).to_have_count(1)
    assert re.search(r"\d+ results?", page.locator("#status").inner_text())
    expect(page.locator("#list .chip.state").first).to_contain_text("modified")
    expect(page.locator(".searched")).to_contain_text("1 uncommitted file")
    checks.says("a search lists places with source, state and reasons; the first has the focus")
    checks.shot("2-results")
    checks.axe("results")
    press("j")
    expect(page.locator("#list li").nth(1).locator(".where")).to_be_focused()
    press("k")
    expect(first.locator(".where")).to_be_focused()
    checks.says("j and k go through the results")

    # Open.
    press("Enter")
    expect(page.locator("#place-title")).to_be_focused()
    expect(page.locator("#panel-code .row.cited").first).to_be_visible()
    expect(page.locator("#panel-code .cited.named", has_text="def refresh_token")).to_have_count(1)
    assert urlsplit(page.url).path == "/file", page.url
    checks.says("Enter opens the code, with the cited lines marked")
    page.wait_for_timeout(200)
    checks.shot("3-code")
    checks.axe("code")
    link = page.url

    # Explanation of the rank.
    press("w")
    expect(page.locator("#panel-why tbody tr").first).to_be_visible()
    checks.says("w tells why it was found")
    checks.shot("4-why")
    checks.axe("why")

    # Commits that changed the declaration.
    press("h")
    commits = page.locator("#panel-commits .commits li")
    expect(commits.first.locator("a")).to_be_focused()
    expect(page.locator("#panel-commits")).to_contain_text("changed this declaration")
    expect(commits.last).to_contain_text("keep sessions <b>bold</b>")
    expect(commits.last.locator(".chip")).to_contain_text("added")
    checks.shot("4-commits")
    checks.axe("commits")
    commits.last.locator("a").click()
    expect(page.locator("#moment")).to_contain_text("keep sessions")
    expect(page.locator("#panel-code .cited.named", has_text="def refresh_token")).to_have_count(1)
    expect(page.locator("#place-facts")).to_contain_text("at ")
    page.go_back()
    page.go_back()
    checks.says("h lists the commits that changed the place; a click shows it as it was")
    page.goto(link)
    expect(page.locator("#panel-code .cited").first).to_be_visible()
    editor = page.locator("#place-facts a", has_text="open in VS Code").get_attribute("href")
    assert editor.startswith("vscode://file/") and "/src/store.py:" in editor, editor
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#place-facts button", has_text="copy path:line").click()
    expect(page.locator("#place-facts button", has_text="copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("src/store.py:")
    checks.says("the place can be copied, and opened in an editor")

    # Graph.
    press("g")
    centre = page.locator("#panel-graph .node.centre")
    expect(centre).to_be_focused()
    expect(centre).to_contain_text("refresh_token")
    left, right = page.locator("#panel-graph .column.left"), page.locator(
        "#panel-graph .column.right"
    )
    for caller in ("log_in", "keep_alive", "test_refresh_token"):
        expect(left).to_contain_text(caller)
    for callee in ("make_token", "expiry"):
        expect(right).to_contain_text(callee)
    assert (
        page.locator("#panel-graph .edge").count()
        == page.locator("#panel-graph li .node").count()
        > 3
    )
    checks.says("g draws the graph: callers left, callees right")
    checks.shot("5-graph")
    checks.axe("graph")
    press("ArrowRight")
    expect(right.locator(".node").first).to_be_focused()
    press("ArrowDown")
    expect(right.locator(".node").nth(1)).to_be_focused()
    name = right.locator(".node").nth(1).locator(".name").inner_text()
    press("Enter")
    expect(centre).to_contain_text(name)
    expect(centre).to_be_focused()
    expect(page.locator("#panel-graph .trail")).to_contain_text("refresh_token")
    expect(left).to_contain_text("refresh_token")
    press("ArrowLeft", "Enter")
    expect(centre).to_contain_text("refresh_token")
    press("ArrowLeft")
    expect(left.locator(".node").first).to_be_focused()
    press("Enter")
    expect(centre).to_contain_text("log_in")
    press("Backspace", "Backspace")
    expect(centre).to_contain_text(name)
    press("Backspace")
    expect(centre).to_contain_text("refresh_token")
    expect(page.locator("#panel-graph .trail")).to_have_count(0)
    press("Enter")
    expect(page.locator("#panel-code .cited").first).to_be_visible()
    checks.says("arrows, Enter and Backspace walk the graph; Enter in the middle shows the code")

    # The graph follows the revision and the selected result.
    press("g")
    expect(centre).to_be_focused()
    press("[")
    expect(page.locator("#place-facts")).to_contain_text("at ")
    expect(page.locator("#place-facts")).not_to_contain_text("working tree")
    expect(page.locator("#panel-graph")).not_to_have_attribute("aria-busy", "true")
    expect(centre).to_be_focused()
    press("]")
    expect(page.locator("#place-facts")).to_contain_text("working tree")
    expect(page.locator("#panel-graph")).not_to_have_attribute("aria-busy", "true")
    expect(centre).to_be_focused()
    checks.says("the focus stays in the graph while the revision changes")
    press("c")
    expect(page.locator("#panel-code .cited").first).to_be_visible()
    press("Escape", "j")
    expect(page.locator("#list li").nth(1).locator(".where")).to_be_focused()
    press("[")
    expect(page.locator("#moment")).to_contain_text("be hostile")
    expect(page.locator(".searched")).to_contain_text("commit")
    expect(page.locator("#list .where:focus")).to_have_count(1)
    press("]")
    expect(page.locator(".searched")).to_contain_text("working tree")
    expect(page.locator("#list .where:focus")).to_have_count(1)
    checks.says("and in the list")
    def slowly(route):
        time.sleep(0.3)
        route.continue_()
    page.route("**/coderag/file", slowly)
    press("k", "j")
    second = page.locator("#list li").nth(1).locator(".symbol").inner_text()
    press("Enter", "g")
    expect(centre).to_contain_text(second.rpartition(".")[2])
    expect(centre).to_be_focused()
    page.wait_for_timeout(600)
    expect(centre).to_be_focused()
    assert page.locator("#panel-code .node.centre").count() == 0
    page.unroute("**/coderag/file")
    checks.says("who is faster than the server sees what was asked last")
    press("Escape", "k")
    press("Enter")

    # Back to the list.
    press("Escape")
    expect(first.locator(".where")).to_be_focused()
    expect(page.locator("#place")).to_be_hidden()
    checks.says("Esc goes back to the result")

    # History.
    press("Enter")
    expect(page.locator("#panel-code .cited", has_text="def refresh_token")).to_have_count(1)
    line = page.locator("#panel-code .cited", has_text="def refresh_token").get_attribute(
        "data-line"
    )
    for _ in range(3):
        press("[")
    expect(page.locator("#moment")).to_contain_text("HEAD~2")
    expect(page.locator("#moment")).to_contain_text("v1")
    expect(page.locator(".searched")).to_contain_text("commit")
    expect(page.locator("#slider")).to_have_attribute("aria-valuetext", re.compile("HEAD~2"))
    older = page.locator("#panel-code .cited", has_text="def refresh_token")
    expect(older).not_to_have_attribute("data-line", line)
    checks.says("[ goes back in history, and the open place with it")
    checks.shot("6-history")
    press("[", "[")
    expect(page.locator("#moment")).to_contain_text("begin")
    expect(page.locator("#panel-code")).to_contain_text("No file")
    press("]")
    expect(page.locator("#moment")).to_contain_text("keep sessions <b>bold</b>")
    expect(page.locator("#panel-code .cited", has_text="def refresh_token")).to_have_count(1)
    press("Escape")
    page.locator("#slider").focus()
    press("ArrowRight")
    expect(page.locator("#moment")).to_contain_text("HEAD~2")
    checks.says("what is not there yet is said; the slider moves by arrows too")
    press("/")
    page.locator("#revision").focus()
    page.keyboard.type("no-such-branch")
    press("Enter")
    expect(page.locator("#notices [role=alert]")).to_contain_text("no-such-branch")
    page.locator("#revision").fill("v1")
    press("Enter")
    expect(page.locator("#list .where").first).to_be_visible()
    expect(page.locator("#moment")).to_contain_text("HEAD~2")
    page.locator("#revision").fill("")
    press("Enter")
    expect(page.locator("#moment")).to_contain_text("working tree")
    checks.says("a revision may be named; a wrong one gets an error")

    # Browser history and links.
    page.goto(link)
    expect(page.locator("#panel-code .cited", has_text="def refresh_token")).to_have_count(1)
    expect(page.locator("#list .where").first).to_be_visible()
    press("g")
    expect(page.locator("#panel-graph .node.centre")).to_be_focused()
    press("ArrowRight", "Enter")
    expect(page.locator("#panel-graph .node.centre")).not_to_contain_text("refresh_token")
    page.go_back()
    expect(page.locator("#panel-graph .node.centre")).to_contain_text("refresh_token")
    checks.says("an address opens the place again, and the browser's back button works")
    other = page.context.new_page()
    other.goto(link)
    expect(other.locator("#panel-code .cited").first).to_be_visible()
    other.close()
    checks.says("another tab gets the token from this one")

    # Ask.
    press("Escape", "/")
    press("Control+A")
    page.keyboard.type("How is the token of a user refreshed? When does a token end?")
    press("Control+Enter")
    cite = page.locator("#answer a.cite").first
    expect(cite).to_be_focused()
    expect(page.locator("#answer")).to_contain_text("no language model was used")
    assert page.locator("#answer .part").count() >= 2
    for part in page.locator("#answer .part").all():
        assert part.locator("li").count() > 0, part.inner_text()
    expect(page.locator("#answer")).to_contain_text("refresh_token")
    number = cite.inner_text()
    checks.shot("7-ask")
    checks.axe("ask")
    press("Enter")
    expect(page.locator("#place-title")).to_be_focused()
    expect(page.locator("#panel-code .cited").first).to_be_visible()
    checks.shot("7-ask-open")
    checks.axe("ask, with a citation open")
    press("g")
    expect(page.locator("#panel-graph .node.centre")).to_be_focused()
    checks.axe("ask, with the graph open")
    press("Escape")
    expect(page.locator("#list a[data-at='0']")).to_be_focused()
    expect(page.locator("#list li").first).to_contain_text("[1]")
    assert number == "[1]", number
    press("[", "[", "[", "[")
    expect(page.locator("#moment")).to_contain_text("keep sessions")
    expect(page.locator(".searched")).to_contain_text("commit")
    expect(page.locator("#answer")).not_to_contain_text("test_refresh_token")
    page.locator("#answer a.cite").first.focus()
    press("Enter")
    expect(page.locator("#place-facts")).to_contain_text("at ")
    expect(page.locator("#place-facts")).not_to_contain_text("working tree")
    checks.says("Ctrl+Enter asks: citations open the code, at the revision that was asked")
    press("Escape")
    page.locator("#revision").fill("")

    # A question without an answer.
    press("Escape", "/")
    press("Control+A")
    page.keyboard.type("xyzzyplugh frobnicator")
    press("Control+Enter")
    expect(page.locator("#answer")).to_contain_text("No answer")
    expect(page.locator("#status")).to_contain_text("Nothing found")
    assert page.locator("#list li").count() == 0
    checks.axe("no answer")

    # More callers than the graph initially shows.
    press("/", "Control+A")
    page.keyboard.type("symbol:bound")
    press("Enter")
    expect(page.locator("#list li").first.locator(".where")).to_be_focused()
    press("Enter", "g")
    expect(centre).to_be_focused()
    expect(left.locator(".node")).to_have_count(12)
    press("ArrowLeft", *["ArrowDown"] * 12)
    expect(left.locator(".more")).to_be_focused()
    press("Enter")
    expect(left.locator(".node")).to_have_count(14)
    expect(left.locator(".node").nth(12)).to_be_focused()
    checks.says("arrows reach what the graph leaves out")

    # Hostile names and contents.
    press("Escape", "/")
    page.keyboard.press("Control+A")
    page.keyboard.type("zanzibar")
    press("Enter")
    row = page.locator("#list li").first
    expect(row.locator(".where")).to_contain_text("<img src=x onerror=alert(1)>&amp;\"'‹U+202E›.py")
    expect(row.locator(".where")).to_be_focused()
    press("Enter")
    whole = page.locator("#panel-code")
    expect(whole).to_contain_text(
        '</code></pre><script>window.hacked = 1</script><img src=https://evil.example/x onerror="window.hacked=1">'
    )
    expect(whole).to_contain_text("␛[31mred‹U+202E› gnitset ‹U+2066›")
    press("g")
    expect(page.locator("#panel-graph")).to_contain_text("zanzibar")
    checks.axe("hostile")
    checks.shot("8-hostile")
    press("Escape", "/", "Control+A")
    page.keyboard.type("Where does zanzibar sail to?")
    press("Control+Enter")
    expect(page.locator("#answer a.cite").first).to_be_focused()
    expect(page.locator("#answer")).to_contain_text(
        'Sails to <img src=x onerror="window.hacked = 1"> and ␛[31m red‹U+202E›.'
    )
    checks.shot("8-hostile-ask")
    assert page.evaluate("window.hacked") is None
    assert page.locator("#main img, #main script").count() == 0
    assert page.evaluate(
        "[...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href')).every((to) =>"
        " to[0] === '/' || to === '#main' || to.startsWith('vscode://file/'))"
    )
    text = page.evaluate(
        "document.body.innerText + document.title + [...document.querySelectorAll('*')]"
        ".flatMap((e) => [...e.attributes].filter((a) => a.name !== 'href'))"
        ".map((a) => a.value).join()"
    )
    assert not re.search("[\x1b\u202e\u2066]", text)
    checks.says("hostile names and contents stay text")

    # The list of keys, and a small screen.
    press("?")
    expect(page.locator("#keys")).to_be_visible()
    checks.axe("keys")
    press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.set_viewport_size({"width": 400, "height": 800})
    checks.shot("9-narrow")
    checks.axe("narrow")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 400, wide
    page.set_viewport_size({"width": 1360, "height": 860})
    checks.says("the keys are listed; a small screen is enough")

    # Without the token.
    page.evaluate("sessionStorage.clear()")
    page.goto(server.url)
    expect(page.locator("#gate")).to_be_visible()
    checks.axe("gate")
    page.keyboard.type("wrong" * 8)
    press("Enter")
    expect(page.locator("#gate")).to_be_visible()
    expect(page.locator("#gate-why")).to_contain_text("token")
    page.keyboard.type(server.token)
    press("Enter")
    expect(page.locator("#query")).to_be_focused()
    page.evaluate("sessionStorage.clear()")
    page.goto("about:blank")
    page.goto(url)
    expect(page.locator("#gate")).to_be_visible()
    expect(page.locator("#gate-why")).to_contain_text("used up")
    checks.says("without the token there is nothing to see; a key works once")


class Server:
    def __init__(self, binary, top, args=()):
        self.file = pathlib.Path(top).parent / "token"
        self.process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--token-file", str(self.file), *args],
            cwd=top,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.page = None
        for line in self.process.stdout:
            if line.startswith("page "):
                self.page = line.split()[1]
                break
        assert self.page, "the server does not start"
        self.url = self.page.split("#")[0]
        self.token = self.file.read_text().strip()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(20) == 0


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    options.add_argument("--binary", default=str(pathlib.Path(target) / "debug" / "git-cora"))
    options.add_argument(
        "--chromium",
        default=shutil.which("chromium"),
        help="its program; without one, Playwright's own",
    )
    options.add_argument(
        "--shots", type=pathlib.Path, help="directory for screenshots, dark and light"
    )
    options.add_argument(
        "--live", action="store_true", help="take the page's files from src/, not from the binary"
    )
    options = options.parse_args()
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as top, sync_playwright() as playwright:
        repo = make(pathlib.Path(top) / "sample")
        server = Server(options.binary, repo.top)
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"]
        )
        context = browser.new_context(viewport={"width": 1360, "height": 860})
        trouble = []
        own = urlsplit(server.url).netloc

        def request(asked):
            if (
                urlsplit(asked.url).scheme not in ("data", "about")
                and urlsplit(asked.url).netloc != own
            ):
                trouble.append(f"request to {asked.url}")

        def console(message):
            # Tests provoke these answers: a refused token, a missing file or revision.
            if message.type == "error" and not re.search(r"status of (401|404|422)", message.text):
                trouble.append(f"console: {message.text}")

        context.on("request", request)
        context.on("console", console)
        context.on("weberror", lambda error: trouble.append(f"script: {error.error}"))
        if options.live:
            def live(route):
                name = urlsplit(route.request.url).path
                name = "page/index.html" if name in ("/", "/file") else name[1:]
                answer = route.fetch()
                route.fulfill(
                    response=answer,
                    body=(ROOT / "src/bin/git-cora/server/http" / name).read_bytes(),
                )

            context.route(re.compile(re.escape(server.url) + r"(page/.*|file\?.*|\?.*)?$"), live)
        page = context.new_page()
        page.set_default_timeout(20_000)
        expect.set_options(timeout=20_000)
        checks = Checks(page, options.shots)
        try:
            drive(checks, server.page, server)
        except BaseException:
            if options.shots:
                page.screenshot(path=str(options.shots / "failed.png"))
            print("\n".join(trouble), file=sys.stderr)
            raise
        finally:
            browser.close()
            server.stop()
        assert not trouble, trouble
        print(f"all {checks.n} checks passed, and nothing left {own}")


if __name__ == "__main__":
    main()
