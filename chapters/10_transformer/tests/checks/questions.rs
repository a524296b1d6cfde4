//! The answers of `questions.md`, computed.

use scoring_functions::Sequences;
use self_attention::MultiHead;
use shared::{Matrix, Module, Tape, rng};
use tests::questions::{answers, option};
use transformer::{BlockSizes, DecoderBlock, FeedForward, LayerNorm, Norm};

#[test]
fn answers_are_those_computed() {
    let mut part = FeedForward::new(3, 5, &mut rng(0));
    part.outer.weight.value_mut().fill(0.0);
    let tape = Tape::new();
    let x = tape.leaf(Matrix::from_column_slice(3, 1, &[1.0, -2.0, 0.5]));
    let dx = (x + part.forward(x)).sum().backward().wrt(x); // dy is 1 in every entry
    let arrives = option([0.0, 0.5, 1.0].map(|share| dx.iter().all(|dx| *dx == share)));

    let [before, after] = [[2.0, 2.0], [10.0, -10.0]].map(|[a, b]| {
        let x = Matrix::from_column_slice(2, 2, &[1.0, 3.0, a, b]);
        let z = LayerNorm::new(2).forward(Tape::no_grad().constant(x)).value();
        [z[0], z[1]].map(|z| (z * 100.0).round() / 100.0)
    });
    let stays = [before, after] == [[-1.0, 1.0]; 2];
    let moves = option([stays, after[1] < before[1], !stays && after[1] >= before[1]]);

    let sizes = BlockSizes { d_model: 8, d_ff: 8, heads: 1, dropout: 0.0, norm: Norm::Post };
    let tape = Tape::no_grad();
    let [token, source] = [1, 4].map(|n| tape.constant(tests::uneven(8, n, 0.0)));
    let (own, across) = (Sequences::single(1, 1), Sequences::between(&[0, 1], &[0, 4]));
    let block = DecoderBlock::new(&sizes, &mut rng(0));
    let (_, [_, read]) = block.forward(token, source, &own, &across);
    let seen = read.of(0, 0).iter().filter(|weight| **weight > 0.0).count();
    let seen = option([1, 4, 0].map(|n| n == seen));

    let network = FeedForward::new(512, 2048, &mut rng(0)).parameter_count() as f64;
    let attention = MultiHead::new(512, 8, &mut rng(0)).parameter_count() as f64;
    let times = (network / attention).round().to_string();
    let right = [("10a", arrives), ("10b", moves), ("10c", seen), ("10d", times)];
    answers(env!("CARGO_MANIFEST_DIR"), &right);
}
