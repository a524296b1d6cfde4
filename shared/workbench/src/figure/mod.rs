//! Charts and heatmaps as SVG, drawn with plotters, in one style.
//!
//! Ink is `currentColor`, so a figure set into a page of the book takes the colour of the page's
//! text, light or dark; standing alone it follows the viewer's preference. Lines use the palette of
//! Okabe and Ito, which stays apart under the common kinds of colour blindness; heatmaps use
//! viridis, which grows evenly from dark to bright.
//!
//! | file | holds |
//! |---|---|
//! | `svg` | a finished picture |
//! | `chart` | lines, points and bands over two axes |
//! | `heatmap` | the picture of a matrix |
//! | `style`, `text` | colours, sizes and letters of both |

mod chart;
mod heatmap;
mod style;
mod svg;
mod text;

pub use chart::{Chart, points};
pub use heatmap::Heatmap;
pub use style::PALETTE;
pub use svg::Svg;
