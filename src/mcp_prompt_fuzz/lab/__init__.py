"""The lab: servers that offer cases, a model endpoint that keeps requests, sandboxed processes.

The servers run in a process of their own (`python -m mcp_prompt_fuzz.lab`), which alone needs
`mcp` 2.x; the harness starts it with `lab.host.Lab` and talks to it over its standard streams.
"""
