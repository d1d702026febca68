"""A plugin for mypy: `weft.u8["h", "w", 3]` is an annotation whose extents are no types.

    [tool.mypy]
    plugins = ["weft.mypy"]
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import AnalyzeTypeContext, Plugin
from mypy.types import Type

from ._types import TYPES

NAMES = {f"weft._types.{name}" for name in TYPES} | {f"weft.{name}" for name in TYPES}


def _analyze(context: AnalyzeTypeContext) -> Type:
    """What a program of it is recorded with: an image with extents, a value without."""
    called = "weft._trace.Image" if context.type.args else "weft._trace.Value"
    return context.api.named_type(called, [])


class WeftPlugin(Plugin):
    """Takes annotations of programs as what they are."""

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """For the types of Weft."""
        return _analyze if fullname in NAMES else None


def plugin(version: str) -> type[Plugin]:
    """What mypy asks for."""
    return WeftPlugin
