//! Questions about time: a search finds code, which has no date, so the command that answers is
//! named.

use bstr::ByteSlice as _;
use git_cora::answer::view::ResultItem;
use git_cora::answer::{TimeTopic, time_question};
use git_cora::git::Repository;

use crate::terminal::Context;

/// Names the command that answers a question about time. `results` are those of a search for the
/// text, and the repository has the releases.
pub(crate) fn tell_of_time(context: &Context, repo: &Repository, text: &str, results: &[ResultItem]) {
    let Some(question) = time_question(text) else { return };
    let places = results.iter().map(|item| (item.symbol.as_str(), item.path.as_bstr()));
    let question = question.about_best(places);
    let tags = if question.is_of_release() { repo.tags(None, &context.cancel) } else { Ok(Vec::new()) };
    let tags = tags.unwrap_or_default();
    let Some(question) = question.since_previous(tags.iter().map(|tag| tag.name.as_str())) else { return };
    let what = match question.topic {
        TimeTopic::Impact => "a change",
        TimeTopic::Blame => "authors",
        _ => "time",
    };
    context.say(&format!("hint: this is a question about {what}; run '{}'", question.command_line()));
}
