//! What several exercises need.

use bert::Special;

/// Special pieces that are not the first five.
pub const SPECIAL: Special = Special { pad: 0, unknown: 3, cls: 5, sep: 6, mask: 9 };

/// The special pieces as most vocabularies have them.
pub const FIRST_FIVE: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };
