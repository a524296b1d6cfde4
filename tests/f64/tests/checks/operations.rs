//! Every operation of the tape against finite differences, in double precision, on random shapes.

use proptest::prelude::*;
use shared::{Gradients, Matrix, NodeId, Tape, Var, check_gradients, cross_entropy, squared_error};
use tests::assert_close;

/// Entries that keep 0.1 away from zero, where `relu` has its corner
/// and `recip` its pole.
fn matrix(rows: usize, columns: usize, seed: u64) -> Matrix {
    let mut rng = shared::rng(seed);
    Matrix::from_fn(rows, columns, |_, _| {
        let size = 0.1 + 1.9 * rand::RngExt::random::<f64>(&mut rng);
        if rand::RngExt::random::<bool>(&mut rng) { size } else { -size }
    })
}

fn positive(rows: usize, columns: usize, seed: u64) -> Matrix {
    matrix(rows, columns, seed).map(f64::abs)
}

/// Three sizes and a seed.
fn sizes() -> impl Strategy<Value = (usize, usize, usize, u64)> {
    (1..6usize, 1..6usize, 1..6usize, any::<u64>())
}

const TOLERANCE: f64 = 1e-7;

/// One input of shape (m, n).
fn one(m: usize, n: usize, seed: u64, f: impl for<'t> Fn(Var<'t>) -> Var<'t>) {
    check_gradients(&[matrix(m, n, seed)], TOLERANCE, |_, x| f(x[0]));
}

/// Two inputs.
fn two(a: Matrix, b: Matrix, f: impl for<'t> Fn(Var<'t>, Var<'t>) -> Var<'t>) {
    check_gradients(&[a, b], TOLERANCE, |_, x| f(x[0], x[1]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn products((m, k, n, seed) in sizes()) {
        two(matrix(m, k, seed), matrix(k, n, !seed), |a, b| a * b);
        two(matrix(k, m, seed), matrix(k, n, !seed), |a, b| a.tr_mul(b));
        two(matrix(m, n, seed), matrix(m, n, !seed), |a, b| a.component_mul(b));
        one(m, n, seed, |x| x * -1.7);
        let affine = [matrix(m, k, seed), matrix(k, n, !seed), matrix(m, 1, seed ^ 1)];
        check_gradients(&affine, TOLERANCE, |_, x| x[0].affine(x[1], x[2]));
        let tape = Tape::new();
        let [w, x, b] = affine.map(|value| tape.constant(value));
        prop_assert_eq!(w.affine(x, b).value(), (w * x).add_column(b).value());
    }

    #[test]
    fn sums_and_differences((m, _, n, seed) in sizes()) {
        two(matrix(m, n, seed), matrix(m, n, !seed), |a, b| a + b);
        two(matrix(m, n, seed), matrix(m, n, !seed), |a, b| a - b);
        two(matrix(m, n, seed), matrix(m, 1, !seed), |a, b| a.add_column(b));
        one(m, n, seed, |x| -x);
    }

    #[test]
    fn functions_of_each_entry((m, _, n, seed) in sizes()) {
        one(m, n, seed, |x| x.exp());
        one(m, n, seed, |x| x.recip());
        one(m, n, seed, |x| x.square());
        one(m, n, seed, |x| x.tanh());
        one(m, n, seed, |x| x.sigmoid());
        check_gradients(&[positive(m, n, seed)], TOLERANCE, |_, x| x[0].ln());
        check_gradients(&[positive(m, n, seed)], TOLERANCE, |_, x| x[0].sqrt());
        one(m, n, seed, |x| x.entrywise(f64::sin, |x, _y| x.cos()));
        one(m, n, seed, |x| x.entrywise(f64::exp, |_x, y| y));
    }

    /// Entries keep away from the corner; one positive entry makes sure that something is checked.
    #[test]
    fn the_rectifier((m, _, n, seed) in sizes()) {
        let mut x = matrix(m, n, seed);
        x[0] = x[0].abs();
        check_gradients(&[x], TOLERANCE, |_, x| x[0].relu());
    }

    #[test]
    fn softmax((m, _, n, seed) in sizes()) {
        prop_assume!(m > 1); // the softmax of one number is 1, whatever it is
        one(m, n, seed, |x| x.softmax());
    }

    #[test]
    fn softmax_behind_a_mask((m, _, n, seed) in sizes()) {
        prop_assume!(m > 2);
        // Row 1 is hidden: nothing may come of it, least of all NaN.
        let mask = Matrix::from_fn(m, n, |i, _| if i == 1 { f64::NEG_INFINITY } else { 0.0 });
        check_gradients(&[matrix(m, n, seed)], TOLERANCE, |tape, x| {
            (x[0] + tape.constant(mask.clone())).softmax()
        });
    }

    #[test]
    fn sums_over_entries((m, _, n, seed) in sizes()) {
        one(m, n, seed, |x| x.sum());
        one(m, n, seed, |x| x.mean());
        one(m, n, seed, |x| x.column_sums());
    }

    #[test]
    fn transposes_and_blocks((m, k, n, seed) in sizes()) {
        one(m, n, seed, |x| x.transpose());
        one(m + k, n, seed, |x| x.rows(k, m));
        one(m, n + k, seed, |x| x.columns(k, n));
        two(matrix(m, n, seed), matrix(k, n, !seed), |a, b| a.stack(b));
        two(matrix(m, n, seed), matrix(m, k, !seed), |a, b| a.append(b));
        // Overlapping blocks of one value: their gradients meet.
        one(m + k, n, seed, |x| x.rows(0, m).stack(x.rows(k, m)));
        one(m, n + k, seed, |x| x.columns(0, n).append(x.columns(k, n)));
    }

    #[test]
    fn columns_selected_twice(
        (d, _, v, seed) in sizes(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let mut ids: Vec<usize> = picks.iter().map(|pick| pick.index(v)).collect();
        ids.push(ids[0]);
        one(d, v, seed, |x| x.select_columns(&ids));
    }

    #[test]
    fn losses((classes, _, n, seed) in sizes()) {
        let target = matrix(classes, n, !seed);
        one(classes, n, seed, |x| squared_error(x, &target));
        prop_assume!(classes > 1); // with a single class nothing is uncertain
        let targets: Vec<usize> = (0..n).map(|j| (seed as usize % classes + j) % classes).collect();
        one(classes, n, seed, |x| cross_entropy(x, &targets));
        // A loss that is weighted on: its gradient scales.
        one(classes, n, seed, |x| cross_entropy(x, &targets) * 0.3);
    }

    /// Parts of different widths, one of them twice and one a constant.
    #[test]
    fn parts_side_by_side((m, k, n, seed) in sizes()) {
        let (a, b, c) = (matrix(m, k, seed), matrix(m, n + 1, !seed), matrix(m, 2, seed ^ 1));
        check_gradients(&[a, b], TOLERANCE, |tape, x| {
            Var::side_by_side(&[x[0], x[1], tape.constant(c.clone()), x[0]]).tanh()
        });
    }

    /// The mask is drawn from a seed, so that the same entries are dropped at every evaluation.
    #[test]
    fn dropped_entries((m, _, n, seed) in sizes()) {
        let x = matrix(m + 2, n + 2, seed); // large enough that not all are dropped
        check_gradients(&[x], TOLERANCE, |tape, x| {
            tape.begin_training(shared::rng(seed));
            x[0].dropout(0.2)
        });
    }

    // ---- what the tape itself promises ---------------------------------------------------------

    /// A value used as both factors, and again beside them.
    #[test]
    fn values_used_more_than_once((m, _, _, seed) in sizes()) {
        one(m, m, seed, |x| x * x);
        one(m, m, seed, |x| x.tr_mul(x) + x);
        one(m, m, seed, |x| x * x.transpose() + x.component_mul(x));
        one(m, m, seed, |x| { let y = x.tanh(); y * y + y });
        one(m, m, seed, |x| x.stack(x).append(x.stack(-x)));
        two(matrix(m, m, seed), matrix(m, m, !seed), |a, b| (a * b) + (b * a).tanh() - b);
    }

    /// A chain of many operations, as a recurrence is.
    #[test]
    fn recurrences((d, _, n, seed) in sizes()) {
        two(matrix(d, d, seed), matrix(d, n, !seed), |w, x| {
            (0..12).fold(x, |h, _| (w * h * 0.3).tanh() + x)
        });
    }

    /// Constants take part in values and in others' gradients, and have none themselves.
    #[test]
    fn constants((m, k, n, seed) in sizes()) {
        let (c, bias) = (matrix(m, k, !seed), matrix(m, 1, seed ^ 1));
        check_gradients(&[matrix(k, n, seed)], TOLERANCE, |tape, x| {
            (tape.constant(c.clone()) * x[0]).add_column(tape.constant(bias.clone())).tanh()
        });
        let tape = Tape::new();
        let (c, x) = (tape.constant(c), tape.leaf(matrix(k, n, seed)));
        let gradients = (c * x).sum().backward();
        prop_assert!(!gradients.needs(c.id()) && gradients.needs(x.id()));
    }

    /// `add`, `gemm` and `update` add to the same gradient, whichever comes first.
    #[test]
    fn three_ways_to_add_a_share((m, k, n, seed) in sizes(), order in 0..6usize) {
        type Way = fn(&mut Gradients, NodeId, &Matrix, &Matrix);
        let ways: [Way; 3] = [
            |gradients, id, a, b| gradients.add(id, a * b),
            |gradients, id, a, b| gradients.gemm(id, a, b),
            |gradients, id, a, b| gradients.update(id, |d| *d += a * b),
        ];
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let (a, b) = (matrix(m, k, seed), matrix(k, n, !seed));
        let tape = Tape::new();
        let x = tape.leaf(Matrix::zeros(m, n));
        let shares = orders[order].map(|way| ways[way]);
        let expected = &a * &b * 3.0;
        let loss = tape.push([x], Matrix::zeros(1, 1), move |_, [x_id], gradients| {
            shares.iter().for_each(|way| way(gradients, x_id, &a, &b));
        });
        assert_close!(loss.backward().wrt(x), expected, 1e-12);
    }
}

/// The gradient is taken where the loss is: what comes after it on the tape has no part in it.
#[test]
fn what_follows_the_loss_does_not_count() {
    let tape = Tape::new();
    let x = tape.leaf(matrix(2, 2, 1));
    let loss = x.square().sum();
    let _later = (loss * 5.0) + x.sum();
    assert_close!(loss.backward().wrt(x), matrix(2, 2, 1) * 2.0, 1e-12);
}

/// Operations and losses of `shared` that no line of this file gives to a check as they are: `|x| x.exp()`.
fn unchecked(lines: &str) -> Vec<&'static str> {
    let operations = include_str!("../../../../shared/src/operations.rs");
    let losses = include_str!("../../../../shared/src/losses.rs");
    let functions = (operations.lines().chain(losses.lines()))
        .filter_map(|line| line.trim().strip_prefix("pub fn ")?.split(['(', '<']).next());
    let unchecked = functions.filter(|f| {
        let forms = ["| x.", "| a.", "x[0].", "| ", "Var::"].map(|before| format!("{before}{f}("));
        !lines.lines().any(|line| forms.iter().any(|form| line.contains(form)))
    });
    unchecked.collect()
}

/// No operation was added without a check; and one whose check goes is missed, whatever else is left.
#[test]
fn every_operation_is_checked() {
    let here = include_str!("operations.rs");
    assert_eq!(unchecked(here), [""; 0]);
    let without = here.replace("one(m, n, seed, |x| x.sum());", "").replace("|x| x.recip()", "");
    assert_eq!(unchecked(&without), ["recip", "sum"]);
}

/// The check itself rejects a wrong backward; else the tests above would prove nothing.
#[test]
#[should_panic(expected = "backward gives")]
fn a_wrong_backward_is_caught() {
    one(3, 2, 1, |x| x.entrywise(f64::sin, |x, _| 1.0001 * x.cos()));
}

/// e^x near the end of f64: at x it is finite, a step above it is not, and so the difference knows
/// nothing of the gradient.
#[test]
#[should_panic(expected = "differences inf")]
fn an_infinite_difference_agrees_with_nothing() {
    check_gradients(&[Matrix::from_element(1, 1, 709.648)], TOLERANCE, |_, x| x[0].exp());
}

#[test]
#[should_panic(expected = "input 0 (2, 2), entry 0: backward gives 1.1")]
fn a_forgotten_share_is_caught() {
    one(2, 2, 1, |x| {
        let value = x.value();
        let y = &*value + &*value; // used twice
        x.tape().push([x], y, move |dy, [x_id], gradients| gradients.add(x_id, dy))
    });
}
