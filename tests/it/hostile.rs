//! Hostile or broken clients: the servers answer, go on, and end quietly.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{CORA, Repo};
use crate::http::{Server, receive};
use crate::mcp::Client;

#[test]
fn bad_messages_get_a_reply_and_the_server_goes_on() {
    let repo = Repo::sample();
    let mut client = Client::start(&repo);
    let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
    let long = "x".repeat(3 << 20);
    let call = |id: &str, arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"query","arguments":{arguments}}}}}"#
        )
    };
    for (line, id) in [
        ("no json at all".to_owned(), Value::Null),
        ("{".to_owned(), Value::Null),
        ("{}".to_owned(), Value::Null),
        ("[]".to_owned(), Value::Null),
        ("null".to_owned(), Value::Null),
        (r#"{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{"#.to_owned(), json!(70)),
        (r#"{"jsonrpc":"1.0","id":71,"method":"ping"}"#.to_owned(), json!(71)),
        (r#"{"jsonrpc":"2.0","id":"b","method":7}"#.to_owned(), json!("b")),
        (r#"{"jsonrpc":"2.0","id":72}"#.to_owned(), json!(72)),
        (r#"{"jsonrpc":"2.0","id":[72],"method":"ping"}"#.to_owned(), Value::Null),
        (r#"{"jsonrpc":"2.0","id":73,"method":"no/such/method"}"#.to_owned(), json!(73)),
        (r#"{"jsonrpc":"2.0","id":74,"method":"tools/call"}"#.to_owned(), json!(74)),
        (r#"{"jsonrpc":"2.0","id":75,"method":"tools/call","params":5}"#.to_owned(), json!(75)),
        (r#"{"jsonrpc":"2.0","id":76,"method":"tools/call","params":{"name":5}}"#.to_owned(), json!(76)),
        (call("77", &deep(100_000)), json!(77)),
        (call("78", &format!(r#"{{"query":{}}}"#, deep(200))), json!(78)),
        (call("79", &format!(r#"{{"query":"{long}"}}"#)), json!(79)),
        (deep(3 << 20), Value::Null),
        (long.clone(), Value::Null),
    ] {
        client.send_line(&line);
        let reply = client.receive();
        let shown: String = line.chars().take(100).collect();
        assert_eq!(reply["id"], id, "{shown}: {reply}");
        assert!(reply.as_object().unwrap().contains_key("id"), "{shown}: {reply}");
        assert!(reply["error"]["code"].is_i64() && reply["error"]["message"].is_string(), "{shown}: {reply}");
    }
    // Arguments that do not fit are the tool's to complain about.
    client.send_line(&call("80", &format!(r#"{{"query":{}}}"#, deep(50))));
    let reply = client.receive();
    assert!(reply["id"] == 80 && reply["result"]["isError"] == true, "{reply}");
    // Nothing replies to a notification or an empty line, good or bad.
    for line in
        ["", "  \r", r#"{"jsonrpc":"2.0","method":"notifications/odd","params":7}"#, r#"{"method":"x"}"#]
    {
        client.send_line(line);
    }
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    assert!(client.ok("query", json!({ "query": "refresh the token" })).contains("lib/auth.py"));
    assert_eq!(client.close(), 0);
}

#[test]
fn a_client_may_begin_badly() {
    let repo = Repo::sample();
    let mut client = Client::spawn(&repo, &[]);
    client.send_line("no json");
    assert_eq!(client.receive()["id"], Value::Null);
    client.send_line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    client.send_line(r#"{"jsonrpc":"2.0","id":5,"result":{}}"#);
    let server = client.shake_hands("2025-06-18");
    assert_eq!(server["serverInfo"]["name"], "git-cora");
    assert_eq!(client.close(), 0);
}

#[test]
fn a_client_that_reads_no_more_ends_the_server_quietly() {
    let repo = Repo::sample();
    let initialize = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "0" }
        }
    });
    for n_read in [0, 1] {
        let mut child = repo.command(CORA).arg("mcp").stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        if n_read == 0 {
            drop(stdout);
            writeln!(stdin, "{initialize}").unwrap();
        } else {
            writeln!(stdin, "{initialize}").unwrap();
            stdout.read_line(&mut String::new()).unwrap();
            drop(stdout);
            writeln!(stdin, r#"{{"jsonrpc":"2.0","id":2,"method":"tools/list"}}"#).unwrap();
        }
        // Standard input stays open, so that only the closed output ends it. A program that is
        // being started beside it may hold the other end of the output for a moment, so one reply
        // may not be lost yet.
        let began = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < Duration::from_secs(60), "the server does not end");
            let _ = writeln!(stdin, r#"{{"jsonrpc":"2.0","id":3,"method":"tools/list"}}"#);
            std::thread::sleep(Duration::from_millis(30));
        }
        let mut error = String::new();
        child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        assert_eq!((child.wait().unwrap().code(), error.as_str()), (Some(0), ""), "after {n_read} replies");
        drop(stdin);
    }
}

/// Opens many connections and sends the beginning of a request on each.
fn crowd(server: &Server, n: usize, begin: &str) -> Vec<TcpStream> {
    // Where the system allows fewer open files, the crowd is smaller.
    let mut all: Vec<TcpStream> =
        (0..n).map_while(|_| TcpStream::connect(("127.0.0.1", server.port)).ok()).collect();
    for stream in &mut all {
        // The server may have closed it again.
        let _ = stream.write_all(begin.as_bytes());
    }
    all
}

/// Sends a request with the token on a connection that stays open, and reads the whole response.
fn ask(server: &Server, kept: &mut BufReader<TcpStream>) {
    let token = server.authorization();
    let head = format!("GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n\r\n");
    kept.get_mut().write_all(head.as_bytes()).unwrap();
    let (mut line, mut len) = (String::new(), 0);
    kept.read_line(&mut line).unwrap();
    assert!(line.starts_with("HTTP/1.1 200"), "'{line}'");
    while line.trim() != "" {
        line.clear();
        kept.read_line(&mut line).unwrap();
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            len = value.trim().parse().unwrap();
        }
    }
    assert!(len > 0, "a response has a length");
    kept.read_exact(&mut vec![0; len]).unwrap();
}

#[test]
fn idle_and_slow_strangers_do_not_keep_others_out() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    let slow_body = "POST /coderag/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                     Content-Length: 100\r\n\r\n{";
    let wrong_token = "POST /coderag/query HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n\
                       Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    // A client that keeps its connection, as browsers do.
    let mut kept = BufReader::new(server.connect());
    ask(&server, &mut kept);
    for begin in ["", "GET /healthz HT", slow_body, wrong_token] {
        let _open = crowd(&server, 300, begin);
        let begun = Instant::now();
        assert_eq!(server.get("/metrics").status, 200);
        assert_eq!(server.get("/healthz").status, 200);
        assert!(begun.elapsed() < Duration::from_secs(4), "after '{begin}': {:?}", begun.elapsed());
        ask(&server, &mut kept);
    }
}

#[test]
fn a_head_that_does_not_come_ends_the_connection() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &[]);
    let begun = Instant::now();
    for stream in crowd(&server, 2, "GET /healthz HT") {
        receive(stream);
    }
    let spent = begun.elapsed();
    assert!((Duration::from_secs(4)..Duration::from_secs(15)).contains(&spent), "{spent:?}");
}

#[test]
fn a_log_that_nobody_reads_holds_up_no_request() {
    let repo = Repo::sample();
    // Its log goes to a pipe that is not read before it ends.
    let server = Server::start(&repo, &[]);
    let mut kept = BufReader::new(server.connect());
    let begun = Instant::now();
    // A line has about 80 bytes, and a pipe holds 64 KiB.
    for n in 0..4000 {
        ask(&server, &mut kept);
        assert!(begun.elapsed() < Duration::from_secs(100), "request {n}");
    }
    assert_eq!(server.get("/healthz").status, 200);
    #[cfg(unix)]
    assert!(server.stop().1.contains("\"event\":\"started\""));
}
