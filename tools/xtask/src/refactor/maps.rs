//! Maps written in another way: over arrays of tuples in the place of several arrays, and nested over indexes in the
//! place of `tabulate`.

use super::edit::{Change, Piece, new};
use super::nodes::{Place, applied, place, plain_name, walk_exps};
use super::source::Source;
use futc_frontend::syntax::ast::Exp;

/// The applications of functions of the prelude: the whole, the name and the arguments.
fn applications<'t>(source: &'t Source, f: &mut dyn FnMut(Place, &'static str, &[&'t Exp])) {
    for def in source.definitions() {
        walk_exps(&def.value.body, &mut |e| {
            let (head, args) = applied(e);
            if let Some(name) = plain_name(head)
                && !args.is_empty()
                && source.is_prelude(name)
            {
                f(place(e.span), name, &args);
            }
            true
        });
    }
}

fn old(exp: &Exp) -> Piece {
    Piece::Old(place(exp.span))
}

/// `map2 f xs ys` becomes `map (\(x, y) -> f x y) (zip xs ys)`, and likewise of more arrays and without them; `unzip e`
/// becomes two maps over `e`.
pub fn pairs(source: &Source) -> Vec<Change> {
    let mut out = Vec::new();
    let names = ["map", "zip", "zip3", "zip4"];
    if !names.into_iter().all(|n| source.is_prelude(n)) {
        return out;
    }
    applications(source, &mut |at, name, args| {
        let change = match (name, args) {
            ("map2", [f, xs @ ..]) => zipped(f, xs, 2, "zip"),
            ("map3", [f, xs @ ..]) => zipped(f, xs, 3, "zip3"),
            ("map4", [f, xs @ ..]) => zipped(f, xs, 4, "zip4"),
            ("unzip" | "unzip2", [xs]) => Some(projected(xs, 2)),
            ("unzip3", [xs]) => Some(projected(xs, 3)),
            ("unzip4", [xs]) => Some(projected(xs, 4)),
            _ => None,
        };
        out.extend(change.map(|with| Change::one(at, with)));
    });
    out
}

fn numbered(name: &str, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{name}_{i}")).collect()
}

/// A map over tuples of the elements of `count` arrays, all of which are there or none.
fn zipped(f: &Exp, arrays: &[&Exp], count: usize, zip: &str) -> Option<Vec<Piece>> {
    let elements = numbered("element", count);
    let map = format!("map (\\({}) -> ", elements.join(", "));
    let apply = format!(" {})", elements.join(" "));
    if arrays.is_empty() {
        let arrays = numbered("array", count).join(" ");
        let head = new(format!("(\\{arrays} -> {map}"));
        return Some(vec![head, old(f), new(format!("{apply} ({zip} {arrays}))"))]);
    }
    if arrays.len() != count {
        return None;
    }
    let mut with = vec![new(format!("({map}")), old(f), new(format!("{apply} ({zip}"))];
    with.extend(arrays.iter().flat_map(|xs| [new(" "), old(xs)]));
    with.push(new("))"));
    Some(with)
}

/// A tuple of the components of an array of tuples.
fn projected(array: &Exp, count: usize) -> Vec<Piece> {
    let maps: Vec<String> = (0..count)
        .map(|i| {
            let pat: Vec<&str> = (0..count).map(|j| if i == j { "x" } else { "_" }).collect();
            format!("map (\\({}) -> x) tuples", pat.join(", "))
        })
        .collect();
    vec![new("(let tuples = "), old(array), new(format!(" in ({}))", maps.join(", ")))]
}

/// `tabulate_2d n m f` becomes `map (\i -> map (\j -> f i j) (iota m)) (iota n)`, and likewise of fewer and more
/// dimensions.
pub fn nested(source: &Source) -> Vec<Change> {
    let mut out = Vec::new();
    if !["map", "iota"].into_iter().all(|n| source.is_prelude(n)) {
        return out;
    }
    applications(source, &mut |at, name, args| {
        let dimensions = match name {
            "tabulate" => 1,
            "tabulate_2d" => 2,
            "tabulate_3d" => 3,
            _ => return,
        };
        let [sizes @ .., f] = args else { return };
        if sizes.len() != dimensions {
            return;
        }
        let indexes = numbered("index", dimensions);
        let mut with = vec![new("(")];
        with.extend(indexes.iter().map(|i| new(format!("map (\\{i} -> "))));
        with.extend([old(f), new(format!(" {}", indexes.join(" ")))]);
        for size in sizes.iter().rev() {
            with.extend([new(") (iota "), old(size), new(")")]);
        }
        with.push(new(")"));
        out.push(Change::one(at, with));
    });
    out
}
