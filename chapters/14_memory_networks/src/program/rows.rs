//! What is compared.

use crate::Order;
use crate::world::Task;
use serde::Serialize;
use shared::Float;
use workbench::study::Row;

/// A task, and who answers it.
#[derive(Clone, Debug, Serialize)]
pub struct Config {
    /// One of `Task::ALL`, or 7 and 8: one fact and two facts of kin.
    pub task: usize,
    pub model: Model,
    pub questions: usize,
    pub epochs: usize,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub enum Model {
    Memory {
        hops: usize,
        /// The share of steps without a softmax over sentences.
        linear: f64,
        positions: bool,
        times: bool,
    },
    /// Three hops. In the steps of a linear start, with a softmax or without, a score's gradient is multiplied.
    Scaled { softmax: bool, factor: Float },
    /// Of about as many parameters as three hops.
    SelfAttention,
    KeyValue {
        /// Keys and values; else key and value are the sentence.
        facts: bool,
        positions: bool,
        #[serde(skip_serializing_if = "none")]
        linear: f64,
    },
}

fn none(share: &f64) -> bool {
    *share == 0.0
}

impl Config {
    pub fn order(positions: bool) -> Order {
        if positions { Order::Positions } else { Order::Bag }
    }
}

const THREE: Model = Model::Memory { hops: 3, linear: LINEAR, positions: true, times: true };

/// The chapter's linear start: a tenth of the steps.
pub const LINEAR: f64 = 0.1;

pub fn rows() -> Vec<Row<Config>> {
    let row = |name: String, task, model| {
        Row::new(name, Config { task, model, questions: 10_000, epochs: 20 })
    };
    let three = |positions, times| Model::Memory { hops: 3, linear: LINEAR, positions, times };
    let mut rows = Vec::new();
    for (i, task) in Task::ALL.iter().enumerate() {
        let softmax = Model::Memory { hops: 3, linear: 0.0, positions: true, times: true };
        let one = Model::Memory { hops: 1, linear: LINEAR, positions: true, times: true };
        let models = [
            ("three hops", THREE),
            ("softmax from the start", softmax),
            ("one hop", one),
            ("self-attention", Model::SelfAttention),
        ];
        let name = task.name();
        rows.extend(models.map(|(model, config)| row(format!("{name} with {model}"), i, config)));
    }
    rows.push(row("two facts with bags of words".to_owned(), 1, three(false, true)));
    rows.push(row("two facts with no times".to_owned(), 1, three(true, false)));
    let scaled = |softmax, factor| Model::Scaled { softmax, factor };
    rows.push(row("two facts with ten times the gradients".to_owned(), 1, scaled(true, 10.0)));
    rows.push(row(
        "two facts with a linear start and a tenth of the gradients".to_owned(),
        1,
        scaled(false, 0.1),
    ));
    for (task, name) in [(7, "kin one fact"), (8, "kin two facts")] {
        for (start, linear) in [("", 0.0), ("linear ", LINEAR)] {
            let models = [
                ("keys and values", Model::KeyValue { facts: true, positions: false, linear }),
                ("sentences", Model::KeyValue { facts: false, positions: true, linear }),
                ("bags of words", Model::KeyValue { facts: false, positions: false, linear }),
            ];
            let named = |(model, config)| row(format!("{name} with {start}{model}"), task, config);
            rows.extend(models.map(named));
        }
    }
    rows
}
