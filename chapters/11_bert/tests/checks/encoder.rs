//! The encoder: its parameters counted, and who sees whom in a batch.

use crate::support::{small, stirred, values};
use bert::program::{decay, training_memory};
use bert::{Bert, Config, Counts, Denominators, Examples, Pretraining, Special, Tokens, count};
use shared::{AdamW, Float, Matrix, Module, Optimizer, Tape, loss_and_gradients, rng};
use tests::assert_close;
use tests::memory::memory_of_more;

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
    let sizes = [
        small(),
        Config { blocks: 1, heads: 1, width: 5, ..small() },
        Config { blocks: 3, vocabulary: 4, longest: 3, segments: 1, feed_forward: 9, ..small() },
    ];
    for config in sizes {
        let mut model = Pretraining::new(&config, &mut rng(0));
        let counts = count(&config);
        assert_eq!(model.parameter_count() as u64, counts.pretraining(), "{config:?}");
        assert_eq!(model.masked.parameter_count() as u64, counts.masked, "{config:?}");
        assert_eq!(model.next.parameter_count() as u64, counts.next, "{config:?}");
        assert_eq!(model.bert.pooler.parameter_count() as u64, counts.pooler, "{config:?}");
        let names = values(&mut model.bert);
        let with = |part: &str| {
            let found = names.iter().filter(|(name, _)| name.contains(part));
            found.map(|(_, value)| value.len() as u64).sum::<u64>()
        };
        assert_eq!(with("norm."), counts.norms, "{config:?}");
        assert_eq!(with("attention."), counts.attention, "{config:?}");
        assert_eq!(with("feed_forward."), counts.feed_forward, "{config:?}");
    }
}

fn three() -> [Tokens; 3] {
    [
        Tokens::of(&[5, 9, 16], Some(&[7, 8]), &SPECIAL),
        Tokens::of(&[6], None, &SPECIAL),
        Tokens::of(&[12, 12, 5, 13], Some(&[10, 11, 14, 15]), &SPECIAL),
    ]
}

/// Last states, pooled vectors, logits of the pieces.
fn results(model: &Pretraining, tokens: &Tokens) -> [Matrix; 3] {
    let tape = Tape::new();
    let (h, _) = model.bert.forward(&tape, tokens);
    let all: Vec<usize> = (0..tokens.len()).collect();
    let (pooled, logits) = (model.bert.pooled(h, tokens), model.masked_logits(h, &all));
    [h, pooled, logits].map(|var| Matrix::clone(&var.value()))
}

/// Other neighbours of the same lengths change no bit. Alone, a sequence meets other tiles of the matrix
/// kernel, which round otherwise.
#[test]
fn a_sequence_does_not_see_its_neighbours() {
    let model = stirred(&small(), 1);
    let parts = three();
    let together = Tokens::side_by_side(&parts);
    let all = results(&model, &together);
    for i in 0..3 {
        let mut others = together.clone();
        let own = together.pieces.offsets[i]..together.pieces.offsets[i + 1];
        for column in (0..together.len()).filter(|column| !own.contains(column)) {
            others.pieces.words[column] = (others.pieces.words[column] + 5) % 17;
            others.segments[column] = 1 - others.segments[column];
        }
        let changed = results(&model, &others);
        let alone = results(&model, &parts[i]);
        for (which, own) in [own.clone(), i..i + 1, own].into_iter().enumerate() {
            let part = |matrix: &Matrix| matrix.columns_range(own.clone()).into_owned();
            assert_eq!(part(&all[which]), part(&changed[which]), "sequence {i}");
            assert_close!(part(&all[which]), &alone[which], 1e-6, "sequence {i}");
        }
        assert!((&all[1] - &changed[1]).amax() > 1e-2, "the neighbours of {i} did not change");
    }
}

#[test]
fn segments_and_places_matter() {
    let model = stirred(&small(), 2);
    let states = |tokens: &Tokens| results(&model, tokens)[0].clone();
    let pair = Tokens::of(&[5, 9], Some(&[7]), &SPECIAL);
    let one = Tokens { segments: vec![0; pair.len()], ..pair.clone() };
    assert!((states(&pair) - states(&one)).column(1).amax() > 1e-2, "segments have no influence");

    // Were positions nothing, exchanged pieces would only exchange their states.
    let [x, y] = [[5, 9], [9, 5]].map(|text| states(&Tokens::of(&text, None, &SPECIAL)));
    assert!((x.column(1) - y.column(2)).amax() > 1e-2, "positions have no influence");
    let mut without = stirred(&small(), 2);
    without.for_each_parameter(|name, param| {
        if name.contains("places") {
            param.value_mut().fill(0.5);
        }
    });
    let states = |tokens: &Tokens| results(&without, tokens)[0].clone();
    let [x, y] = [[5, 9], [9, 5]].map(|text| states(&Tokens::of(&text, None, &SPECIAL)));
    assert!((x.column(1) - y.column(2)).amax() < 1e-5);
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
        let (_, looked) = bert.forward(&Tape::without_gradients(), &tokens);
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

/// A step of one shard, with the model, its gradients and the optimiser's moments, whether parameters,
/// tokens or attention weights take most of it.
#[test]
fn a_step_takes_no_more_memory_than_is_estimated() {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for (blocks, width, sequences, length) in
        [(1, 256, 1, 8), (4, 32, 16, 32), (2, 64, 8, 64), (2, 8, 2, 512)]
    {
        let sizes = Config { vocabulary: 100, width, feed_forward: 4 * width, blocks, ..small() };
        let config = Config { heads: 4, longest: length, ..sizes };
        let sequence = Tokens::of(&vec![7; length - 3], Some(&[]), &SPECIAL);
        let examples = Examples {
            tokens: Tokens::side_by_side(&vec![sequence; sequences]),
            masked: (0..sequences).map(|i| i * length + 1).collect(),
            originals: vec![7; sequences],
            follows: vec![0; sequences],
        };
        let whole = Denominators { masked: sequences, pairs: sequences };
        let step = || {
            let mut model = Pretraining::new(&config, &mut rng(0));
            let (_, gradients) = loss_and_gradients(&[&examples], |tape, examples| {
                tape.begin_training(rng(0));
                model.loss(tape, examples, &whole)
            });
            AdamW::new(1e-3, decay).scaled_step(&mut model, &gradients, 1.0);
        };
        let taken = alone.install(|| memory_of_more(step));
        let estimated = training_memory(&config, sequences, length, 1).unwrap() as usize;
        let fits = taken < estimated && estimated < 3 * taken;
        assert!(fits, "{blocks} blocks, width {width}: {estimated} bytes estimated, {taken} taken");
    }
}
