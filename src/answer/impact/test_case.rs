//! Which test code is a test: a declaration in test code → whether a test runner runs it by name.
//!
//! Owns the names of tests in the languages whose test runners go by them. Helpers, types and data
//! of tests are test code too, and nobody can run them. Elsewhere, any function that no other test
//! code refers to counts as a test; the caller knows those.

use crate::answer::relations::Place;

/// Beginnings of the names of functions that `go test` runs.
const GO: [&str; 4] = ["Test", "Benchmark", "Example", "Fuzz"];

/// Returns whether a declaration in test code may be a test. A helper is one only if its language
/// does not tell them apart by name.
pub(super) fn is_test_case(place: &Place) -> bool {
    let is_function = matches!(place.kind.as_str(), "function" | "method");
    let name = super::last_name(place);
    match place.path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        _ if place.kind == "test" => true,
        _ if !is_function => false,
        "go" => place.path.ends_with("_test.go") && GO.iter().any(|begin| is_named(name, begin)),
        "py" => name.starts_with("test"),
        _ => true,
    }
}

/// Returns whether a name is a word, or begins with it: `TestRun`, `Test_run`, and not `Testify`.
fn is_named(name: &str, begin: &str) -> bool {
    name.strip_prefix(begin).is_some_and(|rest| !rest.starts_with(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_types_and_data_are_not_tests() {
        for (path, kind, symbol, expected) in [
            ("a_test.go", "function", "TestRun", true),
            ("a_test.go", "function", "BenchmarkRun", true),
            ("a_test.go", "function", "Testify", false),
            ("a_test.go", "function", "createDB", false),
            ("a_test.go", "test", "TestRun.empty", true),
            ("tests/e2e/client.go", "function", "TestRun", false),
            ("tests/e2e/client.go", "struct", "TestClient", false),
            ("tests/test_a.py", "method", "RunTest.test_empty", true),
            ("tests/test_a.py", "function", "client", false),
            ("tests/a.rs", "function", "it_runs", true),
            ("tests/a.rs", "struct", "Client", false),
            ("RunTest.java", "method", "RunTest.runs", true),
            ("RunTest.java", "class", "RunTest", false),
            ("tests/data.json", "key", "test", false),
        ] {
            let place = Place {
                repository: 0,
                path: path.to_owned(),
                line: 1,
                end_line: 2,
                symbol: symbol.to_owned(),
                kind: kind.to_owned(),
            };
            assert_eq!(is_test_case(&place), expected, "{path} {symbol}");
        }
    }
}
