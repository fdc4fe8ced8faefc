//! `git cora annotate`: notes on chunks, written by a language model.
//!
//! Shows the plan and asks for confirmation before anything is sent; `--dry-run` prints the
//! requests instead. The library makes and stores the notes.

use serde_json::json;

use git_cora::answer::view::counted;
use git_cora::base::config;
use git_cora::base::progress::Task;
use git_cora::provider::chat::{Budget, Cost, LanguageModel, MeteredModel, Remote, RequestBody};
use git_cora::provider::sidecar::commentary::{Plan, Report};
use git_cora::provider::{self, sidecar};
use git_cora::{SessionError, Target};

use crate::terminal::Context;

use super::advice::pathspec;
use super::operand::from_root;
use super::{Outcome, args};

pub(crate) fn run(context: &Context, args: &args::Annotate) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let Some(model) = session.providers().language_model(true)? else {
        context.complain("error: no language model is set");
        context.complain("hint: run 'git config cora.model ollama:qwen2.5-coder'");
        return Ok(Outcome::Failed);
    };
    let commit = context.commit(&session, args.rev.as_deref())?;
    let budget = match args.budget {
        Some(n) => n,
        None => session.repo().setting(&config::ANNOTATE_BUDGET)?,
    };
    let budget = (budget > 0).then_some(budget);
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let searcher = context.searcher_of(&session, &Target::Commit(commit))?;
    let paths = from_root::pathspecs(context, &session, &args.path)?;
    let typed = from_root::all_typed(&args.path);
    pathspec::complain_of_strays(context, &searcher.index(), &typed, &paths);
    let plan = sidecar::annotation_plan(&searcher, &model.id(), &paths, task)?;
    if args.dry_run.dry_run {
        if args.json.is_wanted() {
            context.print_json(&estimate(&model, &commit.to_string(), &plan))?;
            return Ok(Outcome::Found);
        }
        context.say(&format!("would send {}", to_send(&model, &plan)));
        context.tell_of_budget(plan.n_tokens, budget);
        let mut outcome = Ok(());
        sidecar::annotation_requests(&searcher, &plan, &model, &mut |request| {
            outcome = show(context, &request);
            outcome.is_ok() && !&context.cancel.is_cancelled()
        });
        outcome?;
        return Ok(Outcome::Found);
    }
    if plan.n_missing > 0 {
        let announced = format!("sending {}", to_send(&model, &plan));
        if args.yes {
            context.say(&announced);
        } else {
            context.complain(&announced);
        }
        context.tell_of_budget(plan.n_tokens, budget);
        if !args.yes && !context.confirm("Send it?", "sent")? {
            return Ok(Outcome::Failed);
        }
    }
    let metered = MeteredModel::new(model, Budget { tokens: budget, calls: None }, Cost::default());
    let report = sidecar::annotate(&searcher, &plan, &metered, task)?;
    let spent = metered.spent();
    if args.json.is_wanted() {
        let mut value = estimate(metered.model(), &commit.to_string(), &plan);
        if let Some(fields) = value.as_object_mut() {
            fields.insert("written_notes".into(), report.n_notes.into());
            fields.insert("useless_answers".into(), report.n_useless.into());
            fields.insert("left_chunks".into(), report.n_left.into());
            fields.insert("files_with_notes".into(), report.n_files.into());
            fields.insert("calls".into(), spent.calls.into());
            fields.insert("spent_tokens".into(), spent.usage.total().into());
            fields.insert("ref".into(), report.refname.clone().into());
        }
        context.print_json(&value)?;
    } else if report.failure.is_none() || report.n_notes > 0 {
        context.say(&format!(
            "annotated commit {}: commentary on {} by {}, {} in {}; {} commentary",
            commit.abbreviated(10),
            counted(report.n_notes, "chunk", "chunks"),
            metered.id(),
            counted(spent.usage.total(), "token", "tokens"),
            counted(spent.calls, "call", "calls"),
            counted(report.n_files, "file has", "files have"),
        ));
    }
    complain(context, &plan, &report);
    match report.failure {
        Some(error) => Err(SessionError::from(provider::Error::from(error)).into()),
        None => Ok(Outcome::Found),
    }
}

/// Prints a request as one line of JSON: its URL and its body.
fn show(context: &Context, request: &RequestBody) -> anyhow::Result<()> {
    let body: serde_json::Value = serde_json::from_slice(&request.body)?;
    context.print_json(&json!({"url": request.url, "body": body}))
}

/// Prints warnings about chunks and files without notes.
fn complain(context: &Context, plan: &Plan, report: &Report) {
    if report.n_useless > 0 {
        context.complain(&format!(
            "warning: the model wrote nothing useful about {}",
            counted(report.n_useless, "chunk", "chunks")
        ));
    }
    if plan.n_unreadable > 0 {
        context
            .complain(&format!("warning: {} could not be read", counted(plan.n_unreadable, "file", "files")));
    }
    if report.n_left > report.n_useless {
        let why = if report.is_over_budget { "the budget is used up: " } else { "" };
        context.complain(&format!(
            "warning: {why}{} left; run 'git cora annotate' again to continue",
            counted(report.n_left, "chunk is", "chunks are")
        ));
    }
}

/// Describes what is sent, and where, for the user.
fn to_send(model: &Remote, plan: &Plan) -> String {
    format!(
        "{}, about {} including the replies, to {} at '{}'; commentary on {} of {} is already stored",
        counted(plan.n_missing, "chunk", "chunks"),
        counted(plan.n_tokens, "token", "tokens"),
        model.id(),
        model.choice().address().host(),
        plan.n_known,
        counted(plan.n_chunks, "chunk", "chunks"),
    )
}

fn estimate(model: &Remote, commit: &str, plan: &Plan) -> serde_json::Value {
    json!({
        "commit": commit,
        "model": model.id(),
        "address": model.choice().address().as_str(),
        "files": plan.n_files,
        "chunks": plan.n_chunks,
        "known_chunks": plan.n_known,
        "missing_chunks": plan.n_missing,
        "tokens": plan.n_tokens,
        "unreadable_files": plan.n_unreadable,
    })
}
