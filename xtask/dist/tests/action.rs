//! The installation of the GitHub Action, from a release in a folder.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, clippy::panic)]
#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "a test of the workshop")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const ARCHIVE: &str = "git-cora-1.2.3-x86_64-unknown-linux-musl";

/// Makes a release with a script as the program.
fn release(dir: &Path) {
    let (top, place) = (dir.join(ARCHIVE), dir.join("v1.2.3"));
    fs::create_dir_all(top.join("bin")).unwrap();
    fs::create_dir_all(&place).unwrap();
    fs::write(top.join("bin/git-cora"), "#!/bin/sh\necho git-cora 1.2.3\n").unwrap();
    let script = format!(
        "chmod +x {ARCHIVE}/bin/git-cora && tar -czf v1.2.3/{ARCHIVE}.tar.gz {ARCHIVE} && \
         cd v1.2.3 && sha256sum {ARCHIVE}.tar.gz >SHA256SUMS"
    );
    assert!(Command::new("sh").args(["-c", &script]).current_dir(dir).status().unwrap().success());
}

fn install(dir: &Path, version: &str) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/action/install.sh");
    let mut command = Command::new("sh");
    command.arg(script).arg(version).arg(dir.join("installed"));
    command.env("CORA_RELEASES", format!("file://{}", dir.display())).output().unwrap()
}

#[test]
fn a_release_is_installed_if_its_checksum_is_right() {
    if Command::new("curl").arg("--version").output().is_err() {
        eprintln!("'curl' is not installed: the action is not tried");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    release(dir.path());
    let run = install(dir.path(), "1.2.3");
    assert_eq!(String::from_utf8_lossy(&run.stdout), "git-cora 1.2.3\n");
    assert!(dir.path().join("installed/bin/git-cora").is_file());
    let fails = |version: &str, expected: &str| {
        fs::remove_dir_all(dir.path().join("installed")).unwrap_or_default();
        let run = install(dir.path(), version);
        let error = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(2), "{error}");
        assert!(error.contains(expected), "{error}");
        assert!(!dir.path().join("installed/bin").exists());
    };
    fails("9.9.9", "error: can't download");
    let sums = dir.path().join("v1.2.3/SHA256SUMS");
    let right = fs::read_to_string(&sums).unwrap();
    fs::write(&sums, right.replace(ARCHIVE, "another")).unwrap();
    fails("1.2.3", "is not among the checksums");
    let wrong =
        if right.starts_with('0') { right.replacen('0', "1", 1) } else { format!("0{}", &right[1..]) };
    fs::write(&sums, wrong).unwrap();
    fails("1.2.3", "is not the one that the release lists");
}
