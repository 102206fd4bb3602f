"""The oracle: compares a renderer with what a complete rendering holds. Pure: it is handed a
function from cases to renderings, and does no input or output of its own."""

from .found import Found, Judgement
from .judge import judge
from .lens import Lens
from .sight import Conditions

__all__ = ["Conditions", "Found", "Judgement", "Lens", "judge"]
