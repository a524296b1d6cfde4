//! The recorded comparison.

use captioning::experiment::comparison;
use workbench::study::{Numbers, claims_of_rows};

#[test]
fn claims_follow_from_the_numbers() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let (expected, found) = (comparison().claims, tests::chapter::results::<Numbers>(folder));
    let judged = expected.iter().map(|(name, claim, holds)| (*name, *claim, holds(&found)));
    tests::chapter::claims(folder, &claims_of_rows(judged));
}
