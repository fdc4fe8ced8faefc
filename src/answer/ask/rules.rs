//! A controller without a model: splits by rules, follows references once, and stops when nothing
//! new is found.

use super::{Controller, Judgement, Result, State, Step, Watch, split};

/// A controller that follows fixed rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

impl Controller for Rules {
    fn decompose(&mut self, state: &mut State, _: &mut dyn Watch) -> Result<Vec<String>> {
        Ok(split(&state.question))
    }

    fn judge(&mut self, state: &mut State, new: usize, _: &mut dyn Watch) -> Result<Judgement> {
        let nothing = state.parts.iter().filter(|part| part.near.is_none() && part.found.is_empty());
        let gaps = nothing.map(|part| part.text.clone()).collect();
        // Only once: references lead back and forth, and a second round is far from the question.
        let expands = new > 0 && state.steps.is_empty();
        Ok(Judgement { step: Step { gaps, ..Step::default() }, questions: Vec::new(), expands })
    }
}
