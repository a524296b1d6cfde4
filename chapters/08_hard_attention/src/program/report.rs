//! What the program prints of its results.

use super::figures::charts;
use super::learning::Learned;
use super::results::Results;
use super::study::{Estimates, Study};
use super::training::Kind;
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::figure::Svg;
use workbench::program::{Table, say};
use workbench::study::Findings;

impl Findings for Results {
    fn print(&self) {
        self.study.iter().for_each(|(when, study)| print_study(when, study));
        print_trained(self);
        print_bonus(&self.bonus);
        say(format!("One who knows the world: {:.3}", self.ceiling.accuracy));
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        charts(self).into_iter().map(|(name, chart)| (name.to_owned(), chart)).collect()
    }
}

fn print_study(when: &str, study: &Study) {
    let mut table = Table::new(["baseline", "b", "variance", "measured", "furthest entry"]);
    for name in ["none", "moving", "optimal"] {
        let Estimates { baseline, variance, measured, largest_z, .. } = &study.baselines[name];
        let far = format!("{largest_z:.1} standard errors");
        let [variance, measured] = [variance, measured].map(|x| format!("{x:.3}"));
        table.row([name.to_owned(), format!("{baseline:.2}"), variance, measured, far]);
    }
    say(format!("Estimates of one gradient and its enumerated value, {when}"));
    say(&table);
    let Estimates { largest_z, cosine, .. } = study.straight_through;
    say(format!(
        "straight-through: furthest entry {largest_z:.0} standard errors, cosine with the gradient \
         {cosine:.3}\n"
    ));
}

fn print_trained(results: &Results) {
    let mut table = Table::new([
        "trained by",
        "argmax",
        "lowest",
        "solved",
        "mean",
        "sampled",
        "found",
        "elsewhere",
        "entropy",
        "steps to 0.8",
        "noise",
        "ms/step",
    ]);
    for kind in Kind::ALL {
        let at = &results.trained[kind.name()];
        let noise = results.noise["late"].get(kind.name());
        let [accuracy, lowest, mean, sampled, found, elsewhere] =
            [at.accuracy, at.lowest, at.mean, at.sampled, at.found, at.found_elsewhere]
                .map(|x| format!("{x:.3}"));
        table.row([
            kind.name().replace('_', " "),
            accuracy,
            lowest,
            solved(at),
            mean,
            sampled,
            found,
            elsewhere,
            format!("{:.2}", at.entropy),
            steps(at),
            noise.map_or("·".into(), |noise| format!("{:.2}", noise.batches)),
            format!("{:.2}", results.measured[kind.name()]),
        ]);
    }
    say("Retrieval: accuracy after training");
    say(&table);
}

fn print_bonus(bonus: &BTreeMap<String, Learned>) {
    let mut table = Table::new(["λ", "argmax", "solved", "entropy", "steps to 0.8"]);
    for (name, at) in bonus {
        let [accuracy, entropy] = [format!("{:.3}", at.accuracy), format!("{:.2}", at.entropy)];
        table.row([name.replace('_', "."), accuracy, solved(at), entropy, steps(at)]);
    }
    say("The entropy bonus");
    say(&table);
}

fn solved(at: &Learned) -> String {
    format!("{}/{}", at.solved, at.of_seeds.accuracy.of_seeds.len())
}

fn steps(at: &Learned) -> String {
    at.steps_to_80.map_or("·".to_owned(), |steps| steps.to_string())
}
