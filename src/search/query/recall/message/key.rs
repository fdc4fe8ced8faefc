//! Configuration keys and flags as queries: `process-timeout`, `--no-cache`, `hookTimeout`,
//! `LOG_LEVEL`; and in questions: "what does the option linger.ms mean".
//!
//! Query text → [`Key`] → how a chunk has the key as a whole string or as a key of a table. For a
//! question, the place that documents the key is best: a heading or an entry of a list with its
//! name, or its line in a file of settings, which may be a comment. A key alone may as well be a
//! name in the code, so one such place is shown beside the code. The index has the words of a key,
//! not the key, so the chunks are read, like those of messages.

use crate::base::text::identifier::{offset_in, tokens};
use crate::index::chunk::is_document;
use crate::search::query::QueryKind;
use crate::search::query::parse::option_question::{asked_option, asked_word, is_variable};

use super::literal::{Literal, is_in_string};

/// Strength of a key that has a value in a table, or of a flag.
const DECLARED: f64 = 1.0;
/// Strength of a key with further arguments behind it, such as its default value.
const ARGUMENT: f64 = 0.9;
/// Strength of a key that is the value of another key or name, with more behind it: the name of a
/// flag in some libraries, and the name of anything else in others.
const NAMED: f64 = 0.7;
/// Strength of a key anywhere else in a string: there it is mostly read.
const MENTIONED: f64 = 0.5;

/// How much of its strength a key keeps whose words have other signs between them. Such a key is
/// often the name of something else, such as a metric.
const OTHER_SIGNS: f64 = 0.8;

/// Strength of an entry of a list or a setting with the key, for a question about it; a heading is
/// a better place.
const DOCUMENTED: f64 = 0.9;
/// Strength of a declaration of that name with a comment above it, for a question about it.
const COMMENTED: f64 = 0.8;
/// Strength of a key that has a value outside the place that documents it, for a question about
/// it.
const SET: f64 = 0.6;
/// Strength of any other place, for a question.
const READ: f64 = 0.3;

/// Most words of a line of settings that is commented out: a key and its value. More are a
/// sentence.
const SETTING_WORDS: usize = 4;

/// Fewest words of the description of a flag in a help text.
const DESCRIPTION_WORDS: usize = 3;

/// A configuration key or a flag.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    /// The words in lower case.
    words: Vec<String>,
    /// The signs between the words.
    joints: Vec<char>,
    /// The name as it was typed.
    name: String,
    /// Whether a question asks what it means, or how it is set.
    is_asked: bool,
    /// Whether it is a flag with its hyphens.
    is_flag: bool,
}

/// The place of a key in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KeyPlace {
    /// How well the text has the key, above 0 and up to 1.
    pub(super) strength: f64,
    /// Its first byte.
    pub(super) at: usize,
    /// Whether the place documents the key.
    pub(super) is_documented: bool,
}

impl Key {
    /// Returns the key that a text consists of, or that a question is about: words that are joined
    /// by hyphens, underscores or dots, at most with hyphens before them. They are in lower case,
    /// except for names such as `hookTimeout` and `LOG_LEVEL`.
    pub(super) fn of(text: &str, kind: QueryKind) -> Option<Self> {
        if !matches!(kind, QueryKind::NaturalLanguage | QueryKind::Identifier) {
            return None;
        }
        let asked = asked_option(text).map(|option| (option, true)).or_else(|| asked_word(text));
        let (written, is_asked) = asked.unwrap_or((text.trim(), false));
        let name = written.strip_prefix("--").or_else(|| written.strip_prefix('-')).unwrap_or(written);
        let begins_lower = name.starts_with(|c: char| c.is_ascii_lowercase());
        let is_camel = begins_lower && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_environment = is_variable(name);
        let lower = if is_camel || is_environment { name.to_lowercase() } else { name.to_owned() };
        let is_word = |word: &&str| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        let is_joint = |c: char| matches!(c, '-' | '_' | '.');
        let words: Vec<&str> = lower.split(is_joint).collect();
        // One word in a sentence is a word.
        let is_alone = words.len() > 1 || asked.is_some() || kind == QueryKind::Identifier;
        let is_key =
            is_alone && words.iter().all(is_word) && (begins_lower || is_environment) && lower.len() > 1;
        is_key.then(|| Self {
            words: words.into_iter().map(str::to_owned).collect(),
            joints: lower.chars().filter(|&c| is_joint(c)).collect(),
            name: name.to_owned(),
            is_asked,
            is_flag: written.starts_with('-'),
        })
    }

    /// Returns whether a question asks for it, so that the places which document it come first.
    pub(super) fn is_asked(&self) -> bool {
        self.is_asked
    }

    /// Returns whether the key is one plain word. Its strings are mostly something else, so only
    /// the places that document it count.
    pub(super) fn is_plain(&self) -> bool {
        self.words.len() == 1 && self.name.bytes().all(|byte| !byte.is_ascii_uppercase())
    }

    /// Returns whether a file in this language may have a place that counts.
    pub(super) fn may_be_in(&self, language: &str) -> bool {
        !self.is_plain() || has_documents(language) || is_settings_file(language)
    }

    /// Returns the name as it was typed, without hyphens before it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns where a lower-case text has the key best: as a flag or as a key with a value, or
    /// where it is documented. The first place of equals; `None` if there is none.
    pub(super) fn place(&self, text: &str, language: &str) -> Option<KeyPlace> {
        let first = self.words.first()?;
        let mut best: Option<KeyPlace> = None;
        for token in tokens(text).filter(|token| token.split('_').next() == Some(first)) {
            let at = offset_in(text, token);
            let rest = text.get(at..).unwrap_or_default();
            let Some(len) = self.len_in(rest) else { continue };
            // Of `history-limit` and `history_limit`, one is often the name of something else.
            let is_spelled = self.is_spelled(rest);
            let documented = self.documented(text, at, len, language);
            let documented = documented.map(|best| if is_spelled { best } else { best * OTHER_SIGNS });
            let in_code = || match self.is_asked || self.is_plain() {
                false => self.strength(text, at, len, language),
                true if self.is_plain() => 0.0,
                true => match self.strength(text, at, len, language) {
                    strength if strength >= ARGUMENT || is_assigned(text, at) && strength > 0.0 => SET,
                    strength if strength > 0.0 => READ,
                    _ => 0.0,
                },
            };
            let strength = documented.unwrap_or_else(in_code);
            if strength > best.map_or(0.0, |best| best.strength) {
                best = Some(KeyPlace { strength, at, is_documented: documented.is_some() });
            }
        }
        best
    }

    /// Returns how well a place documents the key; `None` if it does not.
    fn documented(&self, text: &str, at: usize, len: usize, language: &str) -> Option<f64> {
        // One plain word is a key only if nothing else is on the line but its value.
        let after = text.get(at + len..).unwrap_or_default().lines().next().unwrap_or_default();
        let value = without_tags(after);
        let n_words = value.trim_start_matches([' ', ':', '=']).split_whitespace().count();
        let is_more = |most: usize| self.is_plain() && !self.is_flag && n_words > most;
        if (self.is_asked || self.is_flag) && is_in_help(text, at, len) {
            return Some(DOCUMENTED);
        }
        if is_entry_of_man_page(text, at, len, language) {
            return Some(DOCUMENTED);
        }
        if is_heading(text, at, len, language) {
            return (!is_more(0)).then_some(DECLARED);
        }
        // A value in the settings of a build or a test documents nothing.
        let is_set = || {
            let line = KeyLine::of(text, at, len);
            !self.is_asked && line.is_some_and(|line| !line.before.contains(['#', ';']))
        };
        let is_line = is_settings_file(language)
            && (is_more(1) || matches!(language, "properties" | "toml" | "yaml") && is_set());
        if is_documented(text, at, len, language) && !is_line {
            return Some(DOCUMENTED);
        }
        let is_field = || is_commented_field(text, at, len, language);
        (self.is_asked && !self.is_plain() && is_field()).then_some(COMMENTED)
    }

    /// Returns how well a place in code has the key.
    fn strength(&self, text: &str, at: usize, len: usize, language: &str) -> f64 {
        let strength = if is_in_string(text, at, language) {
            let literal = Literal::around(text, at, language);
            literal.map_or(0.0, |literal| self.in_literal(&literal, is_value(text, at)))
        } else {
            // A variable of the environment that is set here is read elsewhere.
            in_table(text, at, len) * if is_variable(&self.name) { READ } else { 1.0 }
        };
        let is_spelled = self.is_spelled(text.get(at..).unwrap_or_default());
        if is_spelled { strength } else { strength * OTHER_SIGNS }
    }

    /// Returns the length of the key at the beginning of a text, in bytes; `None` if the text
    /// begins otherwise.
    fn len_in(&self, text: &str) -> Option<usize> {
        let mut rest = text;
        for (n, word) in self.words.iter().enumerate() {
            rest = match n.checked_sub(1).and_then(|before| self.joints.get(before)) {
                None => rest,
                Some('.') => rest.strip_prefix('.')?,
                // In a man page, a hyphen that is typed is escaped.
                Some(_) => rest.strip_prefix(['-', '_']).or_else(|| rest.strip_prefix("\\-"))?,
            };
            rest = rest.strip_prefix(word.as_str())?;
        }
        let mut after = rest.chars();
        let ends = match after.next() {
            // A full stop ends a sentence, or goes on with a longer key.
            Some('.') => !after.next().is_some_and(char::is_alphanumeric),
            Some(c) => !c.is_alphanumeric() && !"-_".contains(c),
            None => true,
        };
        ends.then_some(text.len() - rest.len())
    }

    /// Returns whether a text begins with the key as it was typed, sign by sign.
    fn is_spelled(&self, text: &str) -> bool {
        let mut signs = text.chars().filter(|c| matches!(c, '-' | '_' | '.'));
        self.joints.iter().all(|joint| signs.next() == Some(*joint))
    }

    /// Returns how well a literal has the key: as its whole text, or as a flag with a short form or
    /// the name of its value (`-c, --config PATH`). `is_value`: the literal is a value itself.
    fn in_literal(&self, literal: &Literal<'_>, is_value: bool) -> f64 {
        let is_key = |word: &str| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            self.len_in(word) == Some(word.len())
        };
        let mut words = literal.text.split([' ', '=', ',', '|']).filter(|word| !word.is_empty());
        let is_whole = is_key(literal.text);
        let is_flag =
            literal.text.starts_with('-') && words.any(|word| word.starts_with("--") && is_key(word));
        if !is_whole && !is_flag {
            return 0.0;
        }
        let after = literal.after.trim_start();
        let is_entry = after.starts_with(':') || after.starts_with("=>");
        if is_entry || literal.text.starts_with('-') {
            DECLARED
        } else if after.starts_with(',') {
            if is_value { NAMED } else { ARGUMENT }
        } else {
            MENTIONED
        }
    }
}

/// The line of a key in a text: the line above, what is before it, behind it, and the line below.
struct KeyLine<'t> {
    above: &'t str,
    before: &'t str,
    after: &'t str,
    below: &'t str,
}

impl<'t> KeyLine<'t> {
    /// Returns the line around the key.
    fn around(text: &'t str, at: usize, len: usize) -> Option<Self> {
        let begin = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let before = text.get(begin..at)?;
        let above = text.get(..begin)?.lines().next_back().unwrap_or_default();
        let rest = text.get(at + len..)?;
        let (after, below) = rest.split_once('\n').unwrap_or((rest, ""));
        let below = below.lines().next().unwrap_or_default();
        Some(Self { above, before, after, below })
    }

    /// Returns the line if it begins with the key, apart from marks and tags.
    fn of(text: &'t str, at: usize, len: usize) -> Option<Self> {
        let Self { above, before, after, below } = Self::around(text, at, len)?;
        // The hyphens of a flag are a part of it.
        let before = before.strip_suffix("--").unwrap_or(before);
        let below = below.trim();
        let is_mark = |c: char| c.is_whitespace() || "#;*=-+|`'\"[]{}!/.".contains(c);
        without_tags(before).chars().all(is_mark).then_some(Self { above, before, after, below })
    }

    /// Returns whether a sentence of the line above goes on in it.
    fn goes_on(&self) -> bool {
        let comment = |line: &str| line.trim_start().starts_with(['#', ';', '/']);
        let above = self.above.trim_end();
        comment(above) == comment(self.before)
            && above.split_whitespace().count() > SETTING_WORDS
            && !above.ends_with(['.', ':', '?', '!', ')'])
    }
}

/// Returns whether a language is of files of settings, whose keys begin their lines.
fn is_settings_file(language: &str) -> bool {
    matches!(language, "text" | "ini" | "properties" | "toml" | "yaml")
}

/// Returns whether a language is of documents. Pages for `man` have the language "text".
fn has_documents(language: &str) -> bool {
    is_document(language) || matches!(language, "html" | "text" | "xml")
}

/// Returns whether the key at a place is a heading.
fn is_heading(text: &str, at: usize, len: usize, language: &str) -> bool {
    let Some(line) = KeyLine::of(text, at, len).filter(|_| has_documents(language)) else { return false };
    let mark = line.before.trim_start();
    let is_marked = mark.starts_with(['#', '=']) && language != "text"
        || ["<h", "<dt", "<term", "<title"].iter().any(|tag| mark.starts_with(tag));
    let is_alone = mark.trim_matches('`').is_empty();
    let is_underlined =
        is_alone && line.below.len() > 2 && line.below.bytes().all(|byte| b"=-~^".contains(&byte));
    // A flag is followed by its value, and perhaps by its short form.
    let is_short = without_tags(line.after).split_whitespace().count() < SETTING_WORDS;
    (is_marked || is_underlined) && is_short
}

/// Returns whether the key at a place is the tag of a list in a man page: behind `.It`, or in bold
/// type below `.TP`.
fn is_entry_of_man_page(text: &str, at: usize, len: usize, language: &str) -> bool {
    if language != "roff" {
        return false;
    }
    let Some(KeyLine { above, before, .. }) = KeyLine::around(text, at, len) else { return false };
    // Macros have two letters. Hyphens of a flag may stand behind them.
    let are_macros =
        |words: &str| words.split_whitespace().all(|word| word.trim_matches(['\\', '-', '"']).len() <= 2);
    let is_item = before.strip_prefix(".it ").is_some_and(are_macros);
    let is_bold = before.starts_with(".b") && are_macros(before.trim_start_matches('.'));
    is_item || is_bold && [".tp", ".ip", ".hp"].iter().any(|list| above.starts_with(list))
}

/// Returns whether the key at a place begins an entry of a list or of a table, with its
/// description, or a setting, which may be commented out.
fn is_documented(text: &str, at: usize, len: usize, language: &str) -> bool {
    let Some(line) = KeyLine::of(text, at, len) else { return false };
    let (before, after) = (line.before, without_tags(line.after));
    let after = after.trim();
    if has_documents(language) {
        let is_entry = before.contains(['*', '|', '<', '`']) || before.trim_start().starts_with('-');
        let said = after.trim_start_matches(['`', '"', '*', '\'']).trim_start();
        let is_described = said.starts_with([':', '|', '(', '-', '–', '—']) && said.len() > 2;
        if is_entry && is_described || said.starts_with("::") {
            return true;
        }
    }
    // `# maxmemory-policy noeviction`, in a file of settings.
    let is_settings = is_settings_file(language);
    let n_words = after.trim_start_matches([':', '=']).split_whitespace().count();
    // A line of plain text that is only a word is one of a list of words.
    let is_settings = is_settings && (n_words > 0 || language != "text");
    is_settings && n_words < SETTING_WORDS && !after.ends_with(['.', ',']) && !line.goes_on()
}

/// Returns whether code declares a field or a constant at a place, with a comment right above it.
fn is_commented_field(text: &str, at: usize, len: usize, language: &str) -> bool {
    if has_documents(language) || is_settings_file(language) {
        return false;
    }
    let Some(KeyLine { above, before, after, .. }) = KeyLine::around(text, at, len) else { return false };
    let above = above.trim_start();
    let is_comment = ["//", "*", "# ", "--", ";;"].iter().any(|mark| above.starts_with(mark));
    let before = before.trim_start();
    let is_code = before.chars().all(|c| c.is_alphanumeric() || " _:<>,*&[]@$.".contains(c))
        && !before.starts_with(['*', '#']);
    let after = after.trim_end();
    let is_value =
        after.trim_start().starts_with(['=', ':', ';', ',']) && !after.trim_start().starts_with("==");
    // `Timeout time.Duration` of Go.
    let is_typed = before.is_empty() && after.starts_with([' ', '\t']);
    is_comment && is_code && (is_value || is_typed)
}

/// Returns whether the flag at a place begins an entry of a help text, whatever the language: it is
/// first in its line, and its description follows, in a deeper line or behind a gap.
fn is_in_help(text: &str, at: usize, len: usize) -> bool {
    let Some(KeyLine { before, after, below, .. }) = KeyLine::around(text, at, len) else { return false };
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let is_sentence = |text: &str| {
        let words = text.split_whitespace().filter(|word| word.starts_with(char::is_alphabetic));
        words.count() >= DESCRIPTION_WORDS && !text.trim_start().starts_with('-')
    };
    // The short form of the flag may stand before it.
    let is_flag = before.strip_suffix("--").is_some_and(|before| {
        let short = before.trim();
        short.is_empty() || short.len() == 3 && short.starts_with('-') && short.ends_with(',')
    });
    let is_above = after.split_whitespace().count() < SETTING_WORDS
        && !after.ends_with(['\\', ','])
        && indentation(below) > indentation(before)
        && is_sentence(below);
    is_flag && (is_above || after.split_once("  ").is_some_and(|(_, said)| is_sentence(said)))
}

/// Returns a line without the tags of HTML.
fn without_tags(line: &str) -> String {
    let mut out = String::new();
    let mut is_tag = false;
    for c in line.chars() {
        match c {
            '<' => is_tag = true,
            '>' => is_tag = false,
            _ if !is_tag => out.push(c),
            _ => {}
        }
    }
    out
}

/// Returns whether a string at a place is a value: `Name: "max_time"`, `name="max_time"`.
fn is_value(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end_matches('-');
    before.trim_end_matches(['"', '\'', '`']).trim_end().ends_with([':', '='])
}

/// Returns whether a string at a place is the value of a constant or a field: `KEY = "linger.ms"`.
fn is_assigned(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end_matches(['"', '\'', '`']).trim_end();
    before.ends_with('=') && !before.ends_with("==") && !before.ends_with("!=")
}

/// Returns how well a text has a word outside strings as a key: at the beginning of its line, with
/// a colon or an equals sign behind it.
fn in_table(text: &str, at: usize, len: usize) -> f64 {
    let before = text.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
    let after = text.get(at + len..).unwrap_or_default().trim_start_matches([' ', '\t']);
    let is_key = after.starts_with(':') && !after.starts_with("::")
        || after.starts_with('=') && !after.starts_with("==");
    if before.trim_start_matches(['-', ' ', '\t']).is_empty() && is_key { DECLARED } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_single_words_with_joints() {
        let of = |text: &str| Key::of(text, QueryKind::Identifier).map(|key| key.words.join(" "));
        assert_eq!(of("--no-cache"), Some("no cache".to_owned()));
        assert_eq!(of("process-timeout"), Some("process timeout".to_owned()));
        assert_eq!(of("stream_large_bodies"), Some("stream large bodies".to_owned()));
        assert_eq!(of("cache"), Some("cache".to_owned()));
        assert_eq!(of("--bail"), Some("bail".to_owned()));
        assert_eq!(of("hookTimeout"), Some("hooktimeout".to_owned()));
        assert_eq!(of("GRPC_LOG_LEVEL"), Some("grpc log level".to_owned()));
        assert_eq!(of("config.active_record.x"), Some("config active record x".to_owned()));
        assert_eq!(of("what does maxmemory do"), Some("maxmemory".to_owned()));
        assert_eq!(of("what does the option maxmemory mean in the server"), Some("maxmemory".to_owned()));
        for text in ["no cache", "Content-Type", "a--b", "Cache", "Foo.bar", "1.6", "MAX", "-", "x", ""] {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!(Key::of("no-cache", QueryKind::Path), None);
        assert_eq!(Key::of("cache", QueryKind::NaturalLanguage), None);
    }

    #[test]
    fn a_question_about_an_option_is_answered_where_it_is_documented() {
        for (question, text, language, expected) in [
            (
                "what does the option maxmemory-policy mean",
                "# maxmemory policy: how it selects\n#\n# the default is:\n#\n# maxmemory-policy noeviction\n",
                "text",
                DOCUMENTED,
            ),
            ("what does linger.ms mean", "### linger.ms\n\nthe time", "markdown", DECLARED),
            ("what does linger.ms mean", "<dt><code>linger.ms</code></dt>", "html", DECLARED),
            ("what does linger.ms mean", "<li><code>linger.ms</code>: the time", "html", DOCUMENTED),
            ("what does linger.ms mean", "* `linger.ms`: the time", "markdown", DOCUMENTED),
            ("what does max-time mean", "example:\n  - --max-time 3\n---\n", "markdown", 0.0),
            ("what does max-time mean", "# `--max-time`\n", "markdown", DECLARED),
            ("what does max-time mean", "see also:\n  - max-time\n", "markdown", 0.0),
            ("what does linger.ms mean", "linger.ms\n---------\n", "restructuredtext", DECLARED),
            ("what does linger.ms mean", "string linger_ms = \"linger.ms\";", "java", SET),
            ("what does linger.ms mean", "props.get(\"linger.ms\");", "java", READ),
            (
                "explain max-time",
                "  // the most time.\n  uint64_t max_time = 3;",
                "cpp",
                COMMENTED * OTHER_SIGNS,
            ),
            ("what does the option max_time mean", "  // the most.\n  int max_time = 3;", "cpp", COMMENTED),
            ("what does the option max_time mean", "\t// the most.\n\tmax_time int64\n", "go", COMMENTED),
            ("what does the option max_time mean", "  // the most.\n  set(max_time);\n", "cpp", 0.0),
            ("what does the option max_time mean", "  int a;\n  int max_time = 3;", "cpp", 0.0),
            ("what does APP_LOG_LEVEL mean", "# `app_log_level`\n", "markdown", DECLARED),
            ("what does the option max-time mean", ".it max_time\n", "text", 0.0),
            (
                "what does max-time mean",
                ".it xo ic max\\-time\n.op ic on\n.xc\nthe most\n",
                "roff",
                DOCUMENTED,
            ),
            ("what does max-time mean", ".it li \"max_time\" ta \"1\"\n", "roff", DOCUMENTED * OTHER_SIGNS),
            ("what does max-time mean", "see the\n.ic max\\-time\noption\n", "roff", 0.0),
            ("what does --max-time mean", ".tp\n.b \\-\\-max\\-time\nthe most\n", "roff", DOCUMENTED),
            (
                "what does the option max-time mean",
                "- `max_time`: the most",
                "markdown",
                DOCUMENTED * OTHER_SIGNS,
            ),
            ("what does linger.ms mean", "the default of linger.ms has changed.", "html", 0.0),
            ("what does linger.ms mean", "linger.ms.max = 3", "properties", 0.0),
            ("what does max-time mean", "max-retry\nmax-time\nmax-age\n", "text", 0.0),
            ("what does --max-time mean", "  --max-time '0'\n    sets the maximum time\n", "go", DOCUMENTED),
            ("what does --max-time mean", "  -m, --max-time N   sets the maximum time\n", "c", DOCUMENTED),
            ("what does --max-time mean", "run \\\n  --max-time 3 \\\n    --then do it so\n", "bash", 0.0),
            ("what does --max-time mean", "x --max-time  sets the maximum time\n", "text", 0.0),
            ("what does max-time mean", "# The time, by default.\nmax-time = 3\n", "toml", DOCUMENTED),
            (
                "what does max-time mean",
                "# Sets the time of a whole request\nmax-time 3\n",
                "text",
                DOCUMENTED,
            ),
            (
                "how do I use case-insensitive search",
                "Some tools are able to do a\ncase-insensitive search\n",
                "text",
                0.0,
            ),
            (
                "how do I set up a cross-platform build",
                "cross-platform builds need a tool for it.",
                "text",
                0.0,
            ),
        ] {
            let key = Key::of(question, QueryKind::NaturalLanguage).unwrap();
            let found = key.place(text, language).map_or(0.0, |place| place.strength);
            assert!((found - expected).abs() < 1e-9, "{question}: {text}: {found}");
        }
    }

    #[test]
    fn a_key_counts_most_where_it_is_declared() {
        let key = Key::of("--no-cache", QueryKind::NaturalLanguage).unwrap();
        for (text, language, expected) in [
            ("p.add_argument(\"--no-cache\")", "python", DECLARED),
            ("flags.boolvar(&opts.nocache, \"no-cache\", false)", "go", ARGUMENT),
            ("'no-cache' => false,", "php", DECLARED),
            ("o.on \"-n\", \"--no-cache path\", \"x\" do", "ruby", DECLARED),
            ("loader.add_option(\n    \"no-cache\", bool)", "python", ARGUMENT),
            ("loader.add_option(\n    \"no_cache\", bool)", "python", ARGUMENT * OTHER_SIGNS),
            ("cli.boolflag{name: \"no-cache\", usage: \"x\"}", "go", NAMED),
            ("gauge{name: \"no_cache\", help: \"x\"}", "go", NAMED * OTHER_SIGNS),
            ("  no-cache: true", "yaml", DECLARED),
            ("if args[\"no-cache\"] {", "rust", MENTIONED),
            ("fail(\"use --no-cache to go on\")", "rust", 0.0),
            ("// \"no-cache\",", "rust", 0.0),
            ("no_cache_dir = 1", "python", 0.0),
            ("no cache", "python", 0.0),
        ] {
            let found = key.place(text, language).map_or(0.0, |place| place.strength);
            assert!((found - expected).abs() < 1e-9, "{text}: {found}");
        }
    }

    #[test]
    fn a_key_alone_is_found_where_it_is_documented() {
        for (key, text, language, expected) in [
            ("maxmemory", "# maxmemory <bytes>\n", "ini", Some(DOCUMENTED)),
            ("maxmemory", "maxmemory 100mb\n", "text", Some(DOCUMENTED)),
            ("maxmemory", "# maxmemory is the limit\n", "ini", None),
            ("maxmemory", "createLong(\"maxmemory\", null)", "c", None),
            ("timeout", "  timeout: 10,\n", "javascript", None),
            ("hz", "# hz: 10\n", "yaml", Some(DOCUMENTED)),
            ("hz", "hz: 10\n", "yaml", None),
            ("scrolloff", "| `scrolloff` | number of lines | `5` |", "markdown", Some(DOCUMENTED)),
            ("cache", "# cache\n\nit stores", "markdown", Some(DECLARED)),
            ("cache", "# cache invalidation\n", "markdown", None),
            ("hookTimeout", "# hooktimeout\n", "markdown", Some(DECLARED)),
            ("secure-http", "## secure-http\n", "markdown", Some(DECLARED)),
            ("config.a.b_c", "#### `config.a.b_c`\n", "markdown", Some(DECLARED)),
        ] {
            let key = Key::of(key, QueryKind::Identifier).unwrap();
            let place = key.place(text, language);
            assert_eq!(place.filter(|one| one.is_documented).map(|one| one.strength), expected, "{text}");
            assert!(expected.is_some() || place.is_none(), "{text}");
        }
    }

    #[test]
    fn a_variable_of_the_environment_counts_where_it_is_read() {
        let key = Key::of("APP_LOG_LEVEL", QueryKind::Identifier).unwrap();
        let strength = |text: &str, language: &str| {
            key.place(text, language).filter(|one| !one.is_documented).map_or(0.0, |one| one.strength)
        };
        let read = strength("level := os.getenv(\"app_log_level\")", "go");
        assert!(read > strength("env app_log_level=info", "dockerfile"));
        assert!(read > strength("  app_log_level: info", "json"));
        assert!(read > 0.0);
    }
}
