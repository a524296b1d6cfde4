//! How far products are from sums in f64: of the factors as they are, and of what the kernels multiply.

use super::twin::parts;
use super::*;

/// Numbers of either sign, from an even distribution; of one exponent of 10 each with `decades` 0, else of
/// up to so many more and fewer.
fn random(rows: usize, columns: usize, seed: u64, decades: f64) -> Matrix {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    };
    Matrix::from_fn(rows, columns, |_, _| (next() * 10f64.powf(decades * next())) as f32)
}

/// A sum in f64 over the terms of an entry, and the sum of their magnitudes.
fn sum(a: &Matrix, b: &Matrix, (i, j): (usize, usize), term: impl Fn(f32, f32) -> f64) -> [f64; 2] {
    (0..a.ncols()).fold([0.0; 2], |[sum, all], k| {
        let (x, y) = (a[(i, k)], b[(k, j)]);
        [sum + term(x, y), all + (f64::from(x) * f64::from(y)).abs()]
    })
}

/// What a kernel multiplies: the naive twin.
fn twin(kind: Kind, x: f32, y: f32) -> f64 {
    let [[x, x_low], [y, y_low]] = [x, y].map(|x| parts(x, true).map(f64::from));
    if kind.is_split() { x * y + x * y_low + x_low * y } else { x * y }
}

/// How far a term may be from the product of its factors, as a share of it: each is wrong by 2⁻⁸ at most
/// when it is rounded, by 2⁻¹⁶ when it is split; the product of both second parts is missing.
fn share(kind: Kind) -> f64 {
    let one = 2f64.powi(-8);
    if kind.is_split() { 3.0 * one * one * (1.0 + one) } else { 2.0 * one + one * one }
}

#[test]
fn errors_are_within_their_bounds() {
    let sizes = [(1, 1, 1), (1, 2, 1), (3, 1, 5), (33, 31, 13), (7, 515, 26), (65, 77, 40)];
    // The last three: numbers whose products are around 1, far from it, and between 2⁻¹²⁶ and 1.
    let scales = [(0.0, 1.0, 1.0), (17.0, 1.0, 1.0), (0.0, 1e20, 1e-20), (3.0, 1e-20, 1e-18)];
    for (seed, (m, k, n)) in sizes.into_iter().enumerate() {
        for (decades, of_a, of_b) in scales {
            let a = random(m, k, 2 * seed as u64 + 1, decades) * of_a;
            let b = random(k, n, 2 * seed as u64 + 2, decades) * of_b;
            for kind in kinds() {
                let c = kind.product(&a.whole(), &b.whole());
                // Every product and every sum is rounded, and what is below 2⁻¹²⁶ is 0.
                let products = (3 * k.next_multiple_of(2)) as f64;
                let smallest = f64::from(f32::MIN_POSITIVE);
                for place in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
                    let [exact, all] = sum(&a, &b, place, |x, y| f64::from(x) * f64::from(y));
                    let [of_parts, _] = sum(&a, &b, place, |x, y| twin(kind, x, y));
                    let rounding = products * 2f64.powi(-24) * 1.01 * all + products * smallest;
                    let found = f64::from(c[place]);
                    let what = format!("{kind:?} {m} × {k} × {n}, {decades} {of_a} {of_b}");
                    let error = (found - of_parts).abs();
                    assert!(error <= rounding, "{what}: {error} from the twin, {rounding}");
                    let lost = smallest * (a.amax() + b.amax()) as f64 * products;
                    let (error, bound) =
                        ((found - exact).abs(), share(kind) * all + rounding + lost);
                    assert!(error <= bound, "{what}: {error} from the exact sum, {bound}");
                }
            }
        }
    }
}

/// The mean square of errors: predicted from even distributions between the neighbours of a number, and of
/// what is lost between those of its own (see the page `half_the_bits`).
#[test]
fn errors_are_as_large_as_predicted() {
    let (a, b) = (random(64, 512, 1, 0.0), random(512, 64, 2, 0.0));
    let mean_square =
        |x: &dyn Fn(f32) -> f64| a.iter().map(|a| x(*a)).sum::<f64>() / a.len() as f64;
    // Of the square of a number's power of two, as a share of that of the number.
    let binade = mean_square(&|x| f64::from(x).abs().log2().floor().exp2().powi(2));
    let share = binade / mean_square(&|x| f64::from(x).powi(2));
    let unit = 2f64.powi(-8);
    let rounded = share / 3.0 * unit.powi(2); // of one factor
    let rest = share * 4.0 / 21.0 * (unit.powi(2) / 2.0).powi(2);
    for kind in kinds() {
        let predicted = if kind.is_split() { 2.0 * rest + rounded.powi(2) } else { 2.0 * rounded };
        let c = kind.product(&a.whole(), &b.whole());
        let [mut wrong, mut all] = [0.0; 2];
        for place in (0..64).flat_map(|i| (0..64).map(move |j| (i, j))) {
            let [exact, _] = sum(&a, &b, place, |x, y| f64::from(x) * f64::from(y));
            wrong += (f64::from(c[place]) - exact).powi(2);
            all += exact.powi(2);
        }
        let ratio = (wrong / all / predicted).sqrt();
        assert!((0.95..1.05).contains(&ratio), "{kind:?}: {ratio} of {}", predicted.sqrt());
    }
}
