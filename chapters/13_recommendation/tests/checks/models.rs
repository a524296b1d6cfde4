//! Naive twins, orders, what a state may know.

use crate::support::{ITEMS, TRAINED, history, model, recipe};
use rand::seq::SliceRandom;
use recommendation::program::Choice;
use recommendation::{
    Action, Candidates, Counted, Histories, ItemToItem, LastItem, Model, Popularity,
};
use shared::{Float, Matrix, Tape, Vector, rng};
use tests::assert_close;

/// DIN pair by pair, as the formulas of the page have it.
fn naive(model: &Model, history: &[Action], candidate: usize) -> (Float, Vec<Float>) {
    let Model::Din(din) = model else { panic!("a DIN") };
    let column = |table: &shared::Embedding, i: usize| -> Vector {
        table.weight.value().column(i).into_owned()
    };
    let apply = |layer: &shared::Linear, x: &Vector| -> Vector {
        let bias = layer.bias.as_ref().map(|bias| bias.value().column(0).into_owned());
        let y = layer.weight.value() * x;
        bias.map_or(y.clone(), |bias| y + bias)
    };
    let relu = |x: Vector| x.map(|x| x.max(0.0));
    let q = column(&din.behaviours.items, candidate);
    let mut u = Vector::zeros(q.len());
    let (mut keys, mut scores) = (Vec::new(), Vec::new());
    for (i, action) in history.iter().enumerate() {
        let mut k =
            column(&din.behaviours.items, action.item) + column(&din.behaviours.kinds, action.kind);
        if let Some(ages) = &din.behaviours.ages {
            k += column(ages, recommendation::histories::age(history.len() - 1 - i));
        }
        let unit = &din.unit;
        let product = apply(&unit.u_q, &q).component_mul(&apply(&unit.u_k, &k));
        let hidden = relu(apply(&unit.w_q, &q) + apply(&unit.w_k, &k) + product);
        scores.push(apply(&unit.v, &hidden)[0]);
        keys.push(k);
    }
    let weights = match din.pooling {
        recommendation::Pooling::Sum => scores,
        recommendation::Pooling::Mean => vec![1.0 / history.len() as Float; history.len()],
        recommendation::Pooling::Softmax => {
            let sum: Float = scores.iter().map(|score| score.exp()).sum();
            scores.iter().map(|score| score.exp() / sum).collect()
        }
    };
    keys.iter().zip(&weights).for_each(|(k, weight)| u += k * *weight);
    let both: Vec<Float> =
        u.iter().chain(&q).copied().chain(u.component_mul(&q).iter().copied()).collect();
    let hidden = relu(apply(&din.judge.hidden, &Vector::from_vec(both)));
    let bias = din.judge.item_bias.value()[candidate];
    (apply(&din.judge.output, &hidden)[0] + bias, weights)
}

#[test]
fn din_is_its_naive_twin() {
    let rng = &mut rng(0);
    for choice in [Choice::Average, Choice::DinSum, Choice::Din, Choice::DinWithoutAge] {
        let model = model(choice);
        let histories = [5, 1, 9].map(|length| history(length, rng));
        let candidates = [vec![3, 0], vec![7], vec![2, 2, 10]];
        let batch = Histories::new(&histories.each_ref().map(Vec::as_slice));
        let tape = Tape::new();
        let scored = model.ask(&tape, &batch, &Candidates::new(&candidates)).unwrap();
        let (mut logits, mut weights) = (Vec::new(), Vec::new());
        for (history, candidates) in histories.iter().zip(&candidates) {
            for candidate in candidates {
                let (logit, own) = naive(&model, history, *candidate);
                logits.push(logit);
                weights.extend(own);
            }
        }
        let row = |x: Vec<Float>| Matrix::from_row_slice(1, x.len(), &x);
        assert_close!(&*scored.logits.value(), row(logits), 2e-5);
        assert_close!(&*scored.weights.value(), row(weights), 2e-5);
    }
}

/// The order of a history counts only where ages or positions say it, and then it does.
#[test]
fn permuting_a_history_changes_what_it_should() {
    let rng = &mut rng(1);
    for choice in TRAINED {
        let model = model(choice);
        let history = history(9, rng);
        let mut other = history.clone();
        other.shuffle(rng);
        assert_ne!(history, other);
        let [a, b] =
            [&history, &other].map(|history| model.scores(&Histories::new(&[history]), ITEMS));
        let is_a_set =
            matches!(choice, Choice::DinWithoutAge | Choice::DinSumWithoutAge | Choice::Average);
        let difference = (&a - &b).amax();
        let fits = if is_a_set { difference < 2e-6 } else { difference > 1e-3 };
        assert!(fits, "{choice:?}: {difference}");
    }
}

/// A later action changes no earlier state, to the last bit.
#[test]
fn a_state_knows_nothing_of_later_actions() {
    let rng = &mut rng(2);
    for choice in [Choice::Sasrec, Choice::Gru] {
        let Model::Sequential(model) = model(choice) else { panic!("a sequential model") };
        let (mut one, two) = (history(8, rng), history(4, rng));
        let states = |one: &[Action]| {
            let tape = Tape::new();
            let (h, _) = model.forward(&tape, &Histories::new(&[one, &two]));
            Matrix::clone(&h.value())
        };
        let before = states(&one);
        one[5] = Action { item: (one[5].item + 1) % ITEMS, kind: one[5].kind };
        let after = states(&one);
        for column in (0..5).chain(8..12) {
            assert_eq!(before.column(column), after.column(column), "{choice:?}, {column}");
        }
        assert_ne!(before.column(5), after.column(5), "{choice:?}");
        assert_ne!(before.column(7), after.column(7), "{choice:?}");
    }
}

/// What is asked alone and what is asked beside others is the same.
#[test]
fn histories_side_by_side_do_not_disturb_each_other() {
    let rng = &mut rng(3);
    for choice in TRAINED {
        let model = model(choice);
        let histories = [3, 12, 1, 7].map(|length| history(length, rng));
        let together =
            model.scores(&Histories::new(&histories.each_ref().map(Vec::as_slice)), ITEMS);
        for (j, history) in histories.iter().enumerate() {
            let alone = model.scores(&Histories::new(&[history]), ITEMS);
            assert_close!(Matrix::from(together.columns(j, 1)), alone, 5e-6);
        }
    }
}

/// Three purchases, counted by hand.
#[test]
fn counts_are_those_of_the_fingers() {
    let [tea, mug, ink] = [0, 1, 2].map(|item| Action { item, kind: 0 });
    let histories: [&[Action]; 3] = [&[tea, tea, mug], &[mug], &[mug, ink]];
    let bought = || histories.into_iter().zip([2, 2, 0]);
    let popularity = Popularity::new(4, [2, 2, 0]);
    assert_eq!(popularity.counts(), [1.0, 0.0, 2.0, 0.0]);

    let last = LastItem::new(popularity, bought());
    let after_mug = last.scores(&[ink, mug]);
    assert_close!(after_mug[2], 2.0 + 2.0 / 3.0, 1e-6); // twice after a mug; popularity breaks ties
    assert_close!(after_mug[0], 1.0 / 3.0, 1e-6);
    assert_close!(last.scores(&[tea])[2], 2.0 / 3.0, 1e-6); // nothing followed tea

    let counts = ItemToItem::new(4, Counted::Item, bought());
    let of_mug = 2.0 / Float::sqrt(3.0 * 2.0); // c(mug, ink) = 2
    let of_tea = 1.0 / Float::sqrt(1.0 * 2.0); // tea counts once
    assert_close!(counts.weights(&[mug, tea, ink], 2)[..], [of_mug, of_tea, 0.0][..], 1e-6);
    let scores = counts.scores(&[mug, tea, mug]);
    assert_close!(scores[2], of_mug + of_tea, 1e-6);
    assert_eq!(scores[3], 0.0); // never bought: no quotient of noughts

    // A mug in a basket, and one that is longer ago, were followed by nothing.
    let basket = Action { kind: 1, ..mug };
    let of =
        |counted, history: &[Action]| ItemToItem::new(4, counted, bought()).weights(history, 2);
    assert_eq!(of(Counted::Item, &[basket]), of(Counted::Item, &[mug]));
    assert_close!(of(Counted::Kind, &[basket, mug])[..], [0.0, of_mug][..], 1e-6);
    assert_close!(of(Counted::Kind, &[mug, tea])[0], of_mug, 1e-6);
    assert_close!(of(Counted::Age, &[mug, tea])[0], 0.0, 1e-6); // an older mug was followed by tea alone
    assert_close!(of(Counted::Age, &[tea, mug])[1], 2.0 / Float::sqrt(2.0 * 2.0), 1e-6);
}

/// Candidates are scored in pieces of a catalogue: the last item gets what it gets by itself.
#[test]
fn a_long_catalogue_is_scored_in_pieces() {
    let (items, rng) = (2500, &mut rng(8));
    let histories = [history(4, rng), history(7, rng)];
    let histories = Histories::new(&[&histories[0], &histories[1]]);
    let model = recipe(Choice::Din).model(items, 3, 3).expect("is trained");
    let scores = model.scores(&histories, items);
    let tape = Tape::no_grad();
    for item in [0, 1023, 1024, 2499] {
        let asked = Candidates::new(&[vec![item], vec![item]]);
        let logits = model.ask(&tape, &histories, &asked).unwrap().logits.value();
        assert_close!(logits.as_slice(), [scores[(item, 0)], scores[(item, 1)]], 1e-5);
    }
}
