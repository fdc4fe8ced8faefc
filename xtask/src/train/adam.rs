//! Adam (Kingma & Ba 2015), with the moments of weights of which some are only touched at times.

/// Moments of gradients.
pub(super) struct Moments {
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Moments {
    pub(super) fn new(n: usize) -> Self {
        Self { first: vec![0.0; n], second: vec![0.0; n] }
    }

    /// A step of Adam for some of the weights.
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
