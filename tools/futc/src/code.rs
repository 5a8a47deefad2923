//! From Core IR to objects: unit by unit, on all cores, and only what the cache does not have.

use crate::cache::{Cache, Hasher, Key, decode, encode};
use crate::exit::Failure;
use futc_midend::explain;
use futc_midend::ir::{Fun, Program};
use futc_midend::pipelines::{INTERPROCEDURAL, Runner};
use futc_midend::remarks::{self, Remark};
use futc_midend::units::{Places, Unit, parts, units};
use futc_mlir::{Compiled, Joined, Options, UnitCode};
use futc_typed::span::SourceRange;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How programs are compiled.
#[derive(Debug)]
pub struct Compiler<'c> {
    /// How code is generated.
    pub options: Options,
    /// Where compiled code is kept.
    pub cache: &'c Cache,
    /// Expressions that are to have no checks.
    pub asked: &'c [SourceRange],
    /// One object is wanted.
    pub one_object: bool,
    /// Assembly is wanted, as the only object.
    pub assembly: bool,
    /// Programs of so many statements are split.
    pub split_from: usize,
    /// A large unit comes in parts of about so many statements.
    pub part: usize,
    /// Before it does, functions are inlined.
    pub inline: bool,
    /// Nothing that was compiled before will do.
    pub fresh: bool,
    /// Verify after every pass.
    pub verify: bool,
    /// Print to standard error after these passes.
    pub print_after: &'c [String],
}

/// A compiled program.
#[derive(Default, Debug)]
pub struct Made {
    /// To be linked.
    pub objects: Vec<Vec<u8>>,
    /// What there is to say about it.
    pub remarks: BTreeSet<Remark>,
    /// How long the passes took, those of all units together.
    pub times: Vec<(&'static str, Duration)>,
    /// How many units it has.
    pub units: usize,
    /// How many of them were in the cache.
    pub found: usize,
}

/// A compiled unit.
#[derive(Default)]
struct Piece {
    code: UnitCode,
    remarks: BTreeSet<Remark>,
    times: Vec<(&'static str, Duration)>,
    found: bool,
}

/// As passes recurse over deep programs.
const STACK: usize = 1 << 30;

fn fail(e: impl std::fmt::Display) -> Failure {
    Failure::new(e.to_string())
}

impl Compiler<'_> {
    /// Compiles a program at level soacs.
    pub fn compile(&self, core: Program) -> Result<Made, Failure> {
        let options = &self.options;
        // Kernels are in one table; lines of debuggers and the sanitizer's reports are about the whole.
        let whole =
            options.target.kernels.is_some() || options.debug_info || options.sanitizer.is_some();
        let whole = whole || self.assembly;
        if whole {
            return self.whole(core);
        }
        // The order of the tables is that of the program.
        let order: Vec<_> =
            core.funs.iter().filter(|f| f.entry.is_some()).map(|f| f.name).collect();
        let units = match units(core, self.split_from) {
            Ok(units) => units,
            Err(core) => return self.whole(*core),
        };
        let mut whole = Vec::new();
        let mut units = self.parts(units, &mut whole)?;
        // Tables in the object they are about need no linker.
        if self.one_object
            && units.len() == 1
            && let Some(mut unit) = units.pop()
        {
            unit.places.restore(&mut unit.program);
            return self.whole(unit.program);
        }
        let mut made = Made { units: units.len(), ..Made::default() };
        let pieces = self.pieces(&units)?;
        let mut joined = Vec::new();
        for (unit, piece) in units.iter().zip(&pieces) {
            let fill = |text: &String| unit.places.fill(text);
            let positions: Option<Vec<String>> = piece.code.positions.iter().map(fill).collect();
            let positions = positions.ok_or_else(|| fail("compiler bug: an unknown position"))?;
            joined.push(Joined { name: &unit.name, code: &piece.code, positions });
        }
        let funs: Vec<&Fun> = units.iter().flat_map(|u| &u.program.funs).collect();
        let entries: Vec<&Fun> = (order.iter())
            .filter_map(|name| funs.iter().find(|f| f.entry.is_some() && f.name == *name).copied())
            .collect();
        let start = std::time::Instant::now();
        let program = futc_mlir::join(&entries, &joined, options).map_err(fail)?;
        let joining = start.elapsed();
        drop(joined);
        for piece in pieces {
            made.add(piece);
        }
        made.times.splice(0..0, whole);
        made.times.push(("join", joining));
        made.objects.push(program);
        Ok(made)
    }

    /// Compiles a program that is not split, with all its tables.
    fn whole(&self, core: Program) -> Result<Made, Failure> {
        let mut hasher = Hasher::new(if self.assembly { "assembly" } else { "whole" });
        hasher.part(self.options.identity().map_err(fail)?.as_bytes());
        hasher.part(self.options.source.as_bytes());
        hasher.part(core.to_string().as_bytes());
        let piece = self.piece(&hasher.finish(), || {
            self.optimise(core, Places::default(), 0, &self.options, |compiled| {
                let objects = match self.assembly {
                    true => vec![compiled.asm()?.into_bytes()],
                    false => compiled.objects()?,
                };
                Ok(UnitCode { objects, ..UnitCode::default() })
            })
        })?;
        let mut made = Made { units: 1, ..Made::default() };
        made.add(piece);
        Ok(made)
    }

    /// Units, with the parts of a large one in its place; `times` are those of the passes over all of such a
    /// unit.
    fn parts(
        &self,
        units: Vec<Unit>,
        times: &mut Vec<(&'static str, Duration)>,
    ) -> Result<Vec<Unit>, Failure> {
        let mut out = Vec::new();
        for unit in units {
            if unit.weight() < self.split_from {
                out.push(unit);
                continue;
            }
            let mut runner = self.runner(unit.places.clone());
            let (whole, _) = self.options.target.pipelines.soacs.split_at(INTERPROCEDURAL);
            let mut program = unit.program.clone();
            for pass in whole.iter().filter(|p| self.inline || p.name != "inline") {
                program = runner.run(std::slice::from_ref(pass), program).map_err(fail)?;
            }
            let name = &unit.name;
            let places = &unit.places;
            let parts = runner.timed("parts", || parts(name, program, places, self.part));
            match parts.is_empty() {
                true => out.push(unit),
                false => {
                    out.extend(parts);
                    times.extend(runner.times);
                }
            }
        }
        Ok(out)
    }

    fn runner(&self, places: Places) -> Runner {
        let (verify, print_after) = (self.verify, self.print_after.to_vec());
        Runner { verify, print_after, places, ..Runner::default() }
    }

    /// Compiles units, in order.
    fn pieces(&self, units: &[Unit]) -> Result<Vec<Piece>, Failure> {
        let several = units.len() > 1;
        let options = if several { self.options.of_part() } else { self.options.clone() };
        let identity = options.identity().map_err(fail)?;
        let one = |unit: &Unit| {
            let name = several.then_some(unit.name.as_str());
            let mut hasher = Hasher::new("unit");
            hasher.part(identity.as_bytes());
            hasher.part(name.unwrap_or_default().as_bytes());
            hasher.part(&[u8::from(unit.is_part)]);
            hasher.part(unit.program.to_string().as_bytes());
            self.piece(&hasher.finish(), || {
                let passed = if unit.is_part { INTERPROCEDURAL } else { 0 };
                let (program, places) = (unit.program.clone(), unit.places.clone());
                self.optimise(program, places, passed, &options, |compiled| compiled.unit(name))
            })
        };
        if let [unit] = units {
            return Ok(vec![one(unit)?]);
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let work = || -> Result<Vec<(usize, Piece)>, Failure> {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                match units.get(at) {
                    Some(unit) => done.push((at, one(unit)?)),
                    None => return Ok(done),
                }
            }
        };
        let mut pieces = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for _ in 0..cores.min(units.len()) {
                let thread = std::thread::Builder::new().stack_size(STACK);
                let spawned = thread.spawn_scoped(scope, work);
                threads
                    .push(spawned.map_err(|e| fail(format_args!("cannot start a thread: {e}")))?);
            }
            let mut all = Vec::new();
            for thread in threads {
                let panicked = || fail("compiler bug: a thread that compiles has panicked");
                all.extend(thread.join().map_err(|_| panicked())??);
            }
            Ok::<_, Failure>(all)
        })?;
        pieces.sort_by_key(|(at, _)| *at);
        Ok(pieces.into_iter().map(|(_, piece)| piece).collect())
    }

    /// What the cache has, or else what `make` makes.
    fn piece(
        &self,
        key: &Key,
        make: impl FnOnce() -> Result<Piece, Failure>,
    ) -> Result<Piece, Failure> {
        // Which checks are left is only known when it is compiled.
        if !self.fresh
            && self.asked.is_empty()
            && let Some(code) = self.cache.get(key).and_then(|bytes| decode(&bytes))
        {
            return Ok(Piece { code, found: true, ..Piece::default() });
        }
        let piece = make()?;
        // What there is something to say about is compiled each time, so that it is said each time.
        if self.cache.is_on() && piece.remarks.is_empty() {
            self.cache.put(key, &encode(&piece.code));
        }
        Ok(piece)
    }

    /// Takes a program, which so many passes have seen, through all others and to code. Its positions stand for
    /// these.
    fn optimise(
        &self,
        mut program: Program,
        places: Places,
        passed: usize,
        options: &Options,
        generate: impl FnOnce(&Compiled<'_>) -> Result<UnitCode, futc_mlir::Error>,
    ) -> Result<Piece, Failure> {
        let mut runner = self.runner(places);
        let mut remarks = BTreeSet::new();
        let to_be_said = remarks::may_be(&program, self.asked);
        let mut passed = passed;
        for (level, pipeline) in self.options.target.pipelines.levels() {
            let pipeline = pipeline.get(std::mem::take(&mut passed)..).unwrap_or_default();
            program = runner.run(pipeline, program).map_err(fail)?;
            if to_be_said {
                let mut program = program.clone();
                runner.places.restore(&mut program);
                remarks.extend(remarks::at(level, &program, self.asked));
            }
        }
        let compiled = Compiled::new(&program, options.clone());
        if to_be_said && remarks::asks_for_schedules(&program) {
            let mut program = program.clone();
            runner.places.restore(&mut program);
            let decisions = Compiled::new(&program, options.clone()).decisions().map_err(fail)?;
            remarks.extend(explain::refused(&decisions));
        }
        let code = generate(&compiled).map_err(fail)?;
        runner.times.extend(compiled.times());
        Ok(Piece { code, remarks, times: runner.times, found: false })
    }
}

impl Made {
    fn add(&mut self, piece: Piece) {
        self.objects.extend(piece.code.objects);
        self.remarks.extend(piece.remarks);
        self.found += usize::from(piece.found);
        if self.times.is_empty() {
            self.times = piece.times;
            return;
        }
        // The passes of all units are the same, in the same order; stages of code generation may differ.
        for (i, (name, time)) in piece.times.into_iter().enumerate() {
            match self.times.get_mut(i) {
                Some((there, sum)) if *there == name => *sum += time,
                _ => self.times.push((name, time)),
            }
        }
    }
}
