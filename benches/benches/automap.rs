//! What AUTOMAP costs: checking a program of 1,000 lines that leaves its maps and reps out, and the
//! same program with all of them written. The prelude has been checked before.
#![allow(missing_docs, clippy::expect_used, reason = "criterion's macros; a benchmark may stop")]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use futc_frontend::db::{CompilerDb, Db, diagnostics, elaborated};
use futc_frontend::world::Memory;
use std::sync::Arc;

/// A database that has checked the prelude, and the program that it has not.
fn opened(text: &str) -> CompilerDb {
    let world = Memory::new().with("program.fut", text).with("empty.fut", "");
    let db = CompilerDb::new(Arc::new(world));
    diagnostics(&db, db.source("empty.fut"));
    db
}

fn check(db: &CompilerDb) {
    let said = diagnostics(db, db.source("program.fut"));
    assert!(said.is_empty(), "{said:#?}");
}

fn automap(c: &mut Criterion) {
    let implicit = futc_benches::broadcasting_program(1_000);
    let db = opened(&implicit);
    check(&db);
    let explicit = elaborated(&db, db.source("program.fut")).expect("it is there");
    assert_ne!(implicit, explicit);
    let mut group = c.benchmark_group("automap");
    group.sample_size(20);
    for (name, text) in [("written", &explicit), ("inserted", &implicit)] {
        group.bench_function(name, |b| {
            b.iter_batched(|| opened(text), |db| check(&db), BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, automap);
criterion_main!(benches);
