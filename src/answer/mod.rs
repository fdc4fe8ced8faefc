//! Ranked chunks → what is read: results, relations, changes, maps, pages, views, answers with
//! sources.
//!
//! Nothing here computes a score. Chunks are retrieved only through `search`; histories, authors
//! and first appearances come from `git`.

mod appearance;
pub mod ask;
mod attempts;
mod authors;
mod changelog;
mod diff;
mod edited;
mod explain;
mod fields;
mod finder;
mod history;
mod impact;
mod include;
mod introduction;
mod iota;
mod label;
mod likeness;
mod line_map;
mod links;
mod map;
mod member_changes;
mod merge;
mod navigation;
mod neighbours;
mod pairs;
mod parameters;
mod parts;
mod prototypes;
mod relations;
mod renamed;
mod results;
mod side;
mod signature;
mod time_question;
pub mod view;
mod visibility;

pub use appearance::{
    Appearance, AppearanceEvent, AppearanceQuery, DeclarationAppearance, FileAppearance, Needle, Release,
    appearance, appearance_text, declaration_appearance, declaration_appearance_text, file_appearance,
    file_appearance_text, file_kind, marked_name, needle,
};
#[cfg(feature = "postgres")]
pub(crate) use attempts::{Attempt, Means, Outcome, Reason, UNQUOTED_NOTE, plan};
pub use authors::{Author, Authors, authors, authors_text, day};
pub use changelog::{
    Changelog, ChangelogEntry, ChangelogKind, ChangelogReport, changelog, changelog_json, changelog_markdown,
    changelog_text,
};
pub use diff::{DeclarationChange, DeclarationPlace, Diff, answer_in_diff, diff, diff_worktree};
pub use explain::{ExplainQuery, explain};
pub use finder::Finder;
pub use history::{
    History, HistoryChange, HistoryPlace, HistoryQuery, HistoryRow, VersionPlace, history, history_text,
};
pub use impact::{
    Impact, ImpactCaller, ImpactCompanion, ImpactMention, ImpactQuery, ImpactReport, ImpactScope,
    ImpactSubject, Risk, UNCOMMITTED, impact, impact_json, impact_markdown, impact_text,
};
pub use include::{Include, can_include, include, included};
pub use label::LabelContext;
pub use line_map::LineMap;
pub use map::{MapQuery, map};
#[cfg(feature = "postgres")]
pub(crate) use merge::share_near;
pub use merge::{MAX_FOLLOWED, follow, merge};
pub use navigation::{
    CalleePlace, Cursor, DeclarationSite, DeclarationTarget, NameMeaning, NamePlace, Navigator,
};
pub use neighbours::{Neighbour, Neighbours, related};
pub use relations::name_at::{name_range, names_at};
pub use relations::unresolved::{MentioningFiles, MentioningLine, unresolved_files};
pub use relations::{
    DeclarationPosition, MAX_DEPTH, Place, RelatedPlace, RelatedPlaces, Relation, RelationQuery, Relations,
    SymbolRelations, declared, relations, relations_at, source_first, unknown_qualifier,
};
#[cfg(feature = "postgres")]
pub(crate) use results::{HitSource, cut, holds_phrases, item};
pub use results::{answer, repository_info};
pub use time_question::{TimeQuestion, TimeTopic, time_question};
pub use visibility::Visibility;
