//! The server: reads messages, keeps the texts of open files, and has questions answered.
//!
//! Two threads share the database. This one takes messages in order, and puts edits into it at
//! once; a worker answers requests and finds diagnostics on clones of it. An edit cancels what the
//! worker is at: a request that was asked before the edit is answered with `ContentModified`, as
//! the protocol has it, and diagnostics are begun anew. What a request does wrong ends in an error
//! for that request and nothing else.

use crate::features::Snapshot;
use crate::text::{Encoding, apply};
use crate::world::{Library, programs_of};
use crossbeam_channel::{Receiver, Sender, unbounded};
use futc_frontend::db::{self, CompilerDb};
use futc_frontend::world::{World, is_prelude};
use lsp_server::{
    Connection, ErrorCode, Message, Notification, ProtocolError, Request, RequestId, Response,
    ResponseError,
};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders,
    DidCloseTextDocument, DidOpenTextDocument, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    Completion, DocumentSymbolRequest, Formatting, GotoDefinition, HoverRequest, InlayHintRequest,
    PrepareRenameRequest, References, RegisterCapability, Rename, Request as _,
    ResolveCompletionItem,
};
use lsp_types::{
    CancelParams, CompletionOptions, CompletionParams, Diagnostic, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWatchedFilesRegistrationOptions,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentFormattingParams, DocumentSymbolParams, FileSystemWatcher, GlobPattern,
    GotoDefinitionParams, HoverParams, HoverProviderCapability, InitializeParams, InlayHintParams,
    NumberOrString, OneOf, PublishDiagnosticsParams, ReferenceParams, Registration,
    RegistrationParams, RenameOptions, RenameParams, ServerCapabilities,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, Url,
    WorkDoneProgressOptions,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Why a server ended other than by request.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The client broke the protocol.
    #[error("{0}")]
    Protocol(#[from] ProtocolError),
    /// Standard input or output failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The client sent what is no message of the protocol where one was needed.
    #[error("{0}")]
    Message(#[from] serde_json::Error),
}

/// Serves a client until it says `exit`.
///
/// # Errors
///
/// If the connection fails, or the client does not begin as it must.
pub fn serve(connection: &Connection, world: Arc<dyn World>) -> Result<(), ServerError> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let general = params.capabilities.general.as_ref();
    let encoding = Encoding::negotiate(general.and_then(|g| g.position_encodings.as_deref()));
    let answer = serde_json::json!({
        "capabilities": capabilities(encoding),
        "serverInfo": { "name": "futc", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer)?;
    let watched = params
        .capabilities
        .workspace
        .as_ref()
        .and_then(|w| w.did_change_watched_files.as_ref())
        .and_then(|w| w.dynamic_registration);
    if watched == Some(true) {
        watch(connection);
    }
    let folders = folders(&params);
    let shared = Arc::new(Shared {
        state: Mutex::new(State {
            db: CompilerDb::new(world),
            library: Library::write(),
            encoding,
            open: BTreeMap::new(),
            folders,
            edits: 0,
        }),
        requests: Mutex::new(Requests::default()),
    });
    let (tasks, queue) = unbounded();
    let worker = Worker {
        shared: shared.clone(),
        out: connection.sender.clone(),
        published: BTreeMap::new(),
    };
    // Deeply nested programs meet recursive passes; the stack is reserved, not committed.
    let thread = std::thread::Builder::new()
        .name("worker".to_owned())
        .stack_size(1 << 30)
        .spawn(move || worker.run(&queue))?;
    let result = receive(connection, &shared, &tasks);
    drop(tasks);
    // A panic there has been turned into answers; nothing is left to be said.
    let _ = thread.join();
    result
}

/// The folders of the workspace; older clients tell of one only, in one of two other ways.
#[allow(deprecated, reason = "there are clients that know nothing else")]
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten();
    let mut folders: Vec<PathBuf> = folders.filter_map(|f| f.uri.to_file_path().ok()).collect();
    if folders.is_empty() {
        folders.extend(params.root_uri.as_ref().and_then(|uri| uri.to_file_path().ok()));
    }
    if folders.is_empty() {
        folders.extend(params.root_path.as_ref().map(PathBuf::from));
    }
    folders
}

fn capabilities(encoding: Encoding) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(
            TextDocumentSyncKind::INCREMENTAL,
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions {
            resolve_provider: Some(true),
            trigger_characters: Some(vec![".".to_owned()]),
            ..CompletionOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// Asks to be told when programs change on disk.
fn watch(connection: &Connection) {
    let options = DidChangeWatchedFilesRegistrationOptions {
        watchers: vec![FileSystemWatcher {
            glob_pattern: GlobPattern::String("**/*.fut".to_owned()),
            kind: None,
        }],
    };
    let registration = Registration {
        id: "programs".to_owned(),
        method: DidChangeWatchedFiles::METHOD.to_owned(),
        register_options: serde_json::to_value(options).ok(),
    };
    let params = RegistrationParams { registrations: vec![registration] };
    let id = RequestId::from("watch".to_owned());
    let request = Request::new(id, RegisterCapability::METHOD.to_owned(), params);
    // A client that is gone is noticed when it is read from.
    let _ = connection.sender.send(request.into());
}

/// An open file.
struct Document {
    url: Url,
    text: String,
    version: i32,
}

/// What edits change.
struct State {
    db: CompilerDb,
    library: Library,
    encoding: Encoding,
    /// Open files by path.
    open: BTreeMap<String, Document>,
    folders: Vec<PathBuf>,
    /// How often anything was changed.
    edits: u64,
}

#[derive(Default)]
struct Requests {
    waiting: HashSet<RequestId>,
    cancelled: HashSet<RequestId>,
}

struct Shared {
    state: Mutex<State>,
    requests: Mutex<Requests>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_cancelled(&self, id: &RequestId) -> bool {
        self.requests().cancelled.contains(id)
    }
}

/// What the worker is to do, and how many edits had been made when it was asked to.
enum Task {
    Answer(Request, u64),
    Diagnostics(u64),
}

fn receive(
    connection: &Connection,
    shared: &Shared,
    tasks: &Sender<Task>,
) -> Result<(), ServerError> {
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                shared.requests().waiting.insert(request.id.clone());
                let edits = {
                    let mut state = shared.state();
                    if matches!(request.method.as_str(), References::METHOD | Rename::METHOD) {
                        state.look_again();
                    }
                    state.edits
                };
                // The worker ends after this loop does.
                let _ = tasks.send(Task::Answer(request, edits));
            }
            Message::Notification(notification) => {
                if notify(shared, notification) {
                    let edits = shared.state().edits;
                    let _ = tasks.send(Task::Diagnostics(edits));
                }
            }
            Message::Response(_) => {}
        }
    }
    Ok(())
}

/// Takes notice; true if programs may have changed. Notifications have no answers, so what cannot
/// be understood is passed over.
fn notify(shared: &Shared, notification: Notification) -> bool {
    match notification.method.as_str() {
        DidOpenTextDocument::METHOD => {
            let Some(params) = read::<DidOpenTextDocumentParams>(notification) else {
                return false;
            };
            let doc = params.text_document;
            shared.state().edit(doc.uri, doc.version, |text, _| *text = doc.text)
        }
        DidChangeTextDocument::METHOD => {
            let Some(params) = read::<DidChangeTextDocumentParams>(notification) else {
                return false;
            };
            let doc = params.text_document;
            let mut state = shared.state();
            let known = state.library.path(&doc.uri).is_some_and(|p| state.open.contains_key(&p));
            known
                && state.edit(doc.uri, doc.version, |text, encoding| {
                    apply(text, params.content_changes, encoding);
                })
        }
        DidCloseTextDocument::METHOD => {
            let Some(params) = read::<DidCloseTextDocumentParams>(notification) else {
                return false;
            };
            let mut state = shared.state();
            let Some(path) = state.library.path(&params.text_document.uri) else { return false };
            state.open.remove(&path);
            state.refresh(&path);
            true
        }
        DidChangeWatchedFiles::METHOD => {
            let Some(params) = read::<DidChangeWatchedFilesParams>(notification) else {
                return false;
            };
            let mut state = shared.state();
            for change in params.changes {
                if let Some(path) = state.library.path(&change.uri)
                    && !state.open.contains_key(&path)
                {
                    state.refresh(&path);
                }
            }
            true
        }
        DidChangeWorkspaceFolders::METHOD => {
            let Some(params) = read::<DidChangeWorkspaceFoldersParams>(notification) else {
                return false;
            };
            let mut state = shared.state();
            let path = |uri: &Url| uri.to_file_path().ok();
            let removed: Vec<PathBuf> =
                params.event.removed.iter().filter_map(|f| path(&f.uri)).collect();
            state.folders.retain(|folder| !removed.contains(folder));
            state.folders.extend(params.event.added.iter().filter_map(|f| path(&f.uri)));
            false
        }
        Cancel::METHOD => {
            if let Some(params) = read::<CancelParams>(notification) {
                let id = match params.id {
                    NumberOrString::Number(n) => RequestId::from(n),
                    NumberOrString::String(s) => RequestId::from(s),
                };
                let mut requests = shared.requests();
                if requests.waiting.contains(&id) {
                    requests.cancelled.insert(id);
                }
            }
            false
        }
        _ => false,
    }
}

fn read<T: DeserializeOwned>(notification: Notification) -> Option<T> {
    serde_json::from_value(notification.params).ok()
}

impl State {
    /// Changes the text of an open file, or opens it.
    fn edit(&mut self, url: Url, version: i32, change: impl FnOnce(&mut String, Encoding)) -> bool {
        let Some(path) = self.library.path(&url) else { return false };
        let encoding = self.encoding;
        let doc = self.open.entry(path.clone()).or_insert_with(|| Document {
            url,
            text: String::new(),
            version,
        });
        doc.version = version;
        change(&mut doc.text, encoding);
        // The copy of the prelude that an editor shows is not what is compiled.
        if is_prelude(&path) {
            return false;
        }
        self.edits += 1;
        self.db.set_text(&path, &doc.text);
        true
    }

    fn refresh(&mut self, path: &str) {
        self.edits += 1;
        if !is_prelude(path) {
            self.db.refresh(path);
        }
    }

    /// Reads files of the workspace that are not open, if they differ from what is known of them: not
    /// every client tells of changes on disk, and a name must be changed wherever it stands.
    fn look_again(&mut self) {
        for path in programs_of(&self.folders, self.open.keys()).files {
            let Some(path) = path.to_str() else { continue };
            if !self.open.contains_key(path) && self.db.refresh(path) {
                self.edits += 1;
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            db: self.db.clone(),
            library: self.library.clone(),
            encoding: self.encoding,
            open: self.open.keys().cloned().collect(),
            folders: self.folders.clone(),
        }
    }
}

struct Worker {
    shared: Arc<Shared>,
    out: Sender<Message>,
    /// What the client has been told last, by file.
    published: BTreeMap<Url, Vec<Diagnostic>>,
}

/// How the work on a snapshot ended.
enum Outcome<T> {
    Done(T),
    /// An edit came between.
    Outdated,
    /// A defect of the compiler or the server.
    Panicked(String),
}

impl Worker {
    fn run(mut self, queue: &Receiver<Task>) {
        for task in queue {
            match task {
                Task::Answer(request, edits) => self.answer(request, edits),
                Task::Diagnostics(edits) => self.diagnostics(edits),
            }
        }
    }

    /// Does something with the program as it is, if nothing was edited after `edits`.
    fn with<T>(&self, edits: u64, work: impl FnOnce(&Snapshot) -> T) -> Outcome<T> {
        let snapshot = {
            let state = self.shared.state();
            if state.edits != edits {
                return Outcome::Outdated;
            }
            state.snapshot()
        };
        match catch_unwind(AssertUnwindSafe(|| db::cancellable(|| work(&snapshot)))) {
            Ok(Some(result)) => Outcome::Done(result),
            Ok(None) => Outcome::Outdated,
            Err(payload) => {
                let text = payload
                    .downcast_ref::<&str>()
                    .map(|text| (*text).to_owned())
                    .or_else(|| payload.downcast_ref::<String>().cloned());
                Outcome::Panicked(text.unwrap_or_else(|| "no message".to_owned()))
            }
        }
    }

    fn answer(&self, request: Request, edits: u64) {
        let id = request.id.clone();
        let result = if self.shared.is_cancelled(&id) {
            Err(cancelled())
        } else {
            match self.with(edits, |snapshot| dispatch(snapshot, request)) {
                _ if self.shared.is_cancelled(&id) => Err(cancelled()),
                Outcome::Done(result) => result,
                Outcome::Outdated => {
                    Err(error(ErrorCode::ContentModified, "the program was changed meanwhile"))
                }
                Outcome::Panicked(text) => Err(error(
                    ErrorCode::InternalError,
                    format!("this is a defect of the compiler, please report it: {text}"),
                )),
            }
        };
        {
            let mut requests = self.shared.requests();
            requests.waiting.remove(&id);
            requests.cancelled.remove(&id);
        }
        let response = match result {
            Ok(result) => Response { id, result: Some(result), error: None },
            Err(error) => Response { id, result: None, error: Some(error) },
        };
        // A client that is gone is noticed by the other thread.
        let _ = self.out.send(response.into());
    }

    fn diagnostics(&mut self, edits: u64) {
        let Outcome::Done(now) = self.with(edits, Snapshot::diagnostics) else { return };
        let versions: HashMap<Url, i32> = {
            let state = self.shared.state();
            state.open.values().map(|doc| (doc.url.clone(), doc.version)).collect()
        };
        let before = std::mem::take(&mut self.published);
        for url in before.keys().filter(|url| !now.contains_key(*url)) {
            self.publish(url, Vec::new(), None);
        }
        for (url, diagnostics) in &now {
            // An open file is spoken of after every edit, so that the client knows it is done.
            let open = versions.get(url).copied();
            if open.is_some() || before.get(url) != Some(diagnostics) {
                self.publish(url, diagnostics.clone(), open);
            }
        }
        self.published = now;
    }

    fn publish(&self, uri: &Url, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version };
        let method = PublishDiagnostics::METHOD.to_owned();
        let _ = self.out.send(Notification::new(method, params).into());
    }
}

fn error(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}

fn cancelled() -> ResponseError {
    error(ErrorCode::RequestCanceled, "cancelled by the client")
}

/// Answers a request.
fn dispatch(s: &Snapshot, request: Request) -> Result<Value, ResponseError> {
    let method = request.method.clone();
    match method.as_str() {
        HoverRequest::METHOD => {
            let p: HoverParams = params(request)?;
            let p = p.text_document_position_params;
            reply(place(s, &p).and_then(|(file, at)| s.hover(file, at)))
        }
        GotoDefinition::METHOD => {
            let p: GotoDefinitionParams = params(request)?;
            let p = p.text_document_position_params;
            reply(place(s, &p).and_then(|(file, at)| s.definition(file, at)))
        }
        References::METHOD => {
            let p: ReferenceParams = params(request)?;
            let binding = p.context.include_declaration;
            let found = place(s, &p.text_document_position)
                .map(|(file, at)| s.references(file, at, binding));
            reply(found)
        }
        PrepareRenameRequest::METHOD => {
            let p: TextDocumentPositionParams = params(request)?;
            let Some((file, at)) = place(s, &p) else { return Ok(Value::Null) };
            reply(s.prepare_rename(file, at).map_err(refused)?)
        }
        Rename::METHOD => {
            let p: RenameParams = params(request)?;
            let Some((file, at)) = place(s, &p.text_document_position) else {
                return Ok(Value::Null);
            };
            reply(s.rename(file, at, &p.new_name).map_err(refused)?)
        }
        Completion::METHOD => {
            let p: CompletionParams = params(request)?;
            let found =
                place(s, &p.text_document_position).map(|(file, at)| s.completion(file, at));
            reply(found)
        }
        ResolveCompletionItem::METHOD => reply(s.resolve_completion(params(request)?)),
        DocumentSymbolRequest::METHOD => {
            let p: DocumentSymbolParams = params(request)?;
            reply(s.file(&p.text_document.uri).map(|file| s.symbols(file)))
        }
        InlayHintRequest::METHOD => {
            let p: InlayHintParams = params(request)?;
            reply(s.file(&p.text_document.uri).map(|file| s.inlay_hints(file, p.range)))
        }
        Formatting::METHOD => {
            let p: DocumentFormattingParams = params(request)?;
            let Some(file) = s.file(&p.text_document.uri) else { return Ok(Value::Null) };
            reply(s.format(file).map_err(refused)?)
        }
        _ => Err(error(ErrorCode::MethodNotFound, format!("there is no method {method}"))),
    }
}

fn place(s: &Snapshot, p: &TextDocumentPositionParams) -> Option<(db::SourceFile, u32)> {
    s.place(&p.text_document.uri, p.position)
}

fn params<T: DeserializeOwned>(request: Request) -> Result<T, ResponseError> {
    serde_json::from_value(request.params)
        .map_err(|e| error(ErrorCode::InvalidParams, e.to_string()))
}

fn reply(result: impl serde::Serialize) -> Result<Value, ResponseError> {
    serde_json::to_value(result).map_err(|e| error(ErrorCode::InternalError, e.to_string()))
}

fn refused(why: String) -> ResponseError {
    error(ErrorCode::RequestFailed, why)
}
