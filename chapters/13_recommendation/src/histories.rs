//! A batch of histories, and the candidates that are asked about them.

use scoring_functions::Sequences;

/// Something that a customer did: with which item, and what. Which numbers mean what is the data's
/// business; in the shop 0 is a look, 1 the basket, 2 a purchase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// The item's number.
    pub item: usize,
    /// The kind of the action.
    pub kind: usize,
}

/// How many ages are told apart, see [`age`].
pub const AGES: usize = 8;

/// How long ago, in powers of two: the last action has age 0, the two before it 1, the four before
/// those 2, …, and all that is older than 126 actions age 7.
///
/// ```
/// assert_eq!([0, 1, 2, 3, 6, 7, 1000].map(recommendation::histories::age), [0, 1, 1, 2, 2, 3, 7]);
/// ```
pub fn age(actions_ago: usize) -> usize {
    ((actions_ago + 1).ilog2() as usize).min(AGES - 1)
}

/// Histories side by side: history `i` has the columns `offsets[i]..offsets[i + 1]`, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histories {
    /// The item of every action,
    pub items: Vec<usize>,
    /// the kind,
    pub kinds: Vec<usize>,
    /// and the [`age`].
    pub ages: Vec<usize>,
    /// The beginning of each history, and the end of the last.
    pub offsets: Vec<usize>,
}

impl Histories {
    /// Puts histories side by side.
    ///
    /// ```
    /// use recommendation::{Action, Histories};
    /// let [tea, mug] = [0, 1].map(|item| Action { item, kind: 2 });
    /// let batch = Histories::new(&[&[tea, mug, tea], &[mug]]);
    /// assert_eq!((&batch.items[..], &batch.offsets[..]), (&[0, 1, 0, 1][..], &[0, 3, 4][..]));
    /// assert_eq!(batch.ages, [1, 1, 0, /**/ 0]);
    /// ```
    ///
    /// # Panics
    /// When a history is empty: nothing can be asked of it.
    pub fn new(histories: &[&[Action]]) -> Histories {
        let mut batch = Histories { items: vec![], kinds: vec![], ages: vec![], offsets: vec![0] };
        for history in histories {
            assert!(!history.is_empty(), "a history without an action");
            batch.items.extend(history.iter().map(|action| action.item));
            batch.kinds.extend(history.iter().map(|action| action.kind));
            batch.ages.extend((0..history.len()).rev().map(age));
            batch.offsets.push(batch.items.len());
        }
        batch
    }

    /// How many histories there are.
    #[expect(clippy::len_without_is_empty, reason = "a batch has at least one")]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Each as a list of actions.
    pub fn each(&self) -> impl Iterator<Item = Vec<Action>> {
        self.offsets.windows(2).map(|ends| {
            let own = ends[0]..ends[1];
            own.map(|j| Action { item: self.items[j], kind: self.kinds[j] }).collect()
        })
    }

    /// The column of the last action of each.
    pub fn last(&self) -> Vec<usize> {
        self.offsets[1..].iter().map(|end| end - 1).collect()
    }
}

/// Candidates: those about history `i` are `items[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidates {
    /// Their numbers.
    pub items: Vec<usize>,
    /// The beginning of each history's candidates, and the end of the last.
    pub offsets: Vec<usize>,
}

impl Candidates {
    /// These candidates about each history in turn.
    pub fn new(candidates: &[Vec<usize>]) -> Candidates {
        let mut offsets = vec![0];
        offsets.extend(candidates.iter().scan(0, |end, own| {
            *end += own.len();
            Some(*end)
        }));
        Candidates { items: candidates.concat(), offsets }
    }

    /// Every item, about every one of so many histories.
    pub fn everything(items: usize, histories: usize) -> Candidates {
        Candidates {
            items: (0..histories).flat_map(|_| 0..items).collect(),
            offsets: (0..=histories).map(|i| i * items).collect(),
        }
    }

    /// Who asks whom: every candidate its own history, all of it.
    ///
    /// # Panics
    /// When there are not candidates for each history.
    pub fn sequences(&self, histories: &Histories) -> Sequences {
        Sequences::between(&self.offsets, &histories.offsets)
    }
}
