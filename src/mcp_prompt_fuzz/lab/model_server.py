"""The model endpoint: accepts any key, answers at once, keeps each request's body.

Headers are never kept: a key must not reach a report.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from mcp_prompt_fuzz.jsontypes import Json

from .model_replies import reply

MODELS: Final = ("lab-model", "gpt-4o", "claude-sonnet-4-5", "gemini-2.5-flash")
"""The models that listings name; any other name is served too."""

_MAX_KEPT: Final = 256
_MOST_NESTED: Final = 100


@dataclass(slots=True)
class ModelServer:
    """Keeps what models were sent, as `{"dialect", "body", "path"}`, oldest first."""

    kept: list[Json] = field(default_factory=list)

    def take(self) -> list[Json]:
        """The requests kept since the last call."""
        taken, self.kept = self.kept, []
        return taken

    def app(self) -> Starlette:
        """The endpoint as an ASGI application; dialects are told by their paths."""
        post = ["POST"]
        routes = [
            Route("/v1/chat/completions", self._openai_chat, methods=post),
            Route("/v1/responses", self._openai_responses, methods=post),
            Route("/v1/messages", self._anthropic, methods=post),
            Route("/v1/messages/count_tokens", _count_tokens, methods=post),
            Route("/{version}/models/{call:path}", self._gemini, methods=post),
            Route("/v1/models", _models),
            Route("/v1/models/{model:path}", _model),
            Route("/v1beta/models", _gemini_models),
            Route("/v1beta/models/{model:path}", _gemini_model),
            Route("/api/chat", self._ollama, methods=post),
            Route("/api/tags", _ollama_tags),
            Route("/api/show", _ollama_show, methods=post),
            Route("/api/version", _ollama_version),
            Route("/api/ps", _ollama_ps),
        ]
        # Clients differ in whether the base URL that they are given holds the version.
        return Starlette(
            routes=[*routes, Route("/chat/completions", self._openai_chat, methods=post)]
        )

    async def _openai_chat(self, request: Request) -> Response:
        return await self._converse(request, "openai.chat")

    async def _openai_responses(self, request: Request) -> Response:
        return await self._converse(request, "openai.responses")

    async def _anthropic(self, request: Request) -> Response:
        return await self._converse(request, "anthropic.messages")

    async def _gemini(self, request: Request) -> Response:
        call: str = request.path_params["call"]
        model, _, method = call.rpartition(":")
        if method == "countTokens":
            return JSONResponse({"totalTokens": 1})
        if method not in ("generateContent", "streamGenerateContent"):
            return JSONResponse({"error": {"code": 404, "message": "no such method"}}, 404)
        stream = method == "streamGenerateContent"
        return await self._converse(request, "gemini.contents", stream=stream, model=model)

    async def _ollama(self, request: Request) -> Response:
        return await self._converse(request, "ollama.chat", default_stream=True)

    async def _converse(
        self,
        request: Request,
        dialect: str,
        *,
        stream: bool | None = None,
        default_stream: bool = False,
        model: str | None = None,
    ) -> Response:
        body = _parsed(await request.body())
        if len(self.kept) < _MAX_KEPT:
            self.kept.append({"dialect": dialect, "body": body, "path": request.url.path})
        if not isinstance(body, dict):
            return JSONResponse({"error": {"message": "the body is not a JSON object"}}, 400)
        if model is not None:
            body = {**body, "model": model}
        streaming = bool(body.get("stream", default_stream)) if stream is None else stream
        content, kind = reply(dialect, body, stream=streaming)
        return Response(content, media_type=kind)


def _parsed(body: bytes) -> object:
    """The body as JSON; as text where it is none, or nested too deeply to be handled safely."""
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        return body.decode("utf-8", "replace")
    return body.decode("utf-8", "replace") if _is_deep(parsed) else parsed


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(_MOST_NESTED):
        inner: list[object] = []
        for each in level:
            if isinstance(each, dict):
                inner += each.values()
            elif isinstance(each, list):
                inner += each
        if not inner:
            return False
        level = inner
    return True


def _openai_model(name: str) -> Json:
    return {"id": name, "object": "model", "created": 1_700_000_000, "owned_by": "lab"}


def _google_model(name: str) -> Json:
    return {
        "name": f"models/{name}",
        "displayName": name,
        "inputTokenLimit": 1_000_000,
        "outputTokenLimit": 8192,
        "supportedGenerationMethods": ["generateContent", "countTokens"],
    }


async def _models(request: Request) -> Response:
    return JSONResponse({"object": "list", "data": [_openai_model(name) for name in MODELS]})


async def _model(request: Request) -> Response:
    return JSONResponse(_openai_model(request.path_params["model"]))


async def _count_tokens(request: Request) -> Response:
    return JSONResponse({"input_tokens": 1})


async def _gemini_models(request: Request) -> Response:
    return JSONResponse({"models": [_google_model(name) for name in MODELS]})


async def _gemini_model(request: Request) -> Response:
    return JSONResponse(_google_model(request.path_params["model"]))


async def _ollama_tags(request: Request) -> Response:
    return JSONResponse({"models": [{"name": n, "model": n, "details": {}} for n in MODELS]})


async def _ollama_show(request: Request) -> Response:
    return JSONResponse({"details": {}, "model_info": {}, "capabilities": ["completion", "vision"]})


async def _ollama_version(request: Request) -> Response:
    return JSONResponse({"version": "0.13.0"})


async def _ollama_ps(request: Request) -> Response:
    return JSONResponse({"models": []})
