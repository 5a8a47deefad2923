//! Internalises every Futhark program under a folder, or the one named, checks the result, and
//! says what went wrong. With `--run`, runs the programs' own test cases in the interpreter.
//!
//! With `--optimise`, the passes of level soacs are run first, each verified.
//!
//! `cargo run --example internalise_all -- DIR [-v] [--run] [--optimise]`; of a single file, prints
//! the Core.

use futc_frontend::db::{CompilerDb, Db, diagnostics, has_errors, lines, program};
use futc_frontend::world::World;
use futc_midend::internalise::{Options, internalise};
use futc_midend::interp::{Interpreter, Limits, Value as Val};
use futc_midend::ir::verify::verify;
use futc_midend::ir::{Const, ExtKind, Prim, Program};
use futc_midend::pipelines::{Runner, SOACS};
use futc_testing::block::{self, Case, Expected, Input};
use futc_testing::compare::compare_all;
use futc_testing::value::{Reader, Value, element_bytes};
use futc_typed::prim::PrimType;
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Disk;

impl World for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|e| e.to_string())
    }
}

enum Outcome {
    Refused,
    Done(usize),
    Failed(String),
}

fn prim(t: PrimType) -> Prim {
    use futc_midend::ir::{FloatType, IntType};
    match t {
        PrimType::I8 | PrimType::U8 => Prim::Int(IntType::I8),
        PrimType::I16 | PrimType::U16 => Prim::Int(IntType::I16),
        PrimType::I32 | PrimType::U32 => Prim::Int(IntType::I32),
        PrimType::I64 | PrimType::U64 => Prim::Int(IntType::I64),
        PrimType::F16 => Prim::Float(FloatType::F16),
        PrimType::F32 => Prim::Float(FloatType::F32),
        PrimType::F64 => Prim::Float(FloatType::F64),
        PrimType::Bool => Prim::Bool,
    }
}

fn inward(v: &Value) -> Val {
    let size = element_bytes(v.prim);
    let elem = prim(v.prim);
    let elements = v.data.chunks(size).map(|b| {
        let bits = b.iter().rev().fold(0u64, |n, x| (n << 8) | u64::from(*x));
        Const::from_bits(elem, bits)
    });
    if v.shape.is_empty() {
        return elements.map(Val::Scalar).next().unwrap_or_default();
    }
    Val::array(elem, v.shape.iter().map(|d| *d as i64).collect(), elements)
}

fn outward(v: &Val, prim: PrimType) -> Value {
    let shape = v.shape().iter().map(|d| *d as u64).collect();
    Value { prim, suffixed: true, shape, data: v.bytes() }
}

/// Runs one case; says what went wrong.
fn run_case(core: &Program, case: &Case) -> Result<bool, String> {
    let entry = core
        .funs
        .iter()
        .filter_map(|f| f.entry.as_ref())
        .find(|e| e.name.as_str() == case.entry)
        .ok_or_else(|| format!("no entry point {}", case.entry))?;
    let Input::Values(text) = &case.input else { return Ok(false) };
    let read = |t: &str| Reader::new(t.as_bytes()).all().map_err(|e| e.to_string());
    let mut args = Vec::new();
    let values = read(text)?;
    if values.len() != entry.params.len() {
        return Err(format!("{} arguments, {} parameters", values.len(), entry.params.len()));
    }
    for (v, (_, t)) in values.iter().zip(&entry.params) {
        let ExtKind::Transparent { prim, .. } = &t.kind else { return Ok(false) };
        let Some(v) = v.retyped(*prim) else {
            return match case.expected {
                Expected::Error(_) => Ok(true),
                _ => Err("an argument of the wrong type".into()),
            };
        };
        args.push(inward(&v));
    }
    let limits = Limits { steps: Some(20_000_000), ..Limits::default() };
    let outcome = Interpreter::new(core, limits).and_then(|mut i| i.run_entry(&case.entry, args));
    match (&case.expected, outcome) {
        (Expected::Error(p), Err(e)) => match p.matches(&e.to_string()) {
            true => Ok(true),
            false => Err(format!("expected error {}, got {e}", p.text)),
        },
        (Expected::Error(p), Ok(_)) => Err(format!("expected error {}", p.text)),
        (_, Err(e)) => Err(e.to_string()),
        (Expected::Values(text), Ok(out)) => {
            let mut prims = Vec::new();
            for t in &entry.results {
                match &t.kind {
                    ExtKind::Transparent { prim, .. } => prims.push(*prim),
                    ExtKind::Opaque { leaves, .. } => prims.extend(leaves.iter().map(|l| l.0)),
                }
            }
            let actual: Vec<Value> = out.iter().zip(prims).map(|(v, p)| outward(v, p)).collect();
            let differences = compare_all(&actual, &read(text)?, 2);
            match differences.first() {
                None => Ok(true),
                Some(d) => Err(d.0.clone()),
            }
        }
        (Expected::File(_) | Expected::Auto | Expected::Success, Ok(_)) => Ok(true),
    }
}

fn run_cases(path: &str, core: &Program) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let spec = block::parse(&text)?;
    for case in &spec.cases {
        run_case(core, case).map_err(|e| format!("case {} line {}: {e}", case.name, case.line))?;
    }
    Ok(())
}

fn one(path: &str, show: bool, run: bool, optimise: bool) -> Outcome {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    if block::parse(&text).is_ok_and(|s| s.error.is_some()) {
        return Outcome::Refused;
    }
    let db = CompilerDb::new(Arc::new(Disk));
    let root = db.source(path);
    let found = diagnostics(&db, root);
    if has_errors(&found) {
        if show {
            for d in found.iter() {
                eprintln!("{}", d.message);
            }
        }
        return Outcome::Refused;
    }
    let typed = program(&db, root);
    let start = std::time::Instant::now();
    let sources = lines(&db, root);
    match internalise(&typed, &sources, &Options::default()) {
        Ok(mut core) => {
            let took = start.elapsed().as_millis();
            if took > 100 {
                eprintln!("{path}: internalised in {took} ms");
            }
            if show {
                print!("{core}");
            }
            if let Err(errors) = verify(&core) {
                let first = errors.first().map(|e| e.to_string()).unwrap_or_default();
                return Outcome::Failed(format!("invalid Core: {first}"));
            }
            if optimise {
                let start = std::time::Instant::now();
                let mut runner = Runner { verify: true, ..Runner::default() };
                core = match runner.run(SOACS, core) {
                    Ok(core) => core,
                    Err(e) => return Outcome::Failed(e.to_string()),
                };
                if show {
                    println!("-- optimised\n{core}");
                    eprint!("{}", runner.timings());
                }
                let took = start.elapsed().as_millis();
                if took > 500 {
                    eprintln!("{path}: optimised in {took} ms");
                }
            }
            if run && let Err(e) = run_cases(path, &core) {
                return Outcome::Failed(format!("wrong: {e}"));
            }
            Outcome::Done(core.funs.len())
        }
        Err(e) => Outcome::Failed(e.to_string()),
    }
}

fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for e in entries.flatten() {
        let p = e.path();
        if p.is_dir() {
            walk(&p, out);
        } else if p.extension().is_some_and(|x| x == "fut") {
            out.push(p);
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(target) = args.first().cloned() else {
        eprintln!("which folder or file?");
        return;
    };
    let verbose = args.iter().any(|a| a == "-v");
    let run = args.iter().any(|a| a == "--run");
    let optimise = args.iter().any(|a| a == "--optimise");
    let single = target.ends_with(".fut");
    let mut files = Vec::new();
    if single {
        files.push(PathBuf::from(&target));
    } else {
        walk(Path::new(&target), &mut files);
    }
    files.sort();
    let work = move || {
        let (mut done, mut refused, mut failed, mut crashed) = (0, 0, 0, 0);
        for f in files {
            let path = f.to_string_lossy().into_owned();
            let start = std::time::Instant::now();
            let outcome = std::panic::catch_unwind(|| one(&path, single, run, optimise));
            let ms = start.elapsed().as_millis();
            match outcome {
                Ok(Outcome::Done(n)) => {
                    done += 1;
                    if verbose || ms > 2000 {
                        println!("ok      {path}: {n} functions, {ms} ms");
                    }
                }
                Ok(Outcome::Refused) => {
                    refused += 1;
                    if verbose {
                        println!("refused {path}");
                    }
                }
                Ok(Outcome::Failed(why)) => {
                    failed += 1;
                    println!("FAILED  {path}: {why}");
                }
                Err(_) => {
                    crashed += 1;
                    println!("CRASHED {path}");
                }
            }
        }
        println!(
            "{done} done, {refused} refused by the checker, {failed} failed, {crashed} crashed"
        );
    };
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work);
    if let Ok(t) = thread {
        let _ = t.join();
    }
}
