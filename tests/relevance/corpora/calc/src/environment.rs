//! Variables and constants.

use std::collections::HashMap;

/// The names that a formula may use.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    variables: HashMap<String, f64>,
    parent: Option<Box<Environment>>,
}

impl Environment {
    /// An environment with pi, e and tau.
    pub fn with_constants() -> Self {
        let mut environment = Self::default();
        environment.set("pi", std::f64::consts::PI);
        environment.set("e", std::f64::consts::E);
        environment.set("tau", std::f64::consts::TAU);
        environment
    }

    pub fn set(&mut self, name: &str, value: f64) {
        self.variables.insert(name.to_owned(), value);
    }

    /// Looks a name up here, then in the enclosing environments.
    pub fn lookup(&self, name: &str) -> Option<f64> {
        self.variables.get(name).copied().or_else(|| self.parent.as_ref()?.lookup(name))
    }

    /// Opens an inner environment; its names hide those outside.
    pub fn child(&self) -> Self {
        Self { variables: HashMap::new(), parent: Some(Box::new(self.clone())) }
    }
}
