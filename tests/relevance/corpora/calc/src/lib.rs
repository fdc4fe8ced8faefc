//! A calculator for formulas with variables, units and functions.

pub mod ast;
pub mod builtins;
pub mod cache;
pub mod compile;
pub mod environment;
pub mod error;
pub mod eval;
pub mod format;
pub mod lexer;
pub mod parser;
pub mod simplify;
pub mod span;
pub mod units;
pub mod vm;

use environment::Environment;
use error::CalcError;

/// Parses and evaluates a formula.
pub fn calculate(text: &str, environment: &Environment) -> Result<f64, CalcError> {
    let tokens = lexer::tokenize(text)?;
    let formula = parser::Parser::new(&tokens).parse_formula()?;
    eval::evaluate(&formula, environment)
}
