//! Messages over standard input and output.
//!
//! A message that cannot be understood is answered with an error, as JSON-RPC has it, and the next one
//! is read. Where even its end cannot be told, reading goes on at what looks like the next header.

use crossbeam_channel::{Receiver, Sender, bounded};
use lsp_server::{Connection, ErrorCode, Message};
use std::collections::VecDeque;
use std::io::{self, BufRead, Read as _, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// No message is longer: a program of this size could not be edited.
const LONGEST: usize = 1 << 28;

const LENGTH: &str = "content-length";

/// The other end of a connection.
pub struct Wire {
    writer: JoinHandle<io::Result<()>>,
}

impl Wire {
    /// Waits until all that was to be sent has been. No one may hold the connection any more.
    pub fn finish(self) -> io::Result<()> {
        self.writer.join().unwrap_or_else(|_| Err(io::Error::other("the writer panicked")))
    }
}

/// Connects standard input and output.
pub fn connect() -> (Connection, Wire) {
    let out = Arc::new(Mutex::new(io::stdout()));
    let (send, to_write) = bounded::<Message>(0);
    let (read, receive) = bounded::<Message>(0);
    let errors = out.clone();
    let writer = std::thread::spawn(move || write_all(&to_write, &out));
    // Ends with the input or the process, whichever ends first.
    std::thread::spawn(move || read_all(io::stdin().lock(), &read, &errors));
    (Connection { sender: send, receiver: receive }, Wire { writer })
}

fn write_all(messages: &Receiver<Message>, out: &Mutex<impl Write>) -> io::Result<()> {
    for message in messages {
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        message.write(&mut *out)?;
    }
    Ok(())
}

fn read_all(mut input: impl BufRead, messages: &Sender<Message>, out: &Mutex<impl Write>) {
    // The name of the first header of the next message has been read already.
    let mut begun = false;
    loop {
        let error = match next(&mut input, std::mem::take(&mut begun)) {
            Ok(Next::End) => return,
            Ok(Next::Message(message)) => {
                let exit = matches!(&message, Message::Notification(n) if n.method == "exit");
                if messages.send(message).is_err() || exit {
                    return;
                }
                continue;
            }
            Ok(Next::Wrong(code, what)) => refusal(code, &what),
            Ok(Next::Lost(what)) => {
                begun = true;
                refusal(ErrorCode::ParseError, &what)
            }
            Err(e) => {
                eprintln!("futc lsp: standard input: {e}");
                return;
            }
        };
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = write!(out, "Content-Length: {}\r\n\r\n{error}", error.len());
        if sent.and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

/// The answer to what is no request: it is to nobody.
fn refusal(code: ErrorCode, message: &str) -> String {
    let error = serde_json::json!({ "code": code as i32, "message": message });
    serde_json::json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string()
}

/// What comes next.
enum Next {
    Message(Message),
    Wrong(ErrorCode, String),
    /// Where the message ended could not be told; the name of a header has been found behind it.
    Lost(String),
    End,
}

fn next(input: &mut impl BufRead, begun: bool) -> io::Result<Next> {
    let length = match header(input, begun)? {
        Header::End => return Ok(Next::End),
        Header::Wrong(why) => {
            skip_to_header(input)?;
            return Ok(Next::Lost(why));
        }
        Header::Length(length) => length,
    };
    let mut body = Vec::new();
    // Room is made as the bytes come: the length may be a lie.
    if input.by_ref().take(length as u64).read_to_end(&mut body)? < length {
        return Ok(Next::End);
    }
    let value: serde_json::Value = match serde_json::from_slice(&body) {
        Ok(value) => value,
        Err(e) => return Ok(Next::Wrong(ErrorCode::ParseError, format!("no JSON: {e}"))),
    };
    Ok(match serde_json::from_value(value) {
        Ok(message) => Next::Message(message),
        Err(e) => Next::Wrong(ErrorCode::InvalidRequest, format!("no message: {e}")),
    })
}

enum Header {
    Length(usize),
    Wrong(String),
    End,
}

/// Reads up to the empty line.
fn header(input: &mut impl BufRead, begun: bool) -> io::Result<Header> {
    /// Longer lines are no headers.
    const LONGEST_LINE: u64 = 4096;
    let mut length = None;
    let mut start = if begun { LENGTH } else { "" };
    loop {
        let mut line = std::mem::take(&mut start).as_bytes().to_vec();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(Header::End);
        }
        if line.last() != Some(&b'\n') && (line.len() as u64) < LONGEST_LINE {
            return Ok(Header::End);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\r', '\n']);
        if text.is_empty() {
            return Ok(length.map_or_else(
                || Header::Wrong("the header has no Content-Length".to_owned()),
                Header::Length,
            ));
        }
        let Some((name, value)) = text.split_once(':') else {
            return Ok(Header::Wrong("a line of the header has no colon".to_owned()));
        };
        if name.trim().eq_ignore_ascii_case(LENGTH) {
            match value.trim().parse() {
                Ok(n) if n <= LONGEST => length = Some(n),
                _ => {
                    let value = value.trim();
                    let why = format!("a Content-Length of {value} is not understood");
                    return Ok(Header::Wrong(why));
                }
            }
        }
    }
}

/// Leaves out what comes before the next name of a header that says a length, and the name.
fn skip_to_header(input: &mut impl BufRead) -> io::Result<()> {
    let mut last = VecDeque::with_capacity(LENGTH.len());
    for byte in input.by_ref().bytes() {
        if last.len() == LENGTH.len() {
            last.pop_front();
        }
        last.push_back(byte?.to_ascii_lowercase());
        if last.iter().eq(LENGTH.as_bytes()) {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    const GOOD: &str = "Content-Length: 31\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"ok\"}";

    /// What is understood, and how often something is not.
    fn read(input: &str) -> (Vec<String>, Vec<String>) {
        let (send, receive) = crossbeam_channel::unbounded();
        let out = Mutex::new(Vec::new());
        // A small buffer, so that everything falls on its end some time.
        read_all(io::BufReader::with_capacity(5, input.as_bytes()), &send, &out);
        drop(send);
        let methods = receive.into_iter().map(|m| match m {
            Message::Request(r) => r.method,
            Message::Notification(n) => n.method,
            Message::Response(_) => "response".to_owned(),
        });
        let out = String::from_utf8(out.into_inner().unwrap()).unwrap();
        let errors = out.split("Content-Length: ").skip(1).map(|answer| {
            let (length, rest) = answer.split_once("\r\n\r\n").unwrap();
            assert_eq!(length.parse(), Ok(rest.len()));
            rest.to_owned()
        });
        (methods.collect(), errors.collect())
    }

    fn survives(bad: &str, code: &str) {
        let (methods, errors) = read(&format!("{GOOD}{bad}{GOOD}{GOOD}"));
        assert_eq!(methods, ["ok", "ok", "ok"], "{bad}");
        assert_eq!(errors.len(), 1, "{bad}");
        assert!(errors[0].contains(code) && errors[0].contains("\"id\":null"), "{}", errors[0]);
    }

    #[test]
    fn what_is_no_message_is_answered_and_passed_over() {
        survives("Content-Length: 3\r\n\r\n{x}", "-32700");
        survives("Content-Length: 2\r\n\r\n\u{e9}", "-32700");
        survives("Content-Length: 2\r\n\r\n[]", "-32600");
        survives("Content-Length: 17\r\n\r\n{\"jsonrpc\":\"2.0\"}", "-32600");
        survives("content-LENGTH:3\r\nContent-Type: x; charset=utf-8\r\n\r\nnul", "-32700");
    }

    #[test]
    fn reading_goes_on_at_the_next_header_where_an_end_cannot_be_told() {
        survives("Content-Length: 99999999999999\r\n\r\n{}", "-32700");
        survives("Content-Length: -1\r\n\r\n{}", "-32700");
        survives("Content-Length: 18446744073709551617\r\n\r\n", "-32700");
        survives("Content-Type: x\r\n\r\n{}", "-32700");
        survives("nonsense\r\n", "-32700");
    }

    #[test]
    fn input_may_end_anywhere() {
        for end in 0..GOOD.len() {
            let (methods, errors) = read(&GOOD[..end]);
            assert!(methods.is_empty() && errors.is_empty(), "{end}");
        }
    }
}
