//! Tests of how the views treat the query's words.

use super::*;

/// Returns a function of 60 lines, two of which contain a query word.
pub(super) fn long() -> Results {
    let mut source = String::from("/// Runs.\nfn run(steps: &[Step]) {\n");
    for line in 3..=59 {
        source.push_str(match line {
            20 => "    let backoff = Jitter::default();\n",
            45 => "    sleep(backoff.next());\n",
            _ => "    step();\n",
        });
    }
    source.push_str("}\n");
    let mut run = item(1, "run.rs", &source, (1, 60), "run");
    run.declarations = vec![DeclarationItem {
        name: "run".to_owned(),
        span: span(&source, 1, 60),
        name_line: 2,
        doc: between(&source, "/// Runs.", "\nfn run"),
        signature: between(&source, "fn run", "{\n"),
        body: between(&source, "{\n", "\n}\n"),
    }];
    Results {
        results: vec![run],
        query: "which jitter has the backoff of sleep".to_owned(),
        ..Results::default()
    }
}

#[test]
fn lines_with_the_words_stay_when_others_go() {
    let results = long();
    let shown = text(&results, &TextStyle::default(), &Budget::default(), &no_grammar);
    let budget = Budget { characters: Some(1100), tokens: None };
    for shown in [
        shown,
        rag(&results, Style::Cora, &budget),
        markdown(&results, &Budget { characters: Some(500), tokens: None }),
    ] {
        assert!(shown.contains("fn run(steps"), "{shown}");
        assert!(shown.contains("Jitter::default()") && shown.contains("sleep(backoff"), "{shown}");
        assert!(shown.contains(". . .") || shown.contains('⋮'), "{shown}");
        assert!(shown.matches("step();").count() < 15, "{shown}");
    }
}

#[test]
fn words_that_stood_in_are_told_and_shown() {
    let mut results = long();
    results.query = "how is jittre done".to_owned();
    let near = |word: &str, instead: &[&str]| {
        let instead = instead.iter().map(|&one| one.to_owned()).collect();
        NearWord { word: word.to_owned(), instead }
    };
    results.near = vec![near("helm", &[]), near("jittre", &["jitter"]), near("chart", &[])];
    let budget = Budget::default();
    for shown in [
        text(&results, &TextStyle::default(), &budget, &no_grammar),
        markdown(&results, &budget),
        rag(&results, Style::Cora, &budget),
    ] {
        assert!(shown.contains("'jittre' is not in the index; searched for 'jitter' instead"), "{shown}");
        assert!(shown.contains("not in the index: 'helm' and 'chart'"), "{shown}");
        assert!(shown.contains("Jitter::default()"), "{shown}");
    }
}

#[test]
fn a_note_says_that_nothing_answers_clearly() {
    const NOTE: &str = "no clear match; these are the nearest results";
    let budget = Budget::default();
    let views = |relevance: Option<f64>| {
        let mut results = long();
        results.results[0].relevance = relevance;
        [
            text(&results, &TextStyle::default(), &budget, &no_grammar),
            rag(&results, Style::Cora, &budget),
            markdown(&results, &budget),
        ]
    };
    for shown in views(Some(0.1)) {
        assert!(shown.contains(NOTE) && !shown.contains("Words of the query"), "{shown}");
    }
    for shown in [views(Some(0.3)), views(None)].concat() {
        assert!(!shown.contains(NOTE), "{shown}");
    }
}
