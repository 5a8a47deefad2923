//! Vector functions of our own, where the C library's err by more than two units in the last place:
//! `exp`, and `log` of `f32`. Ours err by less than one, and cost no more.
//!
//! They are written as LLVM IR over vectors of any number of lanes, for processors that multiply and
//! add in one instruction. The methods are the textbook's (J.-M. Muller, *Elementary Functions*):
//! the argument is reduced by powers of two, and a series does the rest.

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

/// The function that stands for the C library's `symbol` on so many lanes, if there is one.
pub(super) fn definition(symbol: &str, lanes: u32) -> Option<Definition> {
    let (width, body): (_, fn(&mut Ir) -> String) = match symbol {
        "expf" => (Width::F32, exp),
        "exp" => (Width::F64, exp),
        "logf" => (Width::F32, log),
        _ => return None,
    };
    let name = symbol.trim_end_matches('f');
    let mut ir = Ir { width, lanes, text: String::new(), next: 0 };
    let result = body(&mut ir);
    let (v, f) = (ir.floats(), width.suffix());
    let symbol = format!("futc.{name}.v{lanes}{f}");
    let text = format!(
        "define {v} @{symbol}({v} %x) nounwind willreturn memory(none) {{\n{}  ret {v} {result}\n}}\n\
         declare {v} @llvm.fma.v{lanes}{f}({v}, {v}, {v})\n",
        ir.text
    );
    Some(Definition { symbol, text })
}

/// The body of a function in the making.
struct Ir {
    width: Width,
    lanes: u32,
    text: String,
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

    fn fma(&mut self, x: &str, y: &str, z: &str) -> String {
        let (ty, lanes, f) = (self.floats(), self.lanes, self.width.suffix());
        self.emit(&format!("call {ty} @llvm.fma.v{lanes}{f}({ty} {x}, {ty} {y}, {ty} {z})"))
    }

    /// `yes` where the comparison holds, else `no`.
    fn choose(&mut self, op: &str, x: &str, y: &str, yes: &str, no: &str) -> String {
        let ty = self.floats();
        let c = self.f(&format!("fcmp {op}"), x, y);
        self.emit(&format!("select <{} x i1> {c}, {ty} {yes}, {ty} {no}", self.lanes))
    }

    fn to_bits(&mut self, x: &str) -> String {
        let (from, to) = (self.floats(), self.ints());
        self.emit(&format!("bitcast {from} {x} to {to}"))
    }

    fn of_bits(&mut self, x: &str) -> String {
        let (from, to) = (self.ints(), self.floats());
        self.emit(&format!("bitcast {from} {x} to {to}"))
    }

    /// 2 to the power of an integer whose power is a normal number.
    fn power(&mut self, k: &str) -> String {
        let (mantissa, bias) = self.width.format();
        let k = self.i("add", k, &self.int(bias));
        let k = self.i("shl", &k, &self.int(mantissa));
        self.of_bits(&k)
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

/// `exp x = 2^n · exp r` with `n` the integer nearest to `x / ln 2`, so that `|r| ≤ ln 2 / 2`. The
/// series of `exp r` has as many terms as count. What is multiplied by are two halves of `2^n`, since
/// results of the ends of the range have a power that is no normal number.
fn exp(ir: &mut Ir) -> String {
    // From here on results are infinite, or zero; the half of `n` is still an exponent. The last
    // term is the power of `r` whose share of the sum is below its rounding.
    let (greatest, least, terms) = match ir.width {
        Width::F32 => (104.0, -104.0, 7u32),
        Width::F64 => (746.0, -746.0, 13),
    };
    let (greatest, least) = (ir.float(greatest), ir.float(least));
    // No number passes both unchanged, as comparisons with it fail.
    let x = ir.choose("ogt", "%x", &greatest, &greatest, "%x");
    let x = ir.choose("olt", &x, &least, &least, &x);
    // Adding a large number rounds to an integer, which is then in the low bits.
    let (mantissa, _) = ir.width.format();
    let large = 1.5 * (mantissa as f64).exp2();
    let shifted = ir.fma(&x, &ir.float(std::f64::consts::LOG2_E), &ir.float(large));
    let n = ir.f("fsub", &shifted, &ir.float(large));
    let (high, low) = ir.ln2();
    let r = ir.fma(&n, &ir.float(-high), &x);
    let r = ir.fma(&n, &ir.float(-low), &r);
    // 1/terms!, …, 1/2!
    let coefficients: Vec<f64> =
        (2..=terms).rev().map(|k| 1.0 / (2..=k).map(f64::from).product::<f64>()).collect();
    let p = ir.horner(&r, &coefficients);
    let square = ir.f("fmul", &r, &r);
    let y = ir.fma(&p, &square, &r);
    let y = ir.f("fadd", &y, &ir.float(1.0));
    let bits = ir.to_bits(&shifted);
    let n = ir.i("sub", &bits, &ir.int(ir.width.bits(large)));
    let half = ir.i("ashr", &n, &ir.int(1));
    let rest = ir.i("sub", &n, &half);
    let (half, rest) = (ir.power(&half), ir.power(&rest));
    let y = ir.f("fmul", &y, &half);
    ir.f("fmul", &y, &rest)
}

/// `log x = k · ln 2 + log m` with `m = 1 + f` between `√½` and `√2`, and `log m = 2 · artanh s` with
/// `s = f / (2 + f)`, in a form whose largest part is `f` itself.
fn log(ir: &mut Ir) -> String {
    let (mantissa, _) = ir.width.format();
    // Numbers below the normal ones are made larger first.
    let least = ir.float(f64::from(f32::MIN_POSITIVE));
    let up = ir.f("fmul", "%x", &ir.float((mantissa as f64).exp2()));
    let x = ir.choose("olt", "%x", &least, &up, "%x");
    let extra = ir.choose("olt", "%x", &least, &ir.float(-(mantissa as f64)), &ir.float(0.0));
    let root = ir.int(ir.width.bits(std::f64::consts::FRAC_1_SQRT_2));
    let bits = ir.to_bits(&x);
    let bits = ir.i("sub", &bits, &root);
    let k = ir.i("ashr", &bits, &ir.int(mantissa));
    let m = ir.i("and", &bits, &ir.int((1 << mantissa) - 1));
    let m = ir.i("add", &m, &root);
    let m = ir.of_bits(&m);
    let (ints, floats) = (ir.ints(), ir.floats());
    let k = ir.emit(&format!("sitofp {ints} {k} to {floats}"));
    let k = ir.f("fadd", &k, &extra);
    let f = ir.f("fadd", &m, &ir.float(-1.0));
    let divisor = ir.f("fadd", &f, &ir.float(2.0));
    let s = ir.f("fdiv", &f, &divisor);
    let z = ir.f("fmul", &s, &s);
    let p = ir.horner(&z, &[2.0 / 9.0, 2.0 / 7.0, 2.0 / 5.0, 2.0 / 3.0]);
    let p = ir.f("fmul", &z, &p);
    // log (1 + f) = f − (f²/2 − s · (f²/2 + p))
    let half = ir.f("fmul", &f, &ir.float(0.5));
    let half = ir.f("fmul", &f, &half);
    let inner = ir.f("fadd", &half, &p);
    let inner = ir.f("fmul", &s, &inner);
    let (high, low) = ir.ln2();
    let inner = ir.fma(&k, &ir.float(low), &inner);
    let inner = ir.f("fsub", &half, &inner);
    let y = ir.f("fsub", &f, &inner);
    let y = ir.fma(&k, &ir.float(high), &y);
    let infinite = ir.float(f64::INFINITY);
    let zero = ir.float(0.0);
    let y = ir.choose("oeq", "%x", &infinite, "%x", &y);
    let y = ir.choose("oeq", "%x", &zero, &ir.float(f64::NEG_INFINITY), &y);
    ir.choose("ult", "%x", &zero, &ir.float(f64::NAN), &y)
}
