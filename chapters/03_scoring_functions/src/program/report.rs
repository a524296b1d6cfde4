//! What the program prints of its results.

use super::figures::charts;
use super::results::Results;
use super::scaling::{Scaling, sizes};
use super::world::Setting;
use crate::kinds::Kind;
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::figure::Svg;
use workbench::program::{Table, say};
use workbench::study::Findings;

impl Findings for Results {
    fn print(&self) {
        print_scaling(self);
        print_recall(self);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        charts(self).into_iter().map(|(name, chart)| (name.to_owned(), chart)).collect()
    }
}

fn print_scaling(results: &Results) {
    let scaled = "with 1/√d: variance";
    let mut table =
        Table::new(["d", "variance", "entropy", "Jacobian", scaled, "entropy", "Jacobian"]);
    for d in sizes().into_iter().step_by(2) {
        let Scaling { unscaled, scaled, .. } = &results.scaling[&format!("d{d}")];
        let [[a, b, c], [e, f, g]] = [unscaled, scaled].map(|at| {
            let [variance, entropy] = [at.variance, at.entropy].map(|x| format!("{x:.2}"));
            [variance, entropy, format!("{:.1e}", at.jacobian_median)]
        });
        table.row([d.to_string(), a, b, c, e, f, g]);
    }
    say(
        "Strangers: 64 keys, entries independent standard normal; entropy in nats, Jacobian: median norm",
    );
    say(&table);
}

fn print_recall(results: &Results) {
    let mut table = Table::new(["score", "parameters", "same", "rotated", "wider", "position"]);
    for kind in Kind::ALL {
        let at = |setting: Setting| results.recall[setting.name()].get(kind.name());
        let cell = |setting| at(setting).map_or("·".into(), |l| format!("{:.3}", l.accuracy));
        let parameters = at(Setting::Same).map_or(0, |learned| learned.parameters);
        let [a, b, c, d] = Setting::ALL.map(cell);
        table.row([kind.name().replace('_', " "), parameters.to_string(), a, b, c, d]);
    }
    let [a, b, c, d] = Setting::ALL.map(|s| format!("{:.3}", results.ceiling[s.name()]));
    table.row(["(nearest key)".into(), "".into(), a, b, c, d]);
    say("Recall: accuracy after training, means over the seeds; chance is 0.062");
    say(&table);
}
