//! The searches that one answer may take: query → a plan of [`Attempt`]s, each with its reason.
//!
//! The plan is made before anything is searched, from the query alone. Attempts are made in their
//! order, each only if the ones before leave a reason for it. An index stores no source text, so
//! quoted text takes several: chunks with all of its words are searched, then read.
//!
//! This module must not search or read anything; `results` does both.

use crate::search::query::{Answer, Query, phrases, unquoted};

/// Number of chunks with all words of a quoted text that are read. One thread reads a thousand
/// files in a fifth of a second.
const READ: usize = 400;

/// The same, if the first ones are not enough.
const READ_MORE: usize = 10_000;

/// Tells the user that an answer is from [`Reason::Unquoted`].
pub(crate) const UNQUOTED_NOTE: &str = "no file contains the quoted text; searched for its words instead";

/// One search for an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Attempt {
    pub(crate) reason: Reason,
    /// The query to search for.
    pub(crate) query: Query,
}

/// The reason for an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Nothing is quoted, so the query is searched as it is.
    AsAsked,
    /// The text quotes something, so the best chunks with its words are read.
    Quoted,
    /// Those were not enough, so more of them are read.
    QuotedOnceMore,
    /// No chunk has the quoted text. A pasted message may quote text that no file has, so its words
    /// are searched.
    Unquoted,
}

/// What an attempt found.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) answer: Answer,
    /// Number of hits before the limit of the query.
    pub(crate) n_found: usize,
    /// Number of hits that were looked at, with those that are not kept.
    pub(crate) n_read: usize,
}

/// The options that a plan depends on, besides the query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Means {
    /// If only some hits are kept: the number of best hits that are asked for.
    pub(crate) most_kept: Option<usize>,
    /// Whether texts come from a remote repository or a database. It takes too long to get
    /// thousands of them.
    pub(crate) is_remote: bool,
}

/// Returns the attempts for a query, in their order; at least one.
pub(crate) fn plan(query: &Query, means: Means) -> Vec<Attempt> {
    // Any chunk of a file may be kept or hold a phrase, not just the one that is best by words.
    let wide = |most: usize| Query { limit: most.max(query.limit), all_chunks: true, ..query.clone() };
    if phrases(&query.text).is_empty() {
        let query = means.most_kept.map_or_else(|| query.clone(), wide);
        return vec![Attempt { reason: Reason::AsAsked, query }];
    }
    let mut plan = vec![Attempt { reason: Reason::Quoted, query: wide(READ) }];
    if !means.is_remote {
        plan.push(Attempt { reason: Reason::QuotedOnceMore, query: wide(READ_MORE) });
    }
    if let Some(text) = unquoted(&query.text).filter(|_| means.most_kept.is_none()) {
        plan.push(Attempt { reason: Reason::Unquoted, query: Query { text, ..query.clone() } });
    }
    plan
}

impl Attempt {
    /// Returns whether the attempt is made after what was found so far, for at most `limit`
    /// results.
    pub(crate) fn is_due(&self, so_far: Option<&Outcome>, limit: usize) -> bool {
        let Some(so_far) = so_far else { return true };
        match self.reason {
            Reason::AsAsked | Reason::Quoted => false,
            Reason::QuotedOnceMore => !so_far.is_enough(limit),
            Reason::Unquoted => so_far.n_found == 0,
        }
    }

    /// Returns whether the chunks that are found must hold the quoted text.
    pub(crate) fn checks_phrases(&self) -> bool {
        matches!(self.reason, Reason::Quoted | Reason::QuotedOnceMore)
    }

    /// Returns what the user should know of the answer, if it is from this attempt. `is_last` says
    /// that no further chunks with the words are read.
    pub(crate) fn note(&self, outcome: &Outcome, is_last: bool, limit: usize) -> Option<String> {
        match self.reason {
            Reason::Quoted | Reason::QuotedOnceMore if is_last && !outcome.is_enough(limit) => {
                let Outcome { n_read, answer, .. } = outcome;
                let n = answer.n_candidates;
                Some(format!(
                    "only the {n_read} best of {n} chunks with these words were checked for the quoted text"
                ))
            }
            Reason::AsAsked | Reason::Quoted | Reason::QuotedOnceMore => None,
            Reason::Unquoted => Some(UNQUOTED_NOTE.to_owned()),
        }
    }
}

impl Outcome {
    /// Returns whether reading more chunks would not change the first `limit` results.
    fn is_enough(&self, limit: usize) -> bool {
        self.n_found >= limit || self.n_read >= self.answer.n_candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::QueryKind;

    fn reasons(text: &str, means: Means) -> Vec<Reason> {
        plan(&Query::new(text), means).into_iter().map(|attempt| attempt.reason).collect()
    }

    fn outcome(n_found: usize, n_read: usize, n_candidates: usize) -> Outcome {
        let answer = Answer {
            hits: Vec::new(),
            n_candidates,
            strength: 0.0,
            terms: Vec::new(),
            asked: Vec::new(),
            query_kind: QueryKind::NaturalLanguage,
            near: Vec::new(),
            needs_text_check: Vec::new(),
            relation: None,
        };
        Outcome { answer, n_found, n_read }
    }

    #[test]
    fn the_plan_follows_from_the_query() {
        use Reason::{AsAsked, Quoted, QuotedOnceMore, Unquoted};
        let (plain, remote) = (Means::default(), Means { is_remote: true, ..Means::default() });
        let kept = Means { most_kept: Some(50), ..Means::default() };
        for (text, means, expected) in [
            ("retry uploads", plain, vec![AsAsked]),
            ("retry uploads", kept, vec![AsAsked]),
            ("no service \"app.mailer\", path: \"a\".", plain, vec![AsAsked]),
            ("it says \"no\"\nin a long text", plain, vec![AsAsked]),
            ("\"fn open(\"", plain, vec![Quoted, QuotedOnceMore]),
            ("\"fn open(\" lang:rust", remote, vec![Quoted]),
            ("retry \"max attempts\"", plain, vec![Quoted, QuotedOnceMore, Unquoted]),
            ("retry \"max attempts\"", remote, vec![Quoted, Unquoted]),
            ("retry \"max attempts\"", kept, vec![Quoted, QuotedOnceMore]),
        ] {
            assert_eq!(reasons(text, means), expected, "{text} {means:?}");
        }
    }

    #[test]
    fn attempts_ask_for_as_much_as_they_need() {
        let query = Query { limit: 7, ..Query::new("retry \"max attempts\" path:src") };
        let asked: Vec<(String, usize, bool)> = plan(&query, Means::default())
            .into_iter()
            .map(|one| (one.query.text, one.query.limit, one.query.all_chunks))
            .collect();
        let text = query.text.clone();
        assert_eq!(
            asked,
            [
                (text.clone(), 400, true),
                (text, 10_000, true),
                ("retry  max attempts  path:src".to_owned(), 7, false),
            ]
        );
        let many = Query { limit: 20_000, ..query.clone() };
        assert_eq!(plan(&many, Means::default())[0].query.limit, 20_000);
        let plain = Query { limit: 7, ..Query::new("retry") };
        assert_eq!(plan(&plain, Means::default())[0].query, plain);
        let kept = &plan(&plain, Means { most_kept: Some(50), is_remote: false })[0].query;
        assert_eq!((kept.limit, kept.all_chunks), (50, true));
    }

    #[test]
    fn an_attempt_is_made_only_if_the_ones_before_leave_a_reason() {
        let plan = plan(&Query::new("retry \"max attempts\""), Means::default());
        let due = |so_far: &Outcome| -> Vec<bool> {
            plan.iter().map(|attempt| attempt.is_due(Some(so_far), 10)).collect()
        };
        assert!(plan[0].is_due(None, 10));
        assert_eq!(due(&outcome(10, 400, 5000)), [false, false, false], "as many as were asked for");
        assert_eq!(due(&outcome(3, 90, 90)), [false, false, false], "all chunks with the words were read");
        assert_eq!(due(&outcome(9, 400, 5000)), [false, true, false]);
        assert_eq!(due(&outcome(0, 400, 5000)), [false, true, true]);
        assert_eq!(due(&outcome(0, 90, 90)), [false, false, true]);
    }

    #[test]
    fn notes_say_what_was_not_read_and_what_was_searched_instead() {
        let plan = plan(&Query::new("retry \"max attempts\""), Means::default());
        let few = outcome(3, 400, 5000);
        assert_eq!(plan[0].note(&few, false, 10), None, "more are read next");
        let note = plan[1].note(&few, true, 10).unwrap();
        assert!(note.contains("the 400 best of 5000 chunks"), "{note}");
        assert_eq!(plan[1].note(&outcome(10, 400, 5000), true, 10), None);
        assert_eq!(plan[1].note(&outcome(3, 5000, 5000), true, 10), None);
        assert!(plan[2].note(&outcome(0, 0, 0), true, 10).is_some());
    }
}
