//! What is said, and where: the consumption, the use, and how the one's memory came to the other.

use super::state::{Consumption, FrameKind, Kept, Part, Use, Walker};
use super::value::{Alias, Origin};
use crate::diag::{Code, Diagnostic};
use futc_typed::program::{Exp, Param, VarId};
use futc_typed::span::Span;

impl Walker<'_> {
    /// A parameter with `*` that the function does not consume.
    pub(super) fn never_consumed(&mut self, p: &Param) {
        let what = match p.name {
            Some(name) => format!("the parameter {}", name.name),
            None => "this parameter".to_owned(),
        };
        self.diagnostics.push(
            Diagnostic::warning(
                Code::UnusedUniqueness,
                p.pat.span,
                format!("{what} is marked with *, but the function never consumes it"),
            )
            .hint("leave out the *, so that callers may go on using what they pass"),
        );
    }

    /// Once for a place: an argument of an argument is looked at with both calls.
    fn say(&mut self, d: Diagnostic) {
        let place = |d: &Diagnostic| (d.code, d.labels.first().map(|(span, _)| *span));
        if self.diagnostics.iter().all(|said| place(said) != place(&d)) {
            self.diagnostics.push(d);
        }
    }

    /// What to call the memory of an alias.
    fn name(&self, alias: Alias) -> Option<String> {
        let memory = self.memory_of(alias.origin);
        match (alias.via, memory) {
            (Some(v), _) => Some(v.name.to_string()),
            (None, Some(m)) if m.part == Part::Shared => None,
            (None, Some(m)) => m.name.clone(),
            (None, None) => None,
        }
    }

    fn quoted(&self, alias: Alias) -> String {
        match self.name(alias) {
            Some(name) => format!("`{name}`"),
            None => "this value".to_owned(),
        }
    }

    /// The memory itself, if what is named at hand is something else.
    fn origin_name(&self, alias: Alias) -> Option<String> {
        let memory = self.memory_of(alias.origin)?;
        let name = memory.name.clone()?;
        if memory.part == Part::Shared {
            return Some(format!("the result of `{name}`"));
        }
        Some(format!("`{name}`"))
    }

    /// Shows how a variable came to have an origin, from binding to binding.
    fn trace(&self, mut d: Diagnostic, from: Option<VarId>, origin: Origin) -> Diagnostic {
        let mut at = from;
        for _ in 0..4 {
            let Some(v) = at else { break };
            let Some(bound) = self.vars.get(&v) else { break };
            let Some(alias) = bound.value.all().find(origin) else { break };
            let named = self.origin_name(Alias { origin, via: None });
            let of = match alias.via {
                Some(w) => Some(format!("`{}`", w.name)),
                None => named.filter(|n| {
                    let own = format!("`{}", v.name);
                    *n != format!("{own}`") && !n.starts_with(&format!("{own}."))
                }),
            };
            if let (Some(rhs), Some(of)) = (bound.rhs, of)
                && !d.labels.iter().any(|(s, text)| *s == rhs && !text.is_empty())
            {
                let name = v.name;
                let text = if of == format!("`{name}`") {
                    format!("the new {of} aliases the old one because of this")
                } else {
                    format!("`{name}` aliases {of} because of this")
                };
                d = d.label(rhs, text);
            }
            if alias.via == at {
                break;
            }
            at = alias.via;
        }
        d
    }

    fn copy_hint(&self, d: Diagnostic, alias: Alias) -> Diagnostic {
        match self.name(alias) {
            Some(name) => d.hint(format!("consume a copy instead: `copy {name}`")),
            None => d.hint("consume a copy instead, made with `copy`"),
        }
    }

    pub(super) fn use_after_consume(&mut self, alias: Alias, consumption: Consumption, how: Use) {
        if !self.said.insert(consumption.span) {
            return;
        }
        let by = Alias { origin: alias.origin, via: consumption.via };
        let (used, gone) = (self.quoted(alias), self.quoted(by));
        let same = alias.via == consumption.via;
        let through = if same || used == gone {
            "it was consumed".to_owned()
        } else {
            format!("it may share memory with {gone}, which was consumed")
        };
        let code = Code::UseAfterConsume;
        let d = match how {
            Use::Whole(span) => {
                Diagnostic::error(code, span, format!("{used} is used here, but {through}"))
                    .at("used here, after it was consumed")
                    .label(consumption.span, format!("{gone} is consumed here"))
            }
            Use::Held(span) => Diagnostic::error(
                code,
                span,
                format!("{used} is still needed when {gone} is consumed"),
            )
            .at("needed until the whole is evaluated")
            .label(consumption.span, format!("{gone} is consumed here, before that")),
            Use::InLoop(span) => Diagnostic::error(
                code,
                span,
                format!(
                    "{used} is used here, in a loop, but {through}: it is the loop's initial value"
                ),
            )
            .at("used in every round")
            .label(consumption.span, format!("the loop consumes {gone} at the start")),
        };
        let d = self.trace(d, alias.via, alias.origin);
        let d = self.trace(d, consumption.via, alias.origin);
        let d = self.shared_label(d, alias.origin);
        let d = self.copy_hint(d, by);
        self.say(d);
    }

    fn shared_label(&self, d: Diagnostic, origin: Origin) -> Diagnostic {
        match self.memory_of(origin) {
            Some(m) if m.part == Part::Shared && m.kept == Kept::No => d.label(
                m.span,
                "the components of this result may share memory, as its type does not say that \
                 they are unique",
            ),
            _ => d,
        }
    }

    pub(super) fn not_consumable(&mut self, alias: Alias, span: Span) {
        if !self.said.insert(span) {
            return;
        }
        let name = self.quoted(alias);
        let Some(memory) = self.memory_of(alias.origin).cloned() else { return };
        let of = self.origin_name(Alias { via: None, ..alias }).filter(|n| *n != name);
        let message = match &of {
            Some(of) => format!(
                "{name} is consumed here, but it may share memory with {of}, which is not \
                 consumable"
            ),
            None => format!("{name} is consumed here, but it is not consumable"),
        };
        let d = Diagnostic::error(Code::NotConsumable, span, message).at("consumed here");
        let whose = of.unwrap_or(name);
        let d = self.why_kept(d, alias.origin, &whose);
        let mut d = self.trace(d, alias.via, alias.origin);
        if memory.kept == Kept::Param {
            d = d.hint(
                "if the function may use up its argument, mark the parameter's type with `*`",
            );
        }
        if memory.kept == Kept::LoopParam {
            d = d.hint("mark the type of the loop's parameter with `*`");
        }
        let d = self.copy_hint(d, alias);
        self.say(d);
    }

    /// Says why memory may not be consumed here.
    fn why_kept(&self, d: Diagnostic, origin: Origin, name: &str) -> Diagnostic {
        let Some(memory) = self.memory_of(origin) else { return d };
        match memory.kept {
            Kept::Param => d.label(
                memory.span,
                format!("{name} is a parameter without `*`: the caller may go on using it"),
            ),
            Kept::LoopParam => d.label(
                memory.span,
                format!("the type of the loop parameter {name} is written without `*`"),
            ),
            Kept::Given => {
                d.label(memory.span, format!("{name} may be a constant, shared by all who use it"))
            }
            Kept::Global | Kept::AbstractGlobal => {
                d.label(memory.span, format!("{name} is a constant, shared by all who use it"))
            }
            Kept::No => {
                // The outermost of what is repeated around.
                let Some(frame) = self.frames.get(memory.depth) else { return d };
                let text = match frame.kind {
                    FrameKind::Definition | FrameKind::Function => {
                        format!(
                            "{name} is bound outside of this function, which may be applied any \
                             number of times"
                        )
                    }
                    FrameKind::Loop => format!(
                        "{name} is bound outside of this loop, which may go round any number of \
                         times"
                    ),
                    FrameKind::Size => format!("{name} is used by this size, which cannot consume"),
                };
                d.label(frame.span, text)
            }
        }
    }

    pub(super) fn update_with_alias(&mut self, alias: Alias, array: &Exp, value: &Exp) {
        let name = self.quoted(alias);
        let d = Diagnostic::error(
            Code::UpdateAliasesSource,
            value.span,
            format!(
                "the value written may share memory with the array that it is written to, {name}"
            ),
        )
        .at("may be part of the array")
        .label(array.span, "this array is updated in place");
        let d = self.trace(d, alias.via, alias.origin);
        let text = self.source(value.span).filter(|t| t.len() < 40 && !t.contains('\n'));
        let d = match text {
            Some(text)
                if text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_'.[]".contains(&b)) =>
            {
                d.hint(format!("write a copy: `copy {text}`"))
            }
            Some(text) => d.hint(format!("write a copy: `copy ({text})`")),
            None => d.hint("write a copy of the value, made with `copy`"),
        };
        self.say(d);
    }

    pub(super) fn self_aliasing(&mut self, alias: Alias, span: Span) {
        let name = self.quoted(alias);
        let d = Diagnostic::error(
            Code::SelfAliasingArg,
            span,
            format!(
                "this is consumed, but two of its components may share memory: both hold {name}"
            ),
        )
        .at("consumed, and not free of aliases within");
        let d = self.trace(d, alias.via, alias.origin);
        let d = self.shared_label(d, alias.origin);
        let d = match self.name(alias) {
            Some(name) => d.hint(format!("let one of them be a copy: `copy {name}`")),
            None => d.hint("let one of them be a copy, made with `copy`"),
        };
        self.say(d);
    }

    pub(super) fn aliased_argument(&mut self, alias: Alias, span: Span, other: Span) {
        if !self.said.insert(span) {
            return;
        }
        let name = self.quoted(alias);
        let d = Diagnostic::error(
            Code::UseAfterConsume,
            span,
            format!("{name} is consumed by this call, which also has it by another way"),
        )
        .at("consumed by the call")
        .label(other, "this may share memory with it");
        let d = self.trace(d, alias.via, alias.origin);
        let d = self.copy_hint(d, alias);
        self.say(d);
    }

    /// An expression that yields a function consumes something; `argument` if it is an argument.
    pub(super) fn contains_consumption(&mut self, span: Span, at: Span, argument: bool) {
        let mut d = if argument {
            Diagnostic::error(
                Code::ConsumingArgument,
                span,
                "this argument is or holds a function, so the expression must not consume anything",
            )
        } else {
            Diagnostic::error(
                Code::ContainsConsumption,
                span,
                "the value of this expression is or holds a function, so the expression must not \
                 consume anything",
            )
        }
        .at("this yields a function");
        if at != span {
            d = d.label(at, "consumed here");
        }
        let d = d.hint(
            "the function may be applied more than once: let it work on a copy, or give it all its \
             arguments at once",
        );
        self.say(d);
    }

    pub(super) fn return_aliased(&mut self, alias: Alias, span: Span) {
        let name =
            self.origin_name(Alias { via: None, ..alias }).unwrap_or_else(|| self.quoted(alias));
        let d = Diagnostic::error(
            Code::ReturnAliased,
            span,
            format!(
                "the result is declared unique, but may share memory with {name}, which is not \
                 consumable"
            ),
        )
        .at("the result");
        let d = self.why_kept(d, alias.origin, &name);
        let d = self.trace(d, alias.via, alias.origin);
        let d = match self.name(alias) {
            Some(name) => d.hint(format!("return a copy: `copy {name}`")),
            None => d.hint("return a copy, made with `copy`"),
        };
        self.say(d);
    }

    pub(super) fn unique_return_aliased(&mut self, alias: Alias, span: Span) {
        let name = self.quoted(alias);
        let d = Diagnostic::error(
            Code::UniqueReturnAliased,
            span,
            format!("two components of the result may share memory, {name}, and one is unique"),
        )
        .at("the result");
        let d = self.trace(d, alias.via, alias.origin);
        let d = self.shared_label(d, alias.origin);
        let d = match self.name(alias) {
            Some(name) => d.hint(format!("let one of them be a copy: `copy {name}`")),
            None => d.hint("let one of them be a copy, made with `copy`"),
        };
        self.say(d);
    }

    pub(super) fn result_aliases_constant(&mut self, alias: Alias, span: Span) {
        let name =
            self.origin_name(Alias { via: None, ..alias }).unwrap_or_else(|| self.quoted(alias));
        let mut d = Diagnostic::error(
            Code::AliasFreeVariable,
            span,
            format!("the function's result may share memory with the top-level constant {name}"),
        )
        .at("the result");
        if let Some(memory) = self.memory_of(alias.origin)
            && memory.span != span
        {
            d = d.label(memory.span, "the constant is used here");
        }
        let d = self.trace(d, alias.via, alias.origin);
        let d = d.hint(format!("return a copy: `copy {}`", name.trim_matches('`')));
        self.say(d);
    }

    pub(super) fn unique_constant(&mut self, span: Span) {
        self.say(
            Diagnostic::error(
                Code::UniqueConstant,
                span,
                "a top-level constant is shared by all who use it, so its type cannot be unique",
            )
            .hint("leave out the `*`"),
        );
    }

    fn memory_name(&self, origin: Origin) -> String {
        self.origin_name(Alias { origin, via: None }).unwrap_or_else(|| "of this loop".to_owned())
    }

    /// The body yields something from outside, or a parameter that stays, for a consumed one.
    pub(super) fn loop_param_aliases(&mut self, param: Origin, alias: Alias, span: Span) {
        let (name, of) = (self.memory_name(param), self.quoted(alias));
        let d = Diagnostic::error(
            Code::ConsumingLoopParamAliases,
            span,
            format!(
                "the loop parameter {name} is consumed in every round, but its next value may \
                 share memory with {of}, which is not the loop's to consume"
            ),
        )
        .at("the next value");
        let d = self.loop_labels(d, param, alias);
        self.say(d);
    }

    /// Two components get the same memory, and the first of them is consumed.
    pub(super) fn loop_params_alias(&mut self, param: Origin, alias: Alias, span: Span) {
        let (name, of) = (self.memory_name(param), self.quoted(alias));
        let d = Diagnostic::error(
            Code::LoopParameterAliasesOther,
            span,
            format!(
                "the next value of the loop parameter {name} may share memory with that of another \
                 one, which is consumed: both hold {of}"
            ),
        )
        .at("the next values");
        let d = self.loop_labels(d, param, alias);
        self.say(d);
    }

    /// Two components get the same memory, and the second of them is consumed.
    pub(super) fn aliases_returned(&mut self, param: Origin, alias: Alias, span: Span) {
        let (name, of) = (self.memory_name(param), self.quoted(alias));
        let d = Diagnostic::error(
            Code::AliasesPreviouslyReturned,
            span,
            format!(
                "the loop parameter {name} is consumed in every round, but its next value may \
                 share memory with that of a parameter before it: both hold {of}"
            ),
        )
        .at("the next values");
        let d = self.loop_labels(d, param, alias);
        self.say(d);
    }

    fn loop_labels(&self, mut d: Diagnostic, param: Origin, alias: Alias) -> Diagnostic {
        match (self.consumed.get(&param), self.memory_of(param)) {
            (Some(c), _) => d = d.label(c.span, "consumed here"),
            (None, Some(m)) => d = d.label(m.span, "the parameter is consumed"),
            (None, None) => {}
        }
        d = self.trace(d, alias.via, alias.origin);
        match self.name(alias) {
            Some(name) => d.hint(format!("go on with a copy: `copy {name}`")),
            None => d.hint("go on with a copy, made with `copy`"),
        }
    }
}
