//! How a run is saved, and how it goes on.

use super::checkpoint;
use super::options::Options;
use super::peers::{Peers, made_once};
use super::schedule::Schedule;
use super::task::Task;
use super::trainer::{State, Trainer};
use crate::error::{Error, Result};
use crate::fingerprint::Fingerprint;
use crate::folders::as_written;
use crate::parameters::{self, Named, Tensors};
use serde::Serialize;
use serde_json::{Value, json};
use shared::{Backend, Float, Matrix, Memory, Precision};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a checkpoint is saved.
const PERIOD: Duration = Duration::from_secs(60);

#[derive(Serialize)]
struct Fixed {
    seed: u64, // first: of another seed, the task's data are others, too
    task: Value,
    shards: usize,
    average: Option<usize>,
    precision: &'static str, // or sums would depend on where a run was stopped
    optimizer: Value,
}

#[derive(Serialize)]
struct Settings {
    schedule: Schedule,
    clip: Option<Float>,
}

impl<T: Task> Trainer<'_, T> {
    /// Goes on from the checkpoint in the folder, or begins one: a folder that cannot be written to
    /// is better known before the first step.
    pub(super) fn restore(&mut self) -> Result<()> {
        let fixed = self.fixed()?;
        self.must_agree(&fixed)?;
        if self.options.checkpoint.is_none() {
            return self.agree_on_unit();
        }
        let Some((state, path, bytes)) = self.found(&fixed)? else {
            self.agree_on_unit()?;
            return self.begin_folder();
        };
        let (done, epochs) = (state.epoch, self.options.epochs);
        if done > epochs || (done == epochs && state.step > 0) {
            let reason =
                format!("has trained {epochs} epochs and more: it was saved {}", state.place());
            return Err(Error::file(&self.record(), reason));
        }
        self.state = state;
        self.load_tensors(Tensors::parse(&path, &bytes)?)?;
        self.restore_unit()?;
        let place = self.state.place();
        let settings = self.settings()?;
        let changed = checkpoint::differences(&self.state.settings, &settings);
        let begin = if self.is_finished() {
            "the checkpoint is of a finished run".to_owned()
        } else {
            format!("goes on {place}")
        };
        match &changed[..] {
            [] => self.display.say(begin),
            changed => {
                let changed = changed.join(", ");
                self.display.say(format_args!("{begin} with a change: {changed}"));
            }
        }
        self.saved = (Instant::now(), place);
        Ok(())
    }

    /// State and tensors of the folder's checkpoint, with the name of their file: read by the process
    /// that leads, and shared.
    fn found(&mut self, fixed: &Value) -> Result<Option<(State, PathBuf, Vec<u8>)>> {
        let peers = self.options.peers.clone();
        let mut bytes = Vec::new();
        let found = made_once(peers.as_deref(), || {
            let Some(folder) = &mut self.folder else { return Ok(None) };
            if folder.is_begun() && !self.options.resume {
                return Err(checkpoint::occupied(folder.path()));
            }
            let Some(found) = folder.load::<State>(fixed)? else { return Ok(None) };
            if let Some(damage) = found.damage {
                self.display.say(format_args!("{damage}; the checkpoint before it is used"));
            }
            bytes = found.tensors.1;
            Ok(Some((found.state, found.tensors.0)))
        })?;
        let Some((state, path)) = found else { return Ok(None) };
        if let Some(peers) = peers {
            peers.share(&mut bytes)?;
        }
        Ok(Some((state, path, bytes)))
    }

    /// Which instructions are faster, and from which size on, every process tried for itself. What the first found
    /// counts, if all have it: those for bf16 all have.
    fn agree_on_unit(&mut self) -> Result<()> {
        let peers = self.options.peers.as_ref();
        let Some(peers) = peers.filter(|_| Precision::current() != Precision::F32) else {
            return Ok(());
        };
        let (first, from) = made_once(Some(peers.as_ref()), || {
            Ok((Backend::current().name().to_owned(), Precision::threshold()))
        })?;
        agreed(&first, peers.as_ref())?.begin();
        Precision::current().begin_with_threshold(from);
        Ok(())
    }

    /// The run goes on with the instructions that it began with, or it would end with other bits: which are
    /// faster may be tried with another result at every start.
    fn restore_unit(&self) -> Result<()> {
        if Precision::current() == Precision::F32 {
            return Ok(());
        }
        let name = self.state.unit.as_deref().unwrap_or(Backend::Bf16.name());
        let unit = supported(name).map_err(|reason| Error::file(&self.record(), reason))?;
        let before = Precision::threshold();
        match self.state.rounds_from {
            Some(multiplications) => Precision::current().begin_with_threshold(multiplications),
            None => Precision::current().begin(), // as it was before a trial asked
        }
        if Precision::threshold() != before {
            self.display.say(format_args!(
                "products of {} multiplications and more are rounded, as before",
                Precision::threshold()
            ));
        }
        if unit != Backend::current() {
            unit.begin();
            self.display.say(format_args!(
                "rounded factors are multiplied by the instructions for {name}, as before"
            ));
        }
        Ok(())
    }

    /// Processes that train different things would add what does not belong together.
    fn must_agree(&mut self, fixed: &Value) -> Result<()> {
        let Some(peers) = self.options.peers.clone() else { return Ok(()) };
        let mut start = Fingerprint::default();
        for Named { name, value, .. } in parameters::parameters(self.model) {
            let bytes: Vec<u8> = value.iter().flat_map(|x| x.to_le_bytes()).collect();
            start = start.and(name).and(bytes);
        }
        let Options { epochs, accumulate, resume, checkpoint_steps, .. } = *self.options;
        let here = as_written(&json!({
            "run": fixed, "settings": self.settings()?, "epochs": epochs, "accumulate": accumulate,
            "checkpoints": self.options.checkpoint.is_some(), "resume": resume,
            "checkpoint_steps": checkpoint_steps, "parameters": start.to_string(),
        }))?;
        let there = made_once(Some(peers.as_ref()), || Ok(here.clone()))?;
        match checkpoint::difference(&there, &here) {
            None => Ok(()),
            Some(what) => {
                Err(Error::argument(format!("another run than in the first process: {what}")))
            }
        }
    }

    /// The first checkpoint of a folder, which `--resume` may ask for as well: whether a run has
    /// begun, its starter need not know.
    fn begin_folder(&mut self) -> Result<()> {
        let (Some(folder), true) = (&self.folder, self.options.resume) else { return self.save() };
        let path = folder.path();
        if let Some(below) = checkpoint::find_checkpoint(path) {
            let reason =
                format!("holds no checkpoint, but {} does: name that one", below.display());
            return Err(Error::file(path, reason));
        }
        self.display.say(format_args!("no checkpoint in {} yet: begins", path.display()));
        self.save()
    }

    /// The settings that may not change between a checkpoint and the run that goes on from it.
    fn fixed(&self) -> Result<Value> {
        let Options { shards, seed, average, .. } = *self.options;
        let task = self.task.describe();
        let settings = self.optimizer.settings();
        let optimizer = settings.into_iter().map(|(name, text)| {
            let number = text.parse::<f64>().map(Value::from);
            (name.to_owned(), number.unwrap_or_else(|_| Value::from(text)))
        });
        let optimizer = optimizer.collect();
        let precision = Precision::current().name();
        as_written(&Fixed { seed, task, shards, average, precision, optimizer })
    }

    /// Those that may: after a loss that was no number, one would like to try again more carefully.
    fn settings(&self) -> Result<Value> {
        let Options { schedule, clip, .. } = *self.options;
        as_written(&Settings { schedule, clip })
    }

    pub(super) fn record(&self) -> PathBuf {
        self.options.checkpoint.as_deref().map(checkpoint::record).unwrap_or_default()
    }

    /// Parameters, what Adam remembers of them, and those of the last epochs' ends, if the run keeps them.
    fn load_tensors(&mut self, mut file: Tensors) -> Result<()> {
        let mut values = Vec::new();
        let parameters = parameters::parameters(self.model);
        let ends = self.ends.names(self.state.epoch);
        let mut kept = vec![Vec::new(); ends.len()];
        for (place, Named { name, id, value }) in parameters.iter().enumerate() {
            let mut take = |prefix: &str| file.take(&format!("{prefix}{name}"), value.shape());
            values.push(take("")?);
            for (end, values) in ends.iter().zip(&mut kept) {
                values.push(Arc::new(take(end)?));
            }
            if let Some(&steps @ 1..) = self.state.moved.get(place) {
                let slots = self.optimizer.state_names().iter();
                let memory = slots.map(|slot| take(&format!("optimizer.{slot}.")));
                self.optimizer.load_state(*id, steps, memory.collect::<Result<_>>()?);
            }
        }
        file.finish()?;
        drop(parameters);
        parameters::assign(self.model, values);
        self.ends.restore(kept);
        Ok(())
    }

    pub(super) fn save(&mut self) -> Result<()> {
        if self.folder.is_none() {
            return Ok(());
        }
        let parameters = parameters::parameters(self.model);
        let memories = || parameters.iter().map(|named| self.optimizer.memory(named.id));
        let mut matrices: Vec<(String, &Matrix)> = Vec::new();
        for (Named { name, value, .. }, memory) in parameters.iter().zip(memories()) {
            matrices.push((name.clone(), value));
            let remembered = memory.map_or(Vec::new(), |memory: Memory| memory.matrices);
            let slots = self.optimizer.state_names().iter();
            matrices.extend(
                slots.zip(remembered).map(|(slot, m)| (format!("optimizer.{slot}.{name}"), m)),
            );
        }
        for (end, values) in self.ends.names(self.state.epoch).iter().zip(self.ends.values()) {
            for (Named { name, .. }, value) in parameters.iter().zip(values) {
                matrices.push((format!("{end}{name}"), value));
            }
        }
        self.state.moved = memories().map(|memory| memory.map_or(0, |m| m.steps)).collect();
        let name = format!("{:04}-{:06}", self.state.epoch, self.state.step);
        self.state.settings = self.settings()?;
        let is_rounded = Precision::current() != Precision::F32;
        self.state.unit = is_rounded.then(|| Backend::current().name().to_owned());
        self.state.rounds_from = is_rounded.then(Precision::threshold);
        let fixed = self.fixed()?;
        if let Some(folder) = &mut self.folder {
            folder.save(&name, &fixed, &self.state, matrices)?;
        }
        self.saved = (Instant::now(), self.state.place());
        Ok(())
    }

    /// Whether it is time for a checkpoint.
    fn is_due(&self) -> bool {
        let steps = self.options.checkpoint_steps;
        self.saved.0.elapsed() >= PERIOD
            || steps.is_some_and(|steps| self.state.steps.is_multiple_of(steps))
    }

    /// What happens between two steps, and between two epochs.
    pub(super) fn pause(&mut self) -> Result<()> {
        // Of several processes all stop after the same step, or none.
        let peers = self.options.peers.clone();
        let interrupted = if peers.is_some() { self.stop } else { self.watch.requested() };
        if (interrupted || self.is_due()) && self.saved.1 != self.state.place() {
            self.save()?;
        }
        if !interrupted {
            return Ok(());
        }
        if let Some(peers) = peers {
            peers.sum(&mut [0.0])?; // nobody leaves before the first has saved
        }
        let place = self.state.place();
        Err(Error::Interrupted(match self.options.checkpoint {
            None => format!("interrupted {place}; nothing was saved"),
            Some(_) => {
                let file = self.record();
                format!("interrupted {place}; add --resume to go on from {}", file.display())
            }
        }))
    }
}

/// The unit of that name, if all processes have it, or else that for bf16.
fn agreed(first: &str, peers: &dyn Peers) -> Result<Backend> {
    let here = Backend::named(first).filter(|unit| unit.is_supported());
    let mut without = [Float::from(u8::from(here.is_none()))];
    peers.sum(&mut without)?;
    Ok(here.filter(|_| without[0] == 0.0).unwrap_or_default())
}

/// The unit that the run multiplies rounded factors by: if this processor can.
fn supported(name: &str) -> std::result::Result<Backend, String> {
    match Backend::named(name) {
        None => {
            Err(format!("cannot be understood: unit is {name:?}, bf16, f32 or tiles is needed"))
        }
        Some(unit) if !unit.is_supported() => {
            Err(format!("this run multiplies rounded factors by {name}, which cannot be used here"))
        }
        Some(unit) => Ok(unit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number 0 of two, of which the other adds this number to every sum.
    #[derive(Debug)]
    struct Other(Float);

    impl Peers for Other {
        fn rank(&self) -> usize {
            0
        }

        fn count(&self) -> usize {
            2
        }

        fn exchange(&self, _: usize, _: &[Float], receive: &mut [Float]) -> Result<()> {
            receive.fill(self.0);
            Ok(())
        }
    }

    #[test]
    fn processes_take_what_all_have() {
        for unit in [Backend::Bf16, Backend::F32, Backend::Tiles] {
            let both = if unit.is_supported() { unit } else { Backend::Bf16 };
            assert_eq!(agreed(unit.name(), &Other(0.0)).unwrap(), both);
            assert_eq!(agreed(unit.name(), &Other(1.0)).unwrap(), Backend::Bf16);
        }
    }

    #[test]
    fn what_a_processor_has_not_is_refused() {
        for unit in [Backend::Bf16, Backend::F32, Backend::Tiles] {
            let found = supported(unit.name());
            assert_eq!(found.is_ok(), unit.is_supported());
            assert!(
                found.map_or_else(|reason| reason.contains(unit.name()), |found| found == unit)
            );
        }
        assert!(supported("quads").unwrap_err().contains(r#"unit is "quads""#));
    }
}
