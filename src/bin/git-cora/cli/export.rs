//! `git cora export`, and `git cora query --store`: exports an index to a database, and searches
//! there.
//!
//! Without the feature `postgres` both commands exist and report that they were left out, so that
//! the command line is the same in every build.

#[cfg(not(feature = "postgres"))]
use super::{Outcome, args};
#[cfg(not(feature = "postgres"))]
use crate::terminal::Context;

/// Error if the feature is left out.
#[cfg(not(feature = "postgres"))]
const NOT_BUILT: &str = "this program was built without 'git cora export' and 'git cora query --store'; \
    build it with the feature 'postgres'";

#[cfg(not(feature = "postgres"))]
pub(crate) fn run(_: &Context, _: &args::Export) -> anyhow::Result<Outcome> {
    anyhow::bail!(NOT_BUILT)
}

#[cfg(not(feature = "postgres"))]
pub(crate) fn query(_: &Context, _: &args::Query, _: &str) -> anyhow::Result<Outcome> {
    anyhow::bail!(NOT_BUILT)
}

#[cfg(feature = "postgres")]
pub(crate) use of_postgres::{query, run};

#[cfg(feature = "postgres")]
mod of_postgres {
    use serde_json::json;

    use git_cora::answer::view::counted;
    use git_cora::base::progress::Task;
    use git_cora::database::Store;
    use git_cora::database::{ExportOptions, answer_stored};
    use git_cora::git::without_credentials;
    use git_cora::{Session, SessionError};

    use crate::cli::query::{asked, finish};
    use crate::cli::{Outcome, args};
    use crate::terminal::Context;

    pub(crate) fn run(context: &Context, args: &args::Export) -> anyhow::Result<Outcome> {
        let session = context.session()?;
        let commit = context.commit(&session, args.revision.rev.as_deref())?;
        let options =
            ExportOptions { name: name(&session, args), with_text: args.with_text, fresh: args.fresh };
        let progress = context.progress();
        let mut store = Store::connect(&args.to).map_err(SessionError::from)?;
        let report = git_cora::database::export(
            session.indexer(),
            &mut store,
            commit,
            &options,
            Task::new(progress.as_ref(), &context.cancel),
        )?;
        if args.json.is_wanted() {
            context.print_json(&json!({
                "repository": options.name,
                "commit": commit.to_string(),
                "unchanged_files": report.n_same,
                "written_files": report.n_written,
                "written_chunks": report.n_chunks,
                "removed_files": report.n_removed,
                "changed_terms": report.n_terms,
            }))?;
        } else {
            context.say(&format!(
                "exported {} of '{}': {} written, {}, {} removed, {} unchanged",
                commit.abbreviated(12),
                options.name,
                counted(report.n_written, "file", "files"),
                counted(report.n_chunks, "chunk", "chunks"),
                report.n_removed,
                report.n_same
            ));
        }
        Ok(Outcome::Found)
    }

    /// Returns the repository's name in the database: `--name`, else the URL of its origin, else
    /// its directory.
    fn name(session: &Session, args: &args::Export) -> String {
        if let Some(name) = &args.name {
            return name.clone();
        }
        let repo = session.repo();
        match repo.remote_url("origin") {
            Some(url) => without_credentials(&url),
            None => {
                let dir = repo.work_dir().unwrap_or(repo.git_dir());
                dir.file_name().unwrap_or(dir.as_os_str()).to_string_lossy().into_owned()
            }
        }
    }

    pub(crate) fn query(context: &Context, args: &args::Query, url: &str) -> anyhow::Result<Outcome> {
        context.catch_signals();
        // The repository around the current directory, if any, is irrelevant: settings are the
        // user's, and pathspecs begin at the root.
        let dir = tempfile::tempdir()?;
        let session = Session::detached(dir.path())?;
        let query = asked(context, &session, args)?;
        let mut store = Store::connect(url).map_err(SessionError::from)?;
        let names: Vec<String> = args.repo.clone();
        let results = answer_stored(&mut store, &query, &names)?;
        finish(context, &session, args, results, "hint: try fewer or different words, or remove filters")
    }
}
