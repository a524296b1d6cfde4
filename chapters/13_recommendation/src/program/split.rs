//! What is trained on, and what is held out.

use super::data::{Customer, Data};
use crate::{Action, Popularity};

/// A purchase: whose, and which of their actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    pub customer: usize,
    pub at: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// How many actions of each customer are trained on.
    pub trained: Vec<usize>,
    pub validation: Vec<Example>,
    pub test: Vec<Example>,
}

impl Parts {
    /// Leave-last-out: of every customer the last purchase is the test, the one before it validation.
    pub fn last_out(data: &Data) -> Parts {
        let mut parts = Parts::default();
        for (customer, one) in data.customers.iter().enumerate() {
            let mut last = data.purchases(one).into_iter().rev();
            let [test, validation] = [last.next(), last.next()];
            parts.trained.push(validation.or(test).unwrap_or(one.actions.len()));
            parts.validation.extend(validation.map(|at| Example { customer, at }));
            parts.test.extend(test.map(|at| Example { customer, at }));
        }
        parts
    }

    /// Every purchase that is trained on.
    pub fn training(&self, data: &Data) -> impl Iterator<Item = Example> {
        self.trained.iter().enumerate().flat_map(|(customer, end)| {
            let own = data.purchases(&data.customers[customer]).into_iter();
            own.take_while(|at| at < end).map(move |at| Example { customer, at })
        })
    }

    /// How often every item was bought where a model may look.
    pub fn popularity(&self, data: &Data) -> Popularity {
        Popularity::new(data.items.len(), self.training(data).map(|one| one.bought(data)))
    }
}

impl Data {
    /// The places of purchases that have something before them.
    pub fn purchases(&self, customer: &Customer) -> Vec<usize> {
        let actions = &customer.actions;
        (1..actions.len()).filter(|at| actions[*at].kind == self.purchase()).collect()
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
