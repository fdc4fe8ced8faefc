//! The controller that needs no model: splits by rules, follows references once, and stops when nothing new comes.

use super::{Controller, Judgement, Result, State, Step, Watch, split};

/// Rules instead of a model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

impl Controller for Rules {
    fn decompose(&mut self, state: &mut State, _: &mut dyn Watch) -> Result<Vec<String>> {
        Ok(split(&state.question))
    }

    fn judge(&mut self, state: &mut State, new: usize, _: &mut dyn Watch) -> Result<Judgement> {
        let nothing = state.parts.iter().filter(|part| part.near.is_none() && part.found.is_empty());
        let gaps = nothing.map(|part| part.text.clone()).collect();
        // References lead back and forth: what the second round adds is far from what was asked.
        let expands = new > 0 && state.steps.is_empty();
        Ok(Judgement { step: Step { gaps, ..Step::default() }, questions: Vec::new(), expands })
    }
}
