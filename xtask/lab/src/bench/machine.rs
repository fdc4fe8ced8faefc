//! A description of the machine and of the programs that were measured.
//!
//! Raw times mean nothing without it, so every report starts with it.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Serialize;

/// The machine and the programs on it.
#[derive(Debug, Serialize)]
pub(super) struct Machine {
    cores: usize,
    cpu: String,
    os: String,
    git: String,
    /// `None` where ripgrep is not installed.
    rg: Option<String>,
    git_cora: String,
    /// Load average of the minute before the benchmark, where the system reports it.
    load: Option<String>,
}

impl Machine {
    pub(super) fn describe(binary: &Path) -> Self {
        let unknown = || "unknown".to_owned();
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            cpu: cpu().unwrap_or_else(unknown),
            os: os(),
            git: first_line("git", &["--version"]).unwrap_or_else(unknown),
            rg: first_line("rg", &["--version"]),
            git_cora: first_line(binary, &["--version"]).unwrap_or_else(unknown),
            load: fs::read_to_string("/proc/loadavg")
                .ok()
                .and_then(|text| text.split(' ').next().map(str::to_owned)),
        }
    }

    pub(super) fn text(&self) -> String {
        let rg = self.rg.as_deref().unwrap_or("no ripgrep");
        let load = self.load.as_ref().map_or_else(String::new, |load| format!("; load {load} at the start"));
        format!(
            "Machine: {} cores, {}; {}; {}; {rg}; {}{load}.",
            self.cores, self.cpu, self.os, self.git, self.git_cora
        )
    }
}

fn cpu() -> Option<String> {
    let from_proc = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    from_proc
        .or_else(|| first_line("sysctl", &["-n", "machdep.cpu.brand_string"]))
        .or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok())
}

fn os() -> String {
    let distribution = fs::read_to_string("/etc/os-release").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
        Some(line.trim_matches('"').to_owned())
    });
    let kernel = first_line("uname", &["-sr"]).unwrap_or_else(|| std::env::consts::OS.to_owned());
    let arch = std::env::consts::ARCH;
    match distribution {
        Some(name) => format!("{name}, {kernel}, {arch}"),
        None => format!("{kernel}, {arch}"),
    }
}

fn first_line(program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(|line| line.trim().to_owned())
}
