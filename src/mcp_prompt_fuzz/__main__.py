"""`python -m mcp_prompt_fuzz`: the same as the command `mcp-prompt-fuzz`."""

from __future__ import annotations

import sys

from .cli import main

sys.exit(main())
