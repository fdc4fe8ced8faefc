//! `git cora changelog`: lists what a range of commits did to the API.
//!
//! `operand::commits` reads the range, the library compares the declarations, and `output::report`
//! writes them.

use git_cora::answer::view::{Budget, Forge};
use git_cora::answer::{
    self, ChangelogReport, Visibility, changelog_json, changelog_markdown, changelog_text,
};
use git_cora::base::progress::Task;

use crate::command_error::CommandError;
use crate::input::strays::Sides;
use crate::terminal::Context;

use super::advice::pathspec;
use super::args::ChangeFormat;
use super::operand::commits::{NamedCommits, Operands, hint_for_last};
use super::operand::from_root;
use super::output::report::ReportForm;
use super::{Outcome, args};

pub(crate) fn run(context: &Context, args: &args::Changelog) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let words = from_root::all_typed(&args.words);
    let operands = Operands::read(context, &session, &words, &args.paths)?;
    let ([old, new], title) = match operands.commits {
        NamedCommits::Two(commits) => (commits, operands.title),
        NamedCommits::One(old) => {
            ([old, session.repo().resolve("HEAD")?], format!("{}..HEAD", operands.title))
        }
        NamedCommits::None => {
            return Err(CommandError::not_found(
                format!("expected a commit, found only the path '{}'", words.join(" ")),
                hint_for_last(&session, "changelog", &operands.paths),
            )
            .into());
        }
    };
    let typed = [args.path.as_slice(), &operands.paths].concat();
    let paths = from_root::pathspecs(context, &session, &typed)?;
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let log = answer::changelog(session.indexer(), old, new, &paths, task)?;
    drop(progress);
    for note in &log.notes {
        context.say(&format!("note: {note}"));
    }
    if log.entries.is_empty() {
        pathspec::tell_of_strays(context, &session, Sides { old, new: Some(new) }, &typed, &paths)?;
    }
    let forge = session.repo().remote_url("origin").and_then(|url| Forge::of(&url));
    let form = ReportForm::new(args.format, args.json, args.length, args.tokens, &args.screen);
    let report = |budget: &Budget, is_coloured: bool| ChangelogReport {
        title: &title,
        is_public: args.public,
        limit: args.limit.get(),
        budget: *budget,
        is_coloured,
        forge: forge.as_ref(),
    };
    let text = |budget: &Budget, is_coloured: bool| match form.format {
        ChangeFormat::Markdown => changelog_markdown(&log, &report(budget, is_coloured)),
        _ => changelog_text(&log, &report(budget, is_coloured)),
    };
    let json = || changelog_json(&log, &report(&form.budget, false));
    if !form.write(context, session.repo(), &text, &json)? {
        return Ok(Outcome::Failed);
    }
    let is_listed = log.entries.iter().any(|one| !args.public || one.visibility != Visibility::Internal);
    Ok(if is_listed { Outcome::Found } else { Outcome::Nothing })
}
