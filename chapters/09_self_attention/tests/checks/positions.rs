//! What sinusoids know of positions and of distances.

use self_attention::positions::{Positions, frequency, shift, sinusoids, token_positions};
use shared::{Float, Matrix, Operand, Tape, product, rng};
use tests::assert_close;

/// `p_{i+k} = R_k p_i` for every position, forwards and backwards; and `R_a R_b = R_{a+b}`.
#[test]
fn a_shift_is_a_rotation() {
    for d in [2, 6, 16] {
        let table = sinusoids(d, 0, 60);
        for k in [-7_isize, -1, 0, 1, 5, 20] {
            let first = 7;
            let moved = product(&shift(d, k), &table.columns(first, 30).into_owned());
            let expected = table.columns(first.saturating_add_signed(k), 30);
            assert_close!(moved, expected, 2e-6, "width {d}, by {k} positions");
        }
        let rotation = shift(d, 3);
        assert_close!(product(&rotation, &rotation.t()), Matrix::identity(d, d), 1e-6);
        assert_close!(product(&rotation, &shift(d, -5)), shift(d, -2), 1e-6);
    }
}

/// `pᵢ·pⱼ = Σ cos((i − j)/10000^{2l/d})`: the distance decides, wherever the two stand.
#[test]
fn products_of_positions_depend_on_their_distance_alone() {
    let d = 12;
    let table = sinusoids(d, 0, 400);
    let products = product(&table.t(), &table); // (400, 400)
    for distance in [0_usize, 1, 2, 17, 150] {
        let expected: f64 = (0..d / 2).map(|l| (distance as f64 * frequency(d, l)).cos()).sum();
        for i in (0..400 - distance).step_by(13) {
            assert_close!(
                products[(i, i + distance)],
                expected,
                2e-6,
                "positions {i} + {distance}"
            );
            assert_close!(products[(i + distance, i)], expected, 2e-6);
        }
    }
    // A position is nearest to itself: d/2 is the largest product there is.
    assert!((0..400).all(|i| (0..400).all(|j| i == j || products[(i, j)] < products[(i, i)])));
}

/// Several sequences beside one another: each begins at position 0.
#[test]
fn every_token_gets_the_position_of_its_place() {
    let offsets = [0, 3, 3, 5]; // the second is empty
    let positions_of = token_positions(&offsets);
    assert_eq!(positions_of, [0, 1, 2, /**/ /**/ 0, 1]);
    let x = Matrix::from_fn(4, 5, |i, j| (i * 5 + j) as Float);
    for positions in [Positions::sinusoids(4, 9), Positions::learned(4, 9, &mut rng(0))] {
        let table = match &positions {
            Positions::Sinusoids(table) => table.clone(),
            Positions::Learned(table) => table.value().clone(),
        };
        assert_eq!(positions.longest(), 9);
        let tape = Tape::no_grad();
        let found = positions.add(tape.constant(x.clone()), &positions_of).value();
        assert_eq!(*found, &x + table.select_columns(&positions_of));
    }
}

#[test]
#[should_panic(expected = "position 9 of a sequence, but there are positions for 9")]
fn a_place_beyond_the_table_is_refused() {
    let tape = Tape::new();
    Positions::sinusoids(2, 9).add(tape.constant(Matrix::zeros(2, 1)), &[9]);
}

#[test]
#[should_panic(expected = "the width 5 is odd")]
fn sines_and_cosines_come_in_pairs() {
    sinusoids(5, 0, 1);
}
