// A driver for mcp-prompt-fuzz: reads requests, one JSON object a line, and answers each.
// Standard library only, so JSON is cut up, not parsed: values keep their quotes and escapes.
// Put your own renderer into `render`, then:  rustc -O prompt_driver.rs
//     mcp-prompt-fuzz fuzz 'driver:./prompt_driver'
use std::io::{stdin, stdout, BufRead, Write};

const HELLO: &str = r#"{"protocol":1,"name":"my-renderer","version":"0.1.0","accepts":"result"}"#;

/// From a prompts/get result to the messages that the model is sent. This one keeps everything.
fn render(result: &str) -> String {
    let messages = members(get(result, "messages")).into_iter().map(|(_, message)| {
        let (role, content) = (get(message, "role"), parts(get(message, "content")));
        format!(r#"{{"role":{role},"content":[{content}]}}"#)
    });
    messages.collect::<Vec<_>>().join(",")
}

/// One content block, in the form in which the model gets it: an embedded text is told its origin.
fn parts(content: &str) -> String {
    let resource = get(content, "resource");
    let (text, data) = (get(resource, "text"), get(resource, "blob"));
    let told = members(if resource.is_empty() { content } else { resource });
    let told = told.iter().filter(|(key, _)| *key != "\"type\""); // what else is there is ignored
    let told = told.map(|(key, value)| format!(",{key}:{value}")).collect::<String>();
    match get(content, "type") {
        "\"resource_link\"" => format!(r#"{{"type":"link"{told}}}"#),
        "\"resource\"" if text.is_empty() => format!(r#"{{"type":"file","data":{data}{told}}}"#),
        "\"resource\"" => format!(r#"{{"type":"link"{told}}},{{"type":"text","text":{text}}}"#),
        _ => content.to_string(),
    }
}

/// The value of an object's member, empty if there is none.
fn get<'a>(json: &'a str, name: &str) -> &'a str {
    let found = members(json).into_iter().find(|(key, _)| key.trim_matches('"') == name);
    found.map_or("", |(_, value)| value)
}

/// The members of an object, or the items of an array (under empty names).
fn members(json: &str) -> Vec<(&str, &str)> {
    let (mut found, mut name, mut start, mut depth) = (vec![], "", 1, 0);
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in json.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match c {
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => depth += 1,
            ':' if depth == 1 => (name, start) = (json[start..at].trim(), at + 1),
            ',' | '}' | ']' => {
                if depth == 1 && start < at {
                    found.push((name, json[start..at].trim()));
                    start = at + 1;
                }
                depth -= i32::from(c != ',');
            }
            _ => {}
        }
    }
    found
}

fn main() {
    for line in stdin().lock().lines().map(|line| line.expect("UTF-8")) {
        let reply = match get(&line, "op") {
            "\"bye\"" => return,
            "\"hello\"" => HELLO.to_string(),
            _ => format!(r#"{{"id":{},"messages":[{}]}}"#, get(&line, "id"), render(get(&line, "result"))),
        };
        writeln!(stdout(), "{reply}").expect("standard output");
    }
}
