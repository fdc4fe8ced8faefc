//! Simplifies formulas: constants are folded, neutral elements are dropped.

use crate::ast::{Formula, Operator};
use crate::eval::apply;

/// Returns a formula of the same value that is no larger.
pub fn simplify(formula: Formula) -> Formula {
    match formula {
        Formula::Negate(inner) => match simplify(*inner) {
            Formula::Number(value) => Formula::Number(-value),
            Formula::Negate(twice) => *twice,
            other => Formula::Negate(Box::new(other)),
        },
        Formula::Binary(operator, left, right) => fold(operator, simplify(*left), simplify(*right)),
        Formula::Call(name, arguments) => Formula::Call(name, arguments.into_iter().map(simplify).collect()),
        other => other,
    }
}

/// Folds two constants, and drops zeros from sums and ones from products.
fn fold(operator: Operator, left: Formula, right: Formula) -> Formula {
    match (operator, &left, &right) {
        (_, Formula::Number(a), Formula::Number(b)) => match apply(operator, *a, *b) {
            Ok(value) => Formula::Number(value),
            Err(_) => Formula::Binary(operator, Box::new(left), Box::new(right)),
        },
        (Operator::Add, Formula::Number(zero), _) if *zero == 0.0 => right,
        (Operator::Add | Operator::Subtract, _, Formula::Number(zero)) if *zero == 0.0 => left,
        (Operator::Multiply, Formula::Number(one), _) if *one == 1.0 => right,
        (Operator::Multiply | Operator::Divide, _, Formula::Number(one)) if *one == 1.0 => left,
        _ => Formula::Binary(operator, Box::new(left), Box::new(right)),
    }
}
