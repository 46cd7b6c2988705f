//! The command `pod`: runs scenarios of a Kafka partition, shows their steps, draws them.

mod args;
mod demos;
mod directory;
mod failure;
mod files;
mod folder;
mod json;
mod render;
mod run;
mod source;
mod summary;
mod terminal;
mod trace;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use failure::Failure;

fn main() -> ExitCode {
    let args = Args::parse();
    args.color.write_global();
    // It takes out the colours of what goes to a file, or to a terminal that has none.
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    let outcome = match args.command {
        Command::Run(run) => run::run(&run, &mut out),
        Command::Render(render) => render::run(&render, &mut out),
        Command::Files(files) => files::run(&files, &mut out),
        Command::Trace(trace) => trace::run(&trace, &mut out),
        Command::Demos(demos) => demos::run(&demos, &mut out),
    };
    let outcome = outcome.and_then(|()| out.flush().map_err(Failure::from));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            // What was printed before comes first, whether or not this succeeds.
            let _ = out.flush();
            eprintln!("pod: {failure}");
            ExitCode::from(failure.code())
        }
    }
}
