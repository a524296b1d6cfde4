//! The program that the translating chapters share: `train`, `translate`, `bench`.

use super::{bench, train, translate, translate_file};
use crate::translating::training::chapter::{Chapter, Description};
use crate::translator::Translator;
use clap::builder::PossibleValuesParser;
use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;
use workbench::error::Result;
use workbench::program::{parse_command, run};

#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Program<C: Description> {
    #[command(subcommand)]
    command: Option<Command<C>>,
    #[command(flatten)]
    train: train::TrainArgs<C>,
}

#[derive(Subcommand)]
enum Command<C: Description> {
    /// Learn to translate, then report how well it went (also done without a command)
    Train(train::TrainArgs<C>),
    /// Translate a sentence with the model that `train` left, and draw the alignment; or a file
    Translate(translate::TranslateArgs),
    /// Time full training steps on random words
    Bench(bench::BenchArgs),
}

impl<C: Description, M: Translator> Chapter<C, M> {
    /// The chapter's program.
    pub fn program(&self) -> ExitCode {
        let [about, more] = self.about;
        let names: Vec<&'static str> = self.benches.iter().map(|(name, _)| *name).collect();
        let command = Program::<C>::command().about(about).long_about(format!("{about}\n\n{more}"));
        let command = command.mut_subcommand("bench", |bench| {
            bench.mut_arg("config", |config| {
                config.default_value(names[0]).value_parser(PossibleValuesParser::new(names))
            })
        });
        let program: Program<C> = parse_command(command);
        run(|| self.obey(&program.command.unwrap_or(Command::Train(program.train))))
    }

    fn obey(&self, command: &Command<C>) -> Result<()> {
        match command {
            Command::Train(arguments) => train::train(self, arguments),
            Command::Translate(arguments) if arguments.file.is_some() => {
                translate_file::translate_file(self, arguments)
            }
            Command::Translate(arguments) => translate::translate(self, arguments),
            Command::Bench(arguments) => bench::bench(self, arguments),
        }
    }
}
