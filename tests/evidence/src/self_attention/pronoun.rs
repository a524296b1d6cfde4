//! Chapter 9: what does *it* look at? Two blocks of attention, with and without a window, and a bag of words name the
//! noun that it stands for.

use crate::comparison::{Comparison, Numbers, Row, short};
use scoring_functions::AttentionMask;
use self_attention::program::sentences::{FAMILIES, Sentence, examples};
use self_attention::program::{Batch, best, drawn, finds, logits, train, trained, weights};
use self_attention::reader::{Head, NEAR, Resolver};
use serde::Serialize;
use serde_json::{Value, json};
use shared::{Embedding, Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::{Heatmap, Svg};
use workbench::stream;

pub const PRONOUN: Comparison = Comparison {
    name: "pronoun",
    about: "What does “it” look at? Attention and a bag of words name the noun that it stands for",
    record: "09_self_attention/figures/results.json",
    claims: &[],
    figures: &[("pronoun", picture)],
    run: |this, arguments| {
        let rows = [("attention", Guess::Window), ("everywhere", Guess::All), ("bag", Guess::Bag)];
        let rows = rows.map(|(name, guess)| Row::new(name, guess)).into();
        this.compare_and(arguments, "sentences about it", rows, judge, || shown(0))
    },
};

/// What names the noun.
#[derive(Clone, Copy, Debug, Serialize)]
enum Guess {
    /// Attention whose first block sees four words to either side.
    Window,
    /// Attention that sees all.
    All,
    /// The words of the sentence, whatever their order.
    Bag,
}

/// A model, and the noun's logits.
type Named<'a> = &'a dyn for<'t> Fn(&'t Tape, &Batch) -> Var<'t>;

fn judge(guess: &Guess, seed: u64) -> Result<Vec<(String, f64)>> {
    let ([training, validation, test], vocabulary) = drawn(seed);
    let words = vocabulary.len();
    let right = |named: Named| {
        let batch = Batch::new(&test, &vocabulary);
        let logits = named(&Tape::no_grad(), &batch).value();
        let said = logits.column_iter().map(|column| column.imax());
        said.zip(&batch.answers).map(|(said, answer)| said == *answer).collect::<Vec<bool>>()
    };
    if let Guess::Bag = guess {
        let mut bag = Bag::new(words, &mut rng(stream(0, 700 + seed)));
        train(&mut bag, Bag::logits, &training, &vocabulary, seed)?;
        return Ok(by_family("", &right(&|tape, batch| bag.logits(tape, batch)), &test));
    }
    let mask = if let Guess::Window = guess { NEAR } else { AttentionMask::All };
    let start = || Resolver::new(words, mask.clone(), &mut rng(stream(0, 600 + seed)));
    let (fresh, mut model) = (start().reader, start());
    train(&mut model, logits, &training, &vocabulary, seed)?;
    let named = |model: &Resolver| right(&|tape, batch| logits(model, tape, batch));
    let mut numbers = by_family("", &named(&model), &test);
    let head = best(&model.reader, &validation, &vocabulary);
    let looks = finds(&weights(&model.reader, &test, &vocabulary), head, &test);
    numbers.extend(by_family("looks_", &looks, &test));
    let at_first = weights(&fresh, &test, &vocabulary);
    let best_at_first = best(&fresh, &validation, &vocabulary);
    let mut without = |head: Head| {
        let kept = model.reader.ablate(head);
        let found = share(&named(&model));
        model.reader.restore(head, kept);
        found
    };
    let others = fresh.heads().into_iter().filter(|other| *other != head);
    numbers.extend([
        ("looks_untrained".to_owned(), share(&finds(&at_first, head, &test))),
        ("looks_best_untrained".to_owned(), share(&finds(&at_first, best_at_first, &test))),
        ("without".to_owned(), without(head)),
        ("without_another".to_owned(), others.map(without).fold(1.0, f64::min)),
    ]);
    Ok(numbers)
}

fn share(so: &[bool]) -> f64 {
    so.iter().filter(|so| **so).count() as f64 / so.len() as f64
}

/// The share of all sentences of which it is so, and of each family's.
fn by_family(name: &str, so: &[bool], sentences: &[Sentence]) -> Vec<(String, f64)> {
    let families = FAMILIES.iter().enumerate().map(|(i, family)| {
        let within = so.iter().zip(sentences).filter(|(_, sentence)| sentence.family == i);
        (format!("{name}{family}"), share(&within.map(|(so, _)| *so).collect::<Vec<_>>()))
    });
    [(format!("{name}all"), share(so))].into_iter().chain(families).collect()
}

/// Where *it* looks in the sentences that the page shows, and how large everything is.
fn shown(seed: u64) -> Result<BTreeMap<String, Value>> {
    let (mut model, parts, vocabulary, head) = trained(seed)?;
    let words = vocabulary.len();
    let example = |sentence: Sentence| {
        let found =
            &weights(&model.reader, std::slice::from_ref(&sentence), &vocabulary)[head.block];
        let column = found.of(0, head.head).column(sentence.it).into_owned();
        let weights: Vec<f64> = column.iter().map(|weight| short(*weight)).collect();
        json!({ "words": sentence.words, "weights": weights })
    };
    let examples = examples().map(|two| two.map(example));
    let bag = Bag::new(words, &mut rng(0)).parameter_count();
    let sizes = json!({
        "sentences": parts.map(|part| part.len()), "words": words,
        "parameters": [model.parameter_count(), bag],
    });
    Ok([("examples", json!(examples)), ("sizes", sizes)].map(|(n, x)| (n.to_owned(), x)).into())
}

/// Two pairs of sentences that differ in their last word: a row an ending, a column a word.
fn picture(numbers: &Numbers) -> Svg {
    let pairs = numbers.once["examples"].as_array().into_iter().flatten();
    let pictures = pairs.map(|pair| {
        let words = |i: usize| -> Vec<&str> {
            pair[i]["words"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
        };
        let (mut names, endings) = (words(0), [0, 1].map(|i| *words(i).last().expect("words")));
        let count = names.len();
        names[count - 1] = "…";
        let weights = Matrix::from_fn(count, 2, |j, i| {
            pair[i]["weights"][j].as_f64().unwrap_or(0.0) as Float // column i: of “it” with ending i
        });
        Heatmap::new("What “it” looks at", "ending", "word", &weights)
            .x_names(&endings)
            .y_names(&names)
            .range(0.0..1.0)
    });
    let pictures: Vec<Heatmap> = pictures.collect();
    let panels: Vec<Svg> = pictures.iter().map(Heatmap::panel).collect();
    Svg::grid(&panels, 2).keyed(&pictures[0].key())
}

/// The sum of the words' vectors, and a network with a hidden layer.
struct Bag {
    words: Embedding,
    hidden: Linear,
    readout: Linear,
}

impl Bag {
    fn new(words: usize, rng: &mut Rng) -> Bag {
        let width = Resolver::WIDTH;
        let [hidden, readout] =
            [(width, 2 * width), (2 * width, words)].map(|(from, to)| Linear::new(from, to, rng));
        Bag { words: Embedding::new(words, width, rng), hidden, readout }
    }

    fn logits<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let offsets = &batch.texts.offsets;
        let mut belongs = Matrix::zeros(batch.texts.words.len(), offsets.len() - 1);
        for (j, ends) in offsets.windows(2).enumerate() {
            belongs.view_mut((ends[0], j), (ends[1] - ends[0], 1)).fill(1.0);
        }
        let sums = self.words.forward(tape, &batch.texts.words) * tape.constant(belongs);
        self.readout.forward(self.hidden.forward(sums).tanh())
    }
}

impl Module for Bag {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("hidden", &mut self.hidden);
        visitor.module("readout", &mut self.readout);
    }
}
