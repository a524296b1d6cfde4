//! Approximate equality that explains itself.
//!
//! Two entries a (actual) and b (expected) are close when |a − b| ≤ tolerance · (1 + |b|): absolute
//! for small numbers, relative for large ones. NaN is close to nothing, an infinity only to itself.
//! Shapes are compared first: `approx` answers `false` on different shapes and says nothing, which
//! is how a transposed result hides.
//!
//! | file | what it holds | uses |
//! |---|---|---|
//! | `entries` | what can be compared | |
//! | `rule` | when two entries count as equal | |
//! | `report` | what a failed comparison says | `rule` |
//! | `assertion` | `assert_close!` | `entries`, `report` |
//! | `expect` | the same for an exercise, with hints | `entries`, `report` |

mod assertion;
mod entries;
mod expect;
mod report;
mod rule;

pub use assertion::assert_close;
pub use entries::{Entries, Real};
pub use expect::{Expectation, expect};
