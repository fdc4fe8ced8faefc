//! Short forms: files are called `init`, `impls`, `config` or `attr` where a question says «initialise»,
//! «implementations», «configuration», «attribute».

use crate::search::query::parse::parser::Parsed;

/// A short form leaves out at least so many letters.
const MIN_LEFT_OUT: usize = 2;

/// The fewest letters of a short form.
const MIN_LETTERS: usize = 4;

/// Names that files have for other reasons than what a word begins with.
const OTHERWISE: [&str; 5] = ["index", "main", "over", "test", "with"];

/// The beginnings of the query's words that a path may have in their place, each once, sorted; none that are words
/// of the query themselves.
pub(in crate::search::query) fn forms(parsed: &Parsed) -> Vec<String> {
    let is_asked = |form: &str| parsed.terms.binary_search_by(|term| term.term.as_str().cmp(form)).is_ok();
    let mut forms = Vec::new();
    for (word, _) in
        parsed.words.iter().filter(|(word, _)| word.bytes().all(|byte| byte.is_ascii_lowercase()))
    {
        for n in MIN_LETTERS..=word.len().saturating_sub(MIN_LEFT_OUT) {
            let form = word.get(..n).filter(|form| !OTHERWISE.contains(form) && !is_asked(form));
            forms.extend(form.map(str::to_owned));
        }
    }
    forms.sort_unstable();
    forms.dedup();
    forms
}

#[cfg(test)]
mod tests {
    use super::forms;
    use crate::search::query::parse::parser::parse;

    #[test]
    fn words_are_cut_short() {
        assert_eq!(forms(&parse("how is init of workers done")), ["work", "worke"]);
        let of = forms(&parse("where are attributes and attr handled"));
        assert!(!of.iter().any(|form| form == "attr"), "it is a word of the query");
        assert!(of.iter().any(|form| form == "attri"));
    }
}
