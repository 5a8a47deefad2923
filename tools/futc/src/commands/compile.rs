//! `futc PROG.fut`: all of the way, or up to a station.

use crate::args::{CompileArgs, Form, GPU_ARCH, LibraryKind, NATIVE, Sanitizer, Station};
use crate::cache::{self, Cache, Hasher};
use crate::code::Compiler;
use crate::commands::processor;
use crate::exit::{Exit, Failure};
use crate::javascript;
use crate::json;
use crate::library::{self, Library};
use crate::linked::linked;
use crate::output::{no_input, put_bytes, report, write_file};
use crate::python::{Docs, Package};
use crate::session::Session;
use crate::warnings::Warnings;
use futc_frontend::db;
use futc_frontend::diag::PassWarning;
use futc_frontend::syntax::ast::DecKind;
use futc_frontend::syntax::{lexer, print_ast, print_tokens};
use futc_midend::explain::{self, explain};
use futc_midend::forcing::Forcing;
use futc_midend::internalise;
use futc_midend::ir::{Level, Program};
use futc_midend::pipelines::{self, Runner};
use futc_midend::remarks::{self, Remark, What};
use futc_mlir::target::{self, Target};
use futc_testing::files::Kind;
use futc_typed::name::Name;
use futc_typed::program::{Def, Program as TypedProgram};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What makes the first Core, as `--print-after` knows it.
const INTERNALISE: &str = "internalise";

/// A name for `--print-after`.
pub fn pass_name(name: &str) -> Result<String, String> {
    let mut names: Vec<&str> = pipelines::all().iter().map(|p| p.name).collect();
    names.insert(0, INTERNALISE);
    if names.contains(&name) {
        return Ok(name.into());
    }
    Err(format!("there is no such pass; there are {}", names.join(", ")))
}

/// Compiles.
pub fn run(args: &CompileArgs) -> Result<Exit, Failure> {
    let (host, gpu) = (args.target_cpu.as_str(), args.gpu_arch.as_str());
    // Of a target without kernels, `--gpu-arch=help` lists what the first target with some has.
    let targets = std::iter::once(args.target).chain(target::ALL.iter().copied());
    let device = targets.filter(|t| t.device().is_some()).map(processor::Of::Kernels).next();
    for (of, name) in [(Some(processor::Of::Host(args.target)), host), (device, gpu)] {
        if let Some(of) = of.filter(|_| name == processor::HELP) {
            put_bytes((processor::names(of)?.join("\n") + "\n").as_bytes())?;
            return Ok(Exit::Success);
        }
    }
    let Some(program) = &args.program else {
        return Err(Failure::usage(
            "no program given: futc PROG.fut compiles one; see 'futc --help'",
        ));
    };
    if host != NATIVE {
        processor::check(processor::Of::Host(args.target), "--target-cpu", host)?;
    }
    if args.target.device().is_some() && gpu != GPU_ARCH {
        processor::check(processor::Of::Kernels(args.target), "--gpu-arch", gpu)?;
    }
    let station = args.emit;
    if as_source(args) && args.debug_info {
        return Err(Failure::usage(
            "-g: libraries as C have no lines of the program; leave it out",
        ));
    }
    if args.sanitize.is_some() && !args.target.sanitizer {
        return Err(only_for("--sanitize", "--target", |t| t.sanitizer));
    }
    if args.target.machine.is_some() {
        if args.python {
            return Err(only_for("--python", "--target", |t| t.machine.is_none()));
        }
        if args.lib_kind.is_some() {
            return Err(only_for("--lib-kind", "--target", |t| t.machine.is_none()));
        }
        if args.several_results {
            return Err(only_for("--several-results", "--target", |t| t.machine.is_none()));
        }
    }
    if matches!(station, Some(Station::Tokens | Station::Ast)) {
        return emit_source(args, program);
    }
    let session = Session::open(program);
    keep_sources(args, &session)?;
    let mut runner = Runner {
        verify: args.verify || cfg!(debug_assertions),
        print_after: args.print_after.clone(),
        ..Runner::default()
    };
    runner.timed("check", || session.check(&args.warnings))?;
    let typed = session.typed();
    if station == Some(Station::Typed) {
        let text = futc_frontend::check::print::program(&typed);
        return write(args.output.as_deref(), text.as_bytes());
    }
    let options = internalise::Options {
        extra_entries: args.entry_point.iter().map(|e| Name::new(e)).collect(),
        only: None,
        safe: args.safe,
    };
    for name in &args.entry_point {
        if !typed.defs.iter().any(|d| d.name.as_str() == name || is_entry(d, name)) {
            return Err(no_such_entry(&typed, name));
        }
    }
    let mut core = runner.timed(INTERNALISE, || session.core(options))?;
    if let Some(said) = Forcing::contradiction(&args.force_schedule) {
        return Err(Failure::usage(said));
    }
    for forcing in &args.force_schedule {
        forcing.apply(&mut core, &session.root.path(&session.db)).map_err(Failure::usage)?;
    }
    runner.look(INTERNALISE, &core).map_err(|e| Failure::new(e.to_string()))?;
    let result = match station {
        _ if args.explain_schedule.is_some() => lower(args, &session, core, &mut runner),
        None | Some(Station::Obj) => compile(args, &session, core, &mut runner),
        Some(_) => lower(args, &session, core, &mut runner),
    };
    if args.time_passes {
        eprint!("{}", runner.timings());
    }
    result
}

/// Whether a library is to be one file of C.
fn as_source(args: &CompileArgs) -> bool {
    args.library && args.kind_of_library() == LibraryKind::Source
}

/// What is said if something is asked of a target that only others have.
pub fn only_for(what: &str, option: &str, has: impl Fn(&Target) -> bool) -> Failure {
    let names = target::ALL.iter().filter(|t| has(t)).map(|t| format!("{option}={}", t.name));
    Failure::usage(format!("{what} needs {}", names.collect::<Vec<_>>().join(" or ")))
}

fn is_entry(def: &Def, name: &str) -> bool {
    def.entry.as_ref().is_some_and(|e| e.name.as_str() == name)
}

fn no_such_entry(program: &TypedProgram, name: &str) -> Failure {
    let entries: Vec<&str> =
        program.defs.iter().filter_map(|d| d.entry.as_ref()).map(|e| e.name.as_str()).collect();
    Failure::usage(match entries.is_empty() {
        true => format!("-e: there is no function '{name}', and the program has no entry points"),
        false => format!(
            "-e: there is no function '{name}'; the program's entry points are {}",
            entries.join(", ")
        ),
    })
}

/// Refuses to put the result in the place of one of the program's files.
fn keep_sources(args: &CompileArgs, session: &Session) -> Result<(), Failure> {
    let output = match (args.emit, &args.output) {
        (_, Some(output)) => output.clone(),
        (None, None) if args.explain_schedule.is_some() => return Ok(()),
        (None, None) => output_name(args, "")?,
        (Some(Station::Obj), None) => output_name(args, "o")?,
        (Some(_), None) => return Ok(()),
    };
    let files = db::files_in_order(&session.db, session.root);
    no_input(&output, files.iter().map(|file| file.path(&session.db).to_string()))
}

fn emit_source(args: &CompileArgs, program: &Path) -> Result<Exit, Failure> {
    let session = Session::open(program);
    keep_sources(args, &session)?;
    let sources = session.db.sources();
    let parsed = db::parse(&session.db, session.root);
    let text = match (args.emit, session.root.text(&session.db)) {
        (Some(Station::Tokens), Ok(text)) => {
            let (tokens, _) = lexer::lex(session.root.id(&session.db), text);
            print_tokens(&tokens, text)
        }
        _ => print_ast(db::syntax_tree(&session.db, session.root)),
    };
    match crate::output::report(&parsed.diagnostics, &sources)? {
        Exit::Success => write(args.output.as_deref(), text.as_bytes()),
        exit => Err(Failure::said(exit)),
    }
}

/// To an object or executable.
fn compile(
    args: &CompileArgs,
    session: &Session,
    core: Program,
    runner: &mut Runner,
) -> Result<Exit, Failure> {
    let cache = Cache::open(args.no_cache)?;
    let places = remarks::unchecked(&session.typed(), &session.db.sources());
    let compiler = Compiler {
        options: options(args),
        cache: &cache,
        asked: &places,
        one_object: args.emit == Some(Station::Obj),
        assembly: as_source(args),
        split_from: args.split_from,
        part: args.part_size,
        inline: !args.no_inline,
        // What is to be looked at has to be made.
        fresh: args.verify || !args.print_after.is_empty(),
        verify: runner.verify,
        print_after: &args.print_after,
    };
    let for_machine = args.target.machine.is_some() && args.emit.is_none();
    let script = match for_machine {
        true => Some(javascript::Made::of(args, &core, &docs(session))?),
        false => None,
    };
    let library = match args.library && !for_machine {
        true => Some(library::describe(&core, args.target, args.several_results)?),
        false => None,
    };
    let output = match args.emit {
        Some(Station::Obj) => output_name(args, "o")?,
        _ => output_name(args, "")?,
    };
    let package = match args.python {
        true => Some(Package::of(&core, &docs(session), &output)?),
        false => None,
    };
    let made = compiler.compile(core)?;
    runner.times.extend(made.times);
    warn(args, session, &made.remarks)?;
    runner.timed("link", || match (&package, &script) {
        (Some(package), _) => package.write(args, &cache, &made.objects, &output),
        (None, Some(script)) => script.write(args, &cache, &made.objects, &output),
        (None, None) => link(args, &cache, &made.objects, library.as_ref(), &output),
    })?;
    if args.time_passes {
        eprintln!("{:>24} {} of {} units found", "cache", made.found, made.units);
    }
    Ok(Exit::Success)
}

/// The comments of the program's file.
fn docs(session: &Session) -> Docs {
    let file = db::syntax_tree(&session.db, session.root);
    let mut docs = Docs { file: file.doc.clone(), ..Docs::default() };
    for dec in &file.decs {
        let mut inner = dec;
        while let DecKind::Local(local) = &inner.kind {
            inner = local;
        }
        if let (DecKind::Val(bind), Some(doc)) = (&inner.kind, &dec.doc) {
            docs.entries.insert(bind.name.name.to_string(), doc.clone());
        }
    }
    docs
}

fn options(args: &CompileArgs) -> futc_mlir::Options {
    futc_mlir::Options {
        target_cpu: (args.target_cpu != NATIVE).then(|| args.target_cpu.clone()),
        gpu_arch: Some(args.gpu_arch.clone()),
        source: args.program.as_ref().map(|p| p.display().to_string()).unwrap_or_default(),
        exact_math: args.exact_math,
        fast_math: args.fast_math,
        level: args.level,
        debug_info: args.debug_info,
        sanitizer: args.sanitize.map(Sanitizer::of_code),
        ..futc_mlir::Options::new(args.target)
    }
}

/// To one of the stations before the object, which is printed.
fn lower(
    args: &CompileArgs,
    session: &Session,
    core: Program,
    runner: &mut Runner,
) -> Result<Exit, Failure> {
    let places = remarks::unchecked(&session.typed(), &session.db.sources());
    let mut program = core;
    let mut remarks = BTreeSet::new();
    for (level, pipeline) in args.target.pipelines.levels() {
        let station = match level {
            Level::Soacs => Station::Core,
            Level::Seg => Station::Seg,
            Level::Mem => Station::Mem,
        };
        program = runner.run(pipeline, program).map_err(|e| Failure::new(e.to_string()))?;
        remarks.extend(remarks::at(level, &program, &places));
        if level == Level::Mem && remarks::asks_for_schedules(&program) {
            let compiled = futc_mlir::Compiled::new(&program, options(args));
            let decisions = compiled.decisions().map_err(|e| Failure::new(e.to_string()))?;
            remarks.extend(explain::refused(&decisions));
        }
        if args.emit == Some(station) || level == Level::Mem {
            warn(args, session, &remarks)?;
        }
        if args.emit == Some(station) {
            return write(args.output.as_deref(), program.to_string().as_bytes());
        }
    }
    generate(args, &program, runner)
}

/// Says what there is to say of an optimised program.
fn warn(args: &CompileArgs, session: &Session, remarks: &BTreeSet<Remark>) -> Result<(), Failure> {
    if remarks.is_empty() {
        return Ok(());
    }
    let file = session.root.path(&session.db);
    for r in remarks {
        if let What::Refused(_, why) = &r.what
            && let Some(asked) = args.force_schedule.iter().find(|f| f.covers(&r.place, &file))
        {
            return Err(Failure::usage(asked.refused(why)));
        }
    }
    let sources = session.db.sources();
    let diagnostic = |r: &Remark| {
        let span = sources.find(&r.place)?;
        let asked = r.asked.as_ref().and_then(|asked| sources.find(asked));
        let said = match &r.what {
            What::Unknown => PassWarning::RoundsUnknown,
            What::TooLarge => PassWarning::RoundsTooLarge,
            What::Refused(how, why) => PassWarning::ScheduleRefused { how, why: why.clone() },
            What::Checked(fails) => PassWarning::Checked { fails: fails.clone() },
        };
        Some(said.at(span, asked))
    };
    let said =
        Warnings::new(&args.warnings)?.select(remarks.iter().filter_map(diagnostic).collect());
    match report(&said, &sources)? {
        Exit::Success => Ok(()),
        exit => Err(Failure::said(exit)),
    }
}

fn generate(args: &CompileArgs, program: &Program, runner: &mut Runner) -> Result<Exit, Failure> {
    let compiled = futc_mlir::Compiled::new(program, options(args));
    let fail = |e: futc_mlir::Error| Failure::new(e.to_string());
    let text = match args.emit {
        _ if let Some(form) = args.explain_schedule => compiled.decisions().map(|d| match form {
            Form::Text => explain(&d),
            Form::Json => json::schedules(&d),
        }),
        Some(Station::Sched) => compiled.sched(),
        Some(Station::Mlir) => compiled.mlir(),
        Some(Station::LlvmDialect) => compiled.llvm_dialect(),
        Some(Station::Llvm) => compiled.llvm(),
        Some(Station::Ptx) if args.target.device().is_some() => compiled.kernels(),
        Some(Station::Ptx) => {
            return Err(only_for("--emit=ptx", "--target", |t| t.device().is_some()));
        }
        Some(Station::Asm) => compiled.asm(),
        _ => return Err(Failure::new("compiler bug: an object is no text")),
    };
    runner.times.extend(compiled.times());
    write(args.output.as_deref(), text.map_err(fail)?.as_bytes())
}

/// `-o`, or the program's name with another extension.
fn output_name(args: &CompileArgs, extension: &str) -> Result<PathBuf, Failure> {
    if let Some(o) = &args.output {
        return Ok(o.clone());
    }
    match &args.program {
        Some(p) if p.extension().is_some_and(|e| e == "fut") => Ok(p.with_extension(extension)),
        _ => Err(Failure::usage("the program's name does not end in .fut: say where with -o")),
    }
}

/// Links objects with the runtime, or into one if that is what is wanted.
fn link(
    args: &CompileArgs,
    cache: &Cache,
    objects: &[Vec<u8>],
    library: Option<&Library>,
    output: &Path,
) -> Result<(), Failure> {
    if let (Some(Station::Obj), [object]) = (args.emit, objects) {
        return write_file(output, object, Kind::Data);
    }
    let (output, kind) = match (library, args.emit, args.kind_of_library()) {
        (Some(library), _, LibraryKind::Source) => {
            let file = library_files(args, library, output)?;
            let code = objects.concat();
            let code = String::from_utf8_lossy(&code);
            return write_file(
                &file,
                library::source::source(library, &code).as_bytes(),
                Kind::Data,
            );
        }
        (Some(library), ..) => (library_files(args, library, output)?, Kind::Data),
        (None, Some(Station::Obj), _) => (output.to_owned(), Kind::Data),
        (None, ..) => (output.to_owned(), Kind::Program),
    };
    let mut hasher = Hasher::new("linked");
    hasher.part(format!("{kind:?} {:?} {}", args.sanitize, args.server).as_bytes());
    if let Some(library) = library {
        let name = output.file_name().unwrap_or_default().to_string_lossy();
        hasher.part(format!("{:?} {name}", args.kind_of_library()).as_bytes());
        hasher.part(library.header.as_bytes());
        hasher.part(library.shim.as_bytes());
    }
    hasher.part(cache::linker().as_bytes());
    let linked = linked(cache, hasher, objects, |mut files, dir, to| {
        if args.emit == Some(Station::Obj) {
            let merge = match args.target.machine {
                Some(_) => futc_mlir::wasm_ld::merge,
                None => futc_mlir::merge,
            };
            return merge(&files, to).map_err(|e| Failure::new(e.to_string()));
        }
        if let Some(library) = library {
            files.push(compile_shim(args, library, dir)?);
        }
        link_files(args, &files, &output, dir, to)
    })?;
    write_file(&output, &linked, kind)
}

/// Links objects with the runtime into the file `linked`, which is to become `output`.
fn link_files(
    args: &CompileArgs,
    files: &[PathBuf],
    output: &Path,
    scratch: &Path,
    linked: &Path,
) -> Result<(), Failure> {
    let mut flags = futc_runtime::LINK_FLAGS.to_vec();
    if args.server {
        flags.push(futc_runtime::SERVER_FLAG);
    }
    flags.extend(args.sanitize.map(Sanitizer::flag));
    let archive = args.sanitize.map_or(futc_runtime::ARCHIVE, Sanitizer::runtime);
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let library =
        futc_mlir::Library { name: &name, roots: futc_runtime::LIBRARY_FLAG, prefix: "futhark_" };
    let made = match (args.library, args.kind_of_library()) {
        // A file of C is not linked.
        (false, _) | (true, LibraryKind::Source) => futc_mlir::Output::Executable,
        (true, LibraryKind::Static) => futc_mlir::Output::StaticLibrary(library),
        (true, LibraryKind::Shared) => futc_mlir::Output::SharedLibrary(library),
    };
    let done = futc_mlir::link(files, archive, &flags, made, scratch, linked);
    done.map_err(|e| match (e, args.sanitize) {
        // The rest of a linker's complaint is symbols without end.
        (futc_mlir::Error::Link(said), Some(sanitizer)) => Failure::new(format!(
            "linking with {} failed; is the C compiler's library for it installed?\n{}",
            sanitizer.library(),
            said.lines().next().unwrap_or_default()
        )),
        (e, _) => Failure::new(e.to_string()),
    })
}

/// Writes a library's header and manifest; says where the library goes.
fn library_files(args: &CompileArgs, library: &Library, output: &Path) -> Result<PathBuf, Failure> {
    let Some(name) = output.file_name() else {
        return Err(Failure::usage(format!("-o: {} does not end in a name", output.display())));
    };
    let with = |before: &str, after: &str| {
        let mut file = OsString::from(before);
        file.push(name);
        file.push(after);
        output.with_file_name(file)
    };
    write_file(&with("", ".h"), library.header.as_bytes(), Kind::Data)?;
    write_file(&with("", ".json"), library.manifest.as_bytes(), Kind::Data)?;
    let before = if as_source(args) { "" } else { "lib" };
    Ok(with(
        before,
        match args.kind_of_library() {
            LibraryKind::Static => ".a",
            LibraryKind::Shared => ".so",
            LibraryKind::Source => ".c",
        },
    ))
}

/// The object of the functions that a library's users call.
fn compile_shim(args: &CompileArgs, library: &Library, dir: &Path) -> Result<PathBuf, Failure> {
    let (source, object) = (dir.join("shim.c"), dir.join("shim.o"));
    let texts = [
        (library::HEADER, library.header.as_str()),
        ("futc_library.h", futc_runtime::LIBRARY_HEADER),
        ("futc_program.h", futc_runtime::PROGRAM_HEADER),
        ("shim.c", library.shim.as_str()),
    ];
    for (name, text) in texts {
        write_file(&dir.join(name), text.as_bytes(), Kind::Data)?;
    }
    let flags: Vec<&str> = args.sanitize.map(Sanitizer::flag).into_iter().collect();
    futc_mlir::compile_c(&source, dir, &flags, &object).map_err(|e| Failure::new(e.to_string()))?;
    Ok(object)
}

fn write(output: Option<&Path>, bytes: &[u8]) -> Result<Exit, Failure> {
    match output {
        Some(path) => write_file(path, bytes, Kind::Data)?,
        None => put_bytes(bytes)?,
    }
    Ok(Exit::Success)
}
