//! What the evidence of chapters 5, 6, 7 and 10 shares: texts, trainings, the numbers of a translator, BLEU by length.

use crate::Numbers;
use crate::arguments::StudyArgs;
use crate::comparison::Row;
use seq2seq::Translator;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::judge::{bleu_by_length, judge};
use seq2seq::translating::{Chapter, Description, Words, recurrent};
use serde_json::Value;
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};
use workbench::training::{History, Options};

/// A number and its name.
pub type Found = Vec<(String, f64)>;

/// The pairs that all are trained on, the same for all seeds, which differ in initial parameters, batches and dropout.
pub fn corpus(arguments: &StudyArgs, pairs: usize) -> Corpus {
    Corpus::generated(pairs, 1, arguments.common.seed)
}

/// How many pairs and words it has.
pub fn counted(corpus: &Corpus) -> BTreeMap<String, Value> {
    let Words { source, target } = corpus.words();
    let counts = [
        ("training_pairs", corpus.training.len()),
        ("source_words", source),
        ("target_words", target),
    ];
    counts.map(|(name, count)| (name.to_owned(), count.into())).into()
}

/// Epochs of every recurrent translator.
pub const EPOCHS: usize = 15;

/// How they are trained.
pub fn options(seed: u64) -> Options {
    Options { seed, epochs: EPOCHS, ..recurrent::options() }
}

/// A row of so many epochs.
pub fn row<C>(name: &str, config: C, epochs: usize) -> Row<C> {
    Row { epochs, ..Row::new(name, config) }
}

/// A model that is trained as a chapter trains its own, in batches of 64.
pub fn trained<C: Description, M: Translator>(
    chapter: &Chapter<C, M>,
    corpus: &Corpus,
    config: &C,
    options: &Options,
) -> Result<(M, History)> {
    let trained = chapter.train(corpus, config, 64, options)?;
    Ok((trained.model, trained.history))
}

/// Its parameters; on every part BLEU of a beam of four and greedy, chrF, the loss, the share equal to the reference
/// and the alignment error rate; BLEU of greedy translations by length.
pub fn numbers(model: &mut impl Translator, corpus: &Corpus) -> Found {
    let mut found = vec![("parameters".to_owned(), model.parameter_count() as f64)];
    let scores: Vec<_> = corpus.tests.iter().map(|part| judge(model, corpus, part)).collect();
    for score in &scores {
        let numbers = [
            ("bleu", score.bleu),
            ("greedy", score.greedy),
            ("chrf", score.chrf),
            ("loss", score.loss),
            ("exact", score.exact),
        ];
        let aer = score.aer.map(|aer| ("aer", aer));
        let numbers = numbers.into_iter().chain(aer);
        found.extend(numbers.map(|(name, number)| (format!("{}_{name}", score.part), number)));
    }
    let lengths = bleu_by_length(&corpus.tests, &scores[..2]);
    found.extend(lengths.iter().map(|of| (format!("length_{}", of.from), of.bleu)));
    found
}

/// A line of a chart: its row, what it is called, its colour.
pub type Line = (&'static str, &'static str, Colour);

/// BLEU by the number of source words, from the lowest seed to the highest; the longest sentences that were trained on
/// end at the dashed line.
pub fn by_length(title: &str, found: &Numbers, lines: &[Line]) -> Svg {
    with_longest(lines.iter().fold(empty(title), |chart, line| drawn(chart, found, line))).draw()
}

/// The same of models of one kind that differ in size, the largest first: the larger, the wider its line.
pub fn by_length_in_depths(title: &str, found: &Numbers, lines: &[Line]) -> Svg {
    let chart = lines
        .iter()
        .zip([5, 4, 2, 1])
        .fold(empty(title), |chart, (line, width)| drawn(chart, found, line).wide(width));
    with_longest(chart).draw()
}

fn empty(title: &str) -> Chart {
    Chart::new(title, "source words", "BLEU").y_range(0.0..100.0)
}

fn drawn(chart: Chart, found: &Numbers, (row, name, colour): &Line) -> Chart {
    let lengths = (1..100_u32).step_by(4); // more than the longest sentence has
    let points: Vec<_> = lengths
        .filter_map(|from| {
            let bleu = found.of(row, &format!("length_{from}"))?;
            Some(bleu.at(f64::from(from) + 1.5)) // four lengths
        })
        .collect();
    if points.is_empty() { chart } else { chart.spread(name, points).coloured(*colour) }
}

fn with_longest(chart: Chart) -> Chart {
    let longest = parallel::LONGEST_TRAINED as f64 + 0.5;
    chart.dashed("longest trained", &[(longest, 0.0), (longest, 100.0)]).coloured(colour::GIVEN)
}
