"""Programs that read the lab's servers with somebody else's MCP client, one a file.

Each is called with one JSON argument, `{"url" or "command", "modern", "steps"}`, where a step is
`{"do": "list" | "get" | "complete" | "tools", ...}`, and prints a JSON line: `{"revision",
"answers"}`, for each step what came back, as the client hands it out, or `{"error"}`, its code.
"""
