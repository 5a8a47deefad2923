//! Types at places, noted for editors while a definition is checked.

use crate::check::infer::checker::{Checker, Noted};
use crate::check::infer::show::Show;
use crate::check::types::env::Scheme;
use crate::check::types::note::{Field, Note, NoteKind};
use futc_typed::name::Name;
use futc_typed::span::Span;
use futc_typed::types::Type;
use std::sync::Arc;

impl Checker<'_> {
    /// Notes the type of what stands at `span`.
    pub(crate) fn note(&mut self, span: Span, kind: NoteKind, ty: &Type) {
        if let Some(noted) = &mut self.noted {
            let ty = ty.clone();
            let scheme = Scheme { type_params: Vec::new(), size_params: Vec::new(), ty };
            noted.push(Noted { span, kind, scheme });
        }
    }

    /// Notes the type of the function or definition whose name stands at `span`.
    pub(crate) fn note_function(&mut self, span: Span, scheme: &Scheme) {
        if let Some(noted) = &mut self.noted {
            noted.push(Noted { span, kind: NoteKind::Function, scheme: scheme.clone() });
        }
    }

    /// Hands the notes on, with what has been found out by the end of the definition.
    pub(crate) fn write_notes(&mut self) {
        let Some(noted) = self.noted.take() else { return };
        let mut notes = Vec::with_capacity(noted.len());
        for Noted { span, kind, mut scheme } in noted {
            scheme.ty = self.metas.zonk(&scheme.ty);
            let mut show = Show::default().with_unknowns(&self.metas, &self.literals);
            let text = match kind {
                NoteKind::Function => show.scheme(&scheme),
                NoteKind::Variable | NoteKind::Expression => show.type_text(&scheme.ty),
            };
            let fields = match kind {
                NoteKind::Function | NoteKind::Variable => fields_of(&mut show, &scheme.ty),
                NoteKind::Expression => Arc::default(),
            };
            notes.push(Note { span, kind, text: Arc::from(text.as_str()), fields });
        }
        if let Some(all) = &mut self.cx.notes {
            all.append(&mut notes);
        }
    }
}

/// The fields of a record, with those of records in it.
fn fields_of(show: &mut Show<'_>, ty: &Type) -> Arc<[Field]> {
    let Type::Record(fields) = ty else { return Arc::default() };
    let field = |(name, ty): &(Name, Type)| Field {
        name: *name,
        text: Arc::from(show.type_text(ty).as_str()),
        fields: fields_of(show, ty),
    };
    fields.iter().map(field).collect()
}
