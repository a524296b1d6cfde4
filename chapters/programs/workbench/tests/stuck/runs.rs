//! A training that is killed and goes on, and one on several threads, for the tests of several chapters.

#[path = "mod.rs"]
mod stuck;

use rayon::ThreadPoolBuilder;
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

/// Trained on one thread or on three, or killed before each of these of its batches and gone on with: a training
/// ends the same. `test` is the ignored one of this program that is killed.
pub fn ends_the_same(test: &str, before: &[usize], run: impl Fn(&Run) -> End + Sync) -> End {
    let on = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&Run::WHOLE))
    };
    let folder = tempfile::tempdir().unwrap();
    stuck::kill(test, folder.path(), before, &[]);
    let resumed = run(&Run { folder: Some(folder.path().into()), ..Run::WHOLE });
    let one = on(1);
    for (what, end) in [("three threads", on(3)), ("killed", resumed)] {
        assert_eq!(end.1, one.1, "{test}, {what}");
        assert!(end.0 == one.0, "{test}, {what}: the parameters differ");
    }
    one
}
