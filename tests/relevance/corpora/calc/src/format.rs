//! Formulas and numbers as text.

use crate::ast::{Formula, Operator};

/// Renders a number without trailing zeros.
pub fn format_number(value: f64) -> String {
    let text = format!("{value:.10}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Renders a formula with all of its parentheses.
pub fn format_formula(formula: &Formula) -> String {
    match formula {
        Formula::Number(value) => format_number(*value),
        Formula::Variable(name) => name.clone(),
        Formula::Negate(inner) => format!("-{}", format_formula(inner)),
        Formula::Binary(operator, left, right) => {
            format!("({} {} {})", format_formula(left), sign(*operator), format_formula(right))
        }
        Formula::Call(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(format_formula).collect();
            format!("{name}({})", arguments.join(", "))
        }
    }
}

fn sign(operator: Operator) -> char {
    match operator {
        Operator::Add => '+',
        Operator::Subtract => '-',
        Operator::Multiply => '*',
        Operator::Divide => '/',
        Operator::Power => '^',
    }
}
