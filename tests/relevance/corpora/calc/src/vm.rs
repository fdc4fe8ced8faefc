//! A stack machine that runs compiled formulas.

use crate::builtins::call_builtin;
use crate::compile::Instruction;
use crate::environment::Environment;
use crate::error::CalcError;
use crate::eval::apply;

/// The machine: a stack of values.
#[derive(Debug, Default)]
pub struct Machine {
    stack: Vec<f64>,
}

impl Machine {
    /// Runs a program and returns the value that is left on the stack.
    pub fn run(&mut self, program: &[Instruction], environment: &Environment) -> Result<f64, CalcError> {
        self.stack.clear();
        for instruction in program {
            self.step(instruction, environment)?;
        }
        Ok(self.pop())
    }

    fn step(&mut self, instruction: &Instruction, environment: &Environment) -> Result<(), CalcError> {
        let value = match instruction {
            Instruction::Push(value) => *value,
            Instruction::Load(name) => {
                environment.lookup(name).ok_or_else(|| CalcError::UnknownName(name.clone()))?
            }
            Instruction::Negate => -self.pop(),
            Instruction::Apply(operator) => {
                let right = self.pop();
                let left = self.pop();
                apply(*operator, left, right)?
            }
            Instruction::Call(name, n) => {
                let from = self.stack.len().saturating_sub(*n);
                let arguments = self.stack.split_off(from);
                call_builtin(name, &arguments)?
            }
        };
        self.stack.push(value);
        Ok(())
    }

    fn pop(&mut self) -> f64 {
        self.stack.pop().unwrap_or(f64::NAN)
    }
}
