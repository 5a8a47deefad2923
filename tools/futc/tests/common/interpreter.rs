//! The Python that tests run.

use std::process::Command;

/// One with NumPy: the one that FUTC_PYTHON names, or else `python3`, or else the distribution's, for which `./x setup`
/// installs NumPy.
pub fn python() -> String {
    let named = std::env::var("FUTC_PYTHON").ok();
    let all = named.into_iter().chain(["python3", "/usr/bin/python3"].map(str::to_owned));
    let has = |python: &String| {
        let asked = Command::new(python).args(["-c", "import numpy"]).output();
        asked.is_ok_and(|output| output.status.success())
    };
    all.into_iter().find(has).unwrap_or_else(|| {
        panic!("there is no Python with NumPy: run ./x setup, or name one in FUTC_PYTHON")
    })
}
