//! The sign test.

/// How probable it is that fair coins, one for each seed on which two trainings differ, fall at least as
/// unevenly as `larger` to `smaller`: the exact sign test with two sides (Dixon & Mood 1946).
///
/// ```
/// use hard_attention::program::statistics::sign_test;
/// assert_eq!(sign_test(3, 0), 0.25); // 2 of the 2³ ways in which three coins fall
/// assert_eq!(sign_test(1, 5), 14.0 / 64.0); // 2 · (1 + 6) of 2⁶
/// assert_eq!(sign_test(0, 0), 1.0);
/// ```
pub fn sign_test(larger: usize, smaller: usize) -> f64 {
    let n = larger + smaller;
    let ways = (0..=larger.min(smaller))
        .map(|k| (0..k).fold(1.0, |ways, i| ways * (n - i) as f64 / (i + 1) as f64));
    let uneven: f64 = ways.sum();
    (2.0 * uneven / 2.0_f64.powi(n as i32)).min(1.0)
}
