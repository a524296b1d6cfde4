//! Charts and heatmaps as SVG, drawn with plotters, in one style.
//!
//! Ink is `currentColor`, so a figure set into a page of the book takes the colour of the page's
//! text, light or dark; standing alone it follows the viewer's preference. Lines use six colours that
//! stay apart under the common kinds of colour blindness, and one colour a concept ([`colour`]). A
//! weight is orange, more or less of it on the ground of the page, hidden cells are hatched, known
//! links are rings; of signed numbers the negative ones are blue.
//!
//! | file | holds |
//! |---|---|
//! | `svg` | a finished picture |
//! | `chart` | lines, points and bands over two axes |
//! | `series`, `names` | what a chart shows, and where it is named |
//! | `heatmap` | the picture of a matrix |
//! | `colour` | the colour of each concept |
//! | `style`, `text` | sizes and letters of both |

mod chart;
pub mod colour;
mod heatmap;
mod names;
mod series;
mod style;
mod svg;
mod text;

pub use chart::{Chart, points};
pub use colour::PALETTE;
pub use heatmap::Heatmap;
pub use svg::Svg;
