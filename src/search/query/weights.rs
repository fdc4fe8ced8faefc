//! The weights of the ranking.
//!
//! Scores are on a scale where the best chunk by words alone has 1. Every weight is one row of
//! `weights!`: what it is for, its name and its value. Why the values are what they are, and what
//! else was tried, is in `doc/experiments/ranking.md`; so is what an answer loses without each.
//!
//! `cargo xtask eval --set` changes a weight for one evaluation, and `--ablate` takes one part of
//! the ranking away at a time, from a list of its own. The constants at the end of this file cannot
//! be changed by an evaluation.
//!
//! The module `signals` applies the weights of signals, and `factors` those of factors. A phase
//! also reads a weight to leave out work that counts 0. `recalled` and `explain` read that of
//! `meaning`, because words have the rest.

use crate::search::segment::N_FIELDS;

use crate::search::query::QueryKind;

/// Generates [`Weights`], the default weights and [`Weights::NAMES`] from one row for each weight.
macro_rules! weights {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty = $value:literal,)+) => {
        /// The weights that an evaluation can change.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Weights {
            /// Weight of a term's frequency by field, in the order of
            /// [`crate::search::segment::Field`]: symbol, signature, doc, body, scope, stem,
            /// directory.
            pub fields: [f32; N_FIELDS],
            /// BM25's b by field, in the same order: how strongly a long field lowers the score,
            /// from 0 to 1.
            pub length: [f32; N_FIELDS],
            /// The weights that differ for a long text.
            pub long: LongTextWeights,
            $($(#[doc = $doc])+ pub $name: $type,)+
        }

        /// The default weights.
        pub(crate) const WEIGHTS: Weights =
            Weights { fields: FIELDS, length: LENGTH, long: LONG, $($name: $value,)+ };

        impl Weights {
            /// The names of all weights but those of fields and of long texts.
            pub const NAMES: &[&str] = &[$(stringify!($name)),+];

            fn set_plain(&mut self, name: &str, value: f64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = <$type as Weight>::of(value),)+
                    _ => return false,
                }
                true
            }
        }
    };
}

/// A number that is a weight.
trait Weight {
    fn of(value: f64) -> Self;
}

impl Weight for f64 {
    fn of(value: f64) -> Self {
        value
    }
}

impl Weight for f32 {
    #[allow(clippy::cast_possible_truncation, reason = "a weight of seven digits is the same weight")]
    fn of(value: f64) -> Self {
        value as Self
    }
}

weights! {
    /// BM25's k1: the term frequency at which half of a term's maximum score is reached.
    k1: f32 = 2.0,
    /// Weight of a stemmed part of an identifier.
    part: f32 = 1.0,
    /// Weight of a whole identifier of several parts.
    compound: f32 = 1.0,
    /// Weight of a whole single word that differs from its stem.
    word: f32 = 0.5,
    /// Weight of a word in a code fence of a long text: logs and snippets mention more than they
    /// are about.
    fence: f32 = 0.5,
    /// Weight of a word in the first line of a long text, which is usually its title.
    title: f32 = 8.0,
    /// Factor for words of the turn before the question, in a chat. It applies once more for each
    /// turn further back.
    turn: f32 = 0.3,
    /// Weight of the embedding similarity, from 0 to 1, if the question has an embedding; words get
    /// the rest.
    meaning: f64 = 0.42,
    /// Added to the weight of words; natural language only.
    words: f64 = 0.1,
    /// Added to [`Weights::meaning`], times the share (by idf) of the question's words that even
    /// the best chunk lacks. Natural language only: words are less reliable if no chunk has them
    /// all.
    unsaid: f64 = 0.1,
    /// Lowest cosine at which a chunk becomes a candidate by its embedding alone.
    floor: f64 = 0.4,
    /// Weight of the share of words in the file's stem that the query asks for.
    stem_share: f64 = 0.25,
    /// Weight of the share of the query's words in the file's stem or directories; natural language
    /// only.
    path_share: f64 = 0.9,
    /// If above 0, a path word that is the beginning of a query word (`init`, `impl`, `config`)
    /// counts as that word; natural language only.
    short_form: f64 = 1.0,
    /// Weight of the share (by idf) of the query's words that the chunk has; natural language only.
    coverage: f64 = 0.4,
    /// Weight of how well a declaration in the chunk matches a symbol-like word of the query.
    definition: f64 = 0.6,
    /// Weight of how well the chunk answers a question for the references of a symbol. Set above
    /// anything that the symbol itself can get from its words. Not measured: no question in the
    /// evaluation sets asks for references.
    relation: f64 = 4.0,
    /// Weight of the share of the query's names that the chunk mentions whole; queries of names
    /// only. It finds names that are declared nowhere, such as configuration keys. The evaluation
    /// sets say nothing about its worth. See `doc/experiments/ranking.md`.
    mention: f64 = 0.3,
    /// Weight of the file's sum of squared chunk scores, relative to the largest such sum.
    coherence: f64 = 0.2,
    /// Weight of what references from the best chunks pass on to the chunk, relative to the
    /// maximum.
    graph: f64 = 0.1,
    /// Weight of the reranker's log-odds, relative to the lowest-rated of the chunks that are
    /// reranked.
    rerank: f64 = 0.12,
    /// Share of the [kernels](crate::index::embed::kernels) in the reranker's rating: a factor of
    /// their log-odds.
    kernels: f64 = 1.0,
    /// Share of the [encoder](crate::index::embed::encoder) in the reranker's rating, for
    /// questions only: a factor of the cosine between the question and the best chunk of the file.
    encoder: f64 = 18.0,
    /// Weight of how much of a message occurs word for word in the chunk's strings, relative to the
    /// best chunk.
    said: f64 = 4.0,
    /// Weight of how well the commentary on the chunk matches. Half of what words and embedding of
    /// the source weigh together. Not measured: no repository with known answers has commentary.
    commentary: f64 = 0.5,
    /// Weight of the similarity of the question to the messages of commits that changed the file,
    /// relative to the most similar file.
    history: f64 = 0.1,
    /// Weight of a file that the query names by its path.
    named_path: f64 = 0.2,
    /// Weight of a file whose path is the whole query.
    path_query: f64 = 1.0,
    /// Weight of a chunk with a line that the query names (`path:12`, a stack frame).
    named_line: f64 = 0.5,
    /// The same for a query that is little more than a stack trace. Set above what words give. Not
    /// measured: no evaluation set has stack traces.
    frame: f64 = 1.5,
    /// Factor for the order of a file's second chunk, applied once more for each further chunk. 0
    /// puts them all behind the best chunk of every file.
    again: f64 = 0.0,
    /// Additional factor for a chunk that is another part of a declaration seen before. Unused if
    /// [`Weights::again`] is 0.
    part_again: f64 = 0.6,
    /// Additional factor for a chunk that contains no function. Unused if [`Weights::again`] is 0.
    plain_again: f64 = 0.8,
    /// Factor for a chunk without a function when the first chunk of a file is chosen. Unused if
    /// [`Weights::again`] is 0.
    plain_first: f64 = 0.9,
    /// Additional weight of words when the chunks of one file are compared with each other, as a
    /// multiple of their usual weight. Unused if [`Weights::again`] is 0.
    words_within: f64 = 1.0,
    /// Preference for a chunk of many lines when the chunks of one file are compared with each
    /// other, on the scale of scores: fixes seldom change short functions. Unused if
    /// [`Weights::again`] is 0.
    lines_within: f64 = 0.15,
    /// Preference for a chunk with a function over the other chunks of its file, on the scale of
    /// scores; natural language only.
    function_within: f64 = 0.3,
    /// Factor for tests, unless the query is about tests.
    test: f64 = 0.5,
    /// Factor for examples, demos and benchmarks, unless the query is about them.
    example: f64 = 0.5,
    /// Factor for vendored copies of other projects' code.
    vendored: f64 = 0.7,
    /// Factor for prose (Markdown, plain text): most queries ask for the code that it describes.
    prose: f64 = 0.6,
    /// Factor for code in another language than the query asks for. Not measured: in the evaluation
    /// sets, no question asks for a language other than the repository's main one.
    other_language: f64 = 0.5,
    /// Factor for manuals, if the query is a question that a manual answers.
    manual: f64 = 2.5,
    /// Factor for files of translated texts, unless the query is about translations.
    translation: f64 = 0.5,
    /// Factor for settings and data (JSON, YAML, TOML, Make), unless the query names the file. Used
    /// for long texts: a log has the words of such files, and a fix is mostly in the code.
    settings: f64 = 1.0,
    /// Factor for the head of a file: its imports and first comments.
    head: f64 = 0.8,
    /// Factor for declarations without code: `.d.ts`, `.pyi`, and, for questions and long texts,
    /// prototypes of C.
    typings: f64 = 0.7,
    /// Factor for a part of a function that is too large for one chunk: fixes mostly change such
    /// functions. Unused if all chunks are asked for, since every part repeats the signature and
    /// would displace another function.
    large: f64 = 1.0,
}

const FIELDS: [f32; N_FIELDS] = [5.0, 1.0, 1.5, 1.0, 3.0, 5.0, 0.5];

const LENGTH: [f32; N_FIELDS] = [0.5, 0.5, 0.6, 0.6, 0.5, 0.5, 0.5];

/// Generates [`LongTextWeights`], its default values and [`LongTextWeights::NAMES`] from one row
/// for each weight.
macro_rules! long {
    ($($name:ident = $value:literal,)+) => {
        /// The weights that differ for a long text (an issue, a log, a message), named as in
        /// [`Weights`]. Such a text names much that it is not about. It is mostly about one file,
        /// and about several functions of that file.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct LongTextWeights {
            $(#[doc = concat!("[`Weights::", stringify!($name), "`].")]
            pub $name: f64,)+
        }

        const LONG: LongTextWeights = LongTextWeights { $($name: $value,)+ };

        impl LongTextWeights {
            /// The names of the weights.
            pub const NAMES: &[&str] = &[$(stringify!($name)),+];

            /// Sets a weight by its name; returns false if there is no such weight.
            fn set(&mut self, name: &str, value: f64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)+
                    _ => return false,
                }
                true
            }

            /// Returns `weights` with these weights in their places.
            fn over(self, weights: &Weights) -> Weights {
                Weights { $($name: self.$name,)+ ..weights.clone() }
            }
        }
    };
}

long! {
    meaning = 0.1,
    definition = 0.4,
    stem_share = 0.1,
    coherence = 0.3,
    graph = 0.3,
    rerank = 0.15,
    history = 0.2,
    said = 0.3,
    prose = 0.3,
    settings = 0.6,
    again = 0.97,
    large = 1.15,
}

impl Default for Weights {
    fn default() -> Self {
        WEIGHTS
    }
}

impl Weights {
    /// Returns the weights for a kind of query.
    pub(in crate::search::query) fn for_kind(&self, kind: QueryKind) -> Self {
        match kind {
            QueryKind::LongText => self.long.over(self),
            // A frame already names its function, so words and size need not choose among the
            // chunks of the file.
            QueryKind::StackTrace => Self { words_within: 0.0, lines_within: 0.0, ..self.long.over(self) },
            QueryKind::NaturalLanguage => self.clone(),
            // A name or a path means what it says: commit messages that mention it add nothing.
            QueryKind::Identifier | QueryKind::Path => Self { history: 0.0, ..self.clone() },
        }
    }

    /// Sets a weight by its name: `meaning`, `fields.symbol` or `length.body` for a field,
    /// `long.meaning` for a long text. Returns false if there is no such weight.
    pub fn set(&mut self, name: &str, value: f64) -> bool {
        let Some((list, field)) = name.split_once('.') else { return self.set_plain(name, value) };
        let of = crate::search::segment::Field::ALL.into_iter().position(|f| f.name() == field);
        let list = match list {
            "fields" => &mut self.fields,
            "length" => &mut self.length,
            "long" => return self.long.set(field, value),
            _ => return false,
        };
        of.and_then(|at| list.get_mut(at)).map(|slot| *slot = Weight::of(value)).is_some()
    }
}

/// Factor for the weight of a word that stands in for one which occurs nowhere.
pub(in crate::search::query) const NEAR_WORD: f32 = 0.5;

/// Strength of a named path that is a bare file name, without a directory.
pub(in crate::search::query) const BARE_NAME: f64 = 0.5;

/// Strength of a named path for a file of the same name in a folder of the same name elsewhere.
pub(in crate::search::query) const SAME_FOLDER: f64 = 0.8;

/// Strength of a named path for a file that only has the same name but declares the function that
/// the stack frame names.
pub(in crate::search::query) const SAME_NAME: f64 = 0.5;

/// Strength of a named path for a file that only declares the function of the stack frame, if no
/// file has the frame's path: the code was bundled or moved.
pub(in crate::search::query) const OTHER_FILE: f64 = 0.6;

/// Factor for the strength of a frame if its file does not declare its function, so that the line
/// is one of another version.
pub(in crate::search::query) const STALE: f64 = 0.5;

/// Returns the strength of a frame, by the number of frames between it and where the program
/// stopped. Only a little less for each, so that it orders frames and nothing else.
#[allow(clippy::cast_precision_loss)] // At most 30.
pub(in crate::search::query) fn of_depth(depth: usize) -> f64 {
    1.0 - 0.01 * depth.min(30) as f64
}

/// Quality of a declared name that is spelled exactly like the query's word.
pub(in crate::search::query) const SYMBOL_EXACT: f64 = 1.0;
/// Quality if the spelling differs only in case.
pub(in crate::search::query) const SYMBOL_CASE: f64 = 0.9;
/// Quality if the spelling differs only in separators (`parse_header`, `parseHeader`).
pub(in crate::search::query) const SYMBOL_SEPARATORS: f64 = 0.85;
/// Additional factor for the two above, if another declaration is spelled exactly as asked.
pub(in crate::search::query) const SYMBOL_BESIDE: f64 = 0.7;
/// Quality of a declared name that begins with the word.
pub(in crate::search::query) const SYMBOL_PREFIX: f64 = 0.6;
/// Quality of a declared name that is one edit away.
pub(in crate::search::query) const SYMBOL_TYPO_1: f64 = 0.5;
/// Quality of a declared name that is two edits away.
pub(in crate::search::query) const SYMBOL_TYPO_2: f64 = 0.35;
/// Factor for a declaration that only adds to a type declared elsewhere (`impl`, an extension).
pub(in crate::search::query) const SYMBOL_IMPLEMENTATION: f64 = 0.7;
/// Factor for a constructor, whose type has the same name and is declared around it.
pub(in crate::search::query) const SYMBOL_CONSTRUCTOR: f64 = 0.8;
/// Factor for a field, variable or key: it holds the thing that is asked for, rather than being it.
pub(in crate::search::query) const SYMBOL_VARIABLE: f64 = 0.6;
/// Factor if the word has a qualifier (`Foo.bar`) and the declaration is in neither that type nor
/// that file.
pub(in crate::search::query) const SYMBOL_ELSEWHERE: f64 = 0.7;
/// The declaration has another kind than the keyword of the query means.
pub(in crate::search::query) const SYMBOL_OTHER_KIND: f64 = 0.5;
