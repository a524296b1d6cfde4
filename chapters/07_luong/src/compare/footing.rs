//! Dot and general on equal footing: the same mechanisms with a learnt matrix before the score, as in
//! the large table, where `dot` is a general score because of it; and without one. Then each direction
//! of the encoder has half of a state's entries, and an annotation is as long as a state by itself.

use super::arguments::Arguments;
use super::jobs::{bahdanau_of, equalised};
use super::results::{Run, system};
use super::worth::Worth;
use crate::Scoring;
use crate::choices::{Chapter, Choices};
use crate::windows::Reach;
use seq2seq::Sizes;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::Config;
use seq2seq::translating::train_counted;
use seq2seq::translating::{Recipe, Repetitions};
use serde::{Deserialize, Serialize};
use shared::{Module, rng};
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::error::{Error, Result};
use workbench::program::{Output, say};
use workbench::study::{Bootstrap, Interval, Progress, Spread, side_by_side};
use workbench::{Claim, smaller};

/// One way to attend, with input feeding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    name: &'static str,
    reach: Reach,
    score: Scoring,
    window: u32,
    projected: bool,
}

/// The rows: those of Table 4 that compare words, without a projection; and three with one, the last of
/// which the page has in the large table, too.
pub const WAYS: [Way; 9] = [
    GLOBAL_DOT,
    GLOBAL_GENERAL,
    GLOBAL_DOT.projected(),
    GLOBAL_GENERAL.projected(),
    LOCAL_M_DOT,
    Way::new("local_m_general", Reach::LocalM, Scoring::General, 1),
    LOCAL_P_DOT,
    LOCAL_P_GENERAL,
    LOCAL_M_DOT.projected(),
];

const GLOBAL_DOT: Way = Way::new("global_dot", Reach::Global, Scoring::Dot, 1);
const GLOBAL_GENERAL: Way = Way::new("global_general", Reach::Global, Scoring::General, 1);
const LOCAL_M_DOT: Way = Way::new("local_m_dot", Reach::LocalM, Scoring::Dot, 1);
pub(super) const LOCAL_P_DOT: Way = Way::new("local_p_dot", Reach::LocalP, Scoring::Dot, 3);
pub(super) const LOCAL_P_GENERAL: Way =
    Way::new("local_p_general", Reach::LocalP, Scoring::General, 3);

impl Way {
    const fn new(name: &'static str, reach: Reach, score: Scoring, window: u32) -> Way {
        Way { name, reach, score, window, projected: false }
    }

    /// The same with a learnt matrix before the score. Three things change: there is the matrix, the
    /// encoder's directions are twice as wide, and the word vectors are narrower to pay for both.
    pub(super) const fn projected(self) -> Way {
        Way { projected: true, ..self }
    }

    /// Its key in the results, and its folder among the trainings that are kept.
    pub fn key(self) -> String {
        if self.projected { format!("projected_{}", self.name) } else { self.name.to_owned() }
    }

    /// The model's choices.
    pub fn choices(self) -> Choices {
        let Way { reach, score, window, projected, .. } = self;
        Choices { score, reach, window, projected, ..Choices::default() }
    }
}

/// `footing/figures/results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Footing {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// Entries of a state.
    pub hidden: usize,
    /// The rows by name.
    pub rows: BTreeMap<String, FootingRow>,
    /// By the name of one of [`PAIRS`] and by part: BLEU of one row minus that of another.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
    /// What was written down before it ran, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// Minutes that it took, those of kept trainings left out.
    pub minutes: f64,
}

/// A row over its seeds. Translations are those of greedy search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FootingRow {
    /// Entries of a word's vector.
    pub embedding: usize,
    /// Parameters.
    pub parameters: usize,
    /// Perplexity on the test.
    pub perplexity: Spread,
    /// BLEU on the test.
    pub bleu: Spread,
    /// The mean BLEU on the test, with the interval of the bootstrap.
    pub interval: Interval,
    /// chrF on the test.
    pub chrf: Spread,
    /// Alignment error rate on the test.
    pub aer: Spread,
    /// BLEU on longer sentences than any in training.
    pub long: Spread,
    /// Its mean with the interval of the bootstrap.
    pub long_interval: Interval,
    /// BLEU of the pairs in which no word lies outside a window of three.
    pub near: Spread,
    /// BLEU of the pairs in which a word does.
    pub displaced: Spread,
}

/// Rows that differ in one thing: a name, a row, and the one that its BLEU is held against.
pub const PAIRS: [(&str, &str, &str); 7] = [
    ("global", "global_dot", "global_general"),
    ("local_m", "local_m_dot", "local_m_general"),
    ("local_p", "local_p_dot", "local_p_general"),
    ("projected_global", "projected_global_dot", "projected_global_general"),
    ("dot_projection", "projected_global_dot", "global_dot"),
    ("general_projection", "projected_global_general", "global_general"),
    ("crossed", "projected_global_dot", "global_general"),
];

/// A training, and what it is worth.
pub(super) struct Judged {
    pub way: Way,
    embedding: usize,
    parameters: usize,
    pub worth: Worth,
}

/// Trains and judges every way with every seed, one seed of all before the next.
pub(super) fn trained(ways: &[Way], arguments: &Arguments, corpus: &Corpus) -> Result<Vec<Judged>> {
    let base = arguments.base(corpus);
    let parameters = bahdanau_of(&base).parameter_count();
    arguments.check(&ways.iter().map(|way| way.key()).collect::<Vec<_>>())?;
    let wanted = || ways.iter().filter(|way| arguments.wants(&way.key()));
    for way in wanted() {
        Chapter::check(&Config::new(&base, way.choices())).map_err(Error::argument)?;
    }
    let sized: Vec<(Way, Sizes)> =
        wanted().map(|way| (*way, equalised(&base, &way.choices(), parameters))).collect();
    let seeds = arguments.repeated.seeds();
    let jobs: Vec<(Way, &Sizes, u64)> = seeds
        .iter()
        .flat_map(|seed| sized.iter().map(|(way, sizes)| (*way, sizes, *seed)))
        .collect();
    let epochs = jobs.len() * arguments.repeated.epochs as usize;
    side_by_side("comparing", &jobs, epochs, |(way, sizes, seed), progress: &Progress| {
        let (config, options) =
            (Config::new(sizes, way.choices()), arguments.options(&way.key(), *seed));
        let batch = arguments.batch as usize;
        let mut model = train_counted::<Chapter>(progress, corpus, &config, batch, &options)?.model;
        let worth = Worth::of(&model, corpus);
        let (name, bleu, aer) = (way.key(), worth.run.bleu, 100.0 * worth.run.aer);
        progress.say(format!("{name} seed {seed}: BLEU {bleu:.1}, AER {aer:.1} %"));
        let parameters = model.parameter_count();
        Ok(Judged { way: *way, embedding: sizes.embedding, parameters, worth })
    })
}

/// Trains, judges, records.
pub(super) fn run(arguments: &Arguments, corpus: &Corpus, output: &Output) -> Result<()> {
    let begin = Instant::now();
    let judged = trained(&WAYS, arguments, corpus)?;
    let mut results = Footing::new(arguments, corpus, &judged);
    results.claims = claims(&results);
    results.minutes = (begin.elapsed().as_secs_f64() / 6.0).round() / 10.0;
    results.claims.values().for_each(say);
    output.results(&results)
}

impl Footing {
    fn new(arguments: &Arguments, corpus: &Corpus, judged: &[Judged]) -> Footing {
        let of = |name: &str| -> Vec<&Judged> {
            judged.iter().filter(|run| run.way.key() == name).collect()
        };
        let system = |name: &str, part: usize| {
            system(&of(name).iter().map(|run| &run.worth).collect::<Vec<_>>(), part)
        };
        let row = |way: Way| {
            let name = way.key();
            let runs = of(&name);
            let spread =
                |of: fn(&Run) -> f64| Spread::of(runs.iter().map(|run| of(&run.worth.run)));
            let interval = |part: usize| {
                let system = system(&name, part);
                Bootstrap::default().score(&system, &mut rng(part as u64)).rounded()
            };
            let row = FootingRow {
                embedding: runs.first()?.embedding,
                parameters: runs.first()?.parameters,
                perplexity: spread(|run| run.perplexity),
                bleu: spread(|run| run.bleu),
                interval: interval(0),
                chrf: spread(|run| run.chrf),
                aer: spread(|run| run.aer),
                long: spread(|run| run.long),
                long_interval: interval(1),
                near: spread(|run| run.near.bleu),
                displaced: spread(|run| run.displaced.bleu),
            };
            Some((name.clone(), row))
        };
        let pair = |(name, a, b): (&str, &str, &str)| {
            let both = !of(a).is_empty() && !of(b).is_empty();
            let part = |i: usize| {
                // the same drawn sentences for every pair
                let (a, b) = (system(a, i), system(b, i));
                let found = Bootstrap::default().difference(&a, &b, &mut rng(i as u64));
                (corpus.tests[i].name.clone(), found.rounded())
            };
            both.then(|| (name.to_owned(), (0..2).map(part).collect()))
        };
        Footing {
            plan: Repetitions::new(&arguments.repeated, corpus),
            hidden: arguments.hidden as usize,
            rows: WAYS.into_iter().filter_map(row).collect(),
            differences: PAIRS.into_iter().filter_map(pair).collect(),
            claims: BTreeMap::new(),
            minutes: 0.0,
        }
    }
}

/// Table 4 of the paper once more, without a projection, and what we expect of the projection: (name,
/// of what, which is smaller, which is larger, the sentence).
type Expected =
    (&'static str, fn(&FootingRow) -> &Spread, &'static str, &'static str, &'static str);

const EXPECTED: [Expected; 10] = [
    (
        "global_bleu",
        |row| &row.bleu,
        "global_general",
        "global_dot",
        "everywhere, dot has a higher BLEU than general (18.6, 17.3)",
    ),
    (
        "local_m_perplexity",
        |row| &row.perplexity,
        "local_m_general",
        "local_m_dot",
        "in local-m's window, general has a lower perplexity than dot (6.2, over 7.0)",
    ),
    (
        "local_p_perplexity",
        |row| &row.perplexity,
        "local_p_general",
        "local_p_dot",
        "in local-p's window, general has a lower perplexity than dot (5.9, 6.6)",
    ),
    (
        "local_p_bleu",
        |row| &row.bleu,
        "local_p_dot",
        "local_p_general",
        "in local-p's window, general has a higher BLEU than dot (19.0, 18.0)",
    ),
    (
        "dot_local_m",
        |row| &row.perplexity,
        "global_dot",
        "local_m_dot",
        "with dot, global attention has a lower perplexity than local-m (6.1, over 7.0)",
    ),
    (
        "dot_local_p",
        |row| &row.perplexity,
        "local_p_dot",
        "local_m_dot",
        "with dot, local-p has a lower perplexity than local-m (6.6, over 7.0)",
    ),
    (
        "general_local_m",
        |row| &row.perplexity,
        "global_general",
        "local_m_general",
        "with general, global attention has a lower perplexity than local-m (6.1, 6.2)",
    ),
    (
        "general_local_p",
        |row| &row.perplexity,
        "local_p_general",
        "global_general",
        "with general, local-p has a lower perplexity than global attention (5.9, 6.1)",
    ),
    (
        "dot_projection",
        |row| &row.bleu,
        "global_dot",
        "projected_global_dot",
        "a learnt matrix before it raises the BLEU of dot, everywhere",
    ),
    (
        "one_matrix",
        |row| &row.bleu,
        "projected_global_general",
        "projected_global_dot",
        "behind a learnt matrix, dot has a higher BLEU than general, everywhere",
    ),
];

/// Judges what Table 4 says by the numbers of these rows: decided when the seeds do not overlap.
pub fn claims(footing: &Footing) -> BTreeMap<String, Claim> {
    let judged = |(name, of, less, more, claim): Expected| {
        let of_seeds = |row: &str| Some(&of(footing.rows.get(row)?).of_seeds);
        Some((name, claim, smaller(of_seeds(less)?, of_seeds(more)?)))
    };
    workbench::claims(EXPECTED.into_iter().filter_map(judged))
}
