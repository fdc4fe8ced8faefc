//! The meter: the time, the CPU time and the memory of one command, with its descendants.
//!
//! A process of its own runs the command, because the system reports the CPU time and the memory of
//! all children of a process together. This program therefore starts itself again for each
//! measurement. `/proc` would be simpler, but it counts CPU time in steps of 10 ms. A process that
//! goes on in the background, such as the work of a hook, is not waited for and not counted.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use super::place::Place;

/// What one command took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Usage {
    /// Time from the start to the end, in milliseconds.
    pub(super) wall_ms: f64,
    /// CPU time in user mode and in the kernel, in milliseconds; `None` where the system does not
    /// report it.
    pub(super) cpu_ms: Option<f64>,
    /// Peak memory of the largest process in MB, including mapped files; `None` where the system
    /// does not report it.
    pub(super) peak_mb: Option<f64>,
}

impl Usage {
    /// Returns the mean of several usages, without the figures that one of them lacks. `None` if
    /// there are no usages.
    pub(super) fn mean(all: &[Self]) -> Option<Self> {
        let n = all.len() as f64;
        let mean =
            |pick: fn(&Self) -> Option<f64>| all.iter().map(pick).sum::<Option<f64>>().map(|sum| sum / n);
        let wall_ms = mean(|usage| Some(usage.wall_ms))?;
        let usage =
            Self { wall_ms, cpu_ms: mean(|usage| usage.cpu_ms), peak_mb: mean(|usage| usage.peak_mb) };
        (!all.is_empty()).then_some(usage)
    }
}

/// The message of the process that runs the command.
#[derive(Serialize, Deserialize)]
struct Message {
    /// Exit status of the command; `None` if a signal ended it.
    status: Option<i32>,
    error: String,
    usage: Usage,
}

/// Runs a command in a directory, with the measured build first in `PATH`. Returns what it took.
///
/// # Errors
/// If the command can't be started, and if it ends with another status than those in `good`.
pub(super) fn run(place: &Place, dir: &Path, command: &[&str], good: &[i32]) -> Result<Usage> {
    let own = std::env::current_exe().context("cannot find this program")?;
    let text = place.read(place.command(own, dir).args(["bench", "--meter", "--"]).args(command))?;
    let message: Message = serde_json::from_str(&text).context("the meter's message")?;
    ensure!(
        message.status.is_some_and(|status| good.contains(&status)),
        "{}: {}: {}",
        command.join(" "),
        message.status.map_or_else(|| "killed".to_owned(), |status| format!("exit status {status}")),
        message.error.trim()
    );
    Ok(message.usage)
}

/// Runs the command and prints the message about it: the other side of [`run`].
pub(super) fn one_command(command: &[PathBuf]) -> Result<()> {
    let (program, arguments) = command.split_first().context("no command")?;
    let start = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run '{}'", program.display()))?;
    let wall_ms = start.elapsed().as_secs_f64() * 1000.0;
    let (cpu_ms, peak_mb) = of_children();
    let message = Message {
        status: output.status.code(),
        error: String::from_utf8_lossy(&output.stderr).into_owned(),
        usage: Usage { wall_ms, cpu_ms, peak_mb },
    };
    println!("{}", serde_json::to_string(&message)?);
    Ok(())
}

/// Returns the CPU time in milliseconds and the peak memory in MB of all children that have ended.
#[cfg(unix)]
fn of_children() -> (Option<f64>, Option<f64>) {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    // Linux counts kibibytes, macOS counts bytes.
    let unit = if cfg!(target_os = "macos") { 1.0 } else { 1024.0 };
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or((None, None), |usage| {
        let us = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        (Some(us as f64 / 1000.0), Some(usage.max_rss() as f64 * unit / 1e6))
    })
}

#[cfg(not(unix))]
fn of_children() -> (Option<f64>, Option<f64>) {
    (None, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_leaves_out_what_is_not_reported() {
        let usage = |wall_ms, cpu_ms, peak_mb| Usage { wall_ms, cpu_ms, peak_mb };
        assert_eq!(Usage::mean(&[]), None);
        let all = [usage(1.0, Some(2.0), Some(10.0)), usage(3.0, Some(6.0), None)];
        assert_eq!(Usage::mean(&all), Some(usage(2.0, Some(4.0), None)));
    }
}
