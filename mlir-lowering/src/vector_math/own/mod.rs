//! Vector functions of our own, where the C library's err by more than two units in the last place.
//! Ours err by less than one, but for `tan` and the logarithms to the bases 2 and 10, which stay below
//! two.
//!
//! They are written as LLVM IR over vectors of any number of lanes, for processors that multiply and
//! add in one instruction. The methods are the textbook's (J.-M. Muller, *Elementary Functions*): the
//! argument is reduced, by powers of two or by right angles, and a polynomial does the rest. Functions
//! of `f32` for which that is not worth it are those of `f64`, rounded.

mod circle;
mod powers;

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The widths of floats that there are functions for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    F32,
    F64,
}

impl Width {
    fn float(self) -> &'static str {
        match self {
            Width::F32 => "float",
            Width::F64 => "double",
        }
    }

    fn bytes(self) -> i64 {
        match self {
            Width::F32 => 4,
            Width::F64 => 8,
        }
    }

    fn int(self) -> &'static str {
        match self {
            Width::F32 => "i32",
            Width::F64 => "i64",
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Width::F32 => "f32",
            Width::F64 => "f64",
        }
    }

    /// Bits of the mantissa as stored, and the bias of the exponent.
    fn format(self) -> (i64, i64) {
        match self {
            Width::F32 => (23, 127),
            Width::F64 => (52, 1023),
        }
    }

    fn bits(self, x: f64) -> i64 {
        match self {
            Width::F32 => i64::from((x as f32).to_bits()),
            Width::F64 => x.to_bits() as i64,
        }
    }
}

/// A function of LLVM IR.
pub(super) struct Definition {
    /// Its name.
    pub symbol: String,
    /// A module with nothing else.
    pub text: String,
}

/// Makes the body of a function of what is named, and says what its result is.
type Body = fn(&mut Ir, &str) -> String;

/// What the body of a function of `f64` is.
fn double(name: &str) -> Option<Body> {
    Some(match name {
        "exp" => powers::exp,
        "sin" => circle::sin,
        "cos" => circle::cos,
        "tan" => circle::tan,
        "asin" => circle::asin,
        "atan" => circle::atan,
        _ => return None,
    })
}

/// What the body of a function of `f32` is.
fn single(name: &str) -> Option<Body> {
    Some(match name {
        "exp" => powers::exp,
        "log" => powers::log,
        "log2" => powers::log2,
        "log10" => powers::log10,
        "tan" => circle::tan,
        "asin" => circle::asin,
        "acos" => circle::acos,
        "atan" => circle::atan,
        _ => return None,
    })
}

/// Functions of `f32` by way of `f64`, and of which of the C library's interfaces they are better.
const THROUGH_DOUBLE: &[(&str, &str)] =
    &[("cosh", "e"), ("asinh", "bcd"), ("acosh", "bcd"), ("cbrt", "bcd"), ("erf", "e")];

/// A vector interface of the C library: its letter, and the bytes of its vectors.
pub(super) type Interface = (char, i64);

/// The function that stands for the C library's `symbol` in an interface, if there is one.
pub(super) fn definition(symbol: &str, interface: Interface) -> Option<Definition> {
    let (letter, bytes) = interface;
    let ir = |width: Width| Ir {
        width,
        lanes: (bytes / width.bytes()) as u32,
        interface,
        text: String::new(),
        declarations: BTreeSet::new(),
        next: 0,
    };
    let (mut ir, name) = match symbol.strip_suffix('f') {
        Some(name) => (ir(Width::F32), name),
        None => (ir(Width::F64), symbol),
    };
    let result = match ir.width {
        Width::F64 => double(name)?(&mut ir, "%x"),
        Width::F32 => match single(name) {
            Some(body) => body(&mut ir, "%x"),
            None => {
                let better = |(n, letters): &&(&str, &str)| *n == name && letters.contains(letter);
                THROUGH_DOUBLE.iter().find(better)?;
                ir.library(name, "%x")
            }
        },
    };
    let (v, f, lanes) = (ir.floats(), ir.width.suffix(), ir.lanes);
    let symbol = format!("futc.{name}.v{lanes}{f}");
    let mut text = format!(
        "define {v} @{symbol}({v} %x) nounwind willreturn memory(none) {{\nentry:\n{}  ret {v} \
         {result}\n}}\n",
        ir.text
    );
    for d in &ir.declarations {
        let _ = writeln!(text, "declare {d} nounwind willreturn memory(none)");
    }
    text.push_str("!0 = !{!\"branch_weights\", i32 1, i32 100000}\n");
    Some(Definition { symbol, text })
}

/// The body of a function in the making.
struct Ir {
    width: Width,
    lanes: u32,
    interface: Interface,
    text: String,
    declarations: BTreeSet<String>,
    next: usize,
}

impl Ir {
    fn floats(&self) -> String {
        format!("<{} x {}>", self.lanes, self.width.float())
    }

    fn ints(&self) -> String {
        format!("<{} x {}>", self.lanes, self.width.int())
    }

    /// A float in every lane; as the type says it, so that it is what is meant.
    fn float(&self, x: f64) -> String {
        let x = match self.width {
            Width::F32 => f64::from(x as f32),
            Width::F64 => x,
        };
        format!("splat ({} 0x{:016X})", self.width.float(), x.to_bits())
    }

    fn int(&self, x: i64) -> String {
        format!("splat ({} {x})", self.width.int())
    }

    fn emit(&mut self, instruction: &str) -> String {
        let name = format!("%v{}", self.next);
        self.next += 1;
        // A `String` takes whatever is written.
        let _ = writeln!(self.text, "  {name} = {instruction}");
        name
    }

    /// An operator of floats.
    fn f(&mut self, op: &str, x: &str, y: &str) -> String {
        let ty = self.floats();
        self.emit(&format!("{op} {ty} {x}, {y}"))
    }

    /// An operator of integers.
    fn i(&mut self, op: &str, x: &str, y: &str) -> String {
        let ty = self.ints();
        self.emit(&format!("{op} {ty} {x}, {y}"))
    }

    fn minus(&mut self, x: &str) -> String {
        let ty = self.floats();
        self.emit(&format!("fneg {ty} {x}"))
    }

    /// A call of a function of vectors of floats.
    fn call(&mut self, name: &str, ty: &str, arguments: &[&str]) -> String {
        self.declarations.insert(format!("{ty} @{name}({})", vec![ty; arguments.len()].join(", ")));
        let arguments: Vec<String> = arguments.iter().map(|a| format!("{ty} {a}")).collect();
        self.emit(&format!("call {ty} @{name}({})", arguments.join(", ")))
    }

    /// A call of one of LLVM's own functions.
    fn intrinsic(&mut self, name: &str, arguments: &[&str]) -> String {
        let name = format!("llvm.{name}.v{}{}", self.lanes, self.width.suffix());
        self.call(&name, &self.floats(), arguments)
    }

    fn fma(&mut self, x: &str, y: &str, z: &str) -> String {
        self.intrinsic("fma", &[x, y, z])
    }

    /// In which lanes a comparison holds.
    fn holds(&mut self, op: &str, x: &str, y: &str) -> String {
        self.f(&format!("fcmp {op}"), x, y)
    }

    /// `yes` where `c` holds, else `no`.
    fn select(&mut self, c: &str, yes: &str, no: &str) -> String {
        let ty = self.floats();
        self.emit(&format!("select <{} x i1> {c}, {ty} {yes}, {ty} {no}", self.lanes))
    }

    /// `yes` where the comparison holds, else `no`.
    fn choose(&mut self, op: &str, x: &str, y: &str, yes: &str, no: &str) -> String {
        let c = self.holds(op, x, y);
        self.select(&c, yes, no)
    }

    /// What `f` makes of `x` as `f64`.
    fn widened(&mut self, x: &str, f: impl FnOnce(&mut Ir, &str) -> String) -> String {
        let narrow = self.floats();
        self.width = Width::F64;
        let wide = self.floats();
        let x = self.emit(&format!("fpext {narrow} {x} to {wide}"));
        let y = f(self, &x);
        self.width = Width::F32;
        self.emit(&format!("fptrunc {wide} {y} to {narrow}"))
    }

    /// The C library's function of `x`; that of `f64`, as often as it takes for so many lanes.
    fn library(&mut self, name: &str, x: &str) -> String {
        if self.width == Width::F32 {
            return self.widened(x, |ir, x| ir.library(name, x));
        }
        let (letter, bytes) = self.interface;
        let part = (bytes / Width::F64.bytes()) as u32;
        let symbol = format!("_ZGV{letter}N{part}v_{name}");
        let ty = format!("<{part} x double>");
        if part == self.lanes {
            return self.call(&symbol, &ty, &[x]);
        }
        let all = format!("<{} x double>", self.lanes);
        let mask = |lanes: std::ops::Range<u32>| {
            let lanes: Vec<String> = lanes.map(|i| format!("i32 {i}")).collect();
            format!("<{} x i32> <{}>", lanes.len(), lanes.join(", "))
        };
        let half = |ir: &mut Ir, from: u32| {
            let taken = mask(from..from + part);
            let x = ir.emit(&format!("shufflevector {all} {x}, {all} poison, {taken}"));
            ir.call(&symbol, &ty, &[&x])
        };
        // Vectors of `f32` have twice the lanes, never more.
        let (low, high) = (half(self, 0), half(self, part));
        let both = mask(0..2 * part);
        self.emit(&format!("shufflevector {ty} {low}, {ty} {high}, {both}"))
    }

    /// `y`, but where `special` holds what `exact` makes. That hardly ever happens.
    fn rarely(&mut self, special: &str, y: &str, exact: impl FnOnce(&mut Ir) -> String) -> String {
        let (ty, lanes) = (self.floats(), self.lanes);
        let mask = self.emit(&format!("bitcast <{lanes} x i1> {special} to i{lanes}"));
        let any = self.emit(&format!("icmp ne i{lanes} {mask}, 0"));
        let _ = writeln!(self.text, "  br i1 {any}, label %rare, label %done, !prof !0\nrare:");
        let exact = exact(self);
        let exact = self.select(special, &exact, y);
        let _ = writeln!(self.text, "  br label %done\ndone:");
        self.emit(&format!("phi {ty} [ {y}, %entry ], [ {exact}, %rare ]"))
    }

    fn bits_of(&mut self, x: &str) -> String {
        let (from, to) = (self.floats(), self.ints());
        self.emit(&format!("bitcast {from} {x} to {to}"))
    }

    fn float_of(&mut self, x: &str) -> String {
        let (from, to) = (self.ints(), self.floats());
        self.emit(&format!("bitcast {from} {x} to {to}"))
    }

    /// 2 to the power of an integer whose power is a normal number.
    fn power(&mut self, k: &str) -> String {
        let (mantissa, bias) = self.width.format();
        let k = self.i("add", k, &self.int(bias));
        let k = self.i("shl", &k, &self.int(mantissa));
        self.float_of(&k)
    }

    /// The polynomial with these coefficients, the highest first.
    fn horner(&mut self, x: &str, coefficients: &[f64]) -> String {
        let mut p: Option<String> = None;
        for c in coefficients {
            let c = self.float(*c);
            p = Some(match p {
                None => c,
                Some(p) => self.fma(&p, x, &c),
            });
        }
        p.unwrap_or_else(|| self.float(0.0))
    }

    /// The natural logarithm of 2 as a number with so few bits that its product with an exponent is
    /// one without rounding, and the rest.
    fn ln2(&self) -> (f64, f64) {
        match self.width {
            Width::F32 => (0.693_145_751_953_125, 1.428_606_820_309_417_2e-6),
            Width::F64 => (0.693_147_180_560_117_7, -1.723_944_452_561_483_5e-13),
        }
    }
}
