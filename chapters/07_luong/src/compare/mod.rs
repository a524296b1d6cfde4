//! What the page measures: seven mechanisms, without and with input feeding, and chapter 6's model,
//! each trained with several seeds on the same pairs with equally many parameters; dot and general
//! without a learnt matrix before them; and how often local-p is stuck.

mod arguments;
mod claims;
pub mod footing;
mod jobs;
mod mechanisms;
mod pictures;
mod quick;
mod reordering;
mod results;
mod rows;
mod run;
pub mod stuck;
mod timing;
mod worth;

pub use arguments::{Arguments, What};
pub use claims::{claims, table_4};
pub use jobs::equalised;
pub use mechanisms::{MECHANISMS, Mechanism, NARROW};
pub use pictures::words_found;
pub use quick::quick;
pub use reordering::{Displaced, Half, displaced, displacement, halves};
pub use results::{Comparison, Inequality, Results, Row, Run, Tally};
pub use run::compare;
