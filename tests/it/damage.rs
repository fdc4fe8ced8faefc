//! Damage and malice.
//!
//! Damaged segments are rebuilt. Damaged indexes still give an answer or a hint. An index of a
//! newer version is left alone.
//!
//! Longer than 600 lines because every case needs the same repository and the same damage.

use crate::harness::{Dice, Repo};

const QUERY: [&str; 6] = ["query", "--json", "--all-chunks", "--rev", "HEAD", "refresh token header"];

fn indexed() -> (Repo, String) {
    let repo = Repo::sample();
    let answer = repo.cora(&QUERY).out;
    (repo, answer)
}

fn index_ref(repo: &Repo) -> String {
    format!("refs/cora/{}", repo.rev("HEAD"))
}

/// Publishes a tree as the index of `HEAD`, with the usual commits around it.
fn publish(repo: &Repo, tree: &str) {
    let snapshot = repo.git(&["commit-tree", tree, "-m", "git-cora: snapshot"]);
    let parent = repo.rev(&format!("{}^2", index_ref(repo)));
    let message = format!("git-cora: index of {}", repo.rev("HEAD"));
    let index = repo.git(&["commit-tree", tree, "-p", &snapshot, "-p", &parent, "-m", &message]);
    repo.git(&["update-ref", &index_ref(repo), &index]);
}

/// Returns the index tree of `HEAD` with some entries replaced, or removed if there is no blob.
fn edited(repo: &Repo, edits: &[(&str, Option<&str>)]) -> String {
    let staging = repo.with_env("GIT_INDEX_FILE", repo.path().join(".git/other-index"));
    staging.git(&["read-tree", &index_ref(repo)]);
    for (path, blob) in edits {
        match blob {
            Some(blob) => {
                staging.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{blob},{path}")])
            }
            None => staging.git(&["update-index", "--force-remove", path]),
        };
    }
    staging.git(&["write-tree"])
}

/// Rebuilds the index of `HEAD` and checks that it is the correct one.
fn repairs(repo: &Repo, refs: &[String], answer: &str) {
    repo.cora(&["index", "--force"]);
    assert_eq!(repo.index_refs(), refs, "rebuilt");
    repo.cora(&["verify"]);
    repo.drop_cached();
    assert_eq!(repo.cora(&QUERY).out, answer);
}

#[test]
fn any_damage_to_a_segment_is_mended() {
    let (repo, answer) = indexed();
    let path = repo.segments()[0].clone();
    let whole = std::fs::read(&path).unwrap();
    let dice = &mut Dice(1);
    let mut damaged: Vec<Vec<u8>> = vec![Vec::new(), b"junk".repeat(500), vec![0; whole.len()]];
    for _ in 0..12 {
        damaged.push(whole[..dice.below(whole.len())].to_vec());
    }
    let mut longer = whole.clone();
    longer.extend_from_slice(b"tail");
    damaged.push(longer);
    let places: Vec<usize> = (0..64).chain((0..60).map(|_| dice.below(whole.len()))).collect();
    for at in places {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << dice.below(8);
        damaged.push(flipped);
    }
    for bytes in damaged {
        // A new file each time: a file that a process has mapped must not change under it.
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        let run = repo.cora(&QUERY);
        let at = bytes.iter().zip(&whole).position(|(a, b)| a != b);
        assert_eq!(run.out, answer, "{} bytes, first difference at {at:?}", bytes.len());
    }
}

#[test]
fn every_command_that_reads_a_damaged_segment_repairs_it() {
    let (repo, _) = indexed();
    let commands: [&[&str]; 6] = [
        &["refs", "--rev", "HEAD", "refresh_token"],
        &["related", "--rev", "HEAD", "lib/auth.py:10"],
        &["explain", "--rev", "HEAD", "lib/auth.py"],
        &["map", "--rev", "HEAD"],
        &["map", "--rev", "HEAD", "refresh token"],
        &["ask", "--extractive", "--rev", "HEAD", "how is a token refreshed?"],
    ];
    let expected = commands.map(|command| repo.try_cora(command));
    let path = repo.segments()[0].clone();
    let whole = std::fs::read(&path).unwrap();
    for part in 0..16 {
        let mut damaged = whole.clone();
        damaged[whole.len() * part / 16..whole.len() * (part + 1) / 16].fill(0xa5);
        for (command, expected) in commands.iter().zip(&expected) {
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, &damaged).unwrap();
            let run = repo.try_cora(command);
            assert_eq!(
                (run.code, &run.out),
                (expected.code, &expected.out),
                "{command:?}, part {part}: {run:?}"
            );
        }
    }
}

#[test]
fn a_segment_that_is_a_directory_or_of_others_is_survived() {
    let (repo, answer) = indexed();
    let path = repo.segments()[0].clone();
    // The segment of other records under this one's name.
    std::fs::remove_file(&path).unwrap();
    repo.cora(&["query", "--rev", "HEAD~2", "token"]);
    let other = repo.segments()[0].clone();
    std::fs::rename(&other, &path).unwrap();
    assert_eq!(repo.cora(&QUERY).out, answer, "a segment under another one's name");
    repo.drop_cached();
    std::fs::create_dir_all(repo.segments_dir()).unwrap();
    std::fs::write(repo.segments_dir().join("foreign.txt"), "kept").unwrap();
    assert_eq!(repo.cora(&QUERY).out, answer);
}

#[test]
fn a_ref_that_points_elsewhere_is_rebuilt() {
    let (repo, answer) = indexed();
    let refs = repo.index_refs();
    let name = index_ref(&repo);
    let blob = repo.rev("HEAD:README.md");
    let empty_tree = repo.git_input(&["mktree"], "");
    let no_manifest = repo.git(&["commit-tree", &empty_tree, "-m", "x"]);
    let other_tree = repo.git(&[
        "commit-tree",
        &format!("{name}^{{tree}}"),
        "-p",
        &no_manifest,
        "-m",
        "its snapshot has another tree",
    ]);
    let source = repo.rev("HEAD");
    let many = ["HEAD", "HEAD~1", "HEAD~2"].map(|rev| format!("-p {}", repo.rev(rev))).join(" ");
    let tree = format!("{name}^{{tree}}");
    let mut args = vec!["commit-tree", tree.as_str(), "-m", "three parents"];
    args.extend(many.split(' '));
    let three = repo.git(&args);
    for (what, target) in [
        ("a commit without a manifest", &no_manifest),
        ("a snapshot of another tree", &other_tree),
        ("a source commit", &source),
        ("three parents", &three),
        ("a blob", &blob),
        ("a tree", &empty_tree),
        ("nothing at all", &"12".repeat(20)),
    ] {
        // Written as a file, because Git would not let a ref point at a missing object.
        drop(repo.try_git(&["update-ref", "-d", &name]));
        repo.write(&format!(".git/{name}"), format!("{target}\n"));
        repo.drop_cached();
        repo.try_cora(&["verify"]).exits(2).says("damaged").says("hint: run 'git cora index --force ");
        repo.try_cora(&["doctor"]).exits(1).prints("damaged");
        let run = repo.cora(&QUERY);
        assert_eq!(run.out, answer, "{what}");
        assert_eq!(repo.index_refs(), refs, "{what}");
    }
    // A line that is not a ref at all.
    repo.write(&format!(".git/{name}"), "not an id\n");
    let run = repo.try_cora(&QUERY);
    assert!(run.code == 0 && run.out == answer || run.code == 2 && run.err.starts_with("error: "), "{run:?}");
}

#[test]
fn records_that_cant_be_trusted_are_made_anew() {
    let (repo, answer) = indexed();
    let refs = repo.index_refs();
    let record = |path: &str| repo.rev(&format!("{}:files/{path}", index_ref(&repo)));
    let whole = record("lib/auth.py");
    let bytes = repo.command("git").args(["cat-file", "blob", &whole]).output().unwrap().stdout;
    let dice = &mut Dice(2);
    let mut bad: Vec<Vec<u8>> = vec![Vec::new(), b"junk".to_vec(), bytes[..bytes.len() / 2].to_vec()];
    for _ in 0..6 {
        let mut flipped = bytes.clone();
        // Not inside the keyword frames: a flip there can give another valid record, which only
        // `verify` finds.
        let at = dice.below(40.min(flipped.len()));
        flipped[at] ^= 0x40;
        bad.push(flipped);
    }
    let mut blobs: Vec<String> =
        bad.iter().map(|bytes| repo.git_input(&["hash-object", "-w", "--stdin"], bytes)).collect();
    blobs.push(record("src/header.rs"));
    for blob in &blobs {
        publish(&repo, &edited(&repo, &[("files/lib/auth.py", Some(blob))]));
        repo.drop_cached();
        repo.try_cora(&["verify"]).exits(2).prints("lib/auth.py").says("index --force");
        let run = repo.try_cora(&QUERY).exits(0);
        if run.err.contains("warning: ") {
            assert_eq!(without_stale(&run.out), without_stale(&answer), "what is noticed is repaired");
        }
        let _ = repo.try_cora(&["show", "lib/auth.py"]);
        repairs(&repo, &refs, &answer);
    }
    // Junk and a record of another file are noticed without `verify`.
    for blob in [&blobs[1], blobs.last().unwrap()] {
        publish(&repo, &edited(&repo, &[("files/lib/auth.py", Some(blob))]));
        repo.drop_cached();
        let run = repo.cora(&QUERY).says("warning: 1 damaged or missing record").says("lib/auth.py");
        assert_eq!(without_stale(&run.out), without_stale(&answer), "the hits are those of a whole index");
        repairs(&repo, &refs, &answer);
    }
}

/// Returns an answer without its warnings.
fn without_stale(json: &str) -> serde_json::Value {
    let mut answer: serde_json::Value = serde_json::from_str(json).unwrap();
    answer["stale"] = serde_json::Value::Null;
    answer
}

#[test]
fn missing_and_surplus_records_are_found() {
    let (repo, answer) = indexed();
    let refs = repo.index_refs();
    let record = repo.rev(&format!("{}:files/lib/auth.py", index_ref(&repo)));
    let tree = edited(&repo, &[("files/lib/auth.py", None), ("files/ghost.py", Some(&record))]);
    publish(&repo, &tree);
    repo.drop_cached();
    repo.try_cora(&["verify"])
        .exits(2)
        .prints("lib/auth.py: has no record")
        .prints("ghost.py: has a record but no source");
    let run = repo.cora(&QUERY).says("lib/auth.py");
    assert_eq!(without_stale(&run.out), without_stale(&answer));
    assert!(!run.out.contains("ghost.py"));
    repairs(&repo, &refs, &answer);
    let report = {
        publish(&repo, &tree);
        repo.try_cora(&["verify", "--json"]).exits(2).json()
    };
    assert_eq!(report["commits"][0]["differences"].as_array().unwrap().len(), 2);
    assert_eq!(report["commits"][0]["differences"][0]["path"], "ghost.py");
}

#[test]
fn damage_beside_a_change_is_mended() {
    let (repo, _) = indexed();
    let junk = repo.git_input(&["hash-object", "-w", "--stdin"], "junk");
    let other = repo.rev(&format!("{}:files/src/header.rs", index_ref(&repo)));
    let clean = repo.clone_to("clean", &[]);
    let edits = [
        ("files/lib/auth.py", Some(junk.as_str())),
        ("files/README.md", Some(other.as_str())),
        ("files/web/app.ts", Some(junk.as_str())),
        ("files/data.bin", None),
        ("files/lib/ghost.py", Some(other.as_str())),
    ];
    publish(&repo, &edited(&repo, &edits));
    repo.write("lib/next.py", "def next():\n    pass\n");
    repo.write("next.rs", "fn next() {}\n");
    repo.commit("next");
    let run = repo.cora(&["index"]);
    // The root and `lib` have changes, so they are checked; `web` is reused unchecked.
    let run = run
        .says("warning: 4 records of an earlier index were damaged (such as 'README.md')")
        .says("git cora verify");
    assert!(run.err.contains("indexed commit"), "{}", run.err);
    let verified = repo.try_cora(&["verify"]).exits(2).prints("web/app.ts: ");
    assert_eq!(verified.out.lines().count(), 1, "{}", verified.out);
    repo.write("web/more.ts", "export const more = 1;\n");
    repo.commit("more");
    assert_eq!(repo.cora(&["index", "--json"]).json()["repaired"], serde_json::json!(["web/app.ts"]));
    repo.cora(&["verify"]);
    // Intact records are not touched, and the index is the one that everybody builds.
    clean.git(&["fetch", "-q", "origin"]);
    assert_eq!(clean.cora(&["index", "--json", "origin/main"]).json()["repaired"], serde_json::json!([]));
}

#[test]
fn a_deleted_directory_is_no_damage() {
    let (repo, _) = indexed();
    repo.write("old/deep/one.py", "def one():\n    pass\n");
    repo.write("old/two.py", "def two():\n    pass\n");
    repo.write("kept/three.py", "def three():\n    pass\n");
    repo.write("kept/inner/four.py", "def four():\n    pass\n");
    repo.commit("more");
    repo.cora(&["index"]);
    // A whole directory goes beside a file that changes; then one within a directory; then a
    // directory makes way for a file.
    let steps: [(&[&str], &str); 3] =
        [(&["old"], "README.md"), (&["kept/inner"], "kept/three.py"), (&["web"], "web")];
    for (gone, changed) in steps {
        repo.git(&[&["rm", "-r", "-q"], gone].concat());
        repo.write(changed, "# changed\n");
        repo.commit("without");
        let run = repo.cora(&["index", "--json"]);
        assert_eq!(run.json()["repaired"], serde_json::json!([]), "{gone:?}: {}", run.err);
        assert!(!run.err.contains("damaged"), "{}", run.err);
        repo.cora(&["verify"]);
    }
}

#[test]
fn damage_is_not_handed_to_the_next_commit() {
    let (repo, _) = indexed();
    let junk = repo.git_input(&["hash-object", "-w", "--stdin"], "junk");
    let whole = repo.clone_to("whole", &[]);
    publish(&repo, &edited(&repo, &[("files/lib/auth.py", Some(&junk))]));
    repo.write("next.rs", "fn next() {}\n");
    repo.commit("next");
    repo.cora(&["index"]);
    // An index built on a damaged one may have the same damage, which `verify` finds.
    let verified = repo.try_cora(&["verify"]);
    if verified.code != 0 {
        verified.exits(2).prints("lib/auth.py");
        repo.cora(&["index", "--force"]);
    }
    whole.git(&["fetch", "-q", "origin"]);
    whole.cora(&["index", "origin/main"]);
    assert_eq!(repo.refs(&index_ref(&repo)), whole.index_refs());
}

/// Writes an index with an edited manifest. After the magic number come the format version and the
/// content version, a small number.
fn with_manifest(repo: &Repo, edit: impl Fn(&mut Vec<u8>)) -> String {
    let manifest = repo.rev(&format!("{}:manifest", index_ref(repo)));
    let mut bytes = repo.command("git").args(["cat-file", "blob", &manifest]).output().unwrap().stdout;
    assert_eq!(&bytes[..4], b"corM");
    edit(&mut bytes);
    let blob = repo.git_input(&["hash-object", "-w", "--stdin"], &bytes);
    edited(repo, &[("manifest", Some(&blob))])
}

#[test]
fn the_index_of_a_newer_version_is_left_alone() {
    let (repo, answer) = indexed();
    let refs = repo.index_refs();
    for field in [4, 5] {
        publish(&repo, &with_manifest(&repo, |bytes| bytes[field] += 1));
        let newer = repo.refs("refs/cora");
        assert_ne!(newer, refs);
        repo.drop_cached();
        for args in [&["verify"][..], &["verify", "--all"]] {
            repo.try_cora(args).exits(2).says("made by a newer version").says("hint: upgrade");
        }
        repo.try_cora(&["doctor"]).prints("note     index of HEAD: made by a newer version");
        // Answers come from an index of our own beside it.
        for _ in 0..2 {
            let run = repo.cora(&QUERY);
            assert_eq!(without_stale(&run.out), without_stale(&answer));
            assert_eq!(run.out.matches("made by a newer version").count(), 1, "{}", run.out);
            assert_eq!(repo.refs("refs/cora"), newer);
        }
        let noted = "note: 1 index was made by a newer version of git-cora";
        for args in [&["index"][..], &["index", "--force"], &["index", "--all"], &["index", "HEAD"]] {
            repo.cora(args).says(noted);
            assert_eq!(repo.refs("refs/cora"), newer, "{args:?}");
        }
        assert_eq!(repo.refs("refs/cora-local").len(), 1, "ours");
        repo.cora(&["stats"]);
        repo.cora(&["verify"]);
        // Its own children are indexed on it as always.
        repo.cora(&["query", "--rev", "HEAD~1", "token"]);
        let child = repo.git(&["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "child"]);
        repo.cora(&["index", &child]);
        let whole = repo.clone_to(&format!("whole{field}"), &[]);
        whole.git(&["fetch", "-q", "origin", &child]);
        whole.cora(&["index", &child]);
        assert_eq!(repo.refs(&format!("refs/cora/{child}")), whole.refs(&format!("refs/cora/{child}")));
        // The local one is of a newer version, too: nothing is stored, and there is an answer.
        let local = format!("refs/cora-local/{}", repo.rev("HEAD"));
        repo.git(&["update-ref", &local, &index_ref(&repo)]);
        let tree = repo.rev(&format!("{local}^{{tree}}"));
        let snapshot = repo.git(&["commit-tree", &tree, "-m", "git-cora: snapshot"]);
        repo.git(&["update-ref", &local, &snapshot]);
        repo.drop_cached();
        let all = repo.index_refs();
        let run = repo.cora(&QUERY);
        assert_eq!(without_stale(&run.out), without_stale(&answer));
        assert_eq!(run.out.matches("made by a newer version").count(), 1, "{}", run.out);
        repo.cora(&["index"]).says(noted);
        repo.cora(&["index", "--force"]).says(noted);
        assert_eq!(repo.index_refs(), all);
        for name in repo.index_refs() {
            repo.git(&["update-ref", "-d", name.split(' ').next().unwrap()]);
        }
        repo.cora(&["index"]);
        assert_eq!(repo.index_refs(), refs);
    }
}

/// Returns the only pack with the objects of the index of `HEAD`.
fn pack_of_index(repo: &Repo) -> std::path::PathBuf {
    let dir = repo.path().join(".git/objects/pack");
    let mut packs = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    packs.find(|path| path.extension().is_some_and(|kind| kind == "pack")).unwrap()
}

/// Replaces a file by other bytes.
fn overwrite(path: &std::path::Path, bytes: &[u8]) {
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// Creates an indexed repository whose index is one pack, apart from the source.
fn packed() -> (Repo, String) {
    let repo = Repo::sample();
    for n in 0..40 {
        repo.write(&format!("pkg{}/m{n}.py", n % 5), format!("def ledger_{n}(total):\n    return total\n"));
    }
    repo.commit("many");
    let answer = repo.cora(&QUERY).out;
    assert!(pack_of_index(&repo).exists());
    (repo, answer)
}

/// What happens to a pack.
type Damage = fn(&std::path::Path);

#[test]
fn lost_trees_are_rebuilt_like_lost_records() {
    let cut: Damage = |pack| {
        let bytes = std::fs::read(pack).unwrap();
        overwrite(pack, &bytes[..bytes.len() / 2]);
    };
    let damages: [(&str, Damage); 5] = [
        ("a cut pack", cut),
        ("an empty pack", |pack| overwrite(pack, b"")),
        ("a zeroed index of a pack", |pack| {
            let path = pack.with_extension("idx");
            let len = std::fs::read(&path).unwrap().len();
            overwrite(&path, &vec![0; len]);
        }),
        ("a pack that is gone", |pack| std::fs::remove_file(pack).unwrap()),
        ("a pack of zeros", |pack| {
            let len = std::fs::read(pack).unwrap().len();
            overwrite(pack, &vec![0; len]);
        }),
    ];
    for (what, damage) in damages {
        for command in [&QUERY[..], &["index"], &["hook", "post-commit"]] {
            let (repo, answer) = packed();
            let refs = repo.index_refs();
            damage(&pack_of_index(&repo));
            repo.drop_cached();
            repo.try_cora(&["doctor"]).exits(1).prints("problem  index of HEAD: damaged");
            let run = repo.cora(command);
            if command == QUERY {
                assert_eq!(without_stale(&run.out), without_stale(&answer), "{what}");
            }
            assert_eq!(repo.index_refs(), refs, "{what}");
            repo.cora(&["verify"]);
            repo.drop_cached();
            assert_eq!(repo.cora(&QUERY).out, answer, "{what}");
        }
    }
}

#[test]
fn an_index_with_a_wrong_shape_is_rebuilt() {
    let (repo, answer) = indexed();
    let refs = repo.index_refs();
    let blob = repo.rev("HEAD:README.md");
    let manifest = repo.rev(&format!("{}:manifest", index_ref(&repo)));
    let files = repo.rev(&format!("{}:files", index_ref(&repo)));
    let absent = "12".repeat(20);
    let entry = |mode: &str, kind: &str, id: &str, name: &str| format!("{mode} {kind} {id}\t{name}\n");
    let right = entry("100644", "blob", &manifest, "manifest");
    for (what, tree) in [
        ("`files` is a blob", entry("100644", "blob", &blob, "files") + &right),
        ("`files` is missing", right.clone()),
        ("`files` is a missing tree", entry("040000", "tree", &absent, "files") + &right),
        ("`files` is a submodule", entry("160000", "commit", &absent, "files") + &right),
        ("no manifest", entry("040000", "tree", &files, "files")),
        (
            "a missing manifest",
            entry("040000", "tree", &files, "files") + &entry("100644", "blob", &absent, "manifest"),
        ),
        (
            "a manifest that is a tree",
            entry("040000", "tree", &files, "files") + &entry("040000", "tree", &files, "manifest"),
        ),
    ] {
        publish(&repo, &repo.git_input(&["mktree", "--missing"], &tree));
        repo.drop_cached();
        repo.try_cora(&["doctor"]).exits(1).prints("problem  index of HEAD: damaged");
        assert_eq!(repo.cora(&QUERY).out, answer, "{what}");
        assert_eq!(repo.index_refs(), refs, "{what}");
        publish(&repo, &repo.git_input(&["mktree", "--missing"], &tree));
        repo.cora(&["index"]);
        assert_eq!(repo.index_refs(), refs, "{what}");
    }
    // A directory further down.
    let lib = repo.rev(&format!("{}:files/lib", index_ref(&repo)));
    let without: String = repo
        .git(&["ls-tree", &files])
        .lines()
        .map(|line| format!("{}\n", line.replace(&lib, &absent)))
        .collect();
    let files = repo.git_input(&["mktree", "--missing"], &without);
    publish(&repo, &repo.git_input(&["mktree"], &(entry("040000", "tree", &files, "files") + &right)));
    repo.drop_cached();
    repo.try_cora(&["verify"]).exits(2).says("damaged").says("hint: run 'git cora index --force ");
    repo.try_cora(&["doctor"]).exits(1).prints("run 'git cora index' to repair it");
    let run = repo.cora(&QUERY).says("was rebuilt");
    assert_eq!(without_stale(&run.out), without_stale(&answer));
    assert_eq!(repo.index_refs(), refs);
    assert_eq!(repo.cora(&QUERY).out, answer);
}

#[test]
fn damaged_trees_are_rebuilt_however_refs_are_stored() {
    let storages = [("loose", &[][..]), ("packed", &[]), ("reftable", &["--ref-format=reftable"])];
    for (storage, options) in storages {
        if storage == "reftable" && !Repo::knows_reftables() {
            continue;
        }
        let repo = Repo::sample_in(options);
        let answer = repo.cora(&QUERY).out;
        let refs = repo.index_refs();
        let commands = [&QUERY[..], &["index"], &["hook", "post-commit"]];
        let lost = ["^{tree}", ":files", ":files/lib", ":manifest", "^{commit}", "^1"];
        for (ord, lost) in lost.into_iter().enumerate() {
            for is_empty in [false, true] {
                let command = commands[(ord + usize::from(is_empty)) % commands.len()];
                if storage == "packed" {
                    repo.git(&["pack-refs", "--all"]);
                }
                let id = repo.rev(&format!("{}{lost}", index_ref(&repo)));
                let loose = repo.path().join(".git/objects").join(&id[..2]).join(&id[2..]);
                std::fs::remove_file(&loose).unwrap();
                if is_empty {
                    // As after a crash on ext4.
                    std::fs::write(&loose, "").unwrap();
                }
                repo.drop_cached();
                let what = format!("{storage}, {lost}, empty {is_empty}, {command:?}");
                let run = repo.cora(command);
                if command == QUERY {
                    assert_eq!(without_stale(&run.out), without_stale(&answer), "{what}");
                }
                assert_eq!(repo.index_refs(), refs, "{what}");
                repo.cora(&["verify"]);
                repo.git(&["fsck", "--strict"]);
            }
        }
    }
}

#[test]
fn the_next_commit_is_indexed_on_a_damaged_one() {
    let (repo, _) = packed();
    let clean = repo.clone_to("clean", &[]);
    let pack = pack_of_index(&repo);
    let bytes = std::fs::read(&pack).unwrap();
    overwrite(&pack, &bytes[..bytes.len() / 2]);
    repo.write("pkg1/more.py", "def more():\n    pass\n");
    repo.commit("more");
    repo.cora(&["index"]);
    clean.git(&["fetch", "-q", "origin"]);
    clean.cora(&["index", "origin/main"]);
    assert_eq!(repo.refs(&index_ref(&repo)), clean.refs(&index_ref(&repo)));
    let answer = clean.cora(&["query", "--json", "--rev", "origin/main", "ledger_7"]).json();
    assert_eq!(
        repo.cora(&["query", "--json", "--rev", "HEAD", "ledger_7"]).json()["results"],
        answer["results"]
    );
    repo.cora(&["verify"]);
}

#[test]
fn a_manifest_of_an_older_version_or_none_counts_as_not_indexed() {
    let (repo, answer) = indexed();
    let refs = repo.index_refs();
    let edits: [fn(&mut Vec<u8>); 5] = [
        |bytes| bytes[5] -= 1,
        |bytes| bytes[4] = 0,
        |bytes| bytes[0] = b'x',
        |bytes| bytes.truncate(6),
        |bytes| bytes.extend_from_slice(&[0; 300_000]),
    ];
    for edit in edits {
        publish(&repo, &with_manifest(&repo, edit));
        repo.drop_cached();
        assert_eq!(repo.cora(&QUERY).out, answer);
        assert_eq!(repo.index_refs(), refs);
    }
}

#[test]
fn damaged_objects_of_the_index_are_rebuilt_over() {
    let (repo, answer) = indexed();
    let refs = repo.index_refs();
    let name = index_ref(&repo);
    for what in ["^{tree}", ":manifest", ":files", ":files/lib/auth.py", "^1"] {
        let id = repo.rev(&format!("{name}{what}"));
        let loose = repo.path().join(".git/objects").join(&id[..2]).join(&id[2..]);
        let kept = std::fs::read(&loose).unwrap();
        std::fs::remove_file(&loose).unwrap();
        repo.drop_cached();
        let run = repo.try_cora(&QUERY);
        assert!(
            run.code == 0 && without_stale(&run.out) == without_stale(&answer)
                || run.code == 2 && run.err.contains("hint: "),
            "missing {what}: {run:?}"
        );
        // `--force` repairs it wherever it was.
        repo.cora(&["index", "--force"]);
        assert_eq!(repo.index_refs(), refs, "missing {what}");
        repo.drop_cached();
        assert_eq!(repo.cora(&QUERY).out, answer, "missing {what}");
        if !loose.exists() {
            std::fs::write(&loose, kept).unwrap();
        }
    }
}

/// Inverts some bytes in the middle of an object in the only pack.
fn damage_packed(repo: &Repo, id: &str) {
    let dir = repo.path().join(".git/objects/pack");
    let files: Vec<_> = std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    let pack = files.iter().find(|path| path.extension().is_some_and(|kind| kind == "pack")).unwrap();
    let listed = repo.git(&["verify-pack", "-v", pack.with_extension("idx").to_str().unwrap()]);
    let line = listed.lines().find(|line| line.starts_with(id)).unwrap();
    let numbers: Vec<usize> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let (packed_len, offset) = (numbers[1], numbers[2]);
    let mut bytes = std::fs::read(pack).unwrap();
    for byte in &mut bytes[offset + packed_len / 2..offset + packed_len] {
        *byte ^= 0x55;
    }
    std::fs::remove_file(pack).unwrap();
    std::fs::write(pack, bytes).unwrap();
}

#[test]
fn a_forced_index_mends_what_is_damaged_where_it_lies() {
    for is_packed in [true, false] {
        for what in [":files/lib/auth.py", ":files", ":manifest"] {
            let (repo, answer) = indexed();
            let refs = repo.index_refs();
            let id = repo.rev(&format!("{}{what}", index_ref(&repo)));
            if is_packed {
                repo.git(&["repack", "-adq"]);
                damage_packed(&repo, &id);
            } else {
                let loose = repo.path().join(".git/objects").join(&id[..2]).join(&id[2..]);
                let mut bytes = std::fs::read(&loose).unwrap();
                bytes.truncate(bytes.len() / 2);
                std::fs::remove_file(&loose).unwrap();
                std::fs::write(&loose, bytes).unwrap();
            }
            repo.drop_cached();
            let what = format!("{what}, packed {is_packed}");
            assert_ne!(repo.try_cora(&["verify"]).code, 0, "{what}");
            repo.cora(&["index", "--force"]);
            assert_eq!(repo.index_refs(), refs, "{what}");
            repo.cora(&["verify"]);
            repo.drop_cached();
            let run = repo.cora(&QUERY);
            assert_eq!((run.out, run.err.as_str()), (answer, ""), "{what}");
            // Git uses the copy too, and its next pack is intact.
            repo.git(&["repack", "-adq"]);
            repo.git(&["fsck", "--strict"]);
            repo.cora(&["verify"]);
        }
    }
}
