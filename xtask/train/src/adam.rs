//! The Adam optimiser (Kingma & Ba 2015) for sparse gradients.
//!
//! Rows of the weights are updated separately, since a batch touches only some of them. The moments
//! of an untouched row do not decay.

/// First and second moments of the gradients, one each per weight.
pub(super) struct Moments {
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Moments {
    pub(super) fn new(n: usize) -> Self {
        Self { first: vec![0.0; n], second: vec![0.0; n] }
    }

    /// Performs one step for the weights that begin at index `at`; `steps` counts from 1 and
    /// corrects the bias.
    pub(super) fn step(&mut self, at: usize, weights: &mut [f32], gradient: &[f32], rate: f32, steps: usize) {
        const BETA: [f32; 2] = [0.9, 0.98];
        let [c1, c2] = BETA.map(|beta| 1.0 - beta.powi(steps as i32));
        let moments = self.first[at..].iter_mut().zip(&mut self.second[at..]);
        for ((w, g), (m, v)) in weights.iter_mut().zip(gradient).zip(moments) {
            *m = BETA[0] * *m + (1.0 - BETA[0]) * g;
            *v = BETA[1] * *v + (1.0 - BETA[1]) * g * g;
            *w -= rate * (*m / c1) / ((*v / c2).sqrt() + 1e-8);
        }
    }
}
