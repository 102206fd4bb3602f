"""``python -m bench.campaign.growth [--plot FILE]``: how cost grows, with fitted exponents."""

import argparse
import math
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from bench.campaign.lanes import faithful
from bench.campaign.plot import Curve, page
from tests.fakes.clients import Client
from tests.fakes.shapes_messages import one_part_a_message

from mcp_prompt_fuzz.campaign import judge_case
from mcp_prompt_fuzz.case import KINDS, NEWEST_REVISION, Case
from mcp_prompt_fuzz.corpus import load_corpus
from mcp_prompt_fuzz.formats import write_case
from mcp_prompt_fuzz.oracle import Conditions, Lens, judge
from mcp_prompt_fuzz.reduction.size import rank
from mcp_prompt_fuzz.renderers import function_renderer
from mcp_prompt_fuzz.serving import list_prompts
from mcp_prompt_fuzz.sweep import plain_content

_TRIES: Final = 3

Measure = tuple[str, Sequence[int], Callable[[int], Callable[[], Any]]]


def _case(messages: Sequence[Any], **members: Any) -> Case:
    return Case("growth", NEWEST_REVISION, {"name": "p"}, tuple(messages), **members)


def _says(content: Any) -> Any:
    return {"role": "user", "content": content}


def _text(text: str) -> Any:
    return _says({"type": "text", "text": text})


def _judging(case: Case) -> Callable[[], Any]:
    renderer = function_renderer(faithful, revision=NEWEST_REVISION, timeout=600)
    return lambda: judge_case(renderer, case)


def _messages(count: int) -> Callable[[], Any]:
    return _judging(_case([_text(f"message {number}") for number in range(count)]))


def _messages_of_every_kind(count: int) -> Callable[[], Any]:
    return _judging(
        _case([_says(plain_content(KINDS[number % len(KINDS)], number)) for number in range(count)])
    )


def _one_string(result: Any) -> str:
    """Everything that is said in one text, where the speakers are told by words alone."""
    return "".join(f"<{m['role']}>{m['content']['text']}</>" for m in result["messages"])


def _messages_in_one_string(count: int) -> Callable[[], Any]:
    """As a campaign explores: not every message is tried under another role."""
    renderer = function_renderer(_one_string, revision=NEWEST_REVISION, timeout=600)
    case = _case([_text(f"message {number}") for number in range(count)])
    conditions = Conditions("result", NEWEST_REVISION, thorough=False)
    return lambda: judge(case, Lens(renderer.render), conditions)


def _long_text(size: int) -> Callable[[], Any]:
    return _judging(_case([_text("before"), _text("lorem ipsum " * (size // 12)), _text("after")]))


def _large_image(size: int) -> Callable[[], Any]:
    data = b64encode(bytes(range(256)) * (size // 256 + 1)).decode("ascii")
    return _judging(_case([_says({"type": "image", "data": data, "mimeType": "image/png"})]))


def _ranking(count: int) -> Callable[[], Any]:
    case = _case([_text(f"message {number}") for number in range(count)])
    return lambda: rank(case)


def _listed(count: int) -> Case:
    """A case at the end of a listing of so many prompts, ten to a page."""
    pages: list[Any] = []
    for start in range(0, count, 10):
        offers: list[Any] = [
            {"prompt": {"name": f"p{n}"}, "messages": []} for n in range(start, start + 10)
        ]
        pages.append({"prompts": offers, "cursor": str(start)})
    pages.append({"prompts": ["@"]})
    return _case([_text("listed")], pages=tuple(pages))


def _paging(count: int) -> Callable[[], Any]:
    case = _listed(count)

    def walk() -> None:
        params: dict[str, Any] = {}
        while "nextCursor" in (page := list_prompts(case, params, revision=NEWEST_REVISION)):
            params = {"cursor": page["nextCursor"]}

    return walk


def _listing(count: int) -> Callable[[], Any]:
    case, renderer = _listed(count), Client(one_part_a_message)()
    return lambda: judge_case(renderer, case)


def _corpus(count: int) -> Callable[[], Any]:
    folder = Path(tempfile.mkdtemp(prefix="growth"))
    for number in range(count):
        write_case(folder / f"{number}.json", _case([_text(f"text {number}")]))
    return lambda: load_corpus([folder])


MEASURES: Final[tuple[Measure, ...]] = (
    ("judging, by messages", (1, 5, 25, 50, 100, 200), _messages),
    ("judging, by messages of every kind", (1, 5, 25, 50, 100, 200), _messages_of_every_kind),
    ("exploring one string, by messages", (1, 5, 25, 50, 100, 200), _messages_in_one_string),
    ("ranking, by messages", (1, 5, 25, 50, 100, 200), _ranking),
    ("judging, by bytes of text", (10**3, 10**4, 10**5, 10**6, 10**7), _long_text),
    ("judging, by bytes of an image", (10**3, 10**4, 10**5, 10**6, 10**7), _large_image),
    ("paging through a listing, by prompts", (10, 50, 100, 500, 1000), _paging),
    ("judging, by prompts listed", (10, 50, 100, 500, 1000), _listing),
    ("loading a corpus, by files", (10, 50, 200, 1000, 2000), _corpus),
)


def seconds(work: Callable[[], Any]) -> float:
    """CPU seconds of the fastest of a few tries."""
    taken = []
    for _ in range(_TRIES):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return max(min(taken), 1e-6)


def exponent(sizes: Sequence[int], costs: Sequence[float]) -> float:
    """That of the power law through the three largest sizes, where fixed costs no longer count."""
    points = [(math.log(n), math.log(c)) for n, c in zip(sizes, costs, strict=True)][-3:]
    across = sum(x for x, _ in points) / len(points)
    up = sum(y for _, y in points) / len(points)
    spread = sum((x - across) ** 2 for x, _ in points)
    return sum((x - across) * (y - up) for x, y in points) / spread


def main() -> int:
    """Print each measure, and plot all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", type=Path, metavar="FILE", help="where the HTML page goes")
    args = parser.parse_args()
    curves = []
    for name, sizes, work_of in MEASURES:
        costs = [seconds(work_of(size)) * 1000 for size in sizes]
        curve = Curve(name, sizes, costs, exponent(sizes, costs))
        curves.append(curve)
        told = "".join(
            f"  {n:>10} {cost:>10.2f} ms\n" for n, cost in zip(sizes, costs, strict=True)
        )
        sys.stdout.write(f"{name}: exponent {curve.exponent:.2f}\n{told}")
        sys.stdout.flush()
    if args.plot is not None:
        args.plot.parent.mkdir(parents=True, exist_ok=True)
        args.plot.write_text(page(curves), encoding="utf-8")
        sys.stdout.write(f"plotted in {args.plot}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
