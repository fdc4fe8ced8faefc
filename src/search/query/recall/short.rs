//! Short forms in paths: files are called `init`, `impls`, `config` or `attr` where a question says
//! "initialise", "implementations", "configuration", "attribute".
//!
//! Words of the query → their beginnings, to be looked up in the path fields of the index. Only
//! names of files and directories are compared, never the text of chunks.

use crate::search::query::parse::parser::ParsedQuery;

/// Minimum number of letters that a short form omits.
const MIN_LEFT_OUT: usize = 2;

/// Minimum number of letters in a short form.
const MIN_LETTERS: usize = 4;

/// Beginnings of words that are common file names in their own right.
const OTHERWISE: [&str; 5] = ["index", "main", "over", "test", "with"];

/// Returns the beginnings of the query's words that a path may have instead, each once, sorted;
/// without those that are words of the query themselves.
pub(in crate::search::query) fn forms(parsed: &ParsedQuery) -> Vec<String> {
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
