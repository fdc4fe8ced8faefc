//! Why a request failed, as the client reads it.

use lsp_server::ErrorCode;

use git_cora::base::error::ErrorKind;

use crate::server::pool::Failure;

/// The error of a request.
#[derive(Debug)]
pub(super) struct RequestError {
    pub(super) code: ErrorCode,
    pub(super) message: String,
    /// Whether there is no repository to answer from. Most requests then have an empty answer.
    pub(super) is_no_repository: bool,
}

impl RequestError {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), is_no_repository: false }
    }

    /// Returns the error of a request that can't be answered now.
    pub(super) fn failed(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::RequestFailed, message)
    }

    /// Returns the error of a request whose parameters are wrong.
    pub(super) fn params(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidParams, message)
    }
}

impl<E: Into<Failure>> From<E> for RequestError {
    fn from(error: E) -> Self {
        let failure = error.into();
        let kind = failure.kind();
        let code = match kind {
            ErrorKind::Cancelled => ErrorCode::RequestCanceled,
            ErrorKind::Internal => ErrorCode::InternalError,
            _ => ErrorCode::RequestFailed,
        };
        let message = match failure.hint() {
            Some(hint) => format!("{}; hint: {hint}", failure.message()),
            None => failure.message(),
        };
        let is_no_repository = kind == ErrorKind::NotARepository;
        Self { code, message, is_no_repository }
    }
}
