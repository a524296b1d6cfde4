//! Chapter 9 in f64: every layer's gradient against finite differences, in its parameters and in its
//! tokens, over ragged batches.

use gradients::check_parameters;
use scoring_functions::{AttentionMask, Sequences};
use self_attention::convolution::{ConvS2S, Sizes, windows};
use self_attention::positions::{Positions, token_positions};
use self_attention::relative::{Kind, Relative};
use self_attention::{HeadSizes, MultiHead, SelfAttention, plain};
use shared::{Matrix, Module, Ragged, Tape, Var, Visitor, check_gradients, rng};

/// Uneven numbers in −1 … 1.
fn uneven(rows: usize, columns: usize, phase: f64) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| (1.3 * i as f64 + 2.1 * j as f64 + phase).sin())
}

/// A number that depends on every entry, and on each differently.
fn loss<'t>(tape: &'t Tape, output: Var<'t>) -> Var<'t> {
    let (rows, columns) = output.shape();
    output.component_mul(tape.constant(uneven(rows, columns, 4.0))).sum()
}

/// Sequences of 3, 1 and 4 tokens.
const OFFSETS: [usize; 4] = [0, 3, 4, 8];

#[test]
fn one_head_with_and_without_parameters() {
    check_gradients(&[uneven(4, 5, 0.0)], 1e-8, |_, x| plain(x[0]));
    let layer = SelfAttention::new(4, 3, &mut rng(1));
    check_gradients(&[uneven(4, 5, 0.0)], 1e-8, |_, x| layer.forward(x[0]));
    check_gradients(&[uneven(4, 5, 0.0)], 1e-8, |_, x| layer.causal(x[0]));
    check_parameters(layer, |layer, tape| loss(tape, layer.forward(x(tape))), "all");
    let layer = SelfAttention::new(4, 3, &mut rng(1));
    check_parameters(layer, |layer, tape| loss(tape, layer.causal(x(tape))), "causal");
}

fn x(tape: &Tape) -> Var<'_> {
    tape.constant(uneven(4, 5, 0.0))
}

#[test]
fn several_heads_over_several_sequences() {
    let sequences = Sequences::new(&OFFSETS);
    for mask in
        [AttentionMask::All, AttentionMask::Causal, AttentionMask::Window { behind: 1, ahead: 0 }]
    {
        let sequences = sequences.clone().with(mask);
        let layer = MultiHead::new(6, 3, &mut rng(2));
        let tokens = [uneven(6, 8, 1.0)];
        check_gradients(&tokens, 1e-8, |_, x| layer.forward(x[0], x[0], &sequences));
        let what = format!("{:?}", sequences.mask);
        check_parameters(
            layer,
            |layer, tape| {
                let x = tape.constant(tokens[0].clone());
                loss(tape, layer.forward(x, x, &sequences))
            },
            &what,
        );
    }
}

/// Distances clipped and not; in the vectors, the weights and the tokens.
#[test]
fn relative_positions() {
    let within = Sequences::new(&OFFSETS).with(AttentionMask::Causal);
    let between = Sequences::between(&[0, 2, 3, 8], &[0, 3, 5, 8]);
    for kind in [Kind::Shaw(1), Kind::Shaw(5), Kind::Rope, Kind::Alibi] {
        for sequences in [&within, &between] {
            let mut layer = MultiHead::new(4, 2, &mut rng(2));
            layer.relative = Relative::new(kind, 2, &mut rng(4));
            let inputs = [uneven(4, 8, 1.0), uneven(4, 8, 2.0)];
            check_gradients(&inputs, 1e-8, |_, x| layer.forward(x[0], x[1], sequences));
            check_parameters(
                layer,
                |layer, tape| {
                    let [x, y] = [0, 1].map(|i| tape.constant(inputs[i].clone()));
                    loss(tape, layer.forward(x, y, sequences))
                },
                &format!("{kind:?}"),
            );
        }
    }
}

#[test]
fn heads_of_general_sizes() {
    let sequences = Sequences::between(&[0, 2, 3, 5, 6], &[0, 3, 7, 8, 10]);
    for groups in [1, 2, 4] {
        let sizes = HeadSizes { d_q: 5, d_k: 2, d_v: 3, d_o: 4, heads: 4, groups, p: 3, p_v: 1 };
        let inputs = [uneven(5, 6, 0.0), uneven(2, 10, 1.0), uneven(3, 10, 2.0)];
        let layer = MultiHead::with_sizes(&sizes, &mut rng(3));
        check_gradients(&inputs, 1e-8, |_, x| layer.attend([x[0], x[1], x[2]], &sequences).0);
        check_parameters(
            layer,
            |layer, tape| {
                let x = [0, 1, 2].map(|i| tape.constant(inputs[i].clone()));
                loss(tape, layer.attend(x, &sequences).0)
            },
            &format!("general sizes, {groups} groups"),
        );
    }
}

#[test]
fn the_convolutional_translator() {
    check_gradients(&[uneven(3, 8, 0.0)], 1e-8, |_, x| windows(x[0], &OFFSETS, 2, 1));
    let (source_words, target_words, d, k, longest) = (4, 5, 4, 3, 4);
    let (encoder, decoder, dropout) = (2, 2, 0.0);
    let sizes = Sizes { source_words, target_words, d, k, encoder, decoder, longest, dropout };
    let sources: [&[usize]; 2] = [&[1, 2, 0, 3], &[2, 3]];
    let targets: [&[usize]; 2] = [&[1, 4], &[1, 2, 0]];
    let [source, previous] = [Ragged::new(&sources), Ragged::new(&targets)];
    check_parameters(
        ConvS2S::new(&sizes, &mut rng(5)),
        |model, tape| loss(tape, model.decode(model.encode(tape, &source), &source, &previous).0),
        "ConvS2S",
    );
}

/// Learned positions under causal attention.
struct Placed {
    positions: Positions,
    layer: MultiHead,
}

impl Module for Placed {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("positions", &mut self.positions);
        visitor.module("layer", &mut self.layer);
    }
}

/// A position that several sequences have gathers the gradients of all of them.
#[test]
fn learned_positions() {
    let rng = &mut rng(4);
    let model = Placed {
        positions: Positions::learned(4, 4, rng), // as many as the longest sequence needs
        layer: MultiHead::new(4, 2, rng),
    };
    let sequences = Sequences::new(&OFFSETS).with(AttentionMask::Causal);
    check_parameters(
        model,
        |model, tape| {
            let x =
                model.positions.add(tape.constant(uneven(4, 8, 1.0)), &token_positions(&OFFSETS));
            loss(tape, model.layer.forward(x, x, &sequences))
        },
        "learned",
    );
    let sinusoids = Positions::sinusoids(4, 4);
    check_gradients(&[uneven(4, 8, 0.0)], 1e-8, |_, x| {
        sinusoids.add(x[0], &token_positions(&OFFSETS))
    });
}
