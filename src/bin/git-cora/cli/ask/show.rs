//! Formats an answer as text and as JSON.
//!
//! Text shows the model's answer with the sources that it cites, or else the evidence by part of
//! the question. It computes nothing: all content comes from [`AnswerContent`].

use std::collections::HashSet;

use serde_json::{Value, json};

use git_cora::answer::ask::{Context as Evidence, State, WrittenAnswer};
use git_cora::answer::view::{self, Results, TextStyle, counted};
use git_cora::base::text::quoted;
use git_cora::index::chunk::grammar;
use git_cora::provider::chat::Cost;
use git_cora::{Searcher, Session};

use crate::cli::{args, output};

/// Largest number of code lines per place.
const CODE_LINES: usize = 12;

/// The content of an answer.
pub(super) struct AnswerContent<'s> {
    pub(super) session: &'s Session,
    pub(super) searcher: &'s Searcher,
    pub(super) revision: &'s str,
    pub(super) model: Option<String>,
    pub(super) state: &'s State,
    pub(super) context: &'s Evidence,
    pub(super) written: Option<&'s WrittenAnswer>,
    pub(super) spent: Cost,
}

impl AnswerContent<'_> {
    pub(super) fn print(&self, args: &args::Ask) -> anyhow::Result<()> {
        let mut out = match self.written {
            Some(written) => self.answer(written),
            None => self.evidence(args)?,
        };
        if let Some(step) = self.state.steps.last() {
            for gap in &step.gaps {
                out.push_str(&format!("not answered: {}\n", view::visible(gap)));
            }
            for contradiction in &step.contradictions {
                out.push_str(&format!("contradiction: {}\n", view::visible(contradiction)));
            }
        }
        out.push_str(&self.footer());
        if args.show_context {
            out.push_str(&format!("\n{}", self.context.text));
        }
        output::print(self.session.repo(), &args.screen, &out)
    }

    /// Formats the text that a model wrote, and the sources that it cites.
    fn answer(&self, written: &WrittenAnswer) -> String {
        let mut out = format!("{}\n\n", written.checked.text);
        for &number in &written.checked.cited {
            if let Some(evidence) = self.evidence_of(number) {
                out.push_str(&format!("[{number}] {}{}\n", evidence.place(), self.at(&evidence.item)));
            }
        }
        if !written.checked.unsupported.is_empty() {
            out.push_str("[?] no source was given for this sentence\n");
        }
        out
    }

    /// Formats the evidence by part of the question.
    fn evidence(&self, args: &args::Ask) -> anyhow::Result<String> {
        let style = TextStyle {
            color: output::is_coloured(self.session.repo(), &args.screen)?,
            width: output::width(),
            code_lines: CODE_LINES,
            explain: false,
        };
        let mut out = String::new();
        let mut shown = HashSet::new();
        let parts: Vec<_> = self.state.parts.iter().filter(|part| part.near.is_none()).collect();
        for part in &parts {
            let numbers: Vec<(usize, usize)> = (1..)
                .zip(&self.context.numbers)
                .map(|(number, &at)| (number, at))
                .filter(|(_, at)| part.found.contains(at) && shown.insert(*at))
                .collect();
            if numbers.is_empty() && (part.is_whole || !part.found.is_empty()) {
                continue;
            }
            if parts.len() > 1 {
                let title = if part.is_whole { "the whole question" } else { &part.text };
                out.push_str(&format!("— {}\n", view::visible(title)));
            }
            if numbers.is_empty() {
                out.push_str("nothing found\n\n");
            }
            let items = numbers.iter().filter_map(|(_, at)| Some(self.state.evidence.get(*at)?.item.clone()));
            let mut results = Results::default();
            results.query.clone_from(&part.text);
            results.results = items.collect();
            for ((number, at), entry) in numbers.iter().zip(view::entries(&results, &style, &grammar)) {
                let (head, body) = entry.split_once('\n').unwrap_or((&entry, ""));
                let item = self.state.evidence.get(*at).map(|evidence| &evidence.item);
                let relation = item.and_then(|item| item.relation.as_deref());
                let relation = relation.map(|how| format!(" ({})", view::visible(how))).unwrap_or_default();
                let at = item.map(|item| self.at(item)).unwrap_or_default();
                out.push_str(&format!("[{number}] {head}{relation}{at}\n{body}\n"));
            }
        }
        Ok(out)
    }

    fn footer(&self) -> String {
        let mut parts = Vec::new();
        if self.context.numbers.is_empty() {
            parts.push(match self.context.n_cut {
                0 => "no relevant result".to_owned(),
                _ => "the budget is too small for one result".to_owned(),
            });
        }
        let commit = self.searcher.commit().map(|commit| commit.abbreviated(12));
        parts.push(match (commit, self.searcher.is_worktree()) {
            (Some(commit), true) => format!("working tree at {commit}"),
            (Some(commit), false) => format!("commit {commit}"),
            (None, _) => "working tree before the first commit".to_owned(),
        });
        if self.context.n_cut > 0 {
            let places = counted(self.context.n_cut, "place", "places");
            parts.push(format!("to fit --tokens: {places} left out"));
        }
        if self.written.is_none() && !self.context.numbers.is_empty() {
            let why = match self.spent.calls {
                0 => "no language model was used",
                _ => "the language model gave no answer",
            };
            parts.push(format!("{why}: these are the sources, not an answer"));
        }
        if let Some(model) = &self.model {
            let tokens = counted(self.spent.usage.total(), "token", "tokens");
            parts.push(format!("{model}: {}, {tokens}", counted(self.spent.calls, "call", "calls")));
        }
        format!("{}\n", parts.join(" · "))
    }

    fn evidence_of(&self, number: usize) -> Option<&git_cora::answer::ask::Evidence> {
        self.state.evidence.get(*self.context.numbers.get(number.checked_sub(1)?)?)
    }

    /// Returns ` @commit`, or the state of a file that differs from it.
    fn at(&self, item: &view::ResultItem) -> String {
        match self.searcher.commit() {
            Some(commit) if item.git_status == "unmodified" => format!(" @{}", commit.abbreviated(12)),
            _ => format!(" @working tree ({})", item.git_status),
        }
    }

    pub(super) fn json(&self, with_context: bool) -> Value {
        let commit = self.searcher.commit().map(|commit| commit.to_string());
        let cited = self.written.map(|written| written.checked.cited.as_slice()).unwrap_or_default();
        let references: Vec<Value> = (1..)
            .zip(&self.context.numbers)
            .filter_map(|(number, &at)| Some((number, at, self.state.evidence.get(at)?)))
            .map(|(number, at, evidence)| {
                let item = &evidence.item;
                let parts = self.state.parts.iter().enumerate().filter(|(_, part)| part.found.contains(&at));
                json!({
                    "number": number,
                    "cited": cited.contains(&number),
                    "path": quoted(evidence.place().path.as_ref()),
                    "start_line": item.span.start_line,
                    "end_line": item.span.end_line,
                    "symbol": item.symbol,
                    "kind": item.kind,
                    "git_status": item.git_status,
                    "commit": commit.as_ref().filter(|_| item.git_status == "unmodified"),
                    "blob": item.blob.map(|blob| blob.to_string()),
                    "step": evidence.step,
                    "relation": item.relation,
                    "parts": parts.map(|(at, _)| at).collect::<Vec<_>>(),
                })
            })
            .collect();
        let last = self.state.steps.last();
        let mut value = json!({
            "question": self.state.question,
            "revision": self.revision,
            "commit": commit,
            "worktree": self.searcher.is_worktree(),
            "model": self.model,
            "answer": self.written.map(|written| &written.checked.text),
            "removed_citations": self.written.map(|written| &written.checked.removed),
            "unsupported": self.written.map(|written| &written.checked.unsupported),
            "references": references,
            "parts": self.state.parts,
            "steps": self.state.steps,
            "gaps": last.map(|step| &step.gaps),
            "contradictions": last.map(|step| &step.contradictions),
            "chunks_seen": self.state.evidence.iter().map(|evidence| evidence.place()).collect::<Vec<_>>(),
            "stopped": self.state.stop,
            "notes": self.state.notes,
            "calls": self.spent.calls,
            "input_tokens": self.spent.usage.input,
            "output_tokens": self.spent.usage.output,
        });
        if let Some(fields) = value.as_object_mut().filter(|_| with_context) {
            fields.insert("context".into(), self.context.text.clone().into());
        }
        value
    }
}
