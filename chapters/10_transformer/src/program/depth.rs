//! How much of a gradient arrives below twelve fresh blocks, by what stands around their parts.

use crate::{BlockSizes, EncoderBlock, LayerNorm, Norm};
use rand_distr::{Distribution, StandardNormal};
use scoring_functions::Segments;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Rng, Tape, Var, rng};
use workbench::study::Spread;

pub const BLOCKS: usize = 12;
const WIDTH: usize = 128;
const TOKENS: usize = 16;
const SEEDS: u64 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Around {
    /// `f(x)`.
    Nothing,
    /// `x + f(x)`.
    Sum,
    /// `norm(x + f(x))`.
    Post,
    /// `x + f(norm(x))`.
    Pre,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Depth {
    pub around: Around,
    /// Below so many blocks: the norm of the gradient there, divided by the norm of the gradient that
    /// came in at the top. The first is 1.
    pub gradients: Vec<Spread>,
}

pub fn depth() -> Vec<Depth> {
    let ways = [Around::Nothing, Around::Sum, Around::Post, Around::Pre];
    let of = |around: Around| {
        let stacks: Vec<Vec<f64>> = (0..SEEDS).map(|seed| gradients(around, seed)).collect();
        let below = |blocks: usize| Spread::of(stacks.iter().map(|stack| stack[blocks]));
        Depth { around, gradients: (0..=BLOCKS).map(below).collect() }
    };
    ways.map(of).to_vec()
}

fn gradients(around: Around, seed: u64) -> Vec<f64> {
    let rng = &mut rng(seed);
    let sizes =
        BlockSizes { d_model: WIDTH, d_ff: 2 * WIDTH, heads: 4, dropout: 0.0, norm: Norm::Post };
    let blocks: Vec<_> = (0..BLOCKS).map(|_| EncoderBlock::new(&sizes, rng)).collect();
    let (sentence, arriving) = (normal(rng), normal(rng));
    let tape = Tape::without_gradients();
    let mut inputs = vec![sentence];
    for block in &blocks {
        let x = tape.constant(inputs[inputs.len() - 1].clone());
        inputs.push(Matrix::clone(&through(block, around, x).value()));
    }
    let below = |first: usize| {
        let tape = Tape::new();
        let x = tape.leaf(inputs[first].clone());
        let top = blocks[first..].iter().fold(x, |x, block| through(block, around, x));
        let loss = top.component_mul(tape.constant(arriving.clone())).sum();
        f64::from(loss.backward().wrt(x).norm() / arriving.norm())
    };
    (0..=BLOCKS).rev().map(below).collect()
}

fn through<'t>(block: &EncoderBlock, around: Around, x: Var<'t>) -> Var<'t> {
    let segments = Segments::single(TOKENS, TOKENS);
    let attention = |x: Var<'t>| block.attention.forward(x, x, &segments);
    let x = step(&block.around_attention.norm, around, x, attention);
    step(&block.around_feed_forward.norm, around, x, |x| block.feed_forward.forward(x))
}

fn step<'t>(
    norm: &LayerNorm,
    around: Around,
    x: Var<'t>,
    part: impl Fn(Var<'t>) -> Var<'t>,
) -> Var<'t> {
    match around {
        Around::Nothing => part(x),
        Around::Sum => x + part(x),
        Around::Post => norm.forward(x + part(x)),
        Around::Pre => x + part(norm.forward(x)),
    }
}

fn normal(rng: &mut Rng) -> Matrix {
    Matrix::from_fn(WIDTH, TOKENS, |_, _| {
        let z: f64 = StandardNormal.sample(rng);
        z as Float
    })
}
