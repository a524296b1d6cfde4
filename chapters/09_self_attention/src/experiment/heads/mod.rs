//! One head or several, how far do they look, and along which relations?
//!
//! | module | holds |
//! |---|---|
//! | [`texts`] | English sentences, and which words belong together |
//! | [`filler`] | models that fill in a hidden word |
//! | [`looking`] | how far a head looks, and what it finds |
//! | `measure` | all trainings, and what they gave |
//! | `figures` | the pictures |

mod figures;
pub mod filler;
pub mod looking;
mod measure;
pub mod texts;

pub use figures::figures;
pub use measure::{Config, Filled, Heads, Kind, SEVERAL, measure, trainings};

use super::section::Section;
use workbench::figure::Svg;
use workbench::program::{Table, say};

impl Section for Heads {
    fn figures(&self) -> Vec<(&'static str, Svg)> {
        figures(self)
    }

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
