//! What the program prints of its results.

use super::adding::LENGTHS;
use super::apple::Reading;
use super::cell::Cell;
use super::figures::figures;
use super::results::Results;
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::figure::Svg;
use workbench::program::{Table, say};
use workbench::study::Findings;

impl Findings for Results {
    fn print(&self) {
        let heads = ["cell", "fresh: 10 steps", "99 steps", "trained: 10 steps", "99 steps"];
        let mut table = Table::new(heads);
        for cell in Cell::ALL {
            let [fresh, trained] =
                [&self.flow.fresh, &self.flow.trained].map(|of| &of[cell.name()]);
            let [a, b, c, d] =
                [fresh[5], fresh[12], trained[5], trained[12]].map(|norm| format!("{norm:.1e}"));
            table.row([cell.name().into(), a, b, c, d]);
        }
        say("The norm of the gradient of a state with respect to the one 10 and 99 steps before");
        say(&table);

        let mut table = Table::new(["cell", "length 10", "50", "100", "200"]);
        for cell in Cell::ALL {
            let error = |t| format!("{:.4}", self.adding[&format!("t{t}")][cell.name()].error);
            let [a, b, c, d] = LENGTHS.map(error);
            table.row([cell.name().into(), a, b, c, d]);
        }
        say("Adding: mean squared error after training; always answering 1 gives 0.1667");
        say(&table);

        let mut table = Table::new(["reads", "at 苹果", "at the first word", "at the last"]);
        for reading in Reading::ALL {
            let right = &self.apple.accuracy[reading.name()];
            let [a, b, c] = [right.apple, right.first, right.last].map(|x| format!("{x:.4}"));
            table.row([reading.name().into(), a, b, c]);
        }
        say("Fruit or company: accuracy on sentences that training has not seen");
        say(&table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        figures(self).into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect()
    }
}
