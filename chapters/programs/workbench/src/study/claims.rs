//! What a chapter expected before it measured, and what became of it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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

/// What a condition says: `None` when a row is missing, `Some(None)` when it is not decided.
pub type Verdict = Option<Option<bool>>;

/// Claims by name, from (name, claim, whether it holds).
///
/// ```
/// let claims = workbench::claims([("more", "three is more than two", 3 > 2)]);
/// assert_eq!(claims["more"].to_string(), "held:        three is more than two");
/// ```
pub fn claims<'a, Holds: Into<Option<bool>>>(
    judged: impl IntoIterator<Item = (&'a str, &'a str, Holds)>,
) -> BTreeMap<String, Claim> {
    let claim = |(name, claim, holds): (&str, &str, Holds)| {
        (name.to_owned(), Claim { claim: claim.to_owned(), holds: holds.into() })
    };
    judged.into_iter().map(claim).collect()
}

/// What a condition on some rows says, if they are all there: what `--only` left out makes no claim.
pub fn of_rows<T, Holds: Into<Option<bool>>>(
    rows: &BTreeMap<String, T>,
    names: &[&str],
    condition: impl FnOnce(&[&T]) -> Holds,
) -> Verdict {
    let rows: Option<Vec<&T>> = names.iter().map(|name| rows.get(*name)).collect();
    rows.map(|rows| condition(&rows).into())
}

/// [`claims`] of rows that are there: see [`of_rows`].
///
/// ```
/// use workbench::study::{claims_of_rows, of_rows};
/// let rows = [("one", 1), ("two", 2)].map(|(name, number)| (name.to_owned(), number)).into();
/// let claims = claims_of_rows([
///     ("more", "two is more than one", of_rows(&rows, &["one", "two"], |rows| rows[0] < rows[1])),
///     ("most", "three is more than two", of_rows(&rows, &["two", "three"], |rows| rows[0] < rows[1])),
/// ]);
/// assert_eq!((claims.len(), claims["more"].holds), (1, Some(true)));
/// ```
pub fn claims_of_rows<'a>(
    judged: impl IntoIterator<Item = (&'a str, &'a str, Verdict)>,
) -> BTreeMap<String, Claim> {
    claims(judged.into_iter().filter_map(|(name, claim, holds)| Some((name, claim, holds?))))
}

/// Whether all of these hold: one that fails decides, and one that is open leaves it open.
///
/// ```
/// use workbench::study::all_hold;
/// assert_eq!(all_hold([Some(true), None, Some(false)]), Some(false));
/// assert_eq!(all_hold([Some(true), None]), None);
/// assert_eq!(all_hold([Some(true); 2]), Some(true));
/// ```
pub fn all_hold(verdicts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let failed_or_open = verdicts.into_iter().filter(|verdict| *verdict != Some(true));
    failed_or_open.max().unwrap_or(Some(true))
}

/// Whether these numbers are smaller than those, a number for each seed: decided when the two ranges
/// do not overlap.
///
/// ```
/// use workbench::smaller;
/// assert_eq!(smaller(&[1.0, 2.0], &[3.0, 4.0]), Some(true));
/// assert_eq!(smaller(&[3.0, 4.0], &[1.0, 2.0]), Some(false));
/// assert_eq!(smaller(&[1.0, 3.0], &[2.0, 4.0]), None);
/// ```
pub fn smaller(these: &[f64], those: &[f64]) -> Option<bool> {
    let all = |these: &[f64], those: &[f64]| these.iter().all(|a| those.iter().all(|b| a < b));
    match (all(these, those), all(those, these)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}
