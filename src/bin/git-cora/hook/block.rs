//! Our marked block in a hook: where it goes, and how it comes out without a trace.
//!
//! A hook is bytes, not text. The block goes right after the `#!` line, or first if there is none:
//! Git has the shell run such a hook. At the end of the file the block might never be reached, as
//! after `exit` or `exec`, or hide the hook's exit status.
//!
//! Taking the block out is the exact inverse of putting it in. A hook that can't take a block is
//! not touched: the shell must run it, and run it only once, with the same text.

use bstr::ByteSlice as _;

/// First and last line of our block.
const BEGIN: &[u8] = b"# >>> git-cora >>>";
const END: &[u8] = b"# <<< git-cora <<<";
/// Words that each block has since hooks are restored exactly. An older block may be in a file that
/// this program made with nothing but a `#!` line.
const EXACT: &[u8] = b"removes this block";

/// How the line begins that marks a file as made by us.
const MADE: &[u8] = b"# This file is made by 'git cora init'";

/// A shell script that runs the hook from before, as a block.
const BEFORE: &str = include_str!("../../../../hooks/before");

/// A hook without our block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rest {
    /// The hook has no block.
    Untouched,
    /// The file is ours: without the block, nothing of the user is left.
    Made,
    /// The user's lines.
    Lines(Vec<u8>),
    /// A block was indented, or lacks a mark.
    Altered,
}

/// Returns a new hook that has nothing but our block.
pub(super) fn made(script: &str) -> Vec<u8> {
    script.as_bytes().to_vec()
}

/// Returns a new hook that runs ours, and then the hook of this event that was moved aside. The
/// script names the event, because a hook manager may rename the script.
pub(super) fn wrapper(event: &str, script: &str) -> Vec<u8> {
    let before = BEFORE.replace("${0##*/}", event);
    let inner = block(before.as_bytes());
    let inner = inner.strip_prefix(BEGIN).and_then(|inner| inner.strip_suffix(END)).unwrap_or(inner);
    let inner = inner.strip_prefix(b"\n").unwrap_or(inner);
    let at = script.as_bytes().find(END).unwrap_or(script.len());
    let (head, tail) = script.as_bytes().split_at(at);
    [head, inner, tail].concat()
}

/// Whether a hook runs the hook that was moved aside.
pub(super) fn is_wrapper(hook: &[u8]) -> bool {
    hook.contains_str(b"exec \"${0%/*}/before-git-cora/")
}

/// Returns our block of a script, from the first mark to the last, without a final line feed.
fn block(script: &[u8]) -> &[u8] {
    let start = script.find(BEGIN).unwrap_or(0);
    let end = script.find(END).map_or(script.len(), |at| at + END.len());
    script.get(start..end).unwrap_or(script)
}

/// Returns the first place of a mark that has a line of its own.
fn find_line(hook: &[u8], mark: &[u8]) -> Option<usize> {
    hook.find_iter(mark).find(|at| {
        let is_first = *at == 0 || hook.get(at - 1) == Some(&b'\n');
        let rest = hook.get(at + mark.len()..).unwrap_or_default();
        is_first && (rest.is_empty() || rest.starts_with(b"\n") || rest.starts_with(b"\r\n"))
    })
}

/// Takes every block of ours out of a hook.
pub(super) fn without(hook: &[u8]) -> Rest {
    let (mut rest, mut is_exact, mut n_blocks) = (hook.to_vec(), true, 0);
    while let Some(start) = find_line(&rest, BEGIN) {
        let Some(len) = rest.get(start..).and_then(|tail| find_line(tail, END)) else { return Rest::Altered };
        let end = start + len + END.len();
        is_exact &= rest.get(start..end).is_some_and(|block| block.contains_str(EXACT));
        n_blocks += 1;
        let tail = rest.get(end..).unwrap_or_default();
        let (from, to) = match tail {
            // The `#!` line had no line feed, and got one before the block.
            [] if start > 0 => (start - 1, end),
            [] => (start, end),
            [b'\r', b'\n', ..] => (start, end + 2),
            _ => (start, end + 1),
        };
        rest.drain(from..to);
    }
    // Somebody indented a block, or took one of its marks away.
    if rest.lines().map(<[u8]>::trim_ascii).any(|line| [BEGIN, END].contains(&line)) {
        return Rest::Altered;
    }
    if n_blocks == 0 {
        return Rest::Untouched;
    }
    // In a file of ours, only the line that says so goes as well.
    let is_made = if let Some(at) = rest.find(MADE) {
        let len =
            rest.get(at..).and_then(|tail| tail.find_byte(b'\n')).map_or(rest.len() - at, |len| len + 1);
        rest.drain(at..at + len);
        true
    } else {
        !is_exact
    };
    if is_made && [&b"#!/bin/sh\n"[..], b"#!/bin/sh\r\n"].contains(&rest.as_slice()) {
        return Rest::Made;
    }
    Rest::Lines(rest)
}

/// Returns a hook with our block in it. The hook has no block yet.
///
/// # Errors
/// The reason why this hook can't take one.
pub(super) fn with(hook: &[u8], script: &str) -> Result<Vec<u8>, &'static str> {
    let block = block(script.as_bytes());
    if hook.contains(&0) {
        return Err("is a compiled program");
    }
    let Some(line) = hook.strip_prefix(b"#!") else {
        return Ok([block, b"\n", hook].concat());
    };
    let len = line.find_byte(b'\n');
    let line = line.get(..len.unwrap_or(line.len())).unwrap_or_default();
    if !is_shell(line) {
        return Err("is not a shell script");
    }
    if cfg!(unix) && line.ends_with(b"\r") {
        return Err("has a carriage return in its first line, so the system can't run it");
    }
    if has_options(line) {
        return Err("has options in its first line that our lines would not fit");
    }
    if passes_itself(hook) {
        return Err("passes its own path to another program");
    }
    Ok(match len {
        None => [hook, b"\n", block].concat(),
        Some(len) => {
            let (first, rest) = hook.split_at(len + 3);
            [first, block, b"\n", rest].concat()
        }
    })
}

/// Whether a `#!` line, without these two bytes, starts a POSIX shell.
fn is_shell(line: &[u8]) -> bool {
    const SHELLS: [&[u8]; 8] = [b"sh", b"bash", b"dash", b"ash", b"ksh", b"mksh", b"zsh", b"yash"];
    let name = |word: &'static str| move |other: &&[u8]| base(other) == word.as_bytes();
    let mut words = line.fields().peekable();
    if words.next_if(name("env")).is_some() {
        while words.next_if(|word| word.starts_with(b"-") || word.contains(&b'=')).is_some() {}
    }
    let _ = words.next_if(name("busybox")).or_else(|| words.next_if(name("toybox")));
    words.next().is_some_and(|word| {
        // Versions, as in `bash-5.2` and `ksh93`.
        let name = base(word);
        let end = name.iter().rposition(|byte| !matches!(byte, b'0'..=b'9' | b'.' | b'-'));
        SHELLS.contains(&name.get(..=end.unwrap_or(0)).unwrap_or_default())
    })
}

/// Returns the last component of a path.
fn base(path: &[u8]) -> &[u8] {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    name.strip_suffix(b".exe").unwrap_or(name)
}

/// Whether a program may look for files beside its own path, which changes if its link moves. One
/// that follows the link first finds them.
pub(super) fn looks_around(program: &[u8]) -> bool {
    const PLACES: [&str; 5] = ["argv[0]", "__file__", "__FILE__", "__dirname", "PROGRAM_NAME"];
    const FOLLOWING: [&str; 3] = ["readlink", "realpath", "resolve()"];
    let has = |marks: &[&str]| marks.iter().any(|mark| program.contains_str(mark));
    let is_beside = |name: &str, line: &[u8]| {
        line.find_iter(name).any(|at| {
            let (before, rest) = line.split_at(at);
            let behind = rest.get(name.len()..).unwrap_or_default();
            let behind = behind.strip_prefix(b"\"").unwrap_or(behind);
            before.trim_end_with(|c| matches!(c, '"' | ' ' | '-')).ends_with(b"dirname")
                || matches!(behind, [b'.', next, ..] if next.is_ascii_alphanumeric())
                || behind.starts_with(b"/")
        })
    };
    let names_folder = |line: &[u8]| {
        // `${0%/*}` and `${0/…}` cut the path.
        ["${0%", "${0/"].iter().any(|cut| line.contains_str(cut))
            || ["$0", "${0}", "$BASH_SOURCE", "${BASH_SOURCE"].iter().any(|name| is_beside(name, line))
    };
    has(&PLACES) && !has(&FOLLOWING) || program.lines().any(names_folder)
}

/// Whether a `#!` line, without these two bytes, has options of the shell that change what it does
/// with a line: it prints it (`-v`, `-x`), only checks it (`-n`), or forbids what it does (`-r`).
fn has_options(line: &[u8]) -> bool {
    let is_option = |word: &[u8]| word.starts_with(b"-") && !word.starts_with(b"--");
    let mut words = line.fields().skip_while(|word| !is_shell(word));
    let options = words.by_ref().skip(1).filter(|word| is_option(word));
    options.flatten().any(|byte| b"nrvx".contains(byte))
}

/// Whether a script hands itself to a program, under its own name or by a variable that has it.
fn passes_itself(hook: &[u8]) -> bool {
    let names = hook.lines().flat_map(|line| named_in(line).collect::<Vec<_>>());
    let variables: Vec<&[u8]> = names.filter_map(|(before, _)| assigned(before)).collect();
    hook.lines().any(|line| restarts(line) || variables.iter().any(|name| passes(line, name)))
}

/// Whether a line hands the script itself to a program, which would read our block, too: `exec perl
/// -x "$0"`, `tail -n +4 "$0"`, `sha1sum < $0`.
fn restarts(line: &[u8]) -> bool {
    hands_on(line, named_in(line))
}

/// Whether a line hands a variable to a program: `exec python3 "$self"`.
fn passes(line: &[u8], variable: &[u8]) -> bool {
    let forms = [[b"$", variable].concat(), [b"${", variable, b"}"].concat()];
    let places = forms.iter().flat_map(|form| line.find_iter(form).map(|at| (at, form.len())));
    hands_on(line, places.map(|(at, len)| around(line, at, len)))
}

/// Whether a program gets the word between two texts of a line.
fn hands_on<'l>(line: &'l [u8], mut places: impl Iterator<Item = (&'l [u8], &'l [u8])>) -> bool {
    !line.trim_start().starts_with(b"#")
        && places.any(|(before, behind)| is_whole_word(before, behind) && !is_only_named(before))
}

/// Returns the texts before and behind some bytes of a line.
fn around(line: &[u8], at: usize, len: usize) -> (&[u8], &[u8]) {
    (line.get(..at).unwrap_or_default(), line.get(at + len..).unwrap_or_default())
}

/// Returns the texts before and behind each place of a line that names the script as a whole: `$0`,
/// `${0:-x}`, `${BASH_SOURCE[0]:-$0}`, but not `${0%/*}`.
fn named_in(line: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let of = |name: &'static [u8]| line.find_iter(name).map(move |at| (at, name.len()));
    let plain = of(b"$0").chain(of(b"$BASH_SOURCE"));
    let braces = of(b"${0").chain(of(b"${BASH_SOURCE")).filter_map(|(at, len)| {
        let rest = line.get(at + len..)?;
        let rest = rest.strip_prefix(b"[0]").unwrap_or(rest);
        let is_whole =
            matches!(rest.first(), Some(b'}')) || rest.starts_with(b":-") || rest.starts_with(b":?");
        let mut depth = 1;
        let end = rest.iter().position(|byte| {
            depth += i32::from(*byte == b'{') - i32::from(*byte == b'}');
            depth == 0
        })?;
        is_whole.then_some((at, line.len() - rest.len() + end + 1 - at))
    });
    plain.chain(braces).map(|(at, len)| around(line, at, len))
}

/// Returns the variable that gets what follows a text: `self` of `self="`, or of
/// `self=$(readlink -f "`.
fn assigned(before: &[u8]) -> Option<&[u8]> {
    let before = before.trim_end_with(|c| matches!(c, '"' | ' '));
    let outer = before.rfind("$(").filter(|at| {
        let command = before.get(at + 2..).unwrap_or_default();
        command.fields().next().is_some_and(|word| FOLLOWING.contains(&word))
    });
    let before = outer.map_or(before, |at| before.get(..at).unwrap_or_default());
    let before = before.trim_end_with(|c| c == '"').strip_suffix(b"=")?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let start = before.iter().rposition(|byte| !is_name(byte)).map_or(0, |at| at + 1);
    before.get(start..).filter(|name| !name.is_empty())
}

/// Programs that print the path that they are given, or the file that it leads to.
const FOLLOWING: [&[u8]; 5] = [b"cygpath", b"echo", b"printf", b"readlink", b"realpath"];

/// Whether the script's name, between these texts, is a word of its own, and no part of a message
/// or of another path (`"$0.d"`).
fn is_whole_word(before: &[u8], behind: &[u8]) -> bool {
    let (before, behind) = match (before.last(), behind.first()) {
        (Some(b'"'), Some(b'"')) => {
            (before.split_last().map_or(before, |(_, rest)| rest), behind.get(1..).unwrap_or_default())
        }
        _ => (before, behind),
    };
    let begins = before.last().is_none_or(|byte| b" \t(<;&|".contains(byte));
    begins && behind.first().is_none_or(|byte| b" \t\r\n);&|<>`".contains(byte))
}

/// Whether the command that gets the script's name does not read the file.
fn is_only_named(before: &[u8]) -> bool {
    const NAMING: [&[u8]; 18] = [
        b"[",
        b"[[",
        b"basename",
        b"case",
        b"cd",
        b"cygpath",
        b"dirname",
        b"echo",
        b"export",
        b"for",
        b"local",
        b"ls",
        b"printf",
        b"readlink",
        b"realpath",
        b"set",
        b"stat",
        b"test",
    ];
    const KEYWORDS: [&[u8]; 10] =
        [b"!", b")", b"{", b"do", b"elif", b"else", b"if", b"then", b"until", b"while"];
    if before.trim_end_with(|c| matches!(c, '"' | ' ')).ends_with(b"<") {
        return false;
    }
    let start = before.rfind_byteset(b";|&(`").map_or(0, |at| at + 1);
    let command = before.get(start..).unwrap_or_default();
    let mut words = command.fields().map(|word| word.trim_with(|c| matches!(c, '"' | '\'' | '\\')));
    let first = words.find(|word| !KEYWORDS.contains(word) && !word.contains(&b'='));
    // What prints the path for another command hands it on.
    let outer = start.checked_sub(2).and_then(|at| before.get(..at)).filter(|_| {
        before.get(..start).is_some_and(|head| head.ends_with(b"$("))
            && first.is_some_and(|first| FOLLOWING.contains(&first))
    });
    if let Some(outer) = outer {
        return is_only_named(outer);
    }
    // Without a command, the script runs itself: `"$0" again` gets past our block as before.
    first.is_none_or(|first| first.is_empty() || NAMING.contains(&first))
}

#[cfg(test)]
mod tests {
    use super::super::SCRIPTS;
    use super::*;

    const SCRIPT: &str = SCRIPTS[0].1;

    #[test]
    fn a_hook_that_reads_itself_is_recognised() {
        for (line, expected) in [
            ("\"exec\" \"python3\" \"$0\" \"$@\"", true),
            ("exec perl -x -- $0", true),
            ("tail -n +4 \"$0\" | sh", true),
            ("sed -n '2p' ${0}", true),
            ("sha1sum < \"$0\"", true),
            ("if grep -q x \"${BASH_SOURCE[0]}\"; then", true),
            ("data=$(awk '/^x/' \"$0\")", true),
            ("f() { cat \"$0\"; }", true),
            ("# exec \"$0\"", false),
            ("f() { echo \"$0\"; }", false),
            ("cd \"$(dirname \"$0\")\"", false),
            ("exec \"$(dirname -- \"$0\")/other\" \"$@\"", false),
            (". \"${0%/*}/lib.sh\"", false),
            ("for h in \"$0\".d/*; do", false),
            ("for h in \"$0.d\"/*; do", false),
            ("echo \"$0: failed\" >&2", false),
            ("die \"$0: failed\"", false),
            ("name=$(basename \"$0\")", false),
            ("self=$0", false),
            ("if [ \"$0\" = x ]; then", false),
            ("if [ \"${BASH_SOURCE[0]}\" = \"$0\" ]; then main; fi", false),
            ("exec python3 \"$(readlink -f \"$0\")\" \"$@\"", true),
            ("cd \"$(dirname \"$(readlink -f \"$0\")\")\"", false),
            ("self=$(readlink -f \"$0\")", false),
            ("':' //; exec node \"${BASH_SOURCE:-$0}\" \"$@\"", true),
            ("tail -n +4 \"${BASH_SOURCE[0]:-$0}\"", true),
            ("mapfile < \"${0:?}\"", true),
            ("cat < \"$(readlink -f \"$0\")\"", true),
        ] {
            assert_eq!(restarts(line.as_bytes()), expected, "{line}");
        }
        for (hook, expected) in [
            ("self=$0\n\"exec\" \"python3\" \"$self\"\n", true),
            ("SELF=\"$(realpath \"$0\")\"\nsha1sum < \"$SELF\"\n", true),
            ("self=$(basename \"$0\")\nlogger \"$self\"\n", false),
            ("self=$0\necho \"$self\"\ncd \"$(dirname \"$self\")\"\n", false),
        ] {
            assert_eq!(passes_itself(hook.as_bytes()), expected, "{hook}");
        }
    }

    #[test]
    fn a_program_that_looks_around_is_recognised() {
        for (program, expected) in [
            (&b"#!/bin/sh\nfor h in \"$0\".d/*; do \"$h\"; done\n"[..], true),
            (b"#!/bin/sh\n. \"${0%/*}/lib.sh\"\n", true),
            (b"#!/usr/bin/env python3\nimport os\nprint(os.path.dirname(__file__))\n", true),
            (b"#!/bin/bash\ncd \"$(dirname -- \"${BASH_SOURCE[0]}\")\"\n", true),
            (b"#!/usr/bin/env python3\nprint(os.path.realpath(__file__))\n", false),
            (b"#!/bin/sh\ncd \"$(dirname \"$(readlink -f \"$0\")\")\"; echo \"$0. ${0##*/}\"\n", false),
            (b"\x7fELF\0\0", false),
            (b"#!/bin/sh\necho mine\n", false),
            (b"#!/usr/bin/env node\nconsole.log(1)\n", false),
        ] {
            assert_eq!(looks_around(program), expected, "{program:?}");
        }
    }

    #[test]
    fn blocks_go_in_and_out_without_a_trace() {
        for hook in [
            &b"#!/bin/sh\necho mine\n"[..],
            b"#!/usr/bin/env bash\nset -e\nexit 3\n",
            b"#!/usr/bin/env -S bash -e\nexec true",
            b"#!/bin/sh\n# caf\xe9\n",
            b"#!/bin/sh\necho a\r\necho b\r\n",
            b"#!/bin/sh\n",
            b"#!/bin/sh",
            b"#! /bin/busybox sh\n\n\n",
            b"#!/usr/local/bin/bash-5.2 -eu\n:",
            b"echo no first line\n",
            b"\xef\xbb\xbf#!/bin/sh\n:\n",
            b"# no line feed",
            b"#!/bin/sh\nexec \"$(dirname \"$0\")/other\" \"$@\"\n",
            b"\n\n",
            b"",
            b"#!/bin/zsh\n# not a mark: # >>> git-cora >>>\n",
        ] {
            let with_block = with(hook, SCRIPT).unwrap();
            assert!(find_line(&with_block, END).is_some(), "{}", hook.as_bstr());
            assert_eq!(without(&with_block), Rest::Lines(hook.to_vec()), "{}", hook.as_bstr());
            assert_eq!(without(hook), Rest::Untouched);
            // A copy in another hook, and one with other line ends.
            let twice = with(&with_block, SCRIPT).unwrap();
            assert_eq!(without(&twice), Rest::Lines(hook.to_vec()), "{}", hook.as_bstr());
        }
        assert_eq!(without(&made(SCRIPT)), Rest::Made);
        assert_eq!(without(&wrapper("post-commit", SCRIPT)), Rest::Made);
        assert!(is_wrapper(&wrapper("post-commit", SCRIPT)) && !is_wrapper(&made(SCRIPT)));
        let own = [SCRIPT.as_bytes(), b"echo mine\n"].concat();
        assert_eq!(without(&own), Rest::Lines(b"#!/bin/sh\necho mine\n".to_vec()));
        assert_eq!(without(&made(SCRIPT).replace("\n", "\r\n")), Rest::Made);
    }

    #[test]
    fn what_no_shell_runs_takes_no_block() {
        for (hook, why) in [
            (&b"#!/usr/bin/python3\nprint()\n"[..], "shell"),
            (b"#!/usr/bin/env python3\n", "shell"),
            (b"#!/usr/bin/env -S node --x\n", "shell"),
            (b"#!/usr/bin/fish\n", "shell"),
            (b"#!/bin/tcsh\n", "shell"),
            (b"#!\n", "shell"),
            (b"\x7fELF\x02\x01\x01\x00", "compiled"),
            (b"#!/bin/sh\nexit\n\x00\x01", "compiled"),
            (b"#!/bin/sh\n# \\\nexec tclsh \"$0\" \"$@\"\n", "its own path"),
            (b"#!/bin/bash -r\n", "options"),
            (b"#!/usr/bin/env -S bash -eux\n", "options"),
        ] {
            assert!(with(hook, SCRIPT).unwrap_err().contains(why), "{}", hook.as_bstr());
        }
        assert_eq!(with(b"#!/bin/sh\r\n:\r\n", SCRIPT).is_err(), cfg!(unix));
    }

    #[test]
    fn an_old_block_is_taken_out() {
        let old = |before: &str, after: &str| {
            format!("{before}# >>> git-cora >>>\nold\n# <<< git-cora <<<\n{after}").into_bytes()
        };
        assert_eq!(without(&old("#!/bin/sh\n", "")), Rest::Made);
        let rest = without(&old("#!/bin/sh\n", "echo mine\n"));
        assert_eq!(rest, Rest::Lines(b"#!/bin/sh\necho mine\n".to_vec()));
        assert_eq!(without(b"#!/bin/sh\n# >>> git-cora >>>\nold\n"), Rest::Altered);
        for changed in [
            "#!/bin/sh\nif x; then\n  # >>> git-cora >>>\n  old\n  # <<< git-cora <<<\nfi\n",
            "#!/bin/sh\n# >>> git-cora >>> \nold\n# <<< git-cora <<<\n",
            "#!/bin/sh\nold\n# <<< git-cora <<<\n",
        ] {
            assert_eq!(without(changed.as_bytes()), Rest::Altered, "{changed}");
        }
    }
}
