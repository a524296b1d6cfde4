//! A shop whose customers have reasons, and the reasons are written down.

#![allow(missing_docs)] // what stands beside a name says it

mod catalogue;
mod customer;

pub use catalogue::{Catalogue, SUPPLIES, Thing};

use rand::SeedableRng;
use shared::Rng;

/// What a customer does with a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    View,     // looks at it
    Basket,   // puts it into the basket
    Purchase, // buys it
}

/// Why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Motive {
    /// A device that was bought runs out of its supply. The reason is the purchase of the device.
    Supply,
    Series, // the next volume of a series. The reason is the purchase of the volume before.
    Basket, // it lies in the basket. The reason is the moment when it was put there.
    Taste,  // what the customer likes at present; no single action is the reason
    Gift,   // December
    Whim,   // none at all
}

impl Motive {
    /// Those with an action that is the reason.
    pub const WITH_REASON: [Motive; 3] = [Motive::Supply, Motive::Series, Motive::Basket];
}

/// Something that a customer did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub item: usize, // its number in the catalogue
    pub kind: Kind,  // what was done with it
    /// Days since the first of January of the first of two years. Several events of a day are in
    /// order, but their day does not say so.
    pub day: u32,
    pub motive: Motive,
    /// The earlier event of the same customer that is the reason, where there is one.
    pub reason: Option<usize>,
}

/// How large the shop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub customers: usize,
    pub least: usize, // events of a customer, at least
    pub most: usize,  // events of a customer, at most
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { customers: 2000, least: 40, most: 80 }
    }
}

/// The things on sale, and what every customer did, oldest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Shop {
    pub catalogue: Catalogue,
    pub customers: Vec<Vec<Event>>, // by customer
}

impl Shop {
    /// A shop of these sizes; the same seed writes the same one.
    ///
    /// ```
    /// use recommendation::world::{Kind, Motive, Shop, Sizes};
    /// let shop = Shop::new(&Sizes { customers: 20, ..Sizes::default() }, 0);
    /// let events = &shop.customers[0];
    /// let supply = events.iter().find(|event| event.motive == Motive::Supply).unwrap();
    /// let device = events[supply.reason.unwrap()];
    /// assert_eq!(device.kind, Kind::Purchase);
    /// assert_eq!(shop.catalogue.supply(device.item), Some(supply.item)); // ink, because of the printer
    /// ```
    pub fn new(sizes: &Sizes, seed: u64) -> Shop {
        let catalogue = Catalogue::default();
        let customers = (0..sizes.customers).map(|number| {
            let mut rng = Rng::seed_from_u64(seed);
            rng.set_stream(number as u64); // a customer is the same in a larger shop
            customer::write(&catalogue, sizes, rng)
        });
        Shop { customers: customers.collect(), catalogue }
    }
}
