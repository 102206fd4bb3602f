"""A driver for mcp-prompt-fuzz: reads requests, one JSON object a line, and answers each.

Put your own renderer into `render`, then:

    mcp-prompt-fuzz check 'driver:python3 prompt_driver.py'
    mcp-prompt-fuzz fuzz 'driver:python3 prompt_driver.py'
"""

import base64
import json
import sys
from typing import Any

HELLO = {"protocol": 1, "name": "my-renderer", "version": "0.1.0", "accepts": "result"}


def render(result: dict[str, Any]) -> list[dict[str, Any]]:
    """From a prompts/get result to what the model is sent. This one keeps everything."""
    return [
        {"role": message["role"], "content": [part(message["content"])]}
        for message in result["messages"]
    ]


def part(content: dict[str, Any]) -> dict[str, Any]:
    """One content block, in the form in which the model gets it."""
    kind = content["type"]
    if kind == "text":
        return {"type": "text", "text": content["text"]}
    if kind in ("image", "audio"):
        return {"type": kind, "data": content["data"], "mimeType": content["mimeType"]}
    if kind == "resource_link":
        return {**content, "type": "link"}
    resource = content["resource"]
    if "blob" in resource:
        file = {"data": resource["blob"], "mimeType": "application/octet-stream"}
    else:
        data = base64.b64encode(resource["text"].encode()).decode()
        file = {"data": data, "mimeType": "text/plain"}
    told = {key: resource[key] for key in ("uri", "mimeType") if key in resource}
    return {"type": "file", **file, **told}


for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye":
        break
    if request["op"] == "hello":
        reply: dict[str, Any] = HELLO
    else:
        try:
            reply = {"id": request["id"], "messages": render(request["result"])}
        except Exception as error:  # what your user would be shown
            reply = {"id": request["id"], "error": str(error)}
    print(json.dumps(reply), flush=True)
