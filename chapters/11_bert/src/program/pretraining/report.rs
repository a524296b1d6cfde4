//! What `pretrain` prints when training is over: the ladder, examples, figures, `results.json`.

use super::beginning::Beginning;
use super::held::{Held, Scores};
use crate::program::texts::Corpus;
use crate::{Config, Pretraining, Rungs};
use serde_json::{Value, json};
use shared::{Module, Precision};
use workbench::error::Result;
use workbench::figure::{Chart, Svg};
use workbench::program::{Output, Table, say};
use workbench::training::History;

pub struct Pretrained {
    pub model: Pretraining,
    pub config: Config,
    pub beginning: Beginning,
    pub history: History,
}

pub(super) fn report(
    corpus: &Corpus,
    held: &Held,
    trained: &mut Pretrained,
    seed: u64,
    output: &Output,
) -> Result<Value> {
    let parameters = trained.model.parameter_count();
    let scores = held.judge(&trained.model);
    say(format!("\n{parameters} parameters; how it does on documents that it has not seen:\n"));
    print(held, &scores);
    let Pretrained { config, beginning, history, .. } = trained;
    output.figure("ladder", &ladder(history, &held.rungs, &scores))?;
    let (sentences, pieces) = corpus.training.size();
    Ok(json!({
        "seed": seed,
        "precision": Precision::current().name(),
        "config": config,
        "beginning": beginning,
        "parameters": parameters,
        "documents": corpus.training.documents.len(),
        "sentences": sentences,
        "pieces": pieces,
        "rungs": held.rungs,
        "test": scores,
        "in_common": scores.has_both_kinds().then_some(held.in_common),
        "epochs": history.epochs,
        "measured": {
            "tokens_per_second": history.tokens_per_second(),
            "training_seconds": history.timings.iter().map(|one| one.seconds).sum::<f64>(),
            "peak_mib": workbench::memory::peak_memory().map(|bytes| bytes >> 20),
        },
    }))
}

fn print(held: &Held, scores: &Scores) {
    let rungs = &held.rungs;
    let mut table = Table::new(["predicts a masked token", "nats", "perplexity"]);
    let rows = [
        ("uniform: knows how many pieces there are", rungs.uniform),
        ("unigram: knows how frequent each is", rungs.unigram),
        ("bigram: knows the piece before", rungs.bigram),
        ("the model: reads the whole pair, except masked tokens", scores.hidden),
    ];
    for (name, nats) in rows {
        table.row([name.to_owned(), format!("{nats:.3}"), format!("{:.1}", nats.exp())]);
    }
    say(table);
    let accuracy = scores.hidden_accuracy * 100.0;
    let masked = format!("MLM accuracy {accuracy:.1} % of {} masked tokens", scores.pieces);
    if !scores.has_both_kinds() {
        return say(format!("{masked}; pairs are of one kind alone here: NSP is not judged"));
    }
    say(format!(
        "{masked}; NSP accuracy {:.1} % of {} pairs ({:.3} nats)",
        scores.next_accuracy * 100.0,
        scores.pairs,
        scores.next
    ));
    say(format!(
        "(with nothing masked {:.1} %; by counting what both halves have in common {:.1} %)",
        scores.whole_accuracy * 100.0,
        held.in_common * 100.0
    ));
    if let (Some(follow), Some(other)) = (scores.follow_accuracy, scores.other_accuracy) {
        let [follow, other] = [follow, other].map(|share| share * 100.0);
        say(format!("(of those that follow {follow:.1} %, of those that do not {other:.1} %)"));
    }
}

fn ladder(history: &History, rungs: &Rungs, test: &Scores) -> Svg {
    let epochs = history.epochs.iter();
    let losses = epochs.filter_map(|e| Some((e.epoch as f64, e.evaluation.as_ref()?.loss)));
    let validation: Vec<(f64, f64)> = losses.collect();
    let last = history.epochs.len() as f64;
    let level = |nats: f64| [(0.0, nats), (last, nats)];
    Chart::new("What loss is normal?", "epoch", "nats a masked token")
        .line("the model, on validation documents", &validation)
        .points("the model, on test documents", &[(last, test.hidden)])
        .dashed("uniform", &level(rungs.uniform))
        .dashed("unigram", &level(rungs.unigram))
        .dashed("bigram", &level(rungs.bigram))
        .draw()
}
