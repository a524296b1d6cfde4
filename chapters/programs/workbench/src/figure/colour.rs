//! One colour a concept, through all chapters.
//!
//! What is given – data, the truth, a theory – is drawn in ink, the colour of the page's text. What
//! a model computes has one of six colours. Blue, vermillion and green are Okabe and Ito's; their
//! orange and sky blue are too bright for a thin line on white. The three that stand here beside
//! them keep a contrast of 3 : 1 on white and on the book's navy, and the nearest two of the six
//! differ by 19.6, those of Okabe and Ito by 17.9 (CIE 1976, the least of three kinds of sight: full,
//! and simulated without red or without green).
#![allow(missing_docs)] // what stands above a group is of all its colours

use super::style::INK;
use plotters::style::RGBColor;

/// A colour of a line, of dots or of a band.
pub type Colour = RGBColor;

/// How SVG calls it.
pub(super) fn hex(colour: Colour) -> String {
    let RGBColor(r, g, b) = colour;
    if colour == INK { "currentColor".into() } else { format!("#{r:02X}{g:02X}{b:02X}") }
}

const BLUE: Colour = RGBColor(0x00, 0x72, 0xB2);
const VERMILLION: Colour = RGBColor(0xD5, 0x5E, 0x00);
const GREEN: Colour = RGBColor(0x00, 0x9E, 0x73);
const BROWN: Colour = RGBColor(0x93, 0x60, 0x2E);
const VIOLET: Colour = RGBColor(0xA6, 0x4D, 0xFF);
const CYAN: Colour = RGBColor(0x36, 0x9E, 0xB2);

/// The colours of series that stand for no concept of the course, in order.
pub const PALETTE: [Colour; 6] = [BLUE, VERMILLION, GREEN, BROWN, VIOLET, CYAN];

/// Series that stand beside those of interest.
pub const ASIDE: Colour = RGBColor(0x80, 0x80, 0x80);

/// Data, the truth, a theory, a bound: what the model is held against.
pub const GIVEN: Colour = INK;

/// What the chapter's attention has learnt, or has been given as its best width.
pub const LEARNT: Colour = BLUE;
/// Trained or judged on points that it sees.
pub const SEES_ITSELF: Colour = VERMILLION;
/// Products of numbers in two parts of bf16.
pub const THREE_PRODUCTS: Colour = VERMILLION;
/// The steps of a textbook.
pub const TEXTBOOK: Colour = GREEN;
/// A window that is too wide, and one that is too narrow.
pub const WIDE: Colour = VIOLET;
pub const NARROW: Colour = BROWN;
/// The smallest error, and where it lies.
pub const CHOSEN: Colour = VIOLET;
/// The error against the truth, which only an experiment knows.
pub const AGAINST_TRUTH: Colour = GREEN;
/// The mean of all, whatever is asked.
pub const AVERAGE: Colour = VERMILLION;

/// Scores with 1/√d and without.
pub const SCALED: Colour = BLUE;
pub const UNSCALED: Colour = VERMILLION;
/// The way through the values instead of the scores.
pub const VALUES: Colour = GREEN;

/// The scoring functions.
pub const DOT: Colour = BLUE;
pub const GENERAL: Colour = VERMILLION;
pub const LOCATION: Colour = CYAN;
/// Windows around the same position (local-m), and around a predicted one (local-p).
pub const WINDOW: Colour = BROWN;
pub const PREDICTED_WINDOW: Colour = VIOLET;

/// The recurrent cells.
pub const PLAIN: Colour = BLUE;
pub const GRU: Colour = VERMILLION;
pub const LSTM: Colour = GREEN;

/// Attention without recurrence: attention of a sequence to itself.
pub const SELF_ATTENTION: Colour = VIOLET;

/// Translators with attention and without.
pub const WITH_ATTENTION: Colour = BLUE;
pub const WITHOUT_ATTENTION: Colour = VERMILLION;
/// The translator of chapter 7, and the one without recurrence.
pub const LUONG: Colour = BROWN;
pub const TRANSFORMER: Colour = GREEN;
/// Sentences that begin at a random place while they are learnt from.
pub const RANDOM_STARTS: Colour = VIOLET;
/// What stands around a part: nothing, a sum, a normalisation after it, one before it.
pub const PART_ALONE: Colour = VERMILLION;
pub const SUM_ALONE: Colour = GREEN;
pub const NORM_BEHIND: Colour = BLUE;
pub const NORM_BEFORE: Colour = VIOLET;
/// The sentence read from its end.
pub const BACKWARDS: Colour = GREEN;

/// A classifier upon an encoder that has read much, upon the same one at random, and upon one that stays
/// as it is; counting words; and counting those that two texts have in common.
pub const PRE_TRAINED: Colour = BLUE;
pub const FROM_SCRATCH: Colour = VERMILLION;
pub const FROZEN: Colour = GREEN;
pub const COUNTED: Colour = BROWN;
pub const IN_COMMON: Colour = VIOLET;

/// A BERT that learns all at once.
pub const AT_ONCE: Colour = BLUE;

/// Attention that looks everywhere.
pub const SOFT: Colour = BLUE;
/// The gradient of hard attention, found by visiting all places.
pub const ENUMERATED: Colour = VERMILLION;
/// The gradient of hard attention, drawn, and what is subtracted from the loss.
pub const NO_BASELINE: Colour = GREEN;
pub const MEAN_BASELINE: Colour = BROWN;
pub const OPTIMAL_BASELINE: Colour = CYAN;
/// The mean loss as baseline, and a bonus for entropy.
pub const ENTROPY_BONUS: Colour = VIOLET;
/// The straight-through estimate.
pub const STRAIGHT_THROUGH: Colour = BLUE;
