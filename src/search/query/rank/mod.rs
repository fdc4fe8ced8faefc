//! The ranking: query → ordered hits, each of which can say how its score came about.
//!
//! | file | input → output |
//! |---|---|
//! | `pipeline` | query → the phases in their order → answer |
//! | `inquiry` | query → what is asked for, and what a hit must be |
//! | `recalled` | inquiry → candidates, with all that recall knows |
//! | `scored`, `expanded`, `reranked`, `ordered` | the phases after it, one each |
//! | `signals`, `factors` | the lists of what adds to a score and what multiplies it |
//! | `inputs` | what is known of a chunk → its signals, factors and score |
//! | `candidates`, `scores`, `order`, `rerank` | the data and the algorithms of the phases |
//! | `raised` | results that come among the first whatever their scores |
//! | `copies`, `translation` | files → which are near copies or translations of others |
//! | `relevance` | ordered candidate → the probability that it answers |
//! | `explain`, `hit`, `rule` | ordered candidate → what is shown of it |
//!
//! **Invariant.** A phase holds what is known after it, and nothing that a later phase fills in.

use crate::index::chunk::is_document;
use crate::index::embed::encoder::Encoder;
use crate::search::commit_messages::CommitMessageSource;
use crate::search::segment::FileView;

use super::RelatedChunks;
#[cfg(doc)]
use super::RelationQuestion;
use super::recall::message::Sources;
use super::recall::notes::Notes;
use super::recall::semantic::Cosines;

mod candidates;
mod copies;
mod expanded;
mod explain;
mod factors;
pub(super) mod hit;
mod inputs;
mod inquiry;
pub(super) mod order;
mod ordered;
pub(super) mod pipeline;
mod raised;
mod recalled;
mod references;
pub mod relevance;
mod rerank;
mod reranked;
pub(super) mod rule;
#[cfg(test)]
mod samples;
mod scored;
mod scores;
mod signals;
#[cfg(test)]
mod tests;
mod translation;

/// Optional inputs of a search in addition to the index.
#[derive(Debug, Clone, Copy, Default)]
pub struct SideSignals<'b> {
    /// Cosines of another embedding model, which replace those of the built-in one.
    pub cosines: Option<&'b Cosines>,
    /// Commentary on chunks.
    pub notes: Option<&'b Notes<'b>>,
    /// Messages of commits. They are asked for only if the query's kind uses them.
    pub history: Option<&'b dyn CommitMessageSource>,
    /// The sources of files, for texts that may be program messages.
    pub sources: Option<&'b dyn Sources>,
    /// The references that the query asks for, if the caller found them in the source. Otherwise
    /// those count that the records tell; see [`RelationQuestion`].
    pub related: Option<&'b RelatedChunks>,
    /// The encoder that reranks the best chunks, instead of the built-in one.
    pub encoder: Option<&'b Encoder<'b>>,
}

/// Returns whether a file holds documents, one a line. These declare their titles, which other data
/// does not.
fn is_corpus(file: &FileView<'_>) -> bool {
    file.language() == "json-lines" && !file.segment.declarations_of(file.ord).is_empty()
}

/// Returns whether files of a language are written for people to read.
fn is_prose(language: &str) -> bool {
    is_document(language) || matches!(language, "text" | "json-lines")
}

/// Returns a value relative to the maximum; 0 if the maximum is 0.
fn over(value: f64, most: f64) -> f64 {
    if most > 0.0 { value / most } else { 0.0 }
}
