//! The command line, as clap sees it. Nothing here acts.

use crate::output::Colour;
use crate::version;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use futc_midend::forcing::Forcing;
use futc_mlir::OptLevel;
use futc_mlir::target::{self, Target};
use std::path::PathBuf;

/// The name that means the machine at hand.
pub const NATIVE: &str = "native";
/// The GPU architecture that code is generated for if no other is named.
pub const GPU_ARCH: &str = "sm_80";

/// Compiles Futhark programs, checks them, runs them and tests them.
#[derive(Debug, Parser)]
#[command(
    name = "futc",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  \
        futc prog.fut                    compile to ./prog, for all cores of this machine\n  \
        futc prog.fut --target=nvptx     compile to a CUDA program\n  \
        futc prog.fut --target=wasm      compile to WebAssembly; ./prog runs in Node.js\n  \
        futc prog.fut --emit=mlir        show the MLIR\n  \
        echo 10 | futc run prog.fut      interpret\n  \
        futc test tests/                 run the test blocks of every program below tests/\n\n\
        Compiled code is kept in $XDG_CACHE_HOME/futc or ~/.cache/futc; FUTC_CACHE_SIZE=SIZE says how large\n\
        that may become, such as 500M or 2G [default: 1G], and 0 switches it off.\n\n\
        Exit status: 0 success, 1 the compiler or a test failed, 2 the program or the command line is wrong."
)]
pub struct Cli {
    /// What to do if not compile.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// When messages are coloured.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    pub color: Colour,
    /// How to compile.
    #[command(flatten)]
    pub compile: CompileArgs,
}

/// The command line with what is known only when futc runs.
pub fn command() -> clap::Command {
    Cli::command().version(version::short()).long_version(version::long())
}

/// What runs the programs that are tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backend {
    /// The reference interpreter.
    Interpreter,
    /// Code for a target.
    Target(&'static Target),
}

impl Backend {
    const INTERPRETER: &'static str = "interpreter";

    /// What `--backend` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Interpreter => Self::INTERPRETER,
            Backend::Target(target) => target.name,
        }
    }
}

fn target_names() -> impl Iterator<Item = PossibleValue> {
    target::ALL.iter().map(|t| PossibleValue::new(t.name).help(t.help))
}

fn target() -> impl TypedValueParser<Value = &'static Target> {
    PossibleValuesParser::new(target_names())
        .try_map(|name| Target::named(&name).ok_or("there is no such target"))
}

fn level() -> impl TypedValueParser<Value = OptLevel> {
    PossibleValuesParser::new(["0", "1", "2", "3"]).map(|level| match level.as_str() {
        "0" => OptLevel::O0,
        "1" => OptLevel::O1,
        "2" => OptLevel::O2,
        _ => OptLevel::O3,
    })
}

fn backend() -> impl TypedValueParser<Value = Backend> {
    let interpreter = PossibleValue::new(Backend::INTERPRETER).help("The reference interpreter");
    PossibleValuesParser::new(target_names().chain([interpreter]))
        .map(|name| Target::named(&name).map_or(Backend::Interpreter, Backend::Target))
}

/// What is checked of a program's code as it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Sanitizer {
    /// Every access to memory, by AddressSanitizer.
    Address,
    /// That no two threads access the same memory at a time, by ThreadSanitizer.
    Thread,
}

impl Sanitizer {
    /// Its name in `--sanitize`.
    pub fn name(self) -> &'static str {
        match self {
            Sanitizer::Address => "address",
            Sanitizer::Thread => "thread",
        }
    }

    /// The same for code generation.
    pub fn of_code(self) -> futc_mlir::Sanitizer {
        match self {
            Sanitizer::Address => futc_mlir::Sanitizer::Address,
            Sanitizer::Thread => futc_mlir::Sanitizer::Thread,
        }
    }

    /// The runtime that is compiled with it.
    pub fn runtime(self) -> &'static [u8] {
        match self {
            Sanitizer::Address => futc_runtime::SANITIZED_ARCHIVE,
            Sanitizer::Thread => futc_runtime::THREAD_SANITIZED_ARCHIVE,
        }
    }

    /// What the C compiler needs for it.
    pub fn flag(self) -> &'static str {
        match self {
            Sanitizer::Address => futc_runtime::SANITIZE_FLAG,
            Sanitizer::Thread => futc_runtime::SANITIZE_THREADS_FLAG,
        }
    }

    /// How people call it, and the C compiler's library for it.
    pub fn library(self) -> &'static str {
        match self {
            Sanitizer::Address => "AddressSanitizer (libasan of gcc, compiler-rt of clang)",
            Sanitizer::Thread => "ThreadSanitizer (libtsan of gcc, compiler-rt of clang)",
        }
    }
}

/// Where compilation can stop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
#[value(rename_all = "kebab-case")]
pub enum Station {
    /// The tokens of the file.
    Tokens,
    /// Its syntax tree.
    Ast,
    /// The typed, elaborated program.
    Typed,
    /// Core IR with second-order array combinators.
    Core,
    /// Core IR over explicit index spaces.
    Seg,
    /// Core IR with memory.
    Mem,
    /// The same, with how code generation goes through each operation.
    Sched,
    /// MLIR: memref, linalg, vector, scf, gpu and others.
    Mlir,
    /// MLIR's llvm dialect.
    LlvmDialect,
    /// LLVM IR, optimised.
    Llvm,
    /// The kernels as PTX.
    Ptx,
    /// Assembly.
    Asm,
    /// An object file, without the runtime.
    Obj,
}

/// Compiling.
#[derive(Debug, Args)]
pub struct CompileArgs {
    /// The program.
    #[arg(value_name = "PROG.fut")]
    pub program: Option<PathBuf>,
    /// Where the result goes [default: the program's name without .fut; standard output for --emit].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What to compile for.
    #[arg(long, value_parser = target(), default_value = Target::default_target().name)]
    pub target: &'static Target,
    /// Stop here, and print it.
    #[arg(long, value_enum, value_name = "STATION")]
    pub emit: Option<Station>,
    /// Say of each map, reduction, scan and histogram how it is gone through, what that was expected to gain, and what stood
    /// in the way of lanes of vectors (see docs/schedules.md); compile nothing.
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text",
        conflicts_with_all = ["emit", "server", "executable", "library", "python"]
    )]
    pub explain_schedule: Option<Form>,
    /// Treat what begins at a place as if the source had `#[schedule(HOW)]` there; may be repeated (for experiments: see
    /// docs/schedules.md).
    #[arg(long, hide = true, value_name = "LINE:COL=HOW")]
    pub force_schedule: Vec<Forcing>,
    /// How much work code generation is worth: 0 is none, 1 is quick and for programs that are being written,
    /// 2 is all but what makes code larger, 3 is everything.
    #[arg(short = 'O', value_name = "LEVEL", value_parser = level(), default_value = "3")]
    pub level: OptLevel,
    /// The CPU to generate code for, as LLVM names it; help lists the names.
    #[arg(long, value_name = "CPU", default_value = NATIVE)]
    pub target_cpu: String,
    /// No vector versions of exp, sin and their like, which err by a little more than the scalar
    /// ones, in kernels none but the library's, and no fused multiply-add in sums of products.
    #[arg(long)]
    pub exact_math: bool,
    /// Compute floats that decide nothing in other ways than the program says: products and sums in another order or fused,
    /// divisions and roots approximated. What comparisons and conversions to integers see stays as it is.
    #[arg(long, conflicts_with = "exact_math")]
    pub fast_math: bool,
    /// Tell debuggers and profilers which lines of the program the host's instructions come from.
    #[arg(short = 'g', long)]
    pub debug_info: bool,
    /// The GPU architecture to generate PTX for; help lists the names.
    #[arg(long, value_name = "ARCH", default_value = GPU_ARCH)]
    pub gpu_arch: String,
    /// Make a server executable (see the guide's server protocol).
    #[arg(long)]
    pub server: bool,
    /// Make a plain executable (the default).
    #[arg(long, conflicts_with = "server")]
    pub executable: bool,
    /// Make a library for C (see docs/libraries.md): with -o DIR/NAME, which by default is the program's name,
    /// DIR/NAME.h, DIR/NAME.json and DIR/libNAME.a, DIR/libNAME.so or DIR/NAME.c. For WebAssembly, make a module
    /// of JavaScript (see docs/javascript.md): DIR/NAME.mjs, DIR/NAME.wasm and DIR/NAME.d.ts.
    #[arg(long, visible_alias = "lib", conflicts_with_all = ["server", "executable", "emit"])]
    pub library: bool,
    /// What kind of library for C [default: static]; to be linked with -lm -lpthread -ldl unless it is shared.
    #[arg(long, value_enum, value_name = "KIND", requires = "library")]
    pub lib_kind: Option<LibraryKind>,
    /// In a library, the parts of a tuple that an entry point returns are results of their own, as tools expect that know
    /// no tuples.
    #[arg(long, requires = "library")]
    pub several_results: bool,
    /// Make a package for Python (see docs/python.md): the folder that -o names, by default the program's name.
    #[arg(long, conflicts_with_all = ["server", "executable", "library", "emit"])]
    pub python: bool,
    /// Treat this function as an entry point too; may be repeated.
    #[arg(short, long, value_name = "NAME")]
    pub entry_point: Vec<String>,
    /// Ignore #[unsafe].
    #[arg(long)]
    pub safe: bool,
    /// Have the host's code check itself as it runs; it stops at what is wrong and reports it.
    #[arg(long, value_enum, value_name = "SANITIZER")]
    pub sanitize: Option<Sanitizer>,
    /// Neither look for compiled code in the cache nor keep any there (FUTC_CACHE_SIZE=0 does the same).
    #[arg(long)]
    pub no_cache: bool,
    /// Compile programs of so many statements in units (for tests: splitting shorter ones gains nothing).
    #[arg(long, hide = true, value_name = "STATEMENTS", default_value_t = futc_midend::units::LONG)]
    pub split_from: usize,
    /// Cut large units in parts of about so many statements (for tests).
    #[arg(long, hide = true, value_name = "STATEMENTS", default_value_t = futc_midend::units::PART)]
    pub part_size: usize,
    /// Inline nothing in such units (for tests: so that small functions are parts that call each other).
    #[arg(long, hide = true)]
    pub no_inline: bool,
    /// What to warn of.
    #[command(flatten)]
    pub warnings: WarningArgs,
    /// Print the program after this pass, or after `internalise`; may be repeated.
    #[arg(long, value_name = "PASS", value_parser = crate::commands::compile::pass_name)]
    pub print_after: Vec<String>,
    /// Print how long each pass took, and the stages before and behind them, and what was in the cache.
    #[arg(long)]
    pub time_passes: bool,
    /// Verify the intermediate program after every pass.
    #[arg(long)]
    pub verify: bool,
}

/// How something is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Form {
    /// In English.
    Text,
    /// For programs.
    Json,
}

impl CompileArgs {
    /// How a library for C comes.
    pub fn kind_of_library(&self) -> LibraryKind {
        self.lib_kind.unwrap_or(LibraryKind::Static)
    }
}

/// How a library comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LibraryKind {
    /// An archive.
    Static,
    /// A shared object.
    Shared,
    /// One file of C, which needs nothing else of ours.
    Source,
}

/// Everything but compiling.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Type-check a program.
    Check(CheckArgs),
    /// Explain an error or a warning, with programs that have it and that do not.
    Explain(ExplainArgs),
    /// Check a program's syntax only.
    CheckSyntax(ProgramArg),
    /// Interpret a program: arguments from standard input, results to standard output.
    Run(RunArgs),
    /// Run the test blocks of programs.
    Test(TestArgs),
    /// Measure how long programs take on their data sets.
    Bench(BenchArgs),
    /// Compare two files that `futc bench --json` wrote.
    Benchcmp(BenchcmpArgs),
    /// Generate random values, or convert values between formats.
    Dataset(DatasetArgs),
    /// Compare two files of values.
    Datacmp(DatacmpArgs),
    /// Print the input of a test case in binary.
    Dataget(DatagetArgs),
    /// Print a hash of the program that white space does not change.
    Hash(ProgramArg),
    /// Print the files a program imports, one per line.
    Imports(ProgramArg),
    /// Print the names and places of all definitions.
    Defs(ProgramArg),
    /// Print the tokens of a file, one per line.
    Tokens(ProgramArg),
    /// Format files in place, or standard input to standard output.
    Fmt(FmtArgs),
    /// Print the name at a place of a program, its type and where it is defined.
    Query(QueryArgs),
    /// Generate a little code for a processor, to see whether it can be done.
    #[command(hide = true)]
    Processor(ProcessorArgs),
    /// Serve an editor: the language server protocol over standard input and output.
    Lsp,
    /// Show what a program prints: arrays of two dimensions as pictures if standard output is a terminal.
    Show,
    /// Tell what futc needs and has on this machine, what each is for and how to get it; fails if programs
    /// cannot be compiled.
    Doctor,
    /// Install this futc, with manual pages and completions for shells.
    Install(InstallArgs),
}

/// Installing.
#[derive(Debug, Args)]
pub struct InstallArgs {
    /// Below which folder: bin/futc, share/man/man1 and so on.
    #[arg(long, value_name = "DIR", default_value = "/usr/local")]
    pub prefix: PathBuf,
    /// Also link the command futhark, which understands the reference compiler's command line (see
    /// docs/libraries.md).
    #[arg(long)]
    pub futhark: bool,
}

/// A processor.
#[derive(Debug, Args)]
pub struct ProcessorArgs {
    /// Its name.
    pub name: String,
    /// The target whose kernels it is to run; without, it is the host's.
    #[arg(long, value_parser = target())]
    pub target: Option<&'static Target>,
}

/// A place.
#[derive(Debug, Args)]
pub struct QueryArgs {
    /// The program.
    #[arg(value_name = "PROG.fut")]
    pub program: PathBuf,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// Formatting.
#[derive(Debug, Args)]
pub struct FmtArgs {
    /// Change nothing: print the names of files that are not formatted, and fail if there are any.
    #[arg(long)]
    pub check: bool,
    /// Files, and directories whose .fut files are meant [default: standard input].
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// A program.
#[derive(Debug, Args)]
pub struct ProgramArg {
    /// The program.
    #[arg(value_name = "PROG.fut")]
    pub program: PathBuf,
}

/// The form of `futc check --json`.
const JSON_HELP: &str =
    "With --json, one JSON array is printed, with an object for each error and \
warning:
  severity  \"error\" or \"warning\"
  code      the name, as futc explain knows it
  message   what is wrong
  file      the file of the first span, or null
  spans     where: the first is the place of the error, others are involved. Each has
            file, text (what stands there), label (what is said there), and start and end,
            which have line and column (from 1, in characters) and offset (from 0, in
            bytes); the end is the first position behind
  hints     what to do about it, as texts
The exit status is the same as without --json. With --watch, each check prints such an array \
in a line of its own.";

/// Checking.
#[derive(Debug, Args)]
#[command(after_help = JSON_HELP)]
pub struct CheckArgs {
    /// The program.
    #[arg(value_name = "PROG.fut")]
    pub program: PathBuf,
    /// What to warn of.
    #[command(flatten)]
    pub warnings: WarningArgs,
    /// Print what there is to say as JSON on standard output.
    #[arg(long, conflicts_with = "print_elaborated")]
    pub json: bool,
    /// Print the file with every `map` and `rep` that is inserted where ranks differ.
    #[arg(long)]
    pub print_elaborated: bool,
    /// Check again whenever the program or what it imports is saved, until stopped.
    #[arg(long, conflicts_with = "print_elaborated")]
    pub watch: bool,
}

/// What to warn of.
#[derive(Debug, Args)]
pub struct WarningArgs {
    /// Do not print warnings.
    #[arg(short = 'w', long, visible_alias = "warnings-off")]
    pub no_warnings: bool,
    /// Warn of NAME, of all or of none, or not with no-NAME; from left to right [default: all].
    #[arg(short = 'W', long, value_name = "NAME")]
    pub warn: Vec<String>,
    /// Treat warnings as errors; also -Werror.
    #[arg(long = "Werror")]
    pub werror: bool,
}

/// Explaining.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The name, as it stands in brackets in a message; without one, all are listed.
    pub name: Option<String>,
}

/// Interpreting.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The program.
    #[arg(value_name = "PROG.fut")]
    pub program: PathBuf,
    /// The entry point.
    #[arg(short, long, value_name = "NAME", default_value = "main")]
    pub entry_point: String,
    /// What to warn of.
    #[command(flatten)]
    pub warnings: WarningArgs,
    /// Print the result in the binary format.
    #[arg(short, long)]
    pub binary_output: bool,
}

/// Testing.
#[derive(Debug, Args)]
pub struct TestArgs {
    /// Programs, and directories to look for programs in.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// What to compile for, or the interpreter.
    #[arg(long, value_name = "TARGET", value_parser = backend(), default_value = Target::default_target().name)]
    pub backend: Backend,
    /// Use the interpreter; the same as --backend=interpreter.
    #[arg(short)]
    pub interpret: bool,
    /// Only run compiled code (the default).
    #[arg(short, conflicts_with = "interpret")]
    pub compiled: bool,
    /// Compile the programs, but do not run them.
    #[arg(short = 'C', conflicts_with = "interpret")]
    pub compile_only: bool,
    /// Type-check the programs only.
    #[arg(short, conflicts_with_all = ["interpret", "compile_only"])]
    pub typecheck: bool,
    /// How many programs to test at once [default: the number of cores].
    #[arg(long, value_name = "NUM")]
    pub concurrency: Option<usize>,
    /// Leave out programs and cases with this tag; may be repeated.
    #[arg(long, value_name = "TAG")]
    pub exclude: Vec<String>,
    /// Print each result on a line of its own.
    #[arg(long)]
    pub no_terminal: bool,
    #[command(flatten)]
    pub programs: ProgramOptions,
    /// Try each property on so many values.
    #[arg(short, long, value_name = "NUM", default_value_t = 100)]
    pub num_tests: u32,
    /// The size of the values that properties are tried on, unless they say another.
    #[arg(short, long, value_name = "SIZE", default_value_t = 50)]
    pub max_size: u32,
    /// What the values that properties are tried on depend on [default: another each time].
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// A property's shrinker may fail so often in a row before the counterexample is reported.
    #[arg(long, value_name = "NUM", default_value_t = 5)]
    pub num_tries: u32,
    /// Give up on a compilation or run after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub timeout: u64,
    /// Compile with this sanitizer; what it reports is a crash.
    #[arg(long, value_enum, value_name = "SANITIZER", conflicts_with_all = ["interpret", "typecheck"])]
    pub sanitize: Option<Sanitizer>,
    /// Write the result of every case to this file as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// How programs are compiled and run by the commands that do so many times.
#[derive(Debug, Args)]
pub struct ProgramOptions {
    /// The compiler to use [default: this one].
    #[arg(long = "futc", visible_alias = "futhark", value_name = "PROGRAM")]
    pub compiler: Option<PathBuf>,
    /// Do not look for tuning files.
    #[arg(long)]
    pub no_tuning: bool,
    /// Look for tuning files with this extension.
    #[arg(long, value_name = "EXTENSION", default_value = "tuning")]
    pub tuning: String,
    /// Pass --cache-file PROG.fut.EXTENSION.
    #[arg(long, value_name = "EXTENSION")]
    pub cache_extension: Option<String>,
    /// Pass this option to the programs.
    #[arg(long, value_name = "OPT", allow_hyphen_values = true)]
    pub pass_option: Vec<String>,
    /// Pass this option to the compiler.
    #[arg(long, value_name = "OPT", allow_hyphen_values = true)]
    pub pass_compiler_option: Vec<String>,
    /// Run this program with the compiled program as its first argument.
    #[arg(long, value_name = "PROGRAM", default_value = "")]
    pub runner: String,
}

/// Benchmarking.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Programs, and directories to look for programs in.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// What to compile for.
    #[arg(long, value_name = "TARGET", value_parser = target(), default_value = Target::default_target().name)]
    pub backend: &'static Target,
    #[command(flatten)]
    pub programs: ProgramOptions,
    /// How many programs to compile at once [default: the number of cores].
    #[arg(long, value_name = "NUM")]
    pub concurrency: Option<usize>,
    /// Seconds after which a measurement that has not converged is taken as it is.
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0)]
    pub convergence_max_seconds: f64,
    /// Report the first runs, however much they vary.
    #[arg(long)]
    pub no_convergence_phase: bool,
    /// Only run entry points of this name; may be repeated.
    #[arg(short, long, value_name = "NAME")]
    pub entry_point: Vec<String>,
    /// Leave out cases with this tag; may be repeated.
    #[arg(long = "exclude-case", value_name = "TAG")]
    pub exclude_case: Vec<String>,
    /// Leave out programs whose path matches; may be repeated.
    #[arg(long, value_name = "REGEX")]
    pub ignore_files: Vec<String>,
    /// Write all run times to this file as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Runs of the first phase, which takes half a second at least.
    #[arg(short, long, value_name = "COUNT", default_value_t = 10)]
    pub runs: usize,
    /// The programs are compiled already, and lie beside their sources.
    #[arg(long)]
    pub skip_compilation: bool,
    /// Take the test block from this file, where it stands without comment marks.
    #[arg(long, value_name = "FILE")]
    pub spec_file: Option<PathBuf>,
    /// Give up on a data set after so many seconds; a negative number waits for ever.
    #[arg(long, value_name = "SECONDS", default_value_t = -1.0, allow_negative_numbers = true)]
    pub timeout: f64,
    /// Say what is being done; the peak of memory use, too.
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// Comparing benchmark results.
#[derive(Debug, Args)]
pub struct BenchcmpArgs {
    /// What `futc bench --json` wrote before.
    #[arg(value_name = "OLD.json")]
    pub old: PathBuf,
    /// What it wrote now.
    #[arg(value_name = "NEW.json")]
    pub new: PathBuf,
}

/// Making data.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct DatasetArgs {
    /// Options in order: see `futc dataset --help`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub options: Vec<String>,
}

/// Comparing data.
#[derive(Debug, Args)]
pub struct DatacmpArgs {
    /// One file.
    pub file_a: PathBuf,
    /// The other.
    pub file_b: PathBuf,
}

/// Getting a test's data.
#[derive(Debug, Args)]
pub struct DatagetArgs {
    /// The program.
    #[arg(value_name = "PROG.fut")]
    pub program: PathBuf,
    /// Part of the name of the data set, such as `#1`.
    pub dataset: String,
}
