//! Customers, of the generated shop or of a file.

use crate::Action;
use crate::world::{Event, Kind, Motive, Shop, Sizes};
use workbench::Fingerprint;

/// What one customer did, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Customer {
    pub actions: Vec<Action>,
    /// When; several may be equal.
    pub times: Vec<f64>,
    /// The motives, in the shop that the course generates.
    pub motives: Vec<Motive>,
    /// The action that is the reason, in that shop.
    pub reasons: Vec<Option<usize>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Data {
    /// The names of items, by number.
    pub items: Vec<String>,
    /// The names of kinds of actions; the last of them is to be predicted.
    pub kinds: Vec<String>,
    pub customers: Vec<Customer>,
    /// The name of the whole, for descriptions.
    pub name: String,
}

impl Data {
    pub fn shop(sizes: &Sizes, seed: u64) -> Data {
        let shop = Shop::new(sizes, seed);
        Data {
            items: shop.catalogue.names(),
            kinds: ["view", "basket", "purchase"].map(str::to_owned).to_vec(),
            customers: shop.customers.iter().map(|events| customer(events)).collect(),
            name: format!("shop of seed {seed}, {sizes:?}"),
        }
    }

    /// The fingerprint of all that is learnt from, wherever the file lies.
    pub fn fingerprint(&self) -> Fingerprint {
        let names = self.items.iter().chain(&self.kinds);
        let names = names.fold(Fingerprint::default(), |all, name| all.and(name));
        self.customers.iter().fold(names, |all, customer| {
            let numbers = customer.actions.iter().flat_map(|action| [action.item, action.kind]);
            all.and(numbers.flat_map(usize::to_le_bytes).collect::<Vec<u8>>())
        })
    }

    pub fn purchase(&self) -> usize {
        self.kinds.len() - 1
    }

    /// How the page writes an action: `printer B`, `printer B (view)`.
    pub fn show(&self, action: &Action) -> String {
        let name = &self.items[action.item];
        if action.kind == self.purchase() {
            return name.clone();
        }
        format!("{name} ({})", self.kinds[action.kind])
    }
}

fn customer(events: &[Event]) -> Customer {
    let kind = |kind| match kind {
        Kind::View => 0,
        Kind::Basket => 1,
        Kind::Purchase => 2,
    };
    Customer {
        actions: events.iter().map(|e| Action { item: e.item, kind: kind(e.kind) }).collect(),
        times: events.iter().map(|e| f64::from(e.day)).collect(),
        motives: events.iter().map(|e| e.motive).collect(),
        reasons: events.iter().map(|e| e.reason).collect(),
    }
}
