//! Chapter 16 in f64: every new operation, whole models and the copier against finite differences.

use gradients::check_parameters;
use language_model::answering::{divergence, policy_loss};
use language_model::induction::{Copier, Keys};
use language_model::network::gelu_tanh;
use language_model::{Config, Experts, Gpt, NetworkKind, NormKind, RmsNorm, SwiGlu, silu};
use shared::{Module, Param, Tape, Var, check_gradients, rng};
use tests::uneven;

/// Uneven weights for the entries of what is checked.
fn loss<'t>(tape: &'t Tape, y: Var<'t>) -> Var<'t> {
    let (rows, columns) = y.shape();
    y.component_mul(tape.constant(uneven(rows, columns, 5.0))).sum()
}

/// A model of two blocks, with gains and biases that are neither 1 nor 0.
fn model(change: impl Fn(&mut Config)) -> Gpt {
    let mut config = Config { width: 8, feed_forward: 6, longest: 5, ..Config::today(5) };
    change(&mut config);
    let mut model = Gpt::new(&config, &mut rng(1));
    moved(&mut model);
    *model.words.weight.value_mut() *= 3.0; // a normalisation of short tokens is strongly curved
    model
}

fn moved(module: &mut impl Module) {
    let mut i = 0.0;
    module.for_each_parameter(|name, param| {
        if name.ends_with("bias") || name.contains("norm") {
            i += 1.0;
            let rows = param.value().nrows();
            *param.value_mut() += uneven(rows, 1, i) * 0.3;
        }
    });
}

#[test]
fn normalisation_and_gate() {
    check_gradients(&[uneven(4, 3, 0.0)], 1e-8, |_, x| silu(x[0]));
    let mut norm = RmsNorm::new(4);
    moved_norm(&mut norm);
    check_gradients(&[uneven(4, 3, 0.0)], 1e-8, |_, x| norm.forward(x[0]));
    let x = uneven(4, 3, 0.0);
    check_parameters(norm, |norm, tape| loss(tape, norm.forward(tape.constant(x.clone()))), "norm");
    let gate = SwiGlu::new(4, 3, &mut rng(2));
    check_parameters(gate, |gate, tape| loss(tape, gate.forward(tape.constant(x.clone()))), "gate");
}

fn moved_norm(norm: &mut RmsNorm) {
    *norm.weight.value_mut() += uneven(4, 1, 1.0) * 0.3;
}

#[test]
fn whole_models() {
    let texts: [&[usize]; 2] = [&[0, 3, 1, 4, 2], &[0, 2, 2]];
    type Change = fn(&mut Config);
    let changes: [(&str, Change); 5] = [
        ("today", |_| ()),
        ("GPT-2", |config| {
            *config = Config { longest: 5, width: 8, feed_forward: 6, ..Config::gpt2(5) }
        }),
        ("two of three experts", |config| {
            (config.experts, config.kept, config.balance) = (3, 2, 0.0)
        }),
        ("one of two experts", |config| (config.experts, config.balance) = (2, 0.0)),
        ("one group, ReLU", |config| {
            (config.groups, config.network, config.norm) = (1, NetworkKind::Relu, NormKind::Layer);
        }),
    ];
    for (name, change) in changes {
        check_parameters(model(change), |model, tape| model.loss(tape, &texts), name);
    }
}

/// The gradient of the balance term, which stands in no loss: that of a loss to which it is added.
#[test]
fn experts_are_balanced() {
    let (x, of) = (uneven(4, 5, 0.0), |balance, experts: &mut Experts| experts.balance = balance);
    let mut experts = Experts::new(4, 3, 3, 1, &mut rng(5));
    let mut gradient = |balance| {
        of(balance, &mut experts);
        let tape = Tape::new();
        let y = loss(&tape, experts.forward(tape.constant(x.clone())));
        y.backward().of(&experts.router.weight).unwrap().clone()
    };
    let found = gradient(0.5) - gradient(0.0);
    let term = |w: &shared::Matrix| {
        let tape = Tape::no_grad();
        let p = (tape.constant(w.clone()) * tape.constant(x.clone())).softmax();
        let chosen = experts.choose(&p.value());
        let mut f = [0.0; 3];
        chosen.iter().for_each(|chosen| f[chosen[0]] += 3.0 / 5.0);
        0.5 * p.value().row_iter().zip(f).map(|(p, f)| f * p.sum()).sum::<f64>()
    };
    let expected = shared::finite_differences(term, experts.router.weight.value());
    tests::assert_close!(found, expected, 1e-7);
}

#[test]
fn copiers() {
    let texts: [&[usize]; 2] = [&[3, 1, 3, 1, 3], &[2, 0, 2]];
    for keys in [Keys::Own, Keys::WithPrevious] {
        let copier = Copier::new(4, 8, 2, 2, keys, &mut rng(3));
        check_parameters(copier, |copier, tape| copier.loss(tape, &texts), &format!("{keys:?}"));
    }
}

#[test]
fn gelu_by_a_tanh_has_the_derivative_it_claims() {
    check_parameters(
        Param::new(uneven(5, 6, 0.1) * 3.0),
        |x, tape| loss(tape, gelu_tanh(tape.param(x))),
        "gelu_tanh",
    );
}

/// The surrogate's gradient: the advantages are numbers, as if they had no cause.
#[test]
fn a_reward_and_the_divergence_reach_the_logits() {
    let (answers, advantages) = ([0, 3, 1, 1], [0.5, -0.5, 1.0, 0.25]);
    check_parameters(
        Param::new(uneven(5, 4, 0.3) * 2.0),
        |x, tape| {
            let logits = tape.param(x);
            policy_loss(logits, &answers, &advantages)
                + divergence(logits, &uneven(5, 4, 1.7)) * 0.7
        },
        "answers",
    );
}
