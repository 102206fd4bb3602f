// A driver for mcp-prompt-fuzz: reads requests, one JSON object a line, and answers each.
// Put your own renderer into render, then:
//
//	mcp-prompt-fuzz fuzz 'driver:go run prompt_driver.go'
package main

import (
	"encoding/base64"
	"encoding/json"
	"os"
)

type object = map[string]any

var hello = object{"protocol": 1, "name": "my-renderer", "version": "0.1.0", "accepts": "result"}

// render makes what the model is sent of a prompts/get result. This one keeps everything.
func render(result object) []object {
	turns := []object{}
	for _, each := range result["messages"].([]any) {
		message := each.(object)
		parts := []object{part(message["content"].(object))}
		turns = append(turns, object{"role": message["role"], "content": parts})
	}
	return turns
}

// part is one content block, in the form in which the model gets it.
func part(content object) object {
	switch content["type"] {
	case "resource_link":
		content["type"] = "link"
	case "resource":
		file := content["resource"].(object)
		guess := "application/octet-stream"
		if text, ok := file["text"].(string); ok {
			file["blob"], guess = base64.StdEncoding.EncodeToString([]byte(text)), "text/plain"
		}
		if file["mimeType"] == nil {
			file["mimeType"] = guess
		}
		file["type"], file["data"] = "file", file["blob"]
		return file
	}
	return content
}

func main() {
	requests, replies := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	request := object{}
	for requests.Decode(&request) == nil && request["op"] != "bye" {
		reply := hello
		if request["op"] == "render" {
			reply = object{"id": request["id"], "messages": render(request["result"].(object))}
		}
		replies.Encode(reply)
		request = object{}
	}
}
