//! Approximate equality that explains itself.
//!
//! Two entries a (actual) and b (expected) are close when |a − b| ≤ tolerance · (1 + |b|): absolute
//! for small numbers, relative for large ones. NaN is close to nothing, an infinity only to itself.
//!
//! Two numbers are compared by the crate `approx`. Its traits are the common ones: nalgebra's
//! matrices implement them, so a test that needs another rule says
//! `approx::assert_abs_diff_eq!(a, b, epsilon = 1e-5)` of numbers and matrices alike. What is ours
//! lies around a comparison. `approx` compares a matrix only with one of the same type, and panics
//! without a number when shapes differ; its macros print both matrices whole and leave the search
//! to the reader. Here shapes come first, both are printed, a transpose is recognised, and the worst
//! entry is named.
//!
//! | file | what it holds | uses |
//! |---|---|---|
//! | `entries` | what can be compared | |
//! | `rule` | when two entries count as equal | |
//! | `report` | what a failed comparison says | `rule` |
//! | `assertion` | `assert_close!` | `entries`, `report` |
//! | `expect` | the same for an exercise; what failed is noted | `entries`, `report`, `rule` |

mod assertion;
mod entries;
mod expect;
mod report;
mod rule;

pub use assertion::assert_close;
pub use entries::{Entries, Real};
pub(crate) use expect::Failure;
pub use expect::{Expectation, expect};
