//! 17.4: keys that nothing is lost under.

use shared::Matrix;
use tests::exercises::{Exercise, wrong};

type Keys = fn(usize) -> Matrix;

pub const EXERCISE: Exercise<Keys> = Exercise {
    check,
    wrong: &[
        wrong("no entry may be 0", |n| Matrix::identity(n, n)),
        wrong("the keys are of length 1: a rate of 1 overshoots otherwise", |n| {
            Matrix::identity(n, n) * 2.0 - Matrix::from_element(n, n, 4.0 / n as f32)
        }),
        wrong("kᵢᵀkⱼ = 0: what the one writes the other must not read", |n| {
            let mut keys = Matrix::from_fn(n, n, |i, j| if i == j { 1.0 } else { 0.1 });
            keys.column_iter_mut().for_each(|mut k| k.unscale_mut(k.norm()));
            keys
        }),
        wrong("n keys, all different", |n| Matrix::from_element(n, n, (n as f32).sqrt().recip())),
        wrong("u is of length 1 in I − 2uuᵀ", |n| {
            Matrix::identity(n, n) - Matrix::from_element(n, n, 2.0)
        }),
    ],
};

fn check(keys: Keys) {
    for n in [3, 4, 8, 17] {
        let k = keys(n);
        assert!(k.shape() == (n, n), "keys({n}) has the shape {:?}", k.shape());
        assert!(k.iter().all(|entry| entry.abs() > 1e-4), "an entry of keys({n}) is 0");
        let values = tests::uneven(2, n, n as f64);
        for backwards in [false, true] {
            let mut s = Matrix::zeros(2, n);
            for at in 0..n {
                let i = if backwards { n - 1 - at } else { at };
                let error = values.column(i) - &s * k.column(i);
                s += error * k.column(i).transpose();
            }
            let lost = (&s * &k - &values).amax();
            assert!(lost < 1e-4, "under keys({n}) the delta rule loses up to {lost:.3}: {k:.2}");
        }
    }
}
