//! Relative positions against their definitions, pair by pair, and what they must not depend on.

use scoring_functions::fused::biased_attention;
use scoring_functions::{AttentionMask, Sequences};
use self_attention::MultiHead;
use self_attention::positions::shift;
use self_attention::relative::{Kind, Relative, slopes};
use shared::{Float, Matrix, Param, Tape, rng};
use tests::golden;
use tests::{assert_close, uneven};

const HEADS: usize = 2;
const KINDS: [Kind; 4] = [Kind::Shaw(2), Kind::Shaw(20), Kind::Rope, Kind::Alibi];

fn layer(kind: Kind) -> MultiHead {
    let mut layer = MultiHead::new(8, HEADS, &mut rng(1));
    layer.relative = Relative::new(kind, 4, &mut rng(2));
    layer
}

/// The score of a query at position i and a key at position j, as the papers write it.
fn score(relative: &Relative, head: usize, [q, k]: [&Matrix; 2], [i, j]: [usize; 2]) -> Float {
    let [i, j] = [i as isize, j as isize];
    let dot = |k: &Matrix| q.dot(k) / (q.nrows() as Float).sqrt();
    match relative {
        Relative::None => dot(k),
        // positions::shift moves a sinusoid on, (sin, cos) → …, which turns the other way round than (x, y)
        Relative::Rope => dot(&(shift(q.nrows(), i - j) * k)),
        Relative::Shaw(vectors) => {
            let c = vectors.value().ncols() as isize / 2;
            let a = vectors.value().column(((j - i).clamp(-c, c) + c) as usize).into_owned();
            dot(&(k + Matrix::from_column_slice(q.nrows(), 1, a.as_slice())))
        }
        Relative::Alibi => dot(k) - slopes(HEADS)[head] * i.abs_diff(j) as Float,
    }
}

#[test]
fn every_weight_is_the_softmax_of_the_papers_scores() {
    let cases = [
        Sequences::new(&[0, 3, 4, 9]),
        Sequences::new(&[0, 3, 4, 9]).with(AttentionMask::Causal),
        Sequences::between(&[0, 2, 9], &[0, 6, 9]),
        Sequences::continuing(&[0, 2, 3], &[0, 6, 9]).with(AttentionMask::Causal),
    ];
    for (kind, sequences) in KINDS.iter().flat_map(|kind| cases.iter().map(move |s| (kind, s))) {
        let layer = layer(*kind);
        let tape = Tape::no_grad();
        let [x, y] = [sequences.queries(), 9].map(|n| tape.constant(uneven(8, n, 0.7)));
        let [q, k] = [layer.w_q.forward(x).value(), layer.w_k.forward(y).value()];
        let (_, weights) = layer.forward_with_weights(x, y, sequences);
        for (s, sequence) in sequences.sequences.iter().enumerate() {
            for (head, n) in
                (0..HEADS).flat_map(|head| (0..sequence.queries.len()).map(move |n| (head, n)))
            {
                let part = |x: &Matrix, column| x.view((4 * head, column), (4, 1)).into_owned();
                let query = sequence.queries.start + n;
                let mut expected: Vec<Float> = vec![0.0; sequence.keys.len()];
                for j in sequences.mask.positions(sequence, query) {
                    let pair = [&part(&q, query), &part(&k, sequence.keys.start + j)];
                    expected[j] =
                        score(&layer.relative, head, pair, [sequence.offset + n, j]).exp();
                }
                let sum: Float = expected.iter().sum();
                expected.iter_mut().for_each(|e| *e /= sum);
                let found = weights.of(s, head).column(n).as_slice().to_vec();
                assert_close!(found, expected, 2e-6, "{kind:?}, {sequences:?}");
            }
        }
    }
}

#[test]
fn outputs_and_gradients_are_pytorchs() {
    let golden = golden::load("relative");
    let vectors = Relative::Shaw(Param::new(golden.matrix("vectors")));
    let kinds = [("shaw", vectors), ("rope", Relative::Rope), ("alibi", Relative::Alibi)];
    for ((name, relative), causal) in kinds.iter().flat_map(|kind| [(kind, true), (kind, false)]) {
        let case = format!("{name}_{}", if causal { "causal" } else { "across" });
        let of = |what: &str| golden.matrix::<Float>(&format!("{case}_{what}"));
        let tape = Tape::new();
        let names = if causal { ["q", "k", "v"] } else { ["q", "k_other", "v_other"] };
        let [q, k, v] = names.map(|name| tape.leaf(golden.matrix::<Float>(name)));
        let (n, m) = (q.shape().1, k.shape().1);
        let sequences = Sequences::single(n, m).with(if causal {
            AttentionMask::Causal
        } else {
            AttentionMask::All
        });
        let turned = [
            relative.rotated(q, HEADS, || (0..n).collect()),
            relative.rotated(k, HEADS, || (0..m).collect()),
            v,
        ];
        let bias = relative.bias(q, HEADS, m - 1);
        let (output, _) = biased_attention(turned, bias, HEADS, &sequences);
        assert_close!(output.value(), of("output"), 1e-6, "{case}");
        let d = tape.constant(golden.matrix("doutput"));
        let gradients = output.component_mul(d).sum().backward();
        for (leaf, name) in [q, k, v].into_iter().zip(["dq", "dk", "dv"]) {
            assert_close!(gradients.wrt(leaf), of(name), 2e-6, "{case}: {name}");
        }
        if let Relative::Shaw(vectors) = relative {
            assert_close!(gradients.of(vectors).unwrap(), of("dvectors"), 2e-6, "{case}");
        }
    }
}
