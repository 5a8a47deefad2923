//! What is answered to requests: each a function of the database and a place.

use crate::text::{Encoding, Lines};
use crate::world::{Library, MOST_PROGRAMS, Programs, programs_of};
use futc_frontend::db::{self, CompilerDb, Db, SourceFile};
use futc_frontend::diag::Severity;
use futc_frontend::fmt::format_file;
use futc_frontend::index::{self, NoteKind, SymbolId, SymbolKind};
use futc_frontend::lint::all_diagnostics;
use futc_frontend::syntax::ast::{
    Dec, DecKind, Exp, ExpKind, ModExp, ModExpKind, ModTypeExp, ModTypeExpKind, Pat, PatKind,
    SpecKind, ValBind,
};
use futc_frontend::world::is_prelude;
use futc_typed::span::Span;
use lsp_types::{
    CodeDescription, CompletionItem, CompletionItemKind, Diagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, DocumentSymbol, Hover, HoverContents, InlayHint,
    InlayHintKind, InlayHintLabel, Location, MarkupContent, MarkupKind, NumberOrString, Position,
    Range, SymbolKind as LspSymbolKind, TextEdit, Url, WorkspaceEdit,
};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

/// A state of the program, to be asked about.
#[derive(Clone)]
pub struct Snapshot {
    /// The database.
    pub db: CompilerDb,
    /// Where the prelude is for editors.
    pub library: Library,
    /// What columns count.
    pub encoding: Encoding,
    /// The paths of open files.
    pub open: Vec<String>,
    /// The folders of the workspace.
    pub folders: Vec<PathBuf>,
}

/// Why a request has no answer, for people to read.
pub type Refused = String;

impl Snapshot {
    fn text(&self, file: SourceFile) -> &str {
        file.text(&self.db).as_ref().map_or("", |text| text.as_ref())
    }

    fn lines(&self, file: SourceFile) -> Lines {
        Lines::new(self.text(file), self.encoding)
    }

    fn range(&self, file: SourceFile, span: Span) -> Range {
        self.lines(file).range(self.text(file), span.start, span.end)
    }

    fn location(&self, file: SourceFile, span: Span) -> Option<Location> {
        let uri = self.library.url(&file.path(&self.db))?;
        Some(Location { uri, range: self.range(file, span) })
    }

    /// The file and byte that a request is about.
    pub fn place(&self, uri: &Url, position: Position) -> Option<(SourceFile, u32)> {
        let file = self.file(uri)?;
        Some((file, self.lines(file).offset(self.text(file), position)))
    }

    /// The file that a request is about.
    pub fn file(&self, uri: &Url) -> Option<SourceFile> {
        Some(self.db.source(&self.library.path(uri)?))
    }

    /// The files in which names may stand: open ones, what these import, and the workspace's.
    fn project(&self, programs: &Programs) -> Vec<SourceFile> {
        let workspace = programs.files.iter().filter_map(|p| p.to_str()).map(str::to_owned);
        let mut seen = HashSet::new();
        let mut out = Vec::new();
        for path in self.open.iter().cloned().chain(workspace) {
            for file in db::files_in_order(&self.db, self.db.source(&path)).iter() {
                if seen.insert(*file) {
                    out.push(*file);
                }
            }
        }
        out
    }

    /// Everything there is to say about the open files and what they import, by file. Files of
    /// which nothing is to be said are there too.
    pub fn diagnostics(&self) -> BTreeMap<Url, Vec<Diagnostic>> {
        let mut out: BTreeMap<Url, Vec<Diagnostic>> = BTreeMap::new();
        let mut seen = HashSet::new();
        let mut lines: HashMap<SourceFile, Lines> = HashMap::new();
        for path in &self.open {
            if is_prelude(path) {
                continue;
            }
            let root = self.db.source(path);
            if let Some(url) = self.library.url(path) {
                out.entry(url).or_default();
            }
            for d in all_diagnostics(&self.db, root) {
                if !seen.insert(d.clone()) {
                    continue;
                }
                let mut places = d.labels.iter().filter_map(|(span, text)| {
                    let (file, span) = db::absolute(&self.db, *span)?;
                    let uri = self.library.url(&file.path(&self.db))?;
                    let lines = lines.entry(file).or_insert_with(|| self.lines(file));
                    let range = lines.range(self.text(file), span.start, span.end);
                    Some((Location { uri, range }, text.clone()))
                });
                let Some((first, said)) = places.next() else { continue };
                let related: Vec<DiagnosticRelatedInformation> = places
                    .map(|(location, message)| DiagnosticRelatedInformation { location, message })
                    .collect();
                let mut message = d.message.clone();
                if !said.is_empty() {
                    message.push_str(&format!(" ({said})"));
                }
                for hint in &d.hints {
                    message.push_str(&format!("\nhint: {hint}"));
                }
                out.entry(first.uri).or_default().push(Diagnostic {
                    range: first.range,
                    severity: Some(match d.severity {
                        Severity::Error => DiagnosticSeverity::ERROR,
                        Severity::Warning => DiagnosticSeverity::WARNING,
                    }),
                    code: Some(NumberOrString::String(d.code.name().to_owned())),
                    code_description: self
                        .library
                        .page(d.code.name())
                        .map(|href| CodeDescription { href }),
                    source: Some("futc".to_owned()),
                    message,
                    related_information: (!related.is_empty()).then_some(related),
                    tags: d.code.is_of_no_use().then(|| vec![DiagnosticTag::UNNECESSARY]),
                    data: None,
                });
            }
        }
        out
    }

    /// How a symbol is declared: `def f [n] : [n]i32 -> i32`.
    fn signature(&self, id: SymbolId, symbol: &index::Symbol) -> String {
        let notes = index::types_at(&self.db, id.file, symbol.span);
        let note = notes.iter().find(|n| n.kind != NoteKind::Expression);
        let name = symbol.name;
        match (symbol.kind, note) {
            (SymbolKind::Value, Some(note)) => format!("def {name} {}", note.text),
            (SymbolKind::Local, Some(note)) if note.kind == NoteKind::Function => {
                format!("{name} {}", note.text)
            }
            (SymbolKind::Local, Some(note)) => format!("{name} : {}", note.text),
            (SymbolKind::Size, _) => format!("[{name}] : i64"),
            (SymbolKind::TypeParam, _) => format!("'{name}"),
            (SymbolKind::Local, None) => name.as_str().to_owned(),
            // As it is written, up to where it would become long.
            (_, _) => {
                let text = self.text(id.file);
                let whole = text.get(symbol.whole.start as usize..symbol.whole.end as usize);
                let first = whole.unwrap_or("").lines().next().unwrap_or("").trim_end();
                first.trim_end_matches(['=', '{', ' ']).to_owned()
            }
        }
    }

    /// The declaration, type and documentation of what is at a place.
    pub fn hover(&self, file: SourceFile, at: u32) -> Option<Hover> {
        let (mut parts, span) = match index::occurrence_at(&self.db, file, at) {
            Some(o) => {
                let symbol = index::symbol(&self.db, o.target)?;
                let mut code = self.signature(o.target, &symbol);
                // What a polymorphic function is here.
                let here = index::types_at(&self.db, file, o.span);
                if let Some(here) = here.iter().find(|n| n.kind == NoteKind::Expression)
                    && !o.binds
                    && !code.ends_with(&*here.text)
                {
                    code.push_str(&format!("\n-- here: {}", here.text));
                }
                (vec![format!("```futhark\n{code}\n```")], o.span)
            }
            // Any expression has a type; the smallest at the place is meant.
            None => {
                let notes = index::notes(&self.db, file, at);
                let around = notes.iter().filter(|n| n.span.start <= at && at < n.span.end);
                let note = around.min_by_key(|n| n.span.end - n.span.start)?;
                (vec![format!("```futhark\n{}\n```", note.text)], note.span)
            }
        };
        if let Some(o) = index::occurrence_at(&self.db, file, at)
            && let Some(doc) = index::symbol(&self.db, o.target).and_then(|s| s.doc)
        {
            parts.push(doc.to_string());
        }
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: parts.join("\n\n"),
            }),
            range: Some(self.range(file, span)),
        })
    }

    /// Where the name at a place is bound; on an import, the file.
    pub fn definition(&self, file: SourceFile, at: u32) -> Option<Location> {
        if let Some(target) = index::import_at(&self.db, file, at) {
            return self.location(target, Span::new(target.id(&self.db), 0, 0));
        }
        let target = index::occurrence_at(&self.db, file, at)?.target;
        self.location(target.file, index::symbol(&self.db, target)?.span)
    }

    /// Everywhere the name at a place stands.
    pub fn references(&self, file: SourceFile, at: u32, binding: bool) -> Vec<Location> {
        let Some(o) = index::occurrence_at(&self.db, file, at) else { return Vec::new() };
        let files = self.files_with(o.target, &self.programs());
        let found = index::references(&self.db, &files, o.target);
        let wanted = found.iter().filter(|(_, o)| binding || !o.binds);
        wanted.filter_map(|(file, o)| self.location(*file, o.span)).collect()
    }

    /// The programs of the workspace.
    fn programs(&self) -> Programs {
        programs_of(&self.folders, self.open.iter())
    }

    /// The files in which a symbol may stand.
    fn files_with(&self, id: SymbolId, programs: &Programs) -> Vec<SourceFile> {
        if self.is_local(id) { vec![id.file] } else { self.project(programs) }
    }

    fn is_local(&self, id: SymbolId) -> bool {
        index::symbol(&self.db, id).is_some_and(|symbol| symbol.kind.is_local())
    }

    /// The files in which a symbol is to be renamed: all in which it may stand, or none.
    fn files_to_rename(&self, id: SymbolId) -> Result<Vec<SourceFile>, Refused> {
        let programs = self.programs();
        if programs.cut && !self.is_local(id) {
            return Err(format!(
                "the workspace has more than {MOST_PROGRAMS} programs, not all of which were \
                 searched for the name"
            ));
        }
        Ok(self.files_with(id, &programs))
    }

    /// The name at a place, if it can be changed.
    pub fn prepare_rename(&self, file: SourceFile, at: u32) -> Result<Range, Refused> {
        let Some(o) = index::occurrence_at(&self.db, file, at) else {
            return Err("there is no name here".to_owned());
        };
        let symbol = index::symbol(&self.db, o.target).ok_or("there is no name here")?;
        let files = self.files_to_rename(o.target)?;
        index::rename(&self.db, &files, o.target, symbol.name.as_str())
            .map_err(|e| e.to_string())?;
        Ok(self.range(file, o.span))
    }

    /// The edits that give the name at a place a new one.
    #[allow(clippy::mutable_key_type, reason = "the protocol's type has this key")]
    pub fn rename(&self, file: SourceFile, at: u32, new: &str) -> Result<WorkspaceEdit, Refused> {
        let Some(o) = index::occurrence_at(&self.db, file, at) else {
            return Err("there is no name here".to_owned());
        };
        let files = self.files_to_rename(o.target)?;
        let edits = index::rename(&self.db, &files, o.target, new).map_err(|e| e.to_string())?;
        let mut changes: HashMap<Url, Vec<TextEdit>> = HashMap::new();
        for (file, span, new_text) in edits {
            let path = file.path(&self.db);
            let url = self.library.url(&path).ok_or_else(|| format!("{path} has no address"))?;
            let range = self.range(file, span);
            changes.entry(url).or_default().push(TextEdit { range, new_text });
        }
        Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
    }

    /// What could be written at a place.
    pub fn completion(&self, file: SourceFile, at: u32) -> Vec<CompletionItem> {
        let items = index::complete(&self.db, file, at).into_iter().map(|c| CompletionItem {
            label: c.label,
            kind: Some(match c.kind {
                None => CompletionItemKind::FIELD,
                Some(SymbolKind::Value) => CompletionItemKind::FUNCTION,
                Some(SymbolKind::Local | SymbolKind::Size) => CompletionItemKind::VARIABLE,
                Some(SymbolKind::Type) => CompletionItemKind::STRUCT,
                Some(SymbolKind::TypeParam) => CompletionItemKind::TYPE_PARAMETER,
                Some(SymbolKind::Module) => CompletionItemKind::MODULE,
                Some(SymbolKind::ModuleType) => CompletionItemKind::INTERFACE,
            }),
            detail: c.detail,
            // Types and documentation are looked up for the one that is looked at.
            data: c.symbol.and_then(|id| {
                let path = id.file.path(&self.db);
                serde_json::to_value((&*path, id.index)).ok()
            }),
            ..CompletionItem::default()
        });
        let mut items: Vec<CompletionItem> = items.collect();
        let text = self.text(file).get(..at as usize).unwrap_or("");
        let word = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if !word.ends_with(['.', '#', '\'']) {
            items.extend(KEYWORDS.iter().map(|word| CompletionItem {
                label: (*word).to_owned(),
                kind: Some(CompletionItemKind::KEYWORD),
                ..CompletionItem::default()
            }));
        }
        items
    }

    /// Adds to a completion what takes longer to find out.
    pub fn resolve_completion(&self, mut item: CompletionItem) -> CompletionItem {
        let data = item.data.clone().and_then(|data| serde_json::from_value(data).ok());
        let Some((path, number)): Option<(String, u32)> = data else { return item };
        let id = SymbolId { file: self.db.source(&path), index: number };
        if let Some(symbol) = index::symbol(&self.db, id)
            && symbol.name.as_str() == item.label
        {
            item.detail = Some(self.signature(id, &symbol));
            item.documentation = symbol.doc.map(|doc| {
                lsp_types::Documentation::MarkupContent(MarkupContent {
                    kind: MarkupKind::Markdown,
                    value: doc.to_string(),
                })
            });
        }
        item
    }

    /// The declarations of a file, with what is in modules inside of these.
    pub fn symbols(&self, file: SourceFile) -> Vec<DocumentSymbol> {
        let tree = db::syntax_tree(&self.db, file);
        let lines = self.lines(file);
        let cx = Outline { text: self.text(file), lines: &lines };
        cx.decs(&tree.decs)
    }

    /// Types that are not written: of what `let` and `loop` bind, and of parameters; and what
    /// expressions become by AUTOMAP.
    pub fn inlay_hints(&self, file: SourceFile, range: Range) -> Vec<InlayHint> {
        let text = self.text(file);
        let lines = self.lines(file);
        let wanted = lines.offset(text, range.start)..=lines.offset(text, range.end);
        let tree = db::syntax_tree(&self.db, file);
        let mut places = Vec::new();
        for dec in &tree.decs {
            if dec.span.end >= *wanted.start() && dec.span.start <= *wanted.end() {
                bindings_of_dec(&dec.kind, &mut places);
            }
        }
        let mut notes = HashMap::new();
        for dec in &tree.decs {
            if dec.span.end >= *wanted.start() && dec.span.start <= *wanted.end() {
                for note in index::notes(&self.db, file, dec.span.start) {
                    if note.kind == NoteKind::Variable {
                        notes.insert((note.span.start, note.span.end), note.text);
                    }
                }
            }
        }
        let mut out = Vec::new();
        for span in places {
            if !wanted.contains(&span.end) {
                continue;
            }
            let Some(text_of) = notes.get(&(span.start, span.end)) else { continue };
            out.push(InlayHint {
                position: lines.position(text, span.end),
                label: InlayHintLabel::String(format!(": {text_of}")),
                kind: Some(InlayHintKind::TYPE),
                text_edits: None,
                tooltip: None,
                padding_left: None,
                padding_right: None,
                data: None,
            });
        }
        let mut seen = HashSet::new();
        for edit in &db::check_file(&self.db, file).elaborations {
            let Some((_, span)) = db::absolute(&self.db, edit.span) else { continue };
            // The body of a parametric module is elaborated several times.
            if wanted.contains(&span.end) && seen.insert(span) {
                let words: Vec<&str> = edit.text.split_whitespace().collect();
                out.push(InlayHint {
                    position: lines.position(text, span.end),
                    label: InlayHintLabel::String(format!("⟹ {}", words.join(" "))),
                    kind: None,
                    text_edits: None,
                    tooltip: None,
                    padding_left: Some(true),
                    padding_right: None,
                    data: None,
                });
            }
        }
        out.sort_by_key(|hint| (hint.position.line, hint.position.character));
        out
    }

    /// The edit that formats a file; none, if it is formatted.
    pub fn format(&self, file: SourceFile) -> Result<Vec<TextEdit>, Refused> {
        let text = self.text(file);
        let out = format_file(file.id(&self.db), text)
            .map_err(|why| format!("the file cannot be formatted: {why}"))?;
        if out == text {
            return Ok(Vec::new());
        }
        let range = self.lines(file).range(text, 0, text.len() as u32);
        Ok(vec![TextEdit { range, new_text: out }])
    }
}

const KEYWORDS: &[&str] = &[
    "assert", "case", "def", "do", "else", "entry", "false", "for", "if", "import", "in",
    "include", "let", "local", "loop", "match", "module", "open", "then", "true", "type", "val",
    "while", "with",
];

struct Outline<'a> {
    text: &'a str,
    lines: &'a Lines,
}

impl Outline<'_> {
    #[allow(deprecated, reason = "the protocol's type has a deprecated field")]
    fn item(
        &self,
        name: &str,
        kind: LspSymbolKind,
        span: Span,
        whole: Span,
        children: Vec<DocumentSymbol>,
    ) -> DocumentSymbol {
        DocumentSymbol {
            name: name.to_owned(),
            detail: None,
            kind,
            tags: None,
            deprecated: None,
            range: self.lines.range(self.text, whole.start, whole.end.max(span.end)),
            selection_range: self.lines.range(self.text, span.start, span.end),
            children: (!children.is_empty()).then_some(children),
        }
    }

    fn decs(&self, decs: &[Dec]) -> Vec<DocumentSymbol> {
        decs.iter().filter_map(|dec| self.dec(dec, &dec.kind)).collect()
    }

    fn dec(&self, dec: &Dec, kind: &DecKind) -> Option<DocumentSymbol> {
        let whole = dec.span;
        let (name, kind, children) = match kind {
            DecKind::Val(bind) => {
                let kind = match bind.params.is_empty() {
                    true => LspSymbolKind::CONSTANT,
                    false => LspSymbolKind::FUNCTION,
                };
                (bind.name, kind, Vec::new())
            }
            DecKind::Type(bind) => (bind.name, LspSymbolKind::STRUCT, Vec::new()),
            DecKind::ModType(bind) => {
                (bind.name, LspSymbolKind::INTERFACE, self.mod_type(&bind.ty))
            }
            DecKind::Mod(bind) => (bind.name, LspSymbolKind::MODULE, self.module(&bind.body)),
            DecKind::Local(inner) => return self.dec(dec, &inner.kind),
            DecKind::Open(_) | DecKind::Import(_) => return None,
        };
        Some(self.item(name.name.as_str(), kind, name.span, whole, children))
    }

    fn module(&self, module: &ModExp) -> Vec<DocumentSymbol> {
        match &module.kind {
            ModExpKind::Decs(decs) => self.decs(decs),
            ModExpKind::Parens(m) | ModExpKind::Ascript(m, _) | ModExpKind::Lambda(_, _, m) => {
                self.module(m)
            }
            ModExpKind::Var(_) | ModExpKind::Import(_) | ModExpKind::Apply(..) => Vec::new(),
        }
    }

    fn mod_type(&self, ty: &ModTypeExp) -> Vec<DocumentSymbol> {
        let specs = match &ty.kind {
            ModTypeExpKind::Specs(specs) => specs,
            ModTypeExpKind::Parens(inner)
            | ModTypeExpKind::With(inner, _)
            | ModTypeExpKind::Arrow(_, _, inner) => return self.mod_type(inner),
            ModTypeExpKind::Var(_) => return Vec::new(),
        };
        let item = |spec: &futc_frontend::syntax::ast::Spec| {
            let (name, kind, children) = match &spec.kind {
                SpecKind::Val { name, .. } => (*name, LspSymbolKind::FUNCTION, Vec::new()),
                SpecKind::TypeAbbr(bind) => (bind.name, LspSymbolKind::STRUCT, Vec::new()),
                SpecKind::Type { name, .. } => (*name, LspSymbolKind::STRUCT, Vec::new()),
                SpecKind::Mod(name, ty) => (*name, LspSymbolKind::MODULE, self.mod_type(ty)),
                SpecKind::Include(_) => return None,
            };
            Some(self.item(name.name.as_str(), kind, name.span, spec.span, children))
        };
        specs.iter().filter_map(item).collect()
    }
}

/// Notes the names that are bound without a type.
fn bindings_of_dec(dec: &DecKind, out: &mut Vec<Span>) {
    match dec {
        DecKind::Val(bind) => bindings_of_function(bind, out),
        DecKind::Mod(bind) => bindings_of_module(&bind.body, out),
        DecKind::Local(inner) => bindings_of_dec(&inner.kind, out),
        DecKind::Type(_) | DecKind::ModType(_) | DecKind::Open(_) | DecKind::Import(_) => {}
    }
}

fn bindings_of_module(module: &ModExp, out: &mut Vec<Span>) {
    match &module.kind {
        ModExpKind::Decs(decs) => decs.iter().for_each(|dec| bindings_of_dec(&dec.kind, out)),
        ModExpKind::Parens(m) | ModExpKind::Ascript(m, _) | ModExpKind::Lambda(_, _, m) => {
            bindings_of_module(m, out);
        }
        ModExpKind::Var(_) | ModExpKind::Import(_) | ModExpKind::Apply(..) => {}
    }
}

fn bindings_of_function(bind: &ValBind, out: &mut Vec<Span>) {
    bind.params.iter().for_each(|pat| bindings_of_pat(pat, out));
    bindings_of_exp(&bind.body, out);
}

fn bindings_of_pat(pat: &Pat, out: &mut Vec<Span>) {
    match &pat.kind {
        PatKind::Var(name) => out.push(name.span),
        PatKind::Parens(inner) | PatKind::Attr(_, inner) => bindings_of_pat(inner, out),
        PatKind::Tuple(items) => items.iter().for_each(|p| bindings_of_pat(p, out)),
        PatKind::Record(fields) => {
            fields.iter().filter_map(|(_, p)| p.as_ref()).for_each(|p| bindings_of_pat(p, out));
        }
        // The type is there already, or follows from the match.
        PatKind::Ascript(..)
        | PatKind::Constr(..)
        | PatKind::Wild
        | PatKind::Lit(_)
        | PatKind::Error => {}
    }
}

/// What `let` and `loop` bind in the chain of bindings that an expression begins with; those in
/// other places are found from there.
fn bindings_of_exp(exp: &Exp, out: &mut Vec<Span>) {
    let mut exp = exp;
    loop {
        exp = match &exp.kind {
            ExpKind::Let { pat, rhs, body, .. } => {
                bindings_of_pat(pat, out);
                bindings_of_exp(rhs, out);
                body
            }
            ExpKind::LetFun { params, rhs, body, .. } => {
                params.iter().for_each(|pat| bindings_of_pat(pat, out));
                bindings_of_exp(rhs, out);
                body
            }
            ExpKind::LetWith { rhs, body, .. } => {
                bindings_of_exp(rhs, out);
                body
            }
            ExpKind::If(_, yes, no) => {
                bindings_of_exp(yes, out);
                no
            }
            ExpKind::Loop(l) => {
                bindings_of_pat(&l.pat, out);
                &l.body
            }
            ExpKind::Match(_, cases) => {
                cases.iter().for_each(|case| bindings_of_exp(&case.body, out));
                return;
            }
            // The parameters of functions written in place are left alone: there would be more
            // types than program. What is bound inside is not.
            ExpKind::Lambda { body, .. } => body,
            ExpKind::Parens(inner) | ExpKind::Attr(_, inner) | ExpKind::Assert(_, inner) => inner,
            ExpKind::Apply(f, arg) => {
                bindings_of_exp(f, out);
                arg
            }
            ExpKind::BinOp { lhs, rhs, .. } => {
                bindings_of_exp(lhs, out);
                rhs
            }
            _ => return,
        };
    }
}
