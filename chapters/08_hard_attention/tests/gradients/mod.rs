//! Chapter 8 in f64: the enumerated gradient and every operation against finite differences, and the
//! sampled gradient against the enumerated one, exactly, as a finite sum over all looks.

use gradients::check_parameters;
use hard_attention::estimator::{estimate, exact, variance};
use hard_attention::retrieval::{Method, Model, World};
use hard_attention::sequence::{Credit, reinforce_in_turn};
use hard_attention::{
    entropy, expected_loss, log_probability, look, marginal_loss, reinforce, straight_through,
};
use shared::{Matrix, Module, Tape, Var, check_gradients, finite_differences, rng};
use tests::assert_close;

/// Uneven numbers in −1.5 … 1.5.
fn uneven(rows: usize, columns: usize, phase: f64) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| 1.5 * (1.3 * i as f64 + 2.1 * j as f64 + phase).sin())
}

/// Losses of 3 queries at 4 places, all positive.
fn losses() -> Matrix {
    uneven(1, 12, 2.0).map(|l| l + 2.0)
}

fn alpha(scores: &Matrix) -> Matrix {
    Matrix::clone(&Tape::no_grad().constant(scores.clone()).softmax().value())
}

#[test]
fn operations() {
    let scores = uneven(4, 3, 0.5);
    check_gradients(std::slice::from_ref(&scores), 1e-8, |_, x| log_probability(x[0], &[2, 0, 2]));
    check_gradients(std::slice::from_ref(&scores), 1e-8, |_, x| entropy(x[0]));
    let inputs = [scores, losses()];
    check_gradients(&inputs, 1e-8, |_, x| expected_loss(x[0], x[1]));
    check_gradients(&inputs, 1e-8, |_, x| marginal_loss(x[0], x[1]));
}

/// Mean and variance of the estimate are sums over m looks, whatever the baseline.
#[test]
fn the_estimate_is_unbiased_and_its_variance_is_the_stated_one() {
    let (scores, l) = (uneven(4, 1, 0.5), [0.3, 2.0, 1.1, 0.7]);
    let alpha = alpha(&scores);
    let gradient = exact(alpha.as_slice(), &l);
    for b in [-3.0, 0.0, 0.9, 7.0] {
        let draws: Vec<_> = (0..4).map(|s| estimate(alpha.as_slice(), s, l[s], b)).collect();
        let mean = (0..4).fold(gradient.map(|_| 0.0), |sum, s| sum + &draws[s] * alpha[s]);
        assert_close!(mean, gradient, 1e-12);
        let spread: f64 = (0..4).map(|s| alpha[s] * (&draws[s] - &mean).norm_squared()).sum();
        assert_close!(variance(alpha.as_slice(), &l, b), spread, 1e-12);
    }
}

/// The value is the loss; both routes of the backward, with the loss a constant on the second.
#[test]
fn reinforce_follows_both_routes() {
    let (scores, answers, places, b) = (uneven(4, 3, 0.5), uneven(1, 3, 1.0), [2, 0, 2], 0.4);
    let tape = Tape::new();
    let (s, l) = (tape.leaf(scores.clone()), tape.leaf(answers.clone()));
    let objective = reinforce(l.square(), log_probability(s, &places), b);
    let squares = answers.map(|l| l * l);
    assert_close!(objective.scalar(), squares.sum(), 1e-12);
    let gradients = (objective * 3.0).backward();
    assert_close!(gradients.wrt(l), &answers * 6.0, 1e-12);

    let surrogate = |scores: &Matrix| {
        let tape = Tape::no_grad();
        let ln_alpha = log_probability(tape.constant(scores.clone()), &places).value();
        3.0 * squares.map(|l| l - b).dot(&ln_alpha)
    };
    assert_close!(gradients.wrt(s), finite_differences(surrogate, &scores), 1e-8);
}

/// Every parameter of the model: the mean of the sampled gradient over all looks of one query equals
/// the enumerated gradient, which equals finite differences of the expected loss.
#[test]
fn sampled_gradients_average_to_the_enumerated_one_for_every_parameter() {
    let rng = &mut rng(3);
    let world = World::new(rng);
    let mut episode = world.episode(rng);
    episode.queries = episode.queries.columns(0, 1).into_owned(); // one query, 64 looks
    episode.answers.truncate(1);
    let mut model = Model::new(rng);
    let mut phase = 0.0;
    model.for_each_parameter(|_, param| {
        phase += 1.0;
        let (rows, columns) = param.value().shape();
        *param.value_mut() += uneven(rows, columns, phase) * 0.1;
    });
    let gradient = |model: &Model, method: Method, u: f64| {
        let tape = Tape::new();
        model.loss(&tape, &episode, method, &[u]).objective.backward().into_params()
    };
    let tape = Tape::no_grad();
    let scores = model.scores(&tape, &episode);
    let alpha = Matrix::clone(&scores.softmax().value());
    let goal = gradient(&model, Method::Enumerated, 0.0);
    assert_eq!(goal.len(), 4); // W, the preferences, the reader's weight and bias
    for baseline in [0.0, 2.5] {
        let mut below = 0.0;
        let mut means = goal.iter().map(|(_, d)| d * 0.0).collect::<Vec<_>>();
        for place in 0..alpha.len() {
            let u = below + alpha[place] / 2.0; // the middle of this place's share
            below += alpha[place];
            let method = Method::Sampled { baseline, entropy: 0.0 };
            for (id, d) in gradient(&model, method, u) {
                let at = goal.iter().position(|(known, _)| *known == id).expect("a parameter");
                means[at] += d * alpha[place];
            }
        }
        for (mean, (_, goal)) in means.iter().zip(&goal) {
            assert!(goal.amax() > 1e-4, "nothing was checked");
            assert_close!(mean, goal, 1e-10);
        }
    }
    check_parameters(
        model,
        |model, tape| model.loss(tape, &episode, Method::Enumerated, &[]).objective,
        "enumerated",
    );
}

/// Forward the value that was found, backward the gradient of soft attention at that output.
#[test]
fn straight_through_has_the_gradient_of_soft_attention() {
    let (scores, values, places) = (uneven(4, 3, 0.5), uneven(2, 4, 1.0), [2, 0, 2]);
    let doutput = uneven(2, 3, 4.0);
    let run = |forward: &dyn for<'t> Fn(Var<'t>, Var<'t>) -> Var<'t>| {
        let tape = Tape::new();
        let (s, v) = (tape.leaf(scores.clone()), tape.leaf(values.clone()));
        let output = forward(s, v);
        let value = Matrix::clone(&output.value());
        let gradients = output.component_mul(tape.constant(doutput.clone())).sum().backward();
        (value, gradients.wrt(s), gradients.wrt(v))
    };
    let through = run(&|s, v| straight_through(s, v, &places));
    let soft = run(&|s, v| v * s.softmax());
    let hard = run(&|_, v| v.select_columns(&places));
    assert_close!(through.0, hard.0, 1e-15);
    assert_close!(through.1, soft.1, 1e-12);
    assert_close!(through.2, hard.2, 1e-12);
}

/// No gradient reaches the scores through the context: only through `ln α_z`.
#[test]
fn a_look_lets_no_gradient_through_its_context() {
    let tape = Tape::new();
    let (scores, values) = (tape.leaf(uneven(4, 3, 0.5)), tape.leaf(uneven(2, 4, 1.0)));
    let look = look(scores, values, &[0.1, 0.5, 0.9]);
    let gradients = look.contexts.sum().backward();
    assert_eq!(gradients.wrt(scores).amax(), 0.0);
    assert!(gradients.wrt(values).amax() > 0.0);
}

/// Two looks among three places, the second where the note of the first says: the mean of the estimate over all nine
/// sequences is the exact gradient when a look answers for the whole loss or for the loss to go, whatever the
/// baselines, and is not when it answers for its own alone.
#[test]
fn estimates_of_looks_in_turn_average_to_the_exact_gradient() {
    // Scores of the second look and its losses: a column for each first place.
    let [first, second] = [uneven(3, 1, 0.5), uneven(3, 3, 1.0)];
    let [l_1, l_2] = [uneven(3, 1, 2.0), uneven(3, 3, 3.0)];
    let pairs = || (0..3).flat_map(|a| (0..3).map(move |b| (a, b)));
    let expected = |x: &Matrix| {
        let [p, q] = [alpha(x), alpha(&second)];
        pairs().map(|(a, b)| p[a] * q[(b, a)] * (l_1[a] + l_2[(b, a)])).sum::<f64>()
    };
    let goal = finite_differences(expected, &first);
    for credit in [Credit::Whole, Credit::ToGo, Credit::Own] {
        let mut mean = Matrix::zeros(3, 1);
        for (a, b) in pairs() {
            let tape = Tape::new();
            let (s_1, s_2) = (tape.leaf(first.clone()), tape.leaf(second.clone()));
            let losses = [l_1[a], l_2[(b, a)]].map(|l| tape.leaf(Matrix::from_element(1, 1, l)));
            let looks =
                [log_probability(s_1, &[a]), log_probability(s_2.select_columns(&[a]), &[b])];
            let sum = reinforce_in_turn(&losses, &looks, credit, &[2.9, -0.4]);
            let chance = alpha(&first)[a] * alpha(&second)[(b, a)];
            mean += sum.backward().wrt(s_1) * chance;
        }
        assert_eq!((&mean - &goal).amax() < 1e-8, credit != Credit::Own, "{credit:?}");
    }
}
