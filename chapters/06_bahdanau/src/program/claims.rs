//! What was expected before the comparison ran.

use super::looks::{Class, Look};
use seq2seq::translating::{LengthSpread, ModelScores};
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::study::Spread;

pub fn claims(
    models: &BTreeMap<String, ModelScores>,
    looks: &BTreeMap<Class, Look>,
) -> BTreeMap<String, Claim> {
    let (with, without) = (&models["with"], &models["without"]);
    let bleu = |model: &'static str, part| &models[model].parts[part].bleu;
    let aer = |part: &str| with.parts[part].aer.as_ref().map_or(1.0, |aer| aer.highest);
    let gap = |part| differences(bleu("with", part), bleu("without", part));
    workbench::claims([
        (
            "parameters",
            "the two models differ in parameters by less than 2 %",
            with.parameters.abs_diff(without.parameters) * 50 < with.parameters,
        ),
        (
            "test",
            "with attention BLEU is at least 90 on the test part, with every seed",
            bleu("with", "test").lowest >= 90.0,
        ),
        (
            "long",
            "without attention BLEU is lower by at least 20 on the long part, with every seed",
            gap("long").iter().all(|gap| *gap >= 20.0),
        ),
        (
            "compositional",
            "without attention BLEU is lower by at least 20 on the compositional part, with every seed",
            gap("compositional").iter().all(|gap| *gap >= 20.0),
        ),
        (
            "flat",
            "with attention the mean BLEU of 13–16 words is at most 5 below that of 5–8 words; without, at least 20",
            falls(with) <= 5.0 && falls(without) >= 20.0,
        ),
        (
            "flat_beyond",
            "with attention the mean BLEU of 21–24 words, longer than anything in training, is at most 10 below that of 13–16",
            of_length(with, 13) - of_length(with, 21) <= 10.0,
        ),
        (
            "aer",
            "the alignment error rate is below 25 % on the test part, with every seed",
            aer("test") < 0.25,
        ),
        (
            "content",
            "nouns and adjectives have more than 80 % of their weight on the word they translate, articles less",
            looks[&Class::Noun].own > 0.8
                && looks[&Class::Adjective].own > 0.8
                && looks[&Class::Article].own < 0.8,
        ),
    ])
}

fn differences(a: &Spread, b: &Spread) -> Vec<f64> {
    a.of_seeds.iter().zip(&b.of_seeds).map(|(a, b)| a - b).collect()
}

/// By how much the mean BLEU falls from 5–8 source words to 13–16.
fn falls(model: &ModelScores) -> f64 {
    of_length(model, 5) - of_length(model, 13)
}

fn of_length(model: &ModelScores, from: usize) -> f64 {
    let range = |range: &&LengthSpread| range.from == from;
    model.by_length.iter().find(range).map_or(f64::NAN, |range| range.bleu.mean)
}
