//! Texts that tell an agent when to use which command: whole files, and a block in `AGENTS.md`.
//!
//! Pure: text → text. A whole file is ours if it has [`MADE`]; any other file of that name is
//! refused. The block stands between [`BEGIN`] and [`END`], and the rest of the file stays.
//!
//! The skill is the one of the Claude Code plugin in `plugin/`, so that there is one text.

use anyhow::Context as _;

/// The words by which a file is recognised as made by us.
const MADE: &str = "Made by 'git cora init --agent";

/// First and last line of the block.
const BEGIN: &str = "<!-- >>> git-cora >>> -->";
const END: &str = "<!-- <<< git-cora <<< -->";

/// The block in `AGENTS.md`. Agents read it in every session, so it is short.
const BLOCK: &str = include_str!("agents.md");
/// The skill, in the format of <https://agentskills.io/specification>.
const SKILL: &str = include_str!("../../../../../plugin/skills/git-cora/SKILL.md");

/// A file that is ours as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Document {
    /// A skill: `SKILL.md`.
    Skill,
    /// A rule of Cursor: the same text, with Cursor's keys before it.
    CursorRule,
}

impl Document {
    /// Returns the text of the file.
    pub(super) fn text(self) -> String {
        match self {
            Self::Skill => skill(|description| format!("name: git-cora\ndescription: {description}\n")),
            Self::CursorRule => {
                skill(|description| format!("description: {description}\nalwaysApply: false\n"))
            }
        }
    }

    /// Returns the new text of the file; `None` if it has that text.
    pub(super) fn added(self, text: &str) -> anyhow::Result<Option<String>> {
        let new = self.text();
        anyhow::ensure!(
            text.trim().is_empty() || text.contains(MADE),
            "a file of that name exists, and this program did not make it"
        );
        Ok(Some(new).filter(|new| new != text))
    }

    /// Returns the empty text; `None` if the file is not ours.
    pub(super) fn removed(text: &str) -> Option<String> {
        text.contains(MADE).then(String::new)
    }
}

/// Returns the skill with these keys, which come first between two lines `---`. A comment after
/// them says who made the file.
///
/// The description becomes one line: not every agent that reads these keys reads all of YAML.
fn skill(keys: impl Fn(&str) -> String) -> String {
    const RULE: &str = "---\n";
    let rest = SKILL.strip_prefix(RULE).unwrap_or(SKILL);
    let (head, body) = rest.split_once("\n---\n").unwrap_or_default();
    let description = head.split_once("description: >-\n").map_or("", |(_, lines)| lines);
    let keys = keys(&description.split_whitespace().collect::<Vec<_>>().join(" "));
    format!(
        "{RULE}{keys}{RULE}\n<!-- {MADE} NAME --skill'; 'git cora uninstall' removes this file. -->\n{body}"
    )
}

/// Returns the text with our block; `None` if it has that block.
pub(super) fn with_block(text: &str) -> anyhow::Result<Option<String>> {
    let has_crlf = text.contains("\r\n") && !text.replace("\r\n", "").contains('\n');
    let end = if has_crlf { "\r\n" } else { "\n" };
    let block = BLOCK.replace('\n', end);
    let new = match place(text)? {
        Some((start, after)) => {
            [text.get(..start), Some(block.as_str()), text.get(after..)].into_iter().flatten().collect()
        }
        None if text.trim_matches('\u{feff}').is_empty() => format!("{text}{block}"),
        None => {
            let gap = match text {
                _ if text.ends_with(&end.repeat(2)) => String::new(),
                _ if text.ends_with(end) => end.to_owned(),
                _ => end.repeat(2),
            };
            format!("{text}{gap}{block}")
        }
    };
    Ok(Some(new).filter(|new| new != text))
}

/// Returns the text without our block; `None` if it has none.
pub(super) fn without_block(text: &str) -> anyhow::Result<Option<String>> {
    let Some((start, after)) = place(text)? else { return Ok(None) };
    let (before, after) = (text.get(..start).unwrap_or_default(), text.get(after..).unwrap_or_default());
    // The blank line before the block came with it.
    let before = match after {
        "" => before.strip_suffix('\n').map_or(before, |before| before.strip_suffix('\r').unwrap_or(before)),
        _ => before,
    };
    Ok(Some(format!("{before}{after}")))
}

/// Returns where our block begins, and where the line after it begins.
fn place(text: &str) -> anyhow::Result<Option<(usize, usize)>> {
    let Some(start) = line(text, BEGIN) else { return Ok(None) };
    let tail = text.get(start..).unwrap_or_default();
    let len = line(tail, END).with_context(|| format!("it has '{BEGIN}' without '{END}'"))?;
    let mut after = start + len + END.len();
    for end in ["\r", "\n"] {
        after += text.get(after..).filter(|rest| rest.starts_with(end)).map_or(0, |_| end.len());
    }
    Ok(Some((start, after)))
}

/// Returns the first place of a mark that has a line of its own.
fn line(text: &str, mark: &str) -> Option<usize> {
    text.match_indices(mark).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).unwrap_or_default().trim_start_matches('\u{feff}');
        let after = text.get(at + mark.len()..).unwrap_or_default();
        (before.is_empty() || before.ends_with('\n'))
            && (after.is_empty() || after.starts_with('\n') || after.starts_with("\r\n"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_has_the_keys_that_agents_require() {
        let skill = Document::Skill.text();
        let head = skill.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap().0;
        let keys: Vec<_> = head.lines().map(|line| line.split_once(": ").unwrap()).collect();
        // The folder has the same name, and a description has at most 1,024 characters
        // (agentskills.io/specification).
        assert_eq!(keys.iter().map(|(key, _)| *key).collect::<Vec<_>>(), ["name", "description"]);
        assert_eq!(keys[0].1, "git-cora");
        assert!((100..=1024).contains(&keys[1].1.len()) && !keys[1].1.contains(": "), "{}", keys[1].1);
        let rule = Document::CursorRule.text();
        let body = |text: &str| text.split_once("\n---\n").unwrap().1.to_owned();
        assert!(
            rule.starts_with("---\ndescription: ") && rule.contains("\nalwaysApply: false\n---\n"),
            "{rule}"
        );
        assert_eq!(body(&rule), body(&skill));
        for document in [Document::Skill, Document::CursorRule] {
            let text = document.text();
            assert_eq!(document.added("").unwrap().as_ref(), Some(&text));
            assert_eq!(document.added(&text).unwrap(), None);
            assert_eq!(Document::removed(&text).as_deref(), Some(""));
            assert!(document.added("mine\n").is_err());
            assert_eq!(Document::removed("mine\n"), None);
            let older = text.replace("refs", "references");
            assert_eq!(document.added(&older).unwrap(), Some(text));
        }
    }

    #[test]
    fn a_block_goes_in_once_and_comes_out() {
        for text in
            ["# Rules\n\n- Be kind.\n", "# Rules\n\n", "\r\n", "a\r\nb\r\n", "no line end", "\u{feff}a\n"]
        {
            let new = with_block(text).unwrap().unwrap();
            assert!(new.starts_with(text), "{new:?}");
            assert_eq!(with_block(&new).unwrap(), None);
            let back = without_block(&new).unwrap().unwrap();
            assert_eq!(back.trim_end(), text.trim_end());
            assert_eq!(without_block(&back).unwrap(), None);
            assert!(!new.contains("\r\n") || !new.replace("\r\n", "").contains('\n'), "{new:?}");
        }
        // One empty line is in front of it.
        for (text, gap) in [("a", "\n\n"), ("a\n", "\n"), ("a\n\n", ""), ("a\n\n\n", ""), ("", "")] {
            assert_eq!(with_block(text).unwrap(), Some(format!("{text}{gap}{BLOCK}")), "{text:?}");
        }
        assert_eq!(without_block(BLOCK).unwrap().as_deref(), Some(""));
        // An older block is replaced where it is.
        let older = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        assert_eq!(with_block(&older).unwrap().unwrap(), format!("before\n{BLOCK}after\n"));
        assert_eq!(without_block(&older).unwrap().unwrap(), "before\nafter\n");
        assert!(with_block(&format!("{BEGIN}\n")).is_err());
        assert_eq!(without_block(&format!("a {BEGIN}\n")).unwrap(), None, "it has no line of its own");
    }
}
