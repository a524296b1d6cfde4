//! Who sees whom: segments and sights against their definitions, and attention over them against the
//! composed form, one query at a time.

use proptest::prelude::*;
use scoring_functions::flash::flash_attention;
use scoring_functions::fused::{attention_with_weights, scaled_dot_attention};
use scoring_functions::segments::Pair;
use scoring_functions::{Segment, Segments, Sight, attention};
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
fn sees(sight: &Sight, (j, position): (usize, usize), i: usize, m: usize) -> bool {
    match sight {
        Sight::All => true,
        Sight::Causal => i <= position,
        Sight::Window { behind, ahead } => {
            let position = position.min(m - 1);
            position <= i + behind && i <= position + ahead
        }
        Sight::Given(ranges) => ranges[j].contains(&i),
    }
}

/// Attention composed of tape operations: head by head, query by query, over the keys it sees.
fn naive<'t>([q, k, v]: [Var<'t>; 3], segments: &Segments) -> Var<'t> {
    let head = |h: usize| {
        let [q, k, v] = [q, k, v].map(|x| x.rows(h * x.shape().0 / HEADS, x.shape().0 / HEADS));
        let contexts = segments.each().map(|(j, segment)| {
            let (m, position) = (segment.keys.len(), segment.offset + j - segment.queries.start);
            let seen = (0..m).filter(|i| sees(&segments.sight, (j, position), *i, m));
            let keys: Vec<usize> = seen.map(|i| segment.keys.start + i).collect();
            attention(q.columns(j, 1), k.select_columns(&keys), v.select_columns(&keys))
        });
        Var::side_by_side(&contexts.collect::<Vec<_>>())
    };
    (1..HEADS).fold(head(0), |o, h| o.stack(head(h)))
}

type Form = for<'t> fn([Var<'t>; 3], &Segments) -> Var<'t>;

const FORMS: [Form; 2] = [
    |[q, k, v], segments| scaled_dot_attention(q, k, v, HEADS, segments),
    |[q, k, v], segments| flash_attention(q, k, v, HEADS, segments),
];

fn forward(form: Form, inputs: &[Matrix; 4], segments: &Segments) -> Matrix {
    let tape = Tape::without_gradients();
    let qkv = [0, 1, 2].map(|i| tape.constant(inputs[i].clone()));
    Matrix::clone(&form(qkv, segments).value())
}

/// The result, and the gradients of queries, keys and values.
fn forward_and_backward(form: Form, inputs: &[Matrix; 4], segments: &Segments) -> [Matrix; 4] {
    let tape = Tape::new();
    let [q, k, v] = [0, 1, 2].map(|i| tape.leaf(inputs[i].clone()));
    let o = form([q, k, v], segments);
    let value = Matrix::clone(&o.value());
    let gradients = o.component_mul(tape.constant(inputs[3].clone())).sum().backward();
    [value, gradients.wrt(q), gradients.wrt(k), gradients.wrt(v)]
}

/// Segments of `(queries, keys, offset)` each, side by side.
fn side_by_side(counts: &[(usize, usize, usize)]) -> Vec<Segment> {
    let (mut n, mut m) = (0, 0);
    let mut segments = Vec::new();
    for &(queries, keys, offset) in counts {
        segments.push(Segment { queries: n..n + queries, keys: m..m + keys, offset });
        (n, m) = (n + queries, m + keys);
    }
    segments
}

/// Some range of its segment's keys for every query.
fn ranges(segments: &[Segment], seed: u64) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    for segment in segments {
        let m = segment.keys.len();
        for j in segment.queries.clone() {
            let a = (seed >> (j % 8)) as usize % (m + 1);
            let b = (seed >> (j % 7 + 20)) as usize % (m + 1);
            ranges.push(a.min(b)..a.max(b));
        }
    }
    ranges
}

/// Ragged segments, some without queries or keys, under any sight.
fn layouts() -> impl Strategy<Value = Segments> {
    let counts = prop::collection::vec((0_usize..5, 0_usize..7, 0_usize..6), 1..5);
    (counts, 0_usize..4, 0_usize..4, 0_usize..4, any::<u64>()).prop_map(
        |(counts, kind, behind, ahead, seed)| {
            let segments = side_by_side(&counts);
            let sight = match kind {
                0 => Sight::All,
                1 => Sight::Causal,
                2 => Sight::Window { behind, ahead },
                _ => Sight::Given(ranges(&segments, seed)),
            };
            Segments { segments, sight }
        },
    )
}

fn sizes(segments: &Segments) -> (usize, usize) {
    (segments.queries(), segments.segments.last().map_or(0, |segment| segment.keys.end))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_query_sees_what_the_definition_says(segments in layouts()) {
        let mut pairs = Vec::new();
        for (j, segment) in segments.each() {
            let (m, position) = (segment.keys.len(), segment.offset + j - segment.queries.start);
            let seen: Vec<usize> = (0..m).filter(|i| sees(&segments.sight, (j, position), *i, m)).collect();
            let keys: Vec<usize> = segments.visible(j).collect();
            prop_assert_eq!(&keys, &seen.iter().map(|i| segment.keys.start + i).collect::<Vec<_>>());
            pairs.extend(seen.into_iter().zip(keys).map(|(position, key)| Pair { query: j, key, position }));
        }
        prop_assert_eq!(&segments.pairs().collect::<Vec<_>>(), &pairs);
        let offsets = segments.pair_offsets();
        prop_assert_eq!(offsets.len(), segments.queries() + 1);
        prop_assert_eq!((offsets[segments.queries()], segments.pair_count()), (pairs.len(), pairs.len()));
        for (i, pair) in pairs.iter().enumerate() {
            prop_assert!((offsets[pair.query]..offsets[pair.query + 1]).contains(&i));
        }
    }

    #[test]
    fn three_forms_are_one_function(segments in layouts(), seed in 0_u64..1000) {
        let (n, m) = sizes(&segments);
        prop_assume!(n > 0);
        let inputs = inputs(n, m, seed);
        let expected = forward_and_backward(naive, &inputs, &segments);
        for form in FORMS {
            let found = forward_and_backward(form, &inputs, &segments);
            for (found, expected) in found.iter().zip(&expected) {
                assert_close!(found, expected, 1e-5);
            }
        }
    }

    /// What a query sees shares out one; what it does not see gets nothing; and these weights make
    /// the result.
    #[test]
    fn weights_are_handed_out_as_they_were_used(segments in layouts(), seed in 0_u64..1000) {
        let (n, m) = sizes(&segments);
        let inputs = inputs(n, m, seed);
        let tape = Tape::without_gradients();
        let [q, k, v] = [0, 1, 2].map(|i| tape.constant(inputs[i].clone()));
        let (o, weights) = attention_with_weights(q, k, v, HEADS, &segments);
        for (i, segment) in segments.segments.iter().enumerate() {
            let Segment { queries, keys, .. } = segment;
            for head in 0..HEADS {
                let alpha = weights.of(i, head);
                prop_assert_eq!(alpha.shape(), (keys.len(), queries.len()));
                for (j, column) in queries.clone().zip(alpha.column_iter()) {
                    let seen = segments.visible(j);
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
    let segments = side_by_side(&[(150, 290, 140), (1, 300, 299), (280, 130, 0)]);
    let layout = |sight| Segments { segments: segments.clone(), sight };
    let given = (0..431).map(|j| match j {
        7 => 0..0, // in the first tile of queries
        j if j < 150 => 129..200,
        150 => 299..300,
        j => (j % 50)..(j % 50) + j % 80,
    });
    let inputs = inputs(431, 720, 5);
    for sight in [
        Sight::All,
        Sight::Causal,
        Sight::Window { behind: 3, ahead: 0 },
        Sight::Window { behind: 70, ahead: 140 },
        Sight::Given(given.collect()),
    ] {
        let layout = layout(sight);
        let expected = forward_and_backward(naive, &inputs, &layout);
        for form in FORMS {
            let found = forward_and_backward(form, &inputs, &layout);
            for (found, expected) in found.iter().zip(&expected) {
                assert_close!(found, expected, 1e-4, "{:?}", layout.sight);
            }
        }
    }
}

/// Hypotheses of a beam share the keys of their source, also while others belong to nobody.
#[test]
fn queries_may_share_their_keys() {
    let inputs = inputs(4, 9, 3);
    let beam = Segments::about([5..9, 0..2, 5..9, 5..9]);
    let copies = Segments::one_each(&[0, 4, 6, 10, 14]);
    let columns: Vec<usize> = beam.pairs().map(|pair| pair.key).collect();
    let copied = |x: &Matrix| x.select_columns(&columns);
    let apart = [inputs[0].clone(), copied(&inputs[1]), copied(&inputs[2]), Matrix::zeros(0, 0)];
    for form in FORMS {
        assert_eq!(forward(form, &inputs, &beam), forward(form, &apart, &copies));
    }
}

#[test]
#[should_panic(expected = "the keys of the segments must follow one another")]
fn shared_keys_have_no_gradient() {
    forward_and_backward(FORMS[0], &inputs(2, 3, 0), &Segments::about([0..3, 0..3]));
}

#[test]
#[should_panic(expected = "query 1 is to see the positions 2..5 of 4 keys")]
fn a_given_range_lies_in_its_segment() {
    let segments = Segments::single(2, 4).with(Sight::Given(vec![0..4, 2..5]));
    forward(FORMS[0], &inputs(2, 4, 0), &segments);
}

#[test]
#[should_panic(expected = "segments with 2 queries in all, but there are 3")]
fn every_query_belongs_to_a_segment() {
    forward(FORMS[1], &inputs(3, 4, 0), &Segments::single(2, 4));
}
