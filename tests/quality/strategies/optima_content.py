"""The smallest cases for predicates on what a message holds."""

from typing import Final

from .stated import (
    Optimum,
    assistant,
    audio,
    blob,
    blocks,
    case,
    document,
    essence,
    image,
    link,
    shape,
    text,
    user,
)

CONTENT: Final[tuple[Optimum, ...]] = (
    # Kinds and roles.
    Optimum("anything", lambda c: True, case()),
    Optimum("no messages", lambda c: not c["messages"], {"prompt": {"name": "p"}, "messages": []}),
    Optimum("an image", lambda c: bool(blocks(c, "image")), case(user(image()))),
    Optimum("an audio part", lambda c: bool(blocks(c, "audio")), case(user(audio()))),
    Optimum("a document", lambda c: bool(blocks(c, "resource.text")), case(user(document()))),
    Optimum("a blob", lambda c: bool(blocks(c, "resource.blob")), case(user(blob()))),
    Optimum("a link", lambda c: bool(blocks(c, "resource_link")), case(user(link()))),
    Optimum(
        "an assistant's turn",
        lambda c: any(role == "assistant" for role, _ in shape(c)),
        case(assistant(text())),
    ),
    Optimum(
        "an audio part from the assistant",
        lambda c: ("assistant", "audio") in shape(c),
        case(assistant(audio())),
    ),
    Optimum(
        "a link from the assistant",
        lambda c: ("assistant", "resource_link") in shape(c),
        case(assistant(link())),
    ),
    Optimum("two messages", lambda c: len(c["messages"]) > 1, case(*[user(text())] * 2)),
    Optimum("three messages", lambda c: len(c["messages"]) > 2, case(*[user(text())] * 3)),
    Optimum("five messages", lambda c: len(c["messages"]) > 4, case(*[user(text())] * 5)),
    Optimum(
        "the assistant last, after a user",
        lambda c: [r for r, _ in shape(c)][-2:] == ["user", "assistant"],
        case(user(text()), assistant(text())),
    ),
    Optimum(
        "two turns of the assistant in a row",
        lambda c: any(
            a == b == "assistant" for (a, _), (b, _) in zip(shape(c), shape(c)[1:], strict=False)
        ),
        case(assistant(text()), assistant(text())),
    ),
    Optimum(
        "an image between two texts",
        lambda c: "text image text" in " ".join(kind for _, kind in shape(c)),
        case(user(text()), user(image()), user(text())),
    ),
    Optimum(
        "an image after a text",
        lambda c: "text image" in " ".join(kind for _, kind in shape(c)),
        case(user(text()), user(image())),
    ),
    Optimum(
        "a blob before a link",
        lambda c: (
            "blob" in str(blocks(c, "resource.blob"))
            and "resource resource_link" in " ".join(kind for _, kind in shape(c))
            and any(
                "blob" in a["content"].get("resource", {})
                and b["content"]["type"] == "resource_link"
                for a, b in zip(c["messages"], c["messages"][1:], strict=False)
            )
        ),
        case(user(blob()), user(link())),
    ),
    # Media and metadata.
    Optimum(
        "two images with different types",
        lambda c: len({essence(block) for block in blocks(c, "image")}) > 1,
        case(user(image()), user(image("image/gif"))),
    ),
    Optimum(
        "the same image twice",
        lambda c: len(blocks(c, "image")) > len({b["data"] for b in blocks(c, "image")}),
        case(*[user(image())] * 2),
    ),
    Optimum(
        "two images of one type with different bytes",
        lambda c: (
            len({b["data"] for b in blocks(c, "image")})
            > len({b["mimeType"] for b in blocks(c, "image")})
        ),
        case(user(image()), user(image(n=1))),
    ),
    Optimum(
        "an image that isn't PNG",
        lambda c: any(essence(b) != "image/png" for b in blocks(c, "image")),
        case(user(image("image/gif"))),
    ),
    Optimum(
        "an upper-case image type",
        lambda c: any(b["mimeType"] != b["mimeType"].lower() for b in blocks(c, "image")),
        case(user(image("image/PNG"))),
    ),
    Optimum(
        "the same URI in two documents",
        lambda c: (
            len(blocks(c, "resource.text"))
            > len({b["resource"]["uri"] for b in blocks(c, "resource.text")})
        ),
        case(*[user(document())] * 2),
    ),
    Optimum(
        "two documents with different URIs",
        lambda c: len({b["resource"]["uri"] for b in blocks(c, "resource.text")}) > 1,
        case(user(document()), user(document(uri="pfz://b"))),
    ),
    Optimum(
        "an empty blob",
        lambda c: any(b["resource"]["blob"] == "" for b in blocks(c, "resource.blob")),
        case(
            user(
                {
                    "type": "resource",
                    "resource": {"uri": "pfz://a", "mimeType": "image/png", "blob": ""},
                }
            )
        ),
    ),
    Optimum(
        "a document that isn't plain text",
        lambda c: any(essence(b["resource"]) != "text/plain" for b in blocks(c, "resource.text")),
        case(user(document(mime_type="text/csv"))),
    ),
    Optimum(
        "a part for the user alone",
        lambda c: any(
            m["content"].get("annotations", {}).get("audience") == ["user"] for m in c["messages"]
        ),
        case(user({**text(), "annotations": {"audience": ["user"]}})),
    ),
    Optimum(
        "a priority of one",
        lambda c: any(
            m["content"].get("annotations", {}).get("priority") == 1 for m in c["messages"]
        ),
        case(user({**text(), "annotations": {"priority": 1}})),
    ),
    Optimum(
        "a link with a title",
        lambda c: any(b.get("title") for b in blocks(c, "resource_link")),
        case(user(link(title="A"))),
    ),
    Optimum(
        "an image with _meta",
        lambda c: any("_meta" in b for b in blocks(c, "image")),
        case(user({**image(), "_meta": {}})),
    ),
)
"""Predicates on messages, media and metadata."""
