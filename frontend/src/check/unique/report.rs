//! What is said, and where: the consumption, the use, and how the one's memory came to the other.

use super::errors::{Aliased, Called, LoopParam, Step, UniqueError, WhyKept};
use super::memory::MemoryName;
use super::state::{Consumption, FrameKind, Kept, MemoryRole, Use, Walker};
use super::value::{Alias, Origin};
use crate::diag::Diagnostic;
use futc_typed::program::{Exp, Param, VarId};
use futc_typed::span::Span;

impl Walker<'_> {
    /// A parameter with `*` that the function does not consume.
    pub(super) fn never_consumed(&mut self, p: &Param) {
        let name = p.name.map(|v| v.name);
        self.diagnostics.push(UniqueError::NeverConsumed { name }.at(p.pat.span));
    }

    /// Once for a place: an argument of an argument is looked at with both calls.
    fn say(&mut self, d: Diagnostic) {
        let place = |d: &Diagnostic| (d.code, d.labels.first().map(|(span, _)| *span));
        if self.diagnostics.iter().all(|said| place(said) != place(&d)) {
            self.diagnostics.push(d);
        }
    }

    /// What to call the memory of an alias.
    fn name(&self, alias: Alias) -> Option<MemoryName> {
        match (alias.via, self.memory_of(alias.origin)) {
            (Some(v), _) => Some(MemoryName(vec![v.name])),
            (None, Some(m)) if m.part == MemoryRole::Shared => None,
            (None, Some(m)) => m.name.clone(),
            (None, None) => None,
        }
    }

    /// The memory itself, if it has a name.
    fn origin_called(&self, origin: Origin) -> Option<Called> {
        let memory = self.memory_of(origin)?;
        let name = memory.name.clone()?;
        Some(if memory.part == MemoryRole::Shared {
            Called::ResultOf(name)
        } else {
            Called::Named(name)
        })
    }

    /// The memory itself, or else what is named at hand.
    fn memory_called(&self, alias: Alias) -> Called {
        self.origin_called(alias.origin).unwrap_or_else(|| Called::of(self.name(alias)))
    }

    fn aliased(&self, alias: Alias) -> Aliased {
        let shared = self
            .memory_of(alias.origin)
            .filter(|m| m.part == MemoryRole::Shared && m.kept == Kept::No)
            .map(|m| m.span);
        Aliased { name: self.name(alias), trail: self.trail(alias.via, alias.origin), shared }
    }

    /// How a variable came to have an origin, from binding to binding.
    fn trail(&self, from: Option<VarId>, origin: Origin) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = from;
        for _ in 0..4 {
            let Some(v) = at else { break };
            let Some(bound) = self.vars.get(&v) else { break };
            let Some(alias) = bound.value.all().find(origin) else { break };
            let of = match alias.via {
                Some(w) => Some(Called::Named(MemoryName(vec![w.name]))),
                None => self
                    .origin_called(origin)
                    .filter(|of| !matches!(of, Called::Named(path) if path.is_of(v.name))),
            };
            if let (Some(rhs), Some(of)) = (bound.rhs, of) {
                steps.push(Step { name: v.name, of, bound: rhs });
            }
            if alias.via == at {
                break;
            }
            at = alias.via;
        }
        steps
    }

    pub(super) fn use_after_consume(&mut self, alias: Alias, consumption: Consumption, how: Use) {
        if !self.said.insert(consumption.span) {
            return;
        }
        let by = Alias { origin: alias.origin, via: consumption.via };
        let (Use::Whole(span) | Use::Held(span) | Use::InLoop(span)) = how;
        let error = UniqueError::UseAfterConsume {
            used: self.aliased(alias),
            gone: self.aliased(by),
            same: alias.via == consumption.via,
            how,
            consumed: consumption.span,
        };
        self.say(error.at(span));
    }

    pub(super) fn not_consumable(&mut self, alias: Alias, span: Span) {
        if !self.said.insert(span) || self.memory_of(alias.origin).is_none() {
            return;
        }
        let what = self.aliased(alias);
        let of = self.origin_called(alias.origin).filter(|of| *of != what.called());
        let why = self.why_kept(alias.origin);
        self.say(UniqueError::NotConsumable { what, of, why }.at(span));
    }

    /// Why memory may not be consumed here, and what says so.
    fn why_kept(&self, origin: Origin) -> Option<(WhyKept, Span)> {
        let memory = self.memory_of(origin)?;
        let why = match memory.kept {
            Kept::Param => WhyKept::Param,
            Kept::LoopParam => WhyKept::LoopParam,
            Kept::Given => WhyKept::MaybeConstant,
            Kept::Global | Kept::AbstractGlobal => WhyKept::Constant,
            Kept::No => {
                // The outermost of what is repeated around.
                let frame = self.frames.get(memory.depth)?;
                let why = match frame.kind {
                    FrameKind::Definition | FrameKind::Function => WhyKept::OutsideFunction,
                    FrameKind::Loop => WhyKept::OutsideLoop,
                    FrameKind::Size => WhyKept::InSize,
                };
                return Some((why, frame.span));
            }
        };
        Some((why, memory.span))
    }

    pub(super) fn update_with_alias(&mut self, alias: Alias, array: &Exp, value: &Exp) {
        let text = self.source(value.span).filter(|t| t.len() < 40 && !t.contains('\n'));
        let text = text.map(str::to_owned);
        let what = self.aliased(alias);
        let error = UniqueError::UpdateAliasesSource { what, array: array.span, text };
        self.say(error.at(value.span));
    }

    pub(super) fn self_aliasing(&mut self, alias: Alias, span: Span) {
        self.say(UniqueError::SelfAliasing { what: self.aliased(alias) }.at(span));
    }

    pub(super) fn aliased_argument(&mut self, alias: Alias, span: Span, other: Span) {
        if !self.said.insert(span) {
            return;
        }
        self.say(UniqueError::AliasedArgument { what: self.aliased(alias), other }.at(span));
    }

    /// An expression that yields a function consumes something; `argument` if it is an argument.
    pub(super) fn contains_consumption(&mut self, span: Span, consumed: Span, argument: bool) {
        self.say(UniqueError::ContainsConsumption { consumed, argument }.at(span));
    }

    pub(super) fn return_aliased(&mut self, alias: Alias, span: Span) {
        let (what, of) = (self.aliased(alias), self.memory_called(alias));
        let why = self.why_kept(alias.origin);
        self.say(UniqueError::ReturnAliased { what, of, why }.at(span));
    }

    pub(super) fn unique_return_aliased(&mut self, alias: Alias, span: Span) {
        self.say(UniqueError::UniqueReturnAliased { what: self.aliased(alias) }.at(span));
    }

    pub(super) fn result_aliases_constant(&mut self, alias: Alias, span: Span) {
        let (what, of) = (self.aliased(alias), self.memory_called(alias));
        let used = self.memory_of(alias.origin).map(|m| m.span);
        self.say(UniqueError::AliasesConstant { what, of, used }.at(span));
    }

    pub(super) fn unique_constant(&mut self, span: Span) {
        self.say(UniqueError::UniqueConstant.at(span));
    }

    /// The body yields something from outside, or a parameter that stays, for a consumed one.
    pub(super) fn loop_param_aliases(&mut self, param: Origin, alias: Alias, span: Span) {
        self.say(UniqueError::LoopParamAliases(self.loop_param(param, alias)).at(span));
    }

    /// Two components get the same memory, and the first of them is consumed.
    pub(super) fn loop_params_alias(&mut self, param: Origin, alias: Alias, span: Span) {
        self.say(UniqueError::LoopParamsAlias(self.loop_param(param, alias)).at(span));
    }

    /// Two components get the same memory, and the second of them is consumed.
    pub(super) fn aliases_returned(&mut self, param: Origin, alias: Alias, span: Span) {
        self.say(UniqueError::AliasesReturned(self.loop_param(param, alias)).at(span));
    }

    fn loop_param(&self, param: Origin, alias: Alias) -> LoopParam {
        LoopParam {
            param: self.origin_called(param),
            consumed: self.consumed.get(&param).map(|c| c.span),
            declared: self.memory_of(param).map(|m| m.span),
            next: self.aliased(alias),
        }
    }
}
