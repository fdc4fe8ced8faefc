//! PostgreSQL with pgvector: the indexes of more repositories than one machine can hold.
//!
//! Owns [`Store`], the connection, and the tables in the database (`schema.sql`).
//!
//! - Export: a commit's segment → rows. It writes only what differs, in batches that are each
//!   complete, so an interrupted export can continue.
//! - Search: query → candidate files. The database finds them by words and by vectors, and returns
//!   their records with the exact statistics of each repository. The caller ranks them with the
//!   same code as everywhere else.
//!
//! **Invariants.**
//!
//! - Every value is sent as a parameter or through `COPY`, never in the text of a statement.
//! - Passwords are not shown. A connection to another machine uses TLS, unless the address says
//!   `sslmode=disable`.
//! - The database is trusted no more than a Git remote: records are checked when they are opened,
//!   numbers before they are used.
//!
//! Must not: read Git, rank.
#![allow(clippy::disallowed_methods, reason = "reads the variables of PostgreSQL's own clients")]

mod stored;
pub use stored::{ExportOptions, answer_stored, export};

mod export;
mod search;

use std::time::Duration;

use postgres::config::{Host, SslMode};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::base::error::{ClassifiedError, ErrorKind};
use crate::index::embed;
use crate::index::record::{CONTENT_VERSION, FORMAT_VERSION};

pub use export::{Export, ExportFile, ExportReport, Source};
pub use search::{FoundFile, RepositoryCandidates};

/// Version of the tables.
const SCHEMA_VERSION: i32 = 1;

/// Timeout of connecting, unless the address sets one.
const CONNECT: Duration = Duration::from_secs(10);

/// The step of connecting that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectFailure {
    /// No server answers at this address.
    Unreachable,
    /// The connection can't be encrypted.
    Tls,
    /// The server rejects the user or the password, or a password is missing.
    Login,
    /// The server rejects the connection for another reason, such as an unknown database.
    Rejected,
}

impl ConnectFailure {
    /// Classifies an error of the client, which has no accessor for the step that failed.
    fn of(error: &postgres::Error) -> Self {
        let text = error.to_string();
        match error.code() {
            // Class 28: invalid authorization.
            Some(code) if code.code().starts_with("28") => Self::Login,
            Some(_) => Self::Rejected,
            None if text.contains("TLS") => Self::Tls,
            None if text.contains("configuration") || text.contains("authentication") => Self::Login,
            None => Self::Unreachable,
        }
    }
}

/// Reason why a database can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address is invalid.
    #[error("can't use the address of the database: {0}")]
    Address(String),
    /// The server can't be reached, or rejects the connection.
    #[error("can't connect to '{server}': {message}")]
    Connect {
        /// Host, port and database.
        server: String,
        /// The message of the server or the system.
        message: String,
        /// The step that failed.
        failure: ConnectFailure,
    },
    /// The server rejects a statement.
    #[error("the database can't {action}: {message}")]
    Database {
        /// The failed action, as the end of "can't …".
        action: &'static str,
        /// The server's message.
        message: String,
    },
    /// The extension for vectors is missing.
    #[error("the database has no extension 'vector': {0}")]
    NoVectors(String),
    /// The database has no tables of this program.
    #[error("nothing was exported to this database")]
    Empty,
    /// The database has no repository of that name.
    #[error("no repository '{name}' was exported to this database")]
    NoRepository {
        /// The name as the user wrote it.
        name: String,
        /// The names of the exported repositories.
        known: Vec<String>,
    },
    /// Another version of this program made the tables.
    #[error("the database was written by {0} version of git-cora")]
    Version(&'static str),
    /// Another process is exporting the same repository.
    #[error("another export of '{0}' is running")]
    Busy(String),
    /// A row is invalid.
    #[error("a row of '{table}' in the database is damaged: {why}")]
    Damaged {
        /// The table.
        table: &'static str,
        /// The fault of the row.
        why: String,
    },
    /// The source of an export can't be read.
    #[error("can't read the index to export: {0}")]
    Source(String),
    /// The user interrupted the work.
    #[error("interrupted")]
    Cancelled,
    /// The repository can't be read, or the candidates can't be ranked.
    #[error(transparent)]
    Search(#[from] crate::search::Error),
}

impl From<crate::search::query::Error> for Error {
    fn from(error: crate::search::query::Error) -> Self {
        Self::Search(error.into())
    }
}

impl From<crate::search::segment::Error> for Error {
    fn from(error: crate::search::segment::Error) -> Self {
        Self::Search(error.into())
    }
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Search(error) => error.kind(),
            Self::Address(_) => ErrorKind::Config,
            Self::Connect { .. } | Self::Database { .. } | Self::NoVectors(_) | Self::Busy(_) => {
                ErrorKind::Network
            }
            Self::Empty => ErrorKind::NotIndexed,
            Self::NoRepository { .. } => ErrorKind::NotFound,
            Self::Version(_) => ErrorKind::Unsupported,
            Self::Damaged { .. } | Self::Source(_) => ErrorKind::Corrupt,
            Self::Cancelled => ErrorKind::Cancelled,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Address(_) => "write it as postgres://USER@HOST/DATABASE".into(),
            Self::Connect { failure, .. } => match failure {
                ConnectFailure::Unreachable => {
                    "check the host and the port in the address, and that the server is running".into()
                }
                ConnectFailure::Tls => {
                    "give the server a certificate that this machine trusts, or end the address with \
                    '?sslmode=disable' to turn TLS off"
                        .into()
                }
                ConnectFailure::Login => {
                    "check the user in the address, and put the password into the address or PGPASSWORD"
                        .into()
                }
                ConnectFailure::Rejected => return None,
            },
            Self::NoVectors(_) => {
                "install pgvector, and have the database's owner run 'CREATE EXTENSION vector'".into()
            }
            Self::Empty => "run 'git cora export --to URL' in a repository".into(),
            Self::NoRepository { known, .. } => format!("use one of these names: {}", known.join(", ")),
            Self::Version("a newer") => "upgrade git-cora".into(),
            Self::Version(_) => "run 'DROP SCHEMA cora CASCADE' in the database, then export again".into(),
            Self::Damaged { .. } => {
                "run 'git cora export --fresh --to URL' to write the repository again".into()
            }
            _ => return None,
        })
    }
}

/// Result of this stage's operations.
pub type Result<T> = std::result::Result<T, Error>;

/// Turns a failure of the database at `action` into an [`Error`], for `map_err`.
fn failed(action: &'static str) -> impl FnOnce(postgres::Error) -> Error {
    move |error| Error::Database { action, message: message(&error) }
}

/// Returns the server's message, or the chain of causes if the failure is not the server's.
fn message(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => said.message().to_owned(),
        None => {
            let mut text = error.to_string();
            let mut cause = std::error::Error::source(error);
            while let Some(one) = cause {
                text = format!("{text}: {one}");
                cause = one.source();
            }
            text
        }
    }
}

/// A connection to a database.
pub struct Store {
    client: postgres::Client,
}

impl Store {
    /// Connects to the database at `url`:
    /// `postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE[?sslmode=…]`.
    ///
    /// A missing password comes from `PGPASSWORD`, a missing user from `PGUSER` or `USER`.
    ///
    /// # Errors
    /// [`Error::Address`], [`Error::Connect`].
    pub fn connect(url: &str) -> Result<Self> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(Error::Address("it does not begin with 'postgres://'".into()));
        }
        // The parser's own message may contain a part of the address, such as the password.
        let mut config: postgres::Config =
            url.parse().map_err(|_| Error::Address("it can't be parsed".into()))?;
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        if config.get_password().is_none()
            && let Some(password) = variable("PGPASSWORD")
        {
            config.password(password);
        }
        if config.get_user().is_none()
            && let Some(user) = variable("PGUSER").or_else(|| variable("USER"))
        {
            config.user(&user);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        config.application_name("git-cora");
        let is_here = config.get_hosts().iter().all(|host| match host {
            Host::Tcp(name) => {
                name == "localhost"
                    || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
            }
            #[cfg(unix)]
            Host::Unix(_) => true,
        });
        if !is_here && config.get_ssl_mode() == SslMode::Prefer {
            config.ssl_mode(SslMode::Require);
        }
        let server = shown(&config);
        let connect = |message: String, failure| Error::Connect { server: server.clone(), message, failure };
        let connected = if config.get_ssl_mode() == SslMode::Disable {
            config.connect(postgres::NoTls)
        } else {
            let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
            let tls = rustls::ClientConfig::builder_with_provider(provider)
                .with_safe_default_protocol_versions()
                .and_then(|builder| builder.with_platform_verifier())
                .map_err(|error| connect(error.to_string(), ConnectFailure::Tls))?;
            config.connect(MakeRustlsConnect::new(tls.with_no_client_auth()))
        };
        Ok(Self { client: connected.map_err(|error| connect(message(&error), ConnectFailure::of(&error)))? })
    }

    /// Creates the tables if they are missing.
    fn prepare(&mut self) -> Result<()> {
        if self.is_prepared()? {
            return Ok(());
        }
        // If two processes do this in parallel, the lock lets one of them create the tables.
        let made = self.client.batch_execute(concat!(
            "SELECT pg_advisory_xact_lock(hashtextextended('git-cora tables', 0));\n",
            include_str!("schema.sql")
        ));
        made.map_err(|error| match error.code() {
            Some(code)
                if *code == postgres::error::SqlState::UNDEFINED_FILE
                    || *code == postgres::error::SqlState::FEATURE_NOT_SUPPORTED
                    || *code == postgres::error::SqlState::INSUFFICIENT_PRIVILEGE
                        && message(&error).contains("extension") =>
            {
                Error::NoVectors(message(&error))
            }
            _ => failed("create the tables")(error),
        })?;
        self.client
            .execute(
                "INSERT INTO cora.meta (schema_version, content, model) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                &[&SCHEMA_VERSION, &content(), &embed::builtin().name()],
            )
            .map_err(failed("create the tables"))?;
        self.is_prepared().map(drop)
    }

    /// Reports whether the tables exist.
    ///
    /// # Errors
    /// [`Error::Version`] if another version made them.
    fn is_prepared(&mut self) -> Result<bool> {
        let there = self
            .client
            .query_one("SELECT to_regclass('cora.meta') IS NOT NULL", &[])
            .map_err(failed("be read"))?;
        if !there.try_get::<_, bool>(0).map_err(failed("be read"))? {
            return Ok(false);
        }
        let rows = self
            .client
            .query("SELECT schema_version, content, model FROM cora.meta", &[])
            .map_err(failed("be read"))?;
        let Some(row) = rows.first() else { return Ok(false) };
        let version: i32 = row.try_get(0).map_err(failed("be read"))?;
        let made_with: String = row.try_get(1).map_err(failed("be read"))?;
        let model: String = row.try_get(2).map_err(failed("be read"))?;
        if version > SCHEMA_VERSION {
            return Err(Error::Version("a newer"));
        }
        if version < SCHEMA_VERSION || made_with != content() || model != embed::builtin().name() {
            return Err(Error::Version("another"));
        }
        Ok(true)
    }
}

/// Returns the versions that determine a record's content, in words.
fn content() -> String {
    format!(
        "format {FORMAT_VERSION}, content {CONTENT_VERSION}, segment {}",
        crate::search::segment::SEGMENT_VERSION
    )
}

/// Returns host, port and database for messages, without user and password.
fn shown(config: &postgres::Config) -> String {
    let host = match config.get_hosts().first() {
        // A password with an `@` that is not escaped looks like the beginning of the host.
        Some(Host::Tcp(name)) => name.rsplit('@').next().unwrap_or_default().to_owned(),
        #[cfg(unix)]
        Some(Host::Unix(path)) => path.display().to_string(),
        None => "localhost".to_owned(),
    };
    let port = config.get_ports().first().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{host}{port}/{}", config.get_dbname().unwrap_or_default())
}

/// Formats a vector as text for pgvector.
fn vector_text(vector: &embed::Vector) -> String {
    let parts: Vec<String> = vector.0.iter().map(ToString::to_string).collect();
    format!("[{}]", parts.join(","))
}

/// Quotes a lexeme for `tsvector` and `tsquery`.
fn lexeme(term: &str) -> String {
    format!("'{}'", term.replace('\\', "\\\\").replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked_and_passwords_not_shown() {
        for url in ["mysql://a", "postgres:x", "postgres://h:port:9/x?sslmode=perhaps&password=geheim"] {
            let Err(error) = Store::connect(url) else { panic!("{url}") };
            assert!(matches!(error, Error::Address(_)), "{url}: {error}");
            assert!(!error.to_string().contains("geheim"));
        }
        for url in ["postgres://me:geheim@127.0.0.1:1/db", "postgres://me:ganz@geheim@127.0.0.1:1/db"] {
            let error = Store::connect(url).err().unwrap().to_string();
            assert!(error.contains("127.0.0.1:1/db") && !error.contains("geheim"), "{error}");
        }
    }

    #[test]
    fn lexemes_are_quoted() {
        assert_eq!(lexeme("it's a \\"), "'it''s a \\\\'");
    }

    #[test]
    fn a_refused_connection_is_no_question_of_passwords() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let error = Store::connect(&format!("postgres://me@127.0.0.1:{port}/code")).err().unwrap();
        assert!(matches!(error, Error::Connect { failure: ConnectFailure::Unreachable, .. }), "{error:?}");
        let hint = error.hint().unwrap();
        assert!(hint.contains("port") && !hint.contains("PGPASSWORD"), "{hint}");
    }
}
