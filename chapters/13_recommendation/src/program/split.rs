//! What is trained on, and what is held out.

use super::data::{Customer, Data};
use crate::Action;
use serde::Serialize;

/// A purchase: whose, and which of their actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    pub customer: usize,
    pub at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Split {
    /// Of every customer the last purchase is the test, the one before it validation.
    LeaveLastOut,
    /// What happened in the last share of the time is not seen at all: the test is every customer's
    /// first purchase in it.
    InTime(f64),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// Of each customer, how many actions are trained on.
    pub trained: Vec<usize>,
    pub validation: Vec<Example>,
    pub test: Vec<Example>,
}

impl Split {
    pub fn of(self, data: &Data) -> Parts {
        let cut = self.cut(data);
        let mut parts = Parts { trained: vec![], validation: vec![], test: vec![] };
        for (number, customer) in data.customers.iter().enumerate() {
            let bought = purchases(data, customer);
            let before = cut.map_or(bought.len().saturating_sub(1), |cut| {
                bought.partition_point(|at| customer.times[*at] < cut)
            });
            let [validation, test] = [before.checked_sub(1), Some(before)]
                .map(|place| bought.get(place?).map(|at| Example { customer: number, at: *at }));
            let end = customer.actions.len();
            let end = cut.map_or(end, |cut| customer.times.partition_point(|time| *time < cut));
            parts.trained.push(validation.or(test).map_or(end, |held| held.at.min(end)));
            parts.validation.extend(validation);
            parts.test.extend(test);
        }
        parts
    }

    /// The time from which on nothing is trained on.
    fn cut(self, data: &Data) -> Option<f64> {
        let Split::InTime(share) = self else { return None };
        let mut times: Vec<f64> =
            data.customers.iter().flat_map(|customer| customer.times.iter().copied()).collect();
        times.sort_by(f64::total_cmp);
        let place = ((1.0 - share) * times.len() as f64) as usize;
        times.get(place.min(times.len().saturating_sub(1))).copied()
    }
}

/// Purchases that have something before them.
fn purchases(data: &Data, customer: &Customer) -> Vec<usize> {
    let is = |at: &usize| customer.actions[*at].kind == data.purchase();
    (1..customer.actions.len()).filter(is).collect()
}

impl Parts {
    /// Every purchase that is trained on.
    pub fn training(&self, data: &Data) -> impl Iterator<Item = Example> {
        self.trained.iter().enumerate().flat_map(|(customer, end)| {
            let own = purchases(data, &data.customers[customer]).into_iter();
            own.take_while(|at| at < end).map(move |at| Example { customer, at })
        })
    }
}

impl Example {
    /// What was done before, the last `longest` actions of it.
    pub fn history(self, data: &Data, longest: usize) -> &[Action] {
        let first = self.at.saturating_sub(longest);
        &data.customers[self.customer].actions[first..self.at]
    }

    pub fn bought(self, data: &Data) -> usize {
        data.customers[self.customer].actions[self.at].item
    }

    /// The place of the reason in that history, if there is one and it is not too long ago.
    pub fn reason(self, data: &Data, longest: usize) -> Option<usize> {
        let reason = (*data.customers[self.customer].reasons.get(self.at)?)?;
        reason.checked_sub(self.at.saturating_sub(longest))
    }
}
