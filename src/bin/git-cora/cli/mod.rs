//! The command line: arguments → a command → an exit code.
//!
//! Owns how an error becomes a message, a hint and an exit code. It contains no logic of a stage.
//!
//! Each command has a file or a folder with its name, but `related` (in `refs`), `uninstall` (in
//! `init`), `verify` and `prune` (in `upkeep`), `push` and `fetch` (in `share`), `version` (here)
//! and `hook` (in `crate::hook`). The other folders are what they share: `args` defines what can be
//! typed, `operand` finds what was typed, `output` writes results, `advice` says what to do if
//! there are none.

mod advice;
#[cfg(feature = "mcp")]
mod agent;
mod annotate;
mod args;
mod ask;
mod blame;
mod changelog;
mod diff;
mod doctor;
mod embed;
mod explain;
mod export;
mod impact;
mod index;
mod init;
mod list;
mod log;
mod lsp;
mod man;
mod map;
mod mcp;
mod operand;
mod output;
mod query;
mod refs;
mod serve;
mod share;
mod show;
mod stats;
mod upkeep;
mod watch;
mod when;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind as ClapKind};
use clap::{FromArgMatches as _, Parser as _};

use git_cora::base::error::{ClassifiedError, ErrorKind, with_causes};
use git_cora::base::text::shell_word;
use git_cora::git::without_credentials;

use crate::command_error::CommandError;
use crate::terminal::{Context, EXIT_INTERRUPTED};
use args::{Args, Command, Global};
use operand::question::{self, Reading};

/// The outcome of a command that ended without an unexpected error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Something was found or done.
    Found,
    /// Nothing was found, or a check found a difference.
    Nothing,
    /// The command failed, and the reason is already printed.
    Failed,
}

/// Exit code for usage errors and other errors.
const EXIT_ERROR: u8 = 2;
/// Exit code outside a repository, the same as Git's.
const EXIT_NO_REPOSITORY: u8 = 128;

/// Parses again, for the help and the errors of the whole command line.
///
/// To put its help together takes longer than to parse, so a command that is well formed does
/// without.
fn parse_with_help(words: &[OsString]) -> Result<Args, clap::Error> {
    let mut command = args::command();
    command
        .try_get_matches_from_mut(words)
        .and_then(|matches| Args::from_arg_matches(&matches))
        .map_err(|error| error.format(&mut command))
}

/// Parses the arguments; words that are a question become a search. Prints what is wrong, and
/// returns the exit code then.
fn parse(words: &[OsString]) -> Result<Args, ExitCode> {
    let error = match Args::try_parse_from(words).or_else(|_| parse_with_help(words)) {
        Ok(args) => {
            return match contradiction(words) {
                Some(error) => Err(refuse(words, error)),
                None => Ok(args),
            };
        }
        Err(error) => error,
    };
    match question::read(words, &error) {
        Reading::Search(words) => {
            let args = parse_with_help(&words).map_err(|error| refuse(&words, error))?;
            context(&args.global).say("note: no such command; running 'git cora query' instead");
            Ok(args)
        }
        Reading::Unknown(word) => {
            let context = Context::of_words(words);
            context.complain(&format!("error: '{word}' is not a git cora command"));
            context.complain(&format!("hint: run 'git cora query {}' to search for it", shell_word(&word)));
            Err(ExitCode::from(EXIT_ERROR))
        }
        Reading::Error => Err(refuse(words, error)),
    }
}

/// Returns the error if arguments that are well formed ask for JSON and for another format.
fn contradiction(words: &[OsString]) -> Option<clap::Error> {
    let is_format = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with("--format"));
    if !words.iter().any(|word| word == "--json") || !words.iter().any(is_format) {
        return None;
    }
    let mut command = args::command();
    let matches = command.try_get_matches_from_mut(words).ok()?;
    let (name, matches) = matches.subcommand()?;
    let is_json = matches.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or_default();
    let mut formats = matches.try_get_raw("format").ok().flatten().filter(|_| is_json)?;
    let other = formats.next()?.to_str().filter(|format| *format != "json")?;
    let message = format!("the argument '--json' cannot be used with '--format {other}'");
    Some(command.find_subcommand_mut(name)?.error(ClapKind::ArgumentConflict, message))
}

/// Prints the help, or what is wrong with the arguments, and returns the exit code.
fn refuse(words: &[OsString], mut error: clap::Error) -> ExitCode {
    let search = question::search_for_option(words, &error);
    if search.is_some() {
        // They say to put the option alone behind `--`, or name another option.
        error.remove(ContextKind::Suggested);
        error.remove(ContextKind::SuggestedArg);
    }
    if let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand) {
        let similar = question::similar_commands(unknown);
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(similar));
    }
    // An argument in the wrong place may be an address with a password.
    for kind in [ContextKind::InvalidArg, ContextKind::InvalidValue, ContextKind::InvalidSubcommand] {
        if let Some(ContextValue::String(word)) = error.get(kind) {
            let shown = without_credentials(word);
            error.insert(kind, ContextValue::String(shown));
        }
    }
    if question::has_command(words) || !error.use_stderr() {
        let _ = error.print();
    } else {
        // `git cora --help` needs manual pages.
        let text = error.to_string().replace("try '--help'", "try 'git cora -h'");
        Context::of_words(words).complain_lines(&text);
    }
    if let Some(search) = search {
        Context::of_words(words).say(&format!("hint: run '{search}' to search for this text"));
    }
    if matches!(error.kind(), ClapKind::DisplayHelp | ClapKind::DisplayVersion) {
        return ExitCode::SUCCESS;
    }
    tell_of_search(&Context::of_words(words), words);
    ExitCode::from(EXIT_ERROR)
}

/// Names the search, if the words of a failed command read as a question.
fn tell_of_search(context: &Context, words: &[OsString]) {
    if let Some(command) = question::search_command(words) {
        context.say(&format!("hint: run '{command}' to search for these words"));
    }
}

/// Returns the context that the global options ask for.
fn context(Global { directory, quiet, verbose }: &Global) -> Context {
    Context::new(directory, *quiet, *verbose)
}

/// Parses the arguments, runs the command, and reports errors.
pub(crate) fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = args.collect();
    let args = match parse(&words) {
        Ok(args) => args,
        Err(code) => return code,
    };
    let context = context(&args.global).with_words(&words);
    let result = match &args.command {
        Command::Init(args) => init::init(&context, args),
        Command::Uninstall(args) => init::uninstall(&context, args),
        Command::Index(args) => index::run(&context, args),
        Command::Query(args) => query::run(&context, args),
        Command::Ask(args) => ask::run(&context, args),
        Command::Stats(args) => stats::run(&context, args),
        Command::List(args) => list::run(&context, args),
        Command::Refs(args) => refs::run(&context, args),
        Command::Related(args) => refs::related(&context, args),
        Command::Map(args) => map::run(&context, args),
        Command::Explain(args) => explain::run(&context, args),
        Command::Show(args) => show::run(&context, args),
        Command::Diff(args) => diff::run(&context, args),
        Command::Impact(args) => impact::run(&context, args),
        Command::Changelog(args) => changelog::run(&context, args),
        Command::When(args) => when::run(&context, args),
        Command::Blame(args) => blame::run(&context, args),
        Command::Log(args) => log::run(&context, args),
        Command::Verify(args) => upkeep::verify(&context, args),
        Command::Prune(args) => upkeep::prune(&context, args),
        Command::Push(args) => share::push(&context, &args.transfer),
        Command::Fetch(args) => share::fetch(&context, &args.transfer),
        Command::Embed(args) => embed::run(&context, args),
        Command::Annotate(args) => annotate::run(&context, args),
        Command::Export(args) => export::run(&context, args),
        Command::Doctor(args) => doctor::run(&context, args),
        Command::Mcp(args) => mcp::run(&context, args),
        Command::Lsp(args) => lsp::run(&context, args),
        Command::Serve(args) => serve::run(&context, args),
        Command::Watch(args) => watch::run(&context, args),
        Command::Man(args) => man::run(&context, args),
        Command::Version => {
            context.print(concat!("git-cora ", env!("CARGO_PKG_VERSION"), "\n")).map(|()| Outcome::Found)
        }
        Command::Hook(hook) => {
            crate::hook::run(&context, hook.event.as_os_str());
            Ok(Outcome::Found)
        }
    };
    match result {
        Ok(Outcome::Found) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        Ok(Outcome::Failed) => ExitCode::from(EXIT_ERROR),
        Err(error) => report(&context, &words, &error, searches(&args.command)),
    }
}

/// Returns whether a command looks for something in the files of a repository.
fn searches(command: &Command) -> bool {
    matches!(
        command,
        Command::Query(_)
            | Command::Ask(_)
            | Command::Map(_)
            | Command::Explain(_)
            | Command::Refs(_)
            | Command::Related(_)
            | Command::Index(_)
            | Command::Init(_)
            | Command::Mcp(_)
            | Command::Serve(_)
    )
}

/// Prints an error as Git does and returns its exit code. A closed pipe is a success: the reader
/// has enough. Only a command that searches gets the advice to make a repository.
fn report(context: &Context, words: &[OsString], error: &anyhow::Error, searches: bool) -> ExitCode {
    let is_closed_pipe = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe);
    if is_closed_pipe {
        return ExitCode::SUCCESS;
    }
    let classified = error.chain().find_map(classified);
    let kind = classified.map(ClassifiedError::kind);
    if kind == Some(ErrorKind::Cancelled) || context.cancel.is_cancelled() {
        context.complain("interrupted; nothing was left half-written");
        return ExitCode::from(EXIT_INTERRUPTED);
    }
    context.complain(&format!("error: {}", with_causes(error.as_ref())));
    let is_too_large = || {
        let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
        causes.any(|cause| cause.kind() == std::io::ErrorKind::FileTooLarge)
    };
    let limit = || is_too_large().then(|| "run 'ulimit -f' to see the limit on the size of files".to_owned());
    let fitting = classified.filter(|error| searches || !error.proposes_repository());
    if let Some(hint) = fitting.and_then(ClassifiedError::hint).or_else(limit) {
        context.complain(&format!("hint: {hint}"));
    }
    // An argument named nothing: a revision, a file, a remote or a repository.
    if matches!(kind, Some(ErrorKind::NotFound | ErrorKind::NotARepository | ErrorKind::Network)) {
        tell_of_search(context, words);
    }
    ExitCode::from(if kind == Some(ErrorKind::NotARepository) { EXIT_NO_REPOSITORY } else { EXIT_ERROR })
}

/// The kind and hint of an error, whichever stage it comes from.
fn classified<'e>(cause: &'e (dyn std::error::Error + 'static)) -> Option<&'e dyn ClassifiedError> {
    fn of<'e, E: std::error::Error + ClassifiedError + 'static>(
        cause: &'e (dyn std::error::Error + 'static),
    ) -> Option<&'e dyn ClassifiedError> {
        cause.downcast_ref::<E>().map(|error| error as &dyn ClassifiedError)
    }
    #[cfg(feature = "postgres")]
    let database = of::<git_cora::database::Error>;
    #[cfg(not(feature = "postgres"))]
    let database = |_| None;
    of::<git_cora::SessionError>(cause)
        .or_else(|| of::<git_cora::search::Error>(cause))
        .or_else(|| of::<git_cora::provider::Error>(cause))
        .or_else(|| database(cause))
        .or_else(|| of::<git_cora::answer::ask::Error>(cause))
        .or_else(|| of::<git_cora::index::Error>(cause))
        .or_else(|| of::<git_cora::git::Error>(cause))
        .or_else(|| of::<git_cora::base::config::ConfigError>(cause))
        .or_else(|| of::<git_cora::index::record::Error>(cause))
        .or_else(|| of::<CommandError>(cause))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn a_short_flag_has_one_meaning_in_a_command() {
        let mut n_limits = 0;
        for command in super::args::command().get_subcommands() {
            let mut seen = BTreeSet::new();
            for arg in command.get_arguments() {
                let aliases = arg.get_all_short_aliases().unwrap_or_default();
                for flag in arg.get_short().into_iter().chain(aliases.iter().copied()) {
                    assert!(seen.insert(flag), "-{flag} twice in {}", command.get_name());
                }
                if arg.get_id() == "limit" {
                    n_limits += 1;
                    assert_eq!((arg.get_short(), aliases), (Some('k'), vec!['n']), "{}", command.get_name());
                }
            }
        }
        assert_eq!(n_limits, 10, "each command that lists something has the flag");
    }
}
