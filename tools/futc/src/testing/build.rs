//! The commands that compile a program and run what comes out.

use crate::args::{ProgramOptions, Sanitizer};
use crate::exit::Failure;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiler and options.
#[derive(Debug)]
pub struct Build<'a> {
    /// The compiler.
    pub compiler: PathBuf,
    options: &'a ProgramOptions,
    sanitizer: Option<Sanitizer>,
}

impl<'a> Build<'a> {
    /// With this compiler, unless the options name another.
    pub fn new(options: &'a ProgramOptions) -> Result<Build<'a>, Failure> {
        let compiler = match &options.compiler {
            Some(c) => c.clone(),
            None => std::env::current_exe().map_err(|e| Failure::new(e.to_string()))?,
        };
        Ok(Build { compiler, options, sanitizer: None })
    }

    /// The same, with a sanitizer.
    pub fn sanitized(self, sanitizer: Option<Sanitizer>) -> Build<'a> {
        Build { sanitizer, ..self }
    }

    /// Compiles `program` to `output`.
    pub fn compile(&self, program: &Path, target: &str, server: bool, output: &Path) -> Command {
        let mut command = Command::new(&self.compiler);
        command.arg(program).arg("-w").arg(format!("--target={target}")).arg("-o").arg(output);
        if server {
            command.arg("--server");
        }
        command.args(self.sanitizer.map(|s| format!("--sanitize={}", s.name())));
        command.args(&self.options.pass_compiler_option);
        command
    }

    /// Runs an executable, without its options.
    pub fn execute(&self, binary: &Path) -> Command {
        if self.options.runner.is_empty() {
            return Command::new(binary);
        }
        let mut command = Command::new(&self.options.runner);
        command.arg(binary);
        command
    }

    /// Options for the executable of `program`.
    pub fn run_options(&self, program: &Path) -> Vec<String> {
        let suffixed = |extension: &str| format!("{}.{extension}", program.display());
        let mut out = self.options.pass_option.clone();
        if let Some(e) = &self.options.cache_extension {
            out.extend(["--cache-file".into(), suffixed(e)]);
        }
        if let Some(file) = self.tuning_file(program) {
            out.extend(["--tuning".into(), file]);
        }
        out
    }

    /// The tuning file that is beside `program`, if it is to be used.
    pub fn tuning_file(&self, program: &Path) -> Option<String> {
        let file = format!("{}.{}", program.display(), self.options.tuning);
        (!self.options.no_tuning && Path::new(&file).exists()).then_some(file)
    }
}
