//! A decoder with the block of today, against PyTorch: `tests/golden/language_model.py`.

use language_model::{Config, Gpt, shifted};
use shared::{Matrix, Module, Tape, rng};
use tests::assert_close;
use tests::golden;

#[test]
fn logits_loss_and_gradients_are_pytorchs() {
    let golden = golden::load("language_model");
    let config = Config { width: 8, feed_forward: 17, longest: 4, ..Config::today(7) }; // 11 units behind the gate
    let mut model = Gpt::new(&config, &mut rng(0));
    let value = |name: &str| {
        let found: Matrix = golden.matrix(name); // a row of PyTorch's is a column
        let is_table = name.ends_with("words.weight") || found.ncols() == 1;
        if is_table { found } else { found.transpose() }
    };
    model.for_each_parameter(|name, param| {
        let found = value(name);
        assert_eq!(found.shape(), param.value().shape(), "{name}");
        *param.value_mut() = found;
    });
    let words = golden.indices("texts");
    let (first, second) = words.split_at(golden.indices("lengths")[0]);
    let tape = Tape::new();
    let (x, _) = model.forward(&tape, &shifted(&[first, second]).0);
    let logits = model.logits(x).value();
    assert_close!(&*logits, golden.matrix::<f32>("logits"), 1e-5);
    let loss = model.loss(&tape, &[first, second]);
    assert_close!(loss.scalar(), golden.scalar::<f32>("loss"), 1e-5);
    let gradients = loss.backward();
    model.for_each_parameter(|name, param| {
        let expected = value(&format!("d.{name}"));
        assert!(expected.amax() > 1e-3, "{name} has no influence");
        let found = gradients.of(param).unwrap_or_else(|| panic!("{name}: no gradient"));
        assert_close!(found, expected, 1e-4, "{name}");
    });
}
