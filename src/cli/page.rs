//! Options about how a page looks and where it goes.

use std::path::PathBuf;

use clap::Args;

use super::console::Console;
use super::exit::Exit;
use super::failure::Failure;
use super::files;
use super::output::Output;
use crate::render::Look;
use crate::render::format::PageFormat;

/// Options about how a page looks and where it goes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct PageArgs {
    /// text, json, csv, tsv or md
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text", hide_possible_values = true)]
    pub format: PageFormat,

    /// Write the results to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Decimals of a value
    #[arg(long, value_name = "N", default_value_t = 3, hide_short_help = true, value_parser = clap::value_parser!(u8).range(0..=15))]
    pub digits: u8,
}

impl PageArgs {
    /// Checks, before any work is done, that the output is none of the inputs.
    ///
    /// # Errors
    /// When it is.
    pub fn check(&self, inputs: &[&str]) -> Result<(), Failure> {
        files::check(&[("-o", self.output.as_deref())], inputs)
    }

    /// How results look.
    pub fn look(&self, console: &Console) -> Look {
        Look { signs: console.signs(), digits: self.digits.into() }
    }

    /// What the command leaves behind.
    pub fn deliver(&self, result: String, messages: String, exit: Exit) -> Output {
        Output { result, messages, exit, ..Output::default() }.redirected(self.output.as_deref())
    }
}
