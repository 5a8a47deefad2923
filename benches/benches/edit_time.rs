//! How long the front end takes to say what is wrong with a program: cold, that is with the prelude
//! and all, and after an edit in the body of one function, as in the language server and under
//! `futc check --watch`. Within one process, without the compiler's other parts.
#![allow(missing_docs, clippy::expect_used, reason = "criterion's macros; a benchmark may stop")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use futc_frontend::db::{CompilerDb, Db, diagnostics};
use futc_frontend::world::Memory;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

fn database(text: &str) -> CompilerDb {
    CompilerDb::new(Arc::new(Memory::new().with("main.fut", text)))
}

fn check(c: &mut Criterion) {
    let mut group = c.benchmark_group("edit");
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    for lines in [1_000, 10_000] {
        let text = futc_benches::generated_program(lines);
        group.bench_with_input(BenchmarkId::new("cold", lines), &text, |b, text| {
            b.iter(|| {
                let db = database(text);
                black_box(diagnostics(&db, db.source("main.fut")).len())
            });
        });
        // Of different lengths, so that all that follows moves.
        let group_index = lines / 40;
        let body = format!("else d * {group_index}\n");
        assert!(text.contains(&body), "the function that is edited is there");
        let edits = ["else d + d * 7\n", "else d\n"].map(|new| text.replace(&body, new));
        group.bench_with_input(
            BenchmarkId::new("body of one function", lines),
            &edits,
            |b, edits| {
                let mut db = database(&text);
                let root = db.source("main.fut");
                assert!(diagnostics(&db, root).is_empty(), "the program is accepted");
                let mut edits = edits.iter().cycle();
                b.iter(|| {
                    db.set_text("main.fut", edits.next().expect("there are two"));
                    black_box(diagnostics(&db, root).len())
                });
            },
        );
    }
    group.finish();
}

criterion_group!(benches, check);
criterion_main!(benches);
