// A driver for mcp-prompt-fuzz: reads requests, one JSON object a line, and answers each.
// Put your own renderer into `render`, then (Node.js 22.18 or newer runs TypeScript itself):
//
//     mcp-prompt-fuzz check 'driver:node prompt-driver.ts'
//     mcp-prompt-fuzz fuzz 'driver:node prompt-driver.ts'
import { createInterface } from "node:readline";

type Json = Record<string, any>;

const hello = { protocol: 1, name: "my-renderer", version: "0.1.0", accepts: "result" };

/** From a prompts/get result to what the model is sent. This one keeps everything. */
function render(result: Json): Json[] {
  return result.messages.map((message: Json) => ({
    role: message.role,
    content: [part(message.content)],
  }));
}

/** One content block, in the form in which the model gets it. */
function part(content: Json): Json {
  switch (content.type) {
    case "text":
      return { type: "text", text: content.text };
    case "image":
    case "audio":
      return { type: content.type, data: content.data, mimeType: content.mimeType };
    case "resource_link":
      return { ...content, type: "link" };
    default: {
      const { uri, mimeType, text, blob } = content.resource;
      const data = blob ?? Buffer.from(text).toString("base64");
      const guess = text === undefined ? "application/octet-stream" : "text/plain";
      return { type: "file", data, uri, mimeType: mimeType ?? guess };
    }
  }
}

function answer(request: Json): Json {
  if (request.op === "hello") return hello;
  try {
    return { id: request.id, messages: render(request.result) };
  } catch (error) {
    return { id: request.id, error: String(error) }; // what your user would be shown
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.op === "bye") process.exit(0);
  process.stdout.write(JSON.stringify(answer(request)) + "\n");
});
