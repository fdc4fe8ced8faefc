//! A lowest relevance: a number → the same number, if it is a probability.
//!
//! `xtask` compiles this file with the arguments, so it names nothing but the standard library.

/// Returns a relevance if it is one.
///
/// # Errors
/// With what is expected instead.
pub(crate) fn checked(value: f64) -> Result<f64, String> {
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("expected a number from 0 to 1".to_owned()) }
}
