//! The parameters and results of messages ↔ JSON.

use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::failure::RequestError;

/// Reads the parameters of a request.
pub(super) fn params<T: DeserializeOwned>(params: Value) -> Result<T, RequestError> {
    serde_json::from_value(params)
        .map_err(|error| RequestError::params(format!("invalid parameters: {error}")))
}

/// Returns the result of a request as JSON.
pub(super) fn value(result: &impl Serialize) -> Result<Value, RequestError> {
    serde_json::to_value(result)
        .map_err(|error| RequestError::new(ErrorCode::InternalError, error.to_string()))
}
