//! One training of a program, from its arguments to its results.

use super::arguments::TrainingArgs;
use super::output::Output;
use super::terminal::say;
use crate::error::Result;
use crate::training::{Options, Watch};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The folder of the model, in that of the results.
const MODEL: &str = "model";

/// A training of a program: how it is trained, where its results and its model go, and how Ctrl-C is answered.
///
/// 1. [`begin`](Session::begin) refuses wrong arguments and folders of others, before files are read. The chapter
///    adds what only it can refuse, such as a foreign model in [`model`](Session::model).
/// 2. The chapter reads its data, and sets those of the [`options`](Session::options) that depend on them.
/// 3. [`train`](Session::train): from here on until the model is saved, Ctrl-C waits. The loop itself asks
///    whether there is memory enough ([`train`](crate::training::train)), so no chapter has to.
/// 4. [`save`](Session::save): the model is written first. Then Ctrl-C ends the program at once.
/// 5. The chapter tests, and draws into [`output`](Session::output); [`finish`](Session::finish) writes the rest.
///
/// ```
/// # use workbench::program::{Common, Session, TrainingArgs};
/// # use workbench::training::Options;
/// # let out = tempfile::tempdir()?;
/// # let common = Common { out: Some(out.path().join("out")), seed: 3 };
/// # let training = TrainingArgs { common, epochs: Some(5), ..TrainingArgs::default() };
/// let mut session = Session::begin("doubling", &training, Options::default())?;
/// let model = session.train(|options| Ok(2 * options.epochs))?; // here a loop would train
/// session.save("it was not tested", |folder| {
///     workbench::files::write(&folder.join("model.txt"), model.to_string().as_bytes())
/// })?;
/// session.finish(&serde_json::json!({ "seed": training.common.seed, "model": model }))?;
/// # assert_eq!(std::fs::read_to_string(out.path().join("out/model/model.txt"))?, "10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session {
    /// How it is trained.
    pub options: Options,
    model: Output, // goes before the folder that it is in
    /// Where results and figures go.
    pub output: Output,
    watch: Option<Watch>,
}

impl Session {
    /// Begins a training of the program `name`: its own options, changed as the arguments say; its precision; the
    /// folder of its results, and that of its model.
    ///
    /// # Errors
    /// When an argument is refused, or one of the folders ([`Output::open`]).
    pub fn begin(name: &str, training: &TrainingArgs, own: Options) -> Result<Session> {
        let options = training.options(own)?;
        training.precision.begin()?;
        let output = Output::open(&training.common, name)?;
        let model = Output::at(output.folder().join(MODEL))?;
        Ok(Session { options, model, output, watch: None })
    }

    /// Puts the model into another folder than `model` in that of the results.
    ///
    /// # Errors
    /// When it cannot be made or written to, or holds what is not written over.
    pub fn put_model_into(&mut self, folder: PathBuf) -> Result<()> {
        self.model = Output::at(folder)?;
        Ok(())
    }

    /// The folder of the model.
    pub fn model(&self) -> &Path {
        self.model.folder()
    }

    /// Trains with the options; from now on until the model is saved, Ctrl-C waits.
    ///
    /// # Errors
    /// Those of `learn`.
    pub fn train<R>(&mut self, learn: impl FnOnce(&Options) -> Result<R>) -> Result<R> {
        self.watch = Some(Watch::begin());
        learn(&self.options)
    }

    /// Writes the model into its folder. From now on Ctrl-C ends the program at once, and says what is `missing`.
    ///
    /// # Errors
    /// Those of `write`; or that Ctrl-C was pressed before.
    pub fn save(&self, missing: &str, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        write(self.model())?;
        let words = format!(
            "interrupted after training: the model is in {}; {missing}",
            self.model().display()
        );
        self.watch.as_ref().map_or(Ok(()), |watch| watch.saved(words))
    }

    /// Writes `results.json`, and says where it and the model are.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self, results: &impl Serialize) -> Result<()> {
        self.output.results(results)?;
        let [model, results] = [&self.model, &self.output].map(|output| output.folder().display());
        say(format!("\nthe model is in {model}, results.json in {results}"));
        Ok(())
    }
}
