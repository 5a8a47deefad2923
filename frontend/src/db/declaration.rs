//! Declarations, and which names they bind, as far as that can be seen without checking.

use crate::check::modules::duplicates::{NameSpace, duplicates};
use crate::check::types::env::Namespace;
use crate::db::input::{Db, SourceFile};
use crate::db::syntax::{chunk_starts, parse};
use crate::diag::Diagnostic;
use crate::syntax::ast::{Dec, DecKind, Ident};
use crate::syntax::lexer::{TokenKind, lex};
use crate::syntax::parser::ParsedDec;
use futc_typed::name::Name;
use futc_typed::span::FileId;
use std::collections::HashMap;

#[allow(missing_docs, reason = "salsa makes functions without documentation")]
mod tracked {
    use super::{Dec, FileId, Head, SourceFile};
    use std::sync::Arc;

    /// A declaration of a file that is not inside another.
    #[salsa::tracked]
    pub struct Declaration<'db> {
        /// Its file.
        #[returns(copy)]
        pub file: SourceFile,
        /// The chunk that it is.
        #[returns(copy)]
        pub chunk: FileId,
        /// What it is called.
        #[tracked]
        #[returns(copy)]
        pub head: Head,
        /// Its tree, without the documentation comment before it.
        #[tracked]
        #[returns(ref)]
        pub tree: Arc<Dec>,
        /// Its text, to which its spans are relative.
        #[tracked]
        #[returns(ref)]
        pub text: Arc<str>,
        /// Where in the text the chunks inside of it begin.
        #[tracked]
        #[returns(ref)]
        pub inner: Arc<[(FileId, u32)]>,
        /// The documentation comment before it.
        #[tracked]
        #[returns(ref)]
        pub doc: Option<Arc<str>>,
    }
}
pub use tracked::Declaration;

/// What can be said of a declaration without looking into it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Head {
    /// What names it binds.
    pub binds: Binds,
    /// It is `local`.
    pub local: bool,
}

/// The names that a declaration binds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binds {
    /// `def`, `let` and `entry`
    Value(Ident),
    /// `type`
    Type(Ident),
    /// `module`
    Module(Ident),
    /// `module type`
    ModType(Ident),
    /// `open`: those of a module.
    Opened,
    /// `import`: those of a file, which are not handed on.
    Imported,
}

impl Binds {
    /// The name, if it is one.
    pub fn name(self) -> Option<Ident> {
        match self {
            Binds::Value(name) | Binds::Type(name) | Binds::Module(name) | Binds::ModType(name) => {
                Some(name)
            }
            Binds::Opened | Binds::Imported => None,
        }
    }

    /// What a name means behind the declaration: in these spaces, what this declaration says.
    pub(crate) fn spaces(self) -> &'static [NameKind] {
        match self {
            Binds::Value(_) | Binds::Module(_) => &[NameKind::Value, NameKind::Module],
            Binds::Type(_) => &[NameKind::Type],
            Binds::ModType(_) => &[NameKind::ModType],
            Binds::Opened | Binds::Imported => &[],
        }
    }
}

pub(crate) fn head(dec: &Dec) -> Head {
    let mut kind = &dec.kind;
    let mut local = false;
    while let DecKind::Local(inner) = kind {
        local = true;
        kind = &inner.kind;
    }
    let binds = match kind {
        DecKind::Val(bind) => Binds::Value(bind.name),
        DecKind::Type(bind) => Binds::Type(bind.name),
        DecKind::Mod(bind) => Binds::Module(bind.name),
        DecKind::ModType(bind) => Binds::ModType(bind.name),
        DecKind::Open(_) | DecKind::Local(_) => Binds::Opened,
        DecKind::Import(_) => Binds::Imported,
    };
    Head { binds, local }
}

/// The declarations of a file, in order.
#[salsa::tracked(returns(ref))]
pub fn declarations<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Declaration<'db>> {
    let make = |dec: &ParsedDec| {
        let ParsedDec { chunk, tree, doc, text, inner } = dec.clone();
        Declaration::new(db, file, chunk.id, head(&tree), tree, text, inner, doc)
    };
    parse(db, file).decs.iter().map(make).collect()
}

/// Kinds of what names mean. A value and a module of one name hide each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum NameKind {
    /// Values and functions.
    Value,
    /// Modules.
    Module,
    /// Types.
    Type,
    /// Module types.
    ModType,
}

impl NameKind {
    /// The name space of scopes that it is a part of.
    pub(crate) fn of_scope(self) -> Namespace {
        match self {
            NameKind::Value | NameKind::Module => Namespace::Value,
            NameKind::Type => Namespace::Type,
            NameKind::ModType => Namespace::ModType,
        }
    }
}

pub(crate) const NAME_KINDS: [NameKind; 4] =
    [NameKind::Value, NameKind::Module, NameKind::Type, NameKind::ModType];

/// Where the meaning of a name comes from: an earlier declaration of the file, or one of the prelude.
#[derive(Clone, Copy, PartialEq, Eq, salsa::SalsaValue)]
pub struct Source<'db> {
    /// The name.
    pub name: Name,
    /// What it is looked up as.
    pub space: NameKind,
    /// What binds it.
    pub dec: Declaration<'db>,
}

/// Which declarations of a file bind which names.
#[derive(Clone, PartialEq, Eq, salsa::SalsaValue)]
pub struct Outline<'db> {
    /// The declarations in order.
    pub decs: Vec<Declaration<'db>>,
    /// Where in the list a declaration is.
    pub(crate) index: HashMap<FileId, u32>,
    /// Where the names are that are bound singly.
    pub(crate) names: HashMap<Name, Vec<(NameKind, u32)>>,
    /// Where many are bound at once.
    opens: Vec<u32>,
}

impl<'db> Outline<'db> {
    /// The declaration that is a chunk.
    pub fn by_chunk(&self, chunk: FileId) -> Option<Declaration<'db>> {
        self.dec(*self.index.get(&chunk)?)
    }

    pub(crate) fn dec(&self, index: u32) -> Option<Declaration<'db>> {
        self.decs.get(index as usize).copied()
    }

    /// The last `open` or `import` before a declaration.
    pub(crate) fn open_before(&self, index: u32) -> Option<u32> {
        let after = self.opens.partition_point(|at| *at < index);
        self.opens.get(after.checked_sub(1)?).copied()
    }
}

/// Which declarations of a file bind which names.
#[salsa::tracked(returns(ref))]
pub fn outline<'db>(db: &'db dyn Db, file: SourceFile) -> Outline<'db> {
    let decs = declarations(db, file).clone();
    let mut index = HashMap::with_capacity(decs.len());
    let mut names: HashMap<Name, Vec<(NameKind, u32)>> = HashMap::with_capacity(decs.len());
    let mut opens = Vec::new();
    for (at, dec) in (0u32..).zip(&decs) {
        index.insert(dec.chunk(db), at);
        let binds = dec.head(db).binds;
        match binds.name() {
            Some(name) => {
                let places = names.entry(name.name).or_default();
                places.extend(binds.spaces().iter().map(|space| (*space, at)));
            }
            None => opens.push(at),
        }
    }
    Outline { decs, index, names, opens }
}

/// Names that a file's declarations define twice.
#[salsa::tracked(returns(ref))]
pub fn duplicate_definitions(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let heads = declarations(db, file).iter().map(|dec| dec.head(db)).filter(|head| !head.local);
    duplicates(heads.filter_map(|head| {
        let space = match head.binds {
            Binds::Value(_) | Binds::Module(_) => NameSpace::Values,
            Binds::Type(_) => NameSpace::Types,
            Binds::ModType(_) => NameSpace::ModTypes,
            Binds::Opened | Binds::Imported => return None,
        };
        Some((space, head.binds.name()?))
    }))
}

/// The names in a declaration's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mentions {
    /// Each once, in the order of their text.
    pub names: Vec<Name>,
    /// Those that may be modules, in the same order: in definitions and types, what stands before a dot.
    pub qualifiers: Vec<Name>,
}

/// The names in a declaration's text.
///
/// They are taken from its tokens, not from its tree: fields and local variables are among them,
/// which costs nothing but a dependency on a declaration of the same name.
#[salsa::tracked(returns(ref))]
pub fn mentions<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Mentions {
    let text = dec.text(db);
    let (tokens, _) = lex(dec.chunk(db), text);
    let plain = matches!(dec.head(db).binds, Binds::Value(_) | Binds::Type(_));
    let mut words: Vec<&str> = Vec::with_capacity(tokens.len() / 2);
    let mut qualifiers: Vec<&str> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = token.text(text);
        match token.kind {
            TokenKind::Ident => {
                words.push(word);
                let dot = || tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Dot);
                if !plain || dot() {
                    qualifiers.push(word);
                }
            }
            TokenKind::Op
            | TokenKind::Star
            | TokenKind::Minus
            | TokenKind::Bang
            | TokenKind::Less
            | TokenKind::Hat
            | TokenKind::Pipe
            | TokenKind::Equals => words.push(word),
            // What follows the module is looked up inside it.
            TokenKind::QualOp => {
                words.extend(word.split('.').next());
                qualifiers.extend(word.split('.').next());
            }
            _ => {}
        }
    }
    let names = |mut words: Vec<&str>| {
        words.sort_unstable();
        words.dedup();
        words.into_iter().map(Name::new).collect()
    };
    Mentions { names: names(words), qualifiers: names(qualifiers) }
}

/// The declaration that holds a byte of a file, or ends there; and the byte's place in it. It is
/// one of the file itself: of what is inside of a module, the module.
pub fn declaration_at<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    byte: u32,
) -> Option<(Declaration<'db>, u32)> {
    let decs = &parse(db, file).decs;
    let after = decs.partition_point(|dec| dec.chunk.start <= byte);
    let chunk = decs.get(after.checked_sub(1)?)?.chunk;
    if byte > chunk.end {
        return None;
    }
    Some((outline(db, file).by_chunk(chunk.id)?, byte - chunk.start))
}

/// The declaration that a chunk is or is inside of, if its file still has it.
pub fn declaration_of<'db>(db: &'db dyn Db, chunk: FileId) -> Option<Declaration<'db>> {
    let file = db.file_of(chunk)?;
    let start = *chunk_starts(db, file).get(&chunk)?;
    // An empty declaration may end where the next begins; the next is meant.
    declaration_at(db, file, start).map(|(dec, _)| dec)
}
