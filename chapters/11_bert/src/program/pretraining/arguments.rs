//! The arguments of `pretrain`.

use super::beginning::Beginning;
use super::task::decay;
use crate::program::sizes::{Preset, Sizes};
use crate::program::texts::CorpusArgs;
use crate::{Config, count};
use clap::Args;
use shared::{AdamW, Float};
use std::sync::Arc;
use workbench::error::{Error, Result};
use workbench::program::{Table, TrainingArgs, say};
use workbench::training::{Method, Options, Peers, Schedule, Shape};

#[derive(Args, Clone, Debug)]
pub struct PretrainArgs {
    #[command(flatten)]
    pub training: TrainingArgs,
    #[command(flatten)]
    pub corpus: CorpusArgs,
    #[command(flatten)]
    pub sizes: Sizes,
    /// Pairs a training step
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub batch: u32,
    /// In how many groups, one after another, a batch is computed: less memory, the same gradients
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub accumulate: u32,
    /// Into how many shards a batch is cut, which may run at the same time, also in several processes:
    /// part of the run, results differ with it in their last digits [default: 2 in each group]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub shards: Option<u32>,
    /// Let W_k begin as a copy of W_q in half of the first block's heads, with so many times the usual
    /// standard deviation: there, scores measure at first how similar two tokens are (this block's values
    /// and output then begin with three times the standard deviation, the table of positions with three
    /// tenths of it); 0: drawn as everything else [default: 4 for the small model and generated documents,
    /// 0 for others]
    #[arg(long, value_name = "TIMES")]
    pub keys_as_queries: Option<Float>,
    /// For which share of all steps NSP comes first: for half of it the learning rate is a quarter of the
    /// highest and the MLM loss hardly counts, then both rise (the rate takes a tenth of all steps at least)
    /// [default: 0.15 for the small model and generated documents, 0 for others]
    #[arg(long, value_name = "SHARE")]
    pub nsp_first: Option<Float>,
    /// Print how many parameters the model has, and where they sit, and end
    #[arg(long)]
    pub count: bool,
}

/// The chapter's options for so many steps: AdamW, a rate that rises over the first tenth of the steps and
/// falls to 0 on straight lines (Devlin et al. 2019, appendix A.2), gradients of norm 1 at most.
pub fn options(steps: u64, rate: Float) -> Options {
    let schedule = Schedule { rate, warmup: steps / 10, shape: Shape::Linear { total: steps } };
    let method = Method::new(AdamW::new(0.0, decay));
    Options { epochs: EPOCHS, schedule, method, clip: Some(1.0), ..Options::default() }
}

const EPOCHS: usize = 4;
const RATE: Float = 2e-3;

impl PretrainArgs {
    /// How the model begins. Of a real text both cost more than they brought, and other sizes were not
    /// tried: these begin as in the paper.
    pub fn beginning(&self) -> Result<Beginning> {
        let is_the_chapters = self.sizes.config == Preset::Small && self.corpus.corpus.is_none();
        let default = if is_the_chapters { Beginning::CHAPTER } else { Beginning::PAPER };
        let keys_as_queries = self.keys_as_queries.unwrap_or(default.keys_as_queries);
        let nsp_first = self.nsp_first.unwrap_or(default.nsp_first);
        if keys_as_queries != 0.0 && !(1.0..=100.0).contains(&keys_as_queries) {
            let reason =
                format!("--keys-as-queries {keys_as_queries}: it must be 0, or from 1 to 100");
            return Err(Error::argument(reason));
        }
        if !(0.0..1.0).contains(&nsp_first) {
            let reason = format!("--nsp-first {nsp_first}: it must be at least 0 and below 1");
            return Err(Error::argument(reason));
        }
        Ok(Beginning { keys_as_queries, nsp_first })
    }

    /// The chapter's own options. What is wrong with an argument of its own is said here.
    pub fn own_options(&self, peers: Option<Arc<dyn Peers>>) -> Result<Options> {
        self.sizes.config(100)?;
        self.beginning()?;
        let groups = self.accumulate as usize;
        let shards = self.shards.map_or(2 * groups, |shards| shards as usize);
        Options { shards, accumulate: groups, peers, ..options(1, RATE) }.divided()
    }

    pub fn print_counts(&self) -> Result<()> {
        self.own_options(None)?;
        let vocabulary = self.corpus.vocabulary.map(|size| size as usize);
        let found = count(&self.sizes.config(vocabulary.unwrap_or(Config::BASE.vocabulary))?);
        let encoder = found.encoder();
        let mut table = Table::new(["part", "parameters", "share"]);
        for (part, n) in [
            ("tables of pieces, positions, segments", found.embeddings),
            ("attention", found.attention),
            ("feed-forward networks", found.feed_forward),
            ("normalisations", found.norms),
            ("pooler", found.pooler),
            ("the encoder", encoder),
        ] {
            let share = format!("{:.1} %", 100.0 * n as f64 / encoder as f64);
            table.row([part.to_owned(), n.to_string(), share]);
        }
        say(table);
        say(format!(
            "with both heads of pre-training: {} (MLM {}, NSP {})",
            found.pretraining(),
            found.masked,
            found.next
        ));
        Ok(())
    }
}
