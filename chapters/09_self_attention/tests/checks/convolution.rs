//! The convolutional translator: against PyTorch, and what a word can depend on.

use self_attention::convolution::{ConvS2S, GatedConvolution, Sizes, receptive_field};
use shared::{Float, Module, Ragged, Tape, rng};
use tests::{assert_close, golden, uneven};

fn sizes(encoder: usize, decoder: usize) -> Sizes {
    let (source_words, target_words) = (7, 7);
    Sizes { source_words, target_words, d: 4, k: 3, encoder, decoder, longest: 6, dropout: 0.0 }
}

fn pairs() -> [Ragged; 2] {
    let sources: [&[usize]; 2] = [&[3, 4, 6, 2], &[5, 2]];
    let targets: [&[usize]; 2] = [&[1, 3, 5], &[1, 6, 4, 3, 5]];
    [Ragged::new(&sources), Ragged::new(&targets)]
}

#[test]
fn logits_weights_and_gradients_are_pytorchs() {
    let golden = golden::load("conv_s2s");
    let mut names = vec!["source".to_owned(), "source_positions".to_owned()];
    names.extend(["target", "target_positions"].map(str::to_owned));
    names.extend((0..2).flat_map(|l| ["w", "b"].map(|part| format!("encoder_{l}_{part}"))));
    names.extend((0..2).flat_map(|l| {
        let parts = [("decoder", "w"), ("decoder", "b"), ("query", "w"), ("query", "b")];
        parts.map(|(layer, part)| format!("{layer}_{l}_{part}"))
    }));
    names.extend(["output_w", "output_b"].map(str::to_owned));
    let of = |name: &str| {
        let matrix = golden.matrix::<Float>(name);
        if name.ends_with("_w") { matrix.transpose() } else { matrix }
    };
    let mut model = ConvS2S::new(&sizes(2, 2), &mut rng(0));
    let mut next = names.iter();
    model.for_each_parameter(|_, param| *param.value_mut() = of(next.next().expect("a name")));
    assert_eq!(next.next(), None);

    let (tape, [source, previous]) = (Tape::new(), pairs());
    let (logits, looked) = model.decode(model.encode(&tape, &source), &source, &previous);
    assert_close!(logits.value(), golden.matrix::<Float>("logits"), 2e-6);
    for sentence in [0, 1] {
        let expected = golden.matrix::<Float>(&format!("weights_{sentence}"));
        assert_close!(looked[1].of(sentence, 0), expected, 1e-6);
    }
    let gradients =
        logits.component_mul(tape.constant(golden.matrix::<Float>("dlogits"))).sum().backward();
    let mut next = names.iter();
    model.for_each_parameter(|path, param| {
        let name = format!("d{}", next.next().expect("a name"));
        let found = gradients.of(param).unwrap_or_else(|| panic!("no gradient: {path}"));
        assert_close!(found, of(&name), 1e-5, "{path}");
    });
}

/// The columns of tokens on which the output at `asked` depends: those with a gradient that is not exactly zero.
fn seen(layers: &[GatedConvolution], offsets: &[usize], asked: usize) -> Vec<usize> {
    let (n, tape) = (offsets[offsets.len() - 1], Tape::new());
    let x = tape.leaf(uneven(4, n, 0.5));
    let y = layers.iter().fold(x, |x, layer| x + layer.forward(x, offsets));
    let dx = y.columns(asked, 1).sum().backward().wrt(x);
    (0..n).filter(|j| dx.column(*j).iter().any(|d| *d != 0.0)).collect()
}

/// L layers over k tokens reach (k − 1)·L tokens further; causal ones backwards alone; none beyond its sentence.
#[test]
fn the_receptive_field_is_the_derived_one() {
    let rng = &mut rng(2);
    for (layers, k) in [(1, 3), (2, 3), (5, 3), (2, 5), (3, 1)] {
        let stack = |before: usize, after: usize, rng: &mut shared::Rng| -> Vec<_> {
            (0..layers).map(|_| GatedConvolution::new(4, before, after, 0.0, rng)).collect()
        };
        let (both, causal) = (stack(k / 2, k / 2, rng), stack(k - 1, 0, rng));
        let (field, side) = (receptive_field(layers, k), layers * (k / 2));
        let offsets = [0, 3, 33, 40];
        assert_eq!(seen(&both, &offsets, 18), Vec::from_iter(18 - side..=18 + side));
        assert_eq!(2 * side + 1, field);
        assert_eq!(seen(&causal, &offsets, 18), Vec::from_iter(19 - field..=18));
        assert_eq!(seen(&both, &offsets, 3), Vec::from_iter(3..=3 + side));
        assert_eq!(seen(&causal, &offsets, 33), [33]);
    }
}
