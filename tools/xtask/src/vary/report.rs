//! What became of a program.

use super::counts::Counts;
use futc_generate::values::Data;
use futc_generate::vary::levels::Outcome;
use std::fmt;

/// Something wrong that an input shows.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// Which target, and how: the same for all inputs that show the same.
    pub class: String,
    /// More about it.
    pub said: String,
    /// The entry point, its arguments and what they mean; none if it is the program that is wrong.
    pub case: Option<(String, Vec<Data>, Outcome)>,
}

impl Wrong {
    /// Something wrong whatever the input.
    pub fn of_program(what: String) -> Wrong {
        Wrong { class: "program".into(), said: what, case: None }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class, self.said)?;
        if let Some((entry, values, _)) = &self.case {
            let texts: Vec<String> = values.iter().map(Data::to_text).collect();
            write!(f, "\n    {entry} {}", texts.join(" "))?;
        }
        Ok(())
    }
}

/// What became of a program.
#[derive(Default)]
pub struct Report {
    pub counts: Counts,
    pub wrong: Vec<Wrong>,
    pub remarks: Vec<String>,
    pub left_out: Option<String>,
}

impl Report {
    /// Something is wrong with the program whatever its input.
    pub fn failed(what: String) -> Report {
        Report { wrong: vec![Wrong::of_program(what)], ..Report::default() }
    }

    /// It was not run.
    pub fn left_out(why: impl Into<String>) -> Report {
        Report { left_out: Some(why.into()), ..Report::default() }
    }
}
