//! Values to try a property on: random ones, those that the program's generators make, and smaller
//! ones.

use super::show;
use super::trouble::{Trouble, failed};
use crate::dataset::{Bounds, Rng, random};
use crate::server::Server;
use crate::value::{Value, element_bytes};
use futc_typed::prim::PrimType;
use std::collections::BTreeSet;

/// A value in a variable of the server; also here, if it was made here.
pub struct Candidate {
    var: String,
    datum: Option<Datum>,
}

/// A value as it is made: what can be put into the server, and shrunk.
#[derive(Clone, PartialEq, Debug)]
enum Datum {
    /// A scalar or an array of scalars.
    Value(Value),
    /// A record: the values of its fields.
    Record(Vec<Datum>),
    /// An array of records: the arrays of its fields.
    Columns(Vec<Datum>),
    /// A value of a sum type: constructor and payload.
    Sum(String, Vec<Datum>),
    /// An array of values of a sum type.
    Array(Vec<u64>, Vec<Datum>),
}

impl Candidate {
    /// A random value of a type, of which all arrays have `size` elements a dimension.
    pub fn random(
        server: &mut Server,
        ty: &str,
        size: i64,
        rng: &mut Rng,
    ) -> Result<Candidate, Trouble> {
        let datum = datum(server, ty, size, rng)?;
        let var = put(server, &datum, ty)?;
        Ok(Candidate { var, datum: Some(datum) })
    }

    /// The variable it is in.
    pub fn variable(&self) -> &str {
        &self.var
    }

    /// As text.
    pub fn show(&self, server: &mut Server, ty: &str) -> Result<String, Trouble> {
        show(server, &self.var, ty)
    }

    /// Frees the variable.
    pub fn forget(self, server: &mut Server) -> Result<(), Trouble> {
        Ok(server.free(&[self.var])?)
    }
}

/// Another variable with the same value.
pub fn copy(server: &mut Server, var: &str, ty: &str) -> Result<String, Trouble> {
    Ok(server.copy(var, ty)?)
}

/// Calls an entry point for a value of type `ty`; results that are the parts of a tuple are put
/// together.
fn call(
    server: &mut Server,
    entry: &str,
    arguments: &[String],
    ty: &str,
) -> Result<String, Trouble> {
    let mut outs = server.call(entry, arguments)?;
    if let [_] = outs.as_slice() {
        return Ok(outs.remove(0));
    }
    let whole = server.fresh();
    let mut words = vec!["new", &whole, ty];
    words.extend(outs.iter().map(String::as_str));
    server.command(&words)?;
    server.free(&outs)?;
    Ok(whole)
}

fn size_and_seed(server: &mut Server, size: i64, seed: u64) -> Result<[String; 2], Trouble> {
    Ok([
        server.put(&scalar(PrimType::I64, size as u64))?,
        server.put(&scalar(PrimType::U64, seed))?,
    ])
}

fn scalar(prim: PrimType, bits: u64) -> Value {
    Value { prim, suffixed: true, shape: Vec::new(), data: bits.to_le_bytes().to_vec() }
}

/// What the generator `entry` makes.
pub fn generated(
    server: &mut Server,
    entry: &str,
    ty: &str,
    size: i64,
    seed: u64,
) -> Result<Candidate, Trouble> {
    let arguments = size_and_seed(server, size, seed)?;
    let var = call(server, entry, &arguments, ty)?;
    server.free(&arguments)?;
    Ok(Candidate { var, datum: None })
}

/// What the shrinker `entry` makes of a candidate.
pub fn shrunk(
    server: &mut Server,
    entry: &str,
    ty: &str,
    from: &Candidate,
    seed: u64,
) -> Result<Candidate, Trouble> {
    let seed = server.put(&scalar(PrimType::U64, seed))?;
    // A shrinker may consume what it is given.
    let input = copy(server, &from.var, ty)?;
    let arguments = [input, seed];
    let var = call(server, entry, &arguments, ty)?;
    server.free(&arguments)?;
    Ok(Candidate { var, datum: None })
}

// ---- Making. ----

fn kind(server: &mut Server, ty: &str) -> Result<String, Trouble> {
    Ok(server.command(&["kind", ty])?.first().cloned().unwrap_or_default())
}

fn datum(server: &mut Server, ty: &str, size: i64, rng: &mut Rng) -> Result<Datum, Trouble> {
    match kind(server, ty)?.as_str() {
        "primitive" => match PrimType::from_name(ty) {
            Some(prim) => primitive(prim, &[], size, rng),
            None => failed(format!("there is no primitive type {ty}")),
        },
        "record" => {
            let fields = server.fields(ty)?;
            let parts = fields.iter().map(|(_, t)| datum(server, t, size, rng));
            Ok(Datum::Record(parts.collect::<Result<_, _>>()?))
        }
        "sum" => {
            let variants = server.variants(ty)?;
            let at = rng.bits() as usize % variants.len().max(1);
            let Some((name, payload)) = variants.get(at) else {
                return failed(format!("{ty} has no constructors"));
            };
            let parts = payload.iter().map(|t| datum(server, t, size, rng));
            Ok(Datum::Sum(name.clone(), parts.collect::<Result<_, _>>()?))
        }
        "array" => array(server, ty, size, rng),
        _ => failed(format!("values of {ty} need a generator: #[prop(gen(FUNCTION))]")),
    }
}

fn array(server: &mut Server, ty: &str, size: i64, rng: &mut Rng) -> Result<Datum, Trouble> {
    let rank = server.command(&["rank", ty])?;
    let rank = rank.first().and_then(|r| r.parse().ok()).unwrap_or(1);
    let shape = vec![size.max(0) as u64; rank];
    let element = server.command(&["elemtype", ty])?.first().cloned().unwrap_or_default();
    if let Some(prim) = PrimType::from_name(&element) {
        return primitive(prim, &shape, size, rng);
    }
    if kind(server, &element)? == "record" {
        let fields = server.fields(ty)?;
        let columns = fields.iter().map(|(_, t)| datum(server, t, size, rng));
        return Ok(Datum::Columns(columns.collect::<Result<_, _>>()?));
    }
    let count = shape.iter().try_fold(1u64, |n, d| n.checked_mul(*d)).filter(|n| *n <= 1 << 16);
    let Some(count) = count else {
        return failed(format!("{ty} at size {size} has too many elements; see #[prop(size(N))]"));
    };
    let elements = (0..count).map(|_| datum(server, &element, size, rng));
    let elements = elements.collect::<Result<_, _>>()?;
    Ok(Datum::Array(shape, elements))
}

/// Half of the time of the whole range of integers, half of the time of small numbers, among which
/// there are equal ones and zeros.
fn primitive(prim: PrimType, shape: &[u64], size: i64, rng: &mut Rng) -> Result<Datum, Trouble> {
    let mut bounds = Bounds::default();
    let small = rng.bits() >> 63 == 0;
    let most = size.clamp(1, 100);
    let range = match (prim, small) {
        (PrimType::Bool, _) => None,
        (_, false) if !prim.is_float() => None,
        (_, false) => Some("-1:1".to_owned()),
        (_, true) if prim.is_float() || prim.is_signed() => Some(format!("-{most}:{most}")),
        (_, true) => Some(format!("0:{most}")),
    };
    if let Some(range) = range {
        bounds.set(prim, &range).map_err(Trouble::Failed)?;
    }
    random(shape, prim, &bounds, rng).map(Datum::Value).map_err(Trouble::Failed)
}

/// Puts a value into a fresh variable.
fn put(server: &mut Server, datum: &Datum, ty: &str) -> Result<String, Trouble> {
    let (mut words, parts) = match datum {
        Datum::Value(v) => return Ok(server.put_as(v, ty)?),
        Datum::Record(parts) => {
            let types: Vec<String> = server.fields(ty)?.into_iter().map(|(_, t)| t).collect();
            (vec!["new".to_owned()], put_all(server, parts, &types)?)
        }
        Datum::Columns(parts) => {
            let types: Vec<String> = server.fields(ty)?.into_iter().map(|(_, t)| t).collect();
            (vec!["zip".to_owned()], put_all(server, parts, &types)?)
        }
        Datum::Sum(variant, parts) => {
            let found = server.variants(ty)?.into_iter().find(|(name, _)| name == variant);
            let types = found.map_or(Vec::new(), |(_, types)| types);
            (vec!["construct".to_owned(), variant.clone()], put_all(server, parts, &types)?)
        }
        Datum::Array(shape, parts) => {
            let element = server.command(&["elemtype", ty])?.first().cloned().unwrap_or_default();
            let types = vec![element; parts.len()];
            let mut words = vec!["new_array".to_owned()];
            words.extend(shape.iter().map(u64::to_string));
            (words, put_all(server, parts, &types)?)
        }
    };
    // COMMAND VARIABLE TYPE, then what the command has besides.
    let var = server.fresh();
    words.splice(1..1, [var.clone(), ty.to_owned()]);
    words.extend(parts.iter().cloned());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    server.command(&words)?;
    server.free(&parts)?;
    Ok(var)
}

fn put_all(server: &mut Server, parts: &[Datum], types: &[String]) -> Result<Vec<String>, Trouble> {
    parts.iter().zip(types).map(|(p, t)| put(server, p, t)).collect()
}

// ---- Shrinking. ----

/// Makes a counterexample that was made here smaller: rows are left out, then numbers are brought
/// nearer to zero, as long as it stays a counterexample.
pub fn shrink(
    server: &mut Server,
    found: &mut Candidate,
    refuted: &dyn Fn(&mut Server, &Candidate) -> Result<bool, Trouble>,
) -> Result<(), Trouble> {
    let Some(datum) = found.datum.clone() else { return Ok(()) };
    let ty = server.command(&["type", &found.var])?.first().cloned().unwrap_or_default();
    let mut search = Search { server, found, refuted, ty, budget: 2000, best: datum };
    while search.budget > 0 && (search.rows()? | search.numbers()?) {}
    Ok(())
}

struct Search<'a> {
    server: &'a mut Server,
    found: &'a mut Candidate,
    refuted: &'a dyn Fn(&mut Server, &Candidate) -> Result<bool, Trouble>,
    ty: String,
    /// How many values may still be tried.
    budget: usize,
    best: Datum,
}

impl Search<'_> {
    /// Takes `next` for the best if it is a counterexample too.
    fn accept(&mut self, next: Datum) -> Result<bool, Trouble> {
        if self.budget == 0 || next == self.best {
            return Ok(false);
        }
        self.budget -= 1;
        let var = match put(self.server, &next, &self.ty) {
            Ok(var) => var,
            // No value of the type: arrays that are to be of equal size are not any more.
            Err(Trouble::Failed(_)) => return Ok(false),
            Err(crashed @ Trouble::Crashed(_)) => return Err(crashed),
        };
        let candidate = Candidate { var, datum: Some(next.clone()) };
        if !(self.refuted)(self.server, &candidate)? {
            candidate.forget(self.server)?;
            return Ok(false);
        }
        std::mem::replace(self.found, candidate).forget(self.server)?;
        self.best = next;
        Ok(true)
    }

    /// Leaves out runs of rows, long ones first, of all dimensions of one size together: types
    /// such as `([n]i32, [n]i32)` want them equal.
    fn rows(&mut self) -> Result<bool, Trouble> {
        let mut any = false;
        let mut sizes = BTreeSet::new();
        self.best.sizes(&mut sizes);
        for mut size in sizes.into_iter().rev() {
            let mut run = size;
            while run > 0 {
                let mut start = 0;
                while start < size {
                    let end = (start + run).min(size);
                    if self.accept(self.best.without(size, start, end))? {
                        size -= end - start;
                        any = true;
                    } else {
                        start += run;
                    }
                }
                run /= 2;
            }
        }
        Ok(any)
    }

    /// Brings numbers nearer to zero.
    fn numbers(&mut self) -> Result<bool, Trouble> {
        let mut any = false;
        let count = self.best.count();
        for i in 0..count {
            for step in 0.. {
                let mut next = self.best.clone();
                match next.reduce(i, step) {
                    None => break,
                    Some(()) => any |= self.accept(next)?,
                }
            }
        }
        Ok(any)
    }
}

impl Datum {
    fn parts(&self) -> &[Datum] {
        match self {
            Datum::Value(_) => &[],
            Datum::Record(p) | Datum::Columns(p) | Datum::Sum(_, p) | Datum::Array(_, p) => p,
        }
    }

    /// The sizes of its dimensions.
    fn sizes(&self, out: &mut BTreeSet<u64>) {
        match self {
            Datum::Value(v) => out.extend(&v.shape),
            Datum::Array(shape, _) => out.extend(shape),
            Datum::Record(_) | Datum::Columns(_) | Datum::Sum(..) => {}
        }
        self.parts().iter().for_each(|p| p.sizes(out));
    }

    /// Without the rows `start..end` of each dimension of this size.
    fn without(&self, size: u64, start: u64, end: u64) -> Datum {
        let all = |parts: &[Datum]| parts.iter().map(|p| p.without(size, start, end)).collect();
        match self {
            Datum::Value(v) => {
                let width = element_bytes(v.prim);
                let (shape, kept) = kept(&v.shape, size, start, end);
                let bytes = kept.iter().filter_map(|i| v.data.get(i * width..(i + 1) * width));
                let data = bytes.flatten().copied().collect();
                Datum::Value(Value { shape, data, ..v.clone() })
            }
            Datum::Array(shape, parts) => {
                let (shape, kept) = kept(shape, size, start, end);
                let parts = kept.iter().filter_map(|i| parts.get(*i));
                Datum::Array(shape, parts.map(|p| p.without(size, start, end)).collect())
            }
            Datum::Record(p) => Datum::Record(all(p)),
            Datum::Columns(p) => Datum::Columns(all(p)),
            Datum::Sum(name, p) => Datum::Sum(name.clone(), all(p)),
        }
    }

    /// How many scalars there are in it.
    fn count(&self) -> usize {
        match self {
            Datum::Value(v) => v.count(),
            _ => self.parts().iter().map(Datum::count).sum(),
        }
    }

    /// Brings scalar `i` nearer to zero, the nearest first; `None` if there is no such step.
    fn reduce(&mut self, mut i: usize, step: u32) -> Option<()> {
        match self {
            Datum::Value(v) => {
                let width = element_bytes(v.prim);
                let bits = reduced(v, i, step)?;
                let at = v.data.get_mut(i * width..(i + 1) * width)?;
                at.copy_from_slice(bits.to_le_bytes().get(..width)?);
                Some(())
            }
            Datum::Record(p) | Datum::Columns(p) | Datum::Sum(_, p) | Datum::Array(_, p) => {
                for part in p {
                    let count = part.count();
                    if i < count {
                        return part.reduce(i, step);
                    }
                    i -= count;
                }
                None
            }
        }
    }
}

/// The shape without the rows `start..end` of dimensions of this size, and the numbers of the
/// elements that stay, in order.
fn kept(shape: &[u64], size: u64, start: u64, end: u64) -> (Vec<u64>, Vec<usize>) {
    let mut left = Vec::new();
    let mut numbers = vec![0usize];
    for d in shape {
        let rows: Vec<u64> = (0..*d).filter(|r| *d != size || !(start..end).contains(r)).collect();
        left.push(rows.len() as u64);
        numbers = numbers
            .iter()
            .flat_map(|n| rows.iter().map(move |r| n * *d as usize + *r as usize))
            .collect();
    }
    (left, numbers)
}

/// The bits of a number nearer to zero than element `i`: zero, then by half, a quarter, and so on of
/// the way.
fn reduced(v: &Value, i: usize, step: u32) -> Option<u64> {
    if let Some(x) = v.int(i) {
        let less = x / (1i128 << step.min(100));
        return (less != 0).then_some((x - less) as u64);
    }
    let x = v.float(i)?;
    let to = match step {
        0 => 0.0,
        1 => x.trunc(),
        2..=12 => (x - x / f64::from(1u32 << (step - 1))).trunc(),
        _ => return None,
    };
    if x == 0.0 {
        return None;
    }
    Some(match v.prim {
        PrimType::F16 => u64::from(futc_typed::half::from_f64(to).to_bits()),
        PrimType::F32 => u64::from((to as f32).to_bits()),
        _ => to.to_bits(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Reader;

    fn value(text: &str) -> Datum {
        Datum::Value(Reader::new(text.as_bytes()).all().expect("values").remove(0))
    }

    #[test]
    fn rows_of_one_size_go_together() {
        let pair = Datum::Record(vec![value("[1,2,3]"), value("[[1,2,3],[4,5,6]]")]);
        let want = Datum::Record(vec![value("[1,3]"), value("[[1,3],[4,6]]")]);
        assert_eq!(pair.without(3, 1, 2), want);
        let mut sizes = BTreeSet::new();
        pair.sizes(&mut sizes);
        assert_eq!(sizes, BTreeSet::from([2, 3]));
    }

    #[test]
    fn numbers_come_nearer_to_zero_until_there_is_nothing_between() {
        let Datum::Value(v) = value("[-9i8, 1i8, 0i8]") else { panic!("a value") };
        let of = |i| -> Vec<i8> {
            (0..).map_while(|step| reduced(&v, i, step).map(|bits| bits as i8)).collect()
        };
        assert_eq!(of(0), [0, -5, -7, -8]);
        assert_eq!(of(1), [0]);
        assert_eq!(of(2), [] as [i8; 0]);
    }
}
