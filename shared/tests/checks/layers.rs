//! Dropout, and how layers name their parameters.

use shared::{Embedding, Float, Linear, Matrix, Module, Tape, elementwise, rng};

#[test]
fn dropout_keeps_the_expectation_and_replays_its_mask_in_backward() {
    let tape = Tape::training(rng(1));
    let x = tape.leaf(Matrix::from_element(200, 100, 1.0));
    let y = x.dropout(0.3);
    let kept = y.value();
    // 20 000 entries of variance p/(1 − p): the mean's standard error is 0.0046.
    assert!((kept.mean() - 1.0).abs() < 4.0 * 0.0046);
    assert_eq!(y.sum().backward().wrt(x), *kept);
}

#[test]
fn masks_of_neighbours_and_of_other_seeds_are_independent() {
    let n = 100_000;
    let kept = |seed| {
        let mut x = Matrix::from_element(n, 1, 0.5);
        Tape::training(rng(seed)).mask(0.5).unwrap().apply(&mut x); // entries 0 or 1
        x
    };
    let (a, b) = (kept(7), kept(8));
    let both = |x: &[Float], y: &[Float]| elementwise::dot(x, y) / x.len() as Float;
    // A mean of 10⁵ events of probability ¼ has standard error 0.0014.
    let (a, b) = (a.as_slice(), b.as_slice());
    for shift in [1, 2, 3, 16, 64, 1024] {
        assert!((both(&a[shift..], &a[..n - shift]) - 0.25).abs() < 4.0 * 0.0014, "{shift}");
    }
    assert!((both(a, b) - 0.25).abs() < 4.0 * 0.0014);
    assert!((both(a, kept(7 << 32).as_slice()) - 0.25).abs() < 4.0 * 0.0014);
}

#[test]
fn names_follow_the_common_layout() {
    assert_eq!(Linear::new(2, 3, &mut rng(0)).parameter_names(), ["weight", "bias"]);
    assert_eq!(Embedding::new(7, 2, &mut rng(0)).parameter_names(), ["weight"]);
}

#[test]
#[should_panic(expected = "id 7 in a table of 7 columns")]
fn an_id_outside_the_vocabulary_is_named() {
    let _ = Embedding::new(7, 2, &mut rng(0)).forward(&Tape::new(), &[0, 7]);
}
