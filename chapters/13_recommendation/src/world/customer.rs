//! One customer, action by action.

use super::catalogue::{Catalogue, GIFTS, MODELS, OF_A_TASTE, SUPPLIES, TASTES, TITLES, Thing};
use super::{Event, Kind, Motive, Sizes};
use rand::RngExt;
use shared::Rng;

/// What is going to be done, when so many events are there.
#[derive(Clone, Copy)]
struct Plan {
    due: usize,
    item: usize,
    kind: Kind,
    motive: Motive,
    reason: Option<usize>,
}

struct Customer<'c> {
    catalogue: &'c Catalogue,
    rng: Rng,
    events: Vec<Event>,
    plans: Vec<Plan>,
    day: u32,
    taste: usize,
    chosen: Vec<usize>, // devices that were bought or are about to be, and series that were begun
}

const YEAR: u32 = 365;
const DECEMBER: u32 = 334;

pub fn write(catalogue: &Catalogue, sizes: &Sizes, mut rng: Rng) -> Vec<Event> {
    let day = rng.random_range(0..2 * YEAR - 200);
    let taste = rng.random_range(0..TASTES.len());
    let (events, plans, chosen) = (Vec::new(), Vec::new(), Vec::new());
    let length = rng.random_range(sizes.least..=sizes.most);
    let mut customer = Customer { catalogue, rng, events, plans, day, taste, chosen };
    while customer.events.len() < length {
        customer.act();
    }
    customer.events.truncate(length);
    customer.events
}

impl Customer<'_> {
    fn chance(&mut self, p: f64) -> bool {
        self.rng.random_bool(p)
    }

    fn below(&mut self, n: usize) -> usize {
        self.rng.random_range(0..n)
    }

    /// A plan that is due, else a whim of the moment.
    fn act(&mut self) {
        if self.chance(0.5) {
            self.day += self.rng.random_range(1..=7); // two events a visit, in the mean
        }
        if self.chance(0.04) {
            self.taste = self.below(TASTES.len());
        }
        let due = (0..self.plans.len()).filter(|i| self.plans[*i].due <= self.events.len());
        match due.min_by_key(|i| self.plans[*i].due) {
            Some(first) => {
                let plan = self.plans.remove(first);
                self.does(plan.item, plan.kind, plan.motive, plan.reason);
            }
            None => self.anew(),
        }
    }

    /// Writes an event down, and plans what follows from it.
    fn does(&mut self, item: usize, kind: Kind, motive: Motive, reason: Option<usize>) {
        self.events.push(Event { item, kind, day: self.day, motive, reason });
        match kind {
            Kind::View => {}
            Kind::Basket => {
                if self.chance(0.7) {
                    self.plan(2..=5, item, Kind::Purchase, Motive::Basket);
                }
                if self.chance(0.5) {
                    self.plan(1..=2, item, Kind::View, Motive::Whim); // looks again, whatever comes of it
                }
            }
            Kind::Purchase => {
                if let Some(supply) = self.catalogue.supply(item) {
                    self.plan(5..=14, supply, Kind::Purchase, Motive::Supply);
                }
                let next = self.catalogue.next_volume(item);
                if let Some(next) = next.filter(|_| self.chance(0.85)) {
                    self.plan(2..=8, next, Kind::Purchase, Motive::Series);
                }
            }
        }
    }

    /// Something because of the event that was written last.
    fn plan(
        &mut self,
        after: std::ops::RangeInclusive<usize>,
        item: usize,
        kind: Kind,
        motive: Motive,
    ) {
        let now = self.events.len() - 1;
        let due = now + self.rng.random_range(after);
        let reason = Motive::WITH_REASON.contains(&motive).then_some(now);
        self.plans.push(Plan { due, item, kind, motive, reason });
    }

    /// Something that no earlier event asks for.
    fn anew(&mut self) {
        if self.day % YEAR >= DECEMBER && self.chance(0.4) {
            let gift = Thing::Gift(self.below(GIFTS.len()));
            return self.does(self.catalogue.number(gift), Kind::Purchase, Motive::Gift, None);
        }
        match self.rng.random_range(0..100) {
            0..12 => self.device(),
            12..20 => self.series(),
            20..48 => {
                let item = self.liked();
                let waits = self.plans.iter().any(|plan| plan.item == item); // in the basket already
                let kind = if waits || self.chance(0.6) { Kind::Purchase } else { Kind::Basket };
                self.does(item, kind, Motive::Taste, None);
            }
            48..95 => {
                let item = self.looked_at();
                self.does(item, Kind::View, Motive::Whim, None);
            }
            _ => {
                let item = self.below(self.catalogue.len());
                self.does(item, Kind::Purchase, Motive::Whim, None);
            }
        }
    }

    /// A new device: two models are looked at, one goes into the basket; or it is bought on the spot.
    fn device(&mut self) {
        let (kind, model) = (self.below(SUPPLIES.len()), self.below(MODELS.len()));
        let other = (model + 1 + self.below(MODELS.len() - 1)) % MODELS.len();
        let [item, other] =
            [model, other].map(|model| self.catalogue.number(Thing::Device(kind, model)));
        if self.chosen.contains(&item) {
            return;
        }
        self.chosen.push(item);
        if self.chance(0.3) {
            return self.does(item, Kind::Purchase, Motive::Whim, None);
        }
        self.does(other, Kind::View, Motive::Whim, None);
        self.does(item, Kind::View, Motive::Whim, None);
        self.plan(1..=3, item, Kind::Basket, Motive::Whim);
    }

    fn series(&mut self) {
        let first = Thing::Volume(self.below(TITLES.len()), 0);
        let item = self.catalogue.number(first);
        if !self.chosen.contains(&item) {
            self.chosen.push(item);
            self.does(item, Kind::Purchase, Motive::Taste, None);
        }
    }

    /// A thing of the present taste; every second time the one that is in fashion this quarter.
    fn liked(&mut self) -> usize {
        let quarter = (self.day as usize * 4 / YEAR as usize) % OF_A_TASTE;
        let number = if self.chance(0.5) { quarter } else { self.below(OF_A_TASTE) };
        self.catalogue.number(Thing::Liked(self.taste, number))
    }

    /// Things are looked at that one owns, that one likes, or anything.
    fn looked_at(&mut self) -> usize {
        match self.below(3) {
            0 if !self.chosen.is_empty() => {
                let one = self.below(self.chosen.len());
                self.chosen[one]
            }
            1 => self.liked(),
            _ => self.below(self.catalogue.len()),
        }
    }
}
