//! What does *it* look at?
//!
//! | module | holds |
//! |---|---|
//! | [`sentences`] | sentences in which *it* can be either of two nouns |
//! | [`guesser`] | two blocks of attention, and a bag of words |
//! | `measure` | one training, all trainings, what they gave |
//! | `figures` | the picture |

mod figures;
pub mod guesser;
mod measure;
pub mod sentences;

pub use figures::figures;
pub use measure::{Config, Example, Looks, NEAR, Pronoun, Right, measure, trainings};

use super::section::Section;
use workbench::figure::Svg;
use workbench::program::{Table, say};

impl Section for Pronoun {
    fn figures(&self) -> Vec<(&'static str, Svg)> {
        figures(self)
    }

    fn report(&self) {
        let mut table = Table::new(["names what “it” is", "mean", "lowest", "highest"]);
        for (name, spread) in [
            ("attention", &self.attention.all),
            ("attention, everywhere", &self.everywhere.all),
            ("a bag of words", &self.bag.all),
            ("the nearer noun", &self.nearest),
            ("the chosen head looks there", &self.looks.trained),
            ("before training", &self.looks.untrained),
        ] {
            let [mean, low, high] =
                [spread.mean, spread.lowest, spread.highest].map(|x| format!("{x:.3}"));
            table.row([name.to_owned(), mean, low, high]);
        }
        say("\nWhat “it” is, and where a head looks: shares of the test's sentences");
        say(&table);
    }
}
