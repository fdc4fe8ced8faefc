//! Corpora of plain documents: indexed, found and shown by title and address, whatever they
//! contain.

use serde_json::{Value, json};

use crate::harness::Repo;

fn corpus() -> Repo {
    let repo = Repo::new();
    let long = "The ledger balances itself every night.\n\nNobody watches it, caf\u{e9} or not. ".repeat(40);
    let lines = [
        json!({"id": 7, "title": "Retry storms", "text": "A client that retries at once\nmultiplies the load.", "url": "https://example.org/retry", "timestamp": "2024-05-01"}),
        json!({"id": "8", "title": "Ledgers", "text": long, "url": "javascript:alert(1)"}),
        json!({"id": "9", "title": "Queues", "sections": [{"title": "Poison pills", "text": "Messages that no consumer survives."}]}),
    ];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    repo.write("corpus.jsonl", format!("{}\n", lines.join("\n")));
    repo.write("notes/plain.txt", "Backpressure is a form of politeness.\n");
    repo.write("page.md", "---\ntitle: Circuit breakers\nurl: https://example.org/breaker\n---\n\n# Breakers\n\nThey open when the downstream fails.\n");
    repo.commit("documents");
    repo
}

#[test]
fn documents_are_found_by_title_and_text() {
    let repo = corpus();
    let best = &repo.results(&["retry storm"])[0];
    assert_eq!(
        (&best["path"], &best["symbol"], &best["start_line"], &best["language"]),
        (&json!("corpus.jsonl"), &json!("Retry storms"), &json!(1), &json!("json-lines"))
    );
    assert_eq!(
        best["document"],
        json!({"id": "7", "title": "Retry storms", "url": "https://example.org/retry", "timestamp": "2024-05-01"})
    );
    // A word after an escaped line feed.
    assert_eq!(repo.results(&["multiplies"])[0]["symbol"], "Retry storms");
    let ledger = &repo.results(&["--all-chunks", "nobody watches café"])[0];
    assert_eq!(ledger["document"], json!({"id": "8", "title": "Ledgers"}));
    assert_eq!(repo.results(&["poison pills"])[0]["symbol"], "Queues > Poison pills");
    assert_eq!(repo.results(&["symbol:Queues consumer"])[0]["start_line"], 3);
    assert_eq!(repo.results(&["politeness"])[0]["path"], "notes/plain.txt");
    let page = &repo.results(&["downstream fails"])[0];
    assert_eq!(page["document"], json!({"title": "Circuit breakers", "url": "https://example.org/breaker"}));
    // Each document counts as a file: other documents' best parts come before a document's second
    // part.
    repo.write("others.txt", "The load on the ledger is retried at night by a consumer.\n");
    let all = repo.results(&["the load on the ledger at night, retried by a consumer"]);
    let firsts: Vec<&str> = all.iter().take(3).filter_map(|one| one["symbol"].as_str()).collect();
    assert!(firsts.len() >= 2 && firsts[0] != firsts[1], "{all:?}");
    repo.remove("others.txt");
    repo.cora(&["list", "pills"]).prints("corpus.jsonl:3: section Queues > Poison pills");
    repo.cora(&["show", "corpus.jsonl"]).prints("json-lines, 3 lines");
    repo.cora(&["verify"]);
}

#[test]
fn views_show_the_part_that_was_found_and_its_address() {
    let repo = corpus();
    let text = repo.cora(&["query", "--color", "never", "retries at once"]).out;
    assert!(text.contains("corpus.jsonl:1  Retry storms  section  https://example.org/retry\n"), "{text}");
    assert!(text.contains("A client that retries at once multiplies the load."), "{text}");
    let markdown = repo.cora(&["query", "--format", "markdown", "-k", "1", "retries at once"]).out;
    assert!(markdown.contains("— Retry storms <https://example.org/retry>\n"), "{markdown}");
    assert!(markdown.contains("A client that retries at once\nmultiplies the load."), "{markdown}");
    let rag = repo.cora(&["query", "--format", "rag", "-k", "1", "retries at once"]).out;
    assert!(
        rag.contains("<cora:commentary>Retry storms https://example.org/retry</cora:commentary>"),
        "{rag}"
    );
    // A long document gives one part.
    let ledger = repo.cora(&["query", "--format", "rag", "-k", "1", "ledger balances at night"]).out;
    assert!(
        ledger.len() < 4000 && ledger.contains("balances itself") && !ledger.contains("javascript:"),
        "{ledger}"
    );
}

#[test]
fn hostile_lines_are_text_like_any() {
    let repo = Repo::sample();
    let deep = format!("{{\"text\": {}{}}}\n", "[".repeat(200_000), "]".repeat(200_000));
    repo.write("deep.jsonl", format!("{deep}a searchable remainder\n"));
    repo.write(
        "wide.jsonl",
        format!("{{\"title\": \"Wide\", \"text\": \"{}\"}}\n", "giant ".repeat(200_000)),
    );
    repo.write(
        "types.jsonl",
        "{\"title\": [\"no\"], \"text\": \"a strange sort\", \"url\": 5, \"sections\": 7}\n3\n",
    );
    repo.write("many.jsonl", "{\"text\": \"\"}\n".repeat(70_000));
    std::fs::write(
        repo.path().join("broken.jsonl"),
        b"{\"title\": \"caf\xe9\", \"text\": \"torn bytes\"}\n{\"ti\n",
    )
    .unwrap();
    repo.write(
        "escape.jsonl",
        "{\"title\": \"\\u001b[31m\\ud800red\", \"text\": \"bright colour \\u001b[2J\"}\n",
    );
    repo.commit("hostile");
    repo.cora(&["index"]);
    repo.cora(&["verify"]);
    for (query, path) in [
        ("searchable remainder", "deep.jsonl"),
        ("giant", "wide.jsonl"),
        ("strange sort", "types.jsonl"),
        ("torn bytes", "broken.jsonl"),
        ("bright colour", "escape.jsonl"),
    ] {
        assert_eq!(repo.found(&[query])[0], path, "{query}");
        for format in ["text", "rag", "markdown"] {
            let shown = repo.cora(&["query", "--color", "never", "--format", format, "-k", "2", query]).out;
            assert!(!shown.contains('\u{1b}') && shown.len() < 20_000, "{format}: {shown}");
        }
    }
    assert_eq!(repo.results(&["types sort"])[0]["document"], Value::Null);
}

#[test]
fn a_folder_that_is_no_repository_is_told_how_to_become_one() {
    let repo = Repo::no_repository();
    repo.write("a.txt", "words of some kind\n");
    let run = repo.try_cora(&["index"]).exits(128).says("hint: run 'cd ");
    let hint = run.err.lines().find(|line| line.starts_with("hint: ")).unwrap();
    let commands = hint.split('\'').nth(1).unwrap();
    let (change, commands) = commands.split_once(" && ").unwrap();
    let root = repo.root().to_string_lossy().into_owned();
    let name = root.rsplit('/').next().unwrap();
    assert!(change.starts_with("cd ") && change.contains(name), "{change}");
    for command in commands.split(" && ") {
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        repo.git(&words);
    }
    assert_eq!(repo.found(&["words"]), ["a.txt"]);
}

/// Returns a repository with the manuals of a program in several formats, and its code.
fn manuals() -> Repo {
    let repo = Repo::new();
    let why = "It does so for every crate in the warehouse, in the order in which the crates came in, \
               and stops at the first crate that is damaged or that nobody has paid for. The foreman \
               writes down each of them, and the clerk compares the two lists in the evening.";
    repo.write(
        "man/stow.1",
        format!(
            ".TH STOW 1\n.SH NAME\nstow \\- puts crates away\n.SH OPTIONS\n.TP\n\\fB\\-\\-dry\\-run\\fR\nShow what \
             would be moved. {why}\n.TP\n\\fB\\-\\-pallet\\fR=\\fIWIDTH\\fR\nUse pallets that are this wide. {why}\n\
             .TP\n\\fB\\-\\-quiet\\fR\nPrint nothing. {why}\n.SH SEE ALSO\n.BR fetch (8)\n"
        ),
    );
    repo.write("man/fetch.8", ".Dd today\n.Dt FETCH 8\n.Sh NAME\n.Nm fetch\n.Nd brings crates back\n");
    repo.write(
        "docs/index.rst",
        format!(
            "Warehouse\n=========\n\n.. toctree::\n\n   use\n\nOptions\n-------\n\n.. option:: --lantern <colour>\n\n   \
             Light the aisle. {why} {why}\n\n.. option:: --ladder <height>\n\n   Climb. {why} {why}\n"
        ),
    );
    repo.write(
        "docs/use.rst",
        "Use\n===\n\nStow a crate like this:\n\n.. code-block:: python\n\n   from crates import stow_crate\n   \
         stow_crate(3)\n",
    );
    repo.write(
        "docs/config.adoc",
        format!("= Settings\n\n== Keys\n\ncrate.limit::\n\tThe most crates. {why} {why}\n\ncrate.colour::\n\tTheir paint. {why} {why}\n"),
    );
    repo.write("crates.py", "def stow_crate(n):\n    return n\n");
    repo.commit("manuals");
    repo
}

#[test]
fn an_option_is_found_at_its_own_lines() {
    let repo = manuals();
    for (question, path, line, symbol) in [
        ("what does the option --pallet mean", "man/stow.1", 8, "--pallet=WIDTH"),
        ("what does the option --dry-run do", "man/stow.1", 5, "--dry-run"),
        ("what does --ladder mean", "docs/index.rst", 15, "--ladder <height>"),
        ("what does the setting crate.colour mean", "docs/config.adoc", 8, "crate.colour"),
    ] {
        let best = &repo.results(&[question])[0];
        assert_eq!(best["path"], path, "{question}: {best}");
        // The heading above an option can be part of its chunk.
        let (first, last) = (best["start_line"].as_u64().unwrap(), best["end_line"].as_u64().unwrap());
        assert!(first <= line && line <= last && last - first < 6, "{question}: {best}");
        assert!(best["symbol"].as_str().unwrap().ends_with(symbol), "{question}: {best}");
    }
    // Without the escapes of roff, `fB` would be glued to the first word.
    assert_eq!(repo.results(&["pallet width"])[0]["path"], "man/stow.1");
    assert!(repo.results(&["fBdry"]).is_empty());
    repo.cora(&["list", "--path", "man"]).prints("man/stow.1:6: section STOW > OPTIONS > --dry-run");
    repo.cora(&["verify"]);
}

#[test]
fn documents_lead_to_each_other_and_to_the_code() {
    let repo = manuals();
    repo.cora(&["explain", "docs/index.rst"]).prints("docs/use.rst");
    repo.cora(&["explain", "man/stow.1"]).prints("man/fetch.8");
    repo.cora(&["refs", "stow_crate"]).prints("docs/use.rst");
}

#[test]
fn a_question_about_an_option_finds_where_it_is_documented() {
    let repo = Repo::new();
    repo.write(
        "server.conf",
        "# Memory policy: how the server selects what to remove. The policy of memory is one of:\n#\n# \
         volatile: keys with a time limit\n#\n# max-memory-policy none\n\n# The port.\nport 80\n",
    );
    repo.write(
        "src/config.c",
        "/* Reads the memory policy option. */\nint memory_policy_option(int value)\n{\n    /* the policy of max \
         memory */\n    return set_option(\"max-memory-policy\", value);\n}\n",
    );
    repo.write(
        "docs/clients.md",
        "# Clients\n\nClients wait.\n\n## linger.ms\n\nThe time that a record waits for others.\n\n## Other\n\nMore.\n",
    );
    repo.write("src/Client.java", "class Client {\n    static final String LINGER = \"linger.ms\";\n}\n");
    repo.write("docs/upgrade.md", "# Upgrade\n\nThe default of linger.ms has changed. What does it mean?\n");
    repo.commit("options");
    for (question, path, line) in [
        ("what does the option max-memory-policy mean", "server.conf", 5),
        ("what does linger.ms mean?", "docs/clients.md", 5),
        ("how do I set linger.ms", "docs/clients.md", 5),
    ] {
        let best = &repo.results(&[question])[0];
        assert_eq!(best["path"], path, "{question}");
        let lines = best["start_line"].as_u64().unwrap()..=best["end_line"].as_u64().unwrap();
        assert!(lines.contains(&line), "{question}: {lines:?}");
    }
}
