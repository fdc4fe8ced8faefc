//! Evaluates the tree of a formula.

use crate::ast::{Formula, Operator};
use crate::builtins::call_builtin;
use crate::environment::Environment;
use crate::error::CalcError;

/// Evaluates a formula with the variables of an environment.
pub fn evaluate(formula: &Formula, environment: &Environment) -> Result<f64, CalcError> {
    match formula {
        Formula::Number(value) => Ok(*value),
        Formula::Variable(name) => {
            environment.lookup(name).ok_or_else(|| CalcError::UnknownName(name.clone()))
        }
        Formula::Negate(inner) => Ok(-evaluate(inner, environment)?),
        Formula::Binary(operator, left, right) => {
            apply(*operator, evaluate(left, environment)?, evaluate(right, environment)?)
        }
        Formula::Call(name, arguments) => {
            let values: Result<Vec<f64>, _> = arguments.iter().map(|one| evaluate(one, environment)).collect();
            call_builtin(name, &values?)
        }
    }
}

/// Applies an operator to two values.
pub fn apply(operator: Operator, left: f64, right: f64) -> Result<f64, CalcError> {
    match operator {
        Operator::Add => Ok(left + right),
        Operator::Subtract => Ok(left - right),
        Operator::Multiply => Ok(left * right),
        Operator::Divide if right == 0.0 => Err(CalcError::DivisionByZero),
        Operator::Divide => Ok(left / right),
        Operator::Power => Ok(left.powf(right)),
    }
}
