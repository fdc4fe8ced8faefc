//! Questions about time: a sentence → the command that answers it.
//!
//! A search finds code, and code has no date. So a question such as "when was X added" is
//! recognised by its words, and the reader learns which command has the answer. Only short texts
//! on one line are looked at. A question about what code does ("when is the cache flushed") needs
//! no event, and is not recognised.

use bstr::BStr;

use super::appearance::{is_preview, needle};

/// Longest text that is looked at, in bytes: a longer one is an issue or a message.
const MOST_BYTES: usize = 160;

/// What a question about time asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeTopic {
    /// The commit and the release that brought or removed something.
    When,
    /// Who wrote something.
    Blame,
    /// The commits that changed something.
    Log,
    /// What a change of something would touch.
    Impact,
    /// What differs between two revisions.
    Changelog,
}

impl TimeTopic {
    /// Returns the command that answers it.
    pub fn command(self) -> &'static str {
        match self {
            Self::When => "when",
            Self::Blame => "blame",
            Self::Log => "log",
            Self::Impact => "impact",
            Self::Changelog => "changelog",
        }
    }
}

/// A question about time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimeQuestion {
    /// What it asks for.
    pub topic: TimeTopic,
    /// What it is about: a name, a text, or a range of revisions.
    pub subject: String,
}

impl TimeQuestion {
    /// Makes a question about the author or the history of something ask about the best result, if
    /// no result has its name. `places` are the symbols and paths of the results, best first.
    ///
    /// Of several words, the one that names a result is asked about: `Skipper` of "the Skipper
    /// option of the logger". It must be written as names of types are.
    pub fn about_best<'p>(mut self, places: impl IntoIterator<Item = (&'p str, &'p BStr)>) -> Self {
        if self.topic == TimeTopic::When && self.subject.contains(' ') {
            let is_named = |word: &str, symbol: &str| {
                word.starts_with(char::is_uppercase)
                    && symbol.rsplit(['.', ':', '\\', '#']).next() == Some(word)
            };
            let named = places.into_iter().find_map(|(symbol, _)| {
                self.subject.split(' ').find(|word| is_named(word, symbol)).map(str::to_owned)
            });
            self.subject = named.unwrap_or(self.subject);
            return self;
        }
        if !matches!(self.topic, TimeTopic::Blame | TimeTopic::Log) {
            return self;
        }
        let mut best: Option<String> = None;
        for (symbol, path) in places {
            let is_named = symbol == self.subject || symbol.ends_with(&format!(".{}", self.subject));
            if is_named || path.ends_with(self.subject.as_bytes()) {
                return self;
            }
            let place = match symbol {
                "" => path.to_string(),
                symbol => format!("{path}:{symbol}"),
            };
            best.get_or_insert(place);
        }
        self.subject = best.unwrap_or(self.subject);
        self
    }

    /// Returns whether it asks what is new in one release. Then only the tags say since when.
    pub fn is_of_release(&self) -> bool {
        self.topic == TimeTopic::Changelog && !self.subject.contains("..")
    }

    /// Makes a question about what is new in a release ask about the range from the release before
    /// it, among these tags. Any other question stays; `None` if there is no such release.
    pub fn since_previous<'t>(mut self, tags: impl IntoIterator<Item = &'t str>) -> Option<Self> {
        if !self.is_of_release() {
            return Some(self);
        }
        let tags: Vec<&str> = tags.into_iter().collect();
        let with_letter = format!("v{}", self.subject);
        let is_asked = |tag: &&&str| **tag == self.subject || **tag == with_letter;
        let tag = *tags.iter().find(is_asked)?;
        let (package, number) = numbered(tag)?;
        let older = |other: &'t str| {
            let (of, older) = numbered(other)?;
            (of == package && older < number && !is_preview(other)).then_some((older, other))
        };
        let (_, previous) = tags.iter().copied().filter_map(older).max()?;
        self.subject = format!("{previous}..{tag}");
        Some(self)
    }

    /// Returns the command line that answers it, ready to be copied.
    pub fn command_line(&self) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@=+,".contains(c);
        let plain = self.subject.chars().all(is_plain);
        // Two kinds of quotes: the shell takes one, and the other makes it an exact text. A word
        // that begins with `-` would be an option, and one behind `--` a path.
        let is_text = self.topic == TimeTopic::When && self.subject.contains(' ') || is_option(&self.subject);
        let subject = match (plain, is_text) {
            (_, true) => format!("'\"{}\"'", self.subject.replace('\'', "'\\''")),
            (true, false) => self.subject.clone(),
            (false, false) => format!("'{}'", self.subject.replace('\'', "'\\''")),
        };
        format!("git cora {} {subject}", self.topic.command())
    }
}

/// Beginnings and parts of questions, and what they ask for. All words of a row must be there, in
/// order.
const FORMS: &[(&[&str], TimeTopic)] = &[
    (&["what does changing"], TimeTopic::Impact),
    (&["what would changing"], TimeTopic::Impact),
    (&["what will changing"], TimeTopic::Impact),
    (&["what does a change of"], TimeTopic::Impact),
    (&["what does a change to"], TimeTopic::Impact),
    (&["what happens if", "change"], TimeTopic::Impact),
    (&["what", "breaks if"], TimeTopic::Impact),
    (&["what", "break if"], TimeTopic::Impact),
    (&["what", "affected by"], TimeTopic::Impact),
    (&["what", "affected if"], TimeTopic::Impact),
    (&["impact of"], TimeTopic::Impact),
    (&["blast radius"], TimeTopic::Impact),
    (&["what changed between"], TimeTopic::Changelog),
    (&["what has changed between"], TimeTopic::Changelog),
    (&["changes between"], TimeTopic::Changelog),
    (&["what changed in", "between"], TimeTopic::Changelog),
    (&["what has changed in", "between"], TimeTopic::Changelog),
    (&["changes in", "between"], TimeTopic::Changelog),
    (&["what is new in"], TimeTopic::Changelog),
    (&["what's new in"], TimeTopic::Changelog),
    (&["what was new in"], TimeTopic::Changelog),
    (&["what changed in", "since"], TimeTopic::Log),
    (&["what has changed in", "since"], TimeTopic::Log),
    (&["changes to", "since"], TimeTopic::Log),
    (&["changes in", "since"], TimeTopic::Log),
    (&["changes of", "since"], TimeTopic::Log),
    (&["commits that changed"], TimeTopic::Log),
    (&["commits that touched"], TimeTopic::Log),
    (&["commits that modified"], TimeTopic::Log),
    (&["commits which changed"], TimeTopic::Log),
    (&["commits changing"], TimeTopic::Log),
    (&["how old is"], TimeTopic::When),
    (&["how old are"], TimeTopic::When),
    (&["what changed since"], TimeTopic::Changelog),
    (&["what has changed since"], TimeTopic::Changelog),
    (&["who wrote"], TimeTopic::Blame),
    (&["who authored"], TimeTopic::Blame),
    (&["author of"], TimeTopic::Blame),
    (&["who", "changed"], TimeTopic::Blame),
    (&["who", "touched"], TimeTopic::Blame),
    (&["who", "modified"], TimeTopic::Blame),
    (&["who maintains"], TimeTopic::Blame),
    (&["who owns"], TimeTopic::Blame),
    (&["history of"], TimeTopic::Log),
    (&["how did", "change"], TimeTopic::Log),
    (&["how did", "evolve"], TimeTopic::Log),
    (&["how has", "changed"], TimeTopic::Log),
    (&["how has", "evolved"], TimeTopic::Log),
    (&["last change of"], TimeTopic::Log),
    (&["last change to"], TimeTopic::Log),
    (&["latest change of"], TimeTopic::Log),
    (&["latest change to"], TimeTopic::Log),
    (&["which commits"], TimeTopic::Log),
    (&["what commits"], TimeTopic::Log),
    (&["when was", "changed"], TimeTopic::Log),
    (&["when was", "modified"], TimeTopic::Log),
    (&["when did", "change"], TimeTopic::Log),
];

/// What may stand before such a question.
const LEADS: &[&str] = &[
    "",
    "the",
    "what is the",
    "what's the",
    "who is the",
    "who's the",
    "show",
    "show me",
    "show me the",
    "show me all",
    "list",
    "list the",
    "list all",
    "all",
    "find",
    "find the",
    "find all",
    "tell me",
];

/// Words that begin a question about an event.
const WHEN: &[&str] = &[
    "when was",
    "when were",
    "when did",
    "when has",
    "when have",
    "since when",
    "since which",
    "why was",
    "why were",
    "in which release",
    "in which version",
    "in which commit",
    "which release",
    "which version",
    "which commit",
    "what release",
    "what version",
    "what commit",
    "who added",
    "who introduced",
    "who removed",
    "who deleted",
    "who created",
];

/// Words for events.
const EVENTS: &[&str] = &[
    "introduced",
    "introduce",
    "added",
    "add",
    "removed",
    "remove",
    "deleted",
    "delete",
    "dropped",
    "drop",
    "created",
    "create",
    "renamed",
    "rename",
    "merged",
    "landed",
    "land",
    "appear",
    "appeared",
    "disappear",
    "disappeared",
    "shipped",
    "ship",
    "implemented",
    "deprecated",
    "written",
    "vanish",
    "vanished",
    "brought",
    "lost",
    "gone",
    "go",
    "come",
    "came",
    "first had",
    "since when",
    "since which",
    "exist",
    "existed",
    "supported",
    "support",
];

/// Recognises a question about time; `None` for any other text.
pub fn time_question(text: &str) -> Option<TimeQuestion> {
    let text = text.trim();
    if text.len() > MOST_BYTES || text.contains('\n') {
        return None;
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || matches!(c, '?' | ',' | '!'))
        .filter(|w| !w.is_empty())
        .collect();
    let plain = format!(" {} ", words.join(" "));
    let position = |phrase: &str, from: usize| {
        let found = plain.get(from..)?.find(&format!(" {phrase} "))?;
        Some(from + found)
    };
    let begins = |phrase: &str| plain.starts_with(&format!(" {phrase} "));
    let is_begun = |phrase: &str| {
        let before = position(phrase, 0).and_then(|at| plain.get(..at)).unwrap_or("-");
        LEADS.contains(&before.trim())
    };
    let form = FORMS.iter().find(|(phrases, _)| {
        let mut from = 0;
        if !phrases.first().is_some_and(|first| is_begun(first)) {
            return false;
        }
        phrases.iter().all(|phrase| match position(phrase, from) {
            Some(at) => {
                from = at + phrase.len();
                true
            }
            None => false,
        })
    });
    let is_when =
        WHEN.iter().any(|phrase| begins(phrase)) && EVENTS.iter().any(|event| position(event, 0).is_some());
    let topic = match form {
        Some((_, topic)) => *topic,
        None if is_when => TimeTopic::When,
        None => return None,
    };
    let subject = match topic {
        TimeTopic::Changelog => range(text)?,
        _ => needle(about(text, &lower, form.map(|(phrases, _)| *phrases).unwrap_or_default()))?.text,
    };
    // "what changed in v2 since v1" asks for a range.
    let is_of_revision = topic == TimeTopic::Log && starts_as_version(&subject);
    let (topic, subject) = match is_of_revision {
        true => (TimeTopic::Changelog, format!("{}..{subject}", range(text)?.trim_end_matches('.'))),
        false => (topic, subject),
    };
    // An option is not a declaration, but its text has a history.
    let topic = if is_option(&subject) { TimeTopic::When } else { topic };
    // Of several plain words, only a text can be searched for.
    let is_named = topic == TimeTopic::When || !subject.contains(char::is_whitespace);
    is_named.then_some(TimeQuestion { topic, subject })
}

/// Whether a subject is an option of a command line.
fn is_option(subject: &str) -> bool {
    subject.starts_with('-')
}

/// The part of a question that names what it is about: the version behind "since" is not that, nor
/// is the age in "how old is".
fn about<'t>(text: &'t str, lower: &str, phrases: &[&str]) -> &'t str {
    // Other letters may be longer in lower case.
    if lower.len() != text.len() {
        return text;
    }
    let end = Some("since").filter(|word| phrases.contains(word));
    let end = end.and_then(|word| lower.rfind(&format!(" {word} "))).unwrap_or(text.len());
    let start = phrases.first().filter(|phrase| phrase.starts_with("how old"));
    let start = start.and_then(|phrase| Some(lower.find(phrase)? + phrase.len())).unwrap_or_default();
    text.get(start..end).unwrap_or(text)
}

/// Whether a word is written as a version: `v1.2`, `1.2.3`.
fn starts_as_version(word: &str) -> bool {
    let number = word.strip_prefix(['v', 'V']).unwrap_or(word);
    number.starts_with(|c: char| c.is_ascii_digit())
}

/// The name of a tag's package, and its numbers; `None` if it has no number.
fn numbered(tag: &str) -> Option<(&str, Vec<u64>)> {
    let at = tag.find(|c: char| c.is_ascii_digit())?;
    let (package, rest) = tag.split_at_checked(at)?;
    let numbers = rest.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    Some((package, numbers.map(|part| part.parse().unwrap_or(u64::MAX)).collect()))
}

/// The range of a question such as "what changed between A and B" or "since A".
fn range(text: &str) -> Option<String> {
    let mut words = text.split_whitespace().map(|word| word.trim_matches(['?', ',', '.', '`', '"', '\'']));
    let lead = words.find(|word| matches!(word.to_lowercase().as_str(), "between" | "since" | "new"))?;
    if lead.eq_ignore_ascii_case("new") {
        let release = words.nth(1).filter(|word| is_revision(word) && words.next().is_none())?;
        return Some(release.to_owned());
    }
    let old = words.next().filter(|word| is_revision(word))?;
    let new = words.find(|word| !matches!(word.to_lowercase().as_str(), "and" | "to" | "until"));
    match new {
        Some(new) if is_revision(new) => Some(format!("{old}..{new}")),
        Some(_) => None,
        None => Some(format!("{old}..")),
    }
}

/// Whether a word may be a revision: it has a digit, or is a name that branches have.
fn is_revision(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_digit())
        || matches!(word, "HEAD" | "main" | "master" | "trunk" | "develop")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_nothing_has_is_replaced_by_the_best_result() {
        let places = [("Auth.netrc_auth", "src/auth.py"), ("read", "src/netrc.py")];
        let line = |text: &str| {
            let places = places.iter().map(|(symbol, path)| (*symbol, BStr::new(*path)));
            time_question(text).unwrap().about_best(places).command_line()
        };
        assert_eq!(line("who wrote the netrc code"), "git cora blame src/auth.py:Auth.netrc_auth");
        assert_eq!(line("who wrote netrc_auth"), "git cora blame netrc_auth");
        assert_eq!(line("who wrote netrc.py"), "git cora blame netrc.py");
        assert_eq!(line("when was netrc added"), "git cora when netrc");
        let places = [("gin.LoggerConfig", "logger.go"), ("gin.Skipper", "logger.go")];
        let line = |text: &str| {
            let places = places.iter().map(|(symbol, path)| (*symbol, BStr::new(*path)));
            time_question(text).unwrap().about_best(places).command_line()
        };
        assert_eq!(line("when was the Skipper option added to the logger"), "git cora when Skipper");
        assert_eq!(line("when was the Hook added to the logger"), "git cora when Hook");
    }

    #[test]
    fn what_is_new_in_a_release_is_a_range() {
        let tags = ["v1.9.0", "v1.10.0", "v1.9.1", "v1.10.0-rc1", "sub/v1.9.5", "v1.11.0"];
        let line = |text: &str| Some(time_question(text)?.since_previous(tags)?.command_line());
        let expected = Some("git cora changelog v1.9.1..v1.10.0".to_owned());
        assert_eq!(line("what is new in v1.10.0"), expected);
        assert_eq!(line("What's new in 1.10.0?"), expected);
        assert_eq!(line("what is new in v1.9.0"), None);
        assert_eq!(line("what changed since v1.9.0"), Some("git cora changelog v1.9.0..".to_owned()));
        assert_eq!(line("what is new in v1.10.0 for users"), None);
    }

    #[test]
    fn questions_about_time_have_a_command() {
        for (text, expected) in [
            ("when was display-popup introduced", Some("git cora when display-popup")),
            ("When did `linger.ms` first appear?", Some("git cora when linger.ms")),
            ("which release added --no-pager", Some("git cora when '\"--no-pager\"'")),
            ("who wrote --no-pager", Some("git cora when '\"--no-pager\"'")),
            ("when was lease checkpointing added", Some("git cora when '\"lease checkpointing\"'")),
            ("who wrote lessor.Grant?", Some("git cora blame lessor.Grant")),
            ("who last changed retry_upload", Some("git cora blame retry_upload")),
            ("who introduced retry_upload", Some("git cora when retry_upload")),
            ("history of KafkaProducer.doSend", Some("git cora log KafkaProducer.doSend")),
            ("how did doSend() evolve over the years", Some("git cora log doSend")),
            ("when was send_batch last changed", Some("git cora log send_batch")),
            ("what breaks if I change parse_args", Some("git cora impact parse_args")),
            ("what changed between v1.0 and v1.1", Some("git cora changelog v1.0..v1.1")),
            ("what changed since v2?", Some("git cora changelog v2..")),
            ("what changed in Context.Copy since v1.9.1", Some("git cora log Context.Copy")),
            ("changes to retry since v1", Some("git cora log retry")),
            ("what changed in v1.10 since v1.9?", Some("git cora changelog v1.9..v1.10")),
            ("commits that changed retry_upload", Some("git cora log retry_upload")),
            ("list all commits that touched retry_upload", Some("git cora log retry_upload")),
            ("how old is retry_upload?", Some("git cora when retry_upload")),
            ("how old is retry", Some("git cora when retry")),
            ("what does changing retry_upload affect", Some("git cora impact retry_upload")),
            ("what happens if I change send?", Some("git cora impact send")),
            ("what changed in src/net.c between v1.0 and v1.1?", Some("git cora changelog v1.0..v1.1")),
            ("last change of send_batch", Some("git cora log send_batch")),
            ("which release first had send_batch", Some("git cora when send_batch")),
            ("why was send_batch removed?", Some("git cora when send_batch")),
            ("since which version can I use async views?", Some("git cora when '\"async views\"'")),
            ("what is the history of doSend", Some("git cora log doSend")),
            // Questions about what code does.
            ("where is the history of the shell stored", None),
            ("when is the cache flushed", None),
            ("when are leases revoked", None),
            ("how does a lease expire", None),
            ("who calls retry_upload", None),
            ("where is the version of the protocol checked", None),
            ("what changed in the weather", None),
            ("what is new in the parser", None),
            ("when was it", None),
            ("retry", None),
        ] {
            let found = time_question(text).map(|one| one.command_line());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        assert_eq!(time_question("when was a added\nstack"), None);
    }
}
