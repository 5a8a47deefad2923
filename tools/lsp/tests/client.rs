//! The server as a process, driven over its standard input and output by the client side of
//! `async-lsp`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

use async_lsp::router::Router;
use async_lsp::{ErrorCode, MainLoop, ServerSocket};
use futures::StreamExt as _;
use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Exit, Initialized,
    PublishDiagnostics,
};
use lsp_types::request::{
    Completion, DocumentSymbolRequest, Formatting, GotoDefinition, HoverRequest, Initialize,
    InlayHintRequest, PrepareRenameRequest, References, Rename, Request, ResolveCompletionItem,
    Shutdown,
};
use lsp_types::*;
use std::future::Future;
use std::ops::ControlFlow;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio_util::compat::{TokioAsyncReadCompatExt as _, TokioAsyncWriteCompatExt as _};

/// A running server with a folder of its own.
struct Client {
    server: ServerSocket,
    diagnostics: UnboundedReceiver<PublishDiagnosticsParams>,
    folder: tempfile::TempDir,
    capabilities: ServerCapabilities,
    version: i32,
}

/// Runs a test against a server that offers these encodings, and ends the server as one should.
fn with_server<F: Future<Output = Client>>(
    encodings: Option<Vec<PositionEncodingKind>>,
    test: impl FnOnce(Client) -> F,
) {
    with_server_started(encodings, |_| {}, test);
}

/// As [`with_server`], started with parameters that are changed by `start`.
fn with_server_started<F: Future<Output = Client>>(
    encodings: Option<Vec<PositionEncodingKind>>,
    start: impl FnOnce(&mut InitializeParams),
    test: impl FnOnce(Client) -> F,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let cache = tempfile::tempdir().unwrap();
        let mut process = tokio::process::Command::new(env!("CARGO_BIN_EXE_futc-lsp"))
            .env("XDG_CACHE_HOME", cache.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let (tell, diagnostics) = unbounded();
        let (mainloop, server) = MainLoop::new_client(|_| {
            let mut router = Router::new(());
            router.notification::<PublishDiagnostics>(move |_, params| {
                let _ = tell.unbounded_send(params);
                ControlFlow::Continue(())
            });
            router
        });
        let output = process.stdout.take().unwrap().compat();
        let input = process.stdin.take().unwrap().compat_write();
        let connection = tokio::spawn(mainloop.run_buffered(output, input));
        let root = Url::from_file_path(folder.path()).unwrap();
        let mut params = InitializeParams {
            workspace_folders: Some(vec![WorkspaceFolder { uri: root, name: "root".into() }]),
            capabilities: ClientCapabilities {
                general: Some(GeneralClientCapabilities {
                    position_encodings: encodings,
                    ..GeneralClientCapabilities::default()
                }),
                ..ClientCapabilities::default()
            },
            ..InitializeParams::default()
        };
        start(&mut params);
        let started = server.request::<Initialize>(params).await.unwrap();
        server.notify::<Initialized>(InitializedParams {}).unwrap();
        let capabilities = started.capabilities;
        let client = Client { server, diagnostics, folder, capabilities, version: 0 };
        let client = test(client).await;
        client.server.request::<Shutdown>(()).await.unwrap();
        client.server.notify::<Exit>(()).unwrap();
        let status = tokio::time::timeout(Duration::from_secs(60), process.wait()).await;
        assert!(status.expect("the server does not end").unwrap().success());
        connection.abort();
    });
}

fn run<F: Future<Output = Client>>(test: impl FnOnce(Client) -> F) {
    with_server(None, test);
}

impl Client {
    fn url(&self, name: &str) -> Url {
        Url::from_file_path(self.folder.path().join(name)).unwrap()
    }

    fn id(&self, name: &str) -> TextDocumentIdentifier {
        TextDocumentIdentifier { uri: self.url(name) }
    }

    /// Opens a file, and waits for its diagnostics.
    async fn open(&mut self, name: &str, text: &str) -> Vec<Diagnostic> {
        let text_document = TextDocumentItem {
            uri: self.url(name),
            language_id: "futhark".into(),
            version: self.version,
            text: text.into(),
        };
        self.server
            .notify::<DidOpenTextDocument>(DidOpenTextDocumentParams { text_document })
            .unwrap();
        self.wait(name).await
    }

    fn change(&mut self, name: &str, range: Option<Range>, text: &str) {
        self.version += 1;
        let change =
            TextDocumentContentChangeEvent { range, range_length: None, text: text.into() };
        let text_document =
            VersionedTextDocumentIdentifier { uri: self.url(name), version: self.version };
        let params = DidChangeTextDocumentParams { text_document, content_changes: vec![change] };
        self.server.notify::<DidChangeTextDocument>(params).unwrap();
    }

    /// Edits a file, and waits for its diagnostics.
    async fn edit(&mut self, name: &str, range: Option<Range>, text: &str) -> Vec<Diagnostic> {
        self.change(name, range, text);
        self.wait(name).await
    }

    /// The diagnostics of a file for its current version.
    async fn wait(&mut self, name: &str) -> Vec<Diagnostic> {
        let url = self.url(name);
        loop {
            let next = tokio::time::timeout(Duration::from_secs(120), self.diagnostics.next());
            let next = next.await.expect("no diagnostics come").expect("the server is gone");
            if next.uri == url && next.version == Some(self.version) {
                return next.diagnostics;
            }
        }
    }

    fn at(&self, name: &str, line: u32, character: u32) -> TextDocumentPositionParams {
        TextDocumentPositionParams {
            text_document: self.id(name),
            position: Position { line, character },
        }
    }

    async fn ask<R: Request>(&self, params: R::Params) -> R::Result {
        let answer = self.server.request::<R>(params);
        let answer = tokio::time::timeout(Duration::from_secs(120), answer).await;
        answer.expect("no answer comes").unwrap_or_else(|e| panic!("{}: {e}", R::METHOD))
    }

    async fn hover(&self, name: &str, line: u32, character: u32) -> Option<String> {
        let hover = self
            .ask::<HoverRequest>(HoverParams {
                text_document_position_params: self.at(name, line, character),
                work_done_progress_params: WorkDoneProgressParams::default(),
            })
            .await?;
        match hover.contents {
            HoverContents::Markup(markup) => Some(markup.value),
            other => panic!("{other:?}"),
        }
    }

    async fn definition(&self, name: &str, line: u32, character: u32) -> Option<Location> {
        let found = self
            .ask::<GotoDefinition>(GotoDefinitionParams {
                text_document_position_params: self.at(name, line, character),
                work_done_progress_params: WorkDoneProgressParams::default(),
                partial_result_params: PartialResultParams::default(),
            })
            .await?;
        match found {
            GotoDefinitionResponse::Scalar(location) => Some(location),
            other => panic!("{other:?}"),
        }
    }

    async fn completions(&self, name: &str, line: u32, character: u32) -> Vec<CompletionItem> {
        let found = self
            .ask::<Completion>(CompletionParams {
                text_document_position: self.at(name, line, character),
                work_done_progress_params: WorkDoneProgressParams::default(),
                partial_result_params: PartialResultParams::default(),
                context: None,
            })
            .await;
        match found {
            Some(CompletionResponse::Array(items)) => items,
            other => panic!("{other:?}"),
        }
    }

    fn rename_params(&self, name: &str, line: u32, character: u32, new: &str) -> RenameParams {
        RenameParams {
            text_document_position: self.at(name, line, character),
            new_name: new.into(),
            work_done_progress_params: WorkDoneProgressParams::default(),
        }
    }
}

fn range(line: u32, from: u32, to: u32) -> Range {
    Range { start: Position::new(line, from), end: Position::new(line, to) }
}

fn code(d: &Diagnostic) -> &str {
    match &d.code {
        Some(NumberOrString::String(code)) => code,
        other => panic!("{other:?}"),
    }
}

#[test]
fn diagnostics_follow_edits() {
    run(|mut c| async {
        assert_eq!(c.open("a.fut", "def f (x: i32) : i32 = x + 1\n").await, []);
        let found = c.edit("a.fut", Some(range(0, 27, 28)), "true").await;
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].severity, Some(DiagnosticSeverity::ERROR));
        assert_eq!(code(&found[0]), "type-mismatch");
        assert_eq!(found[0].range, range(0, 27, 31));
        let page = found[0].code_description.as_ref().unwrap().href.to_file_path().unwrap();
        assert!(std::fs::read_to_string(page).unwrap().contains("## Wrong"));
        // Several edits in one go; only the last is spoken of in the end.
        for i in 0..20 {
            c.change("a.fut", Some(range(0, 0, 0)), if i % 2 == 0 { "(" } else { "" });
        }
        let found = c.edit("a.fut", None, "def f = (1, \n").await;
        assert_eq!(code(&found[0]), "syntax-error");
        assert!(!found[0].related_information.as_ref().unwrap().is_empty());
        assert_eq!(c.edit("a.fut", None, "def f = 1i32\n").await, []);
        c
    });
}

#[test]
fn warnings_are_shown_where_there_are_no_errors() {
    run(|mut c| async {
        let found = c.open("a.fut", "def f (x: i32) (y: i32) = x + 1\n").await;
        assert_eq!(found.iter().map(code).collect::<Vec<_>>(), ["unused-parameter"]);
        assert_eq!(found[0].severity, Some(DiagnosticSeverity::WARNING));
        assert_eq!(found[0].range, range(0, 16, 17));
        assert_eq!(found[0].tags, Some(vec![DiagnosticTag::UNNECESSARY]));
        let found = c.edit("a.fut", Some(range(0, 30, 31)), "true").await;
        assert_eq!(found.iter().map(code).collect::<Vec<_>>(), ["type-mismatch"]);
        assert_eq!(c.edit("a.fut", Some(range(0, 30, 34)), "y").await, []);
        c
    });
}

#[test]
fn imported_files_are_checked_with_what_is_on_disk_or_open() {
    run(|mut c| async {
        std::fs::write(c.folder.path().join("lib.fut"), "def one : i32 = 1\n").unwrap();
        assert_eq!(c.open("a.fut", "import \"lib\"\ndef two = one + 1\n").await, []);
        let found = c.definition("a.fut", 1, 11).await.unwrap();
        assert_eq!((found.uri, found.range), (c.url("lib.fut"), range(0, 4, 7)));
        // On the import itself.
        assert_eq!(c.definition("a.fut", 0, 9).await.unwrap().uri, c.url("lib.fut"));
        c.open("lib.fut", "def one : bool = true\n").await;
        let found = c.edit("a.fut", Some(range(1, 0, 0)), " ").await;
        assert!(!found.is_empty());
        // Closed, the file is again what is on disk.
        let text_document = c.id("lib.fut");
        c.server
            .notify::<DidCloseTextDocument>(DidCloseTextDocumentParams { text_document })
            .unwrap();
        assert_eq!(c.edit("a.fut", Some(range(1, 0, 0)), " ").await, []);
        c
    });
}

#[test]
fn hovers_show_types_sizes_and_documentation() {
    run(|mut c| async {
        let text = "def first = 1i32\n\n-- | Adds one to all.\ndef inc [n] (xs: [n]i32) : [n]i32 =\n  let ys = map (+ 1) xs\n  in ys\ndef f (n: i64) = inc (replicate n 0)\n";
        c.open("a.fut", text).await;
        let found = c.hover("a.fut", 6, 18).await.unwrap();
        assert!(found.contains("def inc [n] : ") && found.contains("Adds one to all."), "{found}");
        assert!(c.hover("a.fut", 5, 5).await.unwrap().contains("ys : [n]i32"));
        assert!(c.hover("a.fut", 6, 23).await.unwrap().contains("def replicate"));
        // A program that is wrong somewhere else, and the very definition.
        c.edit("a.fut", Some(range(5, 5, 7)), "ys + true").await;
        assert!(c.hover("a.fut", 5, 5).await.unwrap().contains("ys : [n]i32"));
        assert!(c.hover("a.fut", 6, 7).await.unwrap().contains("n : i64"));
        assert_eq!(c.hover("a.fut", 99, 0).await, None);
        c
    });
}

#[test]
fn definitions_in_the_prelude_are_files() {
    run(|mut c| async {
        c.open("a.fut", "def f xs = map (+ 1) xs\n").await;
        let found = c.definition("a.fut", 0, 12).await.unwrap();
        let text = std::fs::read_to_string(found.uri.to_file_path().unwrap()).unwrap();
        let line = text.lines().nth(found.range.start.line as usize).unwrap();
        assert!(line.starts_with("def map"), "{line}");
        // In that file one can go on.
        let path = found.uri.clone();
        let text_document =
            TextDocumentItem { uri: path.clone(), language_id: "futhark".into(), version: 0, text };
        c.server
            .notify::<DidOpenTextDocument>(DidOpenTextDocumentParams { text_document })
            .unwrap();
        let hover = c
            .ask::<HoverRequest>(HoverParams {
                text_document_position_params: TextDocumentPositionParams {
                    text_document: TextDocumentIdentifier { uri: path },
                    position: found.range.start,
                },
                work_done_progress_params: WorkDoneProgressParams::default(),
            })
            .await;
        assert!(hover.is_some());
        c
    });
}

#[test]
fn references_and_renaming_cross_files() {
    run(|mut c| async {
        std::fs::write(c.folder.path().join("b.fut"), "import \"a\"\ndef g = one\n").unwrap();
        c.open("a.fut", "def one = 1i32\ndef two = one + one\n").await;
        let params = ReferenceParams {
            text_document_position: c.at("a.fut", 0, 5),
            work_done_progress_params: WorkDoneProgressParams::default(),
            partial_result_params: PartialResultParams::default(),
            context: ReferenceContext { include_declaration: true },
        };
        let found = c.ask::<References>(params).await.unwrap();
        assert_eq!(found.len(), 4, "{found:?}");
        let can = c.ask::<PrepareRenameRequest>(c.at("a.fut", 1, 11)).await;
        assert_eq!(can, Some(PrepareRenameResponse::Range(range(1, 10, 13))));
        let edit = c.ask::<Rename>(c.rename_params("a.fut", 1, 11, "uno")).await.unwrap();
        let changes = edit.changes.unwrap();
        assert_eq!(changes[&c.url("a.fut")].len(), 3);
        assert_eq!(changes[&c.url("b.fut")].len(), 1);
        // What would change the meaning is refused, with a reason.
        let refused = c.server.request::<Rename>(c.rename_params("a.fut", 1, 11, "two")).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("already means something else"), "{refused}");
        c
    });
}

/// Neither does the client tell of changes on disk, nor is the importer open.
#[test]
fn renaming_reaches_files_as_they_are_on_disk() {
    run(|mut c| async {
        let importer = c.folder.path().join("sub").join("b.fut");
        std::fs::create_dir(importer.parent().unwrap()).unwrap();
        std::fs::write(&importer, "import \"../a\"\ndef g = 1i32\n").unwrap();
        c.open("a.fut", "def one = 1i32\n").await;
        let edit = c.ask::<Rename>(c.rename_params("a.fut", 0, 5, "uno")).await.unwrap();
        assert!(!edit.changes.unwrap().contains_key(&c.url("sub/b.fut")));
        std::fs::write(&importer, "import \"../a\"\ndef g = one + one\n").unwrap();
        let edit = c.ask::<Rename>(c.rename_params("a.fut", 0, 5, "uno")).await.unwrap();
        assert_eq!(edit.changes.unwrap()[&c.url("sub/b.fut")].len(), 2);
        // A file that comes is found, too.
        let new = c.folder.path().join("new.fut");
        std::fs::write(&new, "import \"a\"\ndef h = one\n").unwrap();
        let edit = c.ask::<Rename>(c.rename_params("a.fut", 0, 5, "uno")).await.unwrap();
        assert_eq!(edit.changes.unwrap()[&c.url("new.fut")].len(), 1);
        c
    });
}

/// A client that knows nothing of workspaces with several folders, or of none.
#[test]
fn importers_are_found_without_workspace_folders() {
    for root in [true, false] {
        let start = |params: &mut InitializeParams| {
            let folders = params.workspace_folders.take();
            #[allow(deprecated, reason = "this is what older clients send")]
            if root {
                params.root_uri = folders.and_then(|f| f.into_iter().next()).map(|f| f.uri);
            }
        };
        with_server_started(None, start, |mut c| async {
            std::fs::write(c.folder.path().join("b.fut"), "import \"a\"\ndef g = one\n").unwrap();
            c.open("a.fut", "def one = 1i32\n").await;
            let edit = c.ask::<Rename>(c.rename_params("a.fut", 0, 5, "uno")).await.unwrap();
            assert_eq!(edit.changes.unwrap()[&c.url("b.fut")].len(), 1);
            c
        });
    }
}

#[test]
fn the_prelude_cannot_be_renamed() {
    run(|mut c| async {
        c.open("a.fut", "def f xs = map (+ 1) xs\n").await;
        let refused = c.server.request::<Rename>(c.rename_params("a.fut", 0, 12, "m")).await;
        assert!(refused.unwrap_err().to_string().contains("prelude"));
        let refused = c.server.request::<PrepareRenameRequest>(c.at("a.fut", 0, 12)).await;
        assert!(refused.is_err());
        c
    });
}

#[test]
fn names_are_completed_while_one_types() {
    run(|mut c| async {
        let text = "module m = { def inside = 1i32 }\ndef f (r: {alpha: i32, beta: bool}) =\n  let local_name = 1i32\n  in \n";
        c.open("a.fut", text).await;
        let labels = |items: &[CompletionItem]| {
            items.iter().map(|i| i.label.clone()).collect::<Vec<String>>()
        };
        let found = labels(&c.completions("a.fut", 3, 5).await);
        for name in ["local_name", "r", "m", "map", "f64", "match"] {
            assert!(found.contains(&name.to_owned()), "{name} is missing in {found:?}");
        }
        c.edit("a.fut", Some(range(3, 5, 5)), "r.").await;
        let fields = c.completions("a.fut", 3, 7).await;
        assert_eq!(labels(&fields), ["alpha", "beta"]);
        assert_eq!(fields[0].detail.as_deref(), Some("i32"));
        c.edit("a.fut", Some(range(3, 5, 7)), "m.in").await;
        assert_eq!(labels(&c.completions("a.fut", 3, 9).await), ["inside"]);
        c.edit("a.fut", Some(range(3, 5, 9)), "ma").await;
        let items = c.completions("a.fut", 3, 7).await;
        let map = items.into_iter().find(|i| i.label == "map").unwrap();
        let map = c.ask::<ResolveCompletionItem>(map).await;
        assert!(map.detail.unwrap().contains("def map"));
        c
    });
}

#[test]
fn symbols_and_hints_are_shown() {
    run(|mut c| async {
        let text = "module m = {\n  type t = i32\n  def x = 1i32\n}\ndef f (n: i64) =\n  let xs = iota n\n  let s: i64 = i64.sum xs\n  in s\n";
        c.open("a.fut", text).await;
        let params = DocumentSymbolParams {
            text_document: c.id("a.fut"),
            work_done_progress_params: WorkDoneProgressParams::default(),
            partial_result_params: PartialResultParams::default(),
        };
        let Some(DocumentSymbolResponse::Nested(found)) =
            c.ask::<DocumentSymbolRequest>(params).await
        else {
            panic!("no symbols");
        };
        let names: Vec<&str> = found.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["m", "f"]);
        assert_eq!(found[0].children.as_ref().unwrap().len(), 2);
        let params = InlayHintParams {
            text_document: c.id("a.fut"),
            range: Range { start: Position::new(0, 0), end: Position::new(9, 0) },
            work_done_progress_params: WorkDoneProgressParams::default(),
        };
        let hints = c.ask::<InlayHintRequest>(params).await.unwrap();
        let shown: Vec<(Position, &str)> = hints
            .iter()
            .map(|h| match &h.label {
                InlayHintLabel::String(text) => (h.position, text.as_str()),
                InlayHintLabel::LabelParts(_) => panic!("{h:?}"),
            })
            .collect();
        assert_eq!(shown, [(Position::new(5, 8), ": [n]i64")]);
        c.edit("a.fut", None, "def f [n] (xs: [n]i32) = i32.abs xs\n").await;
        let params = InlayHintParams {
            text_document: c.id("a.fut"),
            range: Range { start: Position::new(0, 0), end: Position::new(1, 0) },
            work_done_progress_params: WorkDoneProgressParams::default(),
        };
        let hints = c.ask::<InlayHintRequest>(params).await.unwrap();
        assert!(
            matches!(&hints[..], [InlayHint { label: InlayHintLabel::String(text), .. }]
                if text == "⟹ map i32.abs xs"),
            "{hints:?}"
        );
        c
    });
}

#[test]
fn files_are_formatted() {
    run(|mut c| async {
        let params = |c: &Client| DocumentFormattingParams {
            text_document: c.id("a.fut"),
            options: FormattingOptions::default(),
            work_done_progress_params: WorkDoneProgressParams::default(),
        };
        c.open("a.fut", "def f(x:i32)=x+1 -- one\n").await;
        let edits = c.ask::<Formatting>(params(&c)).await.unwrap();
        assert_eq!(edits.len(), 1);
        assert_eq!(edits[0].new_text, "def f (x: i32) = x + 1 -- one\n");
        c.edit("a.fut", None, &edits[0].new_text).await;
        assert_eq!(c.ask::<Formatting>(params(&c)).await.unwrap(), []);
        c.edit("a.fut", None, "def f = (").await;
        assert!(c.server.request::<Formatting>(params(&c)).await.is_err());
        c
    });
}

#[test]
fn columns_are_what_was_agreed_on() {
    let text = "def f = ('→', \"𝒳\", undefined)\n";
    run(|mut c| async move {
        assert_eq!(c.capabilities.position_encoding, Some(PositionEncodingKind::UTF16));
        let found = c.open("a.fut", text).await;
        assert_eq!(found[0].range, range(0, 20, 29));
        c
    });
    let both = vec![PositionEncodingKind::UTF16, PositionEncodingKind::UTF8];
    with_server(Some(both), |mut c| async move {
        assert_eq!(c.capabilities.position_encoding, Some(PositionEncodingKind::UTF8));
        let found = c.open("a.fut", text).await;
        assert_eq!(found[0].range, range(0, 24, 33));
        c
    });
}

#[test]
fn requests_that_are_wrong_or_cancelled_are_answered() {
    enum Unknown {}
    impl Request for Unknown {
        type Params = ();
        type Result = ();
        const METHOD: &'static str = "futc/unknown";
    }
    enum Wrong {}
    impl Request for Wrong {
        type Params = u32;
        type Result = Option<Hover>;
        const METHOD: &'static str = HoverRequest::METHOD;
    }
    run(|mut c| async {
        c.open("a.fut", "def f = 1i32\n").await;
        let code = |e: async_lsp::Error| match e {
            async_lsp::Error::Response(e) => e.code,
            other => panic!("{other}"),
        };
        let answer = c.server.request::<Unknown>(()).await;
        assert_eq!(code(answer.unwrap_err()), ErrorCode::METHOD_NOT_FOUND);
        let answer = c.server.request::<Wrong>(3).await;
        assert_eq!(code(answer.unwrap_err()), ErrorCode::INVALID_PARAMS);
        // A cancelled request is answered too, one way or the other; and the server goes on.
        let symbols = DocumentSymbolParams {
            text_document: c.id("a.fut"),
            work_done_progress_params: WorkDoneProgressParams::default(),
            partial_result_params: PartialResultParams::default(),
        };
        let waiting = c.server.request::<DocumentSymbolRequest>(symbols);
        for id in 0..20 {
            let id = NumberOrString::Number(id);
            c.server.notify::<Cancel>(CancelParams { id }).unwrap();
        }
        if let Err(e) = waiting.await {
            assert_eq!(code(e), ErrorCode::REQUEST_CANCELLED);
        }
        assert!(c.hover("a.fut", 0, 4).await.is_some());
        c
    });
}

/// Whatever is asked anywhere in programs that are cut off anywhere, there is an answer.
#[test]
fn every_request_is_answered_in_broken_programs() {
    let text = "module m (P: {type t val x: t}) : {type u} = {type u = P.t}\nmodule n = m {type t = i32 def x = 1}\ndef f [n] 'a (r: {a: [n]a, b: i32}) =\n  let g x = x with a = r.a\n  in loop s = 0 for i < n do match g r case {a, b = _} -> s + #[unsafe] i\n";
    run(|mut c| async move {
        c.open("a.fut", "").await;
        for cut in (0..=text.len()).step_by(7) {
            c.edit("a.fut", None, &text[..cut]).await;
            let line = text[..cut].matches('\n').count() as u32;
            let column = (cut - text[..cut].rfind('\n').map_or(0, |i| i + 1)) as u32;
            c.hover("a.fut", line, column).await;
            c.definition("a.fut", line, column).await;
            c.completions("a.fut", line, column).await;
            let _ = c.server.request::<Rename>(c.rename_params("a.fut", line, column, "z")).await;
        }
        c
    });
}

/// 10,000 lines: the time from an edit to its diagnostics is printed.
#[test]
fn edits_of_large_programs_are_answered_soon() {
    let mut text = String::new();
    for i in 0..2_000 {
        text.push_str(&format!(
            "def f{i} [n] (xs: [n]i64) : i64 =\n  let ys = map (+ {i}) xs\n  let s = reduce (+) 0 ys\n  in s * {}\n\n",
            if i == 0 { "1".to_owned() } else { format!("f{} xs", i - 1) }
        ));
    }
    assert_eq!(text.lines().count(), 10_000);
    run(|mut c| async move {
        let begin = Instant::now();
        assert_eq!(c.open("large.fut", &text).await, []);
        let cold = begin.elapsed();
        let mut times = Vec::new();
        for i in 0..20 {
            // The number in the second line of a function's body.
            let line = 5 * (100 + 90 * i) + 1;
            let begin = Instant::now();
            let found = c.edit("large.fut", Some(range(line, 18, 19)), "7").await;
            times.push(begin.elapsed());
            assert_eq!(found, []);
        }
        times.sort();
        println!(
            "10,000 lines: opened in {} ms; edit to diagnostics: median {} ms, worst {} ms",
            cold.as_millis(),
            times[10].as_millis(),
            times[19].as_millis()
        );
        let begin = Instant::now();
        assert!(c.hover("large.fut", 5 * 1_900 + 1, 7).await.is_some());
        println!("hover: {} ms", begin.elapsed().as_millis());
        // Far from what it takes, also on a busy machine; a check of everything would not fit.
        assert!(times[10] < cold.max(Duration::from_secs(2)), "{times:?} against {cold:?}");
        c
    });
}

/// The client that ends without a word leaves no server behind.
#[test]
fn the_server_ends_with_its_input() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut process = tokio::process::Command::new(env!("CARGO_BIN_EXE_futc-lsp"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        drop(process.stdin.take());
        let ended = tokio::time::timeout(Duration::from_secs(60), process.wait()).await;
        assert!(ended.is_ok(), "the server does not end");
    });
}
