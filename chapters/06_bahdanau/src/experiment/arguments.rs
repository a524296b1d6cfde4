//! What `compare` is told.

use clap::{Args, ValueEnum};
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::CompareArgs;
use workbench::error::Result;
use workbench::study::Study;
use workbench::training::{Options, json};

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
pub struct Compare {
    /// What the chapters have in common.
    #[command(flatten)]
    pub common: CompareArgs,
    /// What is compared
    #[arg(long, value_enum, default_value_t = What::Gain)]
    pub what: What,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// With and without attention
    Gain,
    /// Attention or none, a source that is read in both directions or forwards
    Square,
    /// Where models with attention look, what their annotations know, and what becomes of their
    /// words when that is changed
    Inside,
}

impl Compare {
    /// A study of rows that are trained as these arguments say.
    pub(super) fn study(&self, corpus: &Corpus) -> Result<Study> {
        let about = json!({
            "texts": corpus.fingerprint(),
            "what": format!("{:?}", self.what),
            "epochs": self.common.repeated.epochs,
            "batch": self.common.batch,
        });
        Study::open(&self.common.repeated.study, "bahdanau", about)
    }

    /// How a model is trained with a seed; what is kept has a folder for its trainings, `name`'s among them.
    pub(super) fn options(&self, name: &str, seed: u64) -> Options {
        let kept = self.common.repeated.study.keep.as_ref();
        let checkpoint = kept.map(|keep| keep.join("trainings").join(format!("{name}_{seed}")));
        Options { resume: checkpoint.is_some(), checkpoint, ..self.common.options(seed) }
    }
}
