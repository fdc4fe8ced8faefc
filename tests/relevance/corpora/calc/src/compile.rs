//! Formulas to instructions for the stack machine.

use crate::ast::{Formula, Operator};

/// One step of a program.
#[derive(Debug, Clone, PartialEq)]
pub enum Instruction {
    Push(f64),
    Load(String),
    Negate,
    Apply(Operator),
    Call(String, usize),
}

/// Compiles a formula, operands first.
pub fn compile(formula: &Formula) -> Vec<Instruction> {
    let mut program = Vec::new();
    emit(formula, &mut program);
    program
}

fn emit(formula: &Formula, program: &mut Vec<Instruction>) {
    match formula {
        Formula::Number(value) => program.push(Instruction::Push(*value)),
        Formula::Variable(name) => program.push(Instruction::Load(name.clone())),
        Formula::Negate(inner) => {
            emit(inner, program);
            program.push(Instruction::Negate);
        }
        Formula::Binary(operator, left, right) => {
            emit(left, program);
            emit(right, program);
            program.push(Instruction::Apply(*operator));
        }
        Formula::Call(name, arguments) => {
            arguments.iter().for_each(|one| emit(one, program));
            program.push(Instruction::Call(name.clone(), arguments.len()));
        }
    }
}
