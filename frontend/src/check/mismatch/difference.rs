//! Where two types differ, in words, for messages about types that are large or alike.

use crate::check::infer::checker::Checker;
use crate::check::infer::unknown::Constraint;
use futc_typed::name::Name;
use futc_typed::types::{Type, TypeArg};

impl Checker<'_> {
    /// What tells two types apart, if that is a part of them.
    pub(crate) fn difference(&self, expected: &Type, actual: &Type) -> Option<String> {
        let mut path = String::new();
        self.differ(expected, actual, &mut path)
    }

    fn differ(&self, a: &Type, b: &Type, path: &mut String) -> Option<String> {
        let at = if path.is_empty() { String::new() } else { format!(" in {}", place(path)) };
        if let (Some((xs, x_open)), Some((ys, y_open))) = (self.fields(a), self.fields(b)) {
            let left = unshared(&xs, &ys, y_open);
            let right = unshared(&ys, &xs, x_open);
            if !left.is_empty() || !right.is_empty() {
                return Some(one_sided("field", &left, &right, &at));
            }
            return xs.iter().find_map(|(n, t)| {
                let (_, u) = ys.iter().find(|(m, _)| m == n)?;
                self.deeper(t, u, path, &format!(".{n}"))
            });
        }
        if let (Some((xs, x_open)), Some((ys, y_open))) = (self.constrs(a), self.constrs(b)) {
            let left = unshared(&xs, &ys, y_open);
            let right = unshared(&ys, &xs, x_open);
            if !left.is_empty() || !right.is_empty() {
                let mark = |names: Vec<String>| -> Vec<String> {
                    names.iter().map(|n| format!("#{n}")).collect()
                };
                return Some(one_sided("constructor", &mark(left), &mark(right), &at));
            }
            return xs.iter().find_map(|(n, ts)| {
                let (_, us) = ys.iter().find(|(m, _)| m == n)?;
                if ts.len() != us.len() {
                    return Some(format!(
                        "the constructor #{n}{at} has {} components in the one, and {} in the other",
                        ts.len(),
                        us.len()
                    ));
                }
                ts.iter().zip(us).find_map(|(t, u)| self.deeper(t, u, path, &format!("#{n}")))
            });
        }
        match (self.metas.head(a), self.metas.head(b)) {
            (Type::Array { elem: x, .. }, Type::Array { elem: y, .. }) => {
                self.deeper(&x, &y, path, "[]")
            }
            (Type::Opaque(i, xs), Type::Opaque(j, ys)) if i == j => {
                xs.iter().zip(ys.iter()).find_map(|(x, y)| match (x, y) {
                    (TypeArg::Type(t), TypeArg::Type(u)) => self.deeper(t, u, path, "an argument"),
                    _ => None,
                })
            }
            (Type::Arrow(x), Type::Arrow(y)) => self
                .deeper(&x.param, &y.param, path, "(parameter)")
                .or_else(|| self.deeper(&x.ret, &y.ret, path, "(result)")),
            (x, y) if !path.is_empty() && self.apart(&x, &y) => {
                let (x, y) = self.show_both(&x, &y);
                Some(format!("they differ at {}: {x} and {y}", place(path)))
            }
            _ => None,
        }
    }

    fn deeper(&self, a: &Type, b: &Type, path: &mut String, step: &str) -> Option<String> {
        let length = path.len();
        path.push_str(step);
        let found = self.differ(a, b, path);
        path.truncate(length);
        found
    }

    /// Whether two types that are not both records, sums or arrays cannot be made equal.
    fn apart(&self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Prim(p), Type::Prim(q)) => p != q,
            (Type::Param(v), Type::Param(w)) => {
                v != w && self.metas.as_meta(a).is_none() && self.metas.as_meta(b).is_none()
            }
            (Type::Param(_), other) | (other, Type::Param(_)) => {
                let meta = if matches!(a, Type::Param(_)) { a } else { b };
                match (self.metas.as_meta(meta).map(|v| self.metas.constraint(v)), other) {
                    (Some(Constraint::Any), _) => false,
                    (Some(Constraint::Prims(set)), Type::Prim(p)) => !set.has(*p),
                    _ => true,
                }
            }
            (Type::Arrow(_), Type::Arrow(_)) => false,
            (Type::Opaque(i, _), Type::Opaque(j, _)) => i != j,
            _ => true,
        }
    }

    /// The fields of a record, and whether it may have others.
    fn fields(&self, ty: &Type) -> Option<(Vec<(Name, Type)>, bool)> {
        match self.metas.head(ty) {
            Type::Record(fields) => Some((fields.to_vec(), false)),
            Type::Param(v) => match self.metas.as_meta(&Type::Param(v)) {
                Some(v) => match self.metas.constraint(v) {
                    Constraint::Record(fields) => Some((fields, true)),
                    Constraint::Any | Constraint::Prims(_) | Constraint::Sum(_) => None,
                },
                None => None,
            },
            _ => None,
        }
    }

    /// The constructors of a sum type, and whether it may have others.
    #[allow(clippy::type_complexity, reason = "as in types")]
    fn constrs(&self, ty: &Type) -> Option<(Vec<(Name, Vec<Type>)>, bool)> {
        match self.metas.head(ty) {
            Type::Sum(constrs) => Some((constrs.to_vec(), false)),
            Type::Param(v) => match self.metas.as_meta(&Type::Param(v)) {
                Some(v) => match self.metas.constraint(v) {
                    Constraint::Sum(constrs) => Some((constrs, true)),
                    Constraint::Any | Constraint::Prims(_) | Constraint::Record(_) => None,
                },
                None => None,
            },
            _ => None,
        }
    }
}

/// A path in words: `.a(result)[]` is `the elements of the result of .a`.
fn place(path: &str) -> String {
    let split =
        path.replace("(parameter)", "\nthe parameter\n").replace("(result)", "\nthe result\n");
    let steps = split.split('\n').filter(|step| !step.is_empty());
    let steps =
        steps.map(|step| if step.replace("[]", "").is_empty() { "the elements" } else { step });
    steps.rev().collect::<Vec<_>>().join(" of ")
}

/// The names in `xs` that are not in `ys`, unless these may be more.
fn unshared<T>(xs: &[(Name, T)], ys: &[(Name, T)], ys_open: bool) -> Vec<String> {
    if ys_open {
        return Vec::new();
    }
    let missing = xs.iter().filter(|(n, _)| !ys.iter().any(|(m, _)| m == n));
    missing.map(|(n, _)| n.to_string()).collect()
}

fn one_sided(what: &str, left: &[String], right: &[String], at: &str) -> String {
    let list = |names: &[String]| {
        format!("the {what}{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))
    };
    let be = |names: &[String]| if names.len() == 1 { "is" } else { "are" };
    match (left.is_empty(), right.is_empty()) {
        (false, false) => format!(
            "unshared {what}s{at}: {} {} only expected, {} {} only found",
            list(left),
            be(left),
            list(right),
            be(right)
        ),
        (false, true) => format!("{}{at} {} expected and missing", list(left), be(left)),
        _ => format!("{}{at} {} not expected", list(right), be(right)),
    }
}
