//! Remote embedding models: nothing is sent without request, nothing is paid for twice, and queries
//! use existing vectors.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::harness::Repo;
#[cfg(unix)]
use crate::harness::wait_for;
use crate::loopback::{Answer, ReceivedRequest, Server};

/// Returns the vector of a model with two meanings: about time, or not.
fn vector(text: &str) -> Vec<f64> {
    let about_time = ["expired", "3600", "7200", "a while", "moments"].iter().any(|word| text.contains(word));
    if about_time { vec![0.0, 1.0, 0.1, 0.0] } else { vec![1.0, 0.1, 0.0, 0.0] }
}

fn texts(asked: &ReceivedRequest) -> Vec<String> {
    let body: Value = serde_json::from_slice(&asked.body).unwrap();
    body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn answer(asked: &ReceivedRequest) -> Answer {
    let texts = texts(asked);
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| json!({"index": index, "embedding": vector(text)}))
        .collect();
    Answer::new(200, json!({"data": data, "usage": {"total_tokens": texts.len() * 10}}).to_string())
}

pub(crate) fn server() -> Server {
    Server::start(|_, asked| answer(asked))
}

pub(crate) fn configure(repo: &Repo, server: &Server) {
    repo.git(&["config", "cora.embedder", &format!("openai-compatible:{}", server.url("/v1"))]);
    repo.git(&["config", "cora.embedModel", "acme/two-meanings-1.0"]);
}

const REFS: &str = "refs/cora/embeddings/openai-compatible=acme+two-meanings-1.0";

/// Returns all texts that were sent, queries included.
fn sent(server: &Server) -> Vec<String> {
    server.asked().iter().flat_map(texts).collect()
}

#[test]
fn without_the_setting_nothing_is_sent() {
    let (repo, server) = (Repo::sample(), server());
    repo.git(&["config", "cora.embedUrl", &server.url("/v1")]);
    repo.git(&["config", "cora.embedModel", "m"]);
    for name in ["OPENAI_API_KEY", "VOYAGE_API_KEY", "TOGETHER_API_KEY", "CORA_EMBED_API_KEY"] {
        let with_key = repo.with_env(name, "sk-1").with_env("http_proxy", server.url(""));
        with_key.cora(&["index"]);
        with_key.cora(&["query", "where do sessions end"]);
        with_key.try_cora(&["embed"]).exits(2).says("error: no remote model is set").says("cora.embedder");
        with_key.try_cora(&["embed", "--dry-run"]).exits(2);
    }
    assert_eq!(server.asked().len(), 0);
}

#[test]
fn a_dry_run_sends_nothing_and_says_what_it_would() {
    let (repo, server) = (Repo::sample(), server());
    configure(&repo, &server);
    repo.cora(&["embed", "--dry-run"]).says("would send ").says(" texts, about ");
    let value = repo.cora(&["embed", "--dry-run", "--json"]).json();
    assert_eq!(value["model"], "openai-compatible:acme/two-meanings-1.0");
    assert!(value["texts"].as_u64().unwrap() > 5 && value["tokens"].as_u64().unwrap() > 50);
    assert_eq!(server.asked().len(), 0);
    assert_eq!(repo.refs(REFS), Vec::<String>::new());
}

#[test]
fn a_dry_run_of_ask_keeps_the_question_here() {
    let (repo, server) = (Repo::sample(), server());
    configure(&repo, &server);
    repo.cora(&["embed"]);
    repo.git(&["config", "cora.model", &format!("openai-compatible:{}", server.url("/v1"))]);
    repo.git(&["config", "cora.modelName", "acme/answers-1.0"]);
    let question = "when is a session expired";
    let n_sent = server.asked().len();
    repo.cora(&["ask", "--dry-run", question]).prints("POST ");
    assert_eq!(server.asked().len(), n_sent);
    // Without the flag, the search sends it.
    repo.cora(&["ask", "--extractive", question]);
    assert!(sent(&server)[n_sent..].contains(&question.to_owned()));
}

#[test]
fn a_commit_is_embedded_once_and_the_next_by_what_changed() {
    let (repo, server) = (Repo::sample(), server());
    configure(&repo, &server);
    repo.cora(&["index"]);
    let indexes = repo.index_refs();
    let head = repo.rev("HEAD");
    repo.cora(&["embed"]).says("embedded commit ");
    let first = sent(&server);
    assert!(
        first.iter().any(|text| text.starts_with("SessionStore") && text.contains("def refresh_token")),
        "{first:?}"
    );
    assert_eq!(first.len(), first.iter().collect::<HashSet<_>>().len(), "each text once");
    let refs = repo.refs(REFS);
    assert_eq!(refs.len(), 1);
    assert!(refs[0].starts_with(&format!("{REFS}/{head} ")), "{refs:?}");
    // The index is unchanged, and the tree of vectors mirrors the source tree.
    let without: Vec<String> =
        repo.index_refs().into_iter().filter(|line| !line.contains("embeddings")).collect();
    assert_eq!(without, indexes);
    let listed = repo.git(&["ls-tree", "-r", "--name-only", &format!("{REFS}/{head}")]);
    assert!(listed.contains("files/lib/auth.py") && listed.ends_with("manifest"), "{listed}");
    repo.git(&["fsck", "--strict", "--no-dangling"]);

    // A second run has nothing to do and keeps the ref.
    repo.cora(&["embed"]).says("0 texts sent");
    assert_eq!((sent(&server).len(), repo.refs(REFS)), (first.len(), refs.clone()));

    // A moved file, a copy and a new branch cost nothing.
    repo.git(&["mv", "lib/auth.py", "lib/moved.py"]);
    repo.write("copy.rs", std::fs::read(repo.path().join("src/header.rs")).unwrap());
    repo.commit("moved");
    repo.cora(&["embed"]);
    assert_eq!(sent(&server).len(), first.len());
    assert_eq!(repo.refs(REFS).len(), 2);

    // Only the changed chunk of a changed file is sent.
    let auth = std::fs::read_to_string(repo.path().join("lib/moved.py")).unwrap();
    repo.write("lib/moved.py", auth.replace("import time", "import time\nimport datetime"));
    repo.commit("changed");
    repo.cora(&["embed"]);
    let more = &sent(&server)[first.len()..];
    assert!(!more.is_empty() && more.len() < 3 && more[0].contains("datetime"), "{more:?}");
    // A commit requested by name, out of order.
    repo.cora(&["embed", "HEAD~3"]);
    assert_eq!(repo.refs(REFS).len(), 4);
}

#[test]
fn a_query_is_answered_by_the_remote_model() {
    let (repo, server) = (Repo::sample(), server());
    repo.write("src/aaa.py", "def first_thing(x):\n    return x.paint('colours of doors')\n");
    repo.commit("more");
    configure(&repo, &server);
    let question = "what ends after some moments";
    let before = repo.try_cora(&["query", "--json", question]);
    assert!(before.err.contains("no vectors of") && before.err.contains("git cora embed"), "{}", before.err);
    assert_eq!(server.asked().len(), 0, "without vectors, a query's would be of no use");
    repo.cora(&["embed"]);
    let n_sent = sent(&server).len();
    let run = repo.cora(&["query", "--explain", "-k", "1", question]);
    assert_eq!(run.err, "");
    assert_eq!(&sent(&server)[n_sent..], [question]);
    run.prints("lib/auth.py").prints("similarity in meaning to the query, from 0 to 1: 1.00");
    let found = repo.found(&[question]);
    assert_eq!(found[0], "lib/auth.py", "{found:?}");
    // The results are the same with a base of another commit, and without the cache.
    let results = repo.results(&[question]);
    repo.write("other.txt", "nothing to see here");
    repo.commit("other");
    repo.cora(&["embed"]);
    let over = repo.results(&["--no-worktree", question]);
    repo.drop_cached();
    assert_eq!(repo.results(&["--no-worktree", question]), over);
    assert_eq!(over[0]["path"], results[0]["path"]);
    // A query that is not a question is not sent; filters are not sent either.
    let n_sent = sent(&server).len();
    repo.cora(&["query", "parse_header"]);
    repo.cora(&["query", "path:lib what ends after some moments"]);
    let more = &sent(&server)[n_sent..];
    assert_eq!(more.len(), 1, "{more:?}");
    assert!(!more[0].contains("path:"), "{more:?}");
    for filter in ["lang:rust", "kind:function", "symbol:parse*"] {
        let n_sent = sent(&server).len();
        repo.try_cora(&["query", &format!("{filter} what ends after some moments")]);
        let more = &sent(&server)[n_sent..];
        assert!(more.len() == 1 && !more[0].contains(filter), "{filter}: {more:?}");
    }
}

#[test]
fn what_was_changed_since_is_judged_by_the_built_in_model() {
    let (repo, server) = (Repo::sample(), server());
    configure(&repo, &server);
    repo.cora(&["embed"]);
    repo.write(
        "src/header.rs",
        "/// Ends a session after some moments have gone by.\npub fn end_after_moments(session: u32) {}\n",
    );
    let run = repo.cora(&["query", "--json", "--explain", "what ends a session after some moments"]);
    assert_eq!(run.err, "");
    let results = run.json()["results"].as_array().unwrap().clone();
    let paths: Vec<&str> = results.iter().map(|result| result["path"].as_str().unwrap()).collect();
    assert!(paths.contains(&"src/header.rs") && paths.contains(&"lib/auth.py"), "{paths:?}");
    // After the commit, the vectors of the previous commit still serve all other files.
    repo.commit("changed");
    let n = sent(&server).len();
    let run = repo.cora(&["query", "what ends a session after some moments"]);
    assert_eq!(sent(&server).len(), n + 1);
    assert!(run.err.is_empty() || run.err.contains("files have vectors"), "{}", run.err);
}

#[test]
fn when_the_model_fails_the_built_in_one_answers() {
    let repo = Repo::sample();
    let question = "which sessions last for a while";
    let plain = repo.results(&[question]);
    let server =
        Server::start(|n, asked| if n == 0 { answer(asked) } else { Answer::new(500, "out of order") });
    configure(&repo, &server);
    repo.cora(&["embed"]);
    let run = repo
        .cora(&["query", "--json", question])
        .says("warning: can't ask openai-compatible:acme/two-meanings-1.0");
    assert!(
        run.err.contains("500: out of order") && run.err.contains("the built-in model is used"),
        "{}",
        run.err
    );
    assert_eq!(run.json()["results"].as_array().unwrap(), &plain);
    // One process does not keep asking a broken server.
    let n = server.asked().len();
    let lines: String = (0..5).map(|n| format!("{{\"id\": {n}, \"query\": \"{question} {n}\"}}\n")).collect();
    repo.cora_input(&["query", "--batch"], lines).exits(0);
    assert_eq!(server.asked().len(), n + 2, "one question, tried twice");
    // The server is gone.
    drop(server);
    repo.git(&["config", "cora.embedder", "openai-compatible:http://127.0.0.1:1/v1"]);
    repo.cora(&["query", question]).says("can't reach '127.0.0.1:1'");
    // Wrong settings are reported too, and there is still an answer.
    repo.git(&["config", "cora.embedder", "acme:model"]);
    repo.cora(&["query", question]).says("names an unknown provider").prints("lib/auth.py");
    repo.try_cora(&["embed"]).exits(2).says("hint: write it as 'voyage:voyage-code-3'");
}

/// Creates a repository with enough files for several requests.
fn wide() -> Repo {
    let repo = Repo::new();
    for n in 0..100 {
        repo.write(&format!("m{n}.py"), format!("def ledger_{n}(total):\n    return total * {n}\n"));
    }
    repo.commit("wide");
    repo
}

#[test]
fn a_budget_is_kept_and_the_next_run_goes_on() {
    let (repo, server) = (wide(), server());
    configure(&repo, &server);
    let estimate = repo.cora(&["embed", "-n", "--json"]).json();
    let all = estimate["texts"].as_u64().unwrap();
    assert_eq!(all, 100);
    let run = repo.cora(&["embed", "--budget", "500"]).says("the budget is used up: ").says(
        "to \
    continue",
    );
    let first = sent(&server).len() as u64;
    assert!(first > 0 && first * 10 <= 500, "{first}: {}", run.err);
    // Existing vectors are used already.
    repo.cora(&["query", "what is the total of moments"]).says(" of 100 files have vectors of ");
    let n_query = 1;
    repo.git(&["config", "cora.embedBudget", "0"]);
    repo.cora(&["embed"]).says("100 of 100 files with vectors");
    assert_eq!(sent(&server).len() as u64, all + n_query);
    // The file stays, because a lock on a removed file keeps nobody out.
    let journals = repo.path().join(".git/cora/embeddings").read_dir().unwrap();
    let lens: Vec<u64> = journals.map(|entry| entry.unwrap().metadata().unwrap().len()).collect();
    assert_eq!(lens, [0], "the journal is empty");
    let tiny = wide();
    configure(&tiny, &server);
    tiny.cora(&["embed", "--budget", "1"]).says("100 texts are left");
    assert_eq!(tiny.refs(REFS), Vec::<String>::new());
}

#[test]
fn what_a_failed_run_has_received_is_kept() {
    let repo = wide();
    let server = Server::start(|n, asked| match n {
        0 | 1 => answer(asked),
        2 => Answer::new(429, "slower").with("retry-after", "0"),
        3 | 4 => Answer { cut_at: Some(10), ..answer(asked) },
        5 => Answer::new(402, r#"{"error":{"message":"no credit"}}"#),
        _ => answer(asked),
    });
    configure(&repo, &server);
    repo.try_cora(&["embed"]).exits(2).says("answered 402: no credit").says("run 'git cora embed' again");
    let asked = server.asked();
    assert_eq!(asked.len(), 6);
    let received: HashSet<String> = asked[..2].iter().flat_map(texts).collect();
    assert_eq!(received.len(), 64);
    repo.cora(&["embed"]).says("36 texts sent").says("100 of 100 files");
    let later: Vec<String> = server.asked()[6..].iter().flat_map(texts).collect();
    assert_eq!(later.len(), 36);
    assert!(later.iter().all(|text| !received.contains(text)));
}

#[cfg(unix)]
#[test]
fn what_an_interrupted_run_has_received_is_kept() {
    let repo = wide();
    for signal in ["-INT", "-KILL"] {
        repo.git(&["for-each-ref"]);
        let server = Server::start(|n, asked| match n {
            0 => answer(asked),
            _ => Answer { delay: std::time::Duration::from_secs(20), ..answer(asked) },
        });
        configure(&repo, &server);
        // Each round has a new text in each file, so that it has as much to send.
        for n in 0..100 {
            repo.write(
                &format!("m{n}.py"),
                format!("def ledger_{n}(total):\n    return total * {n} - {}\n", signal.len()),
            );
        }
        repo.commit("round");
        let child = repo.spawn_cora(&["embed"]);
        wait_for(20, "a second request", || server.asked().len() == 2);
        repo.command("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        if signal == "-INT" {
            assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
        }
        repo.git(&["fsck", "--strict", "--no-dangling"]);
        let rest = self::server();
        configure(&repo, &rest);
        repo.cora(&["embed"]).says("68 texts sent").says("100 of 100 files");
        assert_eq!(sent(&rest).len(), 68);
    }
}

#[test]
fn plain_git_shares_vectors() {
    let (repo, server) = (Repo::sample(), server());
    configure(&repo, &server);
    repo.cora(&["embed"]);
    let n = sent(&server).len();
    let clone = repo.clone_to("clone", &[]);
    clone.git(&["fetch", "-q", "origin", "refs/cora/embeddings/*:refs/cora/embeddings/*"]);
    configure(&clone, &server);
    clone.cora(&["embed"]).says("0 texts sent");
    assert_eq!(sent(&server).len(), n);
    assert_eq!(clone.refs(REFS), repo.refs(REFS));
    clone.cora(&["query", "what ends after some moments"]).prints("lib/auth.py");
    // The other way round: vectors of a commit made in the clone travel back as a difference.
    clone.write("new.py", "def expired_news():\n    pass\n");
    clone.commit("new");
    clone.cora(&["embed"]);
    clone.git(&["push", "-q", "origin", "refs/cora/embeddings/*"]);
    assert_eq!(repo.refs(REFS).len(), 2);
    // Other commands leave the vectors alone.
    repo.cora(&["stats"]);
    repo.try_cora(&["doctor"]).prints("remote model: openai-compatible:acme/two-meanings-1.0 at '127.0.0.1:");
    assert_eq!(repo.refs(REFS).len(), 2);
    // The vectors of a branch that is not here, and not the newest.
    repo.cora(&["prune", "--keep", "1", "--dry-run"])
        .says("would drop vectors of 1 commit, would keep those of 1");
    assert_eq!(repo.refs(REFS).len(), 2);
    repo.cora(&["prune", "--keep", "1"]).says("dropped vectors of 1 commit, kept those of 1");
    assert_eq!(repo.refs(REFS).len(), 1);
}

#[test]
fn vectors_travel_with_indexes_when_asked() {
    let (repo, server) = (Repo::sample(), server());
    configure(&repo, &server);
    repo.cora(&["embed"]);
    let clone = repo.clone_to("clone", &[]);
    clone.cora(&["fetch"]);
    assert!(clone.refs(REFS).is_empty(), "not unasked");
    clone
        .cora(&["fetch", "--embeddings", "--dry-run"])
        .says("would receive vectors of 1 commit from 'origin', 0 here");
    assert!(clone.refs(REFS).is_empty());
    clone.git(&["config", "cora.shareEmbeddings", "true"]);
    clone.cora(&["fetch"]).says("received vectors of 1 commit from 'origin', 0 here already");
    assert_eq!(clone.refs(REFS), repo.refs(REFS));
    clone.cora(&["fetch"]).says("received vectors of 0 commits from 'origin', 1 here already");
    configure(&clone, &server);
    clone.write("new.py", "def expired_news():\n    pass\n");
    clone.commit("new");
    clone.cora(&["index"]);
    clone.cora(&["embed"]);
    // They stay here until the remote has their commit.
    clone
        .cora(&["push", "--embeddings", "origin"])
        .says("note: not sent: vectors of 1 commit that is not on the remote");
    clone.git(&["push", "-q", "origin", "HEAD:refs/heads/new"]);
    clone
        .cora(&["push", "--embeddings", "origin"])
        .says("sent vectors of 1 commit to 'origin', 1 there already");
    assert_eq!(repo.refs(REFS), clone.refs(REFS));
    // Different vectors of the same commit on the other side are not replaced.
    let [first, second] = &clone.refs(REFS)[..] else { panic!("two refs") };
    let word = |line: &str, n: usize| line.split(' ').nth(n).unwrap().to_owned();
    clone.git(&["update-ref", &word(first, 0), &word(second, 1)]);
    clone
        .cora(&["push", "--embeddings", "origin"])
        .says("1 commit has different vectors here and on the remote");
    assert_ne!(repo.refs(REFS), clone.refs(REFS));
}

#[test]
fn damaged_vectors_are_no_vectors() {
    let (repo, server) = (Repo::sample(), server());
    configure(&repo, &server);
    repo.cora(&["embed"]);
    let head = repo.rev("HEAD");
    let refname = format!("{REFS}/{head}");
    let listed = repo.git(&["ls-tree", "-r", &refname]);
    let mut n_damaged = 0;
    let bad: String = listed
        .lines()
        .map(|line| {
            let (entry, path) = line.split_once('\t').unwrap();
            if path == "manifest" {
                return format!("{line}\n");
            }
            n_damaged += 1;
            // Either the vectors of another file, or garbage.
            let blob = match n_damaged % 2 {
                0 => repo.git_input(&["hash-object", "-w", "--stdin"], b"CVEC garbage"),
                _ => listed.lines().next().unwrap().split_whitespace().nth(2).unwrap().to_owned(),
            };
            let mode = entry.split_whitespace().next().unwrap();
            format!("{mode} blob {blob}\t{path}\n")
        })
        .collect();
    repo.git(&["read-tree", "--index-output=.git/other", "--empty"]);
    let other = repo.with_env("GIT_INDEX_FILE", repo.path().join(".git/other"));
    other.git_input(&["update-index", "--index-info"], bad);
    let tree = other.git(&["write-tree"]);
    let commit = repo.git(&["commit-tree", &tree, "-m", "bad"]);
    repo.git(&["update-ref", &refname, &commit]);
    repo.try_cora(&["query", "what ends after some moments"]).says("files have vectors of");
    // Only the damaged ones are made again.
    repo.cora(&["embed"]);
    let run = repo.cora(&["query", "what ends after some moments"]).prints("lib/auth.py");
    assert_eq!(run.err, "");
    // A damaged table in the cache is rebuilt.
    let tables = repo.path().join(".git/cora/vectors");
    for entry in tables.read_dir().unwrap() {
        std::fs::write(entry.unwrap().path(), b"CVECTAB1 and then nothing").unwrap();
    }
    assert_eq!(repo.cora(&["query", "what ends after some moments"]).err, "");
    // A ref of a newer version is not overwritten.
    let manifest = repo.git_input(&["hash-object", "-w", "--stdin"], b"format 2\n");
    let tree = repo.git_input(&["mktree"], format!("100644 blob {manifest}\tmanifest\n"));
    let commit = repo.git(&["commit-tree", &tree, "-m", "newer"]);
    repo.git(&["update-ref", &refname, &commit]);
    repo.try_cora(&["embed"]).exits(2).says("newer version").says("upgrade");
    assert_eq!(repo.rev(&refname), commit);
}

#[test]
fn keys_come_from_the_environment_or_from_git_and_are_not_shown() {
    let repo = Repo::sample();
    let server = Server::start(|_, asked| match asked.header("authorization") {
        Some("Bearer sk-right") => answer(asked),
        key => Answer::new(
            401,
            format!("{{\"error\": {{\"message\": \"wrong key: {}\"}}}}", key.unwrap_or("none")),
        ),
    });
    configure(&repo, &server);
    let quiet = |run: crate::harness::Run| {
        assert!(!run.err.contains("sk-") && !run.out.contains("sk-"), "{run:?}");
        run
    };
    // No key.
    repo.git(&["config", "credential.helper", ""]);
    repo.try_cora(&["embed"])
        .exits(2)
        .says("no API key for '127.0.0.1")
        .says("CORA_EMBED_API_KEY")
        .says("git credential approve");
    // A wrong key.
    let wrong = repo.with_env("CORA_EMBED_API_KEY", "sk-wrong");
    quiet(wrong.try_cora(&["embed", "-vv"]).exits(2).says("401: wrong key: Bearer ***"));
    // A key stored by Git, with exactly the command in the hint.
    let store = repo.path().join(".git/kept");
    repo.git(&["config", "--add", "credential.helper", &format!("store --file={}", store.display())]);
    let fields = format!("url={}\nusername=api-key\npassword=sk-right\n", server.url("/v1"));
    repo.git_input(&["credential", "approve"], &fields);
    quiet(repo.cora(&["embed", "-vv"]));
    quiet(repo.cora(&["query", "--json", "what ends after some moments"]).prints("lib/auth.py"));
    quiet(repo.try_cora(&["doctor", "--json"]));
    // A wrong key stored by Git is dropped.
    std::fs::remove_file(&store).unwrap();
    repo.git_input(&["credential", "approve"], fields.replace("sk-right", "sk-old"));
    repo.write("new.py", "def news():\n    pass\n");
    repo.commit("new");
    quiet(repo.try_cora(&["embed"]).exits(2).says("401"));
    assert_eq!(std::fs::read_to_string(&store).unwrap(), "");
    quiet(repo.with_env("CORA_EMBED_API_KEY", "sk-right").cora(&["embed"]));
    let all = repo.git(&["rev-list", "--objects", "--all"]);
    for line in all.lines() {
        let id = line.split(' ').next().unwrap();
        let bytes = repo.command("git").args(["cat-file", "-p", id]).output().unwrap().stdout;
        assert!(!bytes.windows(3).any(|part| part == b"sk-"), "{line}");
    }
}

#[test]
fn a_tracked_file_can_not_say_where_data_goes() {
    let (repo, server) = (Repo::sample(), server());
    let text = format!(
        "[cora]\n\tembedder = \"openai-compatible:{}\"\n\tembedModel = m\n\tembedUrl = {}\n",
        server.url("/v1"),
        server.url("/v1")
    );
    repo.write(".gitconfig", text);
    repo.commit("settings");
    repo.git(&["config", "include.path", "../.gitconfig"]);
    repo.try_cora(&["embed"]).exits(2).says("no remote model is set");
    repo.try_cora(&["query", "what ends after some moments"]);
    repo.git(&["config", "cora.embedder", "ollama:m"]);
    repo.try_cora(&["embed", "--dry-run"]).exits(0).says("127.0.0.1:11434");
    assert_eq!(server.asked().len(), 0);
}

#[test]
fn a_query_whose_vector_fits_none_is_judged_by_the_built_in_model() {
    let repo = Repo::sample();
    let of_query = |vector: &str| {
        let data = format!("{{\"data\": [{{\"index\": 0, \"embedding\": {vector}}}]}}");
        Server::start(move |_, asked| match texts(asked).as_slice() {
            [text] if text.contains("gnu") => Answer::new(200, data.clone()),
            _ => answer(asked),
        })
    };
    for (vector, why) in [("[1, 0, 0]", "a vector of 3 dimensions"), ("[0, 0, 0, 0]", "its vectors are zero")]
    {
        let server = of_query(vector);
        configure(&repo, &server);
        repo.cora(&["embed"]);
        let question = ["query", "--explain", "where do tokens of a gnu end"];
        let run = repo.cora(&question).says(why).says("the built-in model is used");
        repo.git(&["config", "--unset", "cora.embedder"]);
        let lines: Vec<&str> = run.out.lines().filter(|line| !line.starts_with("warning: ")).collect();
        assert_eq!(lines, repo.cora(&question).out.lines().collect::<Vec<_>>());
    }
}

#[test]
fn a_key_in_an_address_is_never_shown() {
    let repo = Repo::sample().with_cora_on_path();
    repo.cora(&["index"]);
    for address in [
        "openai-compatible:https://host.invalid/v1?api-key=sk-secret",
        "openai-compatible:https://host.invalid/v1#sk-secret",
        "openai-compatible:https://me:sk-secret@host.invalid/v1",
        "openai-compatible:me:sk-secret@host.invalid",
        "https://host.invalid/v1?api-key=sk-secret",
        "acme:https://sk-secret@host.invalid/v1",
    ] {
        for name in ["embedder", "model"] {
            repo.git(&["config", &format!("cora.{name}"), address]);
        }
        for named in [false, true] {
            if named {
                repo.git(&["config", "cora.embedModel", "m"]);
                repo.git(&["config", "cora.modelName", "m"]);
            }
            for args in [
                ["embed"].as_slice(),
                &["annotate", "--dry-run"],
                &["doctor"],
                &["query", "-v", "where does a session end"],
            ] {
                let run = repo.try_cora(args);
                let all = format!("{}{}", run.out, run.err);
                assert!(!all.contains("secret"), "{address} {args:?}: {all}");
                assert!(!all.is_empty(), "{args:?}");
            }
        }
        repo.git(&["config", "--unset", "cora.embedModel"]);
        repo.git(&["config", "--unset", "cora.modelName"]);
    }
    for name in ["embedUrl", "modelUrl"] {
        repo.git(&["config", &format!("cora.{name}"), "https://host.invalid/v1?api-key=sk-secret"]);
    }
    repo.git(&["config", "cora.embedder", "ollama:m"]);
    repo.git(&["config", "cora.model", "ollama:m"]);
    let run = repo.try_cora(&["doctor"]);
    assert!(run.out.contains("https://host.invalid/v1?…") && !run.out.contains("secret"), "{run:?}");
}
