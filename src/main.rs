//! The raglens command: parse, run, and map the result to an exit status. Nothing else exits.

mod cli;
mod render;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os()).into()
}
