//! Layers and optimisers' ground against finite differences, in double precision: every parameter,
//! every input.

use proptest::prelude::*;
use shared::{
    Embedding, Linear, Matrix, Module, Param, Tape, Var, cross_entropy, finite_differences,
    loss_and_gradients, squared_error,
};
use std::cell::RefCell;
use tests::assert_close;

fn matrix(rows: usize, columns: usize, seed: u64) -> Matrix {
    let mut rng = shared::rng(seed);
    Matrix::from_fn(rows, columns, |_, _| 4.0 * rand::RngExt::random::<f64>(&mut rng) - 2.0)
}

/// Compares the gradient of every parameter of a model with differences of the loss.
fn check_parameters<M: Module>(model: M, loss: impl for<'t> Fn(&M, &'t Tape) -> Var<'t>) {
    let model = RefCell::new(model);
    let gradients = loss(&model.borrow(), &Tape::new()).backward();
    let names = model.borrow_mut().parameter_names();
    for name in names {
        let with = |f: &mut dyn FnMut(&mut Param)| {
            model.borrow_mut().for_each_parameter(|other, param| {
                if other == name {
                    f(param);
                }
            });
        };
        let (mut found, mut value) = (None, Matrix::zeros(0, 0));
        with(&mut |param| {
            found = gradients.of(param).cloned();
            value = param.value().clone();
        });
        let expected = finite_differences(
            |x| {
                with(&mut |param| param.value_mut().copy_from(x));
                loss(&model.borrow(), &Tape::no_grad()).scalar()
            },
            &value,
        );
        with(&mut |param| param.value_mut().copy_from(&value));
        let found = found.unwrap_or_else(|| panic!("{name} has no gradient"));
        assert!(expected.amax() > 0.0, "the loss does not depend on {name}");
        assert_close!(found, expected, 1e-7, "{name}");
    }
}

fn sizes() -> impl Strategy<Value = (usize, usize, usize, u64)> {
    (1..6usize, 1..6usize, 1..6usize, any::<u64>())
}

struct Classifier {
    words: Embedding,
    hidden: Linear,
    output: Linear,
}

impl Module for Classifier {
    fn visit(&mut self, visitor: &mut shared::Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("hidden", &mut self.hidden);
        visitor.module("output", &mut self.output);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn linear((inputs, outputs, n, seed) in sizes()) {
        let rng = &mut shared::rng(seed);
        let (x, target) = (matrix(inputs, n, seed), matrix(outputs, n, !seed));
        let mut layer = Linear::new(inputs, outputs, rng);
        if let Some(bias) = &mut layer.bias {
            *bias.value_mut() = matrix(outputs, 1, seed ^ 7); // it starts at zero
        }
        check_parameters(layer, |layer, tape| {
            squared_error(layer.forward(tape.constant(x.clone())), &target)
        });
        let layer = Linear::without_bias(inputs, outputs, rng);
        shared::check_gradients(std::slice::from_ref(&x), 1e-7, |_, x| layer.forward(x[0]));
        check_parameters(layer, |layer, tape| {
            squared_error(layer.forward(tape.constant(x.clone())), &target)
        });
    }

    /// Words that come twice, and one that never comes.
    #[test]
    fn embedding((d, vocabulary, n, seed) in sizes()) {
        let ids: Vec<usize> = (0..2 * n).map(|i| i % n % vocabulary).collect();
        let target = matrix(d, ids.len(), !seed);
        check_parameters(Embedding::new(vocabulary + 1, d, &mut shared::rng(seed)), |layer, tape| {
            squared_error(layer.forward(tape, &ids), &target)
        });
    }

    /// All layers in a row, dropout in between, under the loss of classifiers.
    #[test]
    fn a_small_network((d, hidden, n, seed) in sizes()) {
        let rng = &mut shared::rng(seed);
        let model = Classifier {
            words: Embedding::new(4, d, rng),
            hidden: Linear::new(d, hidden + 4, rng),
            output: Linear::new(hidden + 4, 3, rng),
        };
        let ids: Vec<usize> = (0..n + 3).map(|i| i % 4).collect();
        let targets: Vec<usize> = (0..n + 3).map(|i| (i * i) % 3).collect();
        check_parameters(model, |model, tape| {
            tape.begin_training(shared::rng(seed));
            let h = model.hidden.forward(model.words.forward(tape, &ids)).tanh();
            cross_entropy(model.output.forward(h.dropout(0.1)), &targets)
        });
    }

    /// One parameter in two places: its gradient is the sum of both.
    #[test]
    fn tied_weights((d, _, n, seed) in sizes()) {
        let x = matrix(d, n, !seed);
        let tied = Param::new(matrix(d, d, seed) * 0.5);
        check_parameters(tied, |tied, tape| {
            let w = tape.param(tied);
            let h = (w * tape.constant(x.clone())).tanh();
            tape.param(tied).tr_mul(h).square().sum()
        });
    }

    /// A batch in one piece and cut into shards: the same loss and gradients.
    #[test]
    fn shards((inputs, outputs, n, seed) in sizes(), cut in any::<prop::sample::Index>()) {
        let layer = Linear::new(inputs, outputs, &mut shared::rng(seed));
        let (x, y) = (matrix(inputs, n + 1, seed), matrix(outputs, n + 1, !seed));
        let cut = cut.index(n + 2);
        let shard = |first: usize, count: usize| {
            (x.columns(first, count).into_owned(), y.columns(first, count).into_owned())
        };
        let loss = |shards: &[(Matrix, Matrix)]| {
            loss_and_gradients(shards, |tape, (x, y)| {
                squared_error(layer.forward(tape.constant(x.clone())), y)
            })
        };
        let (whole, whole_gradients) = loss(&[shard(0, n + 1)]);
        let (parts, parts_gradients) = loss(&[shard(0, cut), shard(cut, n + 1 - cut)]);
        assert_close!(parts, whole, 1e-12);
        let id = layer.weight.id();
        assert_close!(parts_gradients.get(id).unwrap(), whole_gradients.get(id).unwrap(), 1e-12);
    }
}
