//! Checks names of types: a type is a noun of the field, never a participle, an adjective or an
//! adverb.
//!
//! Only the last word of a name is looked at: in `ChunkedFile` it is the noun, and in `FileChunked`
//! it is not. The check can't know grammar. It refuses endings that nouns rarely have, with a list
//! of nouns that have them, and a list of words.

use super::source::{code, line_of};
use crate::tree::File;

/// Words that declare a type.
const KEYWORDS: &[&str] = &["struct", "enum", "trait", "type", "union"];

/// Endings of participles, adjectives and adverbs.
const ENDINGS: &[&str] = &["ed", "ing", "able", "ible", "ly"];

/// Nouns with such an ending.
const NOUNS: &[&str] = &[
    // The phases of the ranking, which the style guide names.
    "Recalled",
    "Scored",
    "Expanded",
    "Reranked",
    "Ordered",
    "Sharing",
    "Assembly",
    "Being",
    "Binding",
    "Bleed",
    "Breed",
    "Building",
    "Ceiling",
    "Coding",
    "Creed",
    "Decoding",
    "Disable",
    "Embed",
    "Embedding",
    "Enable",
    "Encoding",
    "Family",
    "Feed",
    "Heading",
    "Indexing",
    "Landing",
    "Listing",
    "Logging",
    "Mapping",
    "Meaning",
    "Morning",
    "Need",
    "Nesting",
    "Ordering",
    "Padding",
    "Paging",
    "Pairing",
    "Parsing",
    "Posting",
    "Ranking",
    "Rating",
    "Reading",
    "Reed",
    "Reply",
    "Ring",
    "Rounding",
    "Routing",
    "Saying",
    "Scaling",
    "Scoring",
    "Seed",
    "Setting",
    "Shed",
    "Sibling",
    "Speed",
    "Spelling",
    "Spring",
    "String",
    "Swing",
    "Table",
    "Thing",
    "Threading",
    "Timing",
    "Training",
    "Tuning",
    "Variable",
    "Warning",
    "Weed",
    "Wing",
    "Wording",
    "Writing",
];

/// Words that are not nouns, or no nouns of this field, and have no such ending.
const WORDS: &[&str] = &[
    // participles
    "Begun",
    "Bought",
    "Broken",
    "Brought",
    "Built",
    "Caught",
    "Chosen",
    "Done",
    "Drawn",
    "Fallen",
    "Found",
    "Given",
    "Gone",
    "Grown",
    "Held",
    "Hidden",
    "Kept",
    "Known",
    "Left",
    "Lost",
    "Made",
    "Meant",
    "Met",
    "Paid",
    "Proven",
    "Said",
    "Seen",
    "Sent",
    "Shown",
    "Sought",
    "Spent",
    "Spoken",
    "Taken",
    "Taught",
    "Thought",
    "Told",
    "Torn",
    "Understood",
    "Unsaid",
    "Unseen",
    "Withheld",
    "Won",
    "Worn",
    "Written",
    // infinitives
    "Todo",
    // adverbs and prepositions
    "Above",
    "Abroad",
    "Across",
    "Again",
    "Alone",
    "Along",
    "Anew",
    "Apart",
    "Around",
    "Aside",
    "At",
    "Away",
    "Before",
    "Behind",
    "Below",
    "Beside",
    "Besides",
    "Between",
    "Beyond",
    "Elsewhere",
    "Far",
    "Here",
    "Inside",
    "Near",
    "Nearby",
    "Of",
    "Often",
    "Once",
    "Only",
    "Outside",
    "Soon",
    "Then",
    "There",
    "Thus",
    "Together",
    "Within",
    "Without",
    "Yet",
    // adjectives and determiners
    "Able",
    "Alike",
    "All",
    "Any",
    "Bad",
    "Bare",
    "Best",
    "Big",
    "Both",
    "Certain",
    "Common",
    "Deep",
    "Different",
    "Due",
    "Each",
    "Empty",
    "Equal",
    "Few",
    "Foreign",
    "Free",
    "Full",
    "Good",
    "Large",
    "Least",
    "Less",
    "Like",
    "Likely",
    "Long",
    "Many",
    "More",
    "Most",
    "Much",
    "New",
    "Next",
    "Old",
    "Other",
    "Own",
    "Plain",
    "Quiet",
    "Ready",
    "Same",
    "Several",
    "Short",
    "Silent",
    "Similar",
    "Small",
    "Some",
    "Such",
    "True",
    "Unlike",
    "Whole",
    "Wide",
    "Worst",
    "Worth",
    // pronouns
    "How",
    "That",
    "These",
    "This",
    "Those",
    "What",
    "When",
    "Where",
    "Whether",
    "Which",
    "Who",
    "Whose",
    "Why",
];

/// Complains about each declared type whose name ends in no noun.
pub(super) fn check(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with("src/") && file.is_rust()) {
        let names = declared(&code(&file.text)).into_iter().filter(|(name, _)| !is_noun(name));
        complaints.extend(
            names.map(|(name, line)| format!("{}:{line}: type '{name}' is not named by a noun", file.path)),
        );
    }
    complaints
}

/// Returns the declared types, each with its line. `code` holds neither comments nor literals.
fn declared(code: &str) -> Vec<(String, usize)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for keyword in KEYWORDS {
        for (at, _) in code.match_indices(keyword).filter(|(at, _)| !code[..*at].ends_with(is_word)) {
            let Some(rest) = code[at + keyword.len()..].strip_prefix(char::is_whitespace) else { continue };
            let name: String = rest.trim_start().chars().take_while(|c| is_word(*c)).collect();
            if name.starts_with(char::is_uppercase) {
                found.push((name, line_of(code, at)));
            }
        }
    }
    found
}

/// Returns whether the last word of a name may be a noun.
fn is_noun(name: &str) -> bool {
    let start = name.rfind(char::is_uppercase).unwrap_or_default();
    let word = &name[start..];
    let is_refused = WORDS.contains(&word) || ENDINGS.iter().any(|end| word.ends_with(end));
    !is_refused || NOUNS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_ends_in_a_noun() {
        for name in
            ["Chunk", "ChunkedFile", "PostingList", "Embedding", "Speed", "NewString", "T", "SymbolTable"]
        {
            assert!(is_noun(name), "{name}");
        }
        for name in [
            "Found",
            "Told",
            "Asked",
            "Again",
            "Beside",
            "Said",
            "Unsaid",
            "Searchable",
            "Kept",
            "Agreeing",
            "Classified",
            "FileChunked",
            "Silent",
            "Whose",
            "Quickly",
            "NextOnly",
            "Visible",
            "Of",
            "At",
            "Todo",
        ] {
            assert!(!is_noun(name), "{name}");
        }
    }

    #[test]
    fn only_declarations_count() {
        let text = "pub struct Found<T>(T);\nenum  Kept { Told }\n// struct Said\ntype Asked = u8;\n\
                    trait Again: Beside {}\nlet type_ = 1; structural Long;\nunion Made { a: u8 }";
        let mut names: Vec<_> =
            declared(&code(text)).into_iter().map(|(name, line)| format!("{name}:{line}")).collect();
        names.sort();
        assert_eq!(names, ["Again:5", "Asked:4", "Found:1", "Kept:2", "Made:7"]);
    }

    #[test]
    fn only_the_sources_of_the_program_count() {
        let files =
            [File::new("src/a.rs", "struct Chunk;\nstruct Told;"), File::new("xtask/a.rs", "struct Said;")];
        assert_eq!(check(&files), ["src/a.rs:2: type 'Told' is not named by a noun"]);
    }
}
