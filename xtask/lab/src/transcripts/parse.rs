//! Markdown -> transcripts: the blocks, their commands, and the comments that say where these ran.

use std::ops::Range;

use anyhow::{Context as _, Result};

/// The line that begins a transcript, and the one that ends it.
const FENCES: (&str, &str) = ("```console", "```");
/// What a command begins with.
const PROMPT: &str = "$ ";

/// The place of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    /// `owner/name` of the repository.
    pub(super) repository: String,
    /// The commit that is checked out.
    pub(super) commit: String,
}

/// A transcript.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// Where its commands ran, if a comment says so.
    pub(super) source: Option<Source>,
    /// The lines that the shell runs first.
    pub(super) before: Option<String>,
    /// The commands in the order of the block.
    pub(super) commands: Vec<Shown>,
}

/// A command and its output, as the document shows them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// The command without the prompt; it may have several lines.
    pub(super) command: String,
    /// The line of the command, 0-based.
    pub(super) line: usize,
    /// The lines of its output, 0-based; none if the document shows no output.
    pub(super) output: Range<usize>,
}

/// Returns the transcripts of a document.
///
/// # Errors
/// If a comment names no repository and commit.
pub(super) fn blocks(lines: &[&str]) -> Result<Vec<Block>> {
    let (mut source, mut before) = (None, Vec::new());
    let mut blocks = Vec::new();
    let mut ord = 0;
    while let Some(line) = lines.get(ord) {
        ord += 1;
        if let Some(text) = comment(line, "transcript") {
            let (repository, commit) = text
                .split_once(' ')
                .with_context(|| format!("line {ord}: expected 'OWNER/NAME COMMIT', found '{text}'"))?;
            source = Some(Source { repository: repository.to_owned(), commit: commit.trim().to_owned() });
        } else if let Some(text) = comment(line, "before") {
            before.push(text);
        } else if *line == FENCES.0 {
            let end = lines[ord..].iter().position(|line| *line == FENCES.1);
            let end = end.map_or(lines.len(), |n_lines| ord + n_lines);
            let commands = commands(lines, ord..end);
            let first = (!before.is_empty()).then(|| before.join("\n"));
            before.clear();
            blocks.push(Block { source: source.clone(), before: first, commands });
            ord = end;
        }
    }
    Ok(blocks)
}

/// Returns the text of an HTML comment `<!-- NAME: text -->` that is a line of its own.
fn comment<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    let text = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    Some(text.trim().strip_prefix(name)?.strip_prefix(':')?.trim())
}

/// Returns the commands of a block. Text before the first command belongs to none.
fn commands(lines: &[&str], block: Range<usize>) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    let mut ord = block.start;
    while ord < block.end {
        let line = ord;
        ord += 1;
        let Some(first) = lines[line].strip_prefix(PROMPT) else {
            if let Some(last) = commands.last_mut() {
                last.output.end = ord;
            }
            continue;
        };
        let mut command = first.to_owned();
        while is_open(&command) && ord < block.end {
            command.push('\n');
            command.push_str(lines[ord]);
            ord += 1;
        }
        commands.push(Shown { command, line, output: ord..ord });
    }
    commands
}

/// Returns whether a command goes on in the next line: a quote is open, or a backslash ends it.
fn is_open(command: &str) -> bool {
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(char) = chars.next() {
        match (quote, char) {
            (None | Some('"'), '\\') if chars.next().is_none() => return true,
            (None, '\'' | '"') => quote = Some(char),
            (Some(open), char) if char == open => quote = None,
            _ => {}
        }
    }
    quote.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Vec<Block> {
        blocks(&text.lines().collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_block_has_commands_with_their_output() {
        let text = "# A\n<!-- transcript: o/n abc -->\n\n```console\n$ cd n\n$ git cora a\nb\n\nc\n\
                    $ git cora d\n```\n\
                    ```sh\n$ git cora e\n```\n<!-- before: echo >f -->\n<!-- before: ls -->\n\
                    ```console\n$ git cora f\ng\n```\n\
                    ```console\n$ git cora h\n```\n";
        let found = parse(text);
        let source = Some(Source { repository: "o/n".to_owned(), commit: "abc".to_owned() });
        let shown = |command: &str, line, output| Shown { command: command.to_owned(), line, output };
        assert_eq!(found.len(), 3);
        assert_eq!(
            found[0].commands,
            [shown("cd n", 4, 5..5), shown("git cora a", 5, 6..9), shown("git cora d", 9, 10..10)]
        );
        assert!(found.iter().all(|block| block.source == source));
        let before: Vec<_> = found.iter().map(|block| block.before.as_deref()).collect();
        assert_eq!(before, [None, Some("echo >f\nls"), None]);
        assert_eq!(found[1].commands, [shown("git cora f", 17, 18..19)]);
    }

    #[test]
    fn a_command_may_have_several_lines() {
        let table = [
            ("$ a 'b\nc' d\nout", "a 'b\nc' d", 1),
            ("$ a \\\n b\nout", "a \\\n b", 1),
            ("$ a \"it's\"\nout", "a \"it's\"", 1),
            ("$ a '\\'\nout", "a '\\'", 1),
            ("$ a \"\\\"\"\nout\nout", "a \"\\\"\"", 2),
        ];
        for (text, command, n_lines) in table {
            let found = parse(&format!("```console\n{text}\n```"));
            assert_eq!(found[0].commands.len(), 1, "{text}");
            assert_eq!(found[0].commands[0].command, command);
            assert_eq!(found[0].commands[0].output.len(), n_lines, "{text}");
            assert_eq!(found[0].source, None);
        }
    }

    #[test]
    fn a_comment_names_repository_and_commit() {
        assert!(blocks(&["<!-- transcript: etcd -->"]).is_err());
        assert!(blocks(&["<!-- other: etcd -->", "text <!-- transcript: etcd -->"]).is_ok());
        assert!(parse("```console\n$ git cora a\nno end").len() == 1);
    }
}
