//! Every head of a model in one page: a file of HTML that needs neither a network nor another file.
//!
//! Lines lead from every word to those it looks at; blocks × heads are beside them, all weights of a
//! head below. Each head can be silenced: what the model computes without it is in the file. The part
//! of the address after `#` names what is shown, so a view can be linked.

use serde::{Deserialize, Serialize};
use shared::Matrix;

const PAGE: &str = include_str!("page.html");

/// Weights of silenced models, at most: beyond, a page would be too large to open.
const MOST: u64 = 4_000_000;

/// All attentions of a model on one pair of sentences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Viewer {
    /// What is read.
    pub title: String,
    /// The word that is to be predicted, where one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hole: Option<usize>,
    /// The model as it is, then without each of its heads, if that was computed.
    pub states: Vec<State>,
}

/// What a model answers, and where it looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The head whose output counts as zero: group, block, head.
    pub silenced: Option<[usize; 3]>,
    /// The sentence that the model makes of what it read.
    pub answer: String,
    /// What may stand in the hole, the likeliest first, and its probability in thousandths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<(String, u16)>,
    /// The attentions, a tab each; none when a silenced model wrote nothing.
    pub groups: Vec<Group>,
}

/// One kind of attention, in all blocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// What it is called: `encoder`, …
    pub name: String,
    /// What the words are that ask: `It writes`, …
    pub asking: String,
    /// What a word asks for, before the word: `To write`, …
    pub purpose: String,
    /// The words that ask.
    pub queries: Vec<String>,
    /// The words they look at.
    pub keys: Vec<String>,
    /// Block by block, head by head, query by query: the weight of every key in thousandths. No query of
    /// a head that looks as it does when none is silenced.
    pub blocks: Vec<Vec<Vec<Vec<u16>>>>,
    /// The query and the key of every known link, where they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<[usize; 2]>,
}

impl State {
    /// Half of a page would be said twice: a head is not heard by what comes before it.
    fn leave_out_what_is_as_in(&mut self, whole: &State) {
        for (group, whole) in self.groups.iter_mut().zip(&whole.groups) {
            let heads = group.blocks.iter_mut().flatten().zip(whole.blocks.iter().flatten());
            heads.filter(|(head, whole)| head == whole).for_each(|(head, _)| head.clear());
        }
    }
}

impl Group {
    /// A group with the weights (keys, queries) of every head of every block.
    ///
    /// # Panics
    /// When a matrix has not a row a key and a column a query.
    pub fn new(
        [name, asking, purpose]: [&str; 3],
        queries: Vec<String>,
        keys: Vec<String>,
        blocks: &[Vec<Matrix>],
    ) -> Group {
        let shape = (keys.len(), queries.len());
        for weights in blocks.iter().flatten() {
            assert!(weights.shape() == shape, "weights {:?} for {shape:?}", weights.shape());
        }
        let blocks = blocks.iter().map(|block| block.iter().map(thousandths).collect()).collect();
        let [name, asking, purpose] = [name, asking, purpose].map(str::to_owned);
        Group { name, asking, purpose, queries, keys, blocks, links: Vec::new() }
    }

    fn heads(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum()
    }

    fn weights(&self) -> usize {
        self.heads() * self.queries.len() * self.keys.len()
    }
}

/// The weights of a head, query by query, as exactly as the page can show them.
fn thousandths(weights: &Matrix) -> Vec<Vec<u16>> {
    let columns = weights.column_iter();
    columns.map(|column| column.iter().map(|w| (w * 1000.0).round() as u16).collect()).collect()
}

/// How many weights the silenced models of a page have, if a model has so many weights and heads: none
/// when they would be too many.
pub fn silenced_weights(weights: u64, heads: u64) -> u64 {
    weights.checked_mul(heads).filter(|&all| all <= MOST).unwrap_or(0)
}

impl Viewer {
    /// Shows a model as it is and `without` each head; `None` of a head that cannot be silenced.
    pub fn new(
        title: String,
        whole: State,
        mut without: impl FnMut([usize; 3]) -> Option<State>,
    ) -> Viewer {
        let weights: usize = whole.groups.iter().map(Group::weights).sum();
        let heads: usize = whole.groups.iter().map(Group::heads).sum();
        let mut states = vec![whole];
        if silenced_weights(weights as u64, heads as u64) > 0 {
            let mut silenced: Vec<State> = Vec::new();
            for (g, group) in states[0].groups.iter().enumerate() {
                for (b, block) in group.blocks.iter().enumerate() {
                    silenced.extend((0..block.len()).filter_map(|h| {
                        Some(State { silenced: Some([g, b, h]), ..without([g, b, h])? })
                    }));
                }
            }
            silenced.iter_mut().for_each(|state| state.leave_out_what_is_as_in(&states[0]));
            states.extend(silenced);
        }
        Viewer { title, hole: None, states }
    }

    /// The page.
    ///
    /// ```
    /// use shared::Matrix;
    /// use workbench::viewer::{Group, State, Viewer};
    /// let words = |s: &str| s.split(' ').map(str::to_owned).collect::<Vec<_>>();
    /// let heads = [vec![Matrix::identity(2, 2)]];
    /// let group = Group::new(["self", "It reads", "To read"], words("a </script>"), words("a b"), &heads);
    /// let whole = State { silenced: None, answer: String::new(), candidates: vec![], groups: vec![group] };
    /// let page = Viewer::new("1 < 2".into(), whole, |_| None).html();
    /// assert!(page.contains("<title>1 &lt; 2</title>"));
    /// assert!(page.contains(r#"["a","\u003c/script>"]"#)); // no word ends the script
    /// ```
    pub fn html(&self) -> String {
        let data = serde_json::to_string(self).expect("strings and numbers");
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;");
        let (before, rest) = PAGE.split_once("{{title}}").expect("the page has a title");
        let (between, after) = rest.split_once("{{data}}").expect("the page has data");
        [before, &title, between, &data.replace('<', "\\u003c"), after].concat()
    }
}
