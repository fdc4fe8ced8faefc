//! The relevance of results: shown, used by `--min-score`, and noted if nothing answers.

use crate::harness::Repo;

#[test]
fn a_question_that_nothing_answers_is_told_from_one_that_has_an_answer() {
    const NOTE: &str = "\nno clear match; these are the nearest results\n";
    let repo = Repo::sample();
    let answered = ["query", "where are tokens refreshed"];
    let unanswered = ["query", "how does the renderer compute the shadows of a moving light"];
    let relevance = |args: &[&str]| -> Vec<f64> {
        let answer = repo.try_cora(&[args, &["--json"]].concat()).json();
        let results = answer["results"].as_array().unwrap().iter();
        results.map(|one| one["relevance"].as_f64().unwrap()).collect()
    };
    let (good, bad) = (relevance(&answered), relevance(&unanswered));
    assert!(good[0] > 0.5 && bad.iter().all(|one| *one < 0.2), "{good:?} {bad:?}");
    assert!(!repo.cora(&answered).out.contains(NOTE));
    assert!(bad.is_empty() || repo.cora(&unanswered).out.contains(NOTE));
    // What is left out does not come back under another name.
    let least = [answered.as_slice(), &["--min-score", "0.5"]].concat();
    assert_eq!(relevance(&least), good.iter().copied().filter(|one| *one >= 0.5).collect::<Vec<_>>());
    let none = repo.try_cora(&[&unanswered[..], &["--min-score", "0.5"]].concat()).exits(1);
    assert!(
        none.out.starts_with("nothing found") && none.err.contains("hint: lower --min-score"),
        "{}",
        none.err
    );
    for wrong in ["1.5", "-1", "much", "NaN"] {
        let flag = format!("--min-score={wrong}");
        let run = repo.try_cora(&["query", "token", &flag]).exits(2);
        assert!(run.err.contains("expected a number from 0 to 1"), "{}", run.err);
    }
    let explained = repo.cora(&["query", "--explain", "where are tokens refreshed"]).out;
    assert!(explained.lines().next().unwrap().contains("  relevance 0."), "{explained}");
}
