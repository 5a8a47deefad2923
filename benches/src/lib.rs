//! Programs to measure the compiler on.

use std::fmt::Write as _;

/// A program of about `lines` lines: functions of a dozen kinds that call one another, over
/// scalars, records, sums and arrays, with one entry point that reaches a tenth of them.
pub fn generated_program(lines: usize) -> String {
    // Each group is 20 lines with its blank ones.
    const GROUP: usize = 20;
    let groups = (lines / GROUP).max(1);
    let mut s =
        String::from("type point = {x: f64, y: f64}\ntype shape = #dot | #disc point f64\n\n");
    for i in 0..groups {
        let before = i.checked_sub(1).map_or("id".to_string(), |j| format!("smooth_{j}"));
        let _ = write!(
            s,
            "def weight_{i} (k: i64) (p: point) : f64 =\n  \
               let d = p.x * p.x + p.y * p.y\n  \
               in if d > f64.i64 k then f64.sqrt d else d * {i}\n\n\
             def area_{i} (s: shape) : f64 =\n  \
               match s\n  \
               case #dot -> 0\n  \
               case #disc c r -> f64.pi * r * r + weight_{i} {i} c\n\n\
             def smooth_{i} [n] (xs: [n]f64) : [n]f64 =\n  \
               let ys = {before} xs\n  \
               let at j = if j < 0 then ys[0] else if j >= n then ys[n - 1] else ys[j]\n  \
               in tabulate n (\\j -> (at (j - 1) + 2 * at j + at (j + 1)) / 4)\n\n\
             def total_{i} [n] (points: [n]point) : f64 =\n  \
               let shapes = map (\\p -> if p.x < 0 then #dot else #disc p p.x) points\n  \
               let walk = loop acc = 0 for s in shapes do acc + area_{i} s\n  \
               in walk + reduce (+) 0 (map (weight_{i} 3) points)\n\n"
        );
    }
    let reached = (groups / 10).max(1) - 1;
    let _ = writeln!(
        s,
        "entry main [n] (xs: [n]f64) (ys: [n]f64) : ([n]f64, f64) =\n  \
           (smooth_{reached} xs, total_{reached} (map2 (\\x y -> {{x, y}}) xs ys))"
    );
    s
}

/// A program of small functions over arrays, of four kinds in turn (a map, sums, a scan, pairs), and of entry
/// points each of which applies a dozen of them one after the other.
pub fn small_functions(entries: usize) -> String {
    const EACH: usize = 12;
    let mut s = String::new();
    for i in 0..entries * EACH {
        let body = match i % 4 {
            0 => format!("  map (\\(x, y) -> x * {i} + y) (zip xs ys)\n"),
            1 => format!(
                "  let s = f64.sum (map2 (\\x y -> x * y + {i}) xs ys)\n  in map (\\x -> x / s) xs\n"
            ),
            2 => format!(
                "  let c = scan (+) 0 (map2 (\\x y -> x - y * {i}) xs ys)\n  \
                   let m = f64.maximum c\n  in map (\\x -> x - m) c\n"
            ),
            _ => format!(
                "  let (as, bs) = unzip (map2 (\\x y -> (x + {i}, y * 2)) xs ys)\n  \
                   let t = f64.sum as\n  in map2 (\\a b -> a * t + b) as bs\n"
            ),
        };
        let _ = write!(s, "def step_{i} [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =\n{body}\n");
    }
    for e in 0..entries {
        let _ = writeln!(s, "entry all_{e} [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =");
        for j in 0..EACH {
            let _ = writeln!(s, "  let xs = step_{} xs ys", e * EACH + j);
        }
        s.push_str("  in xs\n\n");
    }
    s
}

/// A program of `lines` lines, or a few more, in which every function calls several before it and all
/// are reached from entry points, one for every ten groups of functions. Calls form a graph with many
/// more paths than functions: to follow each of them would take exponential time.
pub fn reached_program(lines: usize) -> String {
    let entry = |i: usize| format!("entry total_of_{i} [n] (xs: [n]f64) : f64 = total_{i} xs\n\n");
    let mut s = String::from(
        "type point = {x: f64, y: f64}\n\n\
         def mean_0 (x: f64) (y: f64) : f64 = (x + y) / 2\n\
         def mean_1 (x: f64) (y: f64) : f64 = f64.sqrt (x * y)\n\
         def move_1 (p: point) (d: f64) : point = {x = p.x + d, y = p.y - d}\n\
         def smooth_1 [n] (xs: [n]f64) : [n]f64 = map (/ 2) xs\n\n",
    );
    let mut i = 1;
    while s.lines().count() + entry(i).lines().count() < lines {
        i += 1;
        let (a, b) = (i - 1, i - 2);
        let _ = write!(
            s,
            "def mean_{i} (x: f64) (y: f64) : f64 =\n  \
               let m = mean_{a} x y\n  \
               in if m > {i} then mean_{b} m x else m * mean_{b} y {i}\n\n\
             def move_{i} (p: point) (d: f64) : point =\n  \
               let q = move_{a} p (d / 2)\n  \
               let r = if q.x < p.y then move_{a} q {i} else p\n  \
               in {{x = mean_{i} q.x r.x, y = r.y}}\n\n\
             def smooth_{i} [n] (xs: [n]f64) : [n]f64 =\n  \
               let ys = smooth_{a} xs\n  \
               let at j = ys[i64.max 0 (i64.min (n - 1) j)]\n  \
               in tabulate n (\\j -> mean_{a} (at (j - 1)) (at (j + 1)))\n\n\
             def total_{i} [n] (xs: [n]f64) : f64 =\n  \
               let points = map2 (\\x y -> move_{i} {{x, y}} {i}) xs (smooth_{i} xs)\n  \
               let far = filter (\\p -> p.x > p.y) points\n  \
               let walk = loop acc = 0 for p in far do mean_{a} acc p.y\n  \
               in walk + f64.sum (map (.x) points)\n\n"
        );
        if i % 10 == 0 {
            s.push_str(&entry(i));
        }
    }
    if i % 10 != 0 {
        s.push_str(&entry(i));
    }
    s
}

/// A program of about `lines` lines in which every definition leaves out maps and reps.
pub fn broadcasting_program(lines: usize) -> String {
    // Each group is 20 lines with its blank ones.
    const GROUP: usize = 20;
    let mut s = String::new();
    for i in 0..(lines / GROUP).max(1) {
        let before = i.checked_sub(1).map_or("f64.abs".to_string(), |j| format!("logistic_{j}"));
        let _ = write!(
            s,
            "def logistic_{i} (x: f64) : f64 =\n  \
               let scaled = [x, {i}] * 0.5\n  \
               in f64.sum (1 / (1 + f64.exp (-scaled)))\n\n\
             def standardise_{i} [n] [m] (xss: [n][m]f64) : [n][m]f64 =\n  \
               let means = f64.sum (transpose xss) / f64.i64 n\n  \
               let centred = xss - means\n  \
               let deviations = f64.sqrt (f64.sum (transpose (centred ** 2)) / f64.i64 n)\n  \
               in centred / deviations\n\n\
             def layer_{i} [n] [m] (weights: [n][m]f64) (bias: [n]f64) (x: [m]f64) : [n]f64 =\n  \
               let products = weights * x\n  \
               let sums = f64.sum products + bias\n  \
               in sums |> {before}\n\n\
             def distance_{i} [n] (p: {{x: [n]f64, y: [n]f64}}) (x: f64, y: f64) : f64 =\n  \
               f64.sqrt ((p.x - x) ** 2 + (p.y - y) ** 2) |> f64.minimum\n\n"
        );
    }
    s
}
