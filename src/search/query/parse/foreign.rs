//! Questions in other languages than English, judged by their function words.
//!
//! Query text → [`ForeignWords`], the function words of its language. They carry no meaning, and
//! most of them are one letter from an English word, so nothing in such a question is misspelt
//! English. Only frequent words are listed: a question without any of them is treated as English.

use crate::base::text::identifier::tokens;

use super::words::is_stop_word;

/// Function words of a language, in lower case; sorted.
type FunctionWords = &'static [&'static str];

const GERMAN: FunctionWords = &[
    "als", "auf", "aus", "bei", "beim", "das", "dem", "den", "der", "des", "die", "durch", "ein", "eine",
    "einem", "einen", "einer", "eines", "es", "für", "gibt", "hat", "ich", "im", "ist", "kann", "mit",
    "nach", "nicht", "oder", "sich", "sie", "sind", "um", "und", "vom", "von", "vor", "wann", "warum",
    "welche", "welcher", "welches", "wenn", "wer", "werden", "wie", "wird", "wo", "wurde", "zu", "zum",
    "zur", "über",
];

const FRENCH: FunctionWords = &[
    "au", "aux", "avec", "ce", "cette", "comment", "dans", "de", "des", "du", "elle", "en", "est", "et",
    "faire", "fait", "il", "la", "le", "les", "lorsque", "ne", "ou", "où", "par", "pas", "peut", "pour",
    "pourquoi", "quand", "que", "quel", "quelle", "quelles", "quels", "qui", "sa", "sans", "se", "ses",
    "son", "sont", "sur", "un", "une", "à", "été", "être",
];

const SPANISH: FunctionWords = &[
    "al", "como", "con", "cuando", "cuál", "cuándo", "cómo", "de", "del", "desde", "donde", "dónde", "el",
    "en", "entre", "es", "está", "están", "hace", "hay", "la", "las", "lo", "los", "para", "por", "porque",
    "puede", "que", "quién", "qué", "se", "si", "sin", "sobre", "son", "su", "sus", "un", "una",
];

const PORTUGUESE: FunctionWords = &[
    "ao", "como", "da", "das", "de", "em", "entre", "está", "foi", "na", "nas", "nos", "não", "onde", "os",
    "ou", "para", "pela", "pelo", "por", "qual", "quando", "que", "quem", "se", "sem", "ser", "sobre", "são",
    "um", "uma", "é",
];

const ITALIAN: FunctionWords = &[
    "al", "alla", "che", "chi", "come", "con", "da", "dal", "dei", "del", "della", "delle", "di", "dove",
    "gli", "il", "la", "le", "lo", "nei", "nel", "nella", "non", "per", "perché", "quale", "quali", "quando",
    "sono", "su", "un", "una", "uno", "vengono", "viene", "è",
];

const DUTCH: FunctionWords = &[
    "aan", "als", "bij", "dat", "de", "die", "door", "een", "en", "er", "het", "hoe", "kan", "met", "naar",
    "niet", "om", "op", "te", "uit", "van", "voor", "waar", "waarom", "wanneer", "wat", "welke", "wie",
    "worden", "wordt", "zijn",
];

const LANGUAGES: [FunctionWords; 6] = [GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH];

/// Function words that only English has among the languages above; sorted. One of them makes a text
/// English, whatever other words it has ("the sort order of the file de.json").
const ENGLISH: FunctionWords = &[
    "and", "are", "does", "for", "from", "how", "it", "that", "the", "this", "to", "what", "when", "where",
    "which", "who", "why", "with",
];

/// Minimum number of a language's function words in a question.
const LEAST: usize = 2;

/// The function words of the language that a question is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ForeignWords(FunctionWords);

impl ForeignWords {
    /// Returns the function words of a question's language; `None` for English.
    ///
    /// The language with the most different function words in the text counts, if they are
    /// [`LEAST`] or more, and as many as a third of the words.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut words: Vec<String> = tokens(text).map(str::to_lowercase).collect();
        let n_words = words.len();
        words.sort_unstable();
        words.dedup();
        if words.iter().any(|word| ENGLISH.binary_search(&word.as_str()).is_ok()) {
            return None;
        }
        // A word that is a stop word of English as well says nothing.
        words.retain(|word| !is_stop_word(word));
        let n_of = |of: &Self| words.iter().filter(|word| of.contains(word)).count();
        // The first of equals.
        let best = LANGUAGES.map(Self).into_iter().rev().max_by_key(n_of)?;
        let n = n_of(&best);
        (n >= LEAST && n * 3 >= n_words).then_some(best)
    }

    /// Returns whether a word, in lower case, is one of them.
    pub(super) fn contains(self, word: &str) -> bool {
        self.0.binary_search(&word).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_in_other_languages_are_recognised() {
        for (text, of) in [
            ("wie werden die Einträge im Index gespeichert", GERMAN),
            ("wo sind die Hunde", GERMAN),
            ("comment sont lus les fichiers", FRENCH),
            ("où est enregistré le fichier de configuration", FRENCH),
            ("dónde se guardan los registros", SPANISH),
            ("onde são guardados os registros", PORTUGUESE),
            ("dove vengono salvati i file", ITALIAN),
            ("waar worden de bestanden opgeslagen", DUTCH),
        ] {
            assert_eq!(ForeignWords::of(text), Some(ForeignWords(of)), "{text}");
        }
        for text in [
            "how is the file de.json sorted",
            "order of lines in a file",
            "no space left in slot",
            "parse la carte",
            "is it in use",
            "die on error",
            "no se",
            "come in",
            "as if by do while",
            "",
        ] {
            assert_eq!(ForeignWords::of(text), None, "{text}");
        }
    }

    #[test]
    fn lists_are_sorted() {
        for words in LANGUAGES.iter().chain([&ENGLISH]) {
            assert!(words.is_sorted(), "{words:?}");
        }
    }
}
