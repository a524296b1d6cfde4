//! What every section of the experiment can be asked.

use workbench::figure::Svg;

/// A claim by name, and whether the numbers decide it: see [`workbench::claims`].
pub type Judged = (&'static str, &'static str, Option<bool>);

/// One section of the page, measured.
pub trait Section {
    /// What was claimed before the first run.
    fn claims(&self) -> Vec<Judged> {
        Vec::new()
    }

    /// The section's figures, by file name, drawn from its numbers.
    fn figures(&self) -> Vec<(&'static str, Svg)> {
        Vec::new()
    }

    /// Prints the section's table.
    fn report(&self);
}
