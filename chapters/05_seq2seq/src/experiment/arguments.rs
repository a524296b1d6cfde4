//! What `compare` is told.

use crate::translating::corpus::Corpus;
use crate::translating::recurrent::CompareArgs;
use clap::{Args, ValueEnum};
use workbench::error::Result;
use workbench::study::{Row, Study};
use workbench::training::{Options, json};

/// Arguments of this chapter's `compare`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Seeds, passes, pairs, widths.
    #[command(flatten)]
    pub usual: CompareArgs,
    /// What is compared
    #[arg(long, value_enum, default_value_t = About::Context)]
    pub about: About,
}

/// What can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum About {
    /// Sizes of the context, directions of reading, narrow beams
    Context,
    /// What the decoder loses by its own words, wide beams, he and she
    Decoder,
    /// A last layer that sees more
    Layer,
    /// A training in which the decoder reads words of its own
    OwnWords,
    /// What BLEU does not see, without any model
    Bleu,
}

impl Arguments {
    /// A study of rows that are trained as these arguments say.
    pub(super) fn study(&self, corpus: &Corpus) -> Result<Study> {
        let about = json!({
            "texts": corpus.fingerprint(),
            "about": format!("{:?}", self.about),
            "epochs": self.usual.repeated.epochs,
            "batch": self.usual.batch,
        });
        Study::open(&self.usual.repeated.study, "seq2seq", about)
    }

    /// How a model is trained with a seed; what is kept has a folder for its trainings, `name`'s among them.
    pub(super) fn options(&self, name: &str, seed: u64) -> Options {
        let kept = self.usual.repeated.study.keep.as_ref();
        let checkpoint = kept.map(|keep| keep.join("trainings").join(format!("{name}_{seed}")));
        Options { resume: checkpoint.is_some(), checkpoint, ..self.usual.options(seed) }
    }

    /// A row of the chapter's model.
    pub(super) fn row<C>(&self, name: &str, config: C, against: Option<&'static str>) -> Row<C> {
        let epochs = self.usual.repeated.epochs as usize;
        Row { name: name.to_owned(), config, epochs, against }
    }
}
