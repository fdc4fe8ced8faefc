//! `git cora serve`: starts the HTTP server for programs, and the page for people.
//!
//! Turns arguments into the server's settings and prints addresses and secrets. Secrets never
//! appear in the arguments of another program.

use crate::terminal::Context;

use super::{Outcome, args};

#[cfg(feature = "http")]
pub(crate) fn run(context: &Context, args: &args::Serve) -> anyhow::Result<Outcome> {
    use crate::server::http::{Key, Settings, Token};

    let directory = context.directory();
    let (repositories, around) = match (args.repositories.as_slice(), args.root.as_slice()) {
        ([], []) => {
            let session = git_cora::Session::open(&directory)?;
            let top = session.repo().work_dir().unwrap_or(session.repo().git_dir()).to_owned();
            (vec![top.clone()], Some(top))
        }
        (named, _) => (named.iter().map(|path| directory.join(path)).collect(), None),
    };
    let token_file = match &args.token_file {
        Some(path) => directory.join(path),
        None => Token::default_path()?,
    };
    let (token, is_new) = Token::read_or_make(&token_file)?;
    let (key, key_text) = Key::make()?;
    let listen = args.listen;
    if !listen.ip().is_loopback() {
        context
            .complain("warning: other machines can reach this address, and the connection is not encrypted");
    }
    context.start_threads(0);
    let revealed = is_new.then(|| token.reveal().to_owned());
    let settings = Settings {
        listen,
        roots: args.root.iter().map(|path| directory.join(path)).collect(),
        repositories,
        around,
        hosts: args.allow_host.clone(),
        origins: args.allow_origin.clone(),
        token,
        key,
        is_logged: !context.is_quiet(),
    };
    let mut printed = Ok(());
    // Keeps the temporary file on the disk until the server ends.
    let mut opener = None;
    crate::server::http::run(settings, |address| {
        let mut text = String::new();
        if let Some(token) = revealed {
            text = format!("token {token}\n");
        }
        text.push_str(&format!("listening on http://{address}\n"));
        let page = page(address, &key_text);
        text.push_str(&format!("page {page}\n"));
        printed = context.print(&text);
        context.say(&format!("note: the token is in '{}'", token_file.display()));
        if args.open {
            match open(&token_file, &page) {
                Ok(file) => opener = Some(file),
                Err(error) => context.complain(&format!("warning: can't open the page: {error:#}")),
            }
        }
    })?;
    drop(opener);
    printed?;
    Ok(Outcome::Found)
}

/// Returns the address of the page for a browser on this machine. Browsers never send the part
/// behind `#`.
#[cfg(feature = "http")]
fn page(address: std::net::SocketAddr, key: &str) -> String {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}/#key={key}", SocketAddr::new(ip, address.port()))
}

/// Opens the page in the user's browser. The address with the key is in a file that only the user
/// can read, because every user of this machine can see the arguments of programs.
#[cfg(feature = "http")]
fn open(token_file: &std::path::Path, page: &str) -> anyhow::Result<tempfile::NamedTempFile> {
    use std::io::Write as _;
    let dir = token_file.parent().filter(|dir| !dir.as_os_str().is_empty());
    let dir = dir.unwrap_or_else(|| std::path::Path::new("."));
    let mut file = tempfile::Builder::new().prefix("open-").suffix(".html").tempfile_in(dir)?;
    // An address and hexadecimal digits contain no special characters of HTML.
    write!(
        file,
        "<!doctype html><meta charset=utf-8><title>git cora</title><meta name=referrer content=no-referrer>\
         <meta http-equiv=refresh content='0;url={page}'><p>The page is <a href='{page}'>git cora</a>.</p>"
    )?;
    file.flush()?;
    open::that_detached(file.path())?;
    Ok(file)
}

#[cfg(all(test, feature = "http"))]
mod tests {
    #[test]
    fn the_page_is_where_a_browser_here_finds_it() {
        for (address, page) in [
            ("127.0.0.1:80", "http://127.0.0.1:80/#key=k"),
            ("0.0.0.0:8417", "http://127.0.0.1:8417/#key=k"),
            ("[::]:8417", "http://[::1]:8417/#key=k"),
            ("192.0.2.1:1", "http://192.0.2.1:1/#key=k"),
        ] {
            assert_eq!(super::page(address.parse().unwrap(), "k"), page);
        }
    }
}

#[cfg(not(feature = "http"))]
pub(crate) fn run(_: &Context, _: &args::Serve) -> anyhow::Result<Outcome> {
    anyhow::bail!("this program was built without 'git cora serve'; build it with the feature 'http'")
}
