//! The passes and their order, as data. Driver, `futc-opt`, timing, verification, `--print-after`
//! and help text all read these tables; nothing else lists passes.

use crate::ir::verify::verify;
use crate::ir::{Level, MemSpace, Program};
use crate::machine::Machine;
use crate::passes::bounds::bounds;
use crate::passes::chunk;
use crate::passes::copy_elim::copy_elim;
use crate::passes::cse::cse;
use crate::passes::dead_code::dead_code;
use crate::passes::divide_by_invariant::divide_by_invariant;
use crate::passes::fuse::fuse;
use crate::passes::hoist_copies::hoist_copies;
use crate::passes::hoist_invariant::hoist_invariant;
use crate::passes::index_set_splitting::{
    modulo_unroll, split_index_sets, strip_histograms, strip_mine,
};
use crate::passes::inline::inline;
use crate::passes::interchange_maps::interchange_maps;
use crate::passes::interchange_reduce::interchange_reduce;
use crate::passes::loops::{split_loops, tail_recursion, unroll};
use crate::passes::propagate_views::propagate_views;
use crate::passes::reduce_filtered::reduce_filtered;
use crate::passes::scalar_replacement::scalar_replacement;
use crate::passes::scan_to_reduce::scan_to_reduce;
use crate::passes::schedule::{self, schedule};
use crate::passes::simplify::simplify;
use crate::passes::sink_reads::sink_reads;
use crate::passes::sink_rows::sink_rows;
use crate::passes::{mem, seg};
use crate::units::Places;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// A pass.
#[derive(Clone, Copy)]
pub struct Pass {
    /// Its name, for `--print-after` and `futc-opt --passes`.
    pub name: &'static str,
    /// What it does, in a line.
    pub description: &'static str,
    /// The pass.
    pub run: fn(Program) -> Program,
}

/// A sequence of passes.
pub type Pipeline = &'static [Pass];

const SIMPLIFY: Pass = Pass {
    name: "simplify",
    description: "local rules: constants, indexing, branches, loops, combinators",
    run: simplify,
};

const TAIL_RECURSION: Pass = Pass {
    name: "tail-recursion",
    description: "functions that call themselves last to loops",
    run: tail_recursion,
};

const INLINE: Pass =
    Pass { name: "inline", description: "calls to the bodies of functions", run: inline };

const UNROLL: Pass = Pass {
    name: "unroll",
    description: "loops that say so to one copy of their body for each round",
    run: unroll,
};

const SPLIT_LOOPS: Pass = Pass {
    name: "split-loops",
    description: "loops of a known length to one for each way that branches on the counter go",
    run: split_loops,
};

const CSE: Pass = Pass { name: "cse", description: "equal expressions computed once", run: cse };

const DEAD_CODE: Pass = Pass {
    name: "dead-code",
    description: "what nothing needs: statements, results, functions",
    run: dead_code,
};

const HOIST_COPIES: Pass = Pass {
    name: "hoist-copies",
    description: "copies of what a loop carries, in each round, to one before it",
    run: hoist_copies,
};

const COPY_ELIM: Pass = Pass {
    name: "copy-elim",
    description: "copies that nobody would tell from the original",
    run: copy_elim,
};

const REDUCE_FILTERED: Pass = Pass {
    name: "reduce-filtered",
    description: "filters of which all is reduced to reductions of everything",
    run: reduce_filtered,
};

const SCAN_TO_REDUCE: Pass = Pass {
    name: "scan-to-reduce",
    description: "scans of which only the last element is wanted to reductions",
    run: scan_to_reduce,
};

const INTERCHANGE_MAPS: Pass = Pass {
    name: "interchange-maps",
    description: "loops of maps of the same elements to maps of loops",
    run: interchange_maps,
};

const INTERCHANGE_REDUCE: Pass = Pass {
    name: "interchange-reduce",
    description: "reductions whose operators are maps to maps of reductions",
    run: interchange_reduce,
};

const PROPAGATE_VIEWS: Pass = Pass {
    name: "propagate-views",
    description: "reshapes and transpositions from between combinators to their ends",
    run: propagate_views,
};

const FUSE: Pass = Pass {
    name: "fuse",
    description: "producers into the combinators that consume them",
    run: fuse,
};

const SCALAR_REPLACEMENT: Pass = Pass {
    name: "scalar-replacement",
    description: "small arrays to scalars, combinators over few rows to straight code",
    run: scalar_replacement,
};

const HOIST_INVARIANT: Pass = Pass {
    name: "hoist-invariant",
    description: "what does not vary out of loops and lambdas",
    run: hoist_invariant,
};

const SEQUENTIALISE: Pass = Pass {
    name: "sequentialise",
    description: "second-order array combinators to segmented operations of one thread",
    run: seg::sequentialise,
};

const KERNELISE: Pass = Pass {
    name: "kernels",
    description: "outermost map nests to kernels, all else as sequentialise",
    run: seg::kernels,
};

const CHUNK_REDUCE: Pass = Pass {
    name: "chunk-reduce",
    description: "reductions and histograms by operators over arrays to maps over chunks of what they go through",
    run: chunk::chunk_reduce,
};

const CHUNK_SMALL_REDUCE: Pass = Pass {
    name: "chunk-small-reduce",
    description: "as chunk-reduce, but as many chunks as there may be, for tests",
    run: chunk::chunk_small_reduce,
};

const COLLAPSE: Pass = Pass {
    name: "collapse",
    description: "nests of sequential operations to one over all their dimensions",
    run: seg::collapse,
};

const EXPAND_INVARIANTS: Pass = Pass {
    name: "expand-invariants",
    description: "functions of inner dimensions computed once, into arrays",
    run: seg::expand_invariants,
};

const FLATTENED_HISTOGRAMS: Pass = Pass {
    name: "flattened-histograms",
    description: "nests that are only flattened for a histogram into it",
    run: seg::flattened_histograms,
};

const UNFLATTEN: Pass = Pass {
    name: "unflatten",
    description: "writes of flattened rows into the maps that make the rows",
    run: seg::unflatten,
};

const COMPACT: Pass = Pass {
    name: "compact",
    description: "filters and partitions to one pass over their input",
    run: seg::compact,
};

const FUSE_SCAN: Pass = Pass {
    name: "fuse-scan",
    description: "scans into the sequential loops that read them",
    run: seg::fuse_scan,
};

const FUSE_LOOPS: Pass = Pass {
    name: "fuse-loops",
    description: "maps into the sequential loops that read them, inside of maps",
    run: seg::fuse_loops,
};

const DEAD_FILLS: Pass = Pass {
    name: "dead-fills",
    description: "no values for arrays that loops overwrite before anything reads them",
    run: seg::dead_fills,
};

const SHORTEN_FILLS: Pass = Pass {
    name: "shorten-fills",
    description: "no values for slices that are replaced next",
    run: seg::shorten_fills,
};

const REDUCE_LAST: Pass = Pass {
    name: "reduce-last",
    description: "last elements of scans by reductions, where scans can then go into loops",
    run: seg::reduce_last,
};

const REASSOCIATE: Pass = Pass {
    name: "reassociate",
    description: "in loops, extrema last of what the round before has made",
    run: seg::reassociate,
};

const FUSE_WRITES: Pass = Pass {
    name: "fuse-writes",
    description: "maps into the writes and reductions that read their results",
    run: seg::fuse_writes,
};

const WRITE_IN_LOOPS: Pass = Pass {
    name: "write-in-loops",
    description: "writes of rows that loops make into the loops",
    run: seg::write_in_loops,
};

const SINK_ROWS: Pass = Pass {
    name: "sink-rows",
    description: "maps into the map that reads their rows by index",
    run: sink_rows,
};

const SINK: Pass = Pass {
    name: "sink",
    description: "maps into the one consumer that reads their elements",
    run: seg::sink,
};

const INTERCHANGE: Pass = Pass {
    name: "interchange",
    description: "scans down columns along rows",
    run: seg::interchange,
};

const RANK_K_UPDATES: Pass = Pass {
    name: "rank-k-updates",
    description: "loops that update a matrix by one of its rows and columns by several at a time",
    run: seg::rank_k_updates,
};

const RANK_SMALL_K_UPDATES: Pass = Pass {
    name: "rank-small-k-updates",
    description: "as rank-k-updates, but by two, for tests",
    run: seg::rank_small_k_updates,
};

const REORDER: Pass = Pass {
    name: "reorder",
    description: "maps that read across along what they read",
    run: seg::reorder,
};

const TRANSPOSE_OPERANDS: Pass = Pass {
    name: "transpose-operands",
    description: "operands that nests read across, before them",
    run: seg::transpose_operands,
};

const INTERCHANGE_LOOPS: Pass = Pass {
    name: "interchange-loops",
    description: "loops out of strips of the maps around them",
    run: seg::interchange_loops,
};

const COMMUTE_SELECTIONS: Pass = Pass {
    name: "commute-selections",
    description: "reductions that choose one element to operators that commute",
    run: seg::commute_selections,
};

const NARROW: Pass = Pass {
    name: "narrow",
    description: "reductions of counts and indexes in 32 bits",
    run: seg::narrow,
};

const DISTRIBUTE: Pass = Pass {
    name: "loop-distribution",
    description: "loop distribution: contractions out of the maps around them",
    run: seg::distribute,
};

const DISTRIBUTE_COLUMNS: Pass = Pass {
    name: "distribute-columns",
    description: "steps of what is done to each column, for all columns at once",
    run: seg::distribute_columns,
};

const DISTRIBUTE_SCANS: Pass = Pass {
    name: "distribute-scans",
    description: "scans over the same elements to one for each, which vectors scan",
    run: seg::distribute_scans,
};

const REMATERIALISE: Pass = Pass {
    name: "rematerialise",
    description: "elements computed again where that is cheaper than to read them",
    run: seg::rematerialise,
};

const EXPLICIT: Pass = Pass {
    name: "explicit",
    description: "a place in host memory for every array",
    run: |p| mem::explicit(p, MemSpace::Host),
};

const EXPLICIT_DEVICE: Pass = Pass {
    name: "explicit-device",
    description: "a place in device memory for every array",
    run: |p| mem::explicit(p, MemSpace::Device),
};

const SHORT_CIRCUIT: Pass = Pass {
    name: "short-circuit",
    description: "build arrays where they would be copied to",
    run: mem::short_circuit,
};

const IN_PLACE: Pass = Pass {
    name: "in-place",
    description: "build the values of updates in arrays that are read meanwhile",
    run: mem::in_place,
};

const ELIDE_COPIES: Pass = Pass {
    name: "elide-copies",
    description: "no copies of what is built where it goes",
    run: mem::elide_copies,
};

const REUSE: Pass = Pass {
    name: "reuse",
    description: "results over what is read for the last time",
    run: mem::reuse,
};

const OVERWRITE: Pass = Pass {
    name: "overwrite",
    description: "maps over the array that they replace, beside copies of slices",
    run: mem::overwrite,
};

const LOOP_BLOCKS: Pass = Pass {
    name: "loop-blocks",
    description: "no blocks among what loops carry that stay the same",
    run: mem::loop_blocks,
};

const DEAD_RESULTS: Pass = Pass {
    name: "dead-results",
    description: "no memory for results that nothing reads",
    run: mem::dead_results,
};

const EXPAND: Pass =
    Pass { name: "expand", description: "allocations out of kernels", run: mem::expand };

const CUT_TASKS: Pass = Pass {
    name: "cut-tasks",
    description: "operations of the host to tasks, which threads share",
    run: mem::cut_tasks,
};

const CUT_SMALL_TASKS: Pass = Pass {
    name: "cut-small-tasks",
    description: "as cut-tasks, but as many tasks as there may be, for tests",
    run: mem::cut_small_tasks,
};

const INTERLEAVE: Pass = Pass {
    name: "interleave",
    description: "points that work in sequence in strips, for lanes, element beside element",
    run: mem::interleave,
};

const DISTRIBUTE_HISTOGRAMS: Pass = Pass {
    name: "distribute-histograms",
    description: "what points of histograms compute to maps over chunks",
    run: mem::distribute_histograms,
};

const DISTRIBUTE_FILTERS: Pass = Pass {
    name: "distribute-filters",
    description: "flags and elements of filters to maps over chunks",
    run: mem::distribute_filters,
};

const DOUBLE_BUFFER: Pass = Pass {
    name: "double-buffer",
    description: "loops exchange two blocks instead of allocating one in each round",
    run: mem::double_buffer,
};

const HOIST: Pass = Pass {
    name: "hoist",
    description: "allocations out of loops, one for arrays that are needed in turn",
    run: mem::hoist,
};

const PROMOTE_TO_STACK: Pass = Pass {
    name: "promote-to-stack",
    description: "small private blocks to the stack",
    run: mem::promote_to_stack,
};

const SMALL_PRODUCTS: Pass = Pass {
    name: "small-products",
    description: "products of small matrices as maps over rows and columns",
    run: mem::small_products,
};

const STRIP_HISTOGRAMS: Pass = Pass {
    name: "strip-histograms",
    description: "histograms whose points take long in pieces in which quotients of the index have one value",
    run: strip_histograms,
};

const STRIP_MINE: Pass = Pass {
    name: "strip-mine",
    description: "maps and reductions over blocks of their range in which quotients of the index have one value",
    run: strip_mine,
};

const MODULO_UNROLL: Pass = Pass {
    name: "modulo-unroll",
    description: "maps that use quotients or remainders of the index by small powers of two by several points at a time",
    run: modulo_unroll,
};

const INDEX_SET_SPLITTING: Pass = Pass {
    name: "index-set-splitting",
    description: "maps over subranges in which comparisons of the index have one outcome",
    run: split_index_sets,
};

const BOUNDS: Pass =
    Pass { name: "bounds", description: "both ends of a range in one comparison", run: bounds };

const SINK_READS: Pass = Pass {
    name: "sink-reads",
    description: "elements that one branch needs are read there",
    run: sink_reads,
};

const DIVIDE_BY_INVARIANT: Pass = Pass {
    name: "divide-by-invariant",
    description: "divisions by what stays the same to multiplications",
    run: divide_by_invariant,
};

const REFCOUNT: Pass =
    Pass { name: "refcount", description: "retain and release blocks", run: mem::refcount };

const SCHEDULE: Pass = Pass {
    name: "schedule",
    description: "how code generation goes through each operation, for a common machine",
    run: |p| schedule(p, &Machine::COMMON, schedule::Aim::default()),
};

/// At level soacs. Calls are inlined after a first simplification, which makes bodies small, and
/// says how often loops run, and when functions that call themselves last are loops, as what is recursive is not
/// inlined; fusion wants copies gone and nothing under two names, reductions
/// where nobody wants the scans, no filters of which all is reduced, and no view between combinators that one nest
/// could do without, and maps out of loops, with which it puts what makes their first elements; it leaves behind what the second round removes. Small arrays become scalars
/// when fusion has looked at the combinators that make them, and the same round cleans up behind that.
pub const SOACS: Pipeline = &[
    SIMPLIFY,
    TAIL_RECURSION,
    INLINE,
    UNROLL,
    SPLIT_LOOPS,
    SIMPLIFY,
    CSE,
    HOIST_COPIES,
    COPY_ELIM,
    SIMPLIFY,
    SCAN_TO_REDUCE,
    REDUCE_FILTERED,
    PROPAGATE_VIEWS,
    SINK_ROWS,
    INTERCHANGE_MAPS,
    FUSE,
    SCALAR_REPLACEMENT,
    INTERCHANGE_REDUCE,
    SIMPLIFY,
    HOIST_INVARIANT,
    CSE,
    DEAD_CODE,
];

/// So many passes at the beginning of [`SOACS`] look into what a function calls. Those behind them ask for
/// no more of it than its signature and its [`Linkage`](crate::ir::Linkage), so that programs are compiled in
/// parts from there ([`crate::units`]).
pub const INTERPROCEDURAL: usize = 3;

/// From soacs to seg on the host, with what makes chunks of combinators for tasks, if anything does, and what
/// takes several rounds of updates of a matrix together.
macro_rules! host_operations {
    ($($chunk:ident,)*; $update:ident) => {
        &[
            $($chunk,)*
            SEQUENTIALISE,
            SIMPLIFY,
            HOIST_INVARIANT,
            CSE,
            UNFLATTEN,
            COMPACT,
            DEAD_CODE,
            FUSE_SCAN,
            FUSE_WRITES,
            WRITE_IN_LOOPS,
            REMATERIALISE,
            CSE,
            DEAD_CODE,
            REDUCE_LAST,
            FUSE_SCAN,
            FUSE_LOOPS,
            COLLAPSE,
            FLATTENED_HISTOGRAMS,
            SINK,
            DISTRIBUTE,
            COLLAPSE,
            DISTRIBUTE_COLUMNS,
            EXPAND_INVARIANTS,
            $update,
            INTERCHANGE,
            REORDER,
            TRANSPOSE_OPERANDS,
            INTERCHANGE_LOOPS,
            COMMUTE_SELECTIONS,
            DISTRIBUTE_SCANS,
            NARROW,
            DEAD_FILLS,
            SHORTEN_FILLS,
            REASSOCIATE,
            DEAD_CODE,
        ]
    };
}

/// From soacs to seg, for one thread. Rows of inputs are now elements read by index, so what is
/// known of the array (`iota`, `replicate`) takes their place. Nests are collapsed when nothing
/// superfluous stands between their operations; whole nests then go to who reads them, and products
/// are split off, which leaves nests that can be collapsed. Flattened rows are written where they
/// are made before that may be a filter; nests that are flattened for histograms go there once they are one operation. Filters become loops before anything else is made of what
/// they pass on, and take in what they filter by; maps go into writes before what is cheap is made again at each
/// reader; what is then made again may be there already, and what else was made beside a scan no longer keeps it from being taken in.
/// Maps go into loops when whatever is cheap is no array any more, and before nests are looked for.
/// Scans down columns are loops over rows when no pass looks for scans any more. Reductions are
/// narrowed last, as there may be two of each afterwards.
/// Functions of inner dimensions get arrays when no pass puts what is computed into what reads it.
/// Updates of matrices go several rounds at a time when nests are one operation each.
/// What loops overwrite loses its values when no pass looks at what arrays are made of.
pub const SEQUENTIAL: Pipeline = host_operations!(; RANK_K_UPDATES);

/// The same, for several threads: of combinators that are loops there, chunks are maps.
pub const TASKS_SEQUENTIAL: Pipeline = host_operations!(CHUNK_REDUCE,; RANK_K_UPDATES);

/// The same, with chunks as small as may be, for tests.
pub const SMALL_TASKS_SEQUENTIAL: Pipeline =
    host_operations!(CHUNK_SMALL_REDUCE,; RANK_SMALL_K_UPDATES);

/// From soacs to seg, with kernels: the same, for host code and what a thread of a kernel runs, but for `fuse-writes`, `write-in-loops`
/// and `rank-k-updates`, as maps are kernels there. A pass of whom that is not so says that it works outside of kernels.
pub const KERNELS: Pipeline = &[
    KERNELISE,
    SIMPLIFY,
    HOIST_INVARIANT,
    CSE,
    UNFLATTEN,
    COMPACT,
    FUSE_SCAN,
    REMATERIALISE,
    CSE,
    DEAD_CODE,
    FUSE_SCAN,
    FUSE_LOOPS,
    COLLAPSE,
    SINK,
    DISTRIBUTE,
    COLLAPSE,
    INTERCHANGE,
    REORDER,
    COMMUTE_SELECTIONS,
    NARROW,
    DEAD_FILLS,
    REASSOCIATE,
    DEAD_CODE,
];

/// From seg to mem on the host, with what cuts tasks, if anything does: when it is known what is built in place, and
/// before allocations are moved.
macro_rules! host_memory {
    ($($cut:ident)?) => {
        &[
            EXPLICIT,
            SHORT_CIRCUIT,
            IN_PLACE,
            ELIDE_COPIES,
            REUSE,
            OVERWRITE,
            LOOP_BLOCKS,
            SHORT_CIRCUIT,
            ELIDE_COPIES,
            DEAD_RESULTS,
            $(MODULO_UNROLL, $cut,)?
            INTERLEAVE,
            STRIP_HISTOGRAMS,
            DISTRIBUTE_HISTOGRAMS,
            DISTRIBUTE_FILTERS,
            DOUBLE_BUFFER,
            HOIST,
            PROMOTE_TO_STACK,
            STRIP_MINE,
            MODULO_UNROLL,
            INDEX_SET_SPLITTING,
            SMALL_PRODUCTS,
            SINK_READS,
            BOUNDS,
            DIVIDE_BY_INVARIANT,
            REFCOUNT,
        ]
    };
}

/// From seg to mem. Building in place looks at whole blocks, of which short-circuiting leaves fewer;
/// what both have made superfluous is removed. Maps go over the arrays that they replace while they are whole, and before
/// loops exchange two blocks for want of that; what loops make in one block is then built where it goes. Allocations can be hoisted only then, when it is known
/// which are needed; counting comes last, as every pass before it would have to keep counts right.
/// What points of histograms and filters compute gets blocks before these are moved to the stack, row by row where they divide their index.
/// What goes by remainders of the index does so before it is cut, as a part of a range has other remainders.
/// Maps are split when it is known where their results lie, so that nothing is copied for it.
/// Reads go into branches when no pass looks for elements that are read at every point any more.
/// Comparisons become unsigned when no pass looks for outcomes any more, divisions go when none looks
/// for quotients.
pub const MEMORY: Pipeline = host_memory!();

/// The same, for several threads.
pub const TASKS_MEMORY: Pipeline = host_memory!(CUT_TASKS);

/// The same, with tasks as small as may be, for tests.
pub const SMALL_TASKS_MEMORY: Pipeline = host_memory!(CUT_SMALL_TASKS);

/// From seg to mem, with kernels. Hoisting makes the blocks of a thread few before there is one of
/// each for every thread; then a kernel's allocations must leave it whether their size is known
/// early or not, and be hoisted on.
pub const DEVICE_MEMORY: Pipeline = &[
    EXPLICIT_DEVICE,
    SHORT_CIRCUIT,
    IN_PLACE,
    ELIDE_COPIES,
    REUSE,
    DEAD_RESULTS,
    HOIST,
    EXPAND,
    HOIST,
    PROMOTE_TO_STACK,
    STRIP_MINE,
    MODULO_UNROLL,
    INDEX_SET_SPLITTING,
    BOUNDS,
    DIVIDE_BY_INVARIANT,
    REFCOUNT,
];

/// The passes of a kind of target, level by level.
#[derive(Clone, Copy)]
pub struct Pipelines {
    /// Its name, for tests.
    pub name: &'static str,
    /// At level soacs.
    pub soacs: Pipeline,
    /// From soacs to seg.
    pub seg: Pipeline,
    /// From seg to mem.
    pub mem: Pipeline,
    /// Where arrays lie unless something asks for another place.
    pub space: MemSpace,
}

impl Pipelines {
    /// The levels with the passes that lead there, in order.
    pub fn levels(&self) -> [(Level, Pipeline); 3] {
        [(Level::Soacs, self.soacs), (Level::Seg, self.seg), (Level::Mem, self.mem)]
    }
}

/// Of targets whose host does all the work.
pub static HOST: Pipelines =
    Pipelines { name: "host", soacs: SOACS, seg: SEQUENTIAL, mem: MEMORY, space: MemSpace::Host };

/// Of targets whose host's threads share the work.
pub static TASKS: Pipelines = Pipelines {
    name: "tasks",
    soacs: SOACS,
    seg: TASKS_SEQUENTIAL,
    mem: TASKS_MEMORY,
    space: MemSpace::Host,
};

/// The same, with tasks as small as may be, for tests.
pub static SMALL_TASKS: Pipelines = Pipelines {
    name: "small-tasks",
    soacs: SOACS,
    seg: SMALL_TASKS_SEQUENTIAL,
    mem: SMALL_TASKS_MEMORY,
    space: MemSpace::Host,
};

/// Of targets with kernels.
pub static DEVICE: Pipelines = Pipelines {
    name: "device",
    soacs: SOACS,
    seg: KERNELS,
    mem: DEVICE_MEMORY,
    space: MemSpace::Device,
};

/// Every kind.
pub static KINDS: &[&Pipelines] = &[&HOST, &TASKS, &SMALL_TASKS, &DEVICE];

/// Every pass, once.
pub fn all() -> Vec<Pass> {
    let mut out: Vec<Pass> = Vec::new();
    for (_, pipeline) in KINDS.iter().flat_map(|p| p.levels()) {
        for pass in pipeline {
            if out.iter().all(|p| p.name != pass.name) {
                out.push(*pass);
            }
        }
    }
    // Code generation runs it, for the machine that code is for.
    out.push(SCHEDULE);
    out
}

/// A pass left a program that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("compiler bug: the program is not valid after the pass {pass}:\n{what}")]
pub struct Invalid {
    /// The pass.
    pub pass: &'static str,
    /// What the verifier says.
    pub what: String,
}

/// Runs pipelines, with what is asked for around each pass.
#[derive(Debug, Default)]
pub struct Runner {
    /// Verify after every pass.
    pub verify: bool,
    /// Print to standard error after these passes.
    pub print_after: Vec<String>,
    /// What the positions of the program stand for, if it is a unit.
    pub places: Places,
    /// How long each pass took, in order; and what else is [`Runner::timed`].
    pub times: Vec<(&'static str, Duration)>,
}

impl Runner {
    /// Runs a pipeline.
    pub fn run(&mut self, pipeline: &[Pass], mut program: Program) -> Result<Program, Invalid> {
        for pass in pipeline {
            program = self.timed(pass.name, || (pass.run)(program));
            self.look(pass.name, &program)?;
        }
        Ok(program)
    }

    /// Prints and verifies what a pass has made, if that is asked for.
    pub fn look(&self, pass: &'static str, program: &Program) -> Result<(), Invalid> {
        if self.print_after.iter().any(|p| p == pass) {
            let mut program = program.clone();
            self.places.restore(&mut program);
            eprintln!("-- after {pass}\n{program}");
        }
        if self.verify { check(pass, program) } else { Ok(()) }
    }

    /// Does something whose time stands beside those of the passes.
    pub fn timed<T>(&mut self, name: &'static str, f: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let out = f();
        self.times.push((name, start.elapsed()));
        out
    }

    /// A table of times, for people.
    pub fn timings(&self) -> String {
        let mut out = String::new();
        let total: Duration = self.times.iter().map(|(_, t)| *t).sum();
        for (name, time) in &self.times {
            let share = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
            let _ =
                writeln!(out, "{name:>24} {:>10.3} ms {share:>5.1} %", time.as_secs_f64() * 1e3);
        }
        out
    }
}

/// The verifier's findings after `pass`, as an error.
pub fn check(pass: &'static str, program: &Program) -> Result<(), Invalid> {
    verify(program).map_err(|errors| {
        let what: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Invalid { pass, what: what.join("\n") }
    })?;
    let wrong = schedule::check(program, &Machine { gathers: true, ..Machine::COMMON });
    if wrong.is_empty() { Ok(()) } else { Err(Invalid { pass, what: wrong.join("\n") }) }
}
