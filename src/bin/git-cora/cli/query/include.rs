//! `--include FILE[:SYMBOL[:signature]]`: puts files and declarations before the results.
//!
//! Parses the option and suggests similar names on failure; the library makes the items.

use bstr::{BStr, ByteSlice};

use git_cora::answer::Include;
use git_cora::answer::include;
use git_cora::answer::view::{ResultItem, Results};
use git_cora::{Searcher, Session};

use crate::cli::operand::from_root;
use crate::command_error::CommandError;
use crate::input::near;
use crate::terminal::Context;

/// Adds the files and declarations of the options to the answer, in their order.
pub(super) fn add(
    context: &Context,
    session: &Session,
    searcher: &Searcher,
    wanted: &[String],
    results: &mut Results,
) -> anyhow::Result<()> {
    if wanted.is_empty() {
        return Ok(());
    }
    let mut items = Vec::new();
    for wanted in wanted {
        items.extend(find(context, session, searcher, wanted)?);
    }
    include(results, items);
    Ok(())
}

fn find(
    context: &Context,
    session: &Session,
    searcher: &Searcher,
    wanted: &str,
) -> anyhow::Result<Vec<ResultItem>> {
    // Both a path and a symbol may contain colons. The first colon that leaves an existing file
    // separates them.
    let cuts = wanted.match_indices(':').map(|(at, _)| at).chain([wanted.len()]);
    for at in cuts {
        let (file, rest) = wanted.split_at(at);
        if file.is_empty() {
            continue;
        }
        let can_include = |path: &BStr| Ok(git_cora::answer::can_include(searcher, path));
        let path = from_root::existing(context, session, file.into(), &can_include)?;
        let Some(path) = path else { continue };
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        let (symbol, only_signature) = match rest.strip_suffix(":signature") {
            Some(symbol) => (symbol, true),
            None => (rest, false),
        };
        let wanted = Include::new(path.clone()).with_symbol(symbol).with_only_signature(only_signature);
        let items = git_cora::answer::included(searcher, &wanted);
        if items.is_empty() {
            let index = searcher.index();
            let names: Vec<String> = index
                .file_by_path(path.as_bstr())
                .into_iter()
                .flat_map(|file| file.declarations())
                .map(|one| one.symbol_path())
                .collect();
            let question = near::question(&near::names(symbol, names.iter().map(String::as_str)));
            let message = format!("no declaration named '{symbol}' in '{path}'");
            return Err(CommandError::new(message, question.unwrap_or_default()).into());
        }
        return Ok(items);
    }
    let file = wanted.split(':').next().unwrap_or_default();
    let index = searcher.index();
    let question = near::question(&near::files(file, index.files().map(|file| file.path())));
    Err(CommandError::new(format!("no file '{file}' to include"), question.unwrap_or_default()).into())
}
