//! The sign test.

use hard_attention::program::statistics::sign_test;
use tests::assert_close;

/// The test by its definition: every way in which n coins can fall.
#[test]
fn the_sign_test_counts_coins() {
    for n in 0..11_u32 {
        for larger in 0..=n {
            let uneven = |heads: u32| heads.abs_diff(n - heads);
            let heads = (0..1_u32 << n).map(u32::count_ones);
            let as_uneven = heads.filter(|heads| uneven(*heads) >= uneven(larger)).count();
            let naive = as_uneven as f64 / f64::from(1 << n);
            assert_close!(sign_test(larger as usize, (n - larger) as usize), naive, 1e-12);
        }
    }
}
