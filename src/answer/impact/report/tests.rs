//! Tests of how an impact is written.

use super::*;
use crate::search::graph::Evidence;

fn place(path: &str, line: u32, symbol: &str) -> Place {
    Place {
        repository: 0,
        path: path.to_owned(),
        line,
        end_line: line + 3,
        symbol: symbol.to_owned(),
        kind: "function".to_owned(),
    }
}

fn sample() -> Impact {
    let caller = |path: &str, symbol: &str, certain: bool, distance: usize| ImpactCaller {
        place: place(path, 7, symbol),
        at: 9,
        relation: "call",
        how: if certain { Evidence::Import } else { Evidence::Name },
        certain,
        distance,
        via: if distance > 1 { "main".to_owned() } else { String::new() },
        test: path.contains("test"),
        now: None,
    };
    let subject = |symbol: &str, change: &'static str, changes: &[&'static str], risk| ImpactSubject {
        place: place("src/net.rs", 12, symbol),
        was: None,
        change: Some(change),
        changes: changes.to_vec(),
        risk,
        signatures: ["fn send(a: A)".to_owned(), "fn send(a: A, n: `u32`)".to_owned()],
        keeps_calls: true,
        test: false,
        callers: Vec::new(),
        callers_in_change: 0,
        unsearched: false,
        unresolved: Vec::new(),
    };
    let mut send = subject("send", "changed", &["signature", "body"], Risk::Breaking);
    send.callers = vec![caller("src/app.rs", "main", true, 1), caller("src/x_y.rs", "other", false, 1)];
    send.callers_in_change = 2;
    Impact {
        n_files: 2,
        subjects: vec![
            send,
            subject("close", "removed", &[], Risk::Breaking),
            subject("open", "changed", &["body"], Risk::Behaviour),
            subject("peek", "added", &[], Risk::None),
        ],
        farther: vec![caller("src/cli.rs", "run", true, 2)],
        tests: vec![caller("tests/net.rs", "sends", false, 2)],
        mentions: vec![super::super::ImpactMention {
            path: "doc/net.md".to_owned(),
            line: 3,
            name: "send".to_owned(),
        }],
        companions: vec![super::super::ImpactCompanion {
            path: "src/wire.rs".to_owned(),
            with: "src/net.rs".to_owned(),
            together: 9,
            of: 12,
        }],
        n_commits: 1234,
        n_searched: 2000,
        notes: vec!["this clone is *shallow*".to_owned()],
        ..Impact::default()
    }
}

fn report<'f>(tokens: Option<usize>) -> ImpactReport<'f> {
    let budget = Budget { tokens, characters: None };
    ImpactReport { title: "a..b", limit: 20, limit_flag: "--limit", budget, is_coloured: false, forge: None }
}

#[test]
fn text_has_the_worst_first() {
    insta::assert_snapshot!(impact_text(&sample(), &report(None)), @r"
    a..b: 4 declarations changed in 2 files: 1 may break callers, 1 may behave differently

    may break callers
      src/net.rs:12: function send  signature, body
        - fn send(a: A)
        + fn send(a: A, n: `u32`)
        src/app.rs:9: in function main  (call, found by import)
        src/x_y.rs:9: in function other  (call, a guess: only the name matches)
        2 callers are in the change itself

    removed or changed, but no known caller breaks
      src/net.rs:12: function close  removed
        no caller is known

    may behave differently
      src/net.rs:12: function open  body; 0 callers

    indirect callers
      src/cli.rs:9: in function run  (2 steps, via main)

    run these tests
      tests/net.rs:7: function sends  (2 steps, via main, a guess)

    new, or changed without effect on other code
      src/net.rs:12: function peek  added

    documents and settings that mention these declarations
      doc/net.md:3: send

    usually change too (from 1234 of the last 2000 commits)
      src/wire.rs: in 9 of the 12 commits that changed src/net.rs

    note: this clone is *shallow*
    ");
}

#[test]
fn markdown_means_what_it_says() {
    insta::assert_snapshot!(impact_markdown(&sample(), &report(None)), @r"
    ### Impact of `a..b`

    4 declarations changed in 2 files: 1 may break callers, 1 may behave differently.

    **Outside the change: 1 certain reference to declarations that were removed or have another signature.**

    #### May break callers

    - `src/net.rs:12` function `send` — signature, body
      ```diff
      - fn send(a: A)
      + fn send(a: A, n: `u32`)
      ```
      - `src/app.rs:9` in function `main` — (call, found by import)
      - `src/x_y.rs:9` in function `other` — (call, a guess: only the name matches)
      - 2 callers are in the change itself

    #### Removed or changed, but no known caller breaks

    - `src/net.rs:12` function `close` — removed
      - no caller is known

    #### May behave differently

    - `src/net.rs:12` function `open` — body; 0 callers

    #### Indirect callers

    - `src/cli.rs:9` in function `run` — (2 steps, via main)

    #### Run these tests

    - `tests/net.rs:7` function `sends` — (2 steps, via main, a guess)

    #### New, or changed without effect on other code

    - `src/net.rs:12` function `peek` — added

    #### Documents and settings that mention these declarations

    - `doc/net.md:3` `send`

    #### Usually change too (from 1234 of the last 2000 commits)

    - `src/wire.rs`: in 9 of the 12 commits that changed `src/net.rs`

    <sub>this clone is \*shallow\*</sub>
    ");
}

#[test]
fn colours_add_nothing() {
    let plain = impact_text(&sample(), &report(None));
    let coloured = impact_text(&sample(), &ImpactReport { is_coloured: true, ..report(None) });
    assert!(coloured.contains('\u{1b}'));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

#[test]
fn the_budget_is_kept() {
    let budget = |tokens| Budget { tokens: Some(tokens), characters: None };
    for tokens in 0..500 {
        for text in
            [impact_text(&sample(), &report(Some(tokens))), impact_markdown(&sample(), &report(Some(tokens)))]
        {
            assert!(budget(tokens).holds(&text), "{tokens}: {text}");
        }
    }
    let cut = impact_json(&sample(), &report(Some(400)));
    assert!(cut["cut"] == true && cut["declarations"].as_array().unwrap().len() < 4, "{cut}");
    assert_eq!(impact_json(&sample(), &report(None))["cut"], false);
}

#[test]
fn callers_that_may_break_come_before_other_lists() {
    let mut impact = sample();
    let (caller, test) = (impact.subjects[0].callers[0].clone(), impact.tests[0].clone());
    impact.subjects[0].callers = vec![caller; 12];
    impact.tests = vec![test; 12];
    let n = |text: &str, what: &str| text.matches(what).count();
    let mut last = (0, 0);
    let mut is_caller_alone = false;
    for tokens in (100..900).step_by(10) {
        let budget = Budget { tokens: Some(tokens), characters: None };
        let text = impact_text(&impact, &report(Some(tokens)));
        assert!(budget.holds(&text), "{tokens}");
        if text.is_empty() {
            continue;
        }
        let shown = (n(&text, "function main"), n(&text, "function sends"));
        is_caller_alone |= shown.0 > 0 && shown.1 == 0;
        assert!(shown.1 == 0 || shown.0 > 0, "{tokens}: {text}");
        last = shown;
    }
    assert!(is_caller_alone);
    assert_eq!(last, (12, 12));
}

#[test]
fn a_file_with_several_changed_tests_is_named_once() {
    let changed = |symbol: &str| {
        let mut one = sample().subjects.remove(2);
        (one.test, one.place) = (true, place("tests/net.rs", 1, symbol));
        one
    };
    let mut impact = sample();
    impact.subjects.extend(["sends", "closes", "opens"].map(changed));
    // A helper is not a test.
    let mut helper = changed("connect");
    helper.callers_in_change = 1;
    impact.subjects.push(helper);
    let text = impact_text(&impact, &report(None));
    let line = "tests/net.rs: 3 tests changed, 1 other reaches a changed declaration\n";
    assert_eq!((text.matches(line).count(), text.matches("function sends").count()), (1, 0), "{text}");
    assert!(
        text.contains("changed helpers and data of tests\n  tests/net.rs:1: function connect  body"),
        "{text}"
    );
}
