//! Every weight of the ranking, in one place.
//!
//! Scores are on a scale where the best chunk by words alone has 1. [`Weights`] holds what `cargo xtask eval --set`
//! can change and `--ablate` takes away one by one; the values and what each is worth are measured by those
//! commands on queries with known answers.

use crate::search::segment::N_FIELDS;

use crate::search::query::QueryKind;

/// The weights that an evaluation can change.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Weight of a term's frequency by field, in order of [`crate::search::segment::Field`]: symbol, signature, doc, body,
    /// scope, stem, directory.
    pub fields: [f32; N_FIELDS],
    /// How much a field's length tells against it, in the same order.
    pub length: [f32; N_FIELDS],
    /// Where a term's frequency saturates.
    pub k1: f32,
    /// A stemmed part of an identifier.
    pub part: f32,
    /// A whole identifier of several parts.
    pub compound: f32,
    /// A whole single word that differs from its stem.
    pub word: f32,
    /// A word in a code fence of a long text: logs and snippets mention more than they mean.
    pub fence: f32,
    /// A word in the first line of a long text, which is usually its title.
    pub title: f32,
    /// A word of the turn before the question, in a chat; each turn further back, as much less again.
    pub turn: f32,
    /// What vectors weigh where a question has one; words weigh the rest.
    pub meaning: f64,
    /// Added to it, times the share (by idf) of the question's words that the best chunk in that lacks; natural language
    /// only. Where no chunk has the words of a question, they say less.
    pub unsaid: f64,
    /// The least cosine with which a chunk is found for its meaning alone.
    pub floor: f64,
    /// Times the share of the words of the file's stem that are asked for.
    pub stem_share: f64,
    /// Times the share of the query's words that are in the file's stem or directories; natural language only.
    pub path_share: f64,
    /// If above 0, a word of a path that is the beginning of a word of the query (`init`, `impl`, `config`) counts as
    /// that word; natural language only.
    pub short_form: f64,
    /// Times the share, by idf, of the query's words that the chunk has; natural language only.
    pub coverage: f64,
    /// Times how well a declaration of the chunk fits a symbol-like word of the query.
    pub definition: f64,
    /// Times how sure it is that the chunk refers to what the users of are asked for. Not measured: no question of the sets asks
    /// so. More than what the thing itself has by its words.
    pub users: f64,
    /// Times the share of the names asked for that the chunk mentions whole; names alone. The sets say nothing of it (.0003 less
    /// NDCG@10): what is no declaration anywhere, as a key of a configuration, is found by it.
    pub mention: f64,
    /// Times the file's sum of squared chunk scores, over the largest such sum.
    pub coherence: f64,
    /// Times the weight that comes to the chunk by references from the best ones, over the most.
    pub graph: f64,
    /// Times how much better the chunk's words answer the question's, one by one, than those of the last of the chunks that
    /// are compared so.
    pub fitting: f64,
    /// Of how well it answers: times what [kernels](crate::search::embed::kernels) say, in logarithms of odds.
    pub kernels: f64,
    /// Likewise, for questions: times the cosine of the question's direction with that of the file's best chunk, by the
    /// [encoder](crate::search::embed::encoder).
    pub encoder: f64,
    /// Times how much of a message stands in the chunk's strings word for word, over the most that any has.
    pub said: f64,
    /// Times how well what was written about the chunk fits. Not measured: there is no commentary on repositories with known
    /// answers. Half of what words and meaning of the source weigh together.
    pub commentary: f64,
    /// Times how like the question is what a commit said that changed the file, over the most of any file.
    pub history: f64,
    /// A file that the query names by its path.
    pub named_path: f64,
    /// A file that is the whole query.
    pub path_query: f64,
    /// A chunk with a line that the query names (`path:12`, a stack frame).
    pub named_line: f64,
    /// Likewise, of a query that is a stack trace and little else: above what words give. Not measured: no set of questions
    /// has such.
    pub frame: f64,
    /// What the second chunk of a file is multiplied by when hits are put in order, and each further one again; 0 puts
    /// them all behind the best chunk of every file.
    pub again: f64,
    /// What a chunk is multiplied by besides when it is another part of a declaration that has one before it. Not used
    /// where [`Weights::again`] is 0.
    pub part_again: f64,
    /// Likewise if no function is in it.
    pub plain_again: f64,
    /// What a chunk without a function is multiplied by when a file's chunks are compared for its first place. Not used
    /// where [`Weights::again`] is 0.
    pub plain_first: f64,
    /// How much more words weigh when a file's chunks are compared with each other: so much of what they weigh is added. Not
    /// used where [`Weights::again`] is 0.
    pub words_within: f64,
    /// What takes the place of some of these for a long text.
    pub long: Long,
    /// Multiplies the score of tests, unless the query is about tests.
    pub test: f64,
    /// Multiplies the score of examples, demos and benchmarks, unless the query is about them.
    pub example: f64,
    /// Multiplies the score of vendored copies of other people's code.
    pub vendored: f64,
    /// Multiplies the score of prose (Markdown, plain text): what is asked for is mostly what it speaks of.
    pub prose: f64,
    /// Multiplies the score of what is not in the language that code is asked for in. Not measured: no question of the sets asks so
    /// for another language than most of a repository is in.
    pub other_language: f64,
    /// Multiplies the score of a file's head, its imports and first comments.
    pub head: f64,
    /// Multiplies the score of declarations without code (`.d.ts`, `.pyi`).
    pub typings: f64,
    /// Multiplies the score of a part of a function that is too large for one chunk: what is mended is mostly that. Not used
    /// where all chunks are asked for: each part of one has the same signature, and takes the place of another function's.
    pub large: f64,
}

/// Makes [`Long`] of the names of its weights.
macro_rules! long {
    ($($name:ident),+ $(,)?) => {
        /// The weights that are others for a long text (an issue, a log, a message), under the names that they have for short
        /// ones. Such a text names much that is not what it is about, is mostly about one file, and about several of its
        /// functions.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Long {
            $(#[doc = concat!("[`Weights::", stringify!($name), "`].")]
            pub $name: f64,)+
        }

        impl Long {
            /// Sets a weight by its name; false for one that there is not.
            fn set(&mut self, name: &str, value: f64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)+
                    _ => return false,
                }
                true
            }

            /// The others with these in their places.
            fn over(self, weights: &Weights) -> Weights {
                Weights { $($name: self.$name,)+ ..weights.clone() }
            }
        }
    };
}

long!(meaning, definition, stem_share, coherence, graph, fitting, history, said, prose, again, large);

/// The weights that queries are answered with.
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
/// 30, most of it by [`Long::again`]. [`Weights::part_again`] and [`Weights::plain_again`] add 2.8 on every other of those in
/// Python and 2.6 on the others. [`Long::fitting`], on all of them: files 54.2, 77.6, 86.1 → 55.5, 80.3, 88.4 and 36.3, 66.1,
/// 79.8 → 37.9, 68.5, 80.6, functions among the first ten 53.6 → 55.9 and 32.1 → 33.0. [`Weights::plain_first`] makes all
/// functions first, among five and among ten 24.8, 48.4, 55.9 → 28.0, 48.7, 56.8 and 10.7, 26.8, 33.0 → 11.6, 27.7, 33.9; with
/// 0.8 instead 28.5, 48.1, 55.6. Neighbouring values differ by less than two issues in a hundred. [`Long::coherence`] and
/// [`Long::graph`] are 0.3 since a chunk is called by its function: with 0.5 and 0.2 all functions are first, among five and
/// among ten 31.7, 49.6, 57.9 and any of them 43.8, 68.9, 75.8, with these 32.9, 51.0, 59.1 and 44.4, 69.7, 76.4 (in the other
/// languages 15.2, 32.1, 39.3 and 33.9, 66.1, 76.8; 15.2, 30.4, 39.3 and 33.9, 64.3, 76.8); all files 57.4, 81.1, 88.7 and 57.9,
/// 81.3, 87.4, any file 68.9, 90.8, 94.7 and 69.5, 90.8, 93.9.
///
/// Parts of large functions are a seventh of what is found for issues and more than half of what has a function of the fix in
/// it. With [`Long::large`] 1, 1.1, 1.15, 1.2 and 1.3 any file is first in 69.2, 70.5, 70.5, 71.3, 68.2 and 71.8, 75.0, 75.0,
/// 75.0, 73.4, any function among ten in 76.4, 76.7, 78.1, 77.5, 77.5 and 75.0, 76.8, 75.9, 77.7, 77.7, all functions in 58.5,
/// 59.7, 60.2, 60.2, 60.5 and 38.4, 39.3, 39.3, 40.2, 40.2. Questions lose .002 by 1.05. A view for language models has all
/// functions within 1000 tokens for 68.0 % of those in Python, with 1.15 for 65.1. [`Weights::words_within`] 0, .5, 1, 1.5 puts any
/// function first in 46.1, 48.1, 47.6, 47.3 and 40.2, 41.1, 40.2, 40.2, among five in 69.7, 72.0, 72.3, 72.0 and 67.9, 67.9, 67.0,
/// 66.1. How large a file is, how many branches a function has, how often it was changed, that it is a class, a constructor or one
/// of several in its chunk: each is worth less than an issue in a hundred, or helps one set and not the other; nor do questions
/// gain by how large a file is, or by how much else refers to it (.0009 at best).
/// A ranking that learns from all of these together (LambdaMART, leave one repository out) is no better than with these two.
///
/// [`Weights::history`] adds .002 of NDCG@10 to questions (.05, .1, .15 and .2: .000, .002, .004, .000) and [`Long::history`] to
/// issues in Python: all files 55.0, 80.0, 87.9 → 57.1, 81.1, 88.2, any file first 65.5 → 68.2, all functions 28.5, 48.7, 57.3 →
/// 30.0, 49.0, 56.8; in the others any file first 66.9, all functions 13.4, 28.6, 34.8 → 11.6, 29.5, 34.8, and nothing else but
/// one issue. Of history, how often, how lately and together with which other files a file was changed was tried too, on
/// both sets of issues: how often and how lately make the first place worse by 1 to 20 in a hundred, together nothing.
///
/// [`Weights::said`] was set on messages (the module `message`) so that no question loses: with 2 NDCG@10 is .809, with 3
/// .845, with 4 .856, with 6 .861, but then questions lose .002. Issues gain nothing by [`Long::said`]; with 2 a fiftieth less
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
    long: Long {
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
    /// The weights for a kind of query.
    pub(in crate::search::query) fn for_kind(&self, kind: QueryKind) -> Self {
        match kind {
            QueryKind::LongText => self.long.over(self),
            // A frame names its function.
            QueryKind::StackTrace => Self { words_within: 0.0, ..self.long.over(self) },
            QueryKind::NaturalLanguage => self.clone(),
            // A name or a path is what it says.
            QueryKind::Identifier | QueryKind::Path => Self { history: 0.0, ..self.clone() },
        }
    }

    /// Sets a weight by its name, those of a field as `fields.symbol` or `length.body`, those of a long text as `long.meaning`; false for a name that there
    /// is not.
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

/// A word that stands in for one which occurs nowhere, times what that one would weigh.
pub(in crate::search::query) const NEAR_WORD: f32 = 0.5;

/// Share of a named path's weights that a file gets which is named without any directory.
pub(in crate::search::query) const BARE_NAME: f64 = 0.5;

/// Share of a named path's weights that a file gets which has the same name in a folder of the same name, elsewhere.
pub(in crate::search::query) const SAME_FOLDER: f64 = 0.8;

/// Share of a named path's weights that a file gets which only has the same name, and declares the function that a frame
/// names in it.
pub(in crate::search::query) const SAME_NAME: f64 = 0.5;

/// The declared name is the word as written.
pub(in crate::search::query) const SYMBOL_EXACT: f64 = 1.0;
/// It differs in case.
pub(in crate::search::query) const SYMBOL_CASE: f64 = 0.9;
/// It differs in `_` and `-` (`parse_header`, `parseHeader`).
pub(in crate::search::query) const SYMBOL_SEPARATORS: f64 = 0.85;
/// Times those, where another declaration is called exactly as written.
pub(in crate::search::query) const SYMBOL_BESIDE: f64 = 0.7;
/// It begins with the word.
pub(in crate::search::query) const SYMBOL_PREFIX: f64 = 0.6;
/// It is one edit away.
pub(in crate::search::query) const SYMBOL_TYPO_1: f64 = 0.5;
/// It is two edits away.
pub(in crate::search::query) const SYMBOL_TYPO_2: f64 = 0.35;
/// The declaration only adds to a type that is declared elsewhere (`impl`, an extension).
pub(in crate::search::query) const SYMBOL_IMPLEMENTATION: f64 = 0.7;
/// The declaration constructs a type of the same name, which is declared around it.
pub(in crate::search::query) const SYMBOL_CONSTRUCTOR: f64 = 0.8;
/// The declaration is a field, variable or key, which holds what is asked for rather than being it.
pub(in crate::search::query) const SYMBOL_VARIABLE: f64 = 0.6;
/// The word has a qualifier (`Foo.bar`), and the declaration lies neither in that type nor in that file.
pub(in crate::search::query) const SYMBOL_ELSEWHERE: f64 = 0.7;
