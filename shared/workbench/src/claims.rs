//! What a chapter expected before it measured, and what became of it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter, Result};

/// A sentence about numbers, written down before they were measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// As the page prints it.
    pub claim: String,
    /// Whether the numbers agree.
    pub holds: bool,
}

impl Display for Claim {
    fn fmt(&self, f: &mut Formatter) -> Result {
        write!(f, "{:7} {}", if self.holds { "held:" } else { "FAILED:" }, self.claim)
    }
}

/// Claims by name, from (name, claim, whether it holds).
///
/// ```
/// let claims = workbench::claims([("more", "three is more than two", 3 > 2)]);
/// assert_eq!(claims["more"].to_string(), "held:   three is more than two");
/// ```
pub fn claims<'a>(
    judged: impl IntoIterator<Item = (&'a str, &'a str, bool)>,
) -> BTreeMap<String, Claim> {
    let claim = |(name, claim, holds): (&str, &str, bool)| {
        (name.to_owned(), Claim { claim: claim.to_owned(), holds })
    };
    judged.into_iter().map(claim).collect()
}
