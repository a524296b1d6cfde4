//! The comparison: every training, the claims, the figures.

use super::arguments::{Arguments, What};
use super::claims::{claims, table_4};
use super::jobs::{bahdanau_of, jobs, label, run};
use super::mechanisms::NARROW;
use super::quick::quick;
use super::results::{Comparison, Results};
use super::rows::{by_displacement, differences, print, rows};
use super::{footing, pictures, reordering, stuck, timing};
use seq2seq::translating::corpus::Corpus;
use shared::Module;
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::program::{Output, say};
use workbench::study::side_by_side;

/// One of the page's comparisons.
///
/// # Errors
/// When a file cannot be written, or a training fails.
pub fn compare(arguments: &Arguments) -> Result<()> {
    let output = Output::open(&arguments.repeated.common, "luong")?;
    let corpus = Corpus::generated(arguments.pairs as usize, 1, arguments.repeated.common.seed);
    match arguments.what {
        What::Table => table(arguments, &corpus, &output),
        What::Footing => footing::run(arguments, &corpus, &output),
        What::Stuck => stuck::run(arguments, &corpus, &output),
    }
}

/// Trains and judges every mechanism.
fn table(arguments: &Arguments, corpus: &Corpus, output: &Output) -> Result<()> {
    let base = arguments.base(corpus);
    let parameters = bahdanau_of(&base).parameter_count();
    let jobs = jobs(arguments, &base, parameters)?;
    say(format!("{} trainings of models with {parameters} parameters", jobs.len()));
    let epochs = jobs.len() * arguments.repeated.epochs as usize;
    let done = side_by_side("comparing", &jobs, epochs, |job, progress| {
        let done = run(job, corpus, arguments, progress)?;
        progress.say(format!(
            "{} seed {}: BLEU {:.1}, AER {:.1} %, displaced {:.1}",
            label(job),
            job.seed,
            done.worth.run.bleu,
            done.worth.run.aer * 100.0,
            done.worth.run.displaced.bleu
        ));
        Ok(done)
    })?;
    pictures::draw_alignments(output, corpus, &jobs, &done)?;
    let rows = rows(&jobs, &done);
    let results = Results {
        claims: claims(&rows),
        differences: differences(&jobs, &done),
        table_4: if arguments.only.is_empty() { table_4(&rows) } else { BTreeMap::new() },
        plan: Comparison {
            pairs: arguments.pairs as usize,
            epochs: arguments.repeated.epochs as usize,
            seeds: arguments.repeated.seeds as usize,
            hidden: base.hidden,
            embedding: base.embedding,
            parameters,
        },
        rows,
        by_displacement: by_displacement(&jobs, &done),
        displaced: reordering::count(&corpus.tests[0], NARROW),
        quick: quick()?,
        measured: timing::measure(corpus, &jobs),
    };
    output.figure("displacement", &pictures::words_found(&results.by_displacement))?;
    print(&results);
    output.results(&results)
}
