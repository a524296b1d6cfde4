//! Experts are attended to: a score of every token against every expert, weights, and a mean of what a few of them say.

use crate::gate::SwiGlu;
use shared::{Float, Linear, Matrix, Module, Rng, Var, Visitor};

/// A mixture of experts (Shazeer et al. 2017; Fedus et al. 2021) in place of one feed-forward network. A *router* scores
/// the token against each expert, a softmax makes weights of the scores, and the `kept` largest stay. Only these experts
/// are computed; the token gets the mean of what they say.
#[doc(alias = "MoE")]
#[derive(Debug)]
pub struct Experts {
    /// (E, d): a row for each expert, which is its key.
    pub router: Linear,
    /// The networks.
    pub experts: Vec<SwiGlu>,
    /// How many a token attends to.
    pub kept: usize,
    /// The weight of the balance term, as a share of the loss; 0: none.
    pub balance: Float,
}

impl Experts {
    // ANCHOR: experts
    /// `x` (d, n) → (d, n).
    pub fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        let (d, n) = x.shape();
        let p = self.router.forward(x).softmax(); // (E, n)
        let chosen = self.choose(&p.value()); //     a list of `kept` experts a token
        let (said, columns) = self.said(x, &chosen);
        let ones = x.tape().constant(Matrix::from_element(d, 1, 1.0));
        let weights: Vec<Var> = (0..self.kept).map(|i| weight(p, &chosen, i)).collect(); // (1, n) each
        let all = weights.iter().copied().reduce(|a, b| a + b).expect("an expert or more");
        let mut y = None;
        for (i, weight) in weights.into_iter().enumerate() {
            // A single expert keeps its probability as a factor: otherwise nothing would teach the router.
            let weight = if self.kept > 1 { weight.component_mul(all.recip()) } else { weight };
            let of_token: Vec<usize> = (0..n).map(|j| columns[j][i]).collect();
            let part = said.select_columns(&of_token).component_mul(ones * weight);
            y = Some(y.map_or(part, |y| y + part));
        }
        beside(y.expect("an expert or more"), balance(p, &chosen), self.balance)
    }
    // ANCHOR_END: experts

    /// The experts with the largest probabilities of each token, the first of equals first.
    pub fn choose(&self, p: &Matrix) -> Vec<Vec<usize>> {
        let of_token = |p: &[Float]| {
            let mut order: Vec<usize> = (0..p.len()).collect();
            order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
            order.truncate(self.kept);
            order
        };
        p.column_iter().map(|p| of_token(p.as_slice())).collect()
    }

    /// What the experts say, each of the tokens that chose it, side by side; and the column of each choice of each token.
    fn said<'t>(&self, x: Var<'t>, chosen: &[Vec<usize>]) -> (Var<'t>, Vec<Vec<usize>>) {
        let mut columns = vec![vec![0; self.kept]; chosen.len()];
        let (mut parts, mut count) = (Vec::new(), 0);
        for (e, expert) in self.experts.iter().enumerate() {
            let mut own = Vec::new();
            for (j, chosen) in chosen.iter().enumerate() {
                if let Some(i) = chosen.iter().position(|one| *one == e) {
                    columns[j][i] = count + own.len();
                    own.push(j);
                }
            }
            if !own.is_empty() {
                parts.push(expert.forward(x.select_columns(&own)));
                count += own.len();
            }
        }
        (Var::side_by_side(&parts), columns)
    }
}

/// The probability of the `i`-th choice of each token: `p` (E, n) → (1, n).
fn weight<'t>(p: Var<'t>, chosen: &[Vec<usize>], i: usize) -> Var<'t> {
    let (experts, n) = p.shape();
    let one = |e, j: usize| Float::from(u8::from(chosen[j][i] == e));
    p.component_mul(p.tape().constant(Matrix::from_fn(experts, n, one))).column_sums()
}

/// `n·E·Σ f_e P_e` (Fedus et al. 2021, equation 4), summed over the tokens: f_e is the share of choices that expert e
/// gets, P_e its mean probability. It is n when all get the same, and n·E when one gets everything. Only P_e has a
/// gradient.
fn balance<'t>(p: Var<'t>, chosen: &[Vec<usize>]) -> Var<'t> {
    let experts = p.shape().0;
    let mut f = Matrix::zeros(1, experts);
    chosen.iter().flatten().for_each(|e| f[*e] += 1.0);
    let scale = experts as Float / f.sum();
    (p.tape().constant(f * scale) * p).sum()
}

/// `y` as it is. On the way back `term` (1, 1) gets the gradient `weight`, as if `weight`·`term` stood in the loss.
fn beside<'t>(y: Var<'t>, term: Var<'t>, weight: Float) -> Var<'t> {
    if weight == 0.0 {
        return y;
    }
    y.tape().push([y, term], y.value(), move |dy, [y_id, term_id], gradients| {
        gradients.add(y_id, dy);
        gradients.add(term_id, Matrix::from_element(1, 1, weight));
    })
}

impl Experts {
    /// Random parameters: `count` experts of `d_ff` hidden units each.
    ///
    /// # Panics
    /// When more experts are kept than there are, or none.
    pub fn new(d_model: usize, d_ff: usize, count: usize, kept: usize, rng: &mut Rng) -> Experts {
        assert!((1..=count).contains(&kept), "{kept} of {count} experts kept");
        Experts {
            router: Linear::without_bias(d_model, count, rng),
            experts: (0..count).map(|_| SwiGlu::new(d_model, d_ff, rng)).collect(),
            kept,
            balance: 0.01,
        }
    }
}

impl Module for Experts {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("router", &mut self.router);
        visitor.module("experts", &mut self.experts);
    }
}
