//! What can be wrong with a formula.

use std::fmt;

use crate::span::Span;

/// An error, with the place in the formula.
#[derive(Debug, Clone, PartialEq)]
pub enum CalcError {
    UnexpectedCharacter(char, Span),
    UnexpectedToken(String, Span),
    UnknownName(String),
    WrongArity { name: String, expected: usize, found: usize },
    DivisionByZero,
    UnitMismatch(String, String),
}

impl fmt::Display for CalcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnexpectedCharacter(c, span) => write!(f, "unexpected character '{c}' at {}", span.start),
            Self::UnexpectedToken(token, span) => write!(f, "unexpected '{token}' at {}", span.start),
            Self::UnknownName(name) => write!(f, "'{name}' is neither a variable nor a constant"),
            Self::WrongArity { name, expected, found } => {
                write!(f, "function '{name}' takes {expected} arguments, but {found} were given")
            }
            Self::DivisionByZero => write!(f, "division by zero"),
            Self::UnitMismatch(a, b) => write!(f, "can't add '{a}' to '{b}'"),
        }
    }
}

impl std::error::Error for CalcError {}
