"""Names of prompts and arguments that clients trip over.

The protocol puts no limit on either (all revisions: ``name`` is any string), while clients turn
them into slash commands, keyword arguments, attributes and file names. Names that are equal after
some clean-up stand side by side, so that two of them are drawn together now and then.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["ARGUMENT_NAMES", "PLAIN_ARGUMENTS", "PLAIN_PROMPTS", "PROMPT_NAMES"]

PLAIN_PROMPTS: Final = ("p", "q", "r", "review", "summarise", "code_review", "explain-code")
"""Prompt names that any client takes; the first is what everything shrinks to."""

PLAIN_ARGUMENTS: Final = tuple("abcdefghijklmnopqrstuvwxyz")
"""Argument names that any client takes, used in this order."""

_SHARED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "empty": "",
        "space": " ",
        "inner_space": "a b",
        "mcp_suffix": "p (MCP)",
        "inner_underscore": "a_b",
        "inner_hyphen": "a-b",
        "inner_dot": "a.b",
        "inner_slash": "a/b",
        "inner_colon": "a:b",
        "double_underscore": "a__b",
        "upper_case": "A_B",
        "camel_case": "aB",
        "leading_space": " a_b",
        "trailing_space": "a_b ",
        "dollar": "us$",
        "single_quote": "it's",
        "double_quote": 'a"b',
        "backslash": "a\\b",
        "equals": "a=b",
        "comma": "a,b",
        "percent": "100%",
        "plus": "c++",
        "ampersand": "a&b",
        "hash": "c#",
        "brackets": "a[0]",
        "braces": "a{b}",
        "angle": "a<b",
        "parentheses": "a(b)",
        "semicolon": "a;b",
        "question": "a?",
        "star": "a*",
        "pipe": "a|b",
        "leading_digit": "1a",
        "digits": "42",
        "leading_hyphens": "--a",
        "leading_dot": ".a",
        "parent": "..",
        "newline": "a\nb",
        "tab": "a\tb",
        "nul": "a\x00b",
        "composed": "\u00e9",
        "decomposed": "e\u0301",
        "han": "\u540d\u524d",
        "cyrillic": "\u0438\u043c\u044f",
        "cyrillic_look_alike": "\u0430_b",
        "right_to_left": "\u05e9\u05dd",
        "bidi_override": "a\u202eb",
        "emoji": "\U0001f600",
        "full_width": "\uff41",
        "zero_width": "a\u200bb",
        "line_separator": "a\u2028b",
        "long": "n" * 300,
        "proto": "__proto__",
        "constructor": "constructor",
        "prototype": "prototype",
        "to_string": "toString",
        "has_own_property": "hasOwnProperty",
        "then": "then",
        "length": "length",
        "init": "__init__",
        "class_dunder": "__class__",
        "dict_dunder": "__dict__",
        "class": "class",
        "def": "def",
        "lambda": "lambda",
        "return": "return",
        "none": "None",
        "true": "true",
        "null": "null",
    }
)

PROMPT_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **_SHARED,
        "attribute_args": "args",
        "attribute_items": "items",
        "attribute_keys": "keys",
        "attribute_name": "name",
        "command_help": "help",
        "command_exit": "exit",
        "command_clear": "clear",
        "server_prefix": "main__p",
        "mcp_prefix": "mcp__main__p",
        "server_colon": "main:p",
        "path": "a/b/c",
        "uri": "prompt://a/b",
        "encoded_word": "=?base64?cA==?=",
    }
)
"""Name of the oddity to a prompt's name."""

ARGUMENT_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **_SHARED,
        "keyword_self": "self",
        "keyword_name": "name",
        "keyword_prompt_name": "prompt_name",
        "keyword_arguments": "arguments",
        "keyword_args": "args",
        "keyword_kwargs": "kwargs",
        "keyword_session": "session",
        "keyword_server": "server",
        "keyword_meta": "_meta",
        "keyword_cls": "cls",
        "keyword_config": "config",
        "keyword_input": "input",
        "keyword_messages": "messages",
        "keyword_context": "context",
        "property_type": "type",
        "property_required": "required",
    }
)
"""Name of the oddity to an argument's name."""
