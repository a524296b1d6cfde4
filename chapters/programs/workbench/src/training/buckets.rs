//! Gradients on their way to other processes: in buckets, while backward still runs.

use super::peers::{Peers, Pending, made_once};
use crate::error::Result;
use shared::{Float, LossAndGradients, Matrix, Module, ParamGradients, ParamId};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// In which order gradients are sent, and how many together: the same in all processes.
pub(super) struct Plan {
    /// The trained parameters in the order in which they are sent: which of the model's it is, and
    /// its shape.
    params: Vec<Trained>,
    /// The same, their identities alone.
    ids: Vec<ParamId>,
    places: HashMap<ParamId, usize>,
    buckets: Vec<Range<usize>>,
    /// Whether the order is one that was observed.
    settled: bool,
}

#[derive(Clone, Copy)]
struct Trained {
    id: ParamId,
    /// Its number in the order of the visit: identities are a process's own.
    number: usize,
    shape: (usize, usize),
}

impl Plan {
    /// Before anything is known: the last parameters first, as backward passes them in most models.
    pub(super) fn new(model: &mut impl Module, bucket: Option<usize>) -> Plan {
        let mut params = Vec::new();
        model.for_each_parameter(|_, param| {
            if !param.is_frozen() {
                let (id, number, shape) = (param.id(), params.len(), param.value().shape());
                params.push(Trained { id, number, shape });
            }
        });
        params.reverse();
        Plan::of(params, bucket)
    }

    /// After the first step: from now on in the order in which the first process had its gradients.
    pub(super) fn settle(&mut self, order: &[usize], peers: &dyn Peers) -> Result<()> {
        if !self.settled && peers.bucket().is_some() {
            let order: Vec<usize> = made_once(Some(peers), || Ok(order.to_owned()))?;
            let mut params = std::mem::take(&mut self.params);
            params.sort_by_key(|param| order.iter().position(|number| *number == param.number));
            *self = Plan { settled: true, ..Plan::of(params, peers.bucket()) };
        }
        Ok(())
    }

    fn of(params: Vec<Trained>, bucket: Option<usize>) -> Plan {
        let ids: Vec<ParamId> = params.iter().map(|param| param.id).collect();
        let places = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        let (mut buckets, mut first, mut size) = (Vec::new(), 0, 0);
        for (place, Trained { shape: (rows, columns), .. }) in params.iter().enumerate() {
            size += 1 + rows * columns;
            if bucket.is_some_and(|bucket| size >= bucket) || place + 1 == params.len() {
                buckets.push(first..place + 1);
                (first, size) = (place + 1, 0);
            }
        }
        Plan { params, ids, places, buckets, settled: false }
    }

    pub(super) fn ids(&self) -> &[ParamId] {
        &self.ids
    }

    /// A bucket as a row of numbers: for each parameter 1 and the gradient, or 0 and as many −0, the
    /// one number that adds nothing to any other: 0 + −0 is 0, but −0 + 0 is not −0.
    fn to_numbers(&self, bucket: Range<usize>, gradients: &mut [Option<Matrix>]) -> Vec<Float> {
        let mut numbers = Vec::new();
        for (param, d) in self.params[bucket.clone()].iter().zip(&mut gradients[bucket]) {
            match d.take() {
                Some(d) => {
                    numbers.push(1.0);
                    numbers.extend_from_slice(d.as_slice());
                }
                None => {
                    numbers.push(0.0);
                    numbers.resize(numbers.len() + param.shape.0 * param.shape.1, -0.0);
                }
            }
        }
        numbers
    }

    /// The gradients in the sum of such rows: a parameter has one where any process had.
    fn gradients(&self, bucket: Range<usize>, mut numbers: &[Float]) -> Vec<(ParamId, Matrix)> {
        let mut gradients = Vec::new();
        for Trained { id, shape: (rows, columns), .. } in &self.params[bucket] {
            let (d, rest) = numbers.split_at(1 + rows * columns);
            if d[0] > 0.0 {
                gradients.push((*id, Matrix::from_column_slice(*rows, *columns, &d[1..])));
            }
            numbers = rest;
        }
        gradients
    }
}

/// The exchange of one step.
pub(super) struct Exchange<'a> {
    plan: &'a Plan,
    peers: &'a dyn Peers,
    sent_before: u64,
    state: Mutex<State>,
}

struct State {
    /// The gradients of this process that are complete but not yet sent, and which were completed.
    gradients: Vec<Option<Matrix>>,
    is_complete: Vec<bool>,
    /// In the order in which they were complete.
    order: Vec<usize>,
    pending: Vec<Pending>,
}

/// What an exchange brings.
pub(super) struct Exchanged {
    pub(super) sum: LossAndGradients,
    /// Whether any process asks for an end.
    pub(super) stop: bool,
    /// The parameters' numbers in the order in which this process had their gradients.
    pub(super) order: Vec<usize>,
    /// How long this process had nothing else to do.
    pub(super) seconds_waited: f64,
    pub(super) bytes_sent: u64,
}

impl<'a> Exchange<'a> {
    pub(super) fn new(plan: &'a Plan, peers: &'a dyn Peers) -> Exchange<'a> {
        let count = plan.params.len();
        let gradients = (0..count).map(|_| None).collect();
        let (order, pending) = (Vec::new(), Vec::new());
        let state = State { gradients, is_complete: vec![false; count], order, pending };
        let sent_before = peers.bytes_sent();
        Exchange { plan, peers, sent_before, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All shards of this process have the gradient of a parameter: what is full, goes. Bucket after
    /// bucket, whatever is complete first, since all processes must send the same.
    pub(super) fn complete(&self, id: ParamId, d: Option<Matrix>) {
        let (place, mut state) = (self.plan.places[&id], self.state());
        state.gradients[place] = d;
        state.is_complete[place] = true;
        state.order.push(self.plan.params[place].number);
        while let (Some(bucket), Some(_)) =
            (self.plan.buckets.get(state.pending.len()), self.peers.bucket())
            && state.is_complete[bucket.clone()].iter().all(|complete| *complete)
        {
            self.send(bucket, &mut state);
        }
    }

    fn send(&self, bucket: &Range<usize>, state: &mut State) {
        let numbers = self.plan.to_numbers(bucket.clone(), &mut state.gradients);
        state.pending.push(self.peers.begin_sum(numbers));
    }

    /// Backward is over: sends what is left, and waits for all sums.
    pub(super) fn finish(self, loss: Float, stop: bool) -> Result<Exchanged> {
        let mut state = self.state();
        while let Some(bucket) = self.plan.buckets.get(state.pending.len()) {
            self.send(bucket, &mut state); // a process without shards has completed nothing
        }
        let pending = std::mem::take(&mut state.pending);
        let order = std::mem::take(&mut state.order);
        let last = self.peers.begin_sum(vec![loss, Float::from(u8::from(stop))]);
        let begin = Instant::now();
        let mut seconds_waited = 0.0;
        let mut wait = |pending: Pending| {
            let before = begin.elapsed().as_secs_f64();
            let sum = pending.wait();
            seconds_waited += begin.elapsed().as_secs_f64() - before;
            sum
        };
        let mut gradients = Vec::new();
        for (bucket, pending) in self.plan.buckets.iter().zip(pending) {
            gradients.extend(self.plan.gradients(bucket.clone(), &wait(pending)?));
        }
        let last = wait(last)?;
        let gradients = ParamGradients::from_iter(gradients);
        let (sum, stop) = (LossAndGradients { loss: last[0], gradients }, last[1] > 0.0);
        let bytes_sent = self.peers.bytes_sent() - self.sent_before;
        Ok(Exchanged { sum, stop, order, seconds_waited, bytes_sent })
    }
}
