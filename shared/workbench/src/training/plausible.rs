//! Whether a record can be a run's. Its fingerprint tells that nothing changed by accident; somebody
//! may have written one on purpose, and what the loop computes from it must not panic or hang.

use super::history::Evaluation;
use super::trainer::State;

/// More than any loss, sum of losses or speed, and little enough to be added and drawn.
const LARGEST: f64 = 1e100;
/// More steps and tokens than any run has, and few enough to be counted on.
const MOST: u64 = 1 << 53;

impl State {
    /// What no run could have left, if there is anything.
    pub(super) fn flaw(&self) -> Option<&'static str> {
        let (epochs, timings) = (&self.history.epochs, &self.history.timings);
        let ends = || std::iter::once(0).chain(epochs.iter().map(|epoch| epoch.steps));
        let in_order = ends().zip(ends().skip(1)).all(|(last, next)| last < next)
            && epochs.iter().zip(1..).all(|(epoch, number)| epoch.epoch == number);
        let before = ends().last().unwrap_or(0);
        let adds_up = before.checked_add(self.step as u64) == Some(self.steps);
        let evaluation = |epoch: usize| epochs.get(epoch.checked_sub(1)?)?.evaluation.as_ref();
        let best_is_one = match self.history.best {
            Some(best) => evaluation(best).is_some(),
            None => epochs.iter().all(|epoch| epoch.evaluation.is_none()),
        };
        let judged = |evaluation: &Evaluation| {
            evaluation.scores.values().chain([&evaluation.loss]).copied().all(is_number)
        };
        let epochs_are_told = epochs.iter().all(|epoch| {
            [epoch.loss, epoch.learning_rate.into()].into_iter().all(is_number)
                && is_amount(epoch.gradient_norm)
                && epoch.evaluation.as_ref().is_none_or(judged)
        });
        let timings_are_told =
            timings.iter().all(|t| is_amount(t.seconds) && is_amount(t.tokens_per_second));
        let sums = [self.divisor, self.norm, self.seconds];
        let sums_are_told = sums.into_iter().all(is_amount)
            && is_number(self.loss)
            && (self.step == 0 || self.divisor > 0.0)
            && self.last.is_none_or(|(loss, norm)| is_number(loss) && is_amount(norm));
        let rules = [
            (epochs.len() == self.epoch && timings.len() == self.epoch, "it tells of other epochs"),
            (in_order, "its epochs are not in order"),
            (adds_up && self.steps <= MOST && self.tokens <= MOST, "its steps do not add up"),
            (best_is_one, "its best epoch is none"),
            (epochs_are_told, "a number in its history is none that training finds"),
            (timings_are_told, "a time in its history is none that passes"),
            (sums_are_told, "its sums are none that training finds"),
        ];
        rules.into_iter().find(|(holds, _)| !holds).map(|(_, flaw)| flaw)
    }
}

fn is_number(x: f64) -> bool {
    x.abs() <= LARGEST
}

fn is_amount(x: f64) -> bool {
    (0.0..=LARGEST).contains(&x)
}
