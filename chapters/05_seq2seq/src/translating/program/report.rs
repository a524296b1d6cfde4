//! What `train` prints when training is over: scores, examples, figures, `results.json`.

use crate::Translator;
use crate::alignment::on_words;
use crate::decoding::{Translation, beam_within, cut_off};
use crate::translating::corpus::Corpus;
use crate::translating::drawing::draw;
use crate::translating::judge::{
    BEAM, LengthScore, Scores, WrittenScore, bleu_by_length, forced_alignment, judge,
};
use crate::translating::training::chapter::Trained;
use crate::written::BleuTokens;
use corpora::{END, Pair};
use serde::Serialize;
use shared::{Matrix, Precision};
use workbench::error::Result;
use workbench::figure::{Chart, Svg};
use workbench::program::{Output, Table, progress, say};
use workbench::training::{Epoch, History};

#[derive(Serialize)]
pub(crate) struct Results {
    seed: u64,
    precision: &'static str,
    training_pairs: usize,
    source_words: usize,
    target_words: usize,
    parameters: usize,
    scores: Vec<Scores>,
    by_length: Vec<LengthScore>,
    examples: Vec<Example>,
    epochs: Vec<Epoch>,
    measured: Measured,
}

#[derive(Serialize)]
struct Measured {
    tokens_per_second: f64,
    training_seconds: f64,
}

/// A sentence, what a model makes of it, and what it should have made.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    pub source: String,
    pub translation: String,
    pub reference: String,
}

/// Judges a model, prints and draws its scores; what is to be kept of them.
pub(crate) fn report(
    name: &str,
    corpus: &Corpus,
    trained: &mut Trained<impl Translator>,
    seed: u64,
    output: &Output,
) -> Result<Results> {
    let parameters = trained.model.parameter_count();
    let (model, history) = (&trained.model, &trained.history);
    say(format!("\n{parameters} parameters; how it does on sentences that it has not seen:\n"));
    let bar = progress(corpus.tests.len() as u64, "parts").with_message("translating the tests");
    bar.tick();
    let mut scores = Vec::new();
    for part in &corpus.tests {
        scores.push(judge(model, corpus, part));
        bar.inc(1);
    }
    bar.finish_and_clear();
    print(&scores);
    without_blanks(corpus).into_iter().for_each(say);
    let by_length = bleu_by_length(&corpus.tests, &scores[..scores.len().min(2)]);
    let pairs = examples(corpus);
    let found: Vec<_> = pairs.iter().map(|pair| translated(model, corpus, pair)).collect();
    let examples = pairs.iter().zip(&found).map(|(pair, found)| example_of(corpus, pair, found));
    let examples: Vec<_> = examples.collect();
    say(if is_generated(corpus) {
        "\nSentences that return through the chapters, hard ones:"
    } else {
        "\nThe first sentences of the test:"
    });
    examples.iter().for_each(show);
    show_alignment(corpus, &pairs[0], &found[0]);
    output.figure("learning", &learning_curve(history))?;
    if !by_length.is_empty() {
        output.figure("by_length", &draw::by_length(name, &by_length))?;
    }
    for (number, pair) in (1..).zip(&pairs) {
        if let Some(figure) = alignment_figure(model, corpus, pair) {
            output.figure(&format!("alignment_{number}"), &figure)?;
        }
    }
    Ok(Results {
        seed,
        precision: Precision::current().name(),
        training_pairs: corpus.training.len(),
        source_words: corpus.source.len(),
        target_words: corpus.target.len(),
        parameters,
        scores,
        by_length,
        examples,
        epochs: history.epochs.clone(),
        measured: Measured {
            tokens_per_second: history.tokens_per_second(),
            training_seconds: history.timings.iter().map(|timing| timing.seconds).sum(),
        },
    })
}

fn print(scores: &[Scores]) {
    let mut table = Table::new(["part", "pairs", "loss", "BLEU", "greedy", "chrF", "exact", "AER"]);
    for s in scores {
        let percent = |x: f64| format!("{:.1} %", x * 100.0);
        table.row([
            s.part.clone(),
            s.sentences.to_string(),
            format!("{:.3}", s.loss),
            format!("{:.1}", s.bleu),
            format!("{:.1}", s.greedy),
            format!("{:.1}", s.chrf),
            percent(s.exact),
            s.aer.map_or("–".to_owned(), percent),
        ]);
    }
    say(table);
    say(
        "loss: nats a word, of the references · BLEU: of translations found by beam search, up to 100",
    );
    say("greedy: BLEU word by word · chrF: the same of letters · exact: equal to the reference");
    if scores.iter().any(|s| s.aer.is_some()) {
        say("AER: alignment error rate of the largest weights, 0 is perfect");
    }
    scores.iter().filter(|s| s.written.is_some()).for_each(print_written);
    scores.iter().filter_map(|s| cut_off(s.cut, s.sentences)).for_each(say);
}

/// BLEU as others print it.
fn print_written(scores: &Scores) {
    say(format!(
        "\nagainst the references of `{}` as they were written (95 % interval):",
        scores.part
    ));
    for WrittenScore { signature, bleu, interval: [low, high] } in scores.written.iter().flatten() {
        say(format!("BLEU {bleu:.1} ({low:.1} to {high:.1})  {signature}"));
    }
}

/// What is to be said where the tokens of BLEU are whole sentences.
fn without_blanks(corpus: &Corpus) -> Option<&'static str> {
    let references = || corpus.tests[0].pairs.iter().filter_map(|pair| pair.written.as_ref());
    let without = references().filter(|text| !text.contains(char::is_whitespace)).count();
    let are_whole = corpus.bleu == BleuTokens::Mteval13a && 2 * without > references().count();
    are_whole.then_some(
        "most references have no blanks between words, and 13a takes each for one: --bleu char counts \
         characters",
    )
}

/// Whether the course generated the texts: it knows which word translates which.
fn is_generated(corpus: &Corpus) -> bool {
    corpus.tests[0].pairs.iter().all(|pair| pair.alignment.is_some())
}

/// The course's own examples where its texts were learnt, else pairs of the reader's texts.
fn examples(corpus: &Corpus) -> Vec<Pair> {
    if is_generated(corpus) {
        parallel::examples()
    } else {
        corpus.tests[0].pairs.iter().take(5).cloned().collect()
    }
}

pub fn example(model: &impl Translator, corpus: &Corpus, pair: &Pair) -> Example {
    example_of(corpus, pair, &translated(model, corpus, pair))
}

fn translated(model: &impl Translator, corpus: &Corpus, pair: &Pair) -> Translation {
    let source = closed(corpus.source.encode(&pair.source));
    beam_within(model, &[&source], BEAM, 1.0, corpus.per_word).remove(0)
}

fn example_of(corpus: &Corpus, pair: &Pair, found: &Translation) -> Example {
    let text = |words: &[String]| corpus.tokenizer.detokenize(words);
    Example {
        source: text(&pair.source),
        translation: text(&corpus.target.decode(&found.words)),
        reference: text(&pair.target),
    }
}

fn show(example: &Example) {
    say(format!("\n  {}\n→ {}", example.source, example.translation));
    if example.translation != example.reference {
        say(format!("  ({} was expected)", example.reference));
    }
}

/// Where the model looked while it translated an example, for the terminal.
fn show_alignment(corpus: &Corpus, pair: &Pair, found: &Translation) {
    let source = closed(corpus.source.encode(&pair.source));
    if found.alignment.nrows() == source.len() && !found.words.is_empty() {
        let weights = corpus_words(corpus, &source, &found.words, &found.alignment);
        let words = corpus.target.decode(&found.words);
        say("\nWhere it looked, word by word (darker is more):\n");
        let [source, target] = [&pair.source, &words].map(|words| shown(corpus, words));
        say(draw::in_text(&weights, &source, &target));
    }
}

/// The model's weights on the reference, of models that align.
pub fn alignment_figure(model: &impl Translator, corpus: &Corpus, pair: &Pair) -> Option<Svg> {
    let source = closed(corpus.source.encode(&pair.source));
    let target = closed(corpus.target.encode(&pair.target));
    let weights = forced_alignment(model, &source, &target)?;
    let weights = corpus_words(corpus, &source, &target[..target.len() - 1], &weights);
    let [source, target] = [&pair.source, &pair.target].map(|words| shown(corpus, words));
    let pair = Pair { source, target, ..pair.clone() };
    Some(draw::alignment("", &weights, &pair).draw())
}

fn shown(corpus: &Corpus, words: &[String]) -> Vec<String> {
    words.iter().map(|word| corpus.tokenizer.shown(word)).collect()
}

/// Weights on the words of a source that is closed and of a target that is not.
fn corpus_words(corpus: &Corpus, source: &[usize], target: &[usize], weights: &Matrix) -> Matrix {
    let source = corpus.source.spans(&source[..source.len() - 1]);
    on_words(weights, &source, &corpus.target.spans(target))
}

fn closed(mut words: Vec<usize>) -> Vec<usize> {
    words.push(END);
    words
}

fn learning_curve(history: &History) -> Svg {
    let epochs = history.epochs.iter();
    let training: Vec<_> = epochs.clone().map(|e| (e.epoch as f64, e.loss)).collect();
    let validation: Vec<_> = epochs
        .filter_map(|e| e.evaluation.as_ref().map(|found| (e.epoch as f64, found.loss)))
        .collect();
    Chart::new("Learning", "epoch", "cross-entropy, nats a word")
        .line("training", &training)
        .line("validation", &validation)
        .draw()
}
