//! What is printed is read back as it was: a text that has everything, and random programs.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test")]

use futc_midend::ir::parse::parse_program;
use futc_midend::ir::*;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use half::f16;

/// One of everything, in canonical form.
const EVERYTHING: &str = r##"level mem

global (k_1: i64, tab_2: [k_1]f32) = {
  let t_3: i64 = add.i64(2, -3)
  let u_4: [t_3]f32 = replicate([t_3], -0.0f32) at "a.fut:1:1-4"
  in (t_3, u_4)
}

#[inline, `odd name`] fun `+`_ (n_5: i64, *xs_6: [n_5]f32 @ m_7 -> {(n_5 * 4); (n_5, (1 - n_5))}) : (k_8: i64, r_9: [k_8]i32) at "a.fut:2:1"
  entry "main" ("xs": *"[]f32" []f32, "r": "rec \"q\"" {i32, [][]u8} record ("a": "i32" i32, "b": "[][]u8" [][]u8)) -> ("s" {u8, i64} sum ("A" ("i64" i64 in [1]), "B" ()), "arr" {[]f16} array 1 "e" {f16})
{
  let c_10: cert = assert(true, "bad\n", n_5: i64, " is") at "a.fut:3:1"
  let (a_11: i32, b_12: [n_5]f32) = <c_10> #[sequential] call `+`_(n_5, xs_6)
  let d_13: f32 = index b_12[0]
  let e_14: [2]f32 = index b_12[1 :+ 2 * -1]
  let f_15: [n_5]f32 = update b_12[n_5 :+ 2 * 1] with e_14
  let g_16: [2][3]f32 = flat_index f_15[0; (2, 3), (3, 1)]
  let h_17: [n_5]f32 = flat_update f_15[0; (2, 3), (3, 1)] with g_16
  let i_18: [5]i8 = iota.i8(5, 0i8, -1i8)
  let j_19: [2]f64 = array [f64.inf, -f64.inf] of f64
  let k_20: f32 = f32.nan(0x7fc00001)
  let l_21: [3][2]f32 = rearrange(g_16, [1, 0])
  let m_22: [6]f32 = reshape(l_21, [6])
  let n_23: [12]f32 = concat(0, [m_22, m_22], 12)
  let o_24: [1][2]f16 = scratch(f16, [1, 2])
  let p_25: [12]f32 = copy(n_23)
  let q_26: i64 = opaque(k_8)
  let r_27: i64 = trace(q_26)
  let s_28: bool = not(true)
  let t_29: i32 = zext.i8.i32(-1i8)
  let u_30: f32 = math.atan2.f32(d_13, 1e-7f32)
  let v_31: i64 = if s_28 {
    let a_32: i64 = pow.i64(2, 3)
    in a_32
  } else {
    in 5
  }
  let (w_33: i64, x_34: i32) = match t_29 case 1i32 {
    in (1, 2i32)
  } case -1i32 {
    in (3, 4i32)
  } default {
    in (5, 6i32)
  }
  let (y_35: i64, z_36: [y_35]f32) = loop (a_37: i64 = n_5, b_38: [a_37]f32 = b_12) for i_39: i32 < t_29 {
    in (a_37, b_38)
  }
  let aa_40: bool = loop (c_41: bool = s_28) while c_41 {
    in false
  }
  let bb_42: [12]f32 = map(12, [p_25], \(x_43: f32) : (f32) {
    let y_44: f32 = fneg.f32(x_43)
    in y_44
  })
  let cc_45: f32 = reduce(12, [p_25], \(x_46: f32) id, commutative op [0.0f32] \(a_47: f32, b_48: f32) : (f32) {
    let c_49: f32 = fadd.f32(a_47, b_48)
    in c_49
  })
  let dd_50: [12]i64 = scanomap(12, [], \() : (i64) {
    in 1
  }, op [0] \(a_51: i64, b_52: i64) : (i64) {
    in a_51
  })
  let (ee_53: [12]i64, ff_54: i64) = screma(12, [], \() : (i64, i64) {
    in (1, 2)
  }, scans, op [0] \(a_55: i64, b_56: i64) : (i64) {
    in a_55
  }, reduces, op [0] \(a_57: i64, b_58: i64) : (i64) {
    in b_58
  })
  let gg_59: [12]f32 = hist(12, [dd_50, p_25], \(i_60: i64, x_61: f32) id, into [12] [bb_42] op [0.0f32] \(a_62: f32, b_63: f32) : (f32) {
    in a_62
  })
  let hh_64: [12]f32 = scatter(12, [dd_50, p_25], \(i_65: i64, x_66: f32) id, into 1 gg_59)
  let (ii_67: mem.device) = alloc((8 * (n_5 + 1)), device)
  let () = retain(ii_67)
  let () = release(ii_67)
  let jj_68: [n_5][3]f32 @ ii_67 -> {0; (n_5, 3), (3, 1)} = segmap grid (i_69 < n_5, j_70 < 3) : (f32) {
    let t_71: i64 = mul.i64(i_69, j_70)
    in (return 1.5f32)
  }
  let (kk_72: [n_5]f32, ll_73: [12]f32) = segred seq (i_74 < n_5, j_75 < 3) op [0.0f32] \(a_76: f32, b_77: f32) : (f32) {
    in a_76
  } : (f32, [12]f32) {
    in (return 1.0f32, write hh_64 {[i_74] = 1.0f32, [j_75] = d_13})
  }
  let mm_78: [12]f32 = seghist grid (i_79 < n_5) into [12] [hh_64] op [0.0f32] \(a_80: f32, b_81: f32) : (f32) {
    in a_80
  } : (i64, f32) {
    in (return i_79, return 65504.0f16)
  }
  let `x y`_82: bool = eq.f16(1.0f16, 0.1f16)
  in (n_5, i_18)
}

fun f.g (_83: i64) : () {
  in ()
}
"##;

#[test]
fn everything_comes_back() {
    let text = EVERYTHING
        .replace("(ii_67: mem.device)", "ii_67: mem.device")
        .replace("0.1f16", "0.099975586f16")
        .replace("`+`_", "`+`");
    let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(p.to_string(), text);
    assert_eq!(p.next_tag, 84);
}

#[test]
fn taken_tags_are_replaced() {
    let p = parse_program(
        "level soacs fun f (x_1: i64) : (r_2: i64) {
           let x_1: i64 = add.i64(x_1, 1) // shadows
           let y_2: i64 = mul.i64(x_1, x_1) -- taken by the result
           in y_2
         }",
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        p.funs[0].to_string(),
        "fun f (x_1: i64) : (r_2: i64) {
  let x_3: i64 = add.i64(x_1, 1)
  let y_4: i64 = mul.i64(x_3, x_3)
  in y_4
}
"
    );
}

#[test]
fn errors_have_positions() {
    let e =
        parse_program("level soacs\nfun f () : () {\n  let x_1: i65 = 3\n  in () }").unwrap_err();
    assert_eq!((e.line, e.column), (3, 12));
    assert!(parse_program("level soacs\nfun f () : () { in (\"a) }").is_err());
    assert!(parse_program("").is_err());
}

/// A small generator; well-typed or not does not matter to the printer.
struct Gen {
    state: u64,
    next: u32,
}

impl Gen {
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.state >> 33) as usize) % n
    }

    fn many<T>(&mut self, f: impl Fn(&mut Gen) -> T) -> Vec<T> {
        let n = self.below(3);
        (0..n).map(|_| f(self)).collect()
    }

    fn some<T>(&mut self, f: impl Fn(&mut Gen) -> T) -> Vec<T> {
        let n = 1 + self.below(2);
        (0..n).map(|_| f(self)).collect()
    }

    fn name(&mut self) -> Name {
        Name::new(["x", "y'", "a.b", "", "+^", "x_1", "let", "true", "in_"][self.below(9)])
    }

    fn fun_name(&mut self) -> Name {
        Name::new(["main", "+", "a b", "f_1", "g.h"][self.below(5)])
    }

    fn linkage(&mut self) -> Linkage {
        match self.below(3) {
            0 => Linkage::Exported(self.fun_name()),
            1 => Linkage::Imported(Import {
                symbol: self.fun_name(),
                has_effects: self.below(2) == 0,
                sees_globals: self.below(2) == 0,
            }),
            _ => Linkage::Internal,
        }
    }

    fn binder(&mut self) -> Var {
        let base = self.name();
        self.next += 1;
        Var { base, tag: self.next - 1 }
    }

    /// A variable that nothing binds, so that reading leaves it alone.
    fn var(&mut self) -> Var {
        Var { base: Name::new("free"), tag: self.below(10) as u32 }
    }

    fn prim(&mut self) -> Prim {
        let ints = IntType::ALL.map(Prim::Int);
        let floats = FloatType::ALL.map(Prim::Float);
        match self.below(8) {
            0 => Prim::Bool,
            i @ 1..=4 => ints[i - 1],
            i => floats[i - 5],
        }
    }

    fn int(&mut self) -> IntType {
        IntType::ALL[self.below(4)]
    }

    fn float(&mut self) -> FloatType {
        FloatType::ALL[self.below(3)]
    }

    fn constant(&mut self) -> Const {
        let (hi, lo) = (self.below(1 << 30) as u64, self.below(1 << 30) as u64);
        let bits = match self.below(4) {
            0 => 0,
            1 => u64::MAX,
            _ => (hi << 34) ^ (lo << 4) ^ hi,
        };
        match self.below(8) {
            0 => Const::F16(f16::INFINITY),
            1 => Const::F64(-f64::INFINITY),
            _ => Const::from_bits(self.prim(), bits),
        }
    }

    fn subexp(&mut self) -> SubExp {
        if self.below(2) == 0 { self.var().into() } else { self.constant().into() }
    }

    fn ty(&mut self) -> Type {
        match self.below(8) {
            0 => Type::Cert,
            1 => Type::Mem(MemSpace::Host),
            2 => Type::Mem(MemSpace::Device),
            _ => {
                let shape = self.many(Gen::subexp);
                Type::array(self.prim(), shape)
            }
        }
    }

    fn size(&mut self, depth: usize) -> Size64 {
        let op = [Size64::Add, Size64::Sub, Size64::Mul];
        if depth == 0 || self.below(2) == 0 {
            return Size64::Leaf(self.subexp());
        }
        let (a, b) = (self.size(depth - 1), self.size(depth - 1));
        op[self.below(3)](Box::new(a), Box::new(b))
    }

    fn mem(&mut self) -> Option<MemBind> {
        (self.below(3) == 0).then(|| MemBind {
            block: self.var(),
            lmad: Lmad {
                offset: self.size(2),
                dims: self.many(|g| LmadDim { n: g.subexp(), stride: g.size(2) }),
            },
        })
    }

    fn pat(&mut self) -> PatElem {
        let (ty, mem) = (self.ty(), self.mem());
        PatElem { var: self.binder(), ty, mem }
    }

    fn param(&mut self) -> Param {
        let p = self.pat();
        Param { var: p.var, ty: p.ty, unique: self.below(4) == 0, mem: p.mem }
    }

    fn body(&mut self, depth: usize) -> Body {
        Body { stms: self.many(|g| g.stm(depth)), result: self.many(Gen::subexp) }
    }

    fn stm(&mut self, depth: usize) -> Stm {
        Stm {
            schedule: None,
            pat: self.many(Gen::pat),
            exp: self.exp(depth),
            certs: self.many(Gen::var),
            attrs: self.many(Gen::attr),
            loc: (self.below(2) == 0).then(|| Name::new("dir/a \"b\".fut:1:2-3")),
        }
    }

    fn attr(&mut self) -> StmAttr {
        let all = [
            StmAttr::Inline,
            StmAttr::Unsafe,
            StmAttr::Schedule(Forced::Lanes),
            StmAttr::Schedule(Forced::Tree),
            StmAttr::InCache,
            StmAttr::Strip,
        ];
        all[self.below(all.len())]
    }

    fn lambda(&mut self, depth: usize) -> Lambda {
        if self.below(4) == 0 {
            let params = self.many(Gen::param);
            let result = params.iter().map(|p| p.var.into()).collect();
            let ret = params.iter().map(|p| p.ty.clone()).collect();
            return Lambda { params, body: Body { stms: vec![], result }, ret };
        }
        Lambda { params: self.many(Gen::param), ret: self.many(Gen::ty), body: self.body(depth) }
    }

    fn reduction(&mut self, depth: usize) -> Reduction {
        Reduction {
            op: self.lambda(depth),
            neutral: self.many(Gen::subexp),
            commutative: self.below(2) == 0,
        }
    }

    fn hist_op(&mut self, depth: usize) -> HistOp {
        HistOp {
            shape: self.many(Gen::subexp),
            dests: self.many(Gen::var),
            op: self.reduction(depth),
        }
    }

    fn dim(&mut self) -> DimIndex {
        if self.below(2) == 0 {
            DimIndex::Fix(self.subexp())
        } else {
            DimIndex::Slice { start: self.subexp(), n: self.subexp(), stride: self.subexp() }
        }
    }

    fn seg(&mut self, depth: usize) -> SegOp {
        let level = SegLevel::ALL[self.below(SegLevel::ALL.len())];
        let space = SegSpace { dims: self.some(|g| (g.binder(), g.subexp())) };
        let body = KernelBody {
            stms: self.many(|g| g.stm(depth)),
            results: self.many(|g| {
                if g.below(2) == 0 {
                    KernelResult::Return(g.subexp())
                } else {
                    let writes = g.many(|g| (g.many(Gen::subexp), g.subexp()));
                    KernelResult::Write { dest: g.var(), writes }
                }
            }),
            types: self.many(Gen::ty),
        };
        let kind = match self.below(4) {
            0 => SegKind::Map,
            1 => SegKind::Red(self.many(|g| g.reduction(depth))),
            2 => SegKind::Scan(self.many(|g| g.reduction(depth))),
            _ => SegKind::Hist(self.many(|g| g.hist_op(depth))),
        };
        SegOp { level, space, kind, body }
    }

    fn exp(&mut self, depth: usize) -> Exp {
        let kinds = if depth == 0 { 23 } else { 30 };
        match self.below(kinds) {
            0 => Exp::SubExp(self.subexp()),
            1 => Exp::UnOp(UnOp::FSignum(self.float()), self.subexp()),
            2 => Exp::BinOp(BinOp::AShr(self.int()), self.subexp(), self.subexp()),
            3 => Exp::CmpOp(CmpOp::Eq(self.prim()), self.subexp(), self.subexp()),
            4 => Exp::ConvOp(ConvOp::FPToUI(self.float(), self.int()), self.subexp()),
            5 => {
                let f = MathFn::ALL[self.below(MathFn::ALL.len())];
                let xs = (0..f.arity()).map(|_| self.subexp()).collect();
                Exp::Math(f, Prim::Float(self.float()), xs)
            }
            6 => Exp::ArrayLit { elems: self.many(Gen::subexp), row: Type::BOOL },
            7 => Exp::Index { array: self.var(), dims: self.some(Gen::dim) },
            8 => Exp::Update { array: self.var(), dims: self.some(Gen::dim), value: self.subexp() },
            9 => Exp::FlatIndex {
                array: self.var(),
                offset: self.subexp(),
                dims: self.some(|g| (g.subexp(), g.subexp())),
            },
            10 => Exp::FlatUpdate {
                array: self.var(),
                offset: self.subexp(),
                dims: self.some(|g| (g.subexp(), g.subexp())),
                value: self.var(),
            },
            11 => Exp::Iota {
                n: self.subexp(),
                start: self.subexp(),
                stride: self.subexp(),
                ty: self.int(),
            },
            12 => Exp::Replicate { shape: self.many(Gen::subexp), value: self.subexp() },
            13 => Exp::Scratch { elem: self.prim(), shape: self.many(Gen::subexp) },
            14 => Exp::Reshape { array: self.var(), shape: self.many(Gen::subexp) },
            15 => Exp::Rearrange { array: self.var(), perm: self.many(|g| g.below(4)) },
            16 => {
                Exp::Concat { dim: self.below(3), arrays: self.some(Gen::var), size: self.subexp() }
            }
            17 => Exp::Copy(self.var()),
            18 => Exp::Opaque(self.subexp()),
            19 => Exp::Assert {
                kind: [AssertKind::Guard, AssertKind::Size, AssertKind::Kept][self.below(3)],
                cond: self.subexp(),
                msg: self.many(|g| match g.below(2) {
                    0 => MsgPart::Text("a \\ \"b\"\n\u{1}é".to_string()),
                    _ => MsgPart::Value(g.subexp(), PrimType::U16),
                }),
            },
            20 => Exp::Call { fun: self.fun_name(), args: self.many(Gen::subexp) },
            21 => Exp::Alloc { bytes: self.size(3), space: MemSpace::Device },
            22 => Exp::Release(self.var()),
            23 => Exp::Match {
                scrutinee: self.subexp(),
                cases: self.many(|g| (g.constant(), g.body(depth - 1))),
                default: self.body(depth - 1),
            },
            24 => {
                let (params, init) = self.many(|g| (g.param(), g.subexp())).into_iter().unzip();
                let form = if self.below(2) == 0 {
                    LoopForm::While { cond: self.var() }
                } else {
                    let bound = self.subexp();
                    LoopForm::For { var: self.binder(), ty: self.int(), bound }
                };
                Exp::Loop { params, init, form, body: self.body(depth - 1) }
            }
            25 | 26 => Exp::Soac(Soac::Screma {
                width: self.subexp(),
                inputs: self.many(Gen::var),
                lambda: self.lambda(depth - 1),
                scans: self.many(|g| g.reduction(depth - 1)),
                reduces: self.many(|g| g.reduction(depth - 1)),
            }),
            27 => Exp::Soac(Soac::Hist {
                width: self.subexp(),
                inputs: self.many(Gen::var),
                ops: self.many(|g| g.hist_op(depth - 1)),
                lambda: self.lambda(depth - 1),
            }),
            28 => Exp::Soac(Soac::Scatter {
                width: self.subexp(),
                inputs: self.many(Gen::var),
                dests: self.many(|g| (g.below(3), g.var())),
                lambda: self.lambda(depth - 1),
            }),
            _ => Exp::Seg(self.seg(depth - 1)),
        }
    }
}

#[test]
fn random_programs_come_back() {
    for seed in 0..400 {
        let mut g = Gen { state: seed, next: 100 };
        let funs = g.some(|g| Fun {
            name: g.fun_name(),
            entry: None,
            linkage: g.linkage(),
            params: g.many(Gen::param),
            results: g.many(Gen::pat),
            body: g.body(3),
            attrs: g.many(Gen::fun_name),
            loc: None,
        });
        let mut funs: Vec<Fun> = funs;
        for f in funs.iter_mut().filter(|f| f.is_imported()) {
            f.body = Body::default();
        }
        let program = Program {
            level: [Level::Soacs, Level::Seg, Level::Mem][g.below(3)],
            next_tag: 0,
            consts: Body::default(),
            globals: vec![],
            funs,
        };
        let text = program.to_string();
        let mut back = parse_program(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        back.next_tag = 0;
        // Equality of variables looks at tags only; the text shows bases as well.
        assert_eq!(back.to_string(), text, "seed {seed}");
        assert!(back == program, "seed {seed}\n{text}");
    }
}
