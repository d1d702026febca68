"""What goes wrong, as exceptions."""

from __future__ import annotations


class WeftError(Exception):
    """What all exceptions of this package are, but those that Python has a name for (TypeError, ValueError, MemoryError)."""


class TraceError(WeftError, TypeError):
    """Something that a program cannot do while it is recorded: ask what the value of a point is, say."""


class CompileError(WeftError):
    """A program that the compiler refuses. Its text has a line for each mistake: file, line, column, what was found and expected."""


class CheckError(WeftError, ValueError):
    """Arguments that a program refuses: images whose sizes do not fit each other, or one too small for a load without a boundary."""


class GpuError(WeftError, RuntimeError):
    """A GPU, or its driver, that is not there or refuses."""


class CopyWarning(UserWarning):
    """An array that was copied because a program cannot read it where it lies. See `weft.warnings`."""
