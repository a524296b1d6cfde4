//! Chapter 13's model.

use super::{parameters, words};

/// What the figure begins with stands in its script.
const SCRIPT: &str = include_str!("../../../../13_recommendation/figures/asks.js");

pub struct Shop {
    items: Vec<String>,
    kinds: Vec<String>,
}

/// A candidate's place and reasons, and the items that are recommended.
pub struct Told {
    pub place: usize,
    /// The weight of every action, oldest first.
    pub weights: Vec<f32>,
    /// The best: item, the action that speaks for it most, that one's weight.
    pub best: Vec<(String, usize, f32)>,
}

impl Shop {
    pub fn new() -> Shop {
        let (about, numbers) = parameters("13_recommendation/figures/parameters");
        let [items, kinds] = ["items", "kinds"].map(|name| words(&about[name]));
        let size = |name: &str| about["recipe"][name].as_f64().expect("a size") as f32;
        let sizes = [items.len() as f32, kinds.len() as f32, size("width"), size("hidden")];
        live::recommender(&[&sizes, &numbers[..]].concat());
        Shop { items, kinds }
    }

    /// The value of a constant of the figure's script.
    pub fn constant(name: &str) -> &'static str {
        let begin = format!("const {name} = \"");
        SCRIPT.split_once(&begin).and_then(|(_, rest)| rest.split('"').next()).expect("a constant")
    }

    pub fn start() -> Vec<&'static str> {
        Shop::constant("story").split(", ").collect()
    }

    fn number(&self, item: &str) -> f32 {
        self.items.iter().position(|one| one == item).unwrap_or_else(|| panic!("no {item}")) as f32
    }

    /// `printer B` was bought, `printer B (view)` was not.
    fn action(&self, text: &str) -> [f32; 2] {
        let named = self
            .kinds
            .iter()
            .enumerate()
            .find_map(|(kind, name)| Some((text.strip_suffix(&format!(" ({name})"))?, kind)));
        let (item, kind) = named.unwrap_or((text, self.kinds.len() - 1));
        [self.number(item), kind as f32]
    }

    pub fn ask(&self, candidate: &str, history: &[&str]) -> Told {
        let actions: Vec<_> = history.iter().map(|text| self.action(text)).collect();
        self.told(self.number(candidate), &actions)
    }

    /// The same by numbers: of every action its item and its kind.
    pub fn told(&self, candidate: f32, actions: &[[f32; 2]]) -> Told {
        let answer = live::recommend(&[&[candidate], actions.as_flattened()].concat());
        let (weights, best) = answer[1..].split_at(actions.len());
        let best = best.chunks(3).map(|x| (self.items[x[0] as usize].clone(), x[1] as usize, x[2]));
        let best: Vec<_> = best.collect();
        assert_eq!(best.len(), live::BEST);
        Told { place: answer[0] as usize, weights: weights.to_vec(), best }
    }
}
