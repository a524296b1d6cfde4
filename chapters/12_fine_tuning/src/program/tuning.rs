//! A fine-tuning from beginning to end.

use super::data::Data;
use super::folder::{Encoder, fingerprint};
use super::reader::{ReadExamples, Reader};
use super::task::TuningTask;
use crate::Classifier;
use bert::program::{Beginning, Preset, decay};
use bert::{Bert, Config};
use shared::{AdamW, Float, Module, Rng, rng};
use workbench::error::Result;
use workbench::stream;
use workbench::training::{History, Method, Options, Schedule, Shape, json, train};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Begins as the encoder did before pre-training: its sizes and pieces, and nothing that it has learnt.
    pub from_scratch: bool,
    pub learns: Learns,
}

/// What learns: the new layer, and of the encoder …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learns {
    Everything,
    Nothing,
    /// … what its queries and values get added ([`crate::Lora`]), of this rank.
    LowRank(usize),
}

pub const EPOCHS: usize = 10;
pub const BATCH: usize = 16;

/// The chapter's options: AdamW, a rate that rises over the first tenth of the steps and falls to 0 on a
/// straight line, gradients of norm 1 at most, as in the program of Devlin et al. 2019. (Epochs and rates
/// are others than theirs, appendix A.3.) The length of the schedule is set when the examples are known.
pub fn options(rate: Float) -> Options {
    let schedule = Schedule { rate, warmup: 0, shape: Shape::Linear { total: 1 } };
    let method = Method::new(AdamW::new(0.0, decay));
    Options { epochs: EPOCHS, schedule, method, clip: Some(1.0), ..Options::default() }
}

/// The rate unless given: the paper chose from 2, 3 and 5·10⁻⁵ for widths of 768 and 1024. A
/// narrow model takes larger steps, and a new layer alone still larger ones.
pub fn rate(config: &Config, start: Start) -> Float {
    let of_all = if config.width > 256 { 5e-5 } else { 3e-4 };
    if start.learns == Learns::Everything { of_all } else { 3e-3 }
}

pub fn begin(encoder: &Encoder, data: &Data, start: Start, seed: u64) -> Classifier {
    let rng = &mut rng(stream(seed, 0));
    let config = &encoder.config;
    let bert = if start.from_scratch { drawn(config, rng) } else { encoder.copy() };
    let mut model = Classifier::new(bert, config, data.form.asks(), data.labels.len(), rng);
    match start.learns {
        Learns::Everything => {}
        Learns::Nothing => model.freeze_encoder(true),
        Learns::LowRank(rank) => model.adapt(rank, rng),
    }
    model
}

/// An encoder as chapter 11 begins it: of the small model's sizes, half of the first block's heads alike.
pub fn drawn(config: &Config, rng: &mut Rng) -> Bert {
    let mut bert = Bert::new(config, rng);
    if *config == (Config { vocabulary: config.vocabulary, ..Preset::Small.config() }) {
        bert.begin_with_keys_as_queries(Beginning::CHAPTER.keys_as_queries);
    }
    bert
}

/// Trains it; `options` has everything but the schedule's length.
pub fn tune(
    model: &mut Classifier,
    data: &Data,
    reader: &Reader,
    batch: usize,
    options: &Options,
    watched: Option<&ReadExamples>,
) -> Result<History> {
    let read = reader.read(&data.training);
    let description = json!({
        "model": "classifier",
        "task": data.name,
        "fingerprint of the examples": data.fingerprint(),
        "fingerprint of the pieces": reader.pieces.fingerprint(),
        "frozen": model.is_frozen(),
        "parameters": model.parameter_count(),
        "fingerprint of the start": fingerprint(model).to_string(),
        "batch": batch,
    });
    let task = TuningTask::new(&read.sequences, watched, batch, description);
    let steps = task.steps(options.epochs);
    let shape = Shape::Linear { total: steps };
    let schedule = Schedule { warmup: steps / 10, shape, ..options.schedule };
    train(&task, model, &Options { schedule, ..options.clone() })
}
