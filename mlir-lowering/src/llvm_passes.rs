//! LLVM's passes for host code, as text that `opt -passes=` accepts.
//!
//! Note [LLVM's passes by name]
//!
//! `default<O3>` is made for C++. What the mid-end hands on is inlined, in SSA form and without memory for variables,
//! so that a part of these passes has nothing to do, and of the eight runs of InstCombine the later ones find next to
//! nothing, at 4 to 6 % of LLVM's optimisation each. So `-O2` and `-O3` name what they want: the order is that of
//! `default<O3>` of LLVM 22, and left out are
//!
//! * InstCombine but for four runs: at the start, behind GVN, behind the vectorisers of loops, and at the end;
//! * what is for virtual calls, exceptions, coroutines, profiles and arguments in memory (`callsite-splitting`,
//!   `called-value-propagation`, `argpromotion`, `libcalls-shrinkwrap`, `chr`, ...);
//! * `loop-load-elim` and `adce`, which took 4.5 and 2 % of the time: of 28 benchmark programs, the first changed two, and the second
//!   none.
//!
//! `slp-vectorizer` runs by itself, while the processor is said to read no vectors from places that are not neighbours
//! ([`Group`]): it takes eight reads of one element for such a vector, in loops whose rounds are unrolled for their checks, and that
//! takes 1.5 of the time on processors of AMD's. Who goes by lanes asks for such vectors, and the vectoriser of loops
//! gains by them.
//!
//! Added is a run of `simple-loop-unswitch` near the end: `indvars` takes tests whose answer is the same in all rounds (whether
//! a row begins at 0 or later) out of their comparisons, but they stay in the loop. A function that is inlined into another one
//! goes through everything twice, so they left their loops there, but not in tasks, which are not inlined.
//!
//! By their names, `loop-unroll-full` and `inline` have the thresholds of `-O2`. The first is given that of `-O3`
//! (`LLVM_OPTIONS` in `llvm.rs`); of the second nothing was found that would want it.

use crate::OptLevel;
use std::borrow::Cow;

/// Blocks are merged and branches become selects, but loops keep their form.
const SIMPLIFY: &str = "simplifycfg<bonus-inst-threshold=1;switch-range-to-icmp;keep-loops;speculate-blocks;\
     simplify-cond-branch>";
/// Also what branches have in common leaves them.
const SINK_COMMON: &str = "simplifycfg<bonus-inst-threshold=1;switch-range-to-icmp;switch-to-arithmetic;keep-loops;\
     hoist-common-insts;sink-common-insts;speculate-blocks;simplify-cond-branch>";
/// Behind vectorisation loops need no form, and switches may become tables.
const LATE: &str = "simplifycfg<bonus-inst-threshold=1;forward-switch-cond;switch-range-to-icmp;switch-to-arithmetic;\
     switch-to-lookup;no-keep-loops;hoist-common-insts;sink-common-insts;speculate-blocks;simplify-cond-branch>";
/// The last one: loads and stores under conditions, and selects in place of branches that nobody foretells.
const LAST: &str = "simplifycfg<bonus-inst-threshold=1;switch-range-to-icmp;switch-to-arithmetic;keep-loops;\
     hoist-loads-stores-with-cond-faulting;speculate-blocks;simplify-cond-branch;speculate-unpredictables>";
const COMBINE: &str = "instcombine<max-iterations=1;no-verify-fixpoint>";

/// Passes that run one behind the other.
pub struct Group {
    /// Their names.
    pub passes: Cow<'static, str>,
    /// They may make vectors of what is read from places that are not neighbours.
    pub gathers: bool,
    /// They make vectors of loops.
    pub vectorises: bool,
}

impl Group {
    fn of(passes: impl Into<Cow<'static, str>>) -> Group {
        Group { passes: passes.into(), gathers: true, vectorises: false }
    }
}

/// The passes of a level. With `unroll`, several rounds of loops may stand one behind the other, or be interleaved.
pub fn pipeline(level: OptLevel, unroll: bool) -> Vec<Group> {
    match level {
        OptLevel::O0 => vec![Group::of("default<O0>")],
        OptLevel::O1 => vec![Group::of("default<O1>")],
        OptLevel::O2 | OptLevel::O3 => optimised(unroll),
    }
}

fn optimised(unroll: bool) -> Vec<Group> {
    let (unroll_full, vectorize, unroll) = if unroll {
        (",loop-unroll-full", "loop-vectorize", ",loop-unroll<O3>")
    } else {
        ("", "loop-vectorize<interleave-forced-only>", "")
    };
    let function = format!(
        "sroa<modify-cfg>,early-cse<memssa>,jump-threading,correlated-propagation,{SIMPLIFY},\
         aggressive-instcombine,tailcallelim,{SIMPLIFY},reassociate,constraint-elimination,\
         loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,licm<allowspeculation>,\
         simple-loop-unswitch<nontrivial;trivial>),{SIMPLIFY},\
         loop(loop-idiom,indvars,extra-simple-loop-unswitch-passes,loop-deletion{unroll_full}),\
         sroa<modify-cfg>,vector-combine,gvn,sccp,bdce,{COMBINE},jump-threading,correlated-propagation,\
         memcpyopt,dse,loop-mssa(licm<allowspeculation>,simple-loop-unswitch<nontrivial;trivial>),{SINK_COMMON}"
    );
    let scalar = format!(
        "forceattrs,inferattrs,function<eager-inv>(lower-expect,{SIMPLIFY},sroa<modify-cfg>,early-cse),ipsccp,globalopt,\
         function<eager-inv>(mem2reg,{COMBINE},{SIMPLIFY}),always-inline,require<globals-aa>,\
         function(invalidate<aa>),require<profile-summary>,\
         cgscc(devirt<4>(inline,function-attrs<skip-non-recursive-function-attrs>,\
         function<eager-inv;no-rerun>({function}),function-attrs,\
         function(require<should-not-run-function-passes>))),\
         deadargelim,globalopt,globaldce,rpo-function-attrs,recompute-globalsaa,\
         function<eager-inv>(drop-unnecessary-assumes,lower-constant-intrinsics,loop(loop-rotate,loop-deletion))"
    );
    let loops = format!(
        "require<globals-aa>,function<eager-inv>({vectorize},drop-unnecessary-assumes,infer-alignment,{COMBINE},{LATE})"
    );
    let slp = "require<globals-aa>,function<eager-inv>(slp-vectorizer)";
    let late = format!(
        "require<globals-aa>,function<eager-inv>(vector-combine{unroll},\
         sroa<preserve-cfg>,infer-alignment,{COMBINE},loop-mssa(licm<allowspeculation>),alignment-from-assumptions,\
         loop-sink,instsimplify,div-rem-pairs,tailcallelim,{LAST}),globaldce,constmerge"
    );
    vec![
        Group::of(scalar),
        Group { vectorises: true, ..Group::of(loops) },
        Group { gathers: false, ..Group::of(slp) },
        Group::of(late),
    ]
}
