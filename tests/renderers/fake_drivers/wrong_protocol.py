"""Speaks a version of the protocol that there isn't."""

from .wire import HELLO, serve

serve(lambda request: None, HELLO | {"protocol": 2})
