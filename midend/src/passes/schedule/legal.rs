//! What may be scheduled how: the one table that the choice, the verification of given schedules and
//! code generation agree on.
//!
//! | strategy | the operation must be |
//! | --- | --- |
//! | loops | any; unrolled, a map or reduction of scalars over one dimension, without loops |
//! | tiles | a map over two dimensions and more |
//! | panels | a map of one scalar result, without loops, whose result has a dimension for each of the space |
//! | lanes, aligned | a map that has lanes, whose points return elements of the first result |
//! | lanes, partial | a map that has lanes and no arrays as results, not aligned |
//! | lanes | a map whose body can be computed by lanes, whose results have neighbours along the innermost dimension and lie in blocks that it does not read, unless it is without loops and points read only what they write themselves; or a reduction by operations that commute |
//! | stream | a map without loops whose results have a dimension for each of the space, begin where their blocks do and are dense |
//! | contract | a product of matrices |
//! | columns | a reduction of scalars without loops, over two dimensions and more |
//! | accumulators | the same over any dimensions, by operations that commute |
//! | tree | the same, by any operators |
//! | vectors | a scan by one operator that vectors have, without loops, of results that are neighbours |
//!
//! Of the copies that a statement makes:
//!
//! | strategy | the copy must be |
//! | --- | --- |
//! | loops | any |
//! | runs | dense on both sides from the dimension on |
//! | along | across two dimensions, to what is dense |
//! | innermost | across, and read its neighbours along the dimension |
//! | panels, squares, tiles | across the two dimensions |
//!
//! `compress` of a loop that compacts arrays ([`Compaction`]), in front of `loops`. And `table` of a literal of constants, outside of kernels; `threads` of an operation of level `grid`, in blocks of whole
//! warps.
//!
//! Each strategy must do for one of them, and each of them have one that does for all sizes. None may stand
//! where nothing reaches it, behind one that does for all sizes.
//!
//! Points are `independent` of one another in a map of scalars without loops and arrays of its own. A `dummy` slot is for
//! scalars that points write where they say.

use super::nest::{Nest, blocks, known};
use crate::analysis::bodies::{is_straight, lanewise_size, results_of, returns};
use crate::analysis::compaction::Compaction;
use crate::analysis::contraction::{accumulation, contraction, lanewise_accumulation};
use crate::analysis::copies::{Copied, copies};
use crate::analysis::lanes::{Lanes, Obstacle, Why, lanes};
use crate::analysis::places::{Place, Places};
use crate::ir::traverse::{for_each_block, free_in};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Defs, Exp, KernelBody, KernelResult, PageStreams, PastCaches, PatElem, Prim, Reduction,
    Schedule, SegKind, SegLevel, SegOp, Stm, Strategy, SubExp, Type, Var,
};
use crate::machine::{Instructions, Machine};

/// Whether an operation may have a strategy; if not, why not.
pub fn legal(
    pat: &[PatElem],
    op: &SegOp,
    strategy: Strategy,
    places: &Places,
    machine: &Machine,
) -> Result<(), &'static str> {
    let nest = Nest { pat, op };
    let rank = op.space.dims.len();
    let yes = |ok: bool, why| if ok { Ok(()) } else { Err(why) };
    let is_map = op.kind == SegKind::Map;
    match strategy {
        Strategy::Loops { unroll } => {
            yes(unroll == 1 || unroll > 1 && unrolls(op), "its points cannot go several at a time")
        }
        Strategy::Scalar => Ok(()),
        Strategy::Outer { dims } => {
            yes(is_map && (1..=rank).contains(&dims), "no such dimensions of a map")
        }
        Strategy::Rolled => yes(folds(op), "it is no reduction of scalars without loops"),
        Strategy::Tiles { dims: (a, b), size } => yes(
            is_map && a != b && a < rank && b < rank && size > 0,
            "no tiles of these dimensions",
        ),
        Strategy::Panels { dims: (a, b), rows, ahead, least, .. } => {
            let ok = is_map && a != b && a < rank && b < rank;
            let ok = ok && rows > 0 && ahead >= 0 && least >= 0;
            yes(ok && panels(nest, places), "no panels of it")
        }
        Strategy::Lanes { width, aligned, partial, .. } => {
            yes(!aligned || aligns(nest, places), "its results cannot be aligned")?;
            let fits =
                partial == 0 || !aligned && (1..width).contains(&partial) && may_be_partial(nest);
            yes(fits, "it has no strips of which some lanes take no part")?;
            let power = width >= 2 && width & (width - 1) == 0;
            let ok = match &op.kind {
                SegKind::Map => {
                    let lanes = lanes_of_results(nest, places, machine);
                    let row = lanes.as_ref().is_ok_and(|l| is_row(op, l, width));
                    yes(power || row && !aligned, "lanes are a power of two, or a whole row")?;
                    let in_place = !aligned && is_pointwise_in_place(nest, places);
                    lanes.is_ok_and(|l| in_place || is_apart(nest, places, &l))
                }
                _ if !power => return Err("lanes are a power of two"),
                SegKind::Red(ops) => lanes_of_reduction(nest, ops, places, machine).is_ok(),
                SegKind::Scan(_) | SegKind::Hist(_) => false,
            };
            yes(ok, "it cannot be computed by lanes")
        }
        Strategy::Stream { chunk, unroll, pages, .. } => {
            yes(
                unroll >= 1 && visits(pages, chunk),
                "chunks are powers of two, and parts of pages",
            )?;
            let results = streams(nest, places).ok_or("its results cannot go past the caches")?;
            let whole = |to: &&Place| chunk * to.elem.bytes() % machine.vector_bytes == 0;
            yes(results.iter().all(whole), "chunks are whole vectors")
        }
        Strategy::Contract(t) => {
            let SegKind::Red(ops) = &op.kind else {
                return Err("only reductions are contractions");
            };
            let sizes = [t.lanes, t.high, t.wide, t.depth, t.rows, t.columns];
            let whole = sizes.iter().all(|n| *n > 0)
                && t.wide % t.lanes == 0
                && t.rows % t.high == 0
                && t.columns % t.wide == 0;
            yes(whole, "blocks are of whole tiles, and these of whole vectors")?;
            yes(contraction(&op.space, ops, &op.body).is_some(), "it is no product of matrices")
        }
        Strategy::Columns { dim, block } => {
            yes(block > 0 && dim + 1 < rank && folds(op), "it has no such columns")
        }
        Strategy::Accumulators { count, pages, .. } => {
            yes(visits(pages, count), "accumulators are a power of two, and part of a page")?;
            let commutes = op.kind.reductions().iter().all(commutes);
            yes(folds(op) && commutes, "its operators do not commute")
        }
        // A block's shape is that of the code, see `lower/tree.rs`.
        Strategy::Tree { block } => yes(block == TREE && folds(op), "it is no tree"),
        Strategy::Innermost { dim } => yes(is_map && dim < rank, "no such dimension of a map"),
        Strategy::Runs { .. } | Strategy::Along | Strategy::Squares { .. } => Err("it is no copy"),
        Strategy::Compress { .. } => Err("it is no loop that compacts arrays"),
        Strategy::Table => Err("it is no literal of constants"),
        Strategy::Threads { block } => {
            yes(op.level == SegLevel::Grid, "only grids are of threads")?;
            yes(block % WARP == 0 && 0 < block && block <= LARGEST_BLOCK, "blocks are whole warps")
        }
        Strategy::Vectors { lanes, chunk, rows, past_caches } => {
            let ok = lanes >= 1 && lanes & (lanes - 1) == 0 && chunk % lanes == 0 && chunk > 0;
            let ok = ok && rows >= 0;
            yes(ok && vectors(nest, places).is_some(), "it cannot be scanned by vectors")?;
            let Some(PastCaches { ahead, least, .. }) = past_caches else { return Ok(()) };
            yes(
                ahead > 0 && chunk % ahead == 0 && least >= 0,
                "chunks are fetched in equal parts",
            )?;
            yes(passes_caches(nest, places), "its results cannot go past the caches")
        }
    }
}

/// Whether chunks of so many elements can be visited in the order of some page streams.
fn visits(pages: Option<PageStreams>, chunk: i64) -> bool {
    let in_pages = |p: PageStreams| {
        let PageStreams { pages, page, chunk: of_page, least } = p;
        of_page == chunk && pages > 0 && page > 0 && page % chunk == 0 && least >= 0
    };
    chunk > 0 && chunk & (chunk - 1) == 0 && pages.is_none_or(in_pages)
}

/// Whether the results of a scan by vectors may go past the caches, for which they must be aligned.
pub(super) fn passes_caches(nest: Nest<'_>, places: &Places) -> bool {
    vectors(nest, places).is_some_and(|results| {
        results.iter().filter_map(|(_, to)| *to).all(|to| places.is_aligned(to))
    })
}

/// Threads that go together, and how many a block may have.
const WARP: i64 = 32;
const LARGEST_BLOCK: i64 = 1024;

/// Elements of the block of a tree.
pub const TREE: i64 = 1024;

/// What is wrong with the schedule of a statement.
pub(super) fn check(
    stm: &Stm,
    schedule: &Schedule,
    in_kernel: bool,
    places: &Places,
    machine: &Machine,
) -> Result<(), String> {
    let made = copies(stm, places);
    let Exp::Seg(op) = &stm.exp else {
        if !schedule.rows.is_empty() {
            return Err("only segmented operations have rows".into());
        }
        if schedule.independent {
            return Err("a copy has no points to be independent".into());
        }
        if schedule.dummy_slot {
            return Err("a copy writes nothing to a dummy slot".into());
        }
        if *schedule.strategies == [Strategy::Table] {
            let ok = !in_kernel && is_constant_literal(stm, places);
            return if ok { Ok(()) } else { Err("`table`: it is no literal of constants".into()) };
        }
        if let [first @ Strategy::Compress { lanes }, rest @ ..] = schedule.strategies.as_slice() {
            let power = *lanes >= 2 && lanes & (lanes - 1) == 0;
            let ok = power && !in_kernel && Compaction::legal(stm, places).is_some();
            let plain = *rest == [Strategy::Loops { unroll: 1 }];
            let why = format!("`{first}`: it is no loop that compacts arrays, or has no other way");
            return if ok && plain { Ok(()) } else { Err(why) };
        }
        return check_copies(&made, &schedule.strategies, in_kernel, &places.defs);
    };
    if !schedule.rows.is_empty() {
        let in_kernel = in_kernel || op.level.is_kernel();
        check_copies(&made, &schedule.rows, in_kernel, &places.defs)?;
    }
    if schedule.dummy_slot && (in_kernel || op.level != SegLevel::Seq || !writes_scalars(op)) {
        return Err("it writes no scalars that could go to a dummy slot".into());
    }
    if let (SegLevel::Grid, false, [threads @ Strategy::Threads { .. }]) =
        (op.level, in_kernel, schedule.strategies.as_slice())
    {
        return legal(&stm.pat, op, *threads, places, machine)
            .map_err(|why| format!("`{threads}`: {why}"));
    }
    // Their rows may have one.
    let mapped = schedule.strategies.is_empty() && !schedule.rows.is_empty();
    if op.level.is_kernel() {
        return if mapped { Ok(()) } else { Err("threads of a kernel have no schedule".into()) };
    }
    if op.level == SegLevel::Tasks {
        return if mapped {
            Ok(())
        } else {
            Err("tasks have no schedule, but what they run".into())
        };
    }
    if in_kernel && schedule.strategies.iter().any(|s| !matches!(s, Strategy::Loops { unroll: 1 }))
    {
        return Err("threads of a kernel go by loops".into());
    }
    let nest = Nest { pat: &stm.pat, op };
    if schedule.independent && !is_pointwise_in_place(nest, places) {
        return Err("its points are not known to be independent".into());
    }
    for strategy in &schedule.strategies {
        legal(&stm.pat, op, *strategy, places, machine)
            .map_err(|why| format!("`{strategy}`: {why}"))?;
    }
    let end = schedule.strategies.iter().position(|s| s.is_unconditional());
    let end = end.ok_or("the last strategy must do for all sizes")?;
    schedule.strategies.get(end + 1).map_or(Ok(()), |s| Err(never_taken(*s)))
}

/// What is wrong with a strategy behind one that does for all sizes.
fn never_taken(strategy: Strategy) -> String {
    format!("`{strategy}` is never taken: one before it does for all sizes")
}

/// The least side of a square.
pub(super) const SMALLEST_SQUARE: i64 = 4;

/// Whether a copy may have a strategy; if not, why not.
pub fn copy(copied: &Copied, strategy: Strategy, defs: &Defs) -> Result<(), &'static str> {
    let yes = |ok: bool, why| if ok { Ok(()) } else { Err(why) };
    let across =
        |dims| yes(copied.crossed() == Some(dims), "it does not go across these dimensions");
    match strategy {
        Strategy::Loops { unroll } => yes(unroll == 1, "its points cannot go several at a time"),
        Strategy::Scalar | Strategy::Rolled | Strategy::Outer { .. } => Err("a copy has no points"),
        Strategy::Runs { from } => {
            let rank = copied.target.dims.len();
            yes(from < rank && copied.dense_from(defs) <= from, "both sides are not dense")
        }
        Strategy::Along => yes(
            copied.crossed().is_some() && copied.target.is_contiguous(defs),
            "it does not go across to what is dense",
        ),
        Strategy::Panels { dims, rows, ahead, .. } => {
            yes(rows > 0 && ahead >= 0, "no panels of it")?;
            across(dims)
        }
        Strategy::Innermost { dim } => yes(
            copied.crossed().is_some_and(|(read, _)| read == dim),
            "it reads no neighbours along this dimension",
        ),
        Strategy::Squares { dims, lanes, side } => {
            let squares = lanes >= SMALLEST_SQUARE && lanes & (lanes - 1) == 0 && side > 0;
            yes(squares, "squares are a power of two each way")?;
            across(dims)
        }
        Strategy::Tiles { dims, size } => {
            yes(size > 0, "no tiles of these dimensions")?;
            across(dims)
        }
        Strategy::Lanes { .. }
        | Strategy::Stream { .. }
        | Strategy::Contract(_)
        | Strategy::Columns { .. }
        | Strategy::Accumulators { .. }
        | Strategy::Tree { .. }
        | Strategy::Vectors { .. }
        | Strategy::Compress { .. }
        | Strategy::Threads { .. } => Err("it is a copy"),
        Strategy::Table => Err("it is no literal of constants"),
    }
}

/// Of each strategy, whether some copy may take it: a copy goes by the first that fits it and whose conditions
/// on sizes hold.
pub(super) fn taken(copies: &[Copied], strategies: &[Strategy], defs: &Defs) -> Vec<bool> {
    let mut taken = vec![false; strategies.len()];
    for copied in copies {
        let fits = |(_, s): &(&mut bool, &Strategy)| copy(copied, **s, defs).is_ok();
        for (taken, strategy) in taken.iter_mut().zip(strategies).filter(fits) {
            *taken = true;
            if strategy.is_unconditional() {
                break;
            }
        }
    }
    taken
}

/// What is wrong with the strategies of some copies.
fn check_copies(
    copies: &[Copied],
    strategies: &[Strategy],
    in_kernel: bool,
    defs: &Defs,
) -> Result<(), String> {
    if copies.is_empty() {
        return Err("a schedule of what is neither a segmented operation nor a copy".into());
    }
    for strategy in strategies {
        let vectors = matches!(
            strategy,
            Strategy::Panels { .. } | Strategy::Squares { .. } | Strategy::Along
        );
        if in_kernel && vectors {
            return Err(format!("`{strategy}`: threads of a kernel have no vectors"));
        }
        let mut of = copies.iter().map(|c| copy(c, *strategy, defs));
        if let (false, Some(Err(why))) = (of.clone().any(|o| o.is_ok()), of.next()) {
            return Err(format!("`{strategy}`: {why}"));
        }
    }
    let always = |c: &Copied| {
        let does = |s: &Strategy| s.is_unconditional() && copy(c, *s, defs).is_ok();
        strategies.iter().any(does)
    };
    if !copies.iter().all(always) {
        return Err("the last strategy must do for all sizes".into());
    }
    let taken = taken(copies, strategies, defs);
    let never = strategies.iter().zip(taken).find(|(_, taken)| !taken);
    never.map_or(Ok(()), |(s, _)| Err(never_taken(*s)))
}

/// Whether the points of an operation write scalars where they say.
pub(super) fn writes_scalars(op: &SegOp) -> bool {
    let KernelBody { results, types, .. } = &op.body;
    results.iter().zip(types).any(|(result, ty)| match result {
        KernelResult::Return(_) => false,
        KernelResult::Write { writes, .. } => {
            writes.iter().any(|(indexes, _)| indexes.len() == ty.rank())
        }
    })
}

/// Statements of a point that is little.
const LITTLE: usize = 12;

/// Whether points do little but write scalars of one or two bytes where they say: no processor has scatters of these, so that
/// vectors of them would be taken apart again.
pub(super) fn scatters_little(op: &SegOp) -> bool {
    let narrow = |ty: &Type| ty.elem().is_some_and(|elem| elem.bytes() < 4);
    writes_scalars(op) && op.body.types.iter().all(narrow) && op.body.stms.len() <= LITTLE
}

/// Whether a statement is a dense one-dimensional literal of constants.
pub(super) fn is_constant_literal(stm: &Stm, places: &Places) -> bool {
    let Exp::ArrayLit { elems, .. } = &stm.exp else { return false };
    let to = stm.pat.first().and_then(|p| places.of(p.var));
    to.is_some_and(|to| to.rank() == 1 && to.mem.lmad.is_contiguous(&places.defs))
        && elems.iter().all(|x| matches!(x, SubExp::Const(_)))
}

/// Whether the points of an operation without loops may stand several in an iteration.
pub(super) fn unrolls(op: &SegOp) -> bool {
    let kind = matches!(op.kind, SegKind::Map | SegKind::Red(_));
    let scalars = op.body.types.iter().all(|ty| matches!(ty, Type::Prim(_)));
    kind && op.space.dims.len() == 1
        && scalars
        && returns(&op.body)
        && op.body.stms.iter().all(is_straight)
}

/// Whether a map of scalars, computed without loops and arrays, reads the block that it writes, or writes
/// twice in a block: passes have seen to it that no point reads what another writes.
pub(super) fn is_pointwise_in_place(nest: Nest<'_>, places: &Places) -> bool {
    let body = &nest.op.body;
    let scalars = body.types.iter().all(|ty| matches!(ty, Type::Prim(_)));
    let straight = body.stms.iter().all(|s| is_straight(s) && of_scalars(s));
    if nest.op.kind != SegKind::Map || !returns(body) || !scalars || !straight {
        return false;
    }
    let written = blocks(nest);
    let arrays = nest.pat.iter().filter(|p| p.mem.is_some()).count();
    written.len() < arrays
        || body
            .stms
            .iter()
            .flat_map(arrays_read)
            .any(|array| places.of(array).is_some_and(|place| written.contains(&place.mem.block)))
}

/// Whether a statement and those below bind no arrays.
fn of_scalars(stm: &Stm) -> bool {
    let mut yes = stm.pat.iter().all(|p| !matches!(p.ty, Type::Array { .. } | Type::Mem(_)));
    for_each_block(&stm.exp, &mut |b| yes = yes && b.iter().all(of_scalars));
    yes
}

/// The arrays that elements are read of, in a statement without loops.
fn arrays_read(stm: &Stm) -> Vec<Var> {
    let mut out: Vec<Var> = match &stm.exp {
        Exp::Index { array, .. } => vec![*array],
        _ => Vec::new(),
    };
    for_each_block(&stm.exp, &mut |b| out.extend(b.iter().flat_map(arrays_read)));
    out
}

/// Whether a map can go by panels.
pub(super) fn panels(nest: Nest<'_>, places: &Places) -> bool {
    let body = &nest.op.body;
    let [p] = nest.pat else { return false };
    let full = places.of(p.var).is_some_and(|to| to.rank() == nest.op.space.dims.len());
    full && returns(body) && body.stms.iter().all(is_straight)
}

/// Whether strips can begin where the first result of a map is aligned: points make elements of it, neighbours
/// along the innermost dimension.
pub(super) fn aligns(nest: Nest<'_>, places: &Places) -> bool {
    let SegOp { space, kind, body, .. } = nest.op;
    let first = nest.pat.first().and_then(|p| places.of(p.var));
    let neighbours = |to: &Place| to.rank() == space.dims.len() && to.last_stride() == Some(1);
    *kind == SegKind::Map && returns(body) && first.is_some_and(neighbours)
}

/// Whether lanes may take no part in a strip of a map: each result is a scalar, which a mask keeps from being stored. An array's
/// elements would be read where no row is.
pub(super) fn may_be_partial(nest: Nest<'_>) -> bool {
    let rank = nest.op.space.dims.len();
    nest.op.kind == SegKind::Map && nest.pat.iter().all(|p| p.ty.rank() == rank)
}

/// The lanes of a map, if it should go by lanes where it can: its results are neighbours in memory, or written where the body says,
/// in blocks that it does not read, unless it looks up bytes in place.
pub(super) fn lanes_of_map(
    nest: Nest<'_>,
    places: &Places,
    machine: &Machine,
) -> Result<Lanes, Obstacle> {
    let lanes = lanes_of_results(nest, places, machine)?;
    let in_place = || lanes.looks_up() && is_pointwise_in_place(nest, places);
    if is_apart(nest, places, &lanes) || in_place() {
        Ok(lanes)
    } else {
        Err(Why::ReadsWritten.into())
    }
}

/// The same, whatever is read.
fn lanes_of_results(nest: Nest<'_>, places: &Places, machine: &Machine) -> Result<Lanes, Obstacle> {
    let SegOp { space, body, .. } = nest.op;
    let (index, _) = space.dims.last().ok_or(Why::Kind)?;
    let place_of = |v: Var| places.of(v).map(|place| place.mem.clone());
    let lanes = lanes(*index, body, machine.instructions(), &place_of)?;
    let fits = |(p, result): (&PatElem, &KernelResult)| {
        matches!(result, KernelResult::Write { .. })
            || places
                .of(p.var)
                .is_some_and(|to| to.rank() > space.dims.len() || to.last_stride() == Some(1))
    };
    if !nest.pat.iter().zip(&body.results).all(fits) {
        return Err(Why::ResultsApart.into());
    }
    Ok(lanes)
}

/// Whether a map reads no blocks that it writes.
fn is_apart(nest: Nest<'_>, places: &Places, lanes: &Lanes) -> bool {
    let written = blocks(nest);
    let is_written = |block: &Var| written.contains(block) || lanes.writes_block(*block);
    let reads = |v: &Var| places.of(*v).is_some_and(|from| is_written(&from.mem.block));
    !free_in(|f| f.stms(&nest.op.body.stms)).iter().any(reads)
}

/// The lanes of a reduction, if each lane can accumulate its points. What points make must be their own, neighbours in a
/// result, or written to where the body says, in blocks that it does not read.
pub(super) fn lanes_of_reduction(
    nest: Nest<'_>,
    ops: &[Reduction],
    places: &Places,
    machine: &Machine,
) -> Result<Lanes, Obstacle> {
    let SegOp { space, body, .. } = nest.op;
    let (index, _) = space.dims.last().ok_or(Why::Kind)?;
    let folded = results_of(ops);
    let (_, others) = body.results.split_at_checked(folded).ok_or(Why::Operator)?;
    let stored = nest.pat.get(folded..).unwrap_or_default();
    let mut written = VarSet::default();
    let mut collects = false;
    for (p, result) in stored.iter().zip(others) {
        let to = match result {
            KernelResult::Write { dest, .. } => places.of(*dest).ok_or(Why::Unknown)?,
            KernelResult::Return(_) => {
                collects = true;
                let to = places.of(p.var).ok_or(Why::Unknown)?;
                if to.rank() != space.dims.len() || to.last_stride() != Some(1) {
                    return Err(Why::ResultsApart.into());
                }
                to
            }
        };
        written.insert(to.mem.block);
    }
    if !ops.iter().all(accumulates_by_lanes) {
        return Err(Why::Operator.into());
    }
    let place_of = |v: Var| places.of(v).map(|place| place.mem.clone());
    let lanes_if = |gathers| lanes(*index, body, Instructions::gathering(gathers), &place_of);
    // Where nothing is stored, LLVM makes as good code of elements anywhere, but for those behind branches.
    let lanes = match lanes_if(machine.gathers)? {
        l if machine.gathers && others.is_empty() && !(l.straight && l.estimate.masked_gathers) => {
            lanes_if(false)?
        }
        l => l,
    };
    let lanes = if collects { lanes.collecting() } else { lanes };
    let is_written = |block: Var| written.contains(&block) || lanes.writes_block(block);
    let reads = |v: &Var| places.of(*v).is_some_and(|p| is_written(p.mem.block));
    let apart = !free_in(|f| f.stms(&body.stms)).iter().any(reads);
    if apart && lanes.writes_private_only() { Ok(lanes) } else { Err(Why::ReadsWritten.into()) }
}

/// The results of a map that can go past the caches.
pub(super) fn streams<'p>(nest: Nest<'_>, places: &'p Places) -> Option<Vec<&'p Place>> {
    let SegOp { space, kind, body, .. } = nest.op;
    if *kind != SegKind::Map || !returns(body) || !body.stms.iter().all(is_straight) {
        return None;
    }
    let result = |p: &PatElem| {
        let to = places.of(p.var)?;
        (to.rank() == space.dims.len() && places.is_aligned(to)).then_some(to)
    };
    let results: Vec<_> = nest.pat.iter().map(result).collect::<Option<_>>()?;
    (!results.is_empty()).then_some(results)
}

/// Whether each lane may accumulate its points by an operator.
fn accumulates_by_lanes(r: &Reduction) -> bool {
    let scalars = || r.op.ret.iter().all(|t| matches!(t, Type::Prim(_)));
    lanewise_accumulation(r).is_some()
        || (r.commutative && scalars() && lanewise_size(&r.op).is_some())
}

/// Whether lanes are a whole row, of any length, of arithmetic: vector functions are for lanes that are a power of two.
pub(super) fn is_row(op: &SegOp, lanes: &Lanes, width: i64) -> bool {
    let points = op.space.dims.last().and_then(|(_, n)| known(*n));
    points == Some(width) && lanes.straight && lanes.functions == 0
}

/// Whether elements may go to accumulators in any order.
pub fn commutes(r: &Reduction) -> bool {
    r.commutative || accumulation(r).is_some()
}

/// Whether a reduction of scalars has no loops inside and yields nothing else.
pub fn folds(op: &SegOp) -> bool {
    let SegKind::Red(ops) = &op.kind else { return false };
    let results: usize = ops.iter().map(|r| r.neutral.len()).sum();
    let KernelBody { stms, results: own, .. } = &op.body;
    let scalars = ops.iter().flat_map(|r| &r.op.ret).all(|t| matches!(t, Type::Prim(_)));
    own.len() == results && scalars && returns(&op.body) && stms.iter().all(is_straight)
}

/// What a scan by vectors makes, if vectors can do it: element types, and places of what is stored.
pub(super) fn vectors<'p>(
    nest: Nest<'_>,
    places: &'p Places,
) -> Option<Vec<(Prim, Option<&'p Place>)>> {
    let SegOp { kind: SegKind::Scan(ops), body, .. } = nest.op else { return None };
    let [op] = ops.as_slice() else { return None };
    if !returns(body) || !body.stms.iter().all(is_straight) {
        return None;
    }
    let known = accumulation(op).is_some() || lanewise_size(&op.op).is_some();
    let result = |p: &PatElem| {
        let elem = p.ty.elem()?;
        if p.mem.is_none() {
            return Some((elem, None));
        }
        let to = places.of(p.var).filter(|to| to.last_stride() == Some(1))?;
        Some((elem, Some(to)))
    };
    known.then(|| nest.pat.iter().take(op.neutral.len()).map(result).collect())?
}
