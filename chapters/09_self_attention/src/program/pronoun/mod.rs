//! What does *it* look at?
//!
//! | module | holds |
//! |---|---|
//! | [`sentences`] | sentences in which *it* can be either of two nouns |
//! | [`guesser`] | two blocks of attention, and a bag of words |
//! | `measure` | one training, all trainings, what they gave |

pub mod guesser;
mod measure;
pub mod sentences;

pub use measure::{Config, Example, Looks, Numbers, Pronoun, Right, first, measure};

use super::section::Section;
use shared::Matrix;
use workbench::figure::{Heatmap, Svg};
use workbench::program::{Table, say};

impl Section for Pronoun {
    fn figures(&self) -> Vec<(&'static str, Svg)> {
        let pictures: Vec<Heatmap> = self.examples.iter().map(picture).collect();
        let panels: Vec<Svg> = pictures.iter().map(Heatmap::panel).collect();
        vec![("pronoun", Svg::grid(&panels, 2).keyed(&pictures[0].key()))]
    }

    fn report(&self) {
        let mut table = Table::new(["names what “it” is", "mean", "lowest", "highest"]);
        let numbers = &self.numbers;
        for (name, spread) in [
            ("attention", &numbers.attention.all),
            ("attention, everywhere", &numbers.everywhere.all),
            ("a bag of words", &numbers.bag.all),
            ("the nearer noun", &numbers.nearest),
            ("the chosen head looks there", &numbers.looks.trained),
            ("before training", &numbers.looks.untrained),
        ] {
            let [mean, low, high] =
                [spread.mean, spread.lowest, spread.highest].map(|x| format!("{x:.3}"));
            table.row([name.to_owned(), mean, low, high]);
        }
        say("\nWhat “it” is, and where a head looks: shares of the test's sentences");
        say(&table);
    }
}

/// Two sentences that differ in their last word: a row an ending, a column a word.
fn picture([one, other]: &[Example; 2]) -> Heatmap {
    let last = |example: &Example| example.words[example.words.len() - 1].clone();
    let mut words = one.words.clone();
    let count = words.len();
    words[count - 1] = "…".to_owned();
    let weights = Matrix::from_fn(2, count, |i, j| [one, other][i].weights[j]);
    Heatmap::new("What “it” looks at", "word", "ending", &weights)
        .x_names(&words)
        .y_names(&[last(one), last(other)])
        .range(0.0..1.0)
}
