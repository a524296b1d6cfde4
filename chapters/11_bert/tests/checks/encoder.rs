//! The encoder: its parameters counted, and how they begin.

use crate::support::small;
use bert::{Bert, Config, Counts, Pretraining, Special, Tokens, count};
use shared::{Float, Module, Tape, rng};

const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

/// The number of parameters that `BertModel` has with these sizes, by a sum of its own: rows times
/// columns of what `tests/golden/bert.json` and the paper's checkpoints hold.
#[test]
fn base_has_109_482_240_parameters_and_large_335_141_888() {
    assert_eq!(
        count(&Config::BASE),
        Counts {
            embeddings: 23_835_648,   // (30522 + 512 + 2)·768
            attention: 28_348_416,    // 12 · 4·(768² + 768)
            feed_forward: 56_669_184, // 12 · (2·768·3072 + 3072 + 768)
            norms: 38_400,            // 25 · 2·768
            pooler: 590_592,          // 768² + 768
            masked: 622_650,          // 768² + 768 + 2·768 + 30522
            next: 1538,               // 2·768 + 2
        }
    );
    assert_eq!(count(&Config::BASE).encoder(), 109_482_240);
    assert_eq!(count(&Config::BASE).pretraining(), 110_106_428);
    assert_eq!(count(&Config::LARGE).encoder(), 335_141_888);
    // Heads divide the width: one of 1024 has as many parameters as sixteen of 64.
    assert_eq!(count(&Config { heads: 1, ..Config::LARGE }), count(&Config::LARGE));
}

#[test]
fn a_model_has_as_many_parameters_as_are_counted() {
    let one = Config { blocks: 1, heads: 1, width: 5, segments: 1, ..small() };
    for config in [small(), one] {
        let mut model = Pretraining::new(&config, &mut rng(0));
        assert_eq!(model.parameter_count() as u64, count(&config).pretraining(), "{config:?}");
        let encoder = model.bert.parameter_count() as u64;
        assert_eq!(encoder, count(&config).encoder(), "{config:?}");
    }
}

#[test]
#[should_panic = "position 11 of a sequence, but there are positions for 11"]
fn the_longest_sequence_is_read_and_a_longer_one_refused() {
    let bert = Bert::new(&small(), &mut rng(0));
    bert.forward(&Tape::new(), &Tokens::of(&[5; 9], None, &SPECIAL));
    bert.forward(&Tape::new(), &Tokens::of(&[5; 10], None, &SPECIAL));
}

/// Where keys begin as queries, in half of the heads, a token looks at the other tokens of its piece more
/// than at others, on average; in the other heads, and with the usual initialisation, it looks evenly.
#[test]
fn where_keys_begin_as_queries_tokens_look_at_equal_ones() {
    let sizes = Config { vocabulary: 40, width: 64, heads: 4, longest: 32, ..small() };
    let pieces = [7, 12, 30, 9, 21, 7, 33, 12, 16, 9, 30, 38];
    let tokens = Tokens::of(&pieces[..6], Some(&pieces[6..]), &SPECIAL);
    let read = &tokens.pieces.words;
    // For every head, how much more of a weight a like token gets than another.
    let preferred = |alike: Float| -> [Float; 4] {
        let mut bert = Bert::new(&Config { deviation: 0.07, ..sizes.clone() }, &mut rng(0));
        if alike > 0.0 {
            bert.begin_with_keys_as_queries(alike);
        }
        let (_, looked) = bert.forward(&Tape::no_grad(), &tokens);
        [0, 1, 2, 3].map(|head| {
            let weights = looked[0].of(0, head);
            let (mut like, mut other) = ((0.0, 0), (0.0, 0));
            for (i, j) in (0..read.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let sum = if read[i] == read[j] { &mut like } else { &mut other };
                *sum = (sum.0 + weights[(i, j)] + weights[(j, i)], sum.1 + 2);
            }
            (like.0 / like.1 as Float) / (other.0 / other.1 as Float)
        })
    };
    let (alike, drawn) = (preferred(4.0), preferred(0.0));
    assert!(alike[..2].iter().all(|times| *times > 8.0), "{alike:?}");
    let even = alike[2..].iter().chain(&drawn);
    assert!(even.clone().all(|times| (0.5..2.0).contains(times)), "{alike:?} {drawn:?}");
}

/// The page's 0.88 σ: of a normal distribution that is cut off at two deviations,
/// √(1 − 4 φ(2) / (2 Φ(2) − 1)) is left.
#[test]
fn all_weights_begin_as_wide_as_told_and_nothing_else_is_drawn() {
    const LEFT: f64 = 0.879_62;
    let config = Config { width: 64, feed_forward: 96, heads: 4, deviation: 0.03, ..small() };
    let mut model = Pretraining::new(&config, &mut rng(0));
    let (mut n, mut squares) = (0.0, 0.0);
    model.for_each_parameter(|name, param| match name {
        name if name.ends_with("weight") => {
            assert!(param.value().amax() <= 2.0 * 0.03, "{name}");
            squares += param.value().iter().map(|w| f64::from(*w).powi(2)).sum::<f64>();
            n += param.value().len() as f64;
        }
        name if name.ends_with("gain") => {
            assert!(param.value().iter().all(|x| *x == 1.0), "{name}")
        }
        name => assert!(param.value().iter().all(|x| *x == 0.0), "{name}"),
    });
    let found = (squares / n).sqrt() / 0.03;
    // Six deviations of an estimate from so many numbers.
    assert!((found - LEFT).abs() < 6.0 / (2.0 * n).sqrt(), "{found} from {n}");
}
