//! Schedules that are asked for from outside of the source: `futc --force-schedule PLACE=HOW`.
//!
//! An operation that begins there has the attribute `#[schedule(HOW)]` from then on, as if the source had it before that
//! operation alone.

use crate::ir::traverse::for_each_block_mut;
use crate::ir::{Exp, Forced, Program, Stm, StmAttr};
use crate::remarks::places;
use futc_typed::span::SourceRange;
use std::str::FromStr;

/// A schedule for what is at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forcing {
    /// As it was written.
    text: String,
    /// The place; of a file without a name if none was given.
    place: SourceRange,
    /// Only where it begins is given.
    open: bool,
    how: Forced,
}

impl FromStr for Forcing {
    type Err = String;

    fn from_str(text: &str) -> Result<Forcing, String> {
        let form = || "a place as --explain-schedule prints it, '=' and a schedule".to_owned();
        let (at, how) = text.rsplit_once('=').ok_or_else(form)?;
        let names = || Forced::ALL.map(Forced::name).join(", ");
        let how = Forced::named(how)
            .ok_or_else(|| format!("there is no schedule '{how}'; there are {}", names()))?;
        let place = SourceRange::parse(at).or_else(|| SourceRange::parse(&format!(":{at}")));
        let place = place.ok_or_else(form)?;
        let open = place.first == place.last;
        Ok(Forcing { text: text.to_owned(), place, open, how })
    }
}

impl Forcing {
    /// Asks for the schedule at level soacs, of a program whose own file is `file`; the error says that there is no such
    /// operation.
    pub fn apply(&self, program: &mut Program, file: &str) -> Result<(), String> {
        let bodies = program.funs.iter_mut().map(|f| &mut f.body);
        let mut any = false;
        for body in std::iter::once(&mut program.consts).chain(bodies) {
            any |= self.stms(&mut body.stms, file);
        }
        if any {
            return Ok(());
        }
        Err(format!(
            "--force-schedule={}: no map, reduction, scan or histogram is there; --explain-schedule lists them \
             (with copies that targets make maps of, which cannot be asked)",
            self.text
        ))
    }

    /// Whether something is there. What is inside of an operation is not asked, as by the attribute.
    fn stms(&self, stms: &mut [Stm], file: &str) -> bool {
        let mut any = false;
        for s in stms {
            if matches!(s.exp, Exp::Soac(_)) && self.is_at(s, file) {
                s.attrs.retain(|a| !matches!(a, StmAttr::Schedule(_)));
                s.attrs.push(StmAttr::Schedule(self.how));
                any = true;
                continue;
            }
            for_each_block_mut(&mut s.exp, &mut |b| any |= self.stms(b, file));
        }
        any
    }

    fn is_at(&self, stm: &Stm, file: &str) -> bool {
        let place = stm.loc.and_then(|loc| places(loc).into_iter().next());
        place.is_some_and(|place| self.covers(&place, file))
    }

    /// Whether a place is that which is asked for.
    pub fn covers(&self, place: &SourceRange, file: &str) -> bool {
        let own = if self.place.file.is_empty() { file } else { &self.place.file };
        place.file == own
            && place.first == self.place.first
            && (self.open || place.last == self.place.last)
    }

    /// What is said if two ask for different schedules of one place.
    pub fn contradiction(all: &[Forcing]) -> Option<String> {
        all.iter().enumerate().find_map(|(i, a)| {
            let before = all.get(..i)?;
            let other = before.iter().find(|b| b.place == a.place && b.how != a.how)?;
            Some(format!("--force-schedule={} contradicts --force-schedule={}", a.text, other.text))
        })
    }

    /// What is said if it is not legal.
    pub fn refused(&self, why: &str) -> String {
        format!("--force-schedule={}: not possible: {why}", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::Forcing;
    use futc_typed::span::SourceRange;

    #[test]
    fn places_are_found() {
        let at = SourceRange::parse("a.fut:3:4-17").unwrap_or_else(|| panic!("a place"));
        let covers = |text: &str, file| text.parse::<Forcing>().map(|f| f.covers(&at, file));
        assert_eq!(covers("3:4=lanes", "a.fut"), Ok(true));
        assert_eq!(covers("3:4-17=lanes", "a.fut"), Ok(true));
        assert_eq!(covers("a.fut:3:4=lanes", "b.fut"), Ok(true));
        assert_eq!(covers("3:4=lanes", "b.fut"), Ok(false));
        assert_eq!(covers("3:4-16=lanes", "a.fut"), Ok(false));
        assert_eq!(covers("3:5=lanes", "a.fut"), Ok(false));
    }

    #[test]
    fn one_place_has_one_schedule() {
        let all = |texts: &[&str]| -> Vec<Forcing> {
            texts.iter().filter_map(|t| t.parse().ok()).collect()
        };
        assert!(Forcing::contradiction(&all(&["3:4=lanes", "3:5=loops", "3:4=lanes"])).is_none());
        let said = Forcing::contradiction(&all(&["3:4=lanes", "3:4=loops"])).unwrap_or_default();
        assert!(said.contains("3:4=loops contradicts"), "{said}");
    }

    #[test]
    fn other_forms_are_refused() {
        let refused = |text: &str| text.parse::<Forcing>().err().unwrap_or_default();
        assert!(
            refused("3:4=lane").contains("there is no schedule 'lane'; there are loops, lanes")
        );
        for text in ["lanes", "3=lanes", "=lanes", "3:x=lanes"] {
            assert!(refused(text).contains("a place as"), "{text}");
        }
    }
}
