//! The answer does not depend on the cache.
//!
//! Every byte of the JSON is the same with a cold cache, a warm one, a segment of another branch or
//! of an older commit, and after garbage collection.

use crate::harness::Repo;
use crate::history;

const QUERIES: [&str; 7] = [
    "ledger",
    "parse retry",
    "retry_token",
    "matrix invoice kernel",
    "where is the socket",
    "b.rs tokn",
    "The matrix is wrong\n\nSince the ledger of the kernel was repaired, it is not parsed any more.\nWhere is that done?\n",
];

/// Returns the exact answers at a revision, or in the work tree if there is none.
fn answers(repo: &Repo, rev: Option<&str>) -> Vec<String> {
    let lines: Vec<String> = QUERIES
        .iter()
        .enumerate()
        .map(|(id, query)| serde_json::json!({"id": id, "query": query, "k": 40}).to_string())
        .collect();
    let rev = rev.map_or(Vec::new(), |rev| vec!["--rev", rev]);
    let batch =
        repo.cora_input(&[&["query", "--batch", "--all-chunks"], rev.as_slice()].concat(), lines.join("\n"));
    let mut out: Vec<String> = batch.exits(0).out.lines().map(str::to_owned).collect();
    let single = repo.try_cora(&[&["query", "--json", "--explain", QUERIES[1]], rev.as_slice()].concat());
    assert!(single.code < 2, "{single:?}");
    out.push(single.out);
    out
}

fn one_history(seed: u64) {
    let repo = Repo::new();
    let commits = history::random(&repo, seed, 12);
    let first = commits[2].as_str();
    let revs = [Some("main"), Some("side"), Some(first), None];
    // An uncommitted change, so that the work tree differs.
    repo.write("dirty.py", "def ledger_dirty():\n    return 'socket retry'\n");
    repo.cora(&["index", "--all"]);

    let mut n_hits = 0;
    for rev in revs {
        repo.drop_cached();
        let cold = answers(&repo, rev);
        n_hits += cold.iter().map(|line| line.matches("\"score\"").count()).sum::<usize>();
        assert_eq!(repo.segments().len(), 1);
        assert_eq!(answers(&repo, rev), cold, "seed {seed}, {rev:?}: warm");
        for base in revs {
            repo.drop_cached();
            answers(&repo, base);
            let made = repo.segments();
            assert_eq!(answers(&repo, rev), cold, "seed {seed}, {rev:?}: over the segment of {base:?}");
            assert_eq!(repo.segments(), made, "a near base is good enough");
        }
        assert!(repo.histories_dir().exists());
        repo.git(&["gc", "-q", "--prune=now"]);
        assert_eq!(answers(&repo, rev), cold, "seed {seed}, {rev:?}: after gc");
        repo.drop_cached();
        assert_eq!(answers(&repo, rev), cold, "seed {seed}, {rev:?}: cold after gc");
    }
    assert!(n_hits > 20, "seed {seed}: {n_hits} hits say little");
}

#[test]
fn any_base_gives_the_same_answer_1() {
    one_history(21);
}

#[test]
fn any_base_gives_the_same_answer_2() {
    one_history(22);
}

#[test]
fn a_base_whose_index_is_gone_serves_or_is_left() {
    let repo = Repo::sample();
    let args = ["query", "--json", "--rev", "main", "token"];
    let cold = repo.cora(&args).out;
    repo.git(&["checkout", "-q", "-b", "other", "HEAD~1"]);
    repo.write("lib/auth.py", "def token():\n    pass\n");
    repo.commit("other");
    repo.drop_cached();
    repo.cora(&["query", "token"]);
    let other = format!("refs/cora/{}", repo.rev("HEAD"));
    repo.git(&["update-ref", "-d", &other]);
    repo.git(&["gc", "-q", "--prune=now"]);
    assert_eq!(repo.cora(&args).out, cold);
}

#[test]
fn many_changes_get_a_segment_of_their_own() {
    let repo = Repo::new();
    for n in 0..120 {
        repo.write(&format!("src/f{n}.py"), format!("def ledger_{n}():\n    return {n}\n"));
    }
    repo.commit("many");
    repo.cora(&["query", "ledger_7"]);
    assert_eq!(repo.segments().len(), 1);
    for n in 0..60 {
        repo.write(&format!("src/f{n}.py"), format!("def ledger_{n}():\n    return 'again {n}'\n"));
    }
    repo.commit("sixty changed");
    let over = repo.cora(&["query", "--json", "--all-chunks", "again ledger"]).out;
    assert_eq!(repo.segments().len(), 2, "made after the answer");
    assert_eq!(repo.cora(&["query", "--json", "--all-chunks", "again ledger"]).out, over);
    repo.drop_cached();
    assert_eq!(repo.cora(&["query", "--json", "--all-chunks", "again ledger"]).out, over);
}

#[test]
fn the_cache_stays_below_its_bound() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    assert_eq!(repo.segments().len(), 1);
    repo.git(&["config", "cora.cacheBytes", "0"]);
    for n in 0..60 {
        repo.write(&format!("src/g{n}.py"), format!("def ledger_{n}():\n    return {n}\n"));
    }
    repo.commit("many");
    repo.cora(&["query", "ledger"]);
    assert_eq!(repo.segments().len(), 1, "only the one in use stays");
}

/// Creates files with the same text, and a commit that fixes one of them.
fn with_a_mended_file() -> Repo {
    let repo = Repo::new();
    for name in ["a", "b", "c"] {
        repo.write(
            &format!("{name}.py"),
            "def load(path):\n    \"\"\"Loads the settings.\"\"\"\n    return path\n",
        );
    }
    repo.commit("Load settings");
    let text = std::fs::read_to_string(repo.path().join("b.py")).unwrap();
    repo.write("b.py", text + "\n\nVERSION = 2\n");
    repo.commit("Don't forget where a relative path begins\n\nIt was lost in nested directories.");
    repo
}

const FORGETS: &str = "load settings, which forgets a relative path in nested directories";

#[test]
fn what_commits_said_counts_and_is_kept() {
    let repo = with_a_mended_file();
    let args = ["query", "--json", "--explain", FORGETS];
    let cold = repo.cora(&args).out;
    for result in repo.results(&args[..1].iter().chain(&args[2..]).copied().collect::<Vec<_>>()) {
        let parts = result["explain"].as_array().unwrap();
        let part = parts.iter().find(|part| part["part"] == "history");
        assert_eq!(part.is_some(), result["path"] == "b.py", "{result}");
        if let Some(part) = part {
            assert!(part["value"].as_f64().unwrap() > 0.0, "{part}");
            assert!(part["detail"].as_str().unwrap().contains(&repo.rev("HEAD")[..10]), "{part}");
        }
    }
    let kept = || -> Vec<std::path::PathBuf> {
        std::fs::read_dir(repo.histories_dir()).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    assert_eq!(kept().len(), 1);
    assert_eq!(repo.cora(&args).out, cold);
    // A damaged file is written again.
    std::fs::write(&kept()[0], "damaged").unwrap();
    assert_eq!(repo.cora(&args).out, cold);
    assert!(std::fs::metadata(&kept()[0]).unwrap().len() > 100);
    // A file under the name of another commit is ignored.
    let cold_before = repo.cora(&["query", "--json", "--explain", "--rev", "HEAD~1", FORGETS]).out;
    let name = |rev: &str| {
        let path = kept().into_iter().find(|path| path.to_str().unwrap().contains(&repo.rev(rev)));
        path.unwrap()
    };
    std::fs::copy(name("HEAD"), name("HEAD~1")).unwrap();
    assert_eq!(repo.cora(&["query", "--json", "--explain", "--rev", "HEAD~1", FORGETS]).out, cold_before);
    // A query for a plain name needs no commit messages.
    repo.drop_cached();
    repo.cora(&["query", "load"]);
    assert!(!repo.histories_dir().exists());
}

#[test]
fn histories_that_are_kept_are_few() {
    let repo = with_a_mended_file();
    for n in 0..12 {
        repo.write("a.py", format!("def load_{n}(path):\n    return path\n"));
        repo.commit("Load again");
        repo.cora(&["query", FORGETS]);
    }
    assert_eq!(std::fs::read_dir(repo.histories_dir()).unwrap().count(), 8);
}

#[test]
fn a_shallow_clone_tells_what_it_has_and_more_when_it_has_more() {
    let repo = with_a_mended_file();
    let url = repo.url();
    let shallow = repo.beside("shallow");
    repo.git(&["clone", "-q", "--depth=1", &url, shallow.path().to_str().unwrap()]);
    let args = ["query", "--json", "--explain", FORGETS];
    let without = shallow.cora(&args).out;
    assert!(!without.contains("\"history\""), "{without}");
    shallow.git(&["fetch", "-q", "--unshallow"]);
    let with = shallow.cora(&args).out;
    assert!(with.contains("\"history\""), "{with}");
    // Missing trees are not fetched one by one.
    let treeless = repo.beside("treeless");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["clone", "-q", "--filter=tree:0", &url, treeless.path().to_str().unwrap()]);
    assert!(!treeless.cora(&args).out.contains("\"history\""));
}
