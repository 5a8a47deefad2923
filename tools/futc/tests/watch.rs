//! `futc check --watch` sees every way in which a file changes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

struct Watch {
    child: Child,
    lines: Receiver<String>,
}

fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

impl Watch {
    fn start(folder: &Path, args: &[&str]) -> Watch {
        let mut child = Command::new(env!("CARGO_BIN_EXE_futc"))
            .args(["check", "--watch"])
            .args(args)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = lines(child.stderr.take().unwrap());
        Watch { child, lines }
    }

    /// What is said with the next verdict of this kind. Other verdicts may come before it: a file
    /// that is written in place is empty for a while, which on a busy machine is long enough to be
    /// checked.
    fn expect(&self, verdict: &str) -> String {
        let mut said = String::new();
        let mut all = String::new();
        loop {
            let Ok(line) = self.lines.recv_timeout(Duration::from_secs(60)) else {
                panic!("not {verdict}: {all}");
            };
            let end = line.contains(" ms; watching");
            said.push_str(&line);
            said.push('\n');
            if end {
                if line.starts_with(verdict) {
                    return said;
                }
                all.push_str(&std::mem::take(&mut said));
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It runs until it is ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn saving_a_file_checks_again() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    put("main.fut", "import \"lib\"\ndef y = x + 1\n");
    put("lib.fut", "def x = 1i32\n");
    let watch = Watch::start(folder.path(), &["main.fut"]);
    watch.expect("accepted");
    put("main.fut", "import \"lib\"\n\ndef y = x + true\n");
    assert!(watch.expect("rejected").contains("main.fut:3"));
    put("main.fut", "import \"lib\"\ndef y = x + 2\n");
    watch.expect("accepted");
    // What is imported counts too.
    put("lib.fut", "def x = true\n");
    watch.expect("rejected");
    // Editors put a new file in the place of the old one.
    put("lib.fut~", "def x = 2i32\n");
    std::fs::rename(folder.path().join("lib.fut~"), folder.path().join("lib.fut")).unwrap();
    watch.expect("accepted");
    std::fs::remove_file(folder.path().join("lib.fut")).unwrap();
    assert!(watch.expect("rejected").contains("lib.fut"));
    put("lib.fut", "def x = 3i32\n");
    watch.expect("accepted");
}

#[test]
fn an_import_that_does_not_exist_yet_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("main.fut");
    std::fs::write(&main, "import \"parts/lib\"\ndef y = x\n").unwrap();
    let watch = Watch::start(folder.path(), &["main.fut"]);
    watch.expect("rejected");
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    // Time to notice the folder.
    std::thread::sleep(Duration::from_millis(300));
    std::fs::write(folder.path().join("parts/lib.fut"), "def x = 1i32\n").unwrap();
    watch.expect("accepted");
}

#[test]
fn a_folder_that_is_replaced_is_still_watched() {
    let folder = tempfile::tempdir().unwrap();
    let parts = folder.path().join("parts");
    let put = |text: &str| {
        std::fs::create_dir_all(&parts).unwrap();
        std::fs::write(parts.join("lib.fut"), text).unwrap();
    };
    std::fs::write(folder.path().join("main.fut"), "import \"parts/lib\"\ndef y = x + 1\n")
        .unwrap();
    put("def x = 1i32\n");
    let watch = Watch::start(folder.path(), &["main.fut"]);
    watch.expect("accepted");
    for _ in 0..2 {
        std::fs::remove_dir_all(&parts).unwrap();
        put("def x = true\n");
        watch.expect("rejected");
        put("def x = 2i32\n");
        watch.expect("accepted");
    }
}

#[cfg(unix)]
#[test]
fn what_a_link_leads_to_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let real = elsewhere.path().join("real.fut");
    std::fs::write(&real, "def y = 1i32\n").unwrap();
    std::os::unix::fs::symlink(&real, folder.path().join("main.fut")).unwrap();
    let watch = Watch::start(folder.path(), &["main.fut"]);
    watch.expect("accepted");
    std::fs::write(&real, "def y = 1 + true\n").unwrap();
    watch.expect("rejected");
}

#[test]
fn a_folder_in_which_something_writes_all_the_time_can_be_watched() {
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("main.fut");
    std::fs::write(&main, "def y = 1i32\n").unwrap();
    let watch = Watch::start(folder.path(), &["main.fut"]);
    watch.expect("accepted");
    let (stop, stopped) = channel::<()>();
    let log = folder.path().join("log");
    let writer = std::thread::spawn(move || {
        while stopped.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
            std::fs::write(&log, "line").unwrap();
            std::thread::sleep(Duration::from_millis(3));
        }
    });
    std::fs::write(&main, "def y = 1 + true\n").unwrap();
    watch.expect("rejected");
    drop(stop);
    writer.join().unwrap();
}

#[test]
fn json_is_a_line_for_each_check_and_warnings_are_as_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("main.fut");
    std::fs::write(&main, "def f (x: i32) = 1i32\n").unwrap();
    let args = ["main.fut", "--json", "--Werror", "-Wno-unused-name"];
    let mut watch = Watch::start(folder.path(), &args);
    let json = lines(watch.child.stdout.take().unwrap());
    let next = || {
        let line = json.recv_timeout(Duration::from_secs(60)).unwrap();
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        value.as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap().to_owned()).collect()
    };
    let codes: Vec<String> = next();
    assert_eq!(codes, ["unused-parameter"]);
    watch.expect("rejected");
    std::fs::write(&main, "def f (x: i32) = let y = x in x\n").unwrap();
    let codes: Vec<String> = next();
    assert_eq!(codes, [""; 0]);
    watch.expect("accepted");
}

#[test]
fn watching_ends_on_a_wrong_command_line() {
    let folder = tempfile::tempdir().unwrap();
    for wrong in [["main.fut", "-Wnonsense"], ["main.fut", "--print-elaborated"]] {
        let mut watch = Watch::start(folder.path(), &wrong);
        assert_eq!(watch.child.wait().unwrap().code(), Some(2));
    }
}
