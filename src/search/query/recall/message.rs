//! What a program said, asked for as it was said: «Failed to load asset 'a.png' with loader 'png': no such file».
//!
//! Text → [`Message`] → chunks, each with how it says that. The source has the same words in a string, but for those
//! that were filled in, and these often name something else (a file, a class, an option), to which words, names and
//! paths lead. So the chunks that have most of the words, as they follow each other, are read, and rated by the runs of
//! words that stand in their strings just so. Comments count for nothing: questions are worded like them.
//!
//! Of 715 strings out of six repositories, filled in with names, paths and numbers of these (`cargo xtask messages`), the
//! place is first for 80 % (21 % without this), and among ten for 90 % (54 %); NDCG@10 is .856 instead of .366 (`cargo xtask
//! eval --set said=0`). The questions of the other sets find what they found without.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bstr::BStr;

use crate::base::text::identifier::{is_keyword, offset_in, tokens};
use crate::index::chunk::Span;
use crate::search::segment::terms::each_term;
use crate::search::segment::{Index, Part};

use super::score::Scorer;
use crate::search::query::parse::parser::QueryTerm;
use crate::search::query::parse::words;
use crate::search::query::rank::candidates::Run;
use crate::search::query::rank::order::place;
use crate::search::query::rank::pipeline::Evidence;
use crate::search::query::{ChunkRef, Error, QueryKind};

/// Where the texts of files come from.
pub trait Sources: Sync {
    /// The texts of files, in the order of their paths; `None` for what can't be read.
    fn texts(&self, paths: &[&BStr]) -> Vec<Option<Arc<str>>>;
}

impl fmt::Debug for dyn Sources + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sources")
    }
}

/// Most chunks that are read: with 32 of them NDCG@10 of messages is .004 less, with 96 .003 more.
const READ: usize = 48;

/// So many are read before it is asked whether the others can say more.
const BATCH: usize = 8;

/// A longer text, in bytes, is no message.
const MOST_BYTES: usize = 1000;

/// Most words whose order is looked at: the bits of a number.
const MOST_WORDS: usize = u128::BITS as usize;

/// A text of so many words that asks nothing may be a message, whatever it says.
const MANY: usize = 6;

/// Words in runs that are no chance, if so many carry meaning; or, as the second number, fewer, among so many in all.
const ENOUGH: (usize, (usize, usize)) = (3, (2, 4));

/// Words in runs, so many of which are chance, and so many certain; in between in proportion.
const CERTAIN: (usize, usize) = (3, 6);

/// Signs that questions have no use for: quotes, brackets, what stands before or between values.
const SIGNS: [char; 12] = ['"', '\'', '`', '(', '[', '{', '<', '=', ':', ';', '%', '!'];

/// How a question begins, as against a message.
const ASKS: [&str; 13] =
    ["are", "can", "does", "find", "how", "is", "show", "what", "when", "where", "which", "who", "why"];

/// What programs say of what was not done, or not well; sorted.
const COMPLAINTS: [&str; 49] = [
    "abort",
    "aborted",
    "already",
    "ambiguous",
    "assertion",
    "bad",
    "cannot",
    "closed",
    "conflict",
    "corrupt",
    "could",
    "denied",
    "deprecated",
    "didn",
    "duplicate",
    "error",
    "exceeded",
    "exception",
    "expected",
    "expired",
    "failed",
    "failure",
    "fatal",
    "forbidden",
    "ignored",
    "ignoring",
    "illegal",
    "incompatible",
    "invalid",
    "malformed",
    "mismatch",
    "missing",
    "must",
    "no",
    "not",
    "panic",
    "refused",
    "rejected",
    "required",
    "should",
    "skipping",
    "timeout",
    "unable",
    "undefined",
    "unexpected",
    "unknown",
    "unresolved",
    "unsupported",
    "warning",
];

/// How a line of comment begins, as most languages have it.
const COMMENTS: [&str; 6] = ["//", "/*", "* ", "# ", "-- ", ";;"];

/// A word of a message.
#[derive(Debug, Clone, PartialEq)]
struct Word {
    /// In lower case; empty for a path or the name of an exception, which the string has not.
    lower: String,
    /// Its most particular term, empty likewise; none for what an index leaves out, as single letters.
    term: Option<String>,
    /// Whether it carries meaning.
    carries: bool,
    /// How rare it is; 0 before the search, and for what is nowhere.
    idf: f64,
}

/// So many ends of sentences within a text make it a report: what is said in it about a program, too, is in words that
/// stand beside each other everywhere («does not»), so only longer runs count.
const REPORT: usize = 2;

/// The shortest run that counts in a message, and in a report.
const SHORTEST: (usize, usize) = (2, 4);

/// A text that may be what a program said.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search::query) struct Message {
    /// Its words, in order.
    words: Vec<Word>,
    /// The shortest run of them that counts.
    shortest: usize,
}

/// How a chunk says a message.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search::query) struct Said {
    /// The runs of words in its strings, by their rarity, over the most that any chunk has; less where they may be chance.
    pub(in crate::search::query) share: f64,
    /// The longest run, in lower case.
    pub(in crate::search::query) run: String,
}

impl Message {
    /// A text that may be a message; `None` for a question, a name, a path, an issue.
    pub(in crate::search::query) fn of(text: &str, kind: QueryKind) -> Option<Self> {
        let is_text = matches!(kind, QueryKind::NaturalLanguage | QueryKind::LongText);
        if !is_text || text.len() > MOST_BYTES || !may_be_message(text) {
            return None;
        }
        let mut words = Vec::new();
        for written in text.split_whitespace() {
            if is_path(written) || is_exception(written) {
                words.push(Word {
                    term: Some(String::new()),
                    lower: String::new(),
                    carries: false,
                    idf: 0.0,
                });
                continue;
            }
            for token in tokens(written) {
                let lower = token.to_lowercase();
                let mut term = None;
                if is_keyword(token) {
                    each_term(token, |of_token, _| term = Some(of_token.to_owned()));
                }
                let carries = term.is_some() && !words::is_stop_word(&lower);
                words.push(Word { lower, term, carries, idf: 0.0 });
            }
        }
        let is_end = |pair: &[u8]| matches!(pair, [b'.' | b'!' | b'?', b' ' | b'\n']);
        let n_ends = text.trim_end().as_bytes().windows(2).filter(|pair| is_end(pair)).count();
        let shortest = if n_ends < REPORT { SHORTEST.0 } else { SHORTEST.1 };
        Some(Self { words, shortest })
    }

    /// The chunks that have its words as they follow each other, as far as an index without places can tell: each with
    /// the most that it can say, which it comes in order of. Finds out how rare the words are.
    pub(in crate::search::query) fn promising(
        &mut self,
        index: &Index<'_>,
        scorer: &Scorer,
        admitted: impl Iterator<Item = ChunkRef>,
    ) -> Result<Vec<(f64, ChunkRef)>, Error> {
        let mut asked: Vec<(QueryTerm, u128)> = Vec::new();
        for (at, term) in self.words.iter().filter_map(|word| word.term.as_ref()).take(MOST_WORDS).enumerate()
        {
            match asked.iter_mut().find(|known| known.0.term == *term) {
                Some((_, places)) => *places |= 1 << at,
                None => {
                    let term = QueryTerm { term: term.clone(), weight: 1.0, is_part: false, idf: 0.0 };
                    asked.push((term, 1 << at));
                }
            }
        }
        let (terms, places): (Vec<QueryTerm>, Vec<u128>) = asked.into_iter().unzip();
        let segments: Vec<Part> = index.segments().map(|(part, _)| part).collect();
        let empty = index.segments().map(|(_, segment)| vec![0u128; segment.n_chunks() as usize]);
        let mut had: Vec<Vec<u128>> = empty.collect();
        let mut idfs: HashMap<String, f64> = HashMap::new();
        scorer.each_term(index, &terms, |place, term, idf, buffers| {
            idfs.insert(term.term.clone(), idf.into());
            let places = places.get(place).copied().unwrap_or_default();
            for (had, buffer) in had.iter_mut().zip(buffers) {
                for &(chunk, ..) in buffer {
                    if let Some(had) = had.get_mut(chunk as usize) {
                        *had |= places;
                    }
                }
            }
        })?;
        for word in &mut self.words {
            word.idf = word.term.as_ref().and_then(|term| idfs.get(term)).copied().unwrap_or(0.0);
        }
        let rarity: Vec<f64> =
            self.words.iter().filter(|word| word.term.is_some()).map(|word| word.idf).collect();
        let promise = |chunk: ChunkRef| {
            let had = had.get(segments.iter().position(|part| *part == chunk.part)?)?;
            let most = in_runs(*had.get(chunk.ord as usize)?, &rarity);
            (most > 0.0).then_some((most, chunk))
        };
        let mut found: Vec<(f64, ChunkRef)> = admitted.filter_map(promise).collect();
        if found.len() > READ {
            let (_, &mut (least, _), _) = found.select_nth_unstable_by(READ - 1, |a, b| b.0.total_cmp(&a.0));
            found.retain(|one| one.0 >= least);
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| place(index, a.1).cmp(&place(index, b.1))));
        found.truncate(READ);
        Ok(found)
    }

    /// How the chunks that were promising say it. None is read that can't say more than the best one does.
    pub(in crate::search::query) fn said(
        &self,
        index: &Index<'_>,
        promising: &[(f64, ChunkRef)],
        sources: &dyn Sources,
    ) -> HashMap<ChunkRef, Said> {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, word) in self.words.iter().enumerate().filter(|(_, word)| !word.lower.is_empty()) {
            places.entry(&word.lower).or_default().push(at);
        }
        let mut found: Vec<(ChunkRef, Runs)> = Vec::new();
        let (mut most, mut n_words) = (0.0, 0);
        for batch in promising.chunks(BATCH) {
            if batch.first().is_some_and(|first| first.0 < most) {
                break;
            }
            for (chunk, language, text) in read(index, batch, sources) {
                let runs = self.runs(&text, language, &places);
                if runs.rarity > most {
                    (most, n_words) = (runs.rarity, runs.n_words);
                }
                if runs.rarity > 0.0 {
                    found.push((chunk, runs));
                }
            }
        }
        let above_chance = n_words.saturating_sub(CERTAIN.0) as f64 / (CERTAIN.1 - CERTAIN.0) as f64;
        let said = |(chunk, runs): (ChunkRef, Runs)| {
            let run = self.words.get(runs.longest).unwrap_or_default();
            let run: Vec<&str> = run.iter().map(|word| word.lower.as_str()).collect();
            (chunk, Said { share: above_chance.min(1.0) * runs.rarity / most, run: run.join(" ") })
        };
        found.into_iter().map(said).collect()
    }

    /// Its runs in the strings of a text in lower case. `places` has the places of each word.
    fn runs(&self, text: &str, language: &str, places: &HashMap<&str, Vec<usize>>) -> Runs {
        // By word of the message, the run in the text that last ended with it: its last token there, how many words, and
        // the byte that it begins with.
        let mut last: Vec<Option<(usize, usize, usize)>> = vec![None; self.words.len()];
        // Likewise, the most words of any that stands in a string.
        let mut longest: Vec<usize> = vec![0; self.words.len()];
        for (at, token) in tokens(text).enumerate() {
            let Some(places) = places.get(token) else { continue };
            let byte = offset_in(text, token);
            // Backwards, so that a word that is said twice does not follow itself.
            for &place in places.iter().rev() {
                let before = place.checked_sub(1).and_then(|before| last.get(before).copied().flatten());
                let (n, start) = match before {
                    Some((of, n, start)) if of + 1 == at => (n + 1, start),
                    _ => (1, byte),
                };
                if let Some(last) = last.get_mut(place) {
                    *last = Some((at, n, start));
                }
                if let Some(longest) = longest.get_mut(place)
                    && n > (*longest).max(self.shortest - 1)
                    && is_in_string(text, start, language)
                {
                    *longest = n;
                }
            }
        }
        let mut runs = Runs::default();
        let mut n_carrying = 0;
        let mut end = longest.len();
        while let Some(place) = end.checked_sub(1) {
            let n = longest.get(place).copied().unwrap_or(0);
            let run = (end - n)..end;
            end -= n.max(1);
            let words = self.words.get(run.clone()).unwrap_or_default();
            runs.rarity += words.iter().map(|word| word.idf).sum::<f64>();
            runs.n_words += n;
            n_carrying += words.iter().filter(|word| word.carries).count();
            if n > runs.longest.len() {
                runs.longest = run;
            }
        }
        let (alone, (few, among)) = ENOUGH;
        let is_enough = n_carrying >= alone || n_carrying >= few && runs.n_words >= among;
        if is_enough { runs } else { Runs::default() }
    }
}

impl<'s> Evidence<'s> {
    /// How chunks say a text that may be a message.
    pub(in crate::search::query) fn said(
        &self,
        index: &Index<'s>,
        text: &str,
        runs: &[Run<'s>],
        sources: &dyn Sources,
    ) -> Result<HashMap<ChunkRef, Said>, Error> {
        let message = Message::of(text, self.parsed.kind);
        let Some(mut message) = message.filter(|_| self.weights.said > 0.0) else {
            return Ok(HashMap::new());
        };
        let of_run = |run: &Run<'s>| {
            let part = run.file.part;
            self.chunks(run).to_vec().into_iter().map(move |ord| ChunkRef { part, ord })
        };
        let chunks = message.promising(index, &self.scorer, runs.iter().flat_map(of_run))?;
        Ok(message.said(index, &chunks, sources))
    }
}

/// What of a message stands in a text.
#[derive(Debug, Clone, PartialEq, Default)]
struct Runs {
    /// The sum of the words' idf.
    rarity: f64,
    n_words: usize,
    /// The places of the longest one's words in the message.
    longest: Range<usize>,
}

/// The texts of chunks in lower case, each with its language.
fn read<'i>(
    index: &Index<'i>,
    chunks: &[(f64, ChunkRef)],
    sources: &dyn Sources,
) -> Vec<(ChunkRef, &'i str, String)> {
    let mut paths: Vec<&BStr> = Vec::new();
    let mut wanted: Vec<(ChunkRef, &str, Span, usize)> = Vec::new();
    for &(_, chunk) in chunks {
        let row = index.segment(chunk.part).and_then(|segment| segment.chunk(chunk.ord));
        let file = row.as_ref().and_then(|row| index.file(chunk.part, row.file));
        let Some((row, file)) = row.zip(file) else { continue };
        let at = paths.iter().position(|path| *path == file.path()).unwrap_or(paths.len());
        if at == paths.len() {
            paths.push(file.path());
        }
        wanted.push((chunk, file.language(), row.span, at));
    }
    let texts = sources.texts(&paths);
    let text = |(chunk, language, span, at): (ChunkRef, &'i str, Span, usize)| {
        let text = texts.get(at)?.as_deref()?;
        Some((chunk, language, span.bytes.of(text).to_lowercase()))
    };
    wanted.into_iter().filter_map(text).collect()
}

/// The sum of the idf of words in runs of two and more; the bits of `had` are the words.
fn in_runs(mut had: u128, rarity: &[f64]) -> f64 {
    let (mut at, mut sum) = (0, 0.0);
    while had != 0 {
        let skipped = had.trailing_zeros();
        had >>= skipped;
        at += skipped as usize;
        let n = had.trailing_ones();
        let run = rarity.get(at..at + n as usize).unwrap_or_default();
        if run.len() > 1 {
            sum += run.iter().sum::<f64>();
        }
        had = had.checked_shr(n).unwrap_or(0);
        at += n as usize;
    }
    sum
}

fn may_be_message(text: &str) -> bool {
    let lower = |word: &str| word.to_lowercase();
    let first = tokens(text).next().map(lower).unwrap_or_default();
    let complains = |word: &str| COMPLAINTS.binary_search(&lower(word).as_str()).is_ok();
    let is_told = text.contains(SIGNS) || text.contains(|c: char| c.is_ascii_digit()) || text.ends_with('.');
    let is_question = text.ends_with('?') || ASKS.binary_search(&first.as_str()).is_ok();
    !is_question
        && (is_told
            || text.split_whitespace().count() >= MANY
            || text.split_whitespace().any(is_path)
            || tokens(text).any(complains))
}

/// Whether a word is a path, and not two words (`and/or`, `I/O`).
fn is_path(word: &str) -> bool {
    let n_separators = word.matches(['/', '\\']).count();
    n_separators > 1
        || n_separators == 1 && (word.contains('.') || word.starts_with(['/', '\\', '"', '\'', '`']))
}

/// Whether a word is an exception's name before what it says: `java.io.IOException:`, `ValueError:`.
fn is_exception(word: &str) -> bool {
    let Some(name) = word.strip_suffix(':') else { return false };
    let last = name.rsplit(['.', ':', '\\', '$']).next().unwrap_or_default();
    last.starts_with(char::is_uppercase)
        && ["Exception", "Error", "Warning"].iter().any(|end| last.len() > end.len() && last.ends_with(end))
}

/// Whether a place of a text lies in a string, as far as its line tells: behind a quote that is open there and in no
/// comment; of settings, behind the sign that their values stand behind. Strings of several lines are not known.
fn is_in_string(text: &str, at: usize, language: &str) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if COMMENTS.iter().any(|sign| line.trim_start().starts_with(sign)) {
        return false;
    }
    if matches!(language, "yaml" | "toml" | "ini") && line.contains(['=', ':']) {
        return true;
    }
    let has_backticks = matches!(language, "javascript" | "typescript" | "tsx" | "go" | "vue" | "svelte");
    let mut open: Option<char> = None;
    let mut last = ' ';
    // Documents in Python begin with three.
    for c in line.replace("\"\"\"", "").chars() {
        let is_quote = c == '"' || c == '`' && has_backticks || c == '\'' && !last.is_alphabetic();
        match open {
            Some(quote) if quote == c && last != '\\' => open = None,
            None if is_quote && last != '\\' => open = Some(c),
            _ => {}
        }
        last = c;
    }
    open.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        Message::of(text, QueryKind::NaturalLanguage).unwrap()
    }

    /// The longest run and the number of words, each of which counts 1.
    fn runs(message: &Message, text: &str, language: &str) -> (String, usize) {
        let mut message = message.clone();
        message.words.iter_mut().for_each(|word| word.idf = 1.0);
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, word) in message.words.iter().enumerate() {
            places.entry(&word.lower).or_default().push(at);
        }
        let runs = message.runs(&text.to_lowercase(), language, &places);
        let words: Vec<&str> = message.words[runs.longest].iter().map(|word| word.lower.as_str()).collect();
        (words.join(" "), runs.n_words)
    }

    #[test]
    fn questions_are_no_messages() {
        let of = |text| Message::of(text, QueryKind::NaturalLanguage);
        for text in [
            "where are failed uploads retried",
            "How does it fail: with an exception or not",
            "is the cache expired before it is written?",
            "connection pooling limits",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
        for text in [
            "connection refused",
            "Rerouting from topic a/b/c.txt",
            "no route found for GET",
            "Purged 12 elements",
            "JWKS validation key refresh of foo complete",
        ] {
            assert!(of(text).is_some(), "{text}");
        }
        assert_eq!(Message::of("connection refused", QueryKind::Identifier), None);
        assert_eq!(Message::of(&"it failed. ".repeat(100), QueryKind::LongText), None);
        assert!(COMPLAINTS.is_sorted() && ASKS.is_sorted());
    }

    #[test]
    fn an_exceptions_name_is_no_part_of_what_it_says() {
        for (text, n_words) in [
            ("java.io.IOException: Packet len 12 is out of range", 8),
            ("Caused by: Acme\\FooException: gone", 4),
            ("ValueError: invalid literal", 3),
            ("error: invalid literal", 3),
            ("Exception: invalid literal", 3),
        ] {
            let message = message(text);
            assert_eq!(message.words.len(), n_words, "{text}");
            let is_named = message.words.iter().any(|word| word.lower.is_empty());
            assert_eq!(
                is_named,
                text.contains("IOE") || text.contains("FooE") || text.contains("ValueE"),
                "{text}"
            );
        }
    }

    #[test]
    fn in_a_report_only_long_runs_count() {
        let source = "throw new Error(\"it does not exist: output path is missing for \" + a)";
        let report =
            message("I have two of them. The second does not start. The output path is missing. Why.");
        assert_eq!(runs(&report, source, "javascript"), ("output path is missing".to_owned(), 4));
        let report =
            message("I have two of them. The second does not start. The output path is shared. Why.");
        assert_eq!(runs(&report, source, "javascript").1, 0);
    }

    #[test]
    fn runs_are_found_in_strings_alone() {
        let said = message("Failed to load asset 'a/b.png' with asset loader 'png': no such file");
        let source = "#[error(\"Failed to load asset '{path}' with asset loader '{name}': {error}\")]";
        assert_eq!(runs(&said, source, "rust"), ("failed to load asset".to_owned(), 7));
        for (text, language) in [
            ("// failed to load asset x with asset loader", "rust"),
            ("/// It isn't failed to load asset\n", "rust"),
            ("\"\"\"Failed to load asset", "python"),
            ("let `failed to load asset`", "rust"),
            ("\"failed, load: asset with loader\"", "rust"),
        ] {
            assert_eq!(runs(&said, text, language), (String::new(), 0), "{text}");
        }
        for (text, language) in [
            ("\"it can't: failed to load asset\"", "rust"),
            ("throw `failed to load asset ${path}`", "typescript"),
            ("load.error=Failed to load asset {0}", "ini"),
            ("\"failed to \" + \"load asset \"", "java"),
        ] {
            assert_eq!(runs(&said, text, language), ("failed to load asset".to_owned(), 4), "{text}");
        }
    }

    #[test]
    fn a_word_that_is_said_twice_does_not_follow_itself() {
        let said = message("retry retry retry: not now");
        assert_eq!(runs(&said, "\"retry not now\"", "rust"), (String::new(), 0), "only one carries meaning");
        assert_eq!(runs(&said, "\"retry retry retry\"", "rust"), ("retry retry retry".to_owned(), 3));
    }

    #[test]
    fn a_chunk_promises_what_it_has_in_runs() {
        let rarity = [1.0, 2.0, 4.0, 8.0];
        for (had, sum) in [(0b0000, 0.0), (0b0101, 0.0), (0b0011, 3.0), (0b1011, 3.0), (0b1111, 15.0)] {
            assert_eq!(in_runs(had, &rarity), sum, "{had:b}");
        }
        assert_eq!(in_runs(u128::MAX, &[1.0; MOST_WORDS]), MOST_WORDS as f64);
    }
}
