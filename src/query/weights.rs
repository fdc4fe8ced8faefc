//! Every weight of the ranking, in one place.
//!
//! Scores are on a scale where the best chunk by words alone has 1. The values come from a prototype that was
//! tuned on few weights and checked on repositories that it had not seen; «loss» is what NDCG@10 lost there
//! when the part was removed. Flat means that neighbouring values made no difference that could be measured.

use crate::segment::N_FIELDS;

/// Weight of a term's frequency by field, in order of [`crate::segment::Field`]: symbol, signature, doc, body,
/// scope, stem, directory. Fields beyond doc and body: loss .011.
pub const FIELDS: [f32; N_FIELDS] = [5.0, 1.0, 1.0, 1.0, 3.0, 5.0, 0.5];

/// How much a field's length tells against it, in the same order: .6 for text, .5 for short fields; .4 to .75 is
/// flat.
pub const LENGTH: [f32; N_FIELDS] = [0.5, 0.5, 0.6, 0.6, 0.5, 0.5, 0.5];

/// Where a term's frequency saturates; 1.2 to 3 is flat.
pub const K1: f32 = 2.0;

/// A stemmed part of an identifier. Stemming: loss .006.
pub const PART: f32 = 1.0;
/// A whole identifier of several parts.
pub const COMPOUND: f32 = 1.0;
/// A whole single word that differs from its stem.
pub const WORD: f32 = 0.5;

/// A word in a code fence of a long text: logs and snippets mention more than they mean.
pub const FENCE: f32 = 0.5;
/// A word in the first line of a long text, which is usually its title.
pub const TITLE: f32 = 3.0;

/// Times the share of the words of the file's stem that are asked for. Loss .024.
pub const STEM_SHARE: f64 = 0.25;
/// Times the share of the query's words that are in the file's stem or directories; natural language only.
pub const PATH_SHARE: f64 = 0.3;
/// Times how well a declaration of the chunk fits a symbol-like word of the query; 2 and more does harm.
pub const DEFINITION: f64 = 0.6;
/// Times the file's sum of squared chunk scores, over the largest such sum. Loss .015.
pub const COHERENCE: f64 = 0.2;

/// A file that the query names by its path.
pub const NAMED_PATH: f64 = 0.2;
/// A file that is the whole query.
pub const PATH_QUERY: f64 = 1.0;
/// A chunk with a line that the query names (`path:12`, a stack frame).
pub const NAMED_LINE: f64 = 0.5;
/// Share of the two that a file gets which is named without any directory.
pub const BARE_NAME: f64 = 0.5;

/// The declared name is the word as written.
pub const SYMBOL_EXACT: f64 = 1.0;
/// It differs in case.
pub const SYMBOL_CASE: f64 = 0.9;
/// It differs in `_` and `-` (`parse_header`, `parseHeader`).
pub const SYMBOL_SEPARATORS: f64 = 0.85;
/// It begins with the word.
pub const SYMBOL_PREFIX: f64 = 0.6;
/// It is one edit away.
pub const SYMBOL_TYPO_1: f64 = 0.5;
/// It is two edits away.
pub const SYMBOL_TYPO_2: f64 = 0.35;
/// The declaration only adds to a type that is declared elsewhere (`impl`, an extension).
pub const SYMBOL_IMPLEMENTATION: f64 = 0.7;
/// The word has a qualifier (`Foo.bar`), and the declaration lies neither in that type nor in that file.
pub const SYMBOL_ELSEWHERE: f64 = 0.7;

/// Multiplies the score of tests, unless the query is about tests.
pub const TEST: f64 = 0.5;
/// Multiplies the score of examples, demos and benchmarks, unless the query is about them.
pub const EXAMPLE: f64 = 0.5;
/// Multiplies the score of vendored copies of other people's code.
pub const VENDORED: f64 = 0.7;
