//! Square roots of floats, and divisions by them, from estimates of processors, where there is a licence (`--fast-math`).
//!
//! ```text
//! s = llvm.sqrt z      r = estimate of 1 / √z, to 12 or 14 bits
//! p = x / s            e = r² · z - 1             p = x · r'      r' = r · (1 - e/2), a step of Newton's method
//! q = x / (z · s)                                 q = x · r · r² · (1 - 3/2 · e)
//!                                                 s = z · r', if it is used otherwise, with 512 bits
//! ```
//!
//! LLVM's code generation makes such of its own accord, but not well enough: of `x / (z · √z)` it makes `x` times the
//! root of `1 / z³`, and `z³` is infinite from 7e12 on; of infinity and zero it makes what is no number, and roots that
//! are no divisors stay on processors that it takes for quick. So this comes in its place, behind all other passes, which
//! see roots and quotients for what they are.
//!
//! Scalars stay, and divisions by other things. On a Zen 4, sixteen quotients of one instruction take 1.66 ns, and 1.44 ns
//! from an estimate, if infinity is not to make them no numbers; and that keeps the units busy that sums and products
//! want. (`1 / √z`: 4.3 and 1.4 ns.)

use crate::Error;
use crate::cpu::Cpu;
use crate::vector_values::{operand, put, splat};
use inkwell::FloatPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::builder::Builder;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use inkwell::types::VectorType;
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue as _, BasicValueEnum, CallSiteValue, FastMathFlags,
    InstructionOpcode, InstructionValue, VectorValue,
};

type Result<T> = std::result::Result<T, Error>;

/// Lanes of the narrowest register, and of the widest, for which the estimate is one of 14 bits.
const NARROW: u32 = 4;
const WIDE: u32 = 16;
/// The reciprocals of roots of all numbers but those close to zero lie between these.
const SMALL: f64 = 2.7e-20;
const LARGE: f64 = 1e19;

/// Puts estimates in the place of the roots of a module that may be approximated.
pub fn replace(module: &Module<'_>, machine: &TargetMachine, cpu: Cpu) -> Result<()> {
    if !machine.get_triple().as_str().to_bytes().starts_with(b"x86_64") {
        return Ok(());
    }
    let context = module.get_context();
    let none = context.create_string_attribute("reciprocal-estimates", "none");
    let widest = u32::try_from(cpu.vector_bytes / 4).map_err(Error::bug)?;
    let e = Estimates { builder: &context.create_builder(), module, widest, fma: cpu.fma };
    for function in module.get_functions().filter(|f| f.count_basic_blocks() > 0) {
        function.add_attribute(AttributeLoc::Function, none);
        let instructions = function.get_basic_block_iter().flat_map(|b| b.get_instructions());
        let roots: Vec<_> = instructions.filter(|i| is_root(*i)).collect();
        for root in roots {
            e.replace(root)?;
        }
    }
    Ok(())
}

/// Whether an instruction is the root of a vector of floats, as many as are in registers, and may be approximated.
fn is_root(i: InstructionValue<'_>) -> bool {
    let licensed = i.get_opcode() == InstructionOpcode::Call && has(i, FastMathFlags::ApproxFunc);
    let name = || CallSiteValue::try_from(i).ok()?.get_called_fn_value();
    licensed
        && name().is_some_and(|f| {
            let name = f.get_name().to_bytes();
            let lanes = name.strip_prefix(b"llvm.sqrt.").and_then(|n| n.strip_suffix(b"f32"));
            let lanes = lanes.and_then(|n| std::str::from_utf8(n).ok());
            let lanes = lanes.and_then(|n| n.strip_prefix('v')?.parse::<u32>().ok());
            lanes.is_some_and(|n| n.is_power_of_two() && n >= NARROW)
        })
}

fn has(i: InstructionValue<'_>, flag: FastMathFlags) -> bool {
    i.get_fast_math_flags().is_ok_and(|flags| flags.contains(flag))
}

struct Estimates<'b, 'l> {
    builder: &'b Builder<'l>,
    module: &'b Module<'l>,
    /// Lanes of the widest register.
    widest: u32,
    /// Whether there are fused operations.
    fma: bool,
}

/// What is known of `1 / √z` at first: the processor's estimate, its square, and by how much `z` times that is more than one.
#[derive(Clone, Copy)]
struct Estimate<'l> {
    value: VectorValue<'l>,
    square: VectorValue<'l>,
    excess: VectorValue<'l>,
}

impl<'l> Estimates<'_, 'l> {
    /// A root that is more than a divisor is only replaced in the widest registers, where sums of distances take 0.93 of the
    /// time so; in those of half and of a quarter they take 1.2 and 1.4 (Zen 4). Without fused operations, one that is also a
    /// divisor stays, too (1.1).
    fn replace(&self, root: InstructionValue<'l>) -> Result<()> {
        let divides = |i| divided_by(i).next().is_some();
        let only = |of| users(of).all(|i| is_quotient(i, of));
        let is_divisor = divides(root) || products(root).any(divides);
        let divides_only = users(root).all(|i| is_quotient(i, root) || is_product(i) && only(i));
        if !is_divisor && self.widest < WIDE || !divides_only && !self.fma {
            return Ok(());
        }
        let z = operand(root, 0)?;
        self.builder.position_before(&root);
        let estimate = self.estimate(z)?;
        for product in
            products(root).filter(|p| other_factor(*p, root) == Some(z)).collect::<Vec<_>>()
        {
            for quotient in divided_by(product).collect::<Vec<_>>() {
                self.builder.position_before(&quotient);
                put(self.by_cube(operand(quotient, 0)?, estimate)?, quotient)?;
            }
            erase_unused(product);
        }
        if root.get_first_use().is_some() {
            self.builder.position_before(&root);
            let reciprocals = self.reciprocals(estimate)?;
            self.replace_quotients(root, reciprocals)?;
            if self.widest == WIDE && root.get_first_use().is_some() {
                self.builder.position_before(&root);
                return put(self.roots(z, reciprocals)?, root);
            }
        }
        erase_unused(root);
        Ok(())
    }

    /// Puts products with `1 / √z` in the place of quotients that `√z` is a factor of the divisor of.
    fn replace_quotients(
        &self,
        root: InstructionValue<'l>,
        reciprocal: VectorValue<'l>,
    ) -> Result<()> {
        for quotient in divided_by(root).collect::<Vec<_>>() {
            self.builder.position_before(&quotient);
            put(self.mul(operand(quotient, 0)?, reciprocal)?, quotient)?;
        }
        for product in products(root).collect::<Vec<_>>() {
            let Some(other) = other_factor(product, root) else { continue };
            for quotient in divided_by(product).collect::<Vec<_>>() {
                self.builder.position_before(&quotient);
                let by = self.binary(InstructionOpcode::FDiv, reciprocal, other)?;
                // The other one may be a root, too.
                flag(by, quotient.get_fast_math_flags().map_err(Error::bug)?)?;
                put(self.mul(operand(quotient, 0)?, by)?, quotient)?;
            }
            erase_unused(product);
        }
        Ok(())
    }

    /// An estimate of `1 / √z`. The excess is less than a thousandth of one, but no number of zero and infinity: any
    /// that leaves them what they are will do.
    fn estimate(&self, z: VectorValue<'l>) -> Result<Estimate<'l>> {
        let value = self.by_registers(z)?;
        let square = self.mul(value, value)?;
        let excess = self.add(self.mul(z, square)?, splat(z.get_type(), -1.0))?;
        let excess = self.bound(excess, FloatPredicate::OLT, 0.5, false)?;
        Ok(Estimate { value, square, excess })
    }

    /// `1 / √z`: as `r² · z = 1 + e`, it is `r · (1 - e/2)` but for terms in `e²`.
    fn reciprocals(&self, of: Estimate<'l>) -> Result<VectorValue<'l>> {
        self.corrected(of.value, of.excess, &[-0.5])
    }

    /// `x / (z · √z)`, that is `x · r · r² · (1 - 3/2 · e)`, in an order in which nothing is infinite or zero before the
    /// quotient is. Of an estimate of 12 bits, the next term matters.
    fn by_cube(&self, x: VectorValue<'l>, of: Estimate<'l>) -> Result<VectorValue<'l>> {
        let is_close = x.get_type().get_size().min(self.widest) == WIDE;
        let terms: &[f64] = if is_close { &[-1.5] } else { &[-1.5, 1.875] };
        let square = self.corrected(of.square, of.excess, terms)?;
        self.mul(self.mul(x, of.value)?, square)
    }

    /// `x · (1 + a · e + b · e² + …)`
    fn corrected(
        &self,
        x: VectorValue<'l>,
        e: VectorValue<'l>,
        terms: &[f64],
    ) -> Result<VectorValue<'l>> {
        let constant = |c| splat(x.get_type(), c);
        let (last, before) = terms.split_last().ok_or_else(|| Error::bug("no terms"))?;
        let mut sum = constant(*last);
        for term in before.iter().rev().chain([&1.0]) {
            sum = self.add(self.mul(e, sum)?, constant(*term))?;
        }
        self.mul(x, sum)
    }

    /// `√z`, of `z` and `1 / √z`, which is made finite, so that zero comes of zero, and more than zero, so that
    /// infinity comes of infinity. What is no number stays that.
    fn roots(&self, z: VectorValue<'l>, r: VectorValue<'l>) -> Result<VectorValue<'l>> {
        let r = self.bound(r, FloatPredicate::OGT, LARGE, true)?;
        let r = self.bound(r, FloatPredicate::OLT, SMALL, true)?;
        self.mul(z, r)
    }

    /// One instruction: lanes that compare as asked with a constant, and the constant in place of the others; or, `otherwise`, the constant
    /// in place of those that do.
    fn bound(
        &self,
        x: VectorValue<'l>,
        by: FloatPredicate,
        constant: f64,
        otherwise: bool,
    ) -> Result<VectorValue<'l>> {
        let constant = splat(x.get_type(), constant);
        let (then, other) = if otherwise { (constant, x) } else { (x, constant) };
        let found = self.builder.build_float_compare(by, x, constant, "").map_err(Error::bug)?;
        let chosen = self.builder.build_select(found, then, other, "").map_err(Error::bug)?;
        Ok(chosen.into_vector_value())
    }

    /// What the processor knows of `1 / √z`, in as many registers as it takes.
    fn by_registers(&self, z: VectorValue<'l>) -> Result<VectorValue<'l>> {
        let lanes = z.get_type().get_size();
        if lanes <= self.widest {
            return self.by_register(z);
        }
        let half = lanes / 2;
        let part = |v, w, from, count| self.shuffled(v, w, from, count);
        let low = self.by_registers(part(z, z, 0, half)?)?;
        let high = self.by_registers(part(z, z, half, half)?)?;
        part(low, high, 0, lanes)
    }

    fn by_register(&self, z: VectorValue<'l>) -> Result<VectorValue<'l>> {
        let ty = z.get_type();
        let (name, masked) = match ty.get_size() {
            WIDE => ("llvm.x86.avx512.rsqrt14.ps.512", true),
            8 => ("llvm.x86.avx.rsqrt.ps.256", false),
            _ => ("llvm.x86.sse.rsqrt.ps", false),
        };
        let found = Intrinsic::find(name).and_then(|i| i.get_declaration(self.module, &[]));
        let found = found.ok_or_else(|| Error::bug(format_args!("LLVM has no {name}")))?;
        let mut arguments: Vec<BasicMetadataValueEnum<'l>> = vec![z.into()];
        if masked {
            let all = self.module.get_context().i16_type().const_all_ones();
            arguments.extend([ty.get_undef().into(), BasicMetadataValueEnum::from(all)]);
        }
        let call = self.builder.build_call(found, &arguments, "").map_err(Error::bug)?;
        let value = call.try_as_basic_value().basic();
        Ok(value.ok_or_else(|| Error::bug("an estimate without result"))?.into_vector_value())
    }

    /// Neighbours from two vectors that lie one behind the other.
    fn shuffled(
        &self,
        v: VectorValue<'l>,
        w: VectorValue<'l>,
        from: u32,
        count: u32,
    ) -> Result<VectorValue<'l>> {
        let i32 = self.module.get_context().i32_type();
        let at: Vec<_> = (from..from + count).map(|i| i32.const_int(i.into(), false)).collect();
        let at = VectorType::const_vector(&at);
        self.builder.build_shuffle_vector(v, w, at, "").map_err(Error::bug)
    }

    fn mul(&self, x: VectorValue<'l>, y: VectorValue<'l>) -> Result<VectorValue<'l>> {
        self.binary(InstructionOpcode::FMul, x, y)
    }

    fn add(&self, x: VectorValue<'l>, y: VectorValue<'l>) -> Result<VectorValue<'l>> {
        self.binary(InstructionOpcode::FAdd, x, y)
    }

    /// An operation that may be part of a fused one, which is all the licence it needs: in another order, Newton's method is none.
    fn binary(
        &self,
        op: InstructionOpcode,
        x: VectorValue<'l>,
        y: VectorValue<'l>,
    ) -> Result<VectorValue<'l>> {
        let value = self.builder.build_binop(op, x, y, "").map_err(Error::bug)?;
        let value = value.into_vector_value();
        flag(value, FastMathFlags::AllowContract)?;
        Ok(value)
    }
}

/// Products with this factor that may be taken apart.
fn products<'l>(factor: InstructionValue<'l>) -> impl Iterator<Item = InstructionValue<'l>> {
    users(factor).filter(|i| is_product(*i))
}

fn is_product(i: InstructionValue<'_>) -> bool {
    i.get_opcode() == InstructionOpcode::FMul && has(i, FastMathFlags::AllowReassoc)
}

/// The other factor of a product, if it is another one.
fn other_factor<'l>(
    product: InstructionValue<'l>,
    factor: InstructionValue<'l>,
) -> Option<VectorValue<'l>> {
    let factors = [operand(product, 0).ok()?, operand(product, 1).ok()?];
    factors.into_iter().find(|x| x.as_instruction_value() != Some(factor))
}

fn erase_unused(i: InstructionValue<'_>) {
    if i.get_first_use().is_none() {
        i.erase_from_basic_block();
    }
}

/// Quotients with this divisor that may be approximated.
fn divided_by<'l>(divisor: InstructionValue<'l>) -> impl Iterator<Item = InstructionValue<'l>> {
    users(divisor).filter(move |i| is_quotient(*i, divisor))
}

fn is_quotient<'l>(i: InstructionValue<'l>, divisor: InstructionValue<'l>) -> bool {
    let is = |index, of| operand(i, index).is_ok_and(|y| y.as_instruction_value() == Some(of));
    i.get_opcode() == InstructionOpcode::FDiv
        && has(i, FastMathFlags::AllowReciprocal | FastMathFlags::ApproxFunc)
        && is(1, divisor)
        && !is(0, divisor)
}

/// What makes values of a value.
fn users<'l>(of: InstructionValue<'l>) -> impl Iterator<Item = InstructionValue<'l>> {
    let uses = std::iter::successors(of.get_first_use(), |u| u.get_next_use());
    uses.filter_map(|u| BasicValueEnum::try_from(u.get_user()).ok()?.as_instruction_value())
}

fn flag(value: VectorValue<'_>, flags: FastMathFlags) -> Result<()> {
    match value.as_instruction_value() {
        Some(i) => i.set_fast_math_flags(flags).map_err(Error::bug),
        None => Ok(()),
    }
}
