//! `cargo xtask lab kill`: ends commands with `SIGKILL` at random moments and counts what is left.
//!
//! Each round copies a repository and its remote, starts the command there and kills it. It counts
//! temporary files, locks of Git's and unusable refs. Then Git and the command itself must work:
//! `git fsck`, a branch that comes and goes, packed refs, and the same command once more.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use xtask_lab::product;
use xtask_lab::random::Random;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The program; built if none is given.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// Number of times that each command is killed.
    #[arg(long, default_value_t = 100)]
    rounds: usize,
    /// Seed of the random moments.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Kill only these commands.
    #[arg(value_name = "COMMAND")]
    commands: Vec<String>,
}

/// The commands: name and arguments.
const COMMANDS: [(&str, &[&str]); 6] = [
    ("index", &["index"]),
    ("query", &["query", "ledger_7_3"]),
    ("push", &["push"]),
    ("fetch", &["fetch"]),
    ("prune", &["prune"]),
    ("hook", &["hook", "post-commit"]),
];

/// Number of files of the repository.
const FILES: usize = 120;

/// Number of refs that `prune` drops: some packed, some loose.
const LOST: [usize; 2] = [100, 100];

/// Time that programs have to end which the killed one has started.
const LINGER: Duration = Duration::from_millis(200);

/// What the rounds of one command left.
#[derive(Debug, Default)]
struct Tally {
    n_killed: usize,
    temporary: usize,
    locks: usize,
    bad_refs: usize,
    git_fails: usize,
    again_fails: usize,
    /// One example of each kind of file.
    examples: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let binary = match &options.binary {
        Some(binary) => binary.canonicalize()?,
        None => product::build()?,
    };
    let dir = tempfile::Builder::new().prefix("git-cora-kill-").tempdir()?;
    let place = Place { binary, dir: dir.path().to_owned() };
    let mut random = Random::new(options.seed);
    println!(
        "| command | killed | temporary files | locks | unusable refs | Git fails | the command fails |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut examples = Vec::new();
    let is_chosen =
        |name: &str| options.commands.is_empty() || options.commands.iter().any(|one| one == name);
    for (name, args) in COMMANDS.iter().filter(|(name, _)| is_chosen(name)) {
        let tally = place.rounds(name, args, options.rounds, &mut random)?;
        println!(
            "| {name} | {} of {} | {} | {} | {} | {} | {} |",
            tally.n_killed,
            options.rounds,
            tally.temporary,
            tally.locks,
            tally.bad_refs,
            tally.git_fails,
            tally.again_fails
        );
        examples.extend(tally.examples.into_iter().map(|example| format!("{name}: {example}")));
    }
    for example in examples {
        println!("{example}");
    }
    Ok(())
}

/// Where the repositories are.
struct Place {
    binary: PathBuf,
    dir: PathBuf,
}

impl Place {
    fn command(&self, program: &Path, at: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            command.env_remove(name);
        }
        command.current_dir(at).args(args).stdin(Stdio::null());
        command
            .env("HOME", &self.dir)
            .env("XDG_CACHE_HOME", self.dir.join("cache"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("LC_ALL", "C");
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), "kill")
                .env(format!("GIT_{role}_EMAIL"), "kill@example.org");
        }
        command
    }

    fn git(&self, at: &Path, args: &[&str]) -> Result<Output> {
        self.command(Path::new("git"), at, args).output().context("can't run git")
    }

    fn must(&self, program: &Path, at: &Path, args: &[&str]) -> Result<String> {
        let output = self.command(program, at, args).output().context("can't run a program")?;
        let error = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{} {args:?}: {}", program.display(), error.trim());
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }

    /// Makes the repository `here` and its remote `there`, as they are before a command.
    fn prepare(&self, name: &str, at: &Path) -> Result<()> {
        let (here, git) = (at.join("here"), Path::new("git"));
        fs::create_dir_all(&here)?;
        self.must(git, at, &["init", "-q", "--bare", "there.git"])?;
        self.must(git, &here, &["init", "-q", "-b", "main"])?;
        self.must(git, &here, &["remote", "add", "origin", "../there.git"])?;
        for n in 0..FILES {
            let one = |m| format!("def ledger_{n}_{m}(total):\n    return total * {m} + settle({n})\n\n");
            fs::write(here.join(format!("mod{n}.py")), (0..20).map(one).collect::<String>())?;
        }
        let commit = |message| {
            self.must(git, &here, &["add", "-A"])?;
            self.must(git, &here, &["commit", "-q", "-m", message])
        };
        commit("first")?;
        self.must(git, &here, &["push", "-q", "origin", "main"])?;
        if matches!(name, "query" | "push" | "fetch" | "hook") {
            self.must(&self.binary, &here, &["index", "-q"])?;
        }
        match name {
            "query" => fs::remove_dir_all(here.join(".git/cora"))?,
            "fetch" => {
                self.must(&self.binary, &here, &["push", "-q"])?;
                fs::remove_dir_all(&here)?;
                self.must(git, at, &["clone", "-q", "there.git", "here", "-b", "main"])?;
            }
            "prune" => {
                let head = self.must(git, &here, &["rev-parse", "HEAD"])?;
                for (from, n) in (1..).step_by(1000).zip(LOST) {
                    for at in from..from + n {
                        fs::create_dir_all(here.join(".git/refs/cora"))?;
                        fs::write(here.join(format!(".git/refs/cora/{at:040x}")), format!("{head}\n"))?;
                    }
                    if from == 1 {
                        self.must(git, &here, &["pack-refs", "--all"])?;
                    }
                }
            }
            "hook" => {
                for n in 0..FILES / 2 {
                    fs::write(here.join(format!("mod{n}.py")), format!("def other_{n}():\n    pass\n"))?;
                }
                commit("second")?;
            }
            _ => {}
        }
        Ok(())
    }

    fn rounds(&self, name: &str, args: &[&str], rounds: usize, random: &mut Random) -> Result<Tally> {
        let whole = self.dir.join(format!("{name}-template"));
        self.prepare(name, &whole)?;
        let round = self.dir.join(name);
        // The time of a run that nobody kills, the shorter of two: a later moment kills nothing.
        let mut whole_run = Duration::MAX;
        for _ in 0..2 {
            copy(&whole, &round)?;
            let begun = Instant::now();
            self.must(&self.binary, &round.join("here"), args)?;
            whole_run = whole_run.min(begun.elapsed());
        }
        let mut tally = Tally::default();
        for _ in 0..rounds {
            copy(&whole, &round)?;
            let here = round.join("here");
            let mut child = self
                .command(&self.binary, &here, args)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .context("can't run the program")?;
            std::thread::sleep(whole_run.mul_f32(random.unit()));
            tally.n_killed += usize::from(child.try_wait()?.is_none());
            child.kill()?;
            child.wait()?;
            std::thread::sleep(LINGER);
            self.look(&round, args, &mut tally)?;
        }
        Ok(tally)
    }

    /// Counts what a killed command left.
    fn look(&self, round: &Path, args: &[&str], tally: &mut Tally) -> Result<()> {
        let here = round.join("here");
        let mut left = Vec::new();
        for git_dir in [here.join(".git"), round.join("there.git")] {
            debris(&git_dir, &mut left)?;
        }
        let is_lock = |path: &&PathBuf| path.extension().is_some_and(|end| end == "lock");
        let n_locks = left.iter().filter(is_lock).count();
        tally.locks += n_locks;
        tally.temporary += left.len() - n_locks;
        for path in left {
            let path = path.strip_prefix(round).unwrap_or(&path).to_string_lossy().into_owned();
            // Ids and random names differ each time.
            let kind: String = path.chars().filter(|c| !c.is_ascii_digit()).take(40).collect();
            let is_known = |known: &String| {
                known.chars().filter(|c| !c.is_ascii_digit()).take(kind.chars().count()).eq(kind.chars())
            };
            if !tally.examples.iter().any(is_known) && tally.examples.len() < 8 {
                tally.examples.push(path);
            }
        }
        let refs =
            self.git(&here, &["for-each-ref", "--format=%(objecttype)", "refs/cora", "refs/cora-local"])?;
        tally.bad_refs += usize::from(!refs.status.success() || !refs.stderr.is_empty());
        let works = [
            (&here, &["fsck", "--strict", "--no-dangling", "--no-progress"][..]),
            (&round.join("there.git"), &["fsck", "--strict", "--no-dangling", "--no-progress"]),
            (&here, &["branch", "other"]),
            (&here, &["pack-refs", "--all"]),
            (&here, &["branch", "-q", "-D", "other"]),
        ];
        for (at, args) in works {
            let output = self.git(at, args)?;
            if !output.status.success() {
                tally.git_fails += 1;
                let error = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                tally.examples.push(format!("git {}: {error}", args.join(" ")));
                break;
            }
        }
        let again = self.command(&self.binary, &here, args).output().context("can't run the program")?;
        if !again.status.success() {
            tally.again_fails += 1;
            let error = String::from_utf8_lossy(&again.stderr).trim().to_owned();
            tally.examples.push(format!("{}: {error}", args.join(" ")));
        }
        Ok(())
    }
}

/// Copies a directory, in place of whatever was at `to`.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Adds the temporary files and Git's locks below a directory. Our own locks are files that stay; a
/// process holds one only as long as it lives.
fn debris(dir: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if entry.file_type()?.is_dir() {
            debris(&path, found)?;
            continue;
        }
        let is_lock_of_git = name.ends_with(".lock") && !dir.ends_with("cora") && !dir.ends_with("turns");
        if is_lock_of_git || name.contains("tmp") || name.starts_with(".cora-") || name.starts_with(".tmp") {
            found.push(path);
        }
    }
    Ok(())
}
