//! Where to look, predicted: local-p (Luong et al. 2015, §3.2).

use scoring_functions::Sequences;
use shared::{Float, Linear, Matrix, Module, Param, Var, Visitor};

/// Predicts where to look: `p_i = m·σ(v_pᵀ tanh(W_p s_i))` (Luong et al. 2015, equation 9).
#[derive(Debug)]
pub struct Position {
    /// `W_p` (H, H)
    pub w: Linear,
    /// `√H·v_p` (H, 1)
    pub v: Param,
}

impl Position {
    /// `s` (H, b) → (1, b): a position between 0 and the number m of each query's words.
    ///
    /// As `v` is learned √H times as large as `v_p`, a step of the optimiser that moves every entry
    /// of it alike moves the sum by √H, not by H: else p soon arrives at an end of the sentence,
    /// where σ is flat and p stays.
    // ANCHOR: position
    pub fn predict<'t>(&self, s: Var<'t>, sequences: &Sequences) -> Var<'t> {
        let words = sequences.each().map(|(_, sequence)| sequence.keys.len() as Float);
        let m = s.tape().constant(Matrix::from_iterator(1, sequences.queries(), words));
        let v = s.tape().param(&self.v) * (1.0 / (s.shape().0 as Float).sqrt());
        m.component_mul(v.tr_mul(self.w.forward(s).tanh()).sigmoid())
    }
    // ANCHOR_END: position
}

impl Module for Position {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("w", &mut self.w);
        visitor.param("v", &mut self.v);
    }
}
