//! Who sees whom: sequences and sights against their definitions, and attention over them against the
//! composed form, one query at a time.

use proptest::prelude::*;
use scoring_functions::flash::flash_attention;
use scoring_functions::fused::{attention_with_weights, scaled_dot_attention};
use scoring_functions::sequences::Pair;
use scoring_functions::{AttentionMask, Sequence, Sequences, attention};
use shared::{Matrix, Tape, Var, rng};
use tests::assert_close;

fn random(rows: usize, columns: usize, seed: u64) -> Matrix {
    use rand::RngExt;
    let mut rng = rng(seed);
    Matrix::from_fn(rows, columns, |_, _| rng.random_range(-2.0..2.0))
}

/// Queries, keys and values of two heads, and a gradient for the result.
fn inputs(n: usize, m: usize, seed: u64) -> [Matrix; 4] {
    [(6, n), (6, m), (4, m), (4, n)]
        .map(|(rows, columns)| random(rows, columns, seed + rows as u64 * 7 + columns as u64))
}

const HEADS: usize = 2;

/// Does the query at `position` (column `j`) see key `i` of `m`, by definition?
fn sees(mask: &AttentionMask, (j, position): (usize, usize), i: usize, m: usize) -> bool {
    match mask {
        AttentionMask::All => true,
        AttentionMask::Causal => i <= position,
        AttentionMask::Window { behind, ahead } => {
            let position = position.min(m - 1);
            position <= i + behind && i <= position + ahead
        }
        AttentionMask::Given(ranges) => ranges[j].contains(&i),
    }
}

/// Attention composed of tape operations: head by head, query by query, over the keys it sees.
fn naive<'t>([q, k, v]: [Var<'t>; 3], sequences: &Sequences) -> Var<'t> {
    let head = |h: usize| {
        let [q, k, v] = [q, k, v].map(|x| x.rows(h * x.shape().0 / HEADS, x.shape().0 / HEADS));
        let contexts = sequences.each().map(|(j, sequence)| {
            let (m, position) = (sequence.keys.len(), sequence.offset + j - sequence.queries.start);
            let seen = (0..m).filter(|i| sees(&sequences.mask, (j, position), *i, m));
            let keys: Vec<usize> = seen.map(|i| sequence.keys.start + i).collect();
            attention(q.columns(j, 1), k.select_columns(&keys), v.select_columns(&keys))
        });
        Var::side_by_side(&contexts.collect::<Vec<_>>())
    };
    (1..HEADS).fold(head(0), |o, h| o.stack(head(h)))
}

type Form = for<'t> fn([Var<'t>; 3], &Sequences) -> Var<'t>;

const FORMS: [Form; 2] = [
    |[q, k, v], sequences| scaled_dot_attention(q, k, v, HEADS, sequences),
    |[q, k, v], sequences| flash_attention(q, k, v, HEADS, sequences),
];

fn forward(form: Form, inputs: &[Matrix; 4], sequences: &Sequences) -> Matrix {
    let tape = Tape::no_grad();
    let qkv = [0, 1, 2].map(|i| tape.constant(inputs[i].clone()));
    Matrix::clone(&form(qkv, sequences).value())
}

/// The result, and the gradients of queries, keys and values.
fn forward_and_backward(form: Form, inputs: &[Matrix; 4], sequences: &Sequences) -> [Matrix; 4] {
    let tape = Tape::new();
    let [q, k, v] = [0, 1, 2].map(|i| tape.leaf(inputs[i].clone()));
    let o = form([q, k, v], sequences);
    let value = Matrix::clone(&o.value());
    let gradients = o.component_mul(tape.constant(inputs[3].clone())).sum().backward();
    [value, gradients.wrt(q), gradients.wrt(k), gradients.wrt(v)]
}

/// Sequences of `(queries, keys, offset)` each, side by side.
fn side_by_side(counts: &[(usize, usize, usize)]) -> Vec<Sequence> {
    let (mut n, mut m) = (0, 0);
    let mut sequences = Vec::new();
    for &(queries, keys, offset) in counts {
        sequences.push(Sequence { queries: n..n + queries, keys: m..m + keys, offset });
        (n, m) = (n + queries, m + keys);
    }
    sequences
}

/// Some range of its sequence's keys for every query.
fn ranges(sequences: &[Sequence], seed: u64) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    for sequence in sequences {
        let m = sequence.keys.len();
        for j in sequence.queries.clone() {
            let a = (seed >> (j % 8)) as usize % (m + 1);
            let b = (seed >> (j % 7 + 20)) as usize % (m + 1);
            ranges.push(a.min(b)..a.max(b));
        }
    }
    ranges
}

/// Ragged sequences, some without queries or keys, under any mask.
fn layouts() -> impl Strategy<Value = Sequences> {
    let counts = prop::collection::vec((0_usize..5, 0_usize..7, 0_usize..6), 1..5);
    (counts, 0_usize..4, 0_usize..4, 0_usize..4, any::<u64>()).prop_map(
        |(counts, kind, behind, ahead, seed)| {
            let sequences = side_by_side(&counts);
            let mask = match kind {
                0 => AttentionMask::All,
                1 => AttentionMask::Causal,
                2 => AttentionMask::Window { behind, ahead },
                _ => AttentionMask::Given(ranges(&sequences, seed)),
            };
            Sequences { sequences, mask }
        },
    )
}

fn sizes(sequences: &Sequences) -> (usize, usize) {
    (sequences.queries(), sequences.sequences.last().map_or(0, |sequence| sequence.keys.end))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_query_sees_what_the_definition_says(sequences in layouts()) {
        let mut pairs = Vec::new();
        for (j, sequence) in sequences.each() {
            let (m, position) = (sequence.keys.len(), sequence.offset + j - sequence.queries.start);
            let seen: Vec<usize> = (0..m).filter(|i| sees(&sequences.mask, (j, position), *i, m)).collect();
            let keys: Vec<usize> = sequences.visible(j).collect();
            prop_assert_eq!(&keys, &seen.iter().map(|i| sequence.keys.start + i).collect::<Vec<_>>());
            pairs.extend(seen.into_iter().zip(keys).map(|(position, key)| Pair { query: j, key, position }));
        }
        prop_assert_eq!(&sequences.pairs().collect::<Vec<_>>(), &pairs);
        let offsets = sequences.pair_offsets();
        prop_assert_eq!(offsets.len(), sequences.queries() + 1);
        prop_assert_eq!((offsets[sequences.queries()], sequences.pair_count()), (pairs.len(), pairs.len()));
        for (i, pair) in pairs.iter().enumerate() {
            prop_assert!((offsets[pair.query]..offsets[pair.query + 1]).contains(&i));
        }
    }

    #[test]
    fn three_forms_are_one_function(sequences in layouts(), seed in 0_u64..1000) {
        let (n, m) = sizes(&sequences);
        prop_assume!(n > 0);
        let inputs = inputs(n, m, seed);
        let expected = forward_and_backward(naive, &inputs, &sequences);
        for form in FORMS {
            let found = forward_and_backward(form, &inputs, &sequences);
            for (found, expected) in found.iter().zip(&expected) {
                assert_close!(found, expected, 1e-5);
            }
        }
    }

    /// What a query sees shares out one; what it does not see gets nothing; and these weights make
    /// the result.
    #[test]
    fn weights_are_handed_out_as_they_were_used(sequences in layouts(), seed in 0_u64..1000) {
        let (n, m) = sizes(&sequences);
        let inputs = inputs(n, m, seed);
        let tape = Tape::no_grad();
        let [q, k, v] = [0, 1, 2].map(|i| tape.constant(inputs[i].clone()));
        let (o, weights) = attention_with_weights(q, k, v, HEADS, &sequences);
        for (i, sequence) in sequences.sequences.iter().enumerate() {
            let Sequence { queries, keys, .. } = sequence;
            for head in 0..HEADS {
                let alpha = weights.of(i, head);
                prop_assert_eq!(alpha.shape(), (keys.len(), queries.len()));
                for (j, column) in queries.clone().zip(alpha.column_iter()) {
                    let seen = sequences.visible(j);
                    prop_assert!(keys.clone().zip(column.iter()).all(|(key, a)| seen.contains(&key) || *a == 0.0));
                    assert_close!(column.sum(), if seen.is_empty() { 0.0 } else { 1.0 }, 1e-6);
                }
                let v = inputs[2].view((2 * head, keys.start), (2, keys.len()));
                let o = o.value().view((2 * head, queries.start), (2, queries.len())).into_owned();
                assert_close!(v * alpha, o, 1e-5);
            }
        }
    }
}

/// Across several tiles, and past tiles that nobody sees.
#[test]
fn long_segments_are_seen_in_tiles() {
    let sequences = side_by_side(&[(150, 290, 140), (1, 300, 299), (280, 130, 0)]);
    let layout = |mask| Sequences { sequences: sequences.clone(), mask };
    let given = (0..431).map(|j| match j {
        7 => 0..0, // in the first tile of queries
        j if j < 150 => 129..200,
        150 => 299..300,
        j => (j % 50)..(j % 50) + j % 80,
    });
    let inputs = inputs(431, 720, 5);
    for mask in [
        AttentionMask::All,
        AttentionMask::Causal,
        AttentionMask::Window { behind: 3, ahead: 0 },
        AttentionMask::Window { behind: 70, ahead: 140 },
        AttentionMask::Given(given.collect()),
    ] {
        let layout = layout(mask);
        let expected = forward_and_backward(naive, &inputs, &layout);
        for form in FORMS {
            let found = forward_and_backward(form, &inputs, &layout);
            for (found, expected) in found.iter().zip(&expected) {
                assert_close!(found, expected, 1e-4, "{:?}", layout.mask);
            }
        }
    }
}

/// Hypotheses of a beam share the keys of their source, also while others belong to nobody.
#[test]
fn queries_may_share_their_keys() {
    let inputs = inputs(4, 9, 3);
    let beam = Sequences::per_query([5..9, 0..2, 5..9, 5..9]);
    let copies = Sequences::one_each(&[0, 4, 6, 10, 14]);
    let columns: Vec<usize> = beam.pairs().map(|pair| pair.key).collect();
    let copied = |x: &Matrix| x.select_columns(&columns);
    let apart = [inputs[0].clone(), copied(&inputs[1]), copied(&inputs[2]), Matrix::zeros(0, 0)];
    for form in FORMS {
        assert_eq!(forward(form, &inputs, &beam), forward(form, &apart, &copies));
    }
}

#[test]
#[should_panic(expected = "the keys of the sequences must follow one another")]
fn shared_keys_have_no_gradient() {
    forward_and_backward(FORMS[0], &inputs(2, 3, 0), &Sequences::per_query([0..3, 0..3]));
}

#[test]
#[should_panic(expected = "query 1 is to see the positions 2..5 of 4 keys")]
fn a_given_range_lies_in_its_segment() {
    let sequences = Sequences::single(2, 4).with(AttentionMask::Given(vec![0..4, 2..5]));
    forward(FORMS[0], &inputs(2, 4, 0), &sequences);
}

#[test]
#[should_panic(expected = "sequences with 2 queries in all, but there are 3")]
fn every_query_belongs_to_a_segment() {
    forward(FORMS[1], &inputs(3, 4, 0), &Sequences::single(2, 4));
}
