//! `git cora init` and `git cora uninstall`: install and remove hooks and configuration.
//!
//! Only the repository's own configuration and hooks are changed; a hooks path outside it gets a
//! hint instead. `init` plans all changes first, and makes all of them or none. If it can't index
//! HEAD, it takes them back. `uninstall` removes as much as it can, and names what is left.

use git_cora::git::Repository;

use crate::hook::{self, InstallReport, Plan};
use crate::setup::config::{self, ConfigPlan, Contents};
use crate::setup::ledger::Ledger;
use crate::setup::step::{self, SharedDir};
use crate::terminal::Context;

use super::{Outcome, args};

pub(crate) fn init(context: &Context, args: &args::Init) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let repo = session.repo();
    let dry_run = args.dry_run.dry_run;
    if !args.agent.is_empty() {
        #[cfg(feature = "mcp")]
        return super::agent::add(context, repo, &args.agent, args.skill, dry_run).map(|()| Outcome::Found);
        #[cfg(not(feature = "mcp"))]
        {
            let _ = args.skill;
            anyhow::bail!(super::mcp::NOT_BUILT);
        }
    }
    repo.recover_locks();
    let mut ledger = Ledger::open(repo);
    let hooks = if args.no_hooks { None } else { Some(hook::install(repo, &mut ledger)?) };
    let has_hooks = hooks.as_ref().is_some_and(|hooks| hooks.plan != Plan::Bare);
    let wanted = Contents { hooks: has_hooks, decoration: !args.hooks_only };
    let settings = config::plan(repo, &mut ledger, wanted)?;
    let mut steps = ledger.steps()?;
    steps.extend(hooks.iter().flat_map(|hooks| hooks.steps.clone()));
    steps.extend(settings.steps.clone());
    let applied =
        if dry_run { None } else { Some(step::apply_reversibly(&steps, Some(&SharedDir::of(repo)))?) };
    if let Some(hooks) = &hooks {
        tell_of_hooks(context, hooks, &settings, dry_run);
    }
    tell_of_settings(context, &settings, dry_run);
    if args.hooks_only {
        return Ok(Outcome::Found);
    }
    if let Some(clash) = super::doctor::refspec::clash(repo) {
        context.complain("warning: a remote's fetch refspec writes to refs/cora/");
        context.complain(&format!("hint: {}", clash.advice()));
    }
    if dry_run {
        context.say("index: would index HEAD");
        return Ok(Outcome::Found);
    }
    if let Err(error) = index_head(context, repo) {
        if let Some(applied) = applied.filter(|_| !steps.is_empty()) {
            let state = applied.undo();
            context.complain(&format!("note: the hooks and settings were rolled back; {state}"));
        }
        return Err(error);
    }
    if super::man::is_findable() == Some(false) {
        context.say("hint: run 'git cora man --install' once, so that 'git cora --help' works");
    }
    Ok(Outcome::Found)
}

fn index_head(context: &Context, repo: &Repository) -> anyhow::Result<()> {
    match repo.head()? {
        git_cora::git::Head::Commit { .. } => drop(super::index::run(context, &super::index::of_head())?),
        git_cora::git::Head::Unborn { .. } => {
            context.say("index: nothing yet; the first commit will be indexed");
        }
    }
    Ok(())
}

/// Reports what became of the hooks.
fn tell_of_hooks(context: &Context, installed: &InstallReport, settings: &ConfigPlan, dry_run: bool) {
    let [put, wrote] = if dry_run { ["would put", "would write"] } else { ["put", "wrote"] };
    match &installed.plan {
        Plan::Config if settings.hooks.is_empty() => context.say("hooks: already in the configuration"),
        Plan::Config => {
            context.say(&format!("hooks: {put} {} into the configuration", settings.hooks.join(", ")));
        }
        Plan::Files(_) if installed.changed.is_empty() && !installed.refused.is_empty() => {}
        Plan::Files(dir) if installed.changed.is_empty() => {
            context.say(&format!("hooks: already in '{}'", dir.display()));
        }
        Plan::Files(dir) => {
            context.say(&format!("hooks: {wrote} {} in '{}'", installed.changed.join(", "), dir.display()));
        }
        Plan::Foreign(dir) => {
            let why = "the directory is outside the repository or shared with others";
            advise(context, &format!("warning: the hooks in '{}' were left unchanged: {why}", dir.display()));
        }
        Plan::Tracked(dir) => {
            let why = "the directory is part of the working tree";
            advise(context, &format!("warning: the hooks in '{}' were left unchanged: {why}", dir.display()));
        }
        Plan::Bare => {
            context.say("hooks: none, because nobody commits in a bare repository");
            context
                .say("hint: run 'git cora index --branches' after a push, or add this line to the post-receive hook:");
            context.say("hint:   (git-cora hook post-receive </dev/null >/dev/null 2>&1 &)");
        }
        Plan::Off(why) => {
            context.complain(&format!("warning: hooks are switched off, because {why}: none was written"));
            context.complain(
                "hint: run 'git cora watch' to index new commits in the background, or let the next query do it",
            );
        }
    }
    for event in &installed.aside {
        let [moves, stays] = if dry_run { ["would move", "would run"] } else { ["moved", "runs"] };
        context.say(&format!(
            "hooks: {moves} the existing {event} hook to '{}/{event}'; it {stays} from there if it is executable",
            hook::BEFORE
        ));
    }
    for refusal in &installed.refused {
        let event = refusal.event;
        context.complain(&format!("warning: the {event} hook {}, so it was left unchanged", refusal.why));
        context.complain(&format!("hint: have it run 'git-cora hook {event}' in the background"));
    }
}

/// Prints the lines for hooks that we don't write.
fn advise(context: &Context, warning: &str) {
    context.complain(warning);
    context.complain(
        "hint: add this line to the post-commit, post-checkout, post-merge and post-rewrite hooks there:",
    );
    context.complain("hint:   (git-cora hook \"$(basename \"$0\")\" </dev/null >/dev/null 2>&1 &)");
}

fn tell_of_settings(context: &Context, settings: &ConfigPlan, dry_run: bool) {
    let [added, removed] = if dry_run { ["would add", "would remove"] } else { ["added", "removed"] };
    for (did, lines) in [(removed, &settings.removed), (added, &settings.added)] {
        for line in lines {
            context.say(&format!("config: {did} {line}"));
        }
    }
}

pub(crate) fn uninstall(context: &Context, args: &args::Uninstall) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let repo = session.repo();
    let dry_run = args.dry_run.dry_run;
    let would = if dry_run { "would remove" } else { "removed" };
    repo.recover_locks();
    let mut ledger = Ledger::open(repo);
    let (mut changed, mut problems) = (Vec::new(), Vec::new());
    let shared = SharedDir::of(repo);
    let apply = |steps: &[step::Step]| if dry_run { Ok(()) } else { step::apply(steps, Some(&shared)) };
    for hook in hook::uninstall(repo, &ledger)? {
        match apply(&hook.steps) {
            Ok(()) if hook.steps.is_empty() || changed.contains(&hook.event) => {}
            Ok(()) => changed.push(hook.event),
            Err(error) => problems.push(format!("{error:#}")),
        }
        problems.extend(hook.problem);
    }
    if problems.is_empty() {
        ledger.forget_hooks();
    }
    let mut settings = ConfigPlan::default();
    let mut next = ledger.clone();
    match config::plan_removal(repo, &mut next).and_then(|plan| apply(&plan.steps).map(|()| plan)) {
        Ok(plan) => (settings, ledger) = (plan, next),
        Err(error) => problems.push(format!("{error:#}")),
    }
    changed
        .extend(settings.hooks.iter().filter(|event| !changed.contains(event)).copied().collect::<Vec<_>>());
    if !changed.is_empty() {
        context.say(&format!("hooks: {would} {}", changed.join(", ")));
    }
    tell_of_settings(context, &settings, dry_run);
    #[cfg(feature = "mcp")]
    let clients = super::agent::remove(context, repo, &mut ledger, dry_run, &mut problems);
    #[cfg(not(feature = "mcp"))]
    let clients: [(&str, &str); 0] = [];
    for (part, file) in &clients {
        context.say(&format!("agent: {would} {part} from {file}"));
    }
    if let Err(error) = ledger.steps().and_then(|steps| apply(&steps)) {
        problems.push(format!("{error:#}"));
    }
    if changed.is_empty() && settings.steps.is_empty() && clients.is_empty() && problems.is_empty() {
        context.say("nothing to remove");
    }
    for problem in &problems {
        context.complain(&format!("warning: {problem}"));
    }
    if !problems.is_empty() {
        let rest = if dry_run { "would be" } else { "has been" };
        context.complain(&format!(
            "hint: solve these problems, then run 'git cora uninstall' again; everything else {rest} removed"
        ));
        return Ok(Outcome::Failed);
    }
    context.say("the indexes and the cache stay; run 'git cora uninstall --help' to see how to remove them");
    Ok(Outcome::Found)
}
