//! What is said of sizes that differ, and of sizes that cannot be told: also where they come from.
//!
//! A size that no name stands for is remembered with the place where it came into being ([`SizeSource`]).

use crate::check::infer::checker::{Checker, SizeSource};
use crate::check::infer::unknown::{Binder, is_meta};
use crate::check::mismatch::errors::MismatchError;
use crate::check::types::subst::size_vars;
use crate::diag::Diagnostic;
use futc_typed::program::VarId;
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, TypeArg};

impl SizeSource {
    fn describe(self, size: &str) -> String {
        match self {
            SizeSource::Result => format!("the unknown size {size} is that of this result"),
            SizeSource::Argument => {
                format!("the unknown size {size} is the value of this, which is no size expression")
            }
            SizeSource::Slice => format!("the unknown size {size} is that of a slice of this"),
            SizeSource::Range => format!("the unknown size {size} is that of this range"),
            SizeSource::Branches => {
                format!("the unknown size {size} is that of the branch which is taken")
            }
            SizeSource::Loop => format!("the unknown size {size} is what this loop makes of it"),
            SizeSource::OutOfScope => {
                format!("the unknown size {size} depends on this, which goes out of scope")
            }
        }
    }
}

impl Checker<'_> {
    /// Says where the variables of a size come from.
    pub(crate) fn label_sources(&self, mut d: Diagnostic, size: &Size) -> Diagnostic {
        let mut vars = Vec::new();
        size_vars(&self.metas.zonk_size(size), &mut |v| {
            if !is_meta(v) && !vars.contains(&v) {
                vars.push(v);
            }
        });
        for v in vars {
            let (span, text) = match self.metas.binder(v) {
                Some(Binder::Name(span)) => (span, format!("the size {} is bound here", v.name)),
                Some(Binder::Arrow) => continue,
                None => match self.size_sources.get(&v) {
                    Some((span, source)) => (*span, source.describe(v.name.as_str())),
                    None => continue,
                },
            };
            if !d.labels.iter().any(|(s, t)| *s == span && *t == text) {
                d = d.label(span, text);
            }
        }
        d
    }

    /// What to say of two types that differ in sizes, which `plain` tells, and in the sizes `x` and
    /// `y` first. `coerced` is what the expression could be coerced to, if there is one.
    pub(crate) fn sizes_mismatch(
        &mut self,
        span: Span,
        plain: String,
        expected: &Type,
        actual: &Type,
        coerced: Option<&Type>,
        (x, y): (&Size, &Size),
    ) -> Diagnostic {
        let (x, y) = (self.metas.zonk_size(x), self.metas.zonk_size(y));
        let mut show = self.shower();
        show.type_text(&self.metas.zonk(expected));
        show.type_text(&self.metas.zonk(actual));
        let (m, n) = (show.size_text(&x), show.size_text(&y));
        let coerced = coerced.filter(|ty| self.coercible(ty)).map(|ty| self.show(ty));
        let d = MismatchError::Sizes { plain, sizes: (m, n), coerced }.at(span);
        let d = self.label_sources(d, &x);
        self.label_sources(d, &y)
    }

    /// Reports sizes that were to be the same, seen too late to show their types.
    pub(crate) fn sizes_differ_at(&mut self, span: Span, a: &Size, b: &Size) {
        self.blame = None;
        let (a, b) = (self.metas.zonk_size(a), self.metas.zonk_size(b));
        let mut show = self.shower();
        let (m, n) = (show.size_text(&a), show.size_text(&b));
        let d = MismatchError::SizesAlone { sizes: (m, n) }.at(span);
        let d = self.label_sources(d, &a);
        let d = self.label_sources(d, &b);
        self.report(d);
    }

    /// Whether a type can be written after `:>`.
    fn coercible(&self, ty: &Type) -> bool {
        let named = |s: &Size| {
            let mut named = true;
            size_vars(&self.metas.zonk_size(s), &mut |v| {
                named &= matches!(self.metas.binder(v), Some(Binder::Name(_)));
            });
            named
        };
        match self.metas.head(ty) {
            Type::Prim(_) => true,
            Type::Param(v) => !is_meta(v),
            Type::Arrow(_) => false,
            Type::Array { size, elem } => named(&size) && self.coercible(&elem),
            Type::Record(fields) => fields.iter().all(|(_, t)| self.coercible(t)),
            Type::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).all(|t| self.coercible(t)),
            Type::Opaque(_, args) => args.iter().all(|arg| match arg {
                TypeArg::Size(s) => named(s),
                TypeArg::Type(t) => self.coercible(t),
            }),
        }
    }

    /// What to say of a type, for which `plain` stands, with a size of a function's result where it
    /// must be the same at each application.
    pub(crate) fn anonymous_size(
        &self,
        span: Span,
        v: VarId,
        ty: &Type,
        plain: &str,
    ) -> Diagnostic {
        let (plain, ty) = (plain.to_owned(), self.show(ty));
        MismatchError::Anonymous { plain, size: v.name, ty }.at(span)
    }

    /// What to say of a type, for which `plain` stands, that mentions a name from inside of its
    /// scope.
    pub(crate) fn scope_violation(&self, span: Span, v: VarId, plain: &str) -> Diagnostic {
        let bound = match self.metas.binder(v) {
            Some(Binder::Name(at)) => Some(at),
            Some(Binder::Arrow) | None => None,
        };
        let param = self.rigid.contains_key(&v);
        MismatchError::Scope { plain: plain.to_owned(), name: v.name, param, bound }.at(span)
    }
}
