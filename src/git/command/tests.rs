//! Tests of how `git` is run.

use super::*;

#[test]
fn the_reasons_of_git_have_no_advice() {
    let text = "hint: Use another file\nhint:\nwarning: x\nerror: one\nfatal: two: three";
    assert_eq!(reasons(text), "error: one; fatal: two: three");
    assert_eq!(reasons("usage: git x"), "usage: git x");
    assert_eq!(reasons("hint: grafts are deprecated\nwarning: x"), "warning: x");
    assert_eq!(reasons("hint: alone"), "hint: alone");
}
use crate::git::testing::Fixture;

#[test]
fn output_status_and_input_come_through() {
    let fixture = Fixture::with_history();
    let repo = fixture.open();
    let ok = repo.git(&["hash-object", "--stdin"]).input(b"x\n".to_vec()).run().unwrap();
    assert_eq!(ok.stdout, b"587be6b4c3f93f93c489c0111bba5596147a26cb\n");
    let error = repo.git(&["rev-parse", "--verify", "nothing"]).run().unwrap_err();
    assert!(matches!(error, Error::Command { ref command, status: Some(128), .. } if command == "rev-parse"));
    assert!(error.to_string().contains("Needed a single revision"), "{error}");
}

/// Seconds that a program of a program sleeps, which is nobody's to stop.
const NAP: u64 = 20;

/// Runs something that must end long before the nap of the program that it starts.
#[track_caller]
fn ends_early<T>(run: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let outcome = run();
    assert!(begun.elapsed() < Duration::from_secs(NAP / 2), "it took {:?}", begun.elapsed());
    outcome
}

/// Commands whose own child sleeps: one waits for it, the others leave it with their pipes.
#[cfg(unix)]
fn naps() -> [String; 4] {
    [
        format!("alias.nap=!sleep {NAP}; true"),
        format!("alias.nap=!sleep {NAP} &"),
        format!("alias.nap=!sleep {NAP} >&2 2>/dev/null &"),
        format!("alias.nap=!trap '' TERM; sleep {NAP}; true"),
    ]
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_the_program_and_the_wait_for_those_it_started() {
    let fixture = Fixture::new();
    for (nap, late_ms) in naps().into_iter().zip([0, 300, 300, 300]) {
        let cancel = Cancel::default();
        let later = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(late_ms));
            later.cancel();
        });
        let command = fixture.open().git(&["-c", &nap, "nap"]).cancel(&cancel);
        let run = ends_early(|| command.input(vec![b'x'; 1 << 20]).run_any());
        assert!(matches!(run, Err(Error::Cancelled)), "{nap}: {run:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_time_limit_holds_for_those_it_started() {
    let fixture = Fixture::new();
    let bounds = Bounds { file_bytes: 4096, time: Duration::from_millis(300) };
    for nap in naps() {
        let nap = nap.replace("!", "!echo begun; ");
        let command = fixture.open().git(&["-c", &nap, "nap"]).bounded(bounds);
        let output = ends_early(|| command.run_any()).unwrap();
        assert!(output.is_late, "{nap}: {output:?}");
        assert_eq!(output.stdout, b"begun\n", "what came before is kept");
    }
}

#[cfg(unix)]
#[test]
fn without_a_limit_the_output_of_those_it_started_is_waited_for() {
    let late = "alias.late=!(sleep 0.3; echo late) &";
    let output = Fixture::new().open().git(&["-c", late, "late"]).run_any().unwrap();
    assert_eq!((output.stdout.as_slice(), output.is_late), (&b"late\n"[..], false));
}

#[test]
fn time_and_bytes_are_bounded() {
    let fixture = Fixture::new();
    let bounds = Bounds { file_bytes: 4096, time: Duration::from_millis(100) };
    let nap = format!("alias.nap=!sleep {NAP}");
    let command = fixture.open().git(&["-c", &nap, "nap"]).bounded(bounds);
    let output = ends_early(|| command.run_any());
    assert!(output.is_ok_and(|output| output.is_late && !output.success()));
    let bounds = Bounds { time: Duration::from_secs(60), ..bounds };
    let noise = "alias.noise=!head -c 1000000 /dev/zero >&2";
    let output = fixture.open().git(&["-c", noise, "noise"]).bounded(bounds).run_any().unwrap();
    assert!(output.success() && output.stderr.len() as u64 <= STDERR_BYTES);
    for (bytes, fits) in [(4096, true), (40_960, false)] {
        let fill = format!("alias.fill=!head -c {bytes} /dev/zero > filled");
        let output = fixture.open().git(&["-c", &fill, "fill"]).bounded(bounds).run_any().unwrap();
        assert_eq!((output.success(), output.is_late), (fits || cfg!(windows), false), "{output:?}");
    }
}
