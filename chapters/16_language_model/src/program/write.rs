//! `write`: go on with a text.

use super::saved::load;
use super::source::Spelling;
use crate::{Cache, Gpt, Sampling};
use clap::Args;
use rand::RngExt;
use shared::{Float, Rng, rng};
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;
use workbench::error::{Error, Result};
use workbench::program::{printable, say, say_aside, within};

#[derive(Args, Clone, Debug)]
pub struct WriteArgs {
    /// The beginning of the text [default: the beginning of a text of the world]
    #[arg(default_value = "")]
    pub beginning: String,
    /// Folder of the model
    #[arg(long, value_name = "DIR", default_value = "out/language_model/model")]
    pub model: PathBuf,
    /// Divides the logits: below 1 the probable becomes more probable; 0 takes the most probable word
    #[arg(long, value_name = "T", default_value_t = 1.0)]
    pub temperature: Float,
    /// Draw from the so many most probable words; 0: from all
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub top_k: usize,
    /// Draw from the most probable words that have this probability together; 1: from all
    #[arg(long, value_name = "P", default_value_t = 1.0)]
    pub top_p: Float,
    /// Words to write
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = within(1..=1_000_000))]
    pub length: usize,
    /// Seed of what is drawn: same seed, same text
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

impl WriteArgs {
    fn sampling(&self) -> Result<Sampling> {
        let WriteArgs { temperature, top_k, top_p, .. } = *self;
        if !(0.0..=1000.0).contains(&temperature) {
            let reason = "a number from 0 to 1000 is needed";
            return Err(Error::argument(format!("--temperature {temperature}: {reason}")));
        }
        if !(top_p > 0.0 && top_p <= 1.0) {
            let reason = "a number above 0 and at most 1 is needed";
            return Err(Error::argument(format!("--top-p {top_p}: {reason}")));
        }
        Ok(Sampling { temperature, top_k, top_p })
    }
}

pub fn write(arguments: &WriteArgs) -> Result<()> {
    let sampling = arguments.sampling()?;
    let (model, words) = load(&arguments.model)?;
    let beginning = words.encode(&arguments.beginning)?;
    if beginning.len() >= model.config.longest {
        say_aside(format!(
            "the model reads {} {}s at once: of the beginning it reads the last ones",
            model.config.longest,
            words.unit()
        ));
    }
    let mut writer = Writer::new(&model, &beginning);
    let rng = &mut rng(arguments.seed);
    let mut spelling = Spelling::new(words.clone());
    beginning.iter().for_each(|word| show(&spelling.add(*word)));
    let begin = Instant::now();
    for _ in 0..arguments.length {
        show(&spelling.add(writer.next(sampling, rng)));
    }
    say("");
    let rate = arguments.length as f64 / begin.elapsed().as_secs_f64();
    say_aside(format!("{rate:.0} {}s a second", words.unit()));
    Ok(())
}

fn show(text: &str) {
    let mut out = stdout().lock();
    let _ = write!(out, "{}", in_lines(text));
    let _ = out.flush();
}

/// A text with its line ends, and nothing else that would move a cursor.
pub fn in_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// A text that goes on for as long as it is asked, with what is kept of the words that the model sees.
pub struct Writer<'m> {
    model: &'m Gpt,
    cache: Cache,
    seen: Vec<usize>,
    read: usize, // of those seen
}

impl<'m> Writer<'m> {
    /// After a beginning of one word or more, of which the model sees the last.
    pub fn new(model: &'m Gpt, beginning: &[usize]) -> Writer<'m> {
        let first = beginning.len().saturating_sub(model.config.longest - 1);
        let seen = beginning[first..].to_vec();
        Writer { model, cache: model.cache(), seen, read: 0 }
    }

    /// The logits of the next word. Where the model has no position for one more, it forgets the older half.
    pub fn logits(&mut self) -> Vec<Float> {
        let longest = self.model.config.longest;
        if self.seen.len() > longest {
            self.seen.drain(..self.seen.len() - longest.div_ceil(2));
            (self.cache, self.read) = (self.model.cache(), 0);
        }
        let mut logits = Vec::new();
        for word in &self.seen[self.read..] {
            logits = self.model.step(&[*word], &mut self.cache).as_slice().to_vec();
        }
        self.read = self.seen.len();
        logits
    }

    /// Draws the next word.
    pub fn next(&mut self, sampling: Sampling, rng: &mut Rng) -> usize {
        let word = sampling.draw(&self.logits(), rng.random());
        self.seen.push(word);
        word
    }
}
