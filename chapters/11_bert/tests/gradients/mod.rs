//! Chapter 11 in f64: GELU, the encoder, both heads and the loss against finite differences, for every
//! parameter.

use bert::{Config, Denominators, Examples, Pretraining, Special, Tokens, gelu};
use gradients::check_parameters;
use shared::{Matrix, Module, Param, Tape, Var, Visitor, rng};

const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

/// Uneven numbers of both signs.
fn uneven(rows: usize, columns: usize, phase: f64) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| (1.3 * i as f64 + 2.1 * j as f64 + phase).sin())
}

/// A number that depends on every entry otherwise.
fn weighted(y: Var) -> Var {
    let (rows, columns) = y.shape();
    y.component_mul(y.tape().constant(uneven(rows, columns, 0.6))).sum()
}

#[test]
fn gelu_has_the_derivative_it_claims() {
    check_parameters(
        Param::new(uneven(5, 6, 0.1) * 3.0),
        |x, tape| weighted(gelu(tape.param(x))),
        "gelu",
    );
}

/// A model without the biases of its keys, which have no influence.
struct Seen(Pretraining);

impl Module for Seen {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.0.for_each_parameter(|name, param| {
            if !name.ends_with("w_k.bias") {
                visitor.param(name, param);
            }
        });
    }
}

/// Parameters as large as a trained model's, and all different.
fn stirred(config: &Config) -> Pretraining {
    let (mut model, mut phase) = (Pretraining::new(config, &mut rng(0)), 0.0);
    model.for_each_parameter(|_, param| {
        let (rows, columns) = param.value().shape();
        *param.value_mut() += uneven(rows, columns, phase) * 0.4;
        phase += 0.7;
    });
    model
}

#[test]
fn both_losses_reach_every_parameter() {
    let config = Config {
        vocabulary: 8,
        width: 4,
        feed_forward: 5,
        heads: 2,
        blocks: 2,
        longest: 7,
        segments: 2,
        dropout: 0.0,
        epsilon: 1e-12,
        deviation: 0.02,
    };
    let pair = Tokens::of(&[5, 4], Some(&[7, 6]), &SPECIAL);
    let short = Tokens::of(&[6], Some(&[4]), &SPECIAL);
    let examples = Examples {
        tokens: Tokens::side_by_side(&[pair, short]),
        masked: vec![2, 10],
        originals: vec![6, 5],
        follows: vec![0, 1],
    };
    let whole = Denominators { masked: 3, pairs: 4 };
    check_parameters(
        Seen(stirred(&config)),
        |model, tape| model.0.loss(tape, &examples, &whole),
        "loss",
    );
    // A softmax does not see what all its scores share.
    let (mut model, tape) = (stirred(&config), Tape::new());
    let gradients = model.loss(&tape, &examples, &whole).backward();
    model.for_each_parameter(|name, param| {
        if name.ends_with("w_k.bias") {
            assert!(gradients.of(param).expect("a gradient").amax() < 1e-12, "{name}");
        }
    });
}
