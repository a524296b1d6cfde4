//! Every head of a model in one page: a file of HTML that needs neither a network nor another file.
//!
//! Blocks × heads at a glance; of one head, lines from every word to those it looks at, and all
//! weights. Hovering, tapping or the arrow keys choose the word. The part of the address after `#`
//! names what is shown, so a view can be linked.

use serde::{Deserialize, Serialize};
use shared::{Float, Matrix};

const PAGE: &str = include_str!("page.html");

/// All attentions of a model on one pair of sentences.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Viewer {
    /// What stands above.
    pub title: String,
    /// The attentions, a tab each.
    pub groups: Vec<Group>,
}

/// One kind of attention, in all blocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Group {
    /// What it is called: `encoder`, …
    pub name: String,
    /// What the words that ask are: `to read …`, `to write …`.
    pub asking: String,
    /// What the weights are, before the word that asks.
    pub seen: String,
    /// The words that ask.
    pub queries: Vec<String>,
    /// The words they look at.
    pub keys: Vec<String>,
    /// Block by block, head by head, query by query: the weight of every key.
    pub blocks: Vec<Vec<Vec<Vec<Float>>>>,
    /// The query and the key of every known link, where they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<[usize; 2]>,
}

impl Group {
    /// From the weights (keys, queries) of every head of every block.
    ///
    /// # Panics
    /// When a matrix has not a row a key and a column a query.
    pub fn new(
        [name, asking, seen]: [&str; 3],
        queries: Vec<String>,
        keys: Vec<String>,
        blocks: &[Vec<Matrix>],
    ) -> Group {
        let shape = (keys.len(), queries.len());
        let head = |weights: &Matrix| {
            assert!(weights.shape() == shape, "weights {:?} for {shape:?}", weights.shape());
            let rounded = |w: &Float| (w * 1e4).round() / 1e4; // what the page can show, and short
            weights.column_iter().map(|column| column.iter().map(rounded).collect()).collect()
        };
        let blocks = blocks.iter().map(|block| block.iter().map(head).collect()).collect();
        let [name, asking, seen] = [name, asking, seen].map(str::to_owned);
        Group { name, asking, seen, queries, keys, blocks, links: Vec::new() }
    }
}

impl Viewer {
    /// Whether every weight is a number: a model whose numbers overflow has none to show.
    pub fn is_finite(&self) -> bool {
        let heads = self.groups.iter().flat_map(|group| group.blocks.iter().flatten());
        heads.flatten().flatten().all(|weight| weight.is_finite())
    }

    /// The page.
    ///
    /// ```
    /// use shared::Matrix;
    /// use workbench::viewer::{Group, Viewer};
    /// let words = |s: &str| s.split(' ').map(str::to_owned).collect::<Vec<_>>();
    /// let heads = [vec![Matrix::identity(2, 2)]];
    /// let group = Group::new(["self", "read", "seen by"], words("a </script>"), words("a b"), &heads);
    /// let page = Viewer { title: "1 < 2".into(), groups: vec![group] }.html();
    /// assert!(page.contains("<title>1 &lt; 2</title>"));
    /// assert!(page.contains(r#"["a","\u003c/script>"]"#)); // no word ends the script
    /// ```
    pub fn html(&self) -> String {
        let data = serde_json::to_string(self).expect("strings and finite numbers");
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;");
        let (before, rest) = PAGE.split_once("{{title}}").expect("the page has a title");
        let (between, after) = rest.split_once("{{data}}").expect("the page has data");
        [before, &title, between, &data.replace('<', "\\u003c"), after].concat()
    }
}
