//! The switch between precisions: one for a process, so that this is one test in a program of its own.

use products::{Backend, Float, Matrix, Operand, Precision, Times, Trial, product};

fn noise(m: usize, n: usize) -> Matrix {
    let scattered = |x: f64| (43758.5453 * x.sin()).rem_euclid(1.0) - 0.5;
    Matrix::from_fn(m, n, |i, j| scattered(1.0 + (i * 31) as f64 + 0.017 * j as f64) as Float)
}

/// How far a product is from that of f32, as a share of it.
fn error(found: &Matrix, exact: &Matrix) -> Float {
    (found - exact).norm() / exact.norm()
}

#[test]
fn products_are_computed_as_the_switch_says() {
    assert_eq!((Precision::current(), Backend::current()), (Precision::F32, Backend::Bf16));
    assert!(Precision::F32.is_supported());
    if !Backend::Tiles.is_supported() {
        assert!(std::panic::catch_unwind(|| Backend::Tiles.begin()).is_err());
    }
    if !Precision::Bf16x3.is_supported() {
        assert!(!Precision::Bf16.is_supported());
        assert!(std::panic::catch_unwind(|| Precision::Bf16x3.begin()).is_err());
        eprintln!("not tested: this processor has no AVX-512 BF16");
        return;
    }
    for Times { whole, bf16, f32, tiles, split } in Trial::run().0 {
        assert!([whole, bf16, f32, split].iter().all(|time| !time.is_zero()));
        assert_eq!(tiles.is_some(), Backend::Tiles.is_supported());
    }

    // A layer, and both products of its gradient: of a left factor and of a right one that are transposes.
    let (w, x, dy) = (noise(70, 129), noise(129, 33), noise(70, 33));
    let all = || [product(&w, &x), product(&w.t(), &dy), product(&dy, &x.t())];
    // Too small, too narrow, and over nothing: as ever.
    let small = || {
        [(40, 20, 40), (31, 200, 200), (200, 200, 31), (50, 0, 60), (0, 70, 80), (40, 1, 40)]
            .map(|(m, k, n)| product(&noise(m, k), &noise(k, n)))
    };
    let (exact, as_ever) = (all(), small());
    let by_tiles =
        [(Precision::Bf16, Backend::Tiles, 2.35e-3), (Precision::Bf16x3, Backend::Tiles, 4.4e-6)];
    let by_tiles = by_tiles.into_iter().filter(|_| Backend::Tiles.is_supported());
    let others = [
        (Precision::Bf16, Backend::Bf16, 2.35e-3),
        (Precision::Bf16, Backend::F32, 2.35e-3),
        (Precision::Bf16x3, Backend::Bf16, 4.4e-6),
        (Precision::F32, Backend::Bf16, 0.0),
    ];
    for (precision, unit, expected) in by_tiles.chain(others) {
        precision.begin();
        unit.begin();
        assert_eq!((Precision::current(), Backend::current()), (precision, unit));
        assert_eq!(small(), as_ever, "{precision:?}");
        precision.begin_with_threshold(u64::MAX);
        assert_eq!(all(), exact, "none has so many multiplications");
        precision.begin_with_threshold(0); // a product over nothing is never rounded
        assert_eq!(Precision::threshold(), 1 << 16);
        for (found, exact) in all().iter().zip(&exact) {
            let error = error(found, exact);
            let near = 0.7 * expected..=1.3 * expected;
            assert!(near.contains(&error), "{precision:?} by {unit:?}: {error}");
        }
    }
}
