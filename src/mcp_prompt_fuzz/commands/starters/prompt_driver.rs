// A driver for mcp-prompt-fuzz: reads requests, one JSON object a line, and answers each.
// In a crate with serde_json and base64 (cargo add serde_json base64), as src/main.rs.
// Put your own renderer into render, then:
//
//     mcp-prompt-fuzz check 'driver:cargo run --quiet'
//     mcp-prompt-fuzz fuzz 'driver:cargo run --quiet'
use base64::{engine::general_purpose::STANDARD, Engine};
use serde_json::{json, Value};
use std::io::{stdin, stdout, BufRead, Write};

/// From a prompts/get result to what the model is sent. This one keeps everything.
fn render(result: &Value) -> Vec<Value> {
    let messages = result["messages"].as_array().expect("messages");
    messages
        .iter()
        .map(|m| json!({"role": m["role"], "content": [part(&m["content"])]}))
        .collect()
}

/// One content block, in the form in which the model gets it.
fn part(content: &Value) -> Value {
    let mut made = content.clone();
    match content["type"].as_str() {
        Some("resource_link") => made["type"] = json!("link"),
        Some("resource") => {
            made = content["resource"].clone();
            let (data, guess) = match made["text"].as_str() {
                Some(text) => (json!(STANDARD.encode(text)), "text/plain"),
                None => (made["blob"].clone(), "application/octet-stream"),
            };
            made["type"] = json!("file");
            made["data"] = data;
            made["mimeType"] = json!(made["mimeType"].as_str().unwrap_or(guess));
        }
        _ => {}
    }
    made
}

fn main() {
    for line in stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let reply = match request["op"].as_str() {
            Some("bye") => return,
            Some("hello") => {
                json!({"protocol": 1, "name": "my-renderer", "version": "0.1.0", "accepts": "result"})
            }
            _ => json!({"id": request["id"], "messages": render(&request["result"])}),
        };
        let mut out = stdout();
        writeln!(out, "{reply}").and_then(|()| out.flush()).expect("standard output");
    }
}
