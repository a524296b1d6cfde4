//! Histories, and small models of every kind.

use rand::RngExt;
use recommendation::program::{Choice, Recipe};
use recommendation::{Action, Model};
use shared::{Module, Rng, rng};

pub const ITEMS: usize = 11;

/// Those that are trained.
pub const TRAINED: [Choice; 8] = [
    Choice::Average,
    Choice::DinSum,
    Choice::DinSumWithoutAge,
    Choice::Din,
    Choice::DinWithoutAge,
    Choice::Atrank,
    Choice::Sasrec,
    Choice::Gru,
];

pub fn recipe(choice: Choice) -> Recipe {
    let recipe = Recipe::new(choice);
    Recipe { width: 6, hidden: 5, longest: 12, batch: 4, epochs: 2, ..recipe }
}

/// A model for eleven items and three kinds, its parameters all different.
pub fn model(choice: Choice) -> Model {
    let mut model = recipe(choice).model(ITEMS, 3, 3).expect("is trained");
    let rng = &mut rng(4);
    model.for_each_parameter(|_, param| {
        param.value_mut().iter_mut().for_each(|x| *x += rng.random_range(-0.2..0.2));
    });
    model
}

pub fn history(length: usize, rng: &mut Rng) -> Vec<Action> {
    (0..length)
        .map(|_| Action { item: rng.random_range(0..ITEMS), kind: rng.random_range(0..3) })
        .collect()
}
