//! One head or several?
//!
//! | module | holds |
//! |---|---|
//! | [`texts`] | English sentences |
//! | [`filler`] | models that predict a masked word |
//! | `measure` | all trainings, and what they gave |

pub mod filler;
mod measure;
pub mod texts;

pub use filler::Kind;
pub use measure::{Config, Filled, Heads, measure};

use super::section::Section;
use workbench::program::{Table, say};

impl Section for Heads {
    fn report(&self) {
        let mut table = Table::new(["model", "parameters", "nats", "lowest", "highest", "right"]);
        for (name, found) in &self.filled {
            let Filled { parameters, loss, right } = found;
            let [mean, low, high, right] =
                [loss.mean, loss.lowest, loss.highest, right.mean].map(|x| format!("{x:.3}"));
            table.row([name.clone(), parameters.to_string(), mean, low, high, right]);
        }
        say("\nHidden words filled in: h and a number of heads, or a GRU");
        say(&table);
    }
}
