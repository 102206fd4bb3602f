"""Renders everything."""

from .wire import faithful, say, serve

serve(lambda request: say(faithful(request)))
