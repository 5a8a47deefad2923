//! How long the language server takes from an edit to what there is to say about the program:
//! messages of the protocol in and out, warnings and all, by way of memory and not of pipes. The
//! first opening of the program, with the prelude, stands beside it.
#![allow(missing_docs, clippy::expect_used, reason = "criterion's macros; a benchmark may stop")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use futc_frontend::world::Memory;
use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::hint::black_box;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const URL: &str = "file:///program.fut";

/// A server and the client's end of the connection to it.
struct Session {
    client: Connection,
    server: Option<JoinHandle<()>>,
    version: i32,
}

impl Session {
    fn start() -> Session {
        let (server, client) = Connection::memory();
        let server = std::thread::spawn(move || {
            futc_lsp::serve(&server, Arc::new(Memory::new()))
                .expect("the server ends as it is told");
        });
        let mut session = Session { client, server: Some(server), version: 0 };
        let utf8 = json!({ "general": { "positionEncodings": ["utf-8"] } });
        session.ask("initialize", json!({ "capabilities": utf8 }));
        session.tell("initialized", json!({}));
        session
    }

    fn tell(&self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params };
        self.client.sender.send(message.into()).expect("the server runs");
    }

    fn ask(&mut self, method: &str, params: Value) {
        let request = Request { id: 1.into(), method: method.to_owned(), params };
        self.client.sender.send(request.into()).expect("the server runs");
        while !matches!(self.next(), Message::Response(_)) {}
    }

    fn next(&self) -> Message {
        self.client.receiver.recv().expect("the server runs")
    }

    /// Waits for what is said about the version of the program that was sent last.
    fn diagnostics(&self) -> usize {
        loop {
            if let Message::Notification(said) = self.next()
                && said.method == "textDocument/publishDiagnostics"
                && said.params["version"] == self.version
            {
                return said.params["diagnostics"].as_array().map_or(0, Vec::len);
            }
        }
    }

    fn open(&mut self, text: &str) -> usize {
        self.version += 1;
        let document = json!({
            "uri": URL, "languageId": "futhark", "version": self.version, "text": text,
        });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.diagnostics()
    }

    /// Puts `text` for the columns from `from` to `to` of a line.
    fn edit(&mut self, line: usize, (from, to): (usize, usize), text: &str) -> usize {
        self.version += 1;
        let at = |character: usize| json!({ "line": line, "character": character });
        let change = json!({ "range": { "start": at(from), "end": at(to) }, "text": text });
        let document = json!({ "uri": URL, "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        self.tell("textDocument/didChange", params);
        self.diagnostics()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        if let Some(server) = self.server.take() {
            server.join().expect("the server ends");
        }
    }
}

fn server(c: &mut Criterion) {
    let mut group = c.benchmark_group("server");
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    for lines in [1_000, 10_000] {
        let text = futc_benches::generated_program(lines);
        group.bench_function(BenchmarkId::new("open", lines), |b| {
            b.iter_custom(|times| {
                let mut took = Duration::ZERO;
                for _ in 0..times {
                    let mut session = Session::start();
                    let begin = Instant::now();
                    black_box(session.open(&text));
                    took += begin.elapsed();
                }
                took
            });
        });
        // A function in the middle, whose last line is lengthened and shortened by turns.
        let last = format!("in if d > f64.i64 k then f64.sqrt d else d * {}", lines / 40);
        let (line, column) = text
            .lines()
            .enumerate()
            .find_map(|(line, text)| text.contains(&last).then_some((line, text.len())))
            .expect("the function that is edited is there");
        group.bench_function(BenchmarkId::new("edit in the body of one function", lines), |b| {
            let mut session = Session::start();
            assert_eq!(session.open(&text), 0, "the program is accepted");
            let mut longer = false;
            b.iter(|| {
                longer = !longer;
                let (columns, text) =
                    if longer { ((column, column), " + d") } else { ((column, column + 4), "") };
                assert_eq!(session.edit(line, columns, text), 0, "the program is accepted");
            });
        });
        group.bench_function(BenchmarkId::new("edit that makes a syntax error", lines), |b| {
            let mut session = Session::start();
            session.open(&text);
            let mut wrong = false;
            b.iter(|| {
                wrong = !wrong;
                let (columns, text) =
                    if wrong { ((column, column), " *") } else { ((column, column + 2), "") };
                assert_eq!(session.edit(line, columns, text), usize::from(wrong));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, server);
criterion_main!(benches);
