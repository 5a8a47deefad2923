//! What is bound while a program is made: variables and functions.

use crate::types::{Size, Ty};
use std::sync::Arc;

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub name: String,
    pub ty: Ty,
    pub groups: Vec<u32>,
    /// Not consumed.
    pub alive: bool,
    /// It is a valid index into arrays of this size.
    pub below: Option<Size>,
    pub uses: u32,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(super) enum Param {
    Value { ty: Ty, unique: bool },
    Function(Vec<Ty>, Ty),
}

/// A function.
#[derive(Clone, Debug)]
pub(super) struct Fun {
    pub name: String,
    pub sizes: Vec<Arc<str>>,
    pub types: Vec<Arc<str>>,
    pub params: Vec<Param>,
    pub result: Ty,
    pub unique_result: bool,
    /// What its body mentions.
    pub captured: Vec<u32>,
    pub alive: bool,
    /// How many calls and iterations one call costs, about.
    pub work: i64,
}

/// The group of what may not be consumed.
pub(super) const BORROWED: u32 = 0;
