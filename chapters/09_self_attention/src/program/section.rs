//! What every section of the experiment can be asked.

use workbench::figure::Svg;

/// A claim by name, and whether the numbers decide it: see [`workbench::claims`].
pub type JudgedClaim = (&'static str, &'static str, Option<bool>);

pub trait Section {
    fn claims(&self) -> Vec<JudgedClaim> {
        Vec::new()
    }

    fn figures(&self) -> Vec<(&'static str, Svg)> {
        Vec::new()
    }

    fn report(&self) {}
}
