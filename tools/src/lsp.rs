//! A language server for Forma: mistakes while one types, where names are defined, and what they become.
//!
//! ```text
//! didOpen, didChange ──▶ Document: text, symbols, the IR of each stage ──▶ publishDiagnostics
//! definition, hover, formatting ──▶ answered from it
//! ```
//!
//! Texts are small, and compiled in milliseconds: each change is looked at whole.

use crate::Stop;
use line_index::{LineCol, LineIndex, TextSize, WideEncoding, WideLineCol};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::{
    Diagnostic, DiagnosticSeverity, DocumentFormattingParams, GotoDefinitionParams, GotoDefinitionResponse, Hover,
    HoverContents, HoverParams, HoverProviderCapability, InitializeResult, Location, MarkupContent, MarkupKind, OneOf,
    Position, PublishDiagnosticsParams, Range, ServerCapabilities, ServerInfo, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit, Uri,
    notification::{
        DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _, PublishDiagnostics,
    },
    request::{Formatting, GotoDefinition, HoverRequest, Request as _},
};
use mlir_glue::{ir, run};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use weft_forma::{Span, Symbol, Symbols};

/// Lines of IR that a hover shows of a stage.
const MOST_LINES: usize = 60;

/// Serves an editor on stdin and stdout until it says that it ends.
///
/// # Errors
///
/// What the editor sends is no protocol.
pub fn serve() -> Result<(), Stop> {
    let broken = |error: &dyn std::fmt::Display| Stop::Because(format!("the editor: {error}"));
    let (connection, threads) = Connection::stdio();
    let (id, _) = connection.initialize_start().map_err(|error| broken(&error))?;
    let info = ServerInfo { name: "pipeline-lsp-server".into(), version: Some(crate::version().into()) };
    let hello = InitializeResult { capabilities: capabilities(), server_info: Some(info) };
    let hello = serde_json::to_value(hello).map_err(|error| broken(&error))?;
    connection.initialize_finish(id, hello).map_err(|error| broken(&error))?;
    let mut server = Server { connection, documents: BTreeMap::new() };
    let served = server.run();
    // Its channel ends the thread that writes.
    drop(server);
    served.map_err(|message| broken(&message))?;
    threads.join().map_err(|error| broken(&error))
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        definition_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}

struct Server {
    connection: Connection,
    documents: BTreeMap<Uri, Document>,
}

impl Server {
    fn run(&mut self) -> Result<(), String> {
        while let Ok(message) = self.connection.receiver.recv() {
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                        break;
                    }
                    let response = self.answer(request);
                    self.send(response.into())?;
                }
                Message::Notification(notification) => self.note(notification)?,
                // It asks nothing.
                Message::Response(_) => {}
            }
        }
        Ok(())
    }

    fn send(&self, message: Message) -> Result<(), String> {
        self.connection.sender.send(message).map_err(|error| error.to_string())
    }

    fn answer(&self, request: Request) -> Response {
        let id = request.id.clone();
        let answer = match request.method.as_str() {
            GotoDefinition::METHOD => self.definition(request),
            HoverRequest::METHOD => self.hover(request),
            Formatting::METHOD => self.formatting(request),
            method => Err((ErrorCode::MethodNotFound, format!("no method {method}"))),
        };
        match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        }
    }

    fn note(&mut self, notification: Notification) -> Result<(), String> {
        let changed = match notification.method.as_str() {
            DidOpenTextDocument::METHOD => params::<DidOpenTextDocument>(notification)
                .map(|params| (params.text_document.uri, params.text_document.text)),
            DidChangeTextDocument::METHOD => params::<DidChangeTextDocument>(notification).and_then(|mut params| {
                // Each change is the whole text, as was agreed, of a document that is open.
                let text = params.content_changes.pop()?.text;
                Some((params.text_document.uri, text)).filter(|(uri, _)| self.documents.contains_key(uri))
            }),
            DidCloseTextDocument::METHOD => {
                let Some(params) = params::<DidCloseTextDocument>(notification) else { return Ok(()) };
                self.documents.remove(&params.text_document.uri);
                return self.publish(params.text_document.uri, Vec::new());
            }
            _ => None,
        };
        let Some((uri, text)) = changed else { return Ok(()) };
        let (document, diagnostics) = Document::new(name_of(&uri), text);
        self.documents.insert(uri.clone(), document);
        self.publish(uri, diagnostics)
    }

    fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>) -> Result<(), String> {
        let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
        self.send(Notification::new(PublishDiagnostics::METHOD.to_owned(), params).into())
    }

    fn definition(&self, request: Request) -> Answer {
        let params: GotoDefinitionParams = request_params(request)?;
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let Some(document) = self.documents.get(&text_document.uri) else { return Ok(Value::Null) };
        let Some((_, symbol)) = document.symbol_at(position) else { return Ok(Value::Null) };
        let range = document.range(symbol.span);
        value_of(GotoDefinitionResponse::Scalar(Location { uri: text_document.uri, range }))
    }

    fn hover(&self, request: Request) -> Answer {
        let params: HoverParams = request_params(request)?;
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let Some(document) = self.documents.get(&text_document.uri) else { return Ok(Value::Null) };
        let Some((span, symbol)) = document.symbol_at(position) else { return Ok(Value::Null) };
        let contents = MarkupContent { kind: MarkupKind::Markdown, value: document.description(symbol) };
        value_of(Hover { contents: HoverContents::Markup(contents), range: Some(document.range(span)) })
    }

    fn formatting(&self, request: Request) -> Answer {
        let params: DocumentFormattingParams = request_params(request)?;
        let Some(document) = self.documents.get(&params.text_document.uri) else { return Ok(Value::Null) };
        // Of a program with mistakes its diagnostics tell.
        let Ok(new_text) = weft_forma::format(&document.text) else { return Ok(Value::Null) };
        let all = Span { start: 0, end: u32::from(document.lines.len()) };
        value_of(vec![TextEdit { range: document.range(all), new_text }])
    }
}

/// A result for the editor, or what is wrong with its question.
type Answer = Result<Value, (ErrorCode, String)>;

fn value_of(answer: impl serde::Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

fn request_params<P: serde::de::DeserializeOwned>(request: Request) -> Result<P, (ErrorCode, String)> {
    serde_json::from_value(request.params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

/// What a notification says; nothing if that is none of its kind, as it cannot be answered.
fn params<N: lsp_types::notification::Notification>(notification: Notification) -> Option<N::Params>
where
    N::Params: serde::de::DeserializeOwned,
{
    notification.extract(N::METHOD).ok()
}

/// The name of a file, after which its program is called.
fn name_of(uri: &Uri) -> String {
    uri.path().as_str().rsplit('/').next().unwrap_or_default().to_owned()
}

/// A text, and what is known of it.
struct Document {
    text: String,
    lines: LineIndex,
    symbols: Symbols,
    /// The file's name in locations.
    name: String,
    /// The IR of stages, by where in the text they are made.
    stages: HashMap<String, Vec<String>>,
}

impl Document {
    fn new(name: String, text: String) -> (Self, Vec<Diagnostic>) {
        let context = weft_builder::context();
        let (stages, mistakes) = match weft_forma::compile(&context, &name, &text) {
            Ok(module) => (stages_of(&module), Vec::new()),
            Err(mistakes) => (HashMap::new(), mistakes),
        };
        let document = Self { lines: LineIndex::new(&text), symbols: weft_forma::symbols(&text), text, name, stages };
        let diagnostics = mistakes.iter().map(|mistake| document.diagnostic(mistake)).collect();
        (document, diagnostics)
    }

    fn diagnostic(&self, mistake: &weft_forma::Diagnostic) -> Diagnostic {
        let help = mistake.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
        Diagnostic {
            range: self.range(mistake.span),
            severity: Some(DiagnosticSeverity::ERROR),
            source: Some("forma".into()),
            message: format!("{}{help}", mistake.message),
            ..Diagnostic::default()
        }
    }

    /// Editors count in UTF-16.
    fn position(&self, byte: u32) -> Position {
        let place = self.lines.try_line_col(TextSize::new(byte.min(u32::from(self.lines.len()))));
        let wide = place.and_then(|place| self.lines.to_wide(WideEncoding::Utf16, place));
        wide.map_or_else(Position::default, |wide| Position::new(wide.line, wide.col))
    }

    fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start), self.position(span.end))
    }

    fn symbol_at(&self, position: Position) -> Option<(Span, &Symbol)> {
        let wide = WideLineCol { line: position.line, col: position.character };
        let place: LineCol = self.lines.to_utf8(WideEncoding::Utf16, wide)?;
        // What stands behind the end of a line is not on the next.
        let line = self.lines.line(place.line)?;
        let length = self.text[line].trim_end_matches('\n').len();
        let col = Some(place.col).filter(|col| *col as usize <= length)?;
        self.symbols.at(u32::from(line.start()) + col)
    }

    /// What a name is, and the IR that it becomes.
    fn description(&self, symbol: &Symbol) -> String {
        let mut text = format!("```forma\n{}\n```\n", symbol.declaration);
        let places = symbol.made_at.iter().map(|at| format!("{}:{}:{}", self.name, at.line, at.column));
        let stages: Vec<&String> = places.filter_map(|place| self.stages.get(&place)).flatten().collect();
        if let [first, others @ ..] = &stages[..] {
            text += &format!("```mlir\n{first}\n```\n");
            if !others.is_empty() {
                text += &format!("and {} more\n", others.len());
            }
        }
        text
    }
}

/// The IR of the stages of a module, by where they are made: `blur.fm:9:8`.
fn stages_of(module: &melior::ir::Module<'_>) -> HashMap<String, Vec<String>> {
    let mut stages: HashMap<String, Vec<String>> = HashMap::new();
    for op in ir::walk(module.as_operation()) {
        if matches!(ir::name_of(op), "pipeline.stage" | "pipeline.iterate") {
            stages
                .entry(run::place(melior::ir::operation::OperationLike::location(&op)))
                .or_default()
                .push(shown(&op.to_string()));
        }
    }
    stages
}

/// The first lines of an op, without the indentation of where it stands.
fn shown(op: &str) -> String {
    let indent = op.lines().last().map_or(0, |last| last.len() - last.trim_start().len());
    let line = |line: &str| line.get(indent..).filter(|_| line[..indent].trim().is_empty()).unwrap_or(line).to_owned();
    let mut lines: Vec<String> = op.lines().take(MOST_LINES).map(line).collect();
    if op.lines().nth(MOST_LINES).is_some() {
        lines.push("...".to_owned());
    }
    lines.join("\n")
}
