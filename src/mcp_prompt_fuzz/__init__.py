"""Finds what MCP clients lose on the way from a server's prompt to a model's request."""
