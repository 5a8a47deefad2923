//! A program to be changed: its text, its syntax tree, and what names and expressions are.

use super::edit::{Edit, apply};
use super::nodes::{Around, Definition, Node, Place, definitions, place, walk};
use futc_frontend::db::{CompilerDb, Db as _, diagnostics};
use futc_frontend::diag::{Severity, Sources as _, locate};
use futc_frontend::index::{NoteKind, SymbolKind, index, notes};
use futc_frontend::syntax::ast::{Exp, ExpKind, File, Pat, PatKind, SizeExp, TypeExpKind};
use futc_frontend::syntax::lexer::{TokenKind, lex};
use futc_frontend::syntax::parser::{parse_file, parse_type};
use futc_typed::span::FileId;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// A name where it is used.
struct Use {
    at: Place,
    name: &'static str,
    kind: SymbolKind,
    /// Where it is bound.
    bound: Place,
}

/// A variable that an expression uses and does not bind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Free {
    pub name: &'static str,
    /// Its type, in source syntax; nothing of a type parameter.
    pub ty: Option<Arc<str>>,
}

/// A program.
pub struct Source {
    pub text: String,
    pub tree: File,
    /// Types of expressions.
    exps: HashMap<Place, Arc<str>>,
    /// Types of variables, where they are bound.
    variables: HashMap<Place, Arc<str>>,
    uses: Vec<Use>,
    /// All names that are bound in the program.
    bound: HashSet<&'static str>,
}

/// Where programs are in the database.
const PATH: &str = "program.fut";

/// What is wrong with a program, if something is.
pub fn refused(db: &mut CompilerDb, text: &str) -> Option<String> {
    db.set_text(PATH, text);
    let said = diagnostics(db, db.source(PATH));
    let first = said.iter().find(|d| d.severity == Severity::Error)?;
    let at = first.labels.first().map(|(span, _)| locate(&db.sources(), *span));
    Some(format!("{}: {}", at.unwrap_or_default(), first.message))
}

impl Source {
    /// Reads a program. The error is what the checker says.
    pub fn read(db: &mut CompilerDb, text: &str) -> Result<Source, String> {
        if let Some(why) = refused(db, text) {
            return Err(why);
        }
        let file = db.source(PATH);
        let (tree, _) = parse_file(FileId(0), text);
        let (mut exps, mut variables) = (HashMap::new(), HashMap::new());
        for dec in &tree.decs {
            for note in notes(db, file, dec.span.start) {
                let table = match note.kind {
                    NoteKind::Expression => &mut exps,
                    NoteKind::Variable | NoteKind::Function => &mut variables,
                };
                table.insert(place(note.span), note.text);
            }
        }
        let index = index(db, file);
        let sources = db.sources();
        let in_file = |span| place(sources.absolute(span));
        let uses = index.occurrences.iter().filter(|o| !o.binds && o.target.file == file);
        let uses = uses.filter_map(|o| {
            let symbol = index.symbols.get(o.target.index as usize)?;
            Some(Use {
                at: in_file(o.span),
                name: symbol.name.as_str(),
                kind: symbol.kind,
                bound: in_file(symbol.span),
            })
        });
        Ok(Source {
            text: text.to_owned(),
            tree,
            exps,
            variables,
            uses: uses.collect(),
            bound: index.symbols.iter().map(|s| s.name.as_str()).collect(),
        })
    }

    /// The definitions of values, in order.
    pub fn definitions(&self) -> Vec<Definition<'_>> {
        let mut out = Vec::new();
        definitions(&self.tree.decs, self.start(), &Around::default(), &mut |d| out.push(d));
        out
    }

    /// Where something can be put before all declarations.
    pub fn start(&self) -> u32 {
        let Some(first) = self.tree.decs.first() else { return 0 };
        let before = self.text.get(..first.span.start as usize).unwrap_or("");
        // Attributes are no part of the declaration's span.
        let mut start = before.len();
        for _ in &first.attrs {
            start = before.get(..start).and_then(|b| b.rfind("#[")).unwrap_or(start);
        }
        start as u32
    }

    /// Whether a name of the prelude means that everywhere: the program binds none of that name.
    pub fn is_prelude(&self, name: &str) -> bool {
        !self.bound.contains(name)
    }

    /// The text at a place.
    pub fn at(&self, (start, end): Place) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// The text with some edits.
    pub fn with<'e>(&self, edits: impl Iterator<Item = &'e Edit>) -> Option<String> {
        apply(&self.text, edits)
    }

    /// The type of an expression, in source syntax.
    pub fn type_of(&self, exp: &Exp) -> Option<&str> {
        self.exps.get(&place(exp.span)).map(|t| &**t)
    }

    /// The type of a variable at the place that binds it.
    pub fn type_of_variable(&self, at: Place) -> Option<&str> {
        self.variables.get(&at).map(|t| &**t)
    }

    /// The type of what a pattern matches, of the types of its variables.
    pub fn type_of_pat(&self, pat: &Pat) -> Option<String> {
        match &pat.kind {
            PatKind::Var(name) => Some(self.type_of_variable(place(name.span))?.to_owned()),
            PatKind::Parens(p) | PatKind::Attr(_, p) => self.type_of_pat(p),
            PatKind::Ascript(_, t) => Some(self.at(place(t.span)).to_owned()),
            PatKind::Tuple(ps) => {
                let types: Option<Vec<String>> = ps.iter().map(|p| self.type_of_pat(p)).collect();
                Some(format!("({})", types?.join(", ")))
            }
            PatKind::Record(fields) => {
                let types: Option<Vec<String>> = fields
                    .iter()
                    .map(|(name, pat)| {
                        let ty = match pat {
                            Some(pat) => self.type_of_pat(pat)?,
                            None => self.type_of_variable(place(name.span))?.to_owned(),
                        };
                        Some(format!("{}: {ty}", name.name))
                    })
                    .collect();
                Some(format!("{{{}}}", types?.join(", ")))
            }
            PatKind::Wild | PatKind::Lit(_) | PatKind::Constr(..) | PatKind::Error => None,
        }
    }

    /// The variables that some places use and that are bound outside of `inside`, by name.
    pub fn free(&self, places: &[Place], inside: Place) -> Vec<Free> {
        let within = |at: Place, (start, end): Place| at.0 >= start && at.1 <= end;
        let uses = self.uses.iter().filter(|u| {
            u.kind.is_local() && !within(u.bound, inside) && places.iter().any(|p| within(u.at, *p))
        });
        let free: BTreeMap<&str, Free> = uses
            .map(|u| {
                let ty = match u.kind {
                    SymbolKind::Size => Some(Arc::from("i64")),
                    SymbolKind::TypeParam => None,
                    _ => self.variables.get(&u.bound).cloned(),
                };
                (u.name, Free { name: u.name, ty })
            })
            .collect();
        free.into_values().collect()
    }

    /// What has to stand before an expression that takes the place of `exp`: `let` is not needed behind `let`, but by
    /// what is not a `let`.
    pub fn before(&self, exp: &Exp) -> &'static str {
        if !matches!(
            exp.kind,
            ExpKind::Let { .. } | ExpKind::LetFun { .. } | ExpKind::LetWith { .. }
        ) {
            return "";
        }
        let before = self.at((0, exp.span.start));
        let (tokens, _) = lex(FileId(0), before);
        let comment = |k| matches!(k, TokenKind::Comment | TokenKind::Doc | TokenKind::Eof);
        match tokens.iter().rev().map(|t| t.kind).find(|k| !comment(*k)) {
            Some(
                TokenKind::Ident
                | TokenKind::Constructor
                | TokenKind::Nat
                | TokenKind::Int
                | TokenKind::Float
                | TokenKind::Char
                | TokenKind::String
                | TokenKind::RParen
                | TokenKind::RBracket
                | TokenKind::RBrace
                | TokenKind::True
                | TokenKind::False,
            ) => "in ",
            _ => "",
        }
    }
}

/// Whether a type in source syntax has no arrays and no functions in it: scalars, tuples and records of them, and whatever a
/// name stands for.
pub fn is_flat(ty: &str) -> bool {
    loose(ty).is_some_and(|t| !t.contains('['))
}

/// A type in source syntax without the sizes in it, if it has no function in it.
fn loose(ty: &str) -> Option<String> {
    let (tree, wrong) = parse_type(FileId(0), ty);
    let (mut edits, mut functions) = (Vec::new(), !wrong.is_empty());
    walk(Node::Type(&tree), &mut |node| {
        if let Node::Type(t) = node {
            match &t.kind {
                TypeExpKind::Array(SizeExp::Exp(size), _) => {
                    edits.push(Edit { at: place(size.span), with: Vec::new() });
                }
                TypeExpKind::Arrow(..) | TypeExpKind::Exists(..) | TypeExpKind::Error => {
                    functions = true;
                }
                _ => {}
            }
        }
        matches!(node, Node::Type(_))
    });
    if functions { None } else { apply(ty, edits.iter()) }
}

/// Variables as parameters with their types, if none is a function, and none an array unless these are wanted.
pub fn params(free: &[Free], arrays: bool) -> Option<String> {
    let params: Option<Vec<String>> = free
        .iter()
        .map(|v| {
            let ty = loose(v.ty.as_deref()?).filter(|t| arrays || is_flat(t))?;
            let name = v.name.starts_with(|c: char| c.is_alphabetic() || c == '_');
            name.then(|| format!(" ({}: {ty})", v.name))
        })
        .collect();
    Some(params?.concat())
}

/// Variables as arguments.
pub fn arguments(free: &[Free]) -> String {
    free.iter().map(|v| format!(" {}", v.name)).collect()
}
