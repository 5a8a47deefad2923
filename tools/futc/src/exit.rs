//! How futc ends.

use std::process::ExitCode;

/// The exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// 0: all is well.
    Success,
    /// 1: the compiler failed, or a test or a program run did.
    Failed,
    /// 2: the program or the command line is wrong.
    Rejected,
}

impl From<Exit> for ExitCode {
    fn from(e: Exit) -> ExitCode {
        ExitCode::from(match e {
            Exit::Success => 0,
            Exit::Failed => 1,
            Exit::Rejected => 2,
        })
    }
}

/// Why a command could not do its work: one message, and the status to end with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What is said on standard error; empty if it has been said already.
    pub message: String,
    /// How futc ends.
    pub exit: Exit,
}

impl Failure {
    /// A failure of the compiler or its surroundings.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), exit: Exit::Failed }
    }

    /// Something wrong with the input.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), exit: Exit::Rejected }
    }

    /// A failure already reported.
    pub fn said(exit: Exit) -> Failure {
        Failure { message: String::new(), exit }
    }
}
