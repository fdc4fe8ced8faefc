//! `git cora embed`: gets the embeddings of a paid or outside model for a commit's texts.
//!
//! Shows the plan, or only that with `--dry-run`; the library sends the texts and stores the
//! vectors.

use serde_json::json;

use git_cora::answer::view::counted;
use git_cora::base::config;
use git_cora::base::progress::Task;
use git_cora::provider::embedding::Model;
use git_cora::provider::sidecar::vectors::{Plan, Report};
use git_cora::provider::{self, sidecar};
use git_cora::{Session, SessionError, Target};

use crate::terminal::Context;

use super::Outcome;
use super::args;

pub(crate) fn run(context: &Context, args: &args::Embed) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let Some(embedder) = session.providers().embedder(true)? else {
        context.complain("error: no remote model is set");
        context.complain("hint: run 'git config cora.embedder voyage:voyage-code-3'");
        return Ok(Outcome::Failed);
    };
    let model = embedder.model();
    let commit = context.commit(&session, args.rev.as_deref())?;
    let budget = match args.budget {
        Some(n) => n,
        None => session.repo().setting(&config::EMBED_BUDGET)?,
    };
    let budget = (budget > 0).then_some(budget);
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let searcher = context.searcher_of(&session, &Target::Commit(commit))?;
    let plan = sidecar::embedding_plan(&searcher, model, task)?;
    if args.dry_run.dry_run {
        if args.json.is_wanted() {
            context.print_json(&estimate(model, &commit.to_string(), &plan))?;
        } else {
            context.say(&format!("would send {}", to_send(model, &plan)));
            context.tell_of_budget(plan.n_tokens, budget);
        }
        return Ok(Outcome::Found);
    }
    if plan.n_texts > 0 && !args.json.is_wanted() {
        context.say(&format!("sending {}", to_send(model, &plan)));
        context.tell_of_budget(plan.n_tokens, budget);
    }
    let report = sidecar::embed(&searcher, &embedder, &plan, budget, task)?;
    if args.json.is_wanted() {
        let mut value = estimate(model, &commit.to_string(), &plan);
        if let Some(fields) = value.as_object_mut() {
            fields.insert("sent_texts".into(), report.n_texts.into());
            fields.insert("sent_tokens".into(), report.n_tokens.into());
            fields.insert("cut_texts".into(), report.n_cut.into());
            fields.insert("left_texts".into(), report.n_left.into());
            fields.insert("files_with_vectors".into(), report.n_files.into());
            fields.insert("ref".into(), report.refname.clone().into());
        }
        context.print_json(&value)?;
    } else if report.failure.is_none() || report.n_texts > 0 {
        context.say(&format!(
            "embedded commit {}: {} sent ({}), {} of {} with vectors",
            commit.abbreviated(10),
            counted(report.n_texts, "text", "texts"),
            counted(report.n_tokens, "token", "tokens"),
            report.n_files,
            counted(plan.n_files, "file", "files"),
        ));
    }
    complain(context, &session, model, &plan, &report);
    match report.failure {
        Some(error) => Err(SessionError::from(provider::Error::from(error)).into()),
        None => Ok(Outcome::Found),
    }
}

/// Prints warnings about texts that were cut and files that could not be read.
fn complain(context: &Context, session: &Session, model: &Model, plan: &Plan, report: &Report) {
    if report.n_cut > 0 {
        context.complain(&format!(
            "warning: {} cut to the model's limit of {}",
            counted(report.n_cut, "text was", "texts were"),
            counted(model.limits().text_tokens, "token", "tokens")
        ));
        let size = session.indexer().options().chunk.target_bytes;
        context.say(&format!(
            "hint: run 'git config cora.chunkBytes {} && git cora index' for smaller chunks",
            (size / 2).max(200)
        ));
    }
    if plan.n_unreadable > 0 {
        context
            .complain(&format!("warning: {} could not be read", counted(plan.n_unreadable, "file", "files")));
    }
    if report.n_left > 0 {
        let why = if report.is_over_budget { "the budget is used up: " } else { "" };
        context.complain(&format!(
            "warning: {why}{} left; run 'git cora embed' again to continue",
            counted(report.n_left, "text is", "texts are")
        ));
    }
}

/// Describes what is sent, and where, for the user.
fn to_send(model: &Model, plan: &Plan) -> String {
    format!(
        "{}, about {}, to {} at '{}'; vectors of {} and of {} are already stored",
        counted(plan.n_texts, "text", "texts"),
        counted(plan.n_tokens, "token", "tokens"),
        model.id(),
        model.address().host(),
        counted(plan.n_files_known, "file", "files"),
        counted(plan.n_texts_known, "further text", "further texts"),
    )
}

fn estimate(model: &Model, commit: &str, plan: &Plan) -> serde_json::Value {
    json!({
        "commit": commit,
        "model": model.id(),
        "address": model.address().as_str(),
        "files": plan.n_files,
        "known_files": plan.n_files_known,
        "known_texts": plan.n_texts_known,
        "texts": plan.n_texts,
        "tokens": plan.n_tokens,
        "unreadable_files": plan.n_unreadable,
    })
}
