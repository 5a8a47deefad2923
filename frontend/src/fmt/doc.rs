//! Documents and their layout: what Wadler ("A prettier printer") and Lindig ("Strictly pretty")
//! describe, with what line comments need besides.
//!
//! A group is laid out on one line if it fits there, up to where the line could end behind it;
//! else all line breaks that belong to it, and not to groups inside of it, are taken. A comment
//! at the end of a line is a *suffix*: it is written when the line ends, takes no width, and
//! nothing may follow it on its line. Documents are kept in one table, so that deep ones are
//! neither built nor dropped by recursion; layout is a loop, linear in the output.

/// Lines are at most this wide, if they can be broken.
pub(super) const WIDTH: usize = 80;

/// An aligned part that would begin further to the right than this is indented instead.
const MAX_ALIGN: usize = 24;

/// A document: an index into [`Docs`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Id(u32);

enum Node<'a> {
    Nil,
    Text(&'a str),
    /// A space, but not at the beginning of a line.
    Space,
    /// A space or a new line.
    Line,
    /// Nothing or a new line.
    Soft,
    /// A space, but nothing on one line.
    SoftSpace,
    /// A new line.
    Hard,
    /// A new line, unless one has just begun.
    Fresh,
    /// An empty line; stands behind `Hard` or `Fresh`.
    Blank,
    /// A comment at the end of the line.
    Suffix(&'a str),
    Cat(Vec<Id>),
    Nest(usize, Id),
    /// Lines begin where this begins.
    Align(Id),
    /// As `Align`, but indented by two where that would be far to the right.
    AlignNear(Id),
    Group(Id),
    /// A group's content with its breaks taken.
    Broken(Id),
    /// The first if its first line fits.
    First(Id, Id),
    /// A group, and behind it the second document if the group is on one line, else the third.
    Headed(Id, Id, Id),
}

/// Documents.
pub(super) struct Docs<'a> {
    nodes: Vec<Node<'a>>,
    /// Of each, whether it holds a break that is always taken.
    hard: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Break,
}

impl<'a> Docs<'a> {
    pub(super) fn new() -> Docs<'a> {
        Docs { nodes: Vec::new(), hard: Vec::new() }
    }

    fn add(&mut self, node: Node<'a>, hard: bool) -> Id {
        self.nodes.push(node);
        self.hard.push(hard);
        Id(self.nodes.len() as u32 - 1)
    }

    pub(super) fn is_hard(&self, doc: Id) -> bool {
        self.hard[doc.0 as usize]
    }

    pub(super) fn nil(&mut self) -> Id {
        self.add(Node::Nil, false)
    }

    pub(super) fn text(&mut self, text: &'a str) -> Id {
        self.add(Node::Text(text), false)
    }

    pub(super) fn space(&mut self) -> Id {
        self.add(Node::Space, false)
    }

    pub(super) fn line(&mut self) -> Id {
        self.add(Node::Line, false)
    }

    pub(super) fn soft(&mut self) -> Id {
        self.add(Node::Soft, false)
    }

    pub(super) fn soft_space(&mut self) -> Id {
        self.add(Node::SoftSpace, false)
    }

    pub(super) fn hard(&mut self) -> Id {
        self.add(Node::Hard, true)
    }

    pub(super) fn fresh(&mut self) -> Id {
        self.add(Node::Fresh, true)
    }

    pub(super) fn blank(&mut self) -> Id {
        self.add(Node::Blank, true)
    }

    pub(super) fn suffix(&mut self, comment: &'a str) -> Id {
        self.add(Node::Suffix(comment), false)
    }

    pub(super) fn cat(&mut self, parts: Vec<Id>) -> Id {
        let hard = parts.iter().any(|part| self.is_hard(*part));
        self.add(Node::Cat(parts), hard)
    }

    pub(super) fn nest(&mut self, by: usize, doc: Id) -> Id {
        self.add(Node::Nest(by, doc), self.is_hard(doc))
    }

    pub(super) fn align(&mut self, doc: Id) -> Id {
        self.add(Node::Align(doc), self.is_hard(doc))
    }

    pub(super) fn align_near(&mut self, doc: Id) -> Id {
        self.add(Node::AlignNear(doc), self.is_hard(doc))
    }

    /// A group; if `broken`, its breaks are taken in any case.
    pub(super) fn group(&mut self, doc: Id, broken: bool) -> Id {
        self.add(Node::Group(doc), broken || self.is_hard(doc))
    }

    /// The group with its breaks taken; what is no group stays as it is.
    pub(super) fn broken(&mut self, group: Id) -> Id {
        self.add(Node::Broken(group), true)
    }

    /// `first` if its first line fits, else `second`. Both hold the same texts.
    pub(super) fn first_fitting(&mut self, first: Id, second: Id) -> Id {
        self.add(Node::First(first, second), self.is_hard(second))
    }

    /// A group with `beside` behind it if it is on one line, else with `below`; both hold the same
    /// texts.
    pub(super) fn headed(&mut self, group: Id, beside: Id, below: Id) -> Id {
        let hard = self.is_hard(group) || self.is_hard(beside);
        self.add(Node::Headed(group, beside, below), hard)
    }

    /// Whether `doc` fits into `room` characters, and behind it what follows on the same line.
    fn fits(&self, room: usize, mode: Mode, doc: Id, rest: &[(usize, Mode, Id)]) -> bool {
        let mut used = 0;
        let mut suffixed = false;
        let mut below = rest.len();
        let mut todo = vec![(mode, doc)];
        loop {
            let (mode, doc) = match todo.pop() {
                Some(next) => next,
                None if below == 0 => return true,
                None => {
                    below -= 1;
                    (rest[below].1, rest[below].2)
                }
            };
            match &self.nodes[doc.0 as usize] {
                Node::Nil | Node::Blank => {}
                Node::Suffix(_) => suffixed = true,
                Node::Text(text) => {
                    if suffixed {
                        return false;
                    }
                    used += text.chars().count();
                }
                Node::SoftSpace if mode == Mode::Flat => {}
                Node::Space | Node::SoftSpace => used += 1,
                Node::Line | Node::Soft if mode == Mode::Break => return true,
                Node::Line => {
                    if suffixed {
                        return false;
                    }
                    used += 1;
                }
                Node::Soft => {}
                Node::Hard | Node::Fresh => return true,
                Node::Cat(parts) => todo.extend(parts.iter().rev().map(|part| (mode, *part))),
                Node::Nest(_, inner) | Node::Align(inner) | Node::AlignNear(inner) => {
                    todo.push((mode, *inner));
                }
                Node::Group(inner) => {
                    // Behind the document a group may still break.
                    let flat = !self.is_hard(doc) && (mode == Mode::Flat || below == rest.len());
                    todo.push((if flat { Mode::Flat } else { Mode::Break }, *inner));
                }
                Node::Headed(group, beside, _) => todo.extend([(mode, *beside), (mode, *group)]),
                Node::Broken(group) => match &self.nodes[group.0 as usize] {
                    Node::Group(inner) => todo.push((Mode::Break, *inner)),
                    _ => todo.push((mode, *group)),
                },
                Node::First(first, second) => {
                    todo.push((mode, if mode == Mode::Flat { *second } else { *first }));
                }
            }
            if used > room {
                return false;
            }
        }
    }

    /// The text of a document.
    pub(super) fn layout(&self, doc: Id) -> String {
        let mut out = Out { text: String::new(), column: 0, indent: 0, fresh: true, suffix: None };
        let mut todo = vec![(0, Mode::Break, doc)];
        while let Some((indent, mode, doc)) = todo.pop() {
            match &self.nodes[doc.0 as usize] {
                Node::Nil => {}
                Node::Text(text) => out.text(text, indent),
                Node::Space => out.space(),
                Node::Line if mode == Mode::Flat => out.space(),
                Node::Soft | Node::SoftSpace if mode == Mode::Flat => {}
                Node::SoftSpace => out.space(),
                Node::Line | Node::Soft | Node::Hard => out.newline(indent),
                Node::Fresh => {
                    if out.fresh {
                        out.indent = indent;
                    } else {
                        out.newline(indent);
                    }
                }
                Node::Blank => out.blank(),
                Node::Suffix(comment) => out.suffix = Some(comment),
                Node::Cat(parts) => {
                    todo.extend(parts.iter().rev().map(|part| (indent, mode, *part)));
                }
                Node::Nest(by, inner) => todo.push((indent + by, mode, *inner)),
                Node::Align(inner) => todo.push((out.column(), mode, *inner)),
                Node::AlignNear(inner) => {
                    let column = out.column();
                    let near = column.saturating_sub(indent) <= MAX_ALIGN;
                    todo.push((if near { column } else { indent + 2 }, mode, *inner));
                }
                Node::Group(inner) => {
                    let flat =
                        !self.is_hard(doc) && self.fits(out.room(), Mode::Flat, *inner, &todo);
                    todo.push((indent, if flat { Mode::Flat } else { Mode::Break }, *inner));
                }
                Node::Broken(group) => match &self.nodes[group.0 as usize] {
                    Node::Group(inner) => todo.push((indent, Mode::Break, *inner)),
                    _ => todo.push((indent, mode, *group)),
                },
                Node::Headed(group, beside, apart) => {
                    let flat = mode == Mode::Flat
                        || !self.is_hard(*group) && self.fits(out.room(), Mode::Flat, *group, &[]);
                    todo.push((indent, mode, if flat { *beside } else { *apart }));
                    todo.push((indent, mode, *group));
                }
                Node::First(first, second) => {
                    let chosen =
                        mode == Mode::Break && self.fits(out.room(), Mode::Break, *first, &todo);
                    todo.push((indent, mode, if chosen { *first } else { *second }));
                }
            }
        }
        out.newline(0);
        let end = out.text.trim_end().len();
        out.text.truncate(end);
        if !out.text.is_empty() {
            out.text.push('\n');
        }
        out.text
    }
}

/// What has been written.
struct Out<'a> {
    text: String,
    /// Characters on the current line.
    column: usize,
    /// Where the current line is to begin, if nothing has been written on it.
    indent: usize,
    /// Nothing has been written on the current line.
    fresh: bool,
    /// The comment the line will end with.
    suffix: Option<&'a str>,
}

impl<'a> Out<'a> {
    fn column(&self) -> usize {
        if self.fresh { self.indent } else { self.column }
    }

    fn room(&self) -> usize {
        WIDTH.saturating_sub(self.column())
    }

    fn text(&mut self, text: &'a str, indent: usize) {
        if self.suffix.is_some() {
            self.newline(indent);
        }
        if self.fresh {
            self.text.extend(std::iter::repeat_n(' ', self.indent));
            self.column = self.indent;
            self.fresh = false;
        }
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    fn space(&mut self) {
        if !self.fresh && self.suffix.is_none() {
            self.text.push(' ');
            self.column += 1;
        }
    }

    fn newline(&mut self, indent: usize) {
        let end = self.text.trim_end_matches(' ').len();
        self.text.truncate(end);
        if let Some(comment) = self.suffix.take() {
            if self.fresh {
                self.text.extend(std::iter::repeat_n(' ', self.indent));
            } else {
                self.text.push(' ');
            }
            self.text.push_str(comment);
        }
        self.text.push('\n');
        self.column = 0;
        self.indent = indent;
        self.fresh = true;
    }

    fn blank(&mut self) {
        if self.fresh && !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }
}
