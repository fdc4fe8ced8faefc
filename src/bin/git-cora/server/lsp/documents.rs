//! The documents that the client has open, with their unsaved text.
//!
//! Owns [`Documents`]. A request keeps the documents as they were when it arrived; later changes
//! make a new table. If a change can't be applied, the text is unknown until the client sends all
//! of it again. A request about such a document gets an error, since a place in it would be wrong.

use std::collections::HashMap;
use std::sync::Arc;

use gen_lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    TextDocumentContentChangeEvent, Uri,
};

use serde_json::Value;

use super::text::{Encoding, Text};
use super::uri::DocumentId;

/// Most bytes of text that are kept. The texts of further documents are unknown.
const MAX_BYTES: usize = 256 << 20;

/// An open document.
#[derive(Debug, Clone)]
pub(super) struct Document {
    /// Its address, as the client writes it.
    pub(super) uri: Uri,
    /// Its text; `None` if it is unknown.
    pub(super) text: Option<Arc<Text>>,
}

/// The open documents.
#[derive(Debug, Clone, Default)]
pub(super) struct Documents(Arc<HashMap<DocumentId, Document>>);

impl Documents {
    /// Returns a document, if it is open.
    pub(super) fn get(&self, id: &DocumentId) -> Option<&Document> {
        self.0.get(id)
    }

    pub(super) fn open(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let Some(id) = DocumentId::parse(&document.uri) else { return };
        let text = self.has_room_for(&document.text, &id).then(|| Arc::new(Text::new(document.text)));
        Arc::make_mut(&mut self.0).insert(id, Document { uri: document.uri, text });
    }

    /// Applies the changes of a document. Returns whether its text is known after that.
    pub(super) fn change(&mut self, params: Value, encoding: Encoding) -> bool {
        // The library takes a change with a damaged range for one of the whole text.
        let has_range = |change: &Value| change.get("range").is_some_and(|range| !range.is_null());
        let changes = params.get("contentChanges").and_then(Value::as_array);
        let ranges: Vec<bool> = changes.into_iter().flatten().map(has_range).collect();
        let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(params) else {
            // It can't be said which document it was about.
            self.distrust();
            return false;
        };
        let uri = &params.text_document.text_document_identifier.uri;
        let Some(id) = DocumentId::parse(uri) else { return true };
        let Some(document) = self.0.get(&id) else { return false };
        let mut text = document.text.clone();
        for (change, has_range) in params.content_changes.iter().zip(ranges) {
            text = match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    (!has_range).then(|| Arc::new(Text::new(whole.text.as_str())))
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let changed = text.as_deref().and_then(|text| {
                        let start = text.byte(part.range.start, encoding) as usize;
                        let end = text.byte(part.range.end, encoding) as usize;
                        let (before, after) = (text.as_str().get(..start)?, text.as_str().get(end..)?);
                        (start <= end).then(|| [before, part.text.as_str(), after].concat())
                    });
                    changed.map(|text| Arc::new(Text::new(text)))
                }
            };
        }
        let text = text.filter(|text| self.has_room_for(text.as_str(), &id));
        let is_known = text.is_some();
        if let Some(document) = Arc::make_mut(&mut self.0).get_mut(&id) {
            document.text = text;
        }
        is_known
    }

    pub(super) fn close(&mut self, params: &DidCloseTextDocumentParams) {
        if let Some(id) = DocumentId::parse(&params.text_document.uri) {
            Arc::make_mut(&mut self.0).remove(&id);
        }
    }

    /// Forgets all texts: a change may have been lost.
    pub(super) fn distrust(&mut self) {
        for document in Arc::make_mut(&mut self.0).values_mut() {
            document.text = None;
        }
    }

    /// Returns whether the texts stay within their limit with this one.
    fn has_room_for(&self, text: &str, id: &DocumentId) -> bool {
        let others = self.0.iter().filter(|(other, _)| *other != id);
        let n: usize = others.filter_map(|(_, one)| Some(one.text.as_ref()?.as_str().len())).sum();
        n.saturating_add(text.len()) <= MAX_BYTES
    }
}

#[cfg(test)]
#[cfg(not(windows))]
mod tests {
    use serde_json::json;

    use super::*;

    fn opened(text: &str) -> Documents {
        let mut documents = Documents::default();
        let document = json!({"uri": "file:///a", "languageId": "x", "version": 1, "text": text});
        documents.open(serde_json::from_value(json!({ "textDocument": document })).unwrap());
        documents
    }

    fn change(documents: &mut Documents, changes: &Value) -> bool {
        let document = json!({"uri": "file:///a", "version": 2});
        let params = json!({"textDocument": document, "contentChanges": changes});
        documents.change(params, Encoding::Utf16)
    }

    fn text(documents: &Documents) -> Option<String> {
        let id = DocumentId { path: "/a".into(), commit: None };
        Some(documents.get(&id)?.text.as_ref()?.as_str().to_owned())
    }

    fn range(from: (u32, u32), to: (u32, u32)) -> Value {
        json!({"start": {"line": from.0, "character": from.1}, "end": {"line": to.0, "character": to.1}})
    }

    #[test]
    fn changes_are_applied_in_order() {
        let mut documents = opened("a🙂b\r\nc\r\n");
        let before = documents.clone();
        let changes = json!([
            {"range": range((0, 3), (1, 0)), "text": "X\n"},
            {"range": range((1, 1), (1, 1)), "text": "!"},
            {"range": range((9, 0), (9, 0)), "text": "end"},
        ]);
        assert!(change(&mut documents, &changes));
        assert_eq!(text(&documents).unwrap(), "a🙂X\nc!\r\nend");
        assert_eq!(text(&before).unwrap(), "a🙂b\r\nc\r\n", "who has the documents keeps them");
        assert!(change(&mut documents, &json!([{"text": "new"}])));
        assert_eq!(text(&documents).unwrap(), "new");
    }

    #[test]
    fn a_text_that_is_lost_is_unknown_until_it_is_sent_again() {
        let mut documents = opened("abc");
        assert!(!change(&mut documents, &json!([{"range": range((0, 2), (0, 1)), "text": ""}])));
        assert_eq!(text(&documents), None);
        assert!(!change(&mut documents, &json!([{"range": range((0, 0), (0, 0)), "text": ""}])));
        assert!(change(&mut documents, &json!([{"range": null, "text": "abc"}])));
        assert!(!change(&mut documents, &json!([{"range": {"start": {"line": -1}}, "text": "x"}])));
        assert!(change(&mut documents, &json!([{"text": "abc"}])));
        assert!(!change(&mut documents, &json!("nothing")));
        assert_eq!(text(&documents), None);
        assert!(change(&mut documents, &json!([{"text": "all"}])));
        documents.distrust();
        assert_eq!(text(&documents), None);
        documents.close(&serde_json::from_value(json!({"textDocument": {"uri": "file:///a"}})).unwrap());
        assert!(!change(&mut documents, &json!([{"text": "closed"}])), "it is not open");
    }

    #[test]
    fn texts_have_a_limit() {
        let documents = opened("abc");
        let id = DocumentId { path: "/b".into(), commit: None };
        let large = "x".repeat(MAX_BYTES - 2);
        assert!(!documents.has_room_for(&large, &id));
        assert!(documents.has_room_for(&large[1..], &id));
    }
}
