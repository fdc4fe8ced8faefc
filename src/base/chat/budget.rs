//! Budgets: a model → the same model, which refuses calls once its budget is spent.
//!
//! A call reserves its estimated cost before it is sent, so that parallel calls can't exceed the
//! budget together.

use std::sync::{Mutex, MutexGuard};

use crate::base::progress::Cancel;
use crate::base::request;
use crate::base::threads::lock;

use super::{Error, LanguageModel, Prompt, Reply, ReplyUpdate, RequestBody, Result, Usage};

/// Minimum number of tokens that is worth an answer.
const LEAST_ROOM: u64 = 200;

/// A limit on cost; `None` means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// Maximum tokens, sent and received.
    pub tokens: Option<u64>,
    /// Maximum calls.
    pub calls: Option<u64>,
}

/// The cost so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Number of calls, including failed ones.
    pub calls: u64,
    /// Tokens sent and received.
    pub usage: Usage,
}

/// A model with a budget for all its calls, from any thread.
///
/// A call is refused if the prompt, by our estimate, leaves no room for an answer. The maximum
/// length of an answer is reduced to the remaining room. So the budget is as reliable as our
/// estimate, which is on the high side.
pub struct MeteredModel<M> {
    model: M,
    budget: Budget,
    /// The cost so far, and the tokens that running calls may still use.
    state: Mutex<(Cost, u64)>,
}

impl<M: LanguageModel> MeteredModel<M> {
    /// Wraps a model with a budget, of which `spent` is already used.
    pub fn new(model: M, budget: Budget, spent: Cost) -> Self {
        Self { model, budget, state: Mutex::new((spent, 0)) }
    }

    /// Returns the cost so far.
    pub fn spent(&self) -> Cost {
        self.state().0
    }

    /// Returns the wrapped model.
    pub fn model(&self) -> &M {
        &self.model
    }

    fn state(&self) -> MutexGuard<'_, (Cost, u64)> {
        lock(&self.state)
    }

    /// Reserves the cost of a call. Returns the maximum tokens of its answer and of the whole call.
    fn reserve(&self, prompt: &Prompt) -> Result<(u32, u64)> {
        let mut state = self.state();
        let (spent, reserved) = *state;
        if let Some(limit) = self.budget.calls.filter(|limit| spent.calls >= *limit) {
            return Err(Error::Budget { limit, unit: "calls" });
        }
        let estimate = prompt.estimate();
        let mut answer = u64::from(prompt.max_tokens);
        if let Some(limit) = self.budget.tokens {
            let gone = spent.usage.total().saturating_add(reserved).saturating_add(estimate);
            let room = limit.saturating_sub(gone);
            if room < answer.min(LEAST_ROOM) || gone > limit {
                return Err(Error::Budget { limit, unit: "tokens" });
            }
            answer = answer.min(room);
        }
        let tokens = estimate.saturating_add(answer);
        state.0.calls += 1;
        state.1 = state.1.saturating_add(tokens);
        Ok((u32::try_from(answer).unwrap_or(u32::MAX), tokens))
    }
}

impl<M: LanguageModel> LanguageModel for MeteredModel<M> {
    fn id(&self) -> String {
        self.model.id()
    }

    fn outgoing(&self, prompt: &Prompt) -> RequestBody {
        self.model.outgoing(prompt)
    }

    fn complete(
        &self,
        prompt: &Prompt,
        update: &mut dyn FnMut(ReplyUpdate<'_>),
        cancel: &Cancel,
    ) -> Result<Reply> {
        let (max_tokens, reserved) = self.reserve(prompt)?;
        let asked = self.model.complete(&Prompt { max_tokens, ..prompt.clone() }, update, cancel);
        let usage = match &asked {
            Ok(reply) => reply.usage,
            // The provider has already processed the prompt of a call that broke off.
            Err(
                Error::Empty { .. }
                | Error::Remote(
                    request::Error::TimedOut { .. }
                    | request::Error::Malformed { .. }
                    | request::Error::Cancelled,
                ),
            ) => Usage { input: prompt.estimate(), output: 0 },
            Err(_) => Usage::default(),
        };
        let mut state = self.state();
        state.1 = state.1.saturating_sub(reserved);
        state.0.usage.input = state.0.usage.input.saturating_add(usage.input);
        state.0.usage.output = state.0.usage.output.saturating_add(usage.output);
        drop(state);
        asked
    }
}
