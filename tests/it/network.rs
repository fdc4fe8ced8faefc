//! The everyday commands need no network and never try to use one.

use std::io::ErrorKind;
use std::net::TcpListener;

use crate::harness::{CORA, Repo};

/// The commands that a user runs every day.
const JOB: [&[&str]; 7] = [
    &["init"],
    &["index"],
    &["query", "--json", "where is the retry"],
    &["query", "--rev", "HEAD", "--format", "rag", "open a file"],
    &["list"],
    &["verify"],
    &["doctor"],
];

fn prepared() -> Repo {
    // `doctor` expects to find the program.
    let repo = Repo::sample().with_cora_on_path();
    repo.write("new.py", "def retry_upload(file):\n    return file\n");
    repo
}

/// A client that follows the proxy variables would connect to this listener. Ours must not connect
/// at all.
#[test]
fn nothing_is_asked_through_a_proxy() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let proxy = format!("http://{}", listener.local_addr().unwrap());
    let repo = prepared();
    for args in JOB {
        let mut command = repo.command(CORA);
        for name in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env(name, &proxy);
        }
        let output = command.args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "somebody called");
}

/// Everything works in a network namespace where not even the loopback is up. If `strace` is
/// available, no system call may try to connect.
#[cfg(target_os = "linux")]
#[test]
fn it_works_where_there_is_no_network() {
    let can = |program: &str, args: &[&str]| {
        std::process::Command::new(program).args(args).output().is_ok_and(|output| output.status.success())
    };
    if !can("unshare", &["--user", "--map-root-user", "--net", "true"]) {
        // The test above still covers this machine.
        return;
    }
    let (inside, outside) = (prepared(), prepared());
    let trace = inside.root().join("trace");
    let has_strace =
        can("unshare", &["--user", "--map-root-user", "--net", "strace", "-o", "/dev/null", "true"]);
    for args in JOB {
        let mut command = inside.command("unshare");
        command.args(["--user", "--map-root-user", "--net"]);
        if has_strace {
            command.args(["strace", "-f", "-qq", "-e", "trace=%network", "-A", "-o"]).arg(&trace);
        }
        let output = command.arg(CORA).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        let expected = outside.try_cora(args);
        if args[0] == "list" {
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected.out, "{args:?}");
        }
    }
    let index = |repo: &Repo| repo.rev(&format!("refs/cora/{}", repo.rev("HEAD")));
    assert_eq!(index(&inside), index(&outside));
    if has_strace {
        let calls = std::fs::read_to_string(&trace).unwrap_or_default();
        let tried: Vec<&str> = calls.lines().filter(|line| line.contains("AF_INET")).collect();
        assert!(tried.is_empty(), "{tried:?}");
    }
}
