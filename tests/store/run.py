"""Tests export and search with a real PostgreSQL, which it installs and starts.

The server is the package pgserver of PyPI, with pgvector.

    run.py BINARY DIRECTORY [--bench REPOSITORY...]

DIRECTORY keeps the virtual environment between runs. Without a server the script prints why and
exits with 77. With --bench it exports checkouts instead, compares the answers with local ones and
prints times. Apart from pgserver, it uses only the standard library.
"""

import json, os, pathlib, random, shutil, signal, subprocess, sys, tempfile, time, venv

SKIPPED = 77
BINARY, DIRECTORY, REST = (
    os.path.abspath(sys.argv[1]),
    pathlib.Path(sys.argv[2]).absolute(),
    sys.argv[3:],
)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def enter():
    """Restarts this script with the interpreter of a virtual environment that has pgserver."""
    try:
        import pgserver  # noqa: F401
        return
    except ImportError:
        pass
    if os.environ.get("CORA_IN_VENV"):
        skip("pgserver was installed and can't be imported")
    home = DIRECTORY / "venv"
    python = home / "bin/python"
    try:
        if not python.exists():
            venv.create(home, with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "pgserver==0.1.4"], check=True, timeout=600
        )
    except Exception as error:
        skip(f"pgserver can't be installed: {error}")
    os.execve(python, [str(python), *sys.argv], os.environ | {"CORA_IN_VENV": "1"})


enter()
import pgserver

SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="cora-store-"))
ENV = {key: os.environ[key] for key in ("PATH", "TMPDIR") if key in os.environ} | {
    "HOME": str(SCRATCH),
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
}


def run(*args, cwd, code=0):
    done = subprocess.run(args, cwd=cwd, env=ENV, capture_output=True)
    out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    assert (
        code is None or done.returncode == code
    ), f"{args}: {done.returncode}, wanted {code}\n{out}\n{err}"
    return out, err


def cora(cwd, *args, code=0):
    return run(BINARY, *args, cwd=cwd, code=code)


def git(cwd, *args):
    return run("git", *args, cwd=cwd)[0].strip()


def start():
    try:
        server = pgserver.get_server(SCRATCH / "data", cleanup_mode="stop")
        uri = server.get_uri()
        server.psql("CREATE EXTENSION vector; DROP EXTENSION vector")
    except Exception as error:
        skip(f"the server does not start: {error}")
    return server, uri


SERVER, URI = start()


def value(query):
    """Returns the single value of a query, as text."""
    lines = [line.strip() for line in SERVER.psql(query).strip().splitlines()]
    return lines[2] if len(lines) > 2 else ""


def rows(repository):
    """Returns all rows of a repository's chunks, each with the transaction that wrote it."""
    return SERVER.psql(
        f"SELECT c.xmin, c.ctid, f.path FROM cora.chunk c JOIN cora.file f ON f.id = c.file_id "
        "JOIN cora.repository r ON r.id = f.repository_id "
        f"WHERE r.name = '{repository}' ORDER BY 3, 2"
    )


def export(cwd, *args):
    return json.loads(cora(cwd, "export", "--to", URI, "--json", *args)[0])


def found(*args, code=0):
    out = cora(SCRATCH, "query", "--store", URI, "--json", *args, code=code)[0]
    return [result["path"] for result in json.loads(out)["results"]]


WORDS = (
    "ledger token session refresh invoice header parse "
    "retry backoff stream buffer window commit offset"
).split()


def seconds(times):
    """Describes how long queries took."""
    middle = sorted(times)[len(times) // 2]
    return f"seconds a query: median {middle:.3f}, most {max(times):.3f}"


def repository(name, n_files, seed):
    """Makes a repository of small Python files whose functions have two words in their names."""
    chance, path = random.Random(seed), SCRATCH / name
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    for n in range(n_files):
        body = ""
        for m in range(6):
            a, b, c = (chance.choice(WORDS) for _ in range(3))
            body += f'def {a}_{b}_{n}_{m}({c}):\n    """Gives the {c} of a {a}."""\n'
            body += f"    return {a}.{b}({c}, {n})\n\n\n"
        file = path / f"pkg{n % 9}" / f"mod{n}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(body)
    git(path, "add", "-A")
    git(path, "commit", "-q", "-m", "first")
    return path


def local(path, *args):
    out = cora(path, "query", "--json", "--no-worktree", *args, code=None)[0]
    return [result["path"] for result in json.loads(out)["results"]]


def check():
    one, two = repository("one", 120, 1), repository("two", 60, 2)
    # File names with characters that are special to SQL, to COPY or to a terminal.
    hostile = [
        b"it's.py",
        b"tab\there.py",
        b"back\\slash.py",
        b"new\nline.py",
        b'"quoted".py',
        b"caf\xe9.py",
        "µ.py".encode(),
    ]
    for name in hostile:
        with open(os.path.join(os.fsencode(two), name), "w") as file:
            file.write(
                "def hostile_name():\n    return r\"\"\"\\N \\t ' $1 ${2} -- \x1b[31m\"\"\"\n"
            )
    git(two, "add", "-A")
    git(two, "commit", "-q", "-m", "names")

    cora(SCRATCH, "query", "--store", URI, "x", code=2)
    first = export(one)
    assert first["written_files"] == 120 and first["repository"] == "one", first
    before = rows("one")
    again = export(one)
    assert again["written_files"] == again["removed_files"] == again["changed_terms"] == 0, again
    assert rows("one") == before, "nothing is written a second time"
    # A repository name that contains SQL is still only a name.
    evil = "two'; DROP SCHEMA cora CASCADE; --"
    export(two, "--name", evil)
    assert value("SELECT count(*) FROM cora.repository") == "2" and rows("one") == before
    SERVER.psql("DELETE FROM cora.repository WHERE name <> 'one'")
    export(two)
    assert (
        value("SELECT count(*) FROM cora.file WHERE text IS NOT NULL") == "0"
    ), "no source unless asked for"

    questions = [
        "refresh the session token",
        "parse_header",
        "where is the retry backoff of a stream",
        "ledger invoice",
        "pkg3/mod3.py",
        "commit_offset_7_2",
        "the window of a buffer",
    ]
    for path in (one, two):
        for question in questions:
            there, here = found("--repo", path.name, question, code=None), local(path, question)
            assert there == here, f"{path.name}: {question}: {there} {here}"
    assert set(found("hostile_name")) >= {
        "it's.py",
        "tab\there.py",
        "back\\slash.py",
        "µ.py",
    }, found("hostile_name")
    both = json.loads(
        cora(SCRATCH, "query", "--store", URI, "--json", "-k", "50", "session token")[0]
    )
    assert len(both["repositories"]) == 2 if "repositories" in both else True
    assert all(path.startswith("pkg3/") for path in found("--path", "pkg3", "session")) and found(
        "--path", "pkg3", "session"
    )
    assert found("--lang", "rust", "session", code=1) == []
    for form in ("text", "rag", "paths", "markdown"):
        out, _ = cora(SCRATCH, "query", "--store", URI, "--format", form, "session token")
        assert "pkg" in out, form
    _, err = cora(SCRATCH, "query", "--store", URI, '"Gives the"', code=None)
    assert "not in the database" in err, err

    # A commit changes only the rows of its files.
    (one / "pkg0/mod0.py").write_text("def entirely_new_name():\n    pass\n")
    (one / "pkg1/mod1.py").unlink()
    git(one, "commit", "-qam", "second")
    untouched = [
        line for line in rows("one").splitlines() if "mod0.py" not in line and "mod1.py" not in line
    ]
    other = rows("two")
    moved = export(one)
    assert (moved["written_files"], moved["removed_files"]) == (1, 1), moved
    after = [
        line for line in rows("one").splitlines() if "mod0.py" not in line and "mod1.py" not in line
    ]
    strip = lambda lines: [line for line in lines if "|" in line]
    assert strip(after) == strip(untouched) and rows("two") == other, "only its rows change"
    assert found("entirely_new_name")[0] == "pkg0/mod0.py"
    for question in questions:
        assert found("--repo", "one", question, code=None) == local(one, question), question

    # With --with-text, results show their source.
    export(two, "--with-text")
    assert value("SELECT count(*) FROM cora.file WHERE text IS NULL").isdigit()
    out, _ = cora(SCRATCH, "query", "--store", URI, "--repo", "two", "hostile_name")
    assert "def hostile_name" in out and "\x1b[31m" not in out, out
    assert found("--repo", "two", '"Gives the session"', code=None) == local(
        two, '"Gives the session"'
    )

    # An interrupted export resumes where it stopped.
    three = repository("three", 3000, 3)
    cora(three, "index", "-q")
    child = subprocess.Popen(
        [BINARY, "export", "--to", URI], cwd=three, env=ENV, stderr=subprocess.PIPE
    )
    for _ in range(2000):
        count = value(
            "SELECT count(*) FROM cora.file f "
            "JOIN cora.repository r ON r.id = repository_id WHERE name = 'three'"
        )
        if count.isdigit() and int(count) > 0 or child.poll() is not None:
            break
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    child.wait()
    partly = int(
        value(
            "SELECT count(*) FROM cora.file f "
            "JOIN cora.repository r ON r.id = repository_id WHERE name = 'three'"
        )
    )
    assert (
        value("SELECT commit IS NULL FROM cora.repository WHERE name = 'three'") == "t"
    ), "not whole yet"
    resumed = export(three)
    assert resumed["unchanged_files"] == partly and resumed["written_files"] == 3000 - partly > 0, (
        partly,
        resumed,
    )
    # Among thousands of similar chunks the candidates may differ, so only exact names are compared.
    for n in (5, 500, 1500, 2500, 2999):
        name = (three / f"pkg{n % 9}/mod{n}.py").read_text().split("(")[0].removeprefix("def ")
        assert (
            found("--repo", "three", name)[0] == local(three, name)[0] == f"pkg{n % 9}/mod{n}.py"
        ), name

    # Errors.
    _, err = cora(SCRATCH, "query", "--store", URI, "--repo", "none", "x", code=2)
    assert "use one of these names: one, three, two" in err, err
    bad = "postgres://me:geheim@127.0.0.1:1/x?connect_timeout=2"
    _, err = cora(SCRATCH, "query", "--store", bad, "x", code=2)
    assert "can't connect to '127.0.0.1:1/x'" in err and "geheim" not in err, err
    _, err = cora(one, "export", "--to", "mysql://x", code=2)
    assert "postgres://" in err, err
    SERVER.psql("UPDATE cora.file SET record = 'noise' WHERE path = 'pkg0/mod0.py'")
    assert "pkg0/mod0.py" not in found("--repo", "one", "entirely_new_name", code=None)
    export(one, "--fresh")
    assert found("entirely_new_name")[0] == "pkg0/mod0.py"
    SERVER.psql("UPDATE cora.meta SET schema_version = 99")
    _, err = cora(one, "export", "--to", URI, code=2)
    assert "a newer version" in err, err
    print("store: all is well")


QUESTIONS = """where are consumer offsets committed
retry with exponential back off
parse the request header
how is the log cleaned
authenticate a user by password
open a connection to the server
read the configuration file
write ahead log recovery
cache eviction policy
timeout handling of requests
serialize a message to bytes
leader election
resolve dependencies of a package
command line argument parsing
thread pool shutdown
compress data before sending
merge two sorted lists
HTTP response status codes
register a metric
watch for file changes""".splitlines()


def interrupted(checkout, name):
    """Starts an export, interrupts it after some batches, and prints how many files it wrote."""
    cora(checkout, "index", "-q")
    child = subprocess.Popen(
        [BINARY, "export", "--to", URI, "--name", name],
        cwd=checkout,
        env=ENV,
        stderr=subprocess.PIPE,
    )
    written = (
        "SELECT count(*) FROM cora.file f "
        "JOIN cora.repository r ON r.id = repository_id WHERE name = '%s'"
        % name
    )
    while child.poll() is None:
        count = (
            value(written) if value("SELECT to_regclass('cora.file') IS NOT NULL") == "t" else ""
        )
        if count.isdigit() and int(count) > 1000:
            child.send_signal(signal.SIGINT)
            child.wait()
        time.sleep(0.05)
    print(f"{name}: interrupted after {value(written)} files, exit status {child.returncode}")


def bench(checkouts):
    # Keeps the database's log below a gigabyte.
    SERVER.psql("ALTER SYSTEM SET max_wal_size = '256MB'")
    SERVER.psql("SELECT pg_reload_conf()")
    interrupted(checkouts[0], pathlib.Path(checkouts[0]).name)
    for checkout in checkouts:
        name = pathlib.Path(checkout).name
        cora(checkout, "index", "-q")
        start = time.time()
        report = export(checkout, "--name", name)
        print(
            f"{name}: {report['unchanged_files']} files there, "
            f"{report['written_files']} written with "
            f"{report['written_chunks']} chunks in {time.time() - start:.1f} s",
            flush=True,
        )
    print(
        "chunks",
        value("SELECT count(*) FROM cora.chunk"),
        "size",
        value("SELECT pg_size_pretty(pg_database_size(current_database()))"),
    )
    for checkout in checkouts:
        start = time.time()
        report = export(checkout, "--name", pathlib.Path(checkout).name)
        print(f"again: {report['written_files']} files written in {time.time() - start:.1f} s")
    # The last checkout advances by one commit.
    name = pathlib.Path(checkouts[-1]).name
    export(checkouts[-1], "--name", name, "--rev", "HEAD~1")
    before = int(value("SELECT txid_current()"))
    start = time.time()
    report = export(checkouts[-1], "--name", name)
    written = value(f"SELECT count(*) FROM cora.chunk WHERE xmin::text::bigint > {before}")
    print(
        f"{name}, one commit further: {report['written_files']} files "
        f"and {written} of all chunks written, "
        f"{report['removed_files']} files removed in {time.time() - start:.1f} s",
        flush=True,
    )
    shared, total, times = 0, 0, []
    for checkout in checkouts:
        name = pathlib.Path(checkout).name
        for question in QUESTIONS:
            here = local(checkout, question)
            start = time.time()
            there = found("--repo", name, question, code=None)
            times.append(time.time() - start)
            shared, total = shared + len(set(here) & set(there)), total + len(here)
    print(f"overlap@10 within one repository: {shared / total:.3f}; {seconds(times)}")
    times = []
    all_repositories = [argument for checkout in checkouts for argument in ("--repo", checkout)]
    shared, total = 0, 0
    for question in QUESTIONS:
        out = cora(
            SCRATCH, "query", "--json", "--no-worktree", *all_repositories, question, code=None
        )[0]
        here = {result["path"] for result in json.loads(out)["results"]}
        start = time.time()
        there = set(found(question, code=None))
        times.append(time.time() - start)
        shared, total = shared + len(here & there), total + len(here)
    print(f"overlap@10 over all: {shared / total:.3f}; {seconds(times)}")


try:
    if REST[:1] == ["--bench"]:
        bench([os.path.abspath(path) for path in REST[1:]])
    else:
        check()
finally:
    SERVER.cleanup()
    shutil.rmtree(SCRATCH, ignore_errors=True)
