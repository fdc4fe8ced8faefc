//! The token and the key.
//!
//! The token authorises every request. It is made once, stored in a file that only its owner can
//! read, and compared in constant time. The key opens the page once. It may be printed at every
//! start and remain in a browser's history, where the token must not appear.
#![allow(clippy::disallowed_methods, reason = "owns the file of the token, in the user's directory")]

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use subtle::ConstantTimeEq as _;

use git_cora::base::threads::lock;

use crate::command_error::CommandError;

/// Random bytes in a new token: 256 bits can't be guessed.
const BYTES: usize = 32;
/// Shortest accepted token in bytes; a shorter one could be guessed.
const MIN_LEN: usize = 16;
/// Longest accepted token in bytes; a longer file is something else.
const MAX_LEN: usize = 4096;

/// Time until an unused key expires.
const KEY_TIME: Duration = Duration::from_secs(3600);

/// A key that is exchanged for the token, once.
pub(crate) struct Key(Mutex<Option<(Token, Instant)>>);

impl Key {
    /// Makes a new key and returns it with its text.
    pub(crate) fn make() -> anyhow::Result<(Self, String)> {
        let key = random()?;
        let until = Instant::now() + KEY_TIME;
        Ok((Self(Mutex::new(Some((Token(key.clone()), until)))), key))
    }

    /// Whether this is the key; then it is used up.
    pub(super) fn take(&self, given: &str) -> bool {
        let mut key = lock(&self.0);
        let is_it = key.as_ref().is_some_and(|(key, until)| Instant::now() < *until && key.is(given));
        if is_it {
            *key = None;
        }
        is_it
    }
}

/// The secret that authorises a client.
pub(crate) struct Token(String);

impl Token {
    /// Reads the token in `path`, or makes one there. Also returns whether it is new.
    pub(crate) fn read_or_make(path: &Path) -> anyhow::Result<(Self, bool)> {
        match File::open(path) {
            Ok(file) => Ok((read(path, &file)?, false)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => match make(path)? {
                Some(token) => Ok((token, true)),
                // Another server made it in the meantime.
                None => Ok((read(path, &File::open(path)?)?, false)),
            },
            Err(error) => Err(error).with_context(|| format!("can't read the token in '{}'", path.display())),
        }
    }

    /// Returns the default path of the token, in the user's state directory.
    pub(crate) fn default_path() -> anyhow::Result<PathBuf> {
        let dir = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let state = dir("XDG_STATE_HOME")
            .or_else(|| {
                dir(if cfg!(windows) { "LOCALAPPDATA" } else { "HOME" })
                    .map(|home| if cfg!(windows) { home } else { home.join(".local").join("state") })
            })
            .ok_or_else(|| {
                CommandError::new(
                    "can't store the token: there is no home directory",
                    "use '--token-file FILE' to choose a file",
                )
            })?;
        Ok(state.join("git-cora").join("token"))
    }

    /// Whether this is the token. The time does not depend on where they differ.
    pub(super) fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }

    /// Returns the token itself, to be printed once.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

fn read(path: &Path, file: &File) -> anyhow::Result<Token> {
    let shown = path.display();
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;

        use git_cora::base::text::shell_word;

        let mode = file.metadata()?.mode();
        if mode & 0o077 != 0 {
            let message = format!("other users can read the token in '{shown}'");
            let hint = format!("run 'chmod 600 {}' to keep it private", shell_word(&path.to_string_lossy()));
            return Err(CommandError::new(message, hint).into());
        }
    }
    let mut text = String::new();
    file.take(MAX_LEN as u64 + 1)
        .read_to_string(&mut text)
        .with_context(|| format!("can't read the token in '{shown}'"))?;
    let token = text.trim();
    if !(MIN_LEN..=MAX_LEN).contains(&token.len()) || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        anyhow::bail!("'{shown}' has no token: expected {MIN_LEN} or more printable characters");
    }
    Ok(Token(token.to_owned()))
}

/// Returns [`BYTES`] random bytes as hexadecimal digits.
fn random() -> anyhow::Result<String> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| anyhow::anyhow!("can't get random numbers from the system: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Makes a token in a new file; `None` if the file exists by now.
fn make(path: &Path) -> anyhow::Result<Option<Token>> {
    let complaint = || format!("can't write the token to '{}'", path.display());
    let token = random()?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    let mut dirs = std::fs::DirBuilder::new();
    dirs.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        options.mode(0o600);
        dirs.mode(0o700);
    }
    if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
        dirs.create(dir).with_context(complaint)?;
    }
    let mut file = match options.open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Ok(None),
        Err(error) => return Err(error).with_context(complaint),
    };
    file.write_all(format!("{token}\n").as_bytes()).with_context(complaint)?;
    Ok(Some(Token(token)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_kept_private() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/er/token");
        let (made, is_new) = Token::read_or_make(&path).unwrap();
        assert!(is_new && made.reveal().len() == 2 * BYTES);
        let (again, is_new) = Token::read_or_make(&path).unwrap();
        assert!(!is_new && again.is(made.reveal()));
        for wrong in ["", "x", &made.reveal()[1..], &made.reveal().replace(['0', '1'], "z")] {
            assert!(!made.is(wrong), "{wrong}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
            assert!(Token::read_or_make(&path).is_err(), "others can read it");
        }
    }

    #[test]
    fn a_key_opens_once_and_for_a_while() {
        let (key, text) = Key::make().unwrap();
        for wrong in ["", "x", &text[1..], &format!("{text}0")] {
            assert!(!key.take(wrong), "{wrong}");
        }
        assert!(key.take(&text) && !key.take(&text));
        let old = Key(Mutex::new(Some((Token("k".repeat(64)), Instant::now()))));
        assert!(!old.take(&"k".repeat(64)));
        let young = Key(Mutex::new(Some((Token("k".repeat(64)), Instant::now() + KEY_TIME))));
        assert!(young.take(&"k".repeat(64)));
        let (key, _) = Key::make().unwrap();
        let until = key.0.lock().unwrap().as_ref().unwrap().1;
        let left = until.duration_since(Instant::now()).as_secs_f64();
        assert!((3590.0..=3600.0).contains(&left), "an hour: {left}");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_token_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        for text in ["", "short", "sixteen letters é and more", &"x".repeat(5000)] {
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
            assert!(Token::read_or_make(&path).is_err(), "{text}");
        }
        for (len, is_token) in [(15, false), (16, true), (4096, true), (4097, false), (9000, false)] {
            std::fs::write(&path, "x".repeat(len)).unwrap();
            assert_eq!(Token::read_or_make(&path).is_ok(), is_token, "{len} bytes");
        }
    }
}
