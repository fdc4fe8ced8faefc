//! `git cora serve`: the door for programs.

use super::context::Context;
use super::{Outcome, args};

#[cfg(feature = "http")]
pub(crate) fn run(context: &Context, args: &args::Serve) -> anyhow::Result<Outcome> {
    use anyhow::Context as _;

    use crate::http::{Settings, Token};

    let directory = context.directory();
    let repositories = match (args.repositories.as_slice(), args.root.as_slice()) {
        ([], []) => vec![directory.clone()],
        (named, _) => named.iter().map(|path| directory.join(path)).collect(),
    };
    let token_file = match &args.token_file {
        Some(path) => directory.join(path),
        None => Token::default_path()?,
    };
    let (token, is_new) = Token::read_or_make(&token_file)?;
    let listen = args.listen;
    if !listen.ip().is_loopback() {
        context.complain(
            "warning: others on the network can reach this address, and nothing on it is encrypted",
        );
    }
    context.start_threads(0);
    let revealed = is_new.then(|| token.reveal().to_owned());
    let settings = Settings {
        listen,
        roots: args.root.iter().map(|path| directory.join(path)).collect(),
        repositories,
        hosts: args.allow_host.clone(),
        origins: args.allow_origin.clone(),
        token,
        is_logged: !context.is_quiet(),
    };
    let mut printed = Ok(());
    crate::http::run(settings, |address| {
        let mut text = String::new();
        if let Some(token) = revealed {
            text = format!("token {token}\n");
        }
        text.push_str(&format!("listening on http://{address}\n"));
        printed = context.print(&text);
        context.say(&format!("note: the token is in '{}'", token_file.display()));
    })
    .context("the server ended")?;
    printed?;
    Ok(Outcome::Found)
}

#[cfg(not(feature = "http"))]
pub(crate) fn run(_: &Context, _: &args::Serve) -> anyhow::Result<Outcome> {
    anyhow::bail!("this program was built without 'git cora serve': build it with the feature 'http'")
}
