//! Compiled formulas by their text, so that a formula is compiled once.

use std::collections::HashMap;
use std::rc::Rc;

use crate::compile::{Instruction, compile};
use crate::error::CalcError;
use crate::lexer::tokenize;
use crate::parser::Parser;
use crate::simplify::simplify;

/// A cache of programs; when it is full, all of it is dropped.
#[derive(Debug, Default)]
pub struct ProgramCache {
    programs: HashMap<String, Rc<[Instruction]>>,
}

/// Programs that are kept at most.
const MAX_PROGRAMS: usize = 256;

impl ProgramCache {
    /// Returns the program of a formula, compiled on first use.
    pub fn get(&mut self, text: &str) -> Result<Rc<[Instruction]>, CalcError> {
        if let Some(program) = self.programs.get(text) {
            return Ok(Rc::clone(program));
        }
        if self.programs.len() >= MAX_PROGRAMS {
            self.programs.clear();
        }
        let formula = Parser::new(&tokenize(text)?).parse_formula()?;
        let program: Rc<[Instruction]> = compile(&simplify(formula)).into();
        self.programs.insert(text.to_owned(), Rc::clone(&program));
        Ok(program)
    }
}
