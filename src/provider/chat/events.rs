//! Framing: a stream of bytes → its messages, either server-sent events or lines.
//!
//! Server-sent events follow the HTML standard. Only their `data` is used, because the JSON in it
//! names the kind of event. Input may be split anywhere, even within a character.

/// The separation of messages in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageFormat {
    /// The `data` of server-sent events.
    Events,
    /// One message per line.
    Lines,
}

/// A decoder with the input that is not yet a complete message. The caller must bound the input.
#[derive(Debug)]
pub struct Decoder {
    framing: MessageFormat,
    rest: Vec<u8>,
    data: String,
    /// Whether the input is a single JSON object, from a server that does not stream. The first
    /// byte decides.
    is_object: Option<bool>,
}

impl Decoder {
    /// Creates a decoder without input.
    pub fn new(framing: MessageFormat) -> Self {
        let is_object = (framing == MessageFormat::Lines).then_some(false);
        Self { framing, rest: Vec::new(), data: String::new(), is_object }
    }

    /// Returns the messages that this input completes. Bytes that are not UTF-8 become U+FFFD,
    /// which JSON allows only inside strings.
    pub fn push(&mut self, piece: &[u8]) -> Vec<String> {
        let mut messages = Vec::new();
        if self.is_object.is_none() {
            let first = piece.iter().find(|byte| !byte.is_ascii_whitespace());
            self.is_object = first.map(|&byte| byte == b'{');
            if self.is_object == Some(false) && !self.rest.is_empty() {
                // White space that came before has the line feeds of events.
                let begin = std::mem::take(&mut self.rest);
                return self.push(&[&begin, piece].concat());
            }
        }
        if self.is_object != Some(false) {
            self.rest.extend_from_slice(piece);
            return messages;
        }
        for part in piece.split_inclusive(|&byte| byte == b'\n') {
            self.rest.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.rest);
                self.line(&line, &mut messages);
            }
        }
        messages
    }

    /// Returns the messages left at the end, because some servers omit the last line feeds.
    pub fn finish(&mut self) -> Vec<String> {
        let mut messages = Vec::new();
        let line = std::mem::take(&mut self.rest);
        if self.is_object == Some(true) {
            return vec![String::from_utf8_lossy(&line).into_owned()];
        }
        self.line(&line, &mut messages);
        self.line(b"", &mut messages);
        messages
    }

    fn line(&mut self, line: &[u8], messages: &mut Vec<String>) {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end_matches(['\r', '\n']);
        match self.framing {
            MessageFormat::Lines if line.trim().is_empty() => {}
            MessageFormat::Lines => messages.push(line.to_owned()),
            MessageFormat::Events if line.is_empty() => {
                if !self.data.is_empty() {
                    messages.push(std::mem::take(&mut self.data));
                }
            }
            MessageFormat::Events => {
                if let Some(data) = line.strip_prefix("data:") {
                    if !self.data.is_empty() {
                        self.data.push('\n');
                    }
                    self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(framing: MessageFormat, pieces: &[&[u8]]) -> Vec<String> {
        let mut decoder = Decoder::new(framing);
        let mut messages: Vec<String> = pieces.iter().flat_map(|piece| decoder.push(piece)).collect();
        messages.extend(decoder.finish());
        messages
    }

    #[test]
    fn events_are_told_apart() {
        let stream =
            b": ping\r\nevent: a\r\ndata: {\"x\":1}\r\n\r\ndata: one\ndata:two\nid: 7\n\n\n\ndata: [DONE]";
        assert_eq!(all(MessageFormat::Events, &[stream]), ["{\"x\":1}", "one\ntwo", "[DONE]"]);
        assert_eq!(all(MessageFormat::Events, &[b" \n{\n \"a\":", b" 1\n}\n"]), [" \n{\n \"a\": 1\n}\n"]);
        assert_eq!(all(MessageFormat::Lines, &[b"{}\n\n{\"a\"", b":1}"]), ["{}", "{\"a\":1}"]);
    }

    #[test]
    fn white_space_before_the_first_byte_may_come_alone() {
        for stream in [&b"\n\n{\n\"a\": 1}\n"[..], b" \n\r\ndata: x\n\n", b"\n \n", b""] {
            let whole = all(MessageFormat::Events, &[stream]);
            for at in 0..=stream.len() {
                let (begin, end) = stream.split_at(at);
                assert_eq!(all(MessageFormat::Events, &[begin, end]), whole, "{at}");
            }
        }
    }

    proptest! {
        #[test]
        fn where_pieces_are_cut_does_not_matter(cuts in prop::collection::vec(1usize..9, 0..40)) {
            let stream = "event: e\ndata: {\"é\":\"中😀\"}\n\ndata: [DONE]\n\n".as_bytes();
            let mut pieces = Vec::new();
            let mut rest = stream;
            for cut in cuts {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                rest = after;
            }
            pieces.push(rest);
            prop_assert_eq!(all(MessageFormat::Events, &pieces), all(MessageFormat::Events, &[stream]));
        }

        #[test]
        fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            all(MessageFormat::Events, &[&bytes]);
            all(MessageFormat::Lines, &[&bytes]);
        }
    }
}
