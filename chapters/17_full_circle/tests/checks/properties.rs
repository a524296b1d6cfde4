//! What holds of all eight, in single precision and for any points.

use full_circle::linear_attention::CHUNK;
use full_circle::{Kind, Memory, Update, linear_attention};
use proptest::prelude::*;
use shared::{Matrix, Tape, Vector, rng};
use tests::{assert_close, uneven};

proptest! {
    /// Finite weights and answers for any places, also for such that occur twice.
    #[test]
    fn every_answer_is_a_number(
        keys in prop::collection::vec(0.0_f32..5.0, 1..20),
        twice in any::<bool>(),
        q in 0.0_f32..5.0,
    ) {
        let keys = if twice { [&keys[..], &keys[..]].concat() } else { keys };
        for kind in Kind::ALL {
            for parameter in [kind.candidates()[0], *kind.candidates().last().unwrap()] {
                let weights = kind.weights(parameter, &[q], &keys);
                prop_assert!(weights.iter().all(|w| w.is_finite()), "{kind:?} {parameter}: {weights}");
            }
        }
    }

    /// Weights of the first four sum to 1: a constant is answered by itself.
    #[test]
    fn smoothers_know_constants(
        keys in prop::collection::vec(0.0_f32..5.0, 2..20),
        q in 0.0_f32..5.0,
        h in 0.3_f32..3.0,
    ) {
        for kind in &Kind::ALL[..4] {
            let curve = kind.curve(h, &[q], &keys, &vec![7.0; keys.len()]);
            prop_assert!((curve[0] - 7.0).abs() < 0.05, "{kind:?}: {}", curve[0]);
        }
    }
}

/// The order of the points matters to the delta rule and to the implicit step alone.
#[test]
fn two_of_eight_know_the_order() {
    let (q, k) = (uneven(3, 2, 0.0), uneven(3, 6, 1.0));
    let backwards = Matrix::from_fn(3, 6, |row, i| k[(row, 5 - i)]);
    for kind in Kind::ALL {
        let estimator = kind.with(0.5);
        let (forth, back) = (estimator.weights(&q, &k), estimator.weights(&q, &backwards));
        let turned = Matrix::from_fn(6, 2, |i, j| back[(5 - i, j)]);
        let knows = matches!(kind, Kind::DeltaRule | Kind::ImplicitStep);
        assert!(((forth - turned).amax() > 1e-3) == knows, "{kind:?}");
    }
}

/// A long sequence, longer than a chunk: what is read at its end is what a memory holds that was written token by token.
#[test]
fn a_long_sequence_ends_where_a_memory_ends() {
    let n = 3 * CHUNK + 5;
    let tape = Tape::no_grad();
    let [q, k, v] = [8, 8, 5].map(|rows| {
        let x = Matrix::from_fn(rows, n, |i, j| ((3 * i + 7 * j) % 11) as f32 / 11.0 - 0.5);
        tape.constant(x)
    });
    let rates = tape.constant(Matrix::from_element(1, n, 0.3));
    for (update, rates) in [(Update::Add(1.0), None), (Update::Delta(0.3), Some(rates))] {
        let o = linear_attention([q, k, v], rates, 1, &[0, n], CHUNK).value();
        let mut memory = Memory::new(8, 5, update);
        let column = |x: &Matrix, j: usize| -> Vector { x.column(j).into_owned() };
        for j in 0..n {
            memory.write(&column(&k.value(), j), &column(&v.value(), j));
        }
        assert_close!(column(&o, n - 1), memory.read(&column(&q.value(), n - 1)), 1e-3);
    }
}

/// The same bits on any number of threads.
#[test]
fn threads_change_nothing() {
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (tape, rng) = (Tape::new(), &mut rng(0));
            let normal = |rows, rng: &mut _| {
                Matrix::from_fn(rows, 90, |_, _| rand::RngExt::random_range(rng, -1.0..1.0))
            };
            let qkv = [8, 8, 8].map(|rows| tape.leaf(normal(rows, rng)));
            let rates = tape.leaf(normal(4, rng).map(f32::abs));
            let o = linear_attention(qkv, Some(rates), 4, &[0, 40, 90], 16);
            let value = o.value();
            let gradients = o.square().sum().backward();
            (value, gradients.wrt(qkv[1]), gradients.wrt(rates))
        })
    };
    assert_eq!(of(1), of(3));
}

/// A box is asked in any number of entries.
#[test]
#[should_panic(expected = "rates (1, 4) for 2 heads")]
fn rates_are_one_a_head() {
    let tape = Tape::new();
    let qkv = [0; 3].map(|_| tape.leaf(Matrix::zeros(4, 4)));
    linear_attention(qkv, Some(tape.leaf(Matrix::zeros(1, 4))), 2, &[0, 4], 2);
}
