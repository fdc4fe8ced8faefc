//! `cargo xtask dist` as it is run: every package is written, holds the program, and installs with
//! the tool that it is for. A tool that is missing is named, and its test passes.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, clippy::panic)]
#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "a test of the workshop")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const LINUX: &str = "x86_64-unknown-linux-musl";

/// A small program in place of the real one: it answers as that does, and ends as it is asked to.
const PROGRAM: &str = r#"
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("--version") => println!("git-cora VERSION"),
        Some("exit") => std::process::exit(args[1].parse().unwrap()),
        Some("abort") => std::process::abort(),
        Some("cat") => print!("{}", std::io::read_to_string(std::io::stdin()).unwrap()),
        _ => println!("ran {args:?}"),
    }
}
"#;

/// The folder with that program, and with the packages of it.
static BUILT: LazyLock<(TempDir, TempDir)> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let program = compile(dir.path(), VERSION);
    let out = tempfile::tempdir().unwrap();
    let run = dist(&["--target", LINUX, "--binary", program.to_str().unwrap()], out.path());
    assert!(run.status.success(), "{}", text(&run));
    (dir, out)
});

/// Compiles the program so that it needs no C library.
fn compile(dir: &Path, version: &str) -> PathBuf {
    let (source, program) = (dir.join("program.rs"), dir.join("git-cora"));
    fs::write(&source, PROGRAM.replace("VERSION", version)).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command
        .args(["-C", "target-feature=+crt-static", "-C", "strip=symbols", "-o"])
        .arg(&program)
        .arg(&source);
    let run = command.output().unwrap();
    assert!(run.status.success(), "{}", text(&run));
    program
}

fn dist(args: &[&str], out: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask-dist"));
    command.args(args).arg("--out").arg(out).env("SOURCE_DATE_EPOCH", "1700000000");
    command.output().unwrap()
}

fn text(run: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr))
}

/// Runs a command, which must succeed, and returns what it prints.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", text(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Whether a tool is installed; says so if it is not.
fn has(tool: &str) -> bool {
    let is_there = Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("'{tool}' is not installed: packages for it are not tried");
    }
    is_there
}

fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(dir).unwrap().map(|file| file.unwrap());
    files.map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap())).collect()
}

fn packages() -> &'static Path {
    BUILT.1.path()
}

#[test]
fn the_same_program_gives_the_same_packages() {
    let names: Vec<_> = files(packages()).into_keys().collect();
    let expected = [
        "Dockerfile".to_owned(),
        "SHA256SUMS".to_owned(),
        format!("git-cora-{VERSION}-{LINUX}.tar.gz"),
        format!("git-cora-{VERSION}.tgz"),
        format!("git-cora-linux-x64-{VERSION}.tgz"),
        "git-cora.rb".to_owned(),
        format!("git-cora_{VERSION}_amd64.deb"),
        format!(
            "git_cora-{VERSION}-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl"
        ),
    ];
    assert_eq!(names, expected);
    let again = tempfile::tempdir().unwrap();
    let program = BUILT.0.path().join("git-cora");
    let run_again = dist(&["--binary", program.to_str().unwrap()], again.path());
    assert!(run_again.status.success(), "{}", text(&run_again));
    assert!(files(packages()) == files(again.path()), "the packages differ");
    run(Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(packages()));
    // Another time changes the packages.
    let later = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask-dist"));
    command.args(["--format", "archive", "--binary"]).arg(program).arg("--out").arg(later.path());
    run(command.env("SOURCE_DATE_EPOCH", "1800000000"));
    let name = format!("git-cora-{VERSION}-{LINUX}.tar.gz");
    assert!(files(later.path())[&name] != files(packages())[&name]);
    assert_eq!(files(later.path()).len(), 2, "only what was asked for, and the checksums");
}

#[test]
fn the_archive_unpacks_into_a_prefix() {
    let dir = tempfile::tempdir().unwrap();
    let archive = packages().join(format!("git-cora-{VERSION}-{LINUX}.tar.gz"));
    let listed = run(Command::new("tar").arg("-tvzf").arg(&archive));
    let paths: Vec<_> = listed.lines().map(|line| line.split_whitespace().last().unwrap()).collect();
    assert!(paths.is_sorted() && listed.lines().all(|line| line.contains(" 0/0 ")), "{listed}");
    run(Command::new("tar")
        .arg("-xzf")
        .arg(&archive)
        .args(["--strip-components", "1", "-C"])
        .arg(dir.path()));
    assert_eq!(run(Command::new(dir.path().join("bin/git-cora")).arg("a b")), "ran [\"a b\"]\n");
    for path in [
        "share/man/man1/git-cora.1",
        "share/man/man1/git-cora-query.1",
        "share/bash-completion/completions/git-cora",
        "share/zsh/site-functions/_git-cora",
        "share/fish/vendor_completions.d/git-cora.fish",
        "share/doc/git-cora/LICENSE-MIT",
        "share/doc/git-cora/README.md",
    ] {
        assert!(dir.path().join(path).is_file(), "{path}");
    }
}

#[test]
fn npm_installs_it_without_a_network() {
    if !has("npm") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let platform = packages().join(format!("git-cora-linux-x64-{VERSION}.tgz"));
    let main = packages().join(format!("git-cora-{VERSION}.tgz"));
    let mut install = Command::new("npm");
    install.args(["install", "--offline", "--no-audit", "--no-fund", "--global", "--prefix"]).arg(dir.path());
    install.env("HOME", dir.path()).env("npm_config_cache", dir.path().join("cache"));
    run(install.arg(&platform).arg(&main));
    let program = dir.path().join("bin/git-cora");
    assert_eq!(run(Command::new(&program).arg("--version")), format!("git-cora {VERSION}\n"));
    assert_eq!(run(Command::new(&program).args(["a b", "--c"])), "ran [\"a b\", \"--c\"]\n");
    assert!(dir.path().join("share/man/man1/git-cora-query.1").exists());
    // The launcher ends as the program ends, and passes its input through.
    assert_eq!(Command::new(&program).args(["exit", "7"]).status().unwrap().code(), Some(7));
    let aborted = Command::new(&program).arg("abort").output().unwrap().status;
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&aborted), Some(6), "{aborted}");
    let shell = format!("echo hello | '{}' cat", program.display());
    assert_eq!(run(Command::new("sh").args(["-c", &shell])), "hello\n");
    // Without the package of the platform, it says what to do.
    fs::remove_dir_all(dir.path().join("lib/node_modules/@git-cora")).unwrap();
    let alone = Command::new(&program).output().unwrap();
    assert_eq!(alone.status.code(), Some(2));
    assert!(text(&alone).contains("'@git-cora/linux-x64' is not installed\nhint: "), "{}", text(&alone));
}

#[test]
fn pip_installs_it_without_a_network() {
    if !has("python3") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let venv = dir.path().join("venv");
    if !Command::new("python3").args(["-m", "venv"]).arg(&venv).output().unwrap().status.success() {
        eprintln!("python3 has no 'venv': the wheel is not tried");
        return;
    }
    let mut pip = Command::new(venv.join("bin/pip"));
    pip.args(["install", "--no-index", "--disable-pip-version-check", "--find-links"]).arg(packages());
    run(pip.arg("git-cora"));
    assert_eq!(
        run(Command::new(venv.join("bin/git-cora")).arg("--version")),
        format!("git-cora {VERSION}\n")
    );
    assert!(venv.join("share/man/man1/git-cora.1").is_file());
    // `pip check` reads the metadata, and `pip show` the record.
    run(Command::new(venv.join("bin/pip")).arg("check"));
    let shown = run(Command::new(venv.join("bin/pip")).args(["show", "--files", "git-cora"]));
    assert!(shown.contains(&format!("Version: {VERSION}")) && shown.contains("bin/git-cora"), "{shown}");
    run(Command::new(venv.join("bin/pip")).args(["uninstall", "--yes", "git-cora"]));
    assert!(!venv.join("bin/git-cora").exists());
}

#[test]
fn dpkg_reads_the_package() {
    if !has("dpkg-deb") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let package = packages().join(format!("git-cora_{VERSION}_amd64.deb"));
    let field = |name: &str| run(Command::new("dpkg-deb").arg("--field").arg(&package).arg(name));
    assert_eq!(field("Version").trim(), VERSION);
    assert_eq!((field("Architecture").trim(), field("Depends").trim()), ("amd64", "git (>= 1:2.30)"));
    let contents = run(Command::new("dpkg-deb").arg("--contents").arg(&package));
    assert!(
        contents.lines().all(|line| line.contains(" root/root ") || line.contains(" 0/0 ")),
        "{contents}"
    );
    run(Command::new("dpkg-deb").arg("--extract").arg(&package).arg(dir.path()));
    let program = dir.path().join("usr/bin/git-cora");
    assert_eq!(run(Command::new(program).arg("--version")), format!("git-cora {VERSION}\n"));
    for path in ["man/man1/git-cora.1.gz", "doc/git-cora/copyright", "doc/git-cora/changelog.gz"] {
        assert!(dir.path().join("usr/share").join(path).is_file(), "{path}");
    }
}

#[test]
fn a_release_names_every_archive_with_its_checksum() {
    let (dir, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let empty = dist(&["--assemble"], out.path());
    assert!(!empty.status.success() && text(&empty).contains("no npm package"), "{}", text(&empty));
    let program = BUILT.0.path().join("git-cora");
    let (windows, mac) = (dir.path().join("a.exe"), dir.path().join("mac"));
    fs::write(&windows, "MZ").unwrap();
    fs::write(&mac, b"\xcf\xfa\xed\xfe\x0c\0\0\x01").unwrap();
    for (target, path) in
        [(LINUX, &program), ("x86_64-pc-windows-msvc", &windows), ("aarch64-apple-darwin", &mac)]
    {
        let formats = "archive,npm,pypi,deb";
        let run =
            dist(&["--target", target, "--binary", path.to_str().unwrap(), "--format", formats], out.path());
        assert!(run.status.success(), "{}", text(&run));
    }
    let assembled = dist(&["--assemble"], out.path());
    assert!(assembled.status.success(), "{}", text(&assembled));
    let files = files(out.path());
    let read = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    let sums = read("SHA256SUMS");
    let sum = |name: &str| {
        let line = sums.lines().find(|line| line.ends_with(&format!("  {name}"))).unwrap();
        line.split_once(' ').unwrap().0
    };
    let formula = read("git-cora.rb");
    for target in [LINUX, "aarch64-apple-darwin"] {
        assert!(formula.contains(sum(&format!("git-cora-{VERSION}-{target}.tar.gz"))), "{formula}");
    }
    assert!(formula.contains("on_macos do\n    on_arm do\n") && !formula.contains("{{"), "{formula}");
    let scoop: serde_json::Value = serde_json::from_str(&read("git-cora.json")).unwrap();
    let zip = format!("git-cora-{VERSION}-x86_64-pc-windows-msvc.zip");
    assert_eq!(scoop["architecture"]["64bit"]["hash"], sum(&zip));
    assert_eq!(scoop["extract_dir"], zip.trim_end_matches(".zip"));
    // The npm package depends on those of the three platforms, at its own version.
    let main = out.path().join(format!("git-cora-{VERSION}.tgz"));
    let package = run(Command::new("tar").arg("-xzOf").arg(main).arg("package/package.json"));
    let package: serde_json::Value = serde_json::from_str(&package).unwrap();
    let expected = serde_json::json!({
        "@git-cora/darwin-arm64": VERSION, "@git-cora/linux-x64": VERSION, "@git-cora/win32-x64": VERSION
    });
    assert_eq!(package["optionalDependencies"], expected);
    assert!(read("Dockerfile").contains(&format!("git-cora-{VERSION}-*-unknown-linux-musl.tar.gz")));
}

#[test]
fn what_can_not_be_packaged_is_refused() {
    let (dir, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let program = BUILT.0.path().join("git-cora");
    let program = program.to_str().unwrap();
    let older = compile(dir.path(), "0.0.1");
    let script = dir.path().join("script");
    fs::write(&script, "#!/bin/sh\n").unwrap();
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    for (args, expected) in [
        (vec!["--binary".to_owned(), path(&older)], "is 'git-cora 0.0.1', expected"),
        (vec!["--binary".to_owned(), path(&script)], "it is not a program for 'x86_64-unknown-linux-musl'"),
        (vec!["--binary".to_owned(), path(&dir.path().join("missing"))], "can't read"),
        (vec!["--target".to_owned(), "vax".to_owned()], "unknown target 'vax'\nhint: known targets: "),
        (
            vec![
                "--target".to_owned(),
                format!("{LINUX},aarch64-apple-darwin"),
                "--binary".to_owned(),
                program.to_owned(),
            ],
            "'--binary' is a program for one target, and there are 2",
        ),
    ] {
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let run = dist(&args, out.path());
        assert!(!run.status.success() && text(&run).contains(expected), "{args:?}: {}", text(&run));
    }
    assert!(files(out.path()).is_empty(), "nothing is written");
    // A compiler for another platform that is not installed. Which one, depends on the machine.
    let installed =
        run(Command::new("rustc").args(["--print", "target-libdir", "--target", "aarch64-apple-darwin"]));
    if !Path::new(installed.trim()).is_dir() {
        let run = dist(&["--target", "aarch64-apple-darwin"], out.path());
        assert!(text(&run).contains("hint: rustup target add aarch64-apple-darwin"), "{}", text(&run));
    }
    // Packages of another version in the folder would get a checksum beside ours.
    fs::write(out.path().join("git-cora-0.0.1.tgz"), "").unwrap();
    let run = dist(&["--binary", program, "--format", "archive"], out.path());
    assert!(text(&run).contains("is of another version\nhint: "), "{}", text(&run));
}
