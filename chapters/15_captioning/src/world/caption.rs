//! What is said of a scene.

use super::{Relation, Scene};

/// All words of all captions.
pub const WORDS: [&str; 19] = [
    "a", "small", "large", "red", "green", "blue", "yellow", "purple", "black", "square", "disc",
    "ring", "triangle", "cross", "above", "below", "left", "right", "of",
];

/// The subject of a word of a caption; things by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Nothing in the picture: *a*, *of*.
    Nothing,
    /// The size of a thing.
    Size(usize),
    /// The colour of a thing.
    Colour(usize),
    /// The thing itself.
    Thing(usize),
    /// How the first of two things lies to the second, which is named next.
    Relation(usize, usize),
}

/// A true sentence about a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// Its words.
    pub words: Vec<&'static str>,
    /// The subject of each of them.
    pub names: Vec<Names>,
}

impl Caption {
    fn push(&mut self, word: &'static str, names: Names) {
        self.words.push(word);
        self.names.push(names);
    }
}

impl Scene {
    /// The caption: all things in their [`order`](Scene::order).
    ///
    /// ```
    /// use captioning::world::{Pairs, Scene};
    /// let scene = Scene::new(2..=2, Pairs::Known, &mut shared::rng(0));
    /// assert_eq!(scene.caption().words.join(" "), "a large purple ring right of a small black cross");
    /// ```
    pub fn caption(&self) -> Caption {
        self.told(&self.order())
    }

    /// All captions that are true: the things in any order, the grammar's own first.
    ///
    /// ```
    /// use captioning::world::{Pairs, Scene};
    /// let scene = Scene::new(2..=2, Pairs::Known, &mut shared::rng(0));
    /// let [first, second] = &scene.captions()[..] else { panic!("two orders") };
    /// assert_eq!(*first, scene.caption());
    /// assert_eq!(second.words.join(" "), "a small black cross left of a large purple ring");
    /// ```
    pub fn captions(&self) -> Vec<Caption> {
        orders(&self.order()).iter().map(|order| self.told(order)).collect()
    }

    fn told(&self, order: &[usize]) -> Caption {
        let mut caption = Caption { words: Vec::new(), names: Vec::new() };
        for (i, &k) in order.iter().enumerate() {
            if i > 0 {
                let between = Names::Relation(order[i - 1], k);
                match self.things[order[i - 1]].lies(&self.things[k]) {
                    Relation::Above => caption.push("above", between),
                    Relation::Below => caption.push("below", between),
                    Relation::LeftOf => caption.push("left", between),
                    Relation::RightOf => caption.push("right", between),
                }
                if matches!(caption.words.last(), Some(&("left" | "right"))) {
                    caption.push("of", Names::Nothing);
                }
            }
            caption.push("a", Names::Nothing);
            caption.push(self.things[k].size(), Names::Size(k));
            caption.push(self.things[k].colour.word(), Names::Colour(k));
            caption.push(self.things[k].shape.word(), Names::Thing(k));
        }
        caption
    }
}

/// These in every order, the given one first.
fn orders(these: &[usize]) -> Vec<Vec<usize>> {
    if these.is_empty() {
        return vec![Vec::new()];
    }
    let all = (0..these.len()).flat_map(|i| {
        let rest = orders(&[&these[..i], &these[i + 1..]].concat());
        rest.into_iter().map(move |rest| [&[these[i]], &rest[..]].concat())
    });
    all.collect()
}
