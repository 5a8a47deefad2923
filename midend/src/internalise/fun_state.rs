//! The state of a function under construction.

use crate::ir::{BinOp, CmpOp, ConvOp, Stm, StmAttr, SubExp, UnOp, Var};
use futc_typed::name::Name;
use futc_typed::span::Span;
use std::collections::HashMap;

/// A pure scalar statement, as key of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Pure {
    Un(UnOp, SubExp),
    Bin(BinOp, SubExp, SubExp),
    Cmp(CmpOp, SubExp, SubExp),
    Conv(ConvOp, SubExp),
}

/// Statements of one body, and what the table must forget when it ends.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) stms: Vec<Stm>,
    pub(super) known: Vec<Pure>,
    pub(super) asserted: Vec<SubExp>,
    pub(super) sized: Vec<SubExp>,
}

/// The state that belongs to the function being built.
#[derive(Default)]
pub(super) struct FunState {
    pub(super) scopes: Vec<Scope>,
    pub(super) known: HashMap<Pure, Var>,
    /// Conditions asserted in enclosing scopes, with their certificates.
    pub(super) asserted: HashMap<SubExp, Var>,
    /// Sizes known not to be negative, with the certificates that say so.
    pub(super) sized: HashMap<SubExp, Vec<Var>>,
    /// Certificates every statement here relies on.
    pub certs: Vec<Var>,
    pub attrs: Vec<StmAttr>,
    pub unchecked: bool,
    /// Call sites that led here, outermost first.
    pub sites: Vec<Span>,
    pub span: Option<Span>,
    /// Depth added to the scopes: 0 in the constants, 1 in functions, which see those.
    pub base: u32,
    /// The function, if it has a name yet.
    pub name: Option<Name>,
    /// Building constants, or a function that they call.
    pub in_consts: bool,
}

impl FunState {
    /// The state of a function about to be built.
    pub fn new(base: u32, in_consts: bool) -> FunState {
        FunState { base, in_consts, ..FunState::default() }
    }
}
