//! Vectors of floats in LLVM IR: the body of a function in the making.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The widths of floats that there are functions for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    F32,
    F64,
}

impl Width {
    pub(super) fn float(self) -> &'static str {
        match self {
            Width::F32 => "float",
            Width::F64 => "double",
        }
    }

    pub(super) fn bytes(self) -> i64 {
        match self {
            Width::F32 => 4,
            Width::F64 => 8,
        }
    }

    pub(super) fn int(self) -> &'static str {
        match self {
            Width::F32 => "i32",
            Width::F64 => "i64",
        }
    }

    pub(super) fn suffix(self) -> &'static str {
        match self {
            Width::F32 => "f32",
            Width::F64 => "f64",
        }
    }

    /// Bits of the mantissa as stored, and the bias of the exponent.
    pub(super) fn format(self) -> (i64, i64) {
        match self {
            Width::F32 => (23, 127),
            Width::F64 => (52, 1023),
        }
    }

    pub(super) fn bits(self, x: f64) -> i64 {
        match self {
            Width::F32 => i64::from((x as f32).to_bits()),
            Width::F64 => x.to_bits() as i64,
        }
    }
}

/// A vector interface of the C library: its letter, and the bytes of its vectors.
pub(in super::super) type Interface = (char, i64);

/// The body of a function in the making.
pub(super) struct Ir {
    pub(super) width: Width,
    pub(super) lanes: u32,
    pub(super) interface: Interface,
    pub(super) text: String,
    pub(super) declarations: BTreeSet<String>,
    /// Whole functions that the body calls.
    pub(super) functions: String,
    pub(super) next: usize,
}

impl Ir {
    pub(super) fn floats(&self) -> String {
        format!("<{} x {}>", self.lanes, self.width.float())
    }

    pub(super) fn ints(&self) -> String {
        format!("<{} x {}>", self.lanes, self.width.int())
    }

    /// A float in every lane; as the type says it, so that it is what is meant.
    pub(super) fn float(&self, x: f64) -> String {
        let x = match self.width {
            Width::F32 => f64::from(x as f32),
            Width::F64 => x,
        };
        format!("splat ({} 0x{:016X})", self.width.float(), x.to_bits())
    }

    pub(super) fn int(&self, x: i64) -> String {
        format!("splat ({} {x})", self.width.int())
    }

    pub(super) fn emit(&mut self, instruction: &str) -> String {
        let name = format!("%v{}", self.next);
        self.next += 1;
        // A `String` takes whatever is written.
        let _ = writeln!(self.text, "  {name} = {instruction}");
        name
    }

    /// An operator of floats.
    pub(super) fn f(&mut self, op: &str, x: &str, y: &str) -> String {
        let ty = self.floats();
        self.emit(&format!("{op} {ty} {x}, {y}"))
    }

    /// An operator of integers.
    pub(super) fn i(&mut self, op: &str, x: &str, y: &str) -> String {
        let ty = self.ints();
        self.emit(&format!("{op} {ty} {x}, {y}"))
    }

    pub(super) fn minus(&mut self, x: &str) -> String {
        let ty = self.floats();
        self.emit(&format!("fneg {ty} {x}"))
    }

    /// A call of a function of vectors of floats.
    pub(super) fn call(&mut self, name: &str, ty: &str, arguments: &[&str]) -> String {
        self.declarations.insert(format!("{ty} @{name}({})", vec![ty; arguments.len()].join(", ")));
        let arguments: Vec<String> = arguments.iter().map(|a| format!("{ty} {a}")).collect();
        self.emit(&format!("call {ty} @{name}({})", arguments.join(", ")))
    }

    /// A call of one of LLVM's own functions.
    pub(super) fn intrinsic(&mut self, name: &str, arguments: &[&str]) -> String {
        let name = format!("llvm.{name}.v{}{}", self.lanes, self.width.suffix());
        self.call(&name, &self.floats(), arguments)
    }

    pub(super) fn fma(&mut self, x: &str, y: &str, z: &str) -> String {
        self.intrinsic("fma", &[x, y, z])
    }

    /// In which lanes a comparison holds.
    pub(super) fn holds(&mut self, op: &str, x: &str, y: &str) -> String {
        self.f(&format!("fcmp {op}"), x, y)
    }

    /// `yes` where `c` holds, else `no`.
    pub(super) fn select(&mut self, c: &str, yes: &str, no: &str) -> String {
        let ty = self.floats();
        self.emit(&format!("select <{} x i1> {c}, {ty} {yes}, {ty} {no}", self.lanes))
    }

    /// `yes` where the comparison holds, else `no`.
    pub(super) fn choose(&mut self, op: &str, x: &str, y: &str, yes: &str, no: &str) -> String {
        let c = self.holds(op, x, y);
        self.select(&c, yes, no)
    }

    /// What `f` makes of `x` as `f64`.
    pub(super) fn widened(&mut self, x: &str, f: impl FnOnce(&mut Ir, &str) -> String) -> String {
        let narrow = self.floats();
        self.width = Width::F64;
        let wide = self.floats();
        let x = self.emit(&format!("fpext {narrow} {x} to {wide}"));
        let y = f(self, &x);
        self.width = Width::F32;
        self.emit(&format!("fptrunc {wide} {y} to {narrow}"))
    }

    /// The C library's function of `x`; that of `f64`, as often as it takes for so many lanes.
    pub(super) fn library(&mut self, name: &str, x: &str) -> String {
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
    pub(super) fn rarely(
        &mut self,
        special: &str,
        y: &str,
        exact: impl FnOnce(&mut Ir) -> String,
    ) -> String {
        let (ty, lanes) = (self.floats(), self.lanes);
        let mask = self.emit(&format!("bitcast <{lanes} x i1> {special} to i{lanes}"));
        let any = self.emit(&format!("icmp ne i{lanes} {mask}, 0"));
        let _ = writeln!(self.text, "  br i1 {any}, label %rare, label %done, !prof !0\nrare:");
        let exact = exact(self);
        let exact = self.select(special, &exact, y);
        let _ = writeln!(self.text, "  br label %done\ndone:");
        self.emit(&format!("phi {ty} [ {y}, %entry ], [ {exact}, %rare ]"))
    }

    pub(super) fn bits_of(&mut self, x: &str) -> String {
        let (from, to) = (self.floats(), self.ints());
        self.emit(&format!("bitcast {from} {x} to {to}"))
    }

    pub(super) fn float_of(&mut self, x: &str) -> String {
        let (from, to) = (self.ints(), self.floats());
        self.emit(&format!("bitcast {from} {x} to {to}"))
    }

    /// 2 to the power of an integer whose power is a normal number.
    pub(super) fn power(&mut self, k: &str) -> String {
        let (mantissa, bias) = self.width.format();
        let k = self.i("add", k, &self.int(bias));
        let k = self.i("shl", &k, &self.int(mantissa));
        self.float_of(&k)
    }

    /// The polynomial with these coefficients, the highest first.
    pub(super) fn horner(&mut self, x: &str, coefficients: &[f64]) -> String {
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
    pub(super) fn ln2(&self) -> (f64, f64) {
        match self.width {
            Width::F32 => (0.693_145_751_953_125, 1.428_606_820_309_417_2e-6),
            Width::F64 => (0.693_147_180_560_117_7, -1.723_944_452_561_483_5e-13),
        }
    }
}
