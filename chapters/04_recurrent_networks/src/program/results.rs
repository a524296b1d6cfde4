//! Everything the page quotes.

use super::adding::SOLVED;
use super::additions::Additions;
use super::apple::{Apple, Reading};
use super::cell::Cell;
use super::clipping::Clipping;
use super::flow::{self, Flow};
use super::gates::Gates;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::Claim;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub flow: Flow,
    pub adding: Additions,
    pub gates: Gates,
    pub clipping: Clipping,
    pub apple: Apple,
    pub claims: BTreeMap<String, Claim>,
}

/// What was claimed before the first run.
pub fn claims(adding: &Additions, flow: &Flow, apple: &Apple) -> BTreeMap<String, Claim> {
    let all = |length: &str, cell: Cell, holds: &dyn Fn(Float) -> bool| {
        let learned = &adding[length][cell.name()];
        holds(learned.lowest) && holds(learned.highest)
    };
    let (solves, fails) = (|error: Float| error < SOLVED, |error: Float| error > 0.15);
    let gated = [Cell::Gru, Cell::Lstm];
    let last =
        |norms: &BTreeMap<String, Vec<Float>>, cell: Cell| norms[cell.name()][flow::LAGS.len() - 1];
    let (forward, both) = (Reading::Forward.name(), Reading::Bidirectional.name());
    let list = [
        (
            "a_gated",
            "at length 100, GRU and LSTM solve the adding problem with every seed: error below 0.0017",
            gated.iter().all(|cell| all("t100", *cell, &solves)),
        ),
        (
            "b_plain",
            "at length 100, the plain network fails with every seed: error above 0.15",
            all("t100", Cell::Rnn, &fails),
        ),
        (
            "c_short",
            "at length 10, the plain network learns too, with every seed: error below 0.08",
            all("t10", Cell::Rnn, &|error| error < 0.08),
        ),
        (
            "d_fresh",
            "before training, the gradient over 99 steps is largest in the LSTM, then in the GRU, \
             then in the plain network",
            last(&flow.fresh, Cell::Lstm) > last(&flow.fresh, Cell::Gru)
                && last(&flow.fresh, Cell::Gru) > last(&flow.fresh, Cell::Rnn),
        ),
        (
            "e_trained",
            "after training at length 100, it is more than a thousand times as large in GRU and LSTM \
             as in the plain network",
            gated
                .iter()
                .all(|cell| last(&flow.trained, *cell) > 1000.0 * last(&flow.trained, Cell::Rnn)),
        ),
        (
            "f_forward",
            "at 苹果, a forward reader is right in exactly half of the test's sentences",
            apple.lowest[forward] == 0.5 && apple.highest[forward] == 0.5,
        ),
        (
            "g_both",
            "at 苹果, a bidirectional reader is right in more than 99 % of them",
            apple.lowest[both] > 0.99,
        ),
    ];
    workbench::claims(list)
}
