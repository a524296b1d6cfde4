//! What the page measures: seven mechanisms, without and with input feeding, and chapter 6's model,
//! each trained with several seeds on the same pairs with equally many parameters; and how often local-p
//! is stuck.

#![allow(missing_docs)] // an experiment: names say it

mod arguments;
mod claims;
mod mechanisms;
mod pictures;
mod reordering;
mod results;
pub mod stuck;
mod table;
mod timing;
mod trained;

pub use arguments::{Arguments, What};
pub use claims::{claims, table_4};
pub use mechanisms::NARROW;
pub use pictures::words_found;
pub use reordering::{Displaced, Half, displaced, displacement, halves};
pub use results::{Comparison, Inequality, Results, Row, Tally};
pub use table::quick;
pub use trained::Run;

use seq2seq::translating::corpus::Corpus;
use workbench::error::Result;

pub fn compare(arguments: &Arguments) -> Result<()> {
    let seed = arguments.repeated.study.common.seed;
    let corpus = Corpus::generated(arguments.pairs as usize, 1, seed);
    match arguments.what {
        What::Table => table::table(arguments, &corpus),
        What::Stuck => stuck::stuck(arguments, &corpus),
    }
}
