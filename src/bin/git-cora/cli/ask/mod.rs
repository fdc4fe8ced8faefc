//! `git cora ask`: a question → evidence → an answer.
//!
//! Chooses between rules and a language model, sets budgets and limits, and records a trace. The
//! library gathers the evidence and checks the citations; `show` formats the answer and `steps`
//! reports progress.

mod show;
mod steps;

use std::sync::Mutex;

use anyhow::Context as _;

use git_cora::answer::Finder;
use git_cora::answer::ask::{
    self, Controller, Event, Header, Journal, Limits, ModelController, Rules, Stop, Watch,
};
use git_cora::answer::view;
use git_cora::base::config;
use git_cora::base::progress::{Cancel, Task};
use git_cora::base::threads::lock;
use git_cora::provider::chat::{
    Budget, End, LanguageModel, MeteredModel, Prompt, Reply, ReplyUpdate, RequestBody, Usage,
};
use git_cora::search::query::Filters;
use git_cora::search::{OutsideModels, StoredAnswers};
use git_cora::{Searcher, Session, Target};

use crate::terminal::Context;

use super::advice::pathspec;
use super::advice::time::tell_of_time;
use super::operand::from_root;
use super::{Outcome, args, query};

use show::AnswerContent;
use steps::Steps;

pub(crate) fn run(context: &Context, args: &args::Ask) -> anyhow::Result<Outcome> {
    ask(context, args).map_err(|error| match error.downcast::<ask::Error>() {
        // The kind and hint of the inner error decide the exit code and the advice.
        Ok(ask::Error::Retrieve(source)) => anyhow::Error::from_boxed(source),
        Ok(error) => error.into(),
        Err(error) => error,
    })
}

fn ask(context: &Context, args: &args::Ask) -> anyhow::Result<Outcome> {
    let (header, journal, question) = trace(args)?;
    let session = context.session()?;
    let of_trace = header.as_ref().map(|header| header.revision.as_str()).filter(|rev| *rev != WORKTREE);
    let rev = args.rev.as_deref().or(of_trace);
    let (target, revision) = Target::resolve(session.repo(), rev, args.no_worktree)?;
    let progress = context.progress();
    let searcher = session.searcher(&target, Task::new(progress.as_ref(), &context.cancel))?;
    let filters = filters(context, args, &session, &searcher)?;
    // A dry run sends nothing, not even the question to an embedding model.
    let stored = StoredAnswers(session.providers());
    let models: &dyn OutsideModels = if args.dry_run.dry_run { &stored } else { session.providers() };
    let finder = session.finder_with(models, &searcher, &revision, filters, &context.cancel);
    let model = if args.extractive { None } else { session.providers().language_model(true)? };
    let commit = searcher.commit().map(|commit| commit.to_string()).unwrap_or_default();
    let asked = if searcher.is_worktree() { WORKTREE } else { &revision };
    let id = model.as_ref().map(|model| model.id()).unwrap_or_default();
    tell_of_trace(context, header.as_ref(), &commit, &id);
    let max_tokens = u32::try_from(session.repo().setting(&config::MODEL_MAX_TOKENS)?).unwrap_or(u32::MAX);
    let limits = Limits::default().with_steps(args.steps.get());
    let tokens = args.tokens.get();

    let allowance = Allowance { limits: &limits, tokens, max_tokens };
    if args.dry_run.dry_run {
        let Some(model) = &model else {
            context.say("nothing would be sent to a language model");
            return Ok(Outcome::Found);
        };
        return dry_run(context, &question, model, &finder, allowance);
    }

    let header = Header::new(&question, asked, &commit, &id);
    let journal = match (&args.trace, &args.resume) {
        (Some(path), _) => Journal::begin(path, &header)?,
        (None, Some(path)) => journal.go_on(path, &header)?,
        (None, None) => journal,
    };
    let mut spent = journal.spent();
    let journal = Mutex::new(journal);
    let mut steps = Steps::new(context, progress.as_ref(), &journal, &id);
    let budget = budget(&session, args)?;
    let metered = model.map(|model| Journal::over(&journal, MeteredModel::new(model, budget, spent)));
    let written = match &metered {
        None => {
            let state = ask::gather(&question, &mut Rules, &finder, &limits, &mut steps, &context.cancel)?;
            (ask::context(&state, tokens), state, None)
        }
        Some(model) => {
            let answered = answer(context, &question, model, &finder, allowance, &mut steps);
            spent = model.model().spent();
            steps.end();
            if let (Err(_), Some(path)) = (&answered, args.trace.as_ref().or(args.resume.as_ref())) {
                context.say(&format!(
                    "note: replies so far are saved; run 'git cora ask --resume {}' to continue",
                    path.display()
                ));
            }
            answered?
        }
    };
    steps.finish()?;
    tell_of_time(context, session.repo(), &question, &[]);
    let (shown_context, mut state, written) = written;
    state.notes.extend(finder.warnings());
    let shown = AnswerContent {
        session: &session,
        searcher: &searcher,
        revision: &revision,
        model: metered.as_ref().map(|model| model.id()),
        state: &state,
        context: &shown_context,
        written: written.as_ref(),
        spent,
    };
    let json = shown.json(args.show_context);
    let mut journal = lock(&journal);
    journal.note("answer", &json)?;
    if args.json.is_wanted() {
        context.print_json(&json)?;
    } else {
        shown.print(args)?;
        for note in &state.notes {
            context.complain(&format!("warning: {note}"));
        }
    }
    if shown_context.numbers.is_empty() && shown_context.n_cut > 0 {
        let draw = |budget: &view::Budget| ask::context(&state, budget.tokens.unwrap_or(usize::MAX)).text;
        let needed = view::Budget { tokens: Some(tokens), characters: None }.needed(draw);
        context.complain_of_budget("one result", needed);
        return Ok(Outcome::Failed);
    }
    if shown_context.numbers.is_empty() {
        if !args.json.is_wanted() {
            context.say("hint: try fewer or different words, or search with 'git cora query'");
        }
        return Ok(Outcome::Nothing);
    }
    Ok(Outcome::Found)
}

/// Returns the header and journal of the trace to resume, and the question.
fn trace(args: &args::Ask) -> anyhow::Result<(Option<Header>, Journal, String)> {
    let (header, journal) = match args.resume.as_deref().map(Journal::read).transpose()? {
        Some((header, journal)) => (Some(header), journal),
        None => (None, Journal::none()),
    };
    let question = match &header {
        Some(header) if args.question.is_empty() => header.question.clone(),
        _ => query::text(&args.question)?.trim().to_owned(),
    };
    if let Some(header) = header.as_ref().filter(|header| header.question != question) {
        anyhow::bail!("the trace answers another question: '{}'", header.question);
    }
    Ok((header, journal, question))
}

/// Says that a run differs from the one that recorded its trace: in the commit, or in the model.
fn tell_of_trace(context: &Context, header: Option<&Header>, commit: &str, model: &str) {
    let Some(before) = header.filter(|before| before.commit != commit || before.model != model) else {
        return;
    };
    let (from, to) = match before.commit == commit {
        true => (before.model.as_str(), model),
        false => (before.commit.as_str(), commit),
    };
    context.say(&format!(
        "note: the trace was recorded with '{from}', but this run uses '{to}'; requests that are not in the \
        trace are sent"
    ));
}

/// Returns the filters of the command line, and warns about those that match nothing.
fn filters(
    context: &Context,
    args: &args::Ask,
    session: &Session,
    searcher: &Searcher,
) -> anyhow::Result<Filters> {
    let languages = args.filter.lang.iter().map(|name| query::language(name));
    let filters = Filters::default()
        .with_paths(from_root::pathspecs(context, session, &args.filter.path)?)
        .with_languages(languages.collect::<anyhow::Result<_>>()?)
        .with_kinds(args.filter.kind.clone());
    let typed = from_root::all_typed(&args.filter.path);
    pathspec::complain_of_strays(context, &searcher.index(), &typed, &filters.paths);
    query::complain_of_languages(context, &searcher.index(), &filters.languages);
    Ok(filters)
}

/// How far one answer may go.
#[derive(Clone, Copy)]
struct Allowance<'a> {
    /// Limits of the search for evidence.
    limits: &'a Limits,
    /// Most tokens of evidence.
    tokens: usize,
    /// Most tokens of one reply of the model.
    max_tokens: u32,
}

/// Prints the requests that a model would get.
fn dry_run(
    context: &Context,
    question: &str,
    model: &dyn LanguageModel,
    finder: &Finder<'_>,
    Allowance { limits, tokens, max_tokens }: Allowance<'_>,
) -> anyhow::Result<Outcome> {
    let dry = DryRunModel { model, question, n: Mutex::new(0), context };
    let mut asking = ModelController { model: &dry, tokens, max_tokens, cancel: context.cancel.clone() };
    let state = ask::gather(question, &mut asking, finder, limits, &mut (), &context.cancel)?;
    if state.stop == Some(Stop::Nothing) {
        context.say("nothing would be sent: no relevant result");
        return Ok(Outcome::Found);
    }
    let shown = ask::context(&state, tokens);
    dry.show(&ask::prompt(&state, &shown, max_tokens))?;
    Ok(Outcome::Found)
}

/// The revision in a trace that stands for the work tree.
const WORKTREE: &str = "";

type AnswerParts = (ask::Context, ask::State, Option<ask::WrittenAnswer>);

/// Lets a model gather evidence and write the answer. If the budget is spent, the evidence is the
/// answer.
fn answer(
    context: &Context,
    question: &str,
    model: &dyn LanguageModel,
    finder: &Finder<'_>,
    Allowance { limits, tokens, max_tokens }: Allowance<'_>,
    steps: &mut Steps<'_>,
) -> anyhow::Result<AnswerParts> {
    let mut asking = ModelController { model, tokens, max_tokens, cancel: context.cancel.clone() };
    let controller: &mut dyn Controller = &mut asking;
    let mut state = ask::gather(question, controller, finder, limits, steps, &context.cancel)?;
    let shown = ask::context(&state, tokens);
    if shown.numbers.is_empty() {
        return Ok((shown, state, None));
    }
    let written = match ask::write(model, &state, &shown, max_tokens, steps, &context.cancel) {
        Err(ask::Error::Model(git_cora::provider::chat::Error::Budget { limit, unit })) => {
            state
                .notes
                .push(format!("the budget of {limit} {unit} is used up: the evidence is shown instead"));
            state.stop = Some(Stop::Budget);
            None
        }
        Err(ask::Error::Model(error @ git_cora::provider::chat::Error::Empty { .. })) => {
            state.notes.push(format!("{error}: the evidence is shown instead"));
            None
        }
        other => Some(other?),
    };
    if let Some(written) = &written {
        match written.end {
            End::Whole => {}
            End::Length => state.notes.push("the answer was cut at cora.modelMaxTokens".to_owned()),
            End::Refused => state.notes.push("the model refused to continue".to_owned()),
        }
        if !written.checked.removed.is_empty() {
            let list = written.checked.removed.join(" ");
            state.notes.push(format!("removed citations of sources that don't exist: {list}"));
        }
    }
    let written = written.filter(|written| {
        let cites = !written.checked.cited.is_empty();
        if !cites {
            state.notes.push("the model's answer cited nothing: the evidence is shown instead".to_owned());
        }
        cites
    });
    Ok((shown, state, written))
}

fn budget(session: &Session, args: &args::Ask) -> anyhow::Result<Budget> {
    let tokens = match args.budget {
        Some(tokens) => tokens,
        None => session.repo().setting(&config::ASK_BUDGET)?,
    };
    let calls = session.repo().setting(&config::ASK_CALLS)?;
    Ok(Budget { tokens: Some(tokens).filter(|n| *n > 0), calls: Some(calls).filter(|n| *n > 0) })
}

/// A model for `--dry-run`: prints each request, and replies that the question has one part and
/// that one step suffices.
struct DryRunModel<'d> {
    model: &'d dyn LanguageModel,
    question: &'d str,
    n: Mutex<usize>,
    context: &'d Context,
}

impl DryRunModel<'_> {
    /// Prints a request and returns its number, from 1.
    fn show(&self, prompt: &Prompt) -> anyhow::Result<usize> {
        let RequestBody { url, body } = self.model.outgoing(prompt);
        let mut n = lock(&self.n);
        *n += 1;
        if *n == 2 {
            self.context.say(
                "note: later requests depend on the replies; this one assumes that the question is \
                not split",
            );
        }
        let body = String::from_utf8(body).context("the request is not UTF-8")?;
        self.context.print(&format!("POST {url}\n{body}\n"))?;
        Ok(*n)
    }
}

impl LanguageModel for DryRunModel<'_> {
    fn id(&self) -> String {
        self.model.id()
    }

    fn outgoing(&self, prompt: &Prompt) -> RequestBody {
        self.model.outgoing(prompt)
    }

    fn complete(
        &self,
        prompt: &Prompt,
        _: &mut dyn FnMut(ReplyUpdate<'_>),
        _: &Cancel,
    ) -> git_cora::provider::chat::Result<Reply> {
        let failed = |error: anyhow::Error| git_cora::provider::chat::Error::Kept { why: error.to_string() };
        let answer = match self.show(prompt).map_err(failed)? {
            1 => serde_json::json!({ "questions": [self.question] }),
            _ => serde_json::json!({ "sufficient": true }),
        };
        Ok(Reply { text: answer.to_string(), usage: Usage::default(), end: End::Whole })
    }
}
