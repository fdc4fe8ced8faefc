//! Quoted text in a query: the lines that have it.

use serde_json::json;

use crate::harness::Repo;

#[test]
fn places_of_quoted_text_are_lines() {
    let repo = Repo::new();
    let text = "def outer():\n    def inner():\n        return 1\n    send('a')\n    return send('b')\n";
    repo.write("app.py", text);
    repo.commit("app");
    let paths = |text: &str| repo.try_cora(&["query", "--format", "paths", text]);
    assert_eq!(
        paths("\"send(\"").exits(0).out,
        "app.py:4: outer: send('a')\napp.py:5: outer: return send('b')\n"
    );
    // The text may begin within a word.
    assert_eq!(paths("\"urn send(\"").exits(0).out, "app.py:5: outer: return send('b')\n");
    assert_eq!(paths("\"was never sent\"").exits(1).says("nothing found").out, "");
}

#[test]
fn a_phrase_that_no_text_holds_is_not_found() {
    let repo = Repo::sample();
    let run = repo.try_cora(&["query", "\"token user refresh\""]).exits(1);
    assert!(run.out.starts_with("nothing found"), "{}", run.out);
    assert!(!run.out.contains("more found"), "{}", run.out);
    // Many chunks have the words and few have the phrase, which is not in the file's best chunk for
    // the words.
    for n in 0..450 {
        repo.write(&format!("many/m{n}.txt"), "ledger settle ledger settle\n");
    }
    let filler = "other words that make it long\n".repeat(40);
    repo.write(
        "many/z.md",
        format!("# One\n\nledger settle settle ledger\n\n# Two\n\n{filler}ledger settle now\n"),
    );
    repo.commit("many");
    let answer = repo.cora(&["query", "--json", "\"ledger settle now\""]).json();
    assert_eq!(answer["results"][0]["path"], "many/z.md");
    assert_eq!((&answer["results"].as_array().unwrap().len(), &answer["more"]), (&1, &json!(0)));
    let answer = repo.cora(&["query", "--json", "-k", "2", "\"ledger settle\""]).json();
    assert!(answer["more"].as_u64().unwrap() > 100, "{answer}");
}
