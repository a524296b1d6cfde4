//! The things on sale.

/// Devices, and what they run out of.
pub const SUPPLIES: [(&str, &str); 8] = [
    ("printer", "ink"),
    ("camera", "film"),
    ("razor", "blades"),
    ("coffee machine", "capsules"),
    ("drill", "bits"),
    ("lamp", "bulbs"),
    ("guitar", "strings"),
    ("bicycle", "tubes"),
];
/// Models of every device; a supply fits one.
pub(super) const MODELS: [&str; 4] = ["A", "B", "C", "D"];
pub(super) const TITLES: [&str; 10] = [
    "The Lighthouse",
    "Salt",
    "The Cartographer",
    "Northern Trains",
    "A House in Bergen",
    "The Clockmaker",
    "Low Tide",
    "Winter Garden",
    "The Ferryman",
    "Glass",
];
/// Volumes of every series.
const VOLUMES: usize = 6;
/// The tastes.
pub(super) const TASTES: [&str; 6] = ["tea", "record", "plant", "puzzle", "spice", "poster"];
/// Things of every taste; as many quarters of a year have each their fashion.
pub(super) const OF_A_TASTE: usize = 8;
pub(super) const GIFTS: [&str; 8] =
    ["candles", "chocolates", "scarf", "mug", "photo album", "music box", "slippers", "calendar"];

/// A thing of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    Device(usize, usize), // kind and model
    Supply(usize, usize), // for this kind and model
    Volume(usize, usize), // title, and volume from 0
    Liked(usize, usize),  // of a taste
    Gift(usize),          // for others
}

/// All things, by number.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalogue {
    things: Vec<Thing>,
}

impl Default for Catalogue {
    fn default() -> Catalogue {
        let pairs = |a: usize, b: usize| (0..a).flat_map(move |i| (0..b).map(move |j| (i, j)));
        let (kinds, models) = (SUPPLIES.len(), MODELS.len());
        let things = pairs(kinds, models).map(|(k, m)| Thing::Device(k, m));
        let things = things.chain(pairs(kinds, models).map(|(k, m)| Thing::Supply(k, m)));
        let things = things.chain(pairs(TITLES.len(), VOLUMES).map(|(t, v)| Thing::Volume(t, v)));
        let things = things.chain(pairs(TASTES.len(), OF_A_TASTE).map(|(t, n)| Thing::Liked(t, n)));
        Catalogue { things: things.chain((0..GIFTS.len()).map(Thing::Gift)).collect() }
    }
}

impl Catalogue {
    #[expect(clippy::len_without_is_empty, reason = "a shop sells something")]
    pub fn len(&self) -> usize {
        self.things.len()
    }

    pub fn name(&self, item: usize) -> String {
        match self.things[item] {
            Thing::Device(kind, model) => format!("{} {}", SUPPLIES[kind].0, MODELS[model]),
            Thing::Supply(kind, model) => {
                let (device, supply) = SUPPLIES[kind];
                format!("{supply} for {device} {}", MODELS[model])
            }
            Thing::Volume(title, volume) => format!("{} {}", TITLES[title], volume + 1),
            Thing::Liked(taste, number) => format!("{} {}", TASTES[taste], number + 1),
            Thing::Gift(number) => GIFTS[number].to_owned(),
        }
    }

    pub fn names(&self) -> Vec<String> {
        (0..self.len()).map(|item| self.name(item)).collect()
    }

    /// The supply that a device runs out of.
    pub fn supply(&self, item: usize) -> Option<usize> {
        let Thing::Device(kind, model) = self.things[item] else { return None };
        Some(self.number(Thing::Supply(kind, model)))
    }

    /// The volume after this one.
    pub fn next_volume(&self, item: usize) -> Option<usize> {
        match self.things[item] {
            Thing::Volume(title, volume) if volume + 1 < VOLUMES => {
                Some(self.number(Thing::Volume(title, volume + 1)))
            }
            _ => None,
        }
    }

    /// The number of a thing.
    ///
    /// # Panics
    /// When there is no such thing.
    pub fn number(&self, thing: Thing) -> usize {
        let found = self.things.iter().position(|one| *one == thing);
        found.unwrap_or_else(|| panic!("the shop does not sell {thing:?}"))
    }
}
