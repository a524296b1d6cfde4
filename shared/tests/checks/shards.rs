//! The same sums on any number of threads.

use rand::RngExt;
use rayon::ThreadPoolBuilder;
use shared::{
    Float, Linear, LossAndGradients, Matrix, Module, Param, ParamGradients, Tape, Var,
    cross_entropy, rng,
};

/// Eight shards of uneven random numbers: their sum depends on its order.
fn shards(count: usize) -> Vec<(Matrix, Vec<usize>)> {
    let rng = &mut rng(1);
    let shards = (1..=3).cycle().take(count).map(|n| {
        let x = Matrix::from_fn(5, n, |_, _| rng.random::<f32>().powi(7) as Float * 9.0);
        (x, (0..n).map(|_| rng.random_range(0..4)).collect())
    });
    shards.collect()
}

fn loss<'t>(layer: &Linear, tape: &'t Tape, (x, targets): &(Matrix, Vec<usize>)) -> Var<'t> {
    cross_entropy(layer.forward(tape.constant(x.clone())), targets)
}

/// All bits of a sum.
fn bits(layer: &mut Linear, sum: &LossAndGradients) -> Vec<Float> {
    [vec![sum.loss], sum.gradients.to_numbers(layer)].concat()
}

#[test]
fn one_group_of_eight_two_of_four_and_four_of_two_give_the_same_bits_on_any_threads() {
    let (shards, mut layer) = (shards(8), Linear::new(5, 4, &mut rng(0)));
    let mut all = Vec::new();
    for threads in [1, 2, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for size in [8, 4, 2, 1] {
            let groups: Vec<_> = shards.chunks(size).enumerate().collect();
            let sum = pool.install(|| {
                LossAndGradients::accumulate(&groups, &mut |(group, shards)| {
                    let first = group * size;
                    LossAndGradients::of_shards(shards, first, |tape, _, s| loss(&layer, tape, s))
                })
            });
            all.push(bits(&mut layer, &sum));
        }
    }
    assert!(all.iter().all(|numbers| *numbers == all[0]));
    // The order matters at all: one shard after another gives other bits.
    let in_a_row = shards.iter().map(|s| {
        LossAndGradients::of_shards(std::slice::from_ref(s), 0, |tape, _, s| loss(&layer, tape, s))
    });
    let in_a_row = in_a_row.reduce(LossAndGradients::plus).unwrap();
    assert_ne!(bits(&mut layer, &in_a_row), all[0]);
}

#[test]
fn groups_of_a_power_of_two_fit_any_number_of_groups() {
    for (count, size) in [(6, 2), (10, 2), (12, 4), (7, 2), (5, 4)] {
        let (shards, mut layer) = (shards(count), Linear::new(5, 4, &mut rng(0)));
        let run = |shards: &&[_]| {
            LossAndGradients::of_shards(shards, 0, |tape, _, s| loss(&layer, tape, s))
        };
        let groups: Vec<_> = shards.chunks(size).collect();
        let (whole, grouped) =
            (run(&&shards[..]), LossAndGradients::accumulate(&groups, &mut |g| run(g)));
        assert_eq!(bits(&mut layer, &whole), bits(&mut layer, &grouped), "{count} by {size}");
    }
}

#[test]
fn shards_know_their_numbers_and_nothing_is_a_sum_too() {
    let numbers = LossAndGradients::of_shards(&[(); 5], 10, |tape, number, ()| {
        tape.constant(Matrix::from_element(1, 1, number as Float)) * 1.0
    });
    assert_eq!(numbers.loss, 60.0);
    assert_eq!(LossAndGradients::of_shards(&[(); 0], 0, |_, _, ()| unreachable!()).loss, 0.0);
}

#[test]
fn frozen_parameters_cost_no_gradient() {
    let mut layer = Linear::new(5, 4, &mut rng(0));
    layer.freeze(|name| name == "weight");
    let shards = shards(2);
    let sum = LossAndGradients::of_shards(&shards, 0, |tape, _, s| loss(&layer, tape, s));
    assert!(sum.gradients.get(layer.weight.id()).is_none());
    assert!(sum.gradients.get(layer.bias.as_ref().unwrap().id()).is_some());
    // Nor does what is made of them alone: no backward is kept for it.
    layer.freeze(|_| true);
    let tape = Tape::new();
    let frozen = loss(&layer, &tape, &shards[0]);
    assert!(!frozen.needs_gradient());
    let kept = std::rc::Rc::new(());
    let seen = kept.clone();
    tape.push([frozen], Matrix::zeros(1, 1), move |_, _, _| drop(seen));
    assert_eq!(std::rc::Rc::strong_count(&kept), 1);
}

/// A norm that is summed while shards are added has the bits of one over the sum, also where only one shard knows a
/// parameter, and after a change.
#[test]
fn the_norm_of_a_sum_does_not_depend_on_when_its_squares_are_added() {
    let noise = |rows, columns, seed| {
        let rng = &mut rng(seed);
        Matrix::from_fn(rows, columns, |_, _| rng.random::<f32>() as Float - 0.5)
    };
    let params = [(200, 200), (3, 5), (7, 1)].map(|(m, n)| Param::new(noise(m, n, 0)));
    let shard = |seed, known: usize| -> ParamGradients {
        let known = params[..known].iter();
        known.map(|p| (p.id(), noise(p.value().nrows(), p.value().ncols(), seed))).collect()
    };
    let mut sum = shard(1, 2);
    sum.merge(shard(2, 3));
    for _ in 0..2 {
        let again = params.iter().map(|param| (param.id(), sum.get(param.id()).unwrap().clone()));
        let again: ParamGradients = again.collect();
        assert_eq!(sum.norm().to_bits(), again.norm().to_bits());
        sum.scale(0.3);
    }
    sum.merge(shard(3, 1));
    let again: ParamGradients =
        params.iter().map(|param| (param.id(), sum.get(param.id()).unwrap().clone())).collect();
    assert_eq!(sum.norm().to_bits(), again.norm().to_bits());
}
