//! Schedules that a source asks for.
//!
//! ```text
//! let z = #[schedule(lanes)] segmap seq (i < n) : (f32) { … }
//!   ⟶
//! let z = #[schedule(lanes)] schedule { lanes 16; loops } segmap seq (i < n) : (f32) { … }
//! ```
//!
//! What pays is not asked, only what is legal. Limits from which on a strategy would be taken are as low as may be;
//! what sizes at run time are too small for goes by loops, as ever.

use super::decision::Refusal;
use super::legal;
use super::map::{CHUNK, TILE};
use super::nest::{Nest, known};
use super::reduce::{ACCUMULATORS, COLUMNS};
use super::scheduler::{Context, Scheduler};
use crate::analysis::contraction::contraction;
use crate::analysis::lanes::Why;
use crate::ir::{Forced, Schedule, SegKind, Strategy, Tile};

impl Scheduler<'_> {
    /// The schedule that is asked for; nothing if the operation has it already, as strips do.
    pub(super) fn forced(
        &self,
        nest: Nest<'_>,
        context: Context,
        how: Forced,
    ) -> Result<Option<Schedule>, Refusal> {
        let op = nest.op;
        let no = |why| Err(Refusal::Illegal(why));
        if context.kernel {
            return no("threads of a kernel go by loops");
        }
        let kind = |yes: bool, why| if yes { Ok(()) } else { Err(Refusal::Illegal(why)) };
        let folds = || kind(legal::folds(op), "it is no reduction of scalars without loops inside");
        let first = match how {
            Forced::Loops => None,
            Forced::Strips if context.strip => return Ok(None),
            Forced::Strips => {
                return no(
                    "strips are for maps over one dimension whose points have arrays of their own, \
                           work in sequence and go by lanes when these lie element beside element",
                );
            }
            Forced::Lanes => Some(self.forced_lanes(nest)?),
            Forced::Tiles => {
                let dims = self.crossed(nest);
                let dims = dims.ok_or(Refusal::Illegal("it reads nothing across"))?;
                let strategies = vec![Strategy::Tiles { dims, size: TILE }];
                return self.checked(nest, strategies).map(Some);
            }
            Forced::Stream => Some(Strategy::Stream {
                chunk: CHUNK,
                unroll: 1,
                pages: None,
                from: 0,
                tasks: false,
            }),
            Forced::Contract => {
                let ops = op.kind.reductions();
                let product = contraction(&op.space, ops, &op.body);
                let product = product.ok_or(Refusal::Illegal("it is no product of matrices"))?;
                Some(Strategy::Contract(Tile { least: 0, ..self.tile(product.elem) }))
            }
            Forced::Columns => {
                folds()?;
                let rank = op.space.dims.len();
                let dim = self.places.columns(&op.space, &op.body.stms);
                let dim = dim.or(rank.checked_sub(2));
                let dim = dim.ok_or(Refusal::Illegal("it has no columns"))?;
                let strategies = vec![Strategy::Columns { dim, block: COLUMNS }];
                return self.checked(nest, strategies).map(Some);
            }
            Forced::Accumulators => {
                let (count, least) = (ACCUMULATORS, ACCUMULATORS);
                Some(Strategy::Accumulators { count, least, pages: None })
            }
            Forced::Tree => {
                folds()?;
                Some(Strategy::Tree { block: legal::TREE })
            }
            Forced::Vectors => {
                let lanes = self.lanes_of_scan(nest);
                let lanes = lanes.ok_or(Refusal::Illegal("it is no scan that vectors can do"))?;
                let chunk = super::scan::CHUNK;
                let strategies =
                    vec![Strategy::Vectors { lanes, chunk, rows: 0, past_caches: None }];
                return self.checked(nest, strategies).map(Some);
            }
        };
        let loops = Strategy::Loops { unroll: self.unroll(nest, context) };
        self.checked(nest, first.into_iter().chain([loops]).collect()).map(Some)
    }

    /// Points at a time, as many as lanes have by themselves, unless it is known that there are fewer.
    fn forced_lanes(&self, nest: Nest<'_>) -> Result<Strategy, Refusal> {
        let lanes = match &nest.op.kind {
            SegKind::Map => legal::lanes_of_map(nest, self.places, self.machine),
            SegKind::Red(ops) => legal::lanes_of_reduction(nest, ops, self.places, self.machine),
            SegKind::Scan(_) | SegKind::Hist(_) => Err(Why::Kind.into()),
        };
        let lanes = lanes.map_err(Refusal::Lanes)?;
        let mut width = self.strip_width(&lanes, &nest.op.body);
        if let Some(points) = nest.op.space.dims.last().and_then(|(_, n)| known(*n)) {
            while width > points.max(1) {
                width /= 2;
            }
        }
        let by_lanes = if width >= 2 { self.by_lanes(nest, &lanes, width, None) } else { None };
        by_lanes.ok_or(Refusal::Illegal("there is only one point"))
    }

    /// Strategies, if they are legal.
    fn checked(&self, nest: Nest<'_>, strategies: Vec<Strategy>) -> Result<Schedule, Refusal> {
        for s in &strategies {
            legal::legal(nest.pat, nest.op, *s, self.places, self.machine)
                .map_err(Refusal::Illegal)?;
        }
        let lanes = strategies.iter().any(|s| matches!(s, Strategy::Lanes { .. }));
        let independent = !lanes && legal::is_pointwise_in_place(nest, self.places);
        Ok(Schedule { independent, ..Schedule::new(strategies) })
    }
}
