//! Remote repositories: the fetched data, the messages if there is no index, and protection against
//! strangers.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::harness::Repo;
use crate::loopback::{Answer, Server};

/// A `git daemon` for the directory around a repository: one process per connection, and a count of
/// the bytes sent.
struct Daemon {
    address: SocketAddr,
    sent: Arc<AtomicU64>,
}

impl Daemon {
    fn start(repo: &Repo) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let sent = Arc::new(AtomicU64::new(0));
        let (base, counter, repo) = (repo.root().display().to_string(), Arc::clone(&sent), repo.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut command = repo.command("git");
                command.args(["daemon", "--inetd", "--export-all", &format!("--base-path={base}"), &base]);
                let (stream, counter) = (stream.unwrap(), Arc::clone(&counter));
                std::thread::spawn(move || relay(&stream, command, &counter));
            }
        });
        Self { address, sent }
    }

    fn url(&self, name: &str) -> String {
        format!("git://{}/{name}", self.address)
    }

    /// Returns the number of bytes sent since the last call.
    fn sent(&self) -> u64 {
        self.sent.swap(0, Ordering::SeqCst)
    }
}

fn relay(stream: &TcpStream, mut command: Command, counter: &AtomicU64) {
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (mut to, mut from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (mut reads, mut writes) = (stream.try_clone().unwrap(), stream.try_clone().unwrap());
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(n @ 1..) = reads.read(&mut buffer) {
            if to.write_all(&buffer[..n]).is_err() {
                break;
            }
        }
    });
    let mut buffer = vec![0; 1 << 16];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        counter.fetch_add(n as u64, Ordering::SeqCst);
        if writes.write_all(&buffer[..n]).is_err() {
            break;
        }
    }
    drop(stream.shutdown(std::net::Shutdown::Both));
    drop(child.wait());
}

/// Creates a bare repository with the source and the indexes of `repo`.
pub(crate) fn published(repo: &Repo) -> Repo {
    let bare = repo.clone_to("there.git", &["--bare"]);
    bare.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["push", "-q", &bare.path().display().to_string(), "refs/cora/*"]);
    bare
}

/// Returns a directory that is not a repository, to run queries from.
pub(crate) fn outside(repo: &Repo) -> Repo {
    let dir = repo.beside("outside");
    std::fs::create_dir_all(dir.path()).unwrap();
    dir
}

/// Returns the cached mirrors.
fn copies(repo: &Repo) -> Vec<std::path::PathBuf> {
    let dir = repo.root().join("home/.cache/git-cora/remotes");
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut copies: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "git")).collect();
    copies.sort();
    copies
}

/// Returns the number of blobs in a mirror that contain this text.
fn blobs_with(repo: &Repo, text: &str) -> usize {
    let dir = copies(repo).remove(0).display().to_string();
    let list =
        ["--git-dir", &dir, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)"];
    let ids = repo.git(&list);
    let blobs = ids.lines().filter_map(|line| line.strip_prefix("blob "));
    blobs.filter(|id| repo.try_git(&["--git-dir", &dir, "cat-file", "blob", id]).out.contains(text)).count()
}

#[test]
fn a_remote_answers_as_a_clone_does_and_sends_what_is_shown() {
    let repo = Repo::sample();
    repo.git(&["tag", "-a", "-m", "release", "v1", "HEAD~1"]);
    repo.cora(&["index", "HEAD", "HEAD~1", "HEAD~2"]);
    published(&repo);
    let daemon = Daemon::start(&repo);
    let (here, url) = (outside(&repo), daemon.url("there.git"));

    let results = |args: &[&str]| here.results(&[&["--remote", &url], args].concat());
    assert_eq!(
        results(&["-k", "1", "refresh_token"]),
        repo.results(&["--rev", "HEAD", "-k", "1", "refresh_token"])
    );
    assert_eq!(blobs_with(&repo, "class SessionStore"), 1, "what is shown");
    assert_eq!(blobs_with(&repo, "load balancer"), 0, "and nothing else");
    let first = daemon.sent();
    assert_eq!(results(&["-k", "1", "refresh_token"]).len(), 1);
    let second = daemon.sent();
    assert!(second < 1_000 && second * 4 < first, "{first}, then {second}");

    // Every form of a revision that a remote can answer.
    let head = repo.rev("HEAD");
    for rev in ["main", "v1", "HEAD~2", "main^^", "v1~1", &head, "refs/heads/main"] {
        let there = results(&["--rev", rev, "lasts for a while"]);
        assert_eq!(there, repo.results(&["--rev", rev, "lasts for a while"]), "{rev}");
    }
    // A full object id is fetched only once.
    daemon.sent();
    results(&["--rev", &head, "-k", "1", "refresh_token"]);
    assert_eq!(daemon.sent(), 0);

    // A quoted phrase is searched in the sources, which are fetched in one batch.
    for quoted in ["\"the load balancer\"", "\"token that lasts\"", "\"load that lasts\""] {
        assert_eq!(results(&[quoted]), repo.results(&["--rev", "HEAD", quoted]), "{quoted}");
    }
    assert_eq!(results(&["\"token that lasts\""])[0]["path"], "lib/auth.py");
    for format in ["text", "json", "rag", "paths", "markdown"] {
        let run = here.cora(&["query", "--remote", &url, "--format", format, "serveHealth"]);
        run.prints("cmd/server.go");
    }
    let run = here.cora(&["query", "--remote", &url, "serveHealth"]).prints(&head[..12]).prints(&url);
    drop(run);
    let include = ["query", "--remote", &url, "--include", "README.md", "serveHealth"];
    here.cora(&include).prints("ledger of invoices");
    here.cora(&["query", "--remote", &url, "--fresh", "serveHealth"]);
    assert_eq!(copies(&repo).len(), 1);
    assert!(repo.index_refs().len() == 3 && !here.path().join(".git").exists(), "nothing is written here");
}

#[test]
fn new_commits_bring_what_differs() {
    let repo = Repo::new();
    for n in 0..300 {
        let body: String =
            (0..10).map(|m| format!("    step_{n}_{m} = ledger_{}(t{m})\n", n * 7 + m)).collect();
        repo.write(&format!("pkg{}/mod{n}.py", n % 20), format!("def settle_{n}(total):\n{body}"));
    }
    repo.commit("large");
    repo.cora(&["index"]);
    let bare = published(&repo);
    let daemon = Daemon::start(&repo);
    let (here, url) = (outside(&repo), daemon.url("there.git"));
    here.cora(&["query", "--remote", &url, "-k", "1", "settle_7"]);
    let whole = daemon.sent();
    repo.write("pkg3/mod3.py", "def settle_anew(total):\n    return total\n");
    repo.commit("small");
    repo.cora(&["index"]);
    repo.git(&["push", "-q", &bare.path().display().to_string(), "main", "refs/cora/*"]);
    let found = here.results(&["--remote", &url, "-k", "1", "settle_anew"]);
    assert_eq!(found[0]["path"], "pkg3/mod3.py");
    let next = daemon.sent();
    assert!(next * 5 < whole, "{whole}, then {next}");
}

#[test]
fn without_an_index_there_is_a_way_out() {
    let repo = Repo::sample();
    let bare = published(&repo);
    let daemon = Daemon::start(&repo);
    let (here, url) = (outside(&repo), daemon.url("there.git"));
    let ask = |args: &[&str]| here.try_cora(&[&["query", "--remote", &url, "serveHealth"], args].concat());
    ask(&[]).exits(2).says("has no indexes yet").says("git cora push");

    // For `HEAD` an indexed ancestor answers, with a note. A named revision is not replaced.
    repo.cora(&["index", "HEAD~2"]);
    repo.git(&["push", "-q", &bare.path().display().to_string(), "refs/cora/*"]);
    let old = repo.rev("HEAD~2");
    let run = ask(&["--json"]).exits(0).says("has no index").says("2 commits earlier");
    assert_eq!(run.json()["commit"], old.as_str());
    ask(&["--rev", "main"]).exits(2).says("has no index of 'main'").says(&format!("--rev {old}"));
    ask(&["--rev", &old]).exits(0);

    for (rev, why) in [
        ("nothing", "unknown revision 'nothing' at '"),
        ("0123abc", "only a clone can resolve"),
        ("HEAD~9", "not that long"),
        ("HEAD@{1}", "only a clone can resolve"),
        ("main..v1", "only a clone can resolve"),
        ("-x", "only a clone can resolve"),
    ] {
        ask(&[&format!("--rev={rev}")]).exits(2).says(why);
    }
    here.try_cora(&["query", "--remote", &daemon.url("gone.git"), "x"]).exits(2).says("can't fetch from");
    for url in ["ext::sh -c 'touch pwned'", "--upload-pack=touch pwned", "fd::7", "x://y"] {
        here.try_cora(&["query", &format!("--remote={url}"), "x"]).exits(2).says("can't fetch from");
    }
    here.try_cora(&["query", "--remote", "no/such/path", "x"]).exits(2).says("no such path");
    assert!(!here.path().join("pwned").exists());
}

#[test]
fn both_hashes_paths_and_servers_that_do_not_filter() {
    let repo = Repo::sample_in(&["--object-format=sha256"]);
    repo.cora(&["index"]);
    let bare = published(&repo);
    bare.git(&["config", "uploadpack.allowFilter", "false"]);
    let here = outside(&repo);
    let path = bare.path().display().to_string();
    assert_eq!(here.found(&["--remote", &path, "serveHealth"])[0], "cmd/server.go");
    assert_eq!(here.found(&["--remote", "../there.git", "serveHealth"])[0], "cmd/server.go");
    // The environment of a hook names another repository.
    let other = Repo::sample();
    let hooked = here.with_env("GIT_DIR", other.path().join(".git"));
    assert_eq!(hooked.found(&["--remote", &path, "--rev", "HEAD~0", "serveHealth"])[0], "cmd/server.go");
    assert_eq!(other.index_refs(), Vec::<String>::new());
}

#[test]
fn bad_records_find_nothing_and_harm_nothing() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    let commit = repo.rev("HEAD");
    let name = format!("refs/cora/{commit}");
    // One record is noise, the other belongs to another file.
    let noise = repo.git_input(&["hash-object", "-w", "--stdin"], "noise");
    let other = repo.rev(&format!("{name}:files/web/app.ts"));
    let edits = format!("100644 {noise} 0\tfiles/lib/auth.py\n100644 {other} 0\tfiles/src/header.rs\n");
    let forged = repo.with_env("GIT_INDEX_FILE", repo.root().join("forged"));
    forged.git(&["read-tree", &name]);
    forged.git_input(&["update-index", "--index-info"], edits);
    let tree = forged.git(&["write-tree"]);
    let snapshot = repo.git(&["commit-tree", "-m", "git-cora: snapshot", &tree]);
    let message = format!("git-cora: index of {commit}");
    let top = repo.git(&["commit-tree", "-p", &snapshot, "-m", &message, &tree]);
    repo.git(&["update-ref", &name, &top]);
    let bare = published(&repo);
    let here = outside(&repo);
    let url = bare.url();
    let run = here.try_cora(&["query", "--remote", &url, "--json", "refresh_token parse_header serveHealth"]);
    let run = run.exits(0).says("2 records of the remote index are damaged or missing");
    let paths: Vec<_> = run.json()["results"].as_array().unwrap().iter().map(|r| r["path"].clone()).collect();
    assert!(paths.contains(&"cmd/server.go".into()), "{paths:?}");
    assert!(!paths.contains(&"lib/auth.py".into()) && !paths.contains(&"src/header.rs".into()), "{paths:?}");
    // An index that is not an index at all.
    bare.git(&["update-ref", &name, &commit]);
    here.try_cora(&["query", "--remote", &url, "--fresh", "x"]).exits(2).says("is damaged");
}

#[test]
fn little_that_stands_for_much_is_refused() {
    // One record in a thousand places: small to send, large to read.
    let repo = Repo::new();
    let body: String =
        (0..40).map(|n| format!("def settle_{n}(total):\n    return ledger_{n}(total)\n\n\n")).collect();
    for n in 0..1200 {
        repo.write(&format!("pkg{}/mod{n}.py", n % 20), &body);
    }
    repo.write("large.py", format!("def enormous():\n    pass\n{}", "# nothing\n".repeat(200_000)));
    repo.commit("many");
    repo.cora(&["index"]);
    let bare = published(&repo);
    let here = outside(&repo);
    let url = bare.url();
    repo.git(&["config", "--global", "cora.remoteBytes", "1m"]);
    let run = here.try_cora(&["query", "--remote", &url, "settle_7"]);
    run.exits(2).says("bytes of records").says("more than 1048576");
    repo.git(&["config", "--global", "--unset", "cora.remoteBytes"]);
    here.cora(&["query", "--remote", &url, "-k", "1", "settle_7"]);
    // The prepared segment is still searched; its sources have a limit too.
    repo.git(&["config", "--global", "cora.remoteBytes", "1m"]);
    let run = here.cora(&["query", "--remote", &url, "-k", "1", "enormous"]);
    run.prints("large.py").says("source of 1 result could not be fetched, or is too large");
}

#[test]
fn sources_that_do_not_come_are_missed() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    let bare = published(&repo);
    let here = outside(&repo);
    let (head, url) = (repo.rev("HEAD"), bare.url());
    let ask = |what: &str| here.try_cora(&["query", "--remote", &url, "--rev", &head, "-k", "1", what]);
    ask("refresh_token").exits(0);
    std::fs::rename(bare.path(), repo.root().join("gone.git")).unwrap();
    ask("serveHealth").exits(0).prints("cmd/server.go").says("could not be fetched");
    // The source can't be read, so "nothing found" would be wrong.
    ask("\"the load balancer\"").exits(2).says("can't fetch from");
}

/// Starts a server that speaks protocol version 2 and answers with a pack that starts with `pack`.
fn hostile(pack: Vec<u8>) -> Server {
    let line = |bytes: &[u8]| [format!("{:04x}", bytes.len() + 4).as_bytes(), bytes].concat();
    Server::start(move |_, asked| {
        if asked.line.starts_with("GET") {
            let lines = ["version 2\n", "ls-refs\n", "fetch=shallow filter\n", "object-format=sha1\n"];
            let lines = lines.iter().flat_map(|text| line(text.as_bytes()));
            let head = [line(b"# service=git-upload-pack\n"), b"0000".to_vec()].concat();
            let body = [head, lines.collect(), b"0000".to_vec()].concat();
            return Answer::new(200, body)
                .with("content-type", "application/x-git-upload-pack-advertisement");
        }
        let is_list = asked.body.windows(7).any(|window| window == b"ls-refs");
        let body = if is_list {
            let id = "1".repeat(40);
            [line(format!("{id} HEAD symref-target:refs/heads/main\n").as_bytes()), b"0000".to_vec()].concat()
        } else {
            let bands = pack.chunks(60_000).flat_map(|part| line(&[&[1], part].concat()));
            [line(b"packfile\n"), bands.collect()].concat()
        };
        Answer::new(200, body).with("content-type", "application/x-git-upload-pack-result")
    })
}

#[test]
fn a_pack_without_an_end_is_cut() {
    let repo = Repo::new();
    repo.git(&["config", "--global", "cora.remoteBytes", "1m"]);
    // A pack that claims a million blobs, each stored without compression: 8 MB in all.
    let mut pack = [b"PACK".as_slice(), &2_u32.to_be_bytes(), &1_000_000_u32.to_be_bytes()].concat();
    for n in 0..140_u32 {
        let data: Vec<u8> =
            (0..60_000_u32).flat_map(|at| [(at.wrapping_mul(n + 7) >> 3).to_le_bytes()[0]]).collect();
        let (mut size, mut head) = (data.len() >> 4, vec![0xb0 | u8::try_from(data.len() & 15).unwrap()]);
        while size > 0 {
            let more = if size >> 7 > 0 { 0x80 } else { 0 };
            head.push(u8::try_from(size & 0x7f).unwrap() | more);
            size >>= 7;
        }
        let length = u16::try_from(data.len()).unwrap();
        let zlib = [&[0x78, 1, 1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), &data].concat();
        pack.extend([head, zlib, adler32(&data).to_be_bytes().to_vec()].concat());
    }
    let server = hostile(pack);
    let here = outside(&repo);
    let start = Instant::now();
    let run = here.try_cora(&["query", "--remote", &server.url("/x.git"), "anything"]);
    run.exits(2).says("sends more than 1048576 bytes").says("cora.remoteBytes");
    assert!(start.elapsed() < Duration::from_secs(60));
    let packs = copies(&repo).remove(0).join("objects/pack");
    assert_eq!(std::fs::read_dir(packs).unwrap().count(), 0, "nothing is left of it");
}

fn adler32(data: &[u8]) -> u32 {
    let (a, b) = data.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    b << 16 | a
}

#[test]
fn redirects_and_nonsense_end_in_an_error() {
    let repo = Repo::new();
    let here = outside(&repo);
    let secret = Server::start(|_, _| Answer::new(200, "secret of the inner network"));
    let target = secret.url("/inner");
    let server = Server::start(move |_, _| Answer::new(302, "").with("location", &target));
    let url = server.url("/x.git").replace("http://", "http://me:pass-word@");
    let run = here.try_cora(&["query", "--remote", &url, "x"]).exits(2).says("can't fetch from");
    assert!(!run.err.contains("pass-word") && !run.err.contains("secret of"), "{}", run.err);
    let sent: Vec<_> =
        secret.asked().iter().filter_map(|asked| asked.header("authorization").map(str::to_owned)).collect();
    assert_eq!(sent, Vec::<String>::new(), "a key of one host is not for another");
    let elsewhere = Server::start(|_, _| Answer::new(302, "").with("location", "file:///etc/passwd"));
    here.try_cora(&["query", "--remote", &elsewhere.url("/x"), "x"]).exits(2).says("can't fetch from");
    // The password of an address is stored nowhere.
    for copy in copies(&repo) {
        let config = std::fs::read_to_string(copy.join("config")).unwrap();
        assert!(!config.contains("pass-word"), "{config}");
    }
    let broken = hostile(b"PACK and then nothing that makes sense".to_vec());
    here.try_cora(&["query", "--remote", &broken.url("/x"), "x"]).exits(2).says("can't fetch from");
}

#[test]
fn copies_make_room_for_others() {
    let repo = Repo::sample();
    repo.cora(&["index"]);
    let bare = published(&repo);
    let second = bare.clone_to("second.git", &["--mirror"]);
    second.git(&["config", "uploadpack.allowFilter", "true"]);
    let here = outside(&repo);
    for name in ["there.git", "second.git"] {
        here.cora(&["query", "--remote", &format!("../{name}"), "serveHealth"]);
    }
    assert_eq!(copies(&repo).len(), 2);
    repo.git(&["config", "--global", "cora.remoteCacheBytes", "1"]);
    here.cora(&["query", "--remote", "../second.git", "serveHealth"]);
    let left = copies(&repo);
    assert!(left.len() == 1 && left[0].display().to_string().contains("second"), "{left:?}");
}
