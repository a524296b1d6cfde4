//! A training that is killed and goes on, for the tests of several chapters.

#[path = "mod.rs"]
mod stuck;

use shared::Module;
use std::path::PathBuf;
use stuck::Stuck;
use workbench::training::{Epoch, Options, Task, train};

/// How a training runs: as a whole, or with its state kept after every step, and gone on from.
pub struct Run {
    stuck: usize,
    folder: Option<PathBuf>,
}

/// The bits of all parameters, by name.
pub type Bits = Vec<(String, Vec<u32>)>;

/// How a training ended.
pub type End = (Bits, Vec<Epoch>);

impl Run {
    pub const WHOLE: Run = Run { stuck: usize::MAX, folder: None };

    /// As the test says that starts this one, to kill it.
    pub fn killed() -> Run {
        let (stuck, folder) = stuck::from_environment();
        Run { stuck, folder: Some(folder) }
    }

    pub fn train<T: Task>(&self, task: T, model: &mut T::Model, options: Options) -> End {
        let options = Options {
            checkpoint: self.folder.clone(),
            checkpoint_steps: Some(1),
            resume: self.folder.is_some(),
            ..options
        };
        let history = train(&Stuck::new(task, self.stuck), model, &options).unwrap();
        (bits(model), history.epochs)
    }
}

pub fn bits(model: &mut impl Module) -> Bits {
    let mut bits = Vec::new();
    model.for_each_parameter(|name, param| {
        bits.push((name.to_owned(), param.value().iter().map(|x| x.to_bits()).collect()));
    });
    bits
}

/// Kills the ignored test `test` of this program before each of these of its batches, then goes on: it ends as
/// if nothing had happened.
pub fn goes_on(test: &str, before: &[usize], run: impl Fn(&Run) -> End) -> End {
    let folder = tempfile::tempdir().unwrap();
    stuck::kill(test, folder.path(), before, &[]);
    let resumed = Run { folder: Some(folder.path().into()), ..Run::WHOLE };
    let (resumed, whole) = (run(&resumed), run(&Run::WHOLE));
    assert_eq!(resumed.1, whole.1, "{test}");
    assert!(resumed.0 == whole.0, "{test}: the parameters differ");
    whole
}
