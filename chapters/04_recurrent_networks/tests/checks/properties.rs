//! Chapter 4: what is true of every packing, and of every network that reads one.

use proptest::collection::vec;
use proptest::prelude::*;
use recurrent_networks::{Bidirectional, Gru, Steps};
use shared::{Float, Matrix, Tape, rng};
use tests::assert_close;

/// Lengths of one to nine sequences, longest first.
fn lengths() -> impl Strategy<Value = Vec<usize>> {
    vec(1usize..12, 1..10).prop_map(|mut lengths| {
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    })
}

fn noise(rows: usize, columns: usize, seed: u64) -> Matrix {
    let phase = (seed % 1000) as Float;
    Matrix::from_fn(rows, columns, |i, j| (1.7 * i as Float + 2.3 * j as Float + phase).sin())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_token_has_one_column(lengths in lengths()) {
        let steps = Steps::new(&lengths);
        let mut seen = vec![false; steps.tokens()];
        for (sequence, length) in lengths.iter().enumerate() {
            for t in 0..*length {
                let column = steps.column(sequence, t);
                prop_assert!(steps.columns(t).contains(&column));
                prop_assert!(!std::mem::replace(&mut seen[column], true));
            }
        }
        prop_assert!(seen.into_iter().all(|seen| seen));
        prop_assert_eq!(steps.tokens(), lengths.iter().sum::<usize>());
        prop_assert_eq!(steps.len(), lengths[0]);
    }

    #[test]
    fn indices_say_what_column_says(lengths in lengths()) {
        let steps = Steps::new(&lengths);
        let (by_sequence, reversed, last) = (steps.by_sequence(), steps.reversed(), steps.last());
        let mut place = 0;
        for (sequence, length) in lengths.iter().enumerate() {
            for t in 0..*length {
                prop_assert_eq!(by_sequence[place], steps.column(sequence, t));
                let mirrored = steps.column(sequence, length - 1 - t);
                prop_assert_eq!(reversed[steps.column(sequence, t)], mirrored);
                place += 1;
            }
            prop_assert_eq!(last[sequence], steps.column(sequence, length - 1));
        }
    }

    /// A sequence read in a batch and the same sequence read alone have the same states: nothing
    /// leaks from neighbours, in either direction, and no padding is read.
    #[test]
    fn a_sequence_is_read_in_a_batch_as_alone(lengths in lengths(), seed in any::<u64>()) {
        let steps = Steps::new(&lengths);
        let layer: Bidirectional<Gru> = Bidirectional::new(3, 5, &mut rng(seed));
        let tape = Tape::no_grad();
        let x = tape.constant(noise(3, steps.tokens(), seed));
        let together = layer.forward(x, &steps);
        for (sequence, length) in lengths.iter().enumerate() {
            let columns: Vec<usize> = (0..*length).map(|t| steps.column(sequence, t)).collect();
            let alone = layer.forward(x.select_columns(&columns), &Steps::new(&[*length]));
            assert_close!(together.select_columns(&columns).value(), alone.value(), 1e-5);
        }
    }
}
