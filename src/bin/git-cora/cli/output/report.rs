//! A report about changes, in the form that was asked for: `git cora impact` and `changelog`.
//!
//! Owns the choice of the form, and what happens if a report does not fit its budget. The library
//! writes the report.

use std::num::NonZeroUsize;

use serde_json::Value;

use git_cora::answer::view::Budget;
use git_cora::git::Repository;

use crate::cli::args::{ChangeFormat, Screen};
use crate::terminal::Context;

use super::Page;

/// How a report is written.
#[derive(Clone, Copy)]
pub(crate) struct ReportForm<'a> {
    pub(crate) format: ChangeFormat,
    pub(crate) budget: Budget,
    pub(crate) screen: &'a Screen,
}

impl<'a> ReportForm<'a> {
    /// Returns the form that the options ask for: `--format` or `--json`, `--length`, `--tokens`.
    pub(crate) fn new(
        format: Option<ChangeFormat>,
        json: bool,
        length: Option<NonZeroUsize>,
        tokens: Option<NonZeroUsize>,
        screen: &'a Screen,
    ) -> Self {
        let format = if json { ChangeFormat::Json } else { format.unwrap_or(ChangeFormat::Text) };
        let most = |n: Option<NonZeroUsize>| n.map(NonZeroUsize::get);
        Self { format, budget: Budget { characters: most(length), tokens: most(tokens) }, screen }
    }

    /// Writes a report; false if it does not fit the budget. `text` writes it for people or as
    /// Markdown, within a budget, and coloured or not. `json` makes it for programs.
    ///
    /// # Errors
    /// If nothing can be written.
    pub(crate) fn write(
        self,
        context: &Context,
        repo: &Repository,
        text: &dyn Fn(&Budget, bool) -> String,
        json: &dyn Fn() -> Value,
    ) -> anyhow::Result<bool> {
        let is_written = match self.format {
            ChangeFormat::Json => {
                context.print_json(&json())?;
                true
            }
            ChangeFormat::Markdown => {
                let text = text(&self.budget, false);
                context.print(&text)?;
                !text.is_empty()
            }
            ChangeFormat::Text => {
                let mut page = Page::open(repo, self.screen)?;
                let text = text(&self.budget, page.paint.is_on());
                page.write(&text)?;
                page.close()?;
                !text.is_empty()
            }
        };
        if !is_written {
            context.complain_of_budget("the headings", self.budget.needed(|budget| text(budget, false)));
        }
        Ok(is_written)
    }
}
