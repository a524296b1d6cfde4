//! What a page claimed before it was measured, and what became of it.

use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter, Result};

/// A sentence about numbers, written down before they were measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// As the page prints it.
    pub claim: String,
    /// Whether the numbers agree; `None` when they do not decide it.
    pub holds: Option<bool>,
}

impl Display for Claim {
    fn fmt(&self, f: &mut Formatter) -> Result {
        let outcome = match self.holds {
            Some(true) => "held:",
            Some(false) => "FAILED:",
            None => "not decided:",
        };
        write!(f, "{outcome:12} {}", self.claim)
    }
}

/// The outcome of a condition: `None` when a row is missing, `Some(None)` when it is not decided.
pub type Verdict = Option<Option<bool>>;

/// Whether all of these hold: one that fails decides, and one that is open leaves it open.
///
/// ```
/// use evidence::all_hold;
/// assert_eq!(all_hold([Some(true), None, Some(false)]), Some(false));
/// assert_eq!(all_hold([Some(true), None]), None);
/// assert_eq!(all_hold([Some(true); 2]), Some(true));
/// ```
pub fn all_hold(verdicts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let failed_or_open = verdicts.into_iter().filter(|verdict| *verdict != Some(true));
    failed_or_open.max().unwrap_or(Some(true))
}
