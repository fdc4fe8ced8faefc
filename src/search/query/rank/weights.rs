//! The weights of the ranking.
//!
//! Scores are on a scale where the best chunk by words alone has 1. `cargo xtask eval --set`
//! changes a field of [`Weights`] for one evaluation, and `--ablate` takes the signals away one by
//! one. Both measure queries with known answers; the results are in `doc/experiments/ranking.md`.
//! The constants at the end of this file cannot be changed by an evaluation. Only the module
//! `signals` uses the weights of signals, and only `factors` those of factors.

use crate::search::segment::N_FIELDS;

use crate::search::query::QueryKind;

/// The weights that an evaluation can change.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Weight of a term's frequency by field, in the order of [`crate::search::segment::Field`]: symbol,
    /// signature, doc, body, scope, stem, directory.
    pub fields: [f32; N_FIELDS],
    /// BM25's b by field, in the same order: how strongly a long field lowers the score, from 0 to
    /// 1.
    pub length: [f32; N_FIELDS],
    /// BM25's k1: the term frequency at which half of a term's maximum score is reached.
    pub k1: f32,
    /// Weight of a stemmed part of an identifier.
    pub part: f32,
    /// Weight of a whole identifier of several parts.
    pub compound: f32,
    /// Weight of a whole single word that differs from its stem.
    pub word: f32,
    /// Weight of a word in a code fence of a long text: logs and snippets mention more than they
    /// are about.
    pub fence: f32,
    /// Weight of a word in the first line of a long text, which is usually its title.
    pub title: f32,
    /// Factor for words of the turn before the question, in a chat. It applies once more for each
    /// turn further back.
    pub turn: f32,
    /// Weight of the embedding similarity, from 0 to 1, if the question has an embedding; words get
    /// the rest.
    pub meaning: f64,
    /// Added to [`Weights::meaning`], times the share (by idf) of the question's words that even
    /// the best chunk lacks. Natural language only: words are less reliable if no chunk has them
    /// all.
    pub unsaid: f64,
    /// Lowest cosine at which a chunk becomes a candidate by its embedding alone.
    pub floor: f64,
    /// Weight of the share of words in the file's stem that the query asks for.
    pub stem_share: f64,
    /// Weight of the share of the query's words in the file's stem or directories; natural language
    /// only.
    pub path_share: f64,
    /// If above 0, a path word that is the beginning of a query word (`init`, `impl`, `config`)
    /// counts as that word; natural language only.
    pub short_form: f64,
    /// Weight of the share (by idf) of the query's words that the chunk has; natural language only.
    pub coverage: f64,
    /// Weight of how well a declaration in the chunk matches a symbol-like word of the query.
    pub definition: f64,
    /// Weight of the confidence that the chunk refers to the symbol whose referrers are asked for.
    /// Set above anything that the symbol itself can get from its words. Not measured: no question
    /// in the evaluation sets asks for referrers.
    pub users: f64,
    /// Weight of the share of the query's names that the chunk mentions whole; queries of names
    /// only. It finds names that are declared nowhere, such as configuration keys. The evaluation
    /// sets say nothing about its worth. See `doc/experiments/ranking.md`.
    pub mention: f64,
    /// Weight of the file's sum of squared chunk scores, relative to the largest such sum.
    pub coherence: f64,
    /// Weight of what references from the best chunks pass on to the chunk, relative to the
    /// maximum.
    pub graph: f64,
    /// Weight of the reranker's log-odds, relative to the lowest-rated of the chunks that are
    /// reranked.
    pub fitting: f64,
    /// Share of the [kernels](crate::search::embed::kernels) in the reranker's rating: a factor of their
    /// log-odds.
    pub kernels: f64,
    /// Share of the [encoder](crate::search::embed::encoder) in the reranker's rating, for questions only:
    /// a factor of the cosine between the question and the best chunk of the file.
    pub encoder: f64,
    /// Weight of how much of a message occurs word for word in the chunk's strings, relative to the
    /// best chunk.
    pub said: f64,
    /// Weight of how well the commentary on the chunk matches. Half of what words and embedding of
    /// the source weigh together. Not measured: no repository with known answers has commentary.
    pub commentary: f64,
    /// Weight of the similarity of the question to the messages of commits that changed the file,
    /// relative to the most similar file.
    pub history: f64,
    /// Weight of a file that the query names by its path.
    pub named_path: f64,
    /// Weight of a file whose path is the whole query.
    pub path_query: f64,
    /// Weight of a chunk with a line that the query names (`path:12`, a stack frame).
    pub named_line: f64,
    /// The same for a query that is little more than a stack trace. Set above what words give. Not
    /// measured: no evaluation set has stack traces.
    pub frame: f64,
    /// Factor for the order of a file's second chunk, applied once more for each further chunk. 0
    /// puts them all behind the best chunk of every file.
    pub again: f64,
    /// Additional factor for a chunk that is another part of a declaration seen before. Unused if
    /// [`Weights::again`] is 0.
    pub part_again: f64,
    /// Additional factor for a chunk that contains no function. Unused if [`Weights::again`] is 0.
    pub plain_again: f64,
    /// Factor for a chunk without a function when the first chunk of a file is chosen. Unused if
    /// [`Weights::again`] is 0.
    pub plain_first: f64,
    /// Additional weight of words when the chunks of one file are compared with each other, as a
    /// multiple of their usual weight. Unused if [`Weights::again`] is 0.
    pub words_within: f64,
    /// The weights that differ for a long text.
    pub long: LongTextWeights,
    /// Factor for tests, unless the query is about tests.
    pub test: f64,
    /// Factor for examples, demos and benchmarks, unless the query is about them.
    pub example: f64,
    /// Factor for vendored copies of other projects' code.
    pub vendored: f64,
    /// Factor for prose (Markdown, plain text): most queries ask for the code that it describes.
    pub prose: f64,
    /// Factor for code in another language than the query asks for. Not measured: in the evaluation
    /// sets, no question asks for a language other than the repository's main one.
    pub other_language: f64,
    /// Factor for the head of a file: its imports and first comments.
    pub head: f64,
    /// Factor for declarations without code (`.d.ts`, `.pyi`).
    pub typings: f64,
    /// Factor for a part of a function that is too large for one chunk: fixes mostly change such
    /// functions. Unused if all chunks are asked for, since every part repeats the signature and
    /// would displace another function.
    pub large: f64,
}

/// Generates [`LongTextWeights`] from the names of its weights.
macro_rules! long {
    ($($name:ident),+ $(,)?) => {
        /// The weights that differ for a long text (an issue, a log, a message), named as in
        /// [`Weights`]. Such a text names much that it is not about. It is mostly about one file,
        /// and about several functions of that file.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct LongTextWeights {
            $(#[doc = concat!("[`Weights::", stringify!($name), "`].")]
            pub $name: f64,)+
        }

        impl LongTextWeights {
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

long!(meaning, definition, stem_share, coherence, graph, fitting, history, said, prose, again, large);

/// The default weights.
///
/// What NDCG@10 loses on 393 questions about 20 repositories without a part, at .907 (`cargo xtask eval --ablate`):
/// vectors and comparison word by word and as wholes together .032, definition .020, comparison .014, words and fields .012 each,
/// coherence .007, stem share and coverage .006 each, path share and references .005 each, whole words and demotion of prose .004
/// each, short forms .003, demotion of tests .002, history, compounds .001 each; meaning for what is not said, examples, heads,
/// typings and vendored code nothing or less. Neighbouring values of all of them differ by less than .005.
///
/// [`Weights::fitting`], [`Weights::encoder`], [`Weights::meaning`] and [`Weights::unsaid`] were chosen there and on the tuning
/// halves of sets of functions (`cargo xtask eval SETS/*.json`); on the other halves comparison is worth MRR@10 .426 → .482 on
/// CoSQA and .506 → .549 over ten repositories. The more the encoder weighs, the more of CoSQA's functions are found and the fewer
/// of the chunks that questions about whole repositories are for, and the other way round with less of meaning: with `meaning` .35
/// and `unsaid` .1 .477 and .909, with `encoder` 20 .485 and .905.
///
/// [`Weights::long`] and the title's weight were set on issues: every third of 380 in Python, and 124 in five other
/// languages. All files among the first 1, 5, 10 (%): 46, 72, 80 and 28, 62, 70 with the values for short questions,
/// 53, 79, 88 and 34, 68, 79 with these before words were compared; all functions among the first ten 27 and 17, then 52 and
/// 30, most of it by [`LongTextWeights::again`]. [`Weights::part_again`] and [`Weights::plain_again`] add 2.8 on every other of those in
/// Python and 2.6 on the others. [`LongTextWeights::fitting`], on all of them: files 54.2, 77.6, 86.1 → 55.5, 80.3, 88.4 and 36.3, 66.1,
/// 79.8 → 37.9, 68.5, 80.6, functions among the first ten 53.6 → 55.9 and 32.1 → 33.0. [`Weights::plain_first`] makes all
/// functions first, among five and among ten 24.8, 48.4, 55.9 → 28.0, 48.7, 56.8 and 10.7, 26.8, 33.0 → 11.6, 27.7, 33.9; with
/// 0.8 instead 28.5, 48.1, 55.6. Neighbouring values differ by less than two issues in a hundred. [`LongTextWeights::coherence`] and
/// [`LongTextWeights::graph`] are 0.3 since a chunk is called by its function: with 0.5 and 0.2 all functions are first, among five and
/// among ten 31.7, 49.6, 57.9 and any of them 43.8, 68.9, 75.8, with these 32.9, 51.0, 59.1 and 44.4, 69.7, 76.4 (in the other
/// languages 15.2, 32.1, 39.3 and 33.9, 66.1, 76.8; 15.2, 30.4, 39.3 and 33.9, 64.3, 76.8); all files 57.4, 81.1, 88.7 and 57.9,
/// 81.3, 87.4, any file 68.9, 90.8, 94.7 and 69.5, 90.8, 93.9.
///
/// Parts of large functions are a seventh of what is found for issues and more than half of what has a function of the fix in
/// it. With [`LongTextWeights::large`] 1, 1.1, 1.15, 1.2 and 1.3 any file is first in 69.2, 70.5, 70.5, 71.3, 68.2 and 71.8, 75.0, 75.0,
/// 75.0, 73.4, any function among ten in 76.4, 76.7, 78.1, 77.5, 77.5 and 75.0, 76.8, 75.9, 77.7, 77.7, all functions in 58.5,
/// 59.7, 60.2, 60.2, 60.5 and 38.4, 39.3, 39.3, 40.2, 40.2. Questions lose .002 by 1.05. A view for language models has all
/// functions within 1000 tokens for 68.0 % of those in Python, with 1.15 for 65.1. [`Weights::words_within`] 0, .5, 1, 1.5 puts any
/// function first in 46.1, 48.1, 47.6, 47.3 and 40.2, 41.1, 40.2, 40.2, among five in 69.7, 72.0, 72.3, 72.0 and 67.9, 67.9, 67.0,
/// 66.1. How large a file is, how many branches a function has, how often it was changed, that it is a class, a constructor or one
/// of several in its chunk: each is worth less than an issue in a hundred, or helps one set and not the other; nor do questions
/// gain by how large a file is, or by how much else refers to it (.0009 at best).
/// A ranking that learns from all of these together (LambdaMART, leave one repository out) is no better than with these two.
///
/// [`Weights::history`] adds .002 of NDCG@10 to questions (.05, .1, .15 and .2: .000, .002, .004, .000) and [`LongTextWeights::history`] to
/// issues in Python: all files 55.0, 80.0, 87.9 → 57.1, 81.1, 88.2, any file first 65.5 → 68.2, all functions 28.5, 48.7, 57.3 →
/// 30.0, 49.0, 56.8; in the others any file first 66.9, all functions 13.4, 28.6, 34.8 → 11.6, 29.5, 34.8, and nothing else but
/// one issue. Of history, how often, how lately and together with which other files a file was changed was tried too, on
/// both sets of issues: how often and how lately make the first place worse by 1 to 20 in a hundred, together nothing.
///
/// [`Weights::said`] was set on messages (the module `message`) so that no question loses: with 2 NDCG@10 is .809, with 3
/// .845, with 4 .856, with 6 .861, but then questions lose .002. Issues gain nothing by [`LongTextWeights::said`]; with 2 a fiftieth less
/// of them have all their files first.
pub(crate) const WEIGHTS: Weights = Weights {
    fields: [5.0, 1.0, 1.5, 1.0, 3.0, 5.0, 0.5],
    length: [0.5, 0.5, 0.6, 0.6, 0.5, 0.5, 0.5],
    k1: 2.0,
    part: 1.0,
    compound: 1.0,
    word: 0.5,
    fence: 0.5,
    title: 8.0,
    turn: 0.3,
    meaning: 0.42,
    unsaid: 0.1,
    floor: 0.4,
    stem_share: 0.25,
    path_share: 0.9,
    short_form: 1.0,
    coverage: 0.4,
    definition: 0.6,
    users: 4.0,
    mention: 0.3,
    coherence: 0.2,
    graph: 0.1,
    fitting: 0.12,
    kernels: 1.0,
    encoder: 18.0,
    said: 4.0,
    commentary: 0.5,
    history: 0.1,
    named_path: 0.2,
    path_query: 1.0,
    named_line: 0.5,
    frame: 1.5,
    again: 0.0,
    part_again: 0.6,
    plain_again: 0.6,
    plain_first: 0.9,
    words_within: 1.0,
    long: LongTextWeights {
        meaning: 0.1,
        definition: 0.4,
        stem_share: 0.1,
        coherence: 0.3,
        graph: 0.3,
        fitting: 0.15,
        history: 0.2,
        said: 0.3,
        prose: 0.3,
        again: 0.95,
        large: 1.15,
    },
    test: 0.5,
    example: 0.5,
    vendored: 0.7,
    prose: 0.6,
    other_language: 0.5,
    head: 0.8,
    typings: 0.7,
    large: 1.0,
};

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
            // A frame already names its function, so words need not choose among the chunks of the
            // file.
            QueryKind::StackTrace => Self { words_within: 0.0, ..self.long.over(self) },
            QueryKind::NaturalLanguage => self.clone(),
            // A name or a path means what it says: commit messages that mention it add nothing.
            QueryKind::Identifier | QueryKind::Path => Self { history: 0.0, ..self.clone() },
        }
    }

    /// Sets a weight by its name: `meaning`, `fields.symbol` or `length.body` for a field,
    /// `long.meaning` for a long text. Returns false if there is no such weight.
    pub fn set(&mut self, name: &str, value: f64) -> bool {
        #[allow(clippy::cast_possible_truncation, reason = "a weight of seven digits is the same weight")]
        let narrow = value as f32;
        if let Some((list, field)) = name.split_once('.') {
            let of = crate::search::segment::Field::ALL.into_iter().position(|f| f.name() == field);
            let list = match list {
                "fields" => &mut self.fields,
                "length" => &mut self.length,
                "long" => return self.long.set(field, value),
                _ => return false,
            };
            return of.and_then(|at| list.get_mut(at)).map(|slot| *slot = narrow).is_some();
        }
        match name {
            "k1" => self.k1 = narrow,
            "part" => self.part = narrow,
            "compound" => self.compound = narrow,
            "word" => self.word = narrow,
            "fence" => self.fence = narrow,
            "title" => self.title = narrow,
            "turn" => self.turn = narrow,
            "meaning" => self.meaning = value,
            "unsaid" => self.unsaid = value,
            "floor" => self.floor = value,
            "stem_share" => self.stem_share = value,
            "path_share" => self.path_share = value,
            "short_form" => self.short_form = value,
            "coverage" => self.coverage = value,
            "definition" => self.definition = value,
            "users" => self.users = value,
            "mention" => self.mention = value,
            "coherence" => self.coherence = value,
            "graph" => self.graph = value,
            "fitting" => self.fitting = value,
            "kernels" => self.kernels = value,
            "encoder" => self.encoder = value,
            "said" => self.said = value,
            "commentary" => self.commentary = value,
            "history" => self.history = value,
            "named_path" => self.named_path = value,
            "path_query" => self.path_query = value,
            "named_line" => self.named_line = value,
            "frame" => self.frame = value,
            "again" => self.again = value,
            "part_again" => self.part_again = value,
            "plain_again" => self.plain_again = value,
            "plain_first" => self.plain_first = value,
            "words_within" => self.words_within = value,
            "test" => self.test = value,
            "example" => self.example = value,
            "vendored" => self.vendored = value,
            "prose" => self.prose = value,
            "other_language" => self.other_language = value,
            "head" => self.head = value,
            "typings" => self.typings = value,
            "large" => self.large = value,
            _ => return false,
        }
        true
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
