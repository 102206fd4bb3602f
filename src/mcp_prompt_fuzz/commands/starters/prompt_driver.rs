// A driver for mcp-prompt-fuzz: reads requests, one JSON object a line, and answers each.
// Of the standard library alone, so JSON is cut up, not parsed: use serde_json if you have it.
// Put your own renderer into render, then:  rustc prompt_driver.rs
//     mcp-prompt-fuzz fuzz 'driver:./prompt_driver'
const HELLO: &str = r#"{"protocol":1,"name":"my-renderer","version":"0.1.0","accepts":"result"}"#;

/// From a prompts/get result to what the model is sent. This one keeps everything.
fn render(result: &str) -> String {
    let messages = items(get(result, "messages")).into_iter().map(|message| {
        let (role, content) = (get(message, "role"), parts(get(message, "content")));
        format!(r#"{{"role":{role},"content":[{content}]}}"#)
    });
    messages.collect::<Vec<_>>().join(",")
}

/// One content block, in the form in which the model gets it (a document: as a link and its text).
fn parts(content: &str) -> String {
    let document = get(content, "resource");
    let told = items(if document.is_empty() { content } else { document }).join(",");
    let (text, data) = (get(document, "text"), get(document, "blob"));
    let guess = r#""mimeType":"application/octet-stream""#; // of two members, the last one counts
    match get(content, "type").trim_matches('"') {
        "resource_link" => format!(r#"{{{told},"type":"link"}}"#),
        "resource" if text.is_empty() => {
            format!(r#"{{{guess},{told},"type":"file","data":{data}}}"#)
        }
        "resource" => format!(r#"{{{told},"type":"link"}},{{"type":"text","text":{text}}}"#),
        _ => content.to_string(),
    }
}

/// The value of an object's member, empty if there is none.
fn get<'a>(json: &'a str, name: &str) -> &'a str {
    let value = |item: &'a str| item.strip_prefix(&format!("\"{name}\""))?.trim().strip_prefix(':');
    items(json).into_iter().find_map(value).map_or("", str::trim)
}

/// The members of an object, or the items of an array.
fn items(json: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    let at_border = |c| {
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        depth += i32::from(!quoted && "{[".contains(c)) - i32::from(!quoted && "]}".contains(c));
        c == ',' && !quoted && depth == 0
    };
    let inside = json.get(1..json.len().max(2) - 1).unwrap_or("");
    inside.split(at_border).map(str::trim).filter(|item| !item.is_empty()).collect()
}

fn main() {
    for line in std::io::stdin().lines().map(|line| line.expect("UTF-8")) {
        match (get(&line, "op"), get(&line, "id"), render(get(&line, "result"))) {
            ("\"hello\"", ..) => println!("{HELLO}"),
            ("\"render\"", id, messages) => println!(r#"{{"id":{id},"messages":[{messages}]}}"#),
            _ => return,
        }
    }
}
