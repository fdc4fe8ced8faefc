//! Near copies among the files of an answer: which of them have a place, and how a reader learns of
//! the others.

use serde_json::Value;

use crate::harness::Repo;

/// Returns the paths of the results, and the copies that the first result of a file names.
fn paths_and_copies(repo: &Repo, arguments: &[&str]) -> (Vec<String>, Vec<(String, Vec<String>)>) {
    let results = repo.results(arguments);
    let path = |one: &Value| one["path"].as_str().unwrap().to_owned();
    let mut paths: Vec<String> = results.iter().map(path).collect();
    paths.dedup();
    let copies = results.iter().filter_map(|one| {
        let copies = one.get("copies")?.as_array()?;
        Some((path(one), copies.iter().map(|copy| copy.as_str().unwrap().to_owned()).collect()))
    });
    (paths, copies.collect())
}

#[test]
fn a_page_is_shown_in_one_language_and_names_the_others() {
    let repo = Repo::new();
    let page =
        |title: &str| format!("# {title}\n\nLocal search: enable it by the option provider of the theme.\n");
    for (language, title) in
        [("de", "Lokale Suche"), ("en", "Local search"), ("es", "Búsqueda local"), ("fr", "Recherche")]
    {
        repo.write(&format!("docs/{language}/search.md"), page(title));
    }
    repo.write("docs/pt/search.md", page("Pesquisa local"));
    repo.write("src/search.ts", "export function localSearch() {\n  return enable('provider')\n}\n");
    repo.commit("pages");
    let question = "how do I enable local search";
    let (paths, copies) = paths_and_copies(&repo, &[question]);
    assert_eq!(paths.iter().filter(|path| path.starts_with("docs/")).count(), 1, "{paths:?}");
    let others = ["docs/de/search.md", "docs/es/search.md", "docs/fr/search.md", "docs/pt/search.md"];
    assert_eq!(copies, [("docs/en/search.md".to_owned(), others.map(str::to_owned).into())]);
    let text = repo.cora(&["query", question]).out;
    let line = "also in: docs/de/search.md · docs/es/search.md · docs/fr/search.md · 1 more\n";
    assert!(text.contains(line), "{text}");
    // All of them are shown where they are asked for.
    let (paths, copies) = paths_and_copies(&repo, &["--path", "docs", question]);
    assert_eq!((paths.len(), copies.len()), (5, 0), "{paths:?}");
    let (paths, _) = paths_and_copies(&repo, &["translations of the page about local search"]);
    assert_eq!(paths.iter().filter(|path| path.starts_with("docs/")).count(), 5, "{paths:?}");
}

#[test]
fn other_versions_of_a_file_come_after_all_other_files() {
    let repo = Repo::new();
    let manual = "# Paths\n\nA path expression is evaluated from left to right, and each step of the path gives \
                  the next value.\n\n# Output\n\nThe output is one value a line, or all in a list.\n";
    repo.write("docs/dev/manual.md", manual);
    repo.write("docs/v1.6/manual.md", manual.replace("each step", "every step"));
    repo.write("docs/v1.7/manual.md", manual);
    let code = "/* Evaluates a path expression. */\nint path_eval(int path)\n{\n    return path;\n}\n";
    repo.write("src/execute.c", code);
    repo.commit("manuals");
    let question = "how is a path expression evaluated";
    let (paths, copies) = paths_and_copies(&repo, &[question]);
    let place = |paths: &[String], path: &str| paths.iter().position(|one| one == path).unwrap();
    for old in ["docs/v1.6/manual.md", "docs/v1.7/manual.md"] {
        for other in ["docs/dev/manual.md", "src/execute.c"] {
            assert!(place(&paths, other) < place(&paths, old), "{paths:?}");
        }
    }
    let old = vec!["docs/v1.6/manual.md".to_owned(), "docs/v1.7/manual.md".to_owned()];
    assert_eq!(copies, [("docs/dev/manual.md".to_owned(), old)]);
    let text = repo.cora(&["query", question]).out;
    assert!(text.contains("also in: docs/v1.6/manual.md · docs/v1.7/manual.md\n"), "{text}");
    let (paths, _) = paths_and_copies(&repo, &["how is a path expression evaluated in v1.6"]);
    assert!(place(&paths, "docs/v1.6/manual.md") < place(&paths, "docs/v1.7/manual.md"), "{paths:?}");
}
