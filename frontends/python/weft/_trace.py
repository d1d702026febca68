"""Programs, recorded while a function of Python runs.

    f = weft.stage("f", img[y, x] * 2)        {"gives": [4], "load": {"image": 0, "indices": [{"of": 2}, {"of": 3}]}, "at": [0, 7, 24]}
                                              {"gives": [5], "op": {"name": "mul", "of": [{"of": 4}, {"int": 2}]}, ...}
                                              {"gives": [6], "stage": {"name": "f", "axes": [[2, {"of": 7}], ...], "values": [{"of": 5}]}}

What is recorded is a list of steps, each with its place in the text: the compiler makes a program of it, checks it there, and says what
is wrong by these places. Here only that is refused which Python would take another way: the truth of a point's value, a loop over
an image, an array among the numbers.
"""

from __future__ import annotations

import numbers
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any, TypeAlias, overload

import numpy as np

from ._errors import TraceError
from ._types import ImageType, Type

Steps = list[dict[str, Any]]
Operand = dict[str, Any]

_state = threading.local()


class Recorder:
    """A program that is being recorded by this thread."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.files: list[str] = []
        self.steps: Steps = []
        self.count = 0
        self._positions: dict[CodeType, list[tuple[int | None, int | None, int | None, int | None]]] = {}

    def __enter__(self) -> Recorder:
        self._outer = getattr(_state, "recorder", None)
        _state.recorder = self
        return self

    def __exit__(self, *_: object) -> None:
        _state.recorder = self._outer

    def number(self) -> int:
        """A number for what a step gives."""
        self.count += 1
        return self.count - 1

    def record(self, what: str, content: Any, gives: Sequence[int] = ()) -> None:
        """Adds a step, with the place in the text that it is of."""
        self.steps.append({"at": self._place(), "gives": list(gives), what: content})

    def body(self, record: Callable[[], Any]) -> tuple[Any, Steps]:
        """What a function gives, and the steps that it records, apart from those around it."""
        outer, self.steps = self.steps, []
        try:
            return record(), self.steps
        finally:
            self.steps = outer

    def _place(self) -> list[int]:
        frame = sys._getframe(2)
        while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
            frame = frame.f_back
        code = frame.f_code
        positions = self._positions.get(code)
        if positions is None:
            positions = self._positions[code] = list(code.co_positions())
        line, _, column, _ = positions[frame.f_lasti // 2]
        name = code.co_filename
        # A cell of a notebook has another name each time.
        name = "<cell>" if "ipykernel" in name or name.startswith("<ipython") else name
        if name not in self.files:
            self.files.append(name)
        return [self.files.index(name), line or frame.f_lineno, (column or 0) + 1]


def _is_ours(module: str) -> bool:
    return module == "weft" or module.startswith("weft._")


def recorder() -> Recorder:
    """The program that is being recorded."""
    found: Recorder | None = getattr(_state, "recorder", None)
    if found is None:
        raise TraceError("no program is being recorded, expected to be called in a function with @weft.program")
    return found


# ---- Values ----------------------------------------------------------------------------------------------------------

Number: TypeAlias = int | float
"""A literal. It takes the type of what stands beside it; alone it is of f32 or i32."""

Operandish: TypeAlias = "Value | int | float"


def operand(value: Any) -> Operand:
    """A value or a literal as steps have it."""
    if isinstance(value, Value):
        if value.recorder is not recorder():
            raise TraceError("a value of another program, expected one of this")
        return {"of": value.id}
    if isinstance(value, (bool, np.bool_)):
        raise TraceError(f"{value} beside values of points, expected a number, or a comparison of values")
    if isinstance(value, numbers.Integral):
        return {"int": int(value)}
    if isinstance(value, numbers.Real):
        value = float(value)
        if value - value != 0:
            # JSON has neither NaN nor infinities.
            return {"bits": struct.unpack("<Q", struct.pack("<d", value))[0]}
        return {"float": value}
    if isinstance(value, Image):
        raise TraceError(f'image "{value.name}" as a value, expected a point of it: {value.name}[{", ".join("yx"[-value.rank :])}]')
    if isinstance(value, np.ndarray):
        raise TraceError("an array among the values of points, expected a number; a table of constants is weft.table(array)")
    raise TraceError(f"{value!r} ({type(value).__name__}) among the values of points, expected a value or a number")


class Value:
    """The value of a point, or a number of the whole program such as an extent.

    Operators want equal types on both sides, and a literal takes the type of the other: `.to(weft.f32)` casts. `/` is for floats; `//`
    and `%` round down, as Python's do.
    """

    __slots__ = ("axes", "id", "recorder")
    __array_ufunc__ = None  # So that NumPy's numbers on the left leave it to us.

    def __init__(self, id: int, axes: frozenset[Axis] = frozenset()) -> None:
        self.recorder = recorder()
        self.id = id
        self.axes = axes

    # Arithmetic.

    def __add__(self, other: Operandish) -> Value:
        return op("add", self, other)

    def __radd__(self, other: Operandish) -> Value:
        # What sum() begins with: to add it would make +0 of -0.
        return self if isinstance(other, int) and other == 0 else op("add", other, self)

    def __sub__(self, other: Operandish) -> Value:
        return op("sub", self, other)

    def __rsub__(self, other: Operandish) -> Value:
        return op("sub", other, self)

    def __mul__(self, other: Operandish) -> Value:
        return op("mul", self, other)

    def __rmul__(self, other: Operandish) -> Value:
        return op("mul", other, self)

    def __truediv__(self, other: Operandish) -> Value:
        return op("truediv", self, other)

    def __rtruediv__(self, other: Operandish) -> Value:
        return op("truediv", other, self)

    def __floordiv__(self, other: Operandish) -> Value:
        return op("floordiv", self, other)

    def __rfloordiv__(self, other: Operandish) -> Value:
        return op("floordiv", other, self)

    def __mod__(self, other: Operandish) -> Value:
        return op("mod", self, other)

    def __rmod__(self, other: Operandish) -> Value:
        return op("mod", other, self)

    def __pow__(self, exponent: Operandish) -> Value:
        if isinstance(exponent, int) and 1 <= exponent <= 8:
            power = self
            for _ in range(exponent - 1):
                power = power * self
            return power
        return op("pow", self, exponent)

    def __rpow__(self, base: Operandish) -> Value:
        return op("pow", base, self)

    def __neg__(self) -> Value:
        return op("neg", self)

    def __pos__(self) -> Value:
        return self

    def __abs__(self) -> Value:
        return op("abs", self)

    def __invert__(self) -> Value:
        return op("not", self)

    def __and__(self, other: Operandish) -> Value:
        return op("and", self, other)

    def __or__(self, other: Operandish) -> Value:
        return op("or", self, other)

    def __xor__(self, other: Operandish) -> Value:
        return op("xor", self, other)

    def __rand__(self, other: Operandish) -> Value:
        return op("and", other, self)

    def __ror__(self, other: Operandish) -> Value:
        return op("or", other, self)

    def __rxor__(self, other: Operandish) -> Value:
        return op("xor", other, self)

    def __lshift__(self, other: Operandish) -> Value:
        return op("shl", self, other)

    def __rshift__(self, other: Operandish) -> Value:
        return op("shr", self, other)

    # Comparisons.

    def __eq__(self, other: object) -> Value:  # type: ignore[override]
        return op("eq", self, other)

    def __ne__(self, other: object) -> Value:  # type: ignore[override]
        return op("ne", self, other)

    def __lt__(self, other: Operandish) -> Value:
        return op("lt", self, other)

    def __le__(self, other: Operandish) -> Value:
        return op("le", self, other)

    def __gt__(self, other: Operandish) -> Value:
        return op("gt", self, other)

    def __ge__(self, other: Operandish) -> Value:
        return op("ge", self, other)

    __hash__ = object.__hash__

    # What Python would take another way.

    def __bool__(self) -> bool:
        raise TraceError(
            "the value of a point is not known while a program is recorded: weft.where(condition, yes, no) chooses in each point, "
            "weft.min and weft.max compare, & and | join conditions"
        )

    def __index__(self) -> int:
        raise TraceError("the value of a point is not known while a program is recorded, expected a number of Python here")

    __float__ = __int__ = __index__
    __iter__ = None

    # Types.

    def to(self, type: Type) -> Value:
        """The value in another type: integers keep their low bits, floats go towards zero and stay in the type's range (NaN gives 0)."""
        return _cast(self, type, saturate=False)

    def saturate(self, type: Type) -> Value:
        """The nearest value that the type has: of floats the nearest integer, halves to even ones (NaN gives 0)."""
        return _cast(self, type, saturate=True)

    def __repr__(self) -> str:
        return f"<a value of program {self.recorder.name!r}>"


def _cast(value: Value, to: Type, *, saturate: bool) -> Value:
    if not isinstance(to, Type):
        raise TraceError(f"cast to {to!r}, expected a type such as weft.f32")
    return _given("cast", {"of": operand(value), "type": to.name, "saturate": saturate}, axes_of(value))


def _given(what: str, content: Any, axes: frozenset[Axis]) -> Value:
    """A step that gives a value."""
    current = recorder()
    id = current.number()
    current.record(what, content, [id])
    return Value(id, axes)


def axes_of(*values: object) -> frozenset[Axis]:
    """The coordinates that values depend on."""
    return frozenset().union(*(value.axes for value in values if isinstance(value, Value)))


def op(name: str, *of: object) -> Value:
    """An operation by the name that the compiler has for it."""
    return _given("op", {"name": name, "of": [operand(value) for value in of]}, axes_of(*of))


class Axis(Value):
    """A coordinate: from 0 to below its extent in a stage, or over the numbers of a window. As a value it is of type `index`."""

    __slots__ = ("extent", "name", "range")

    def __init__(self, name: str, extent: Operandish | None = None, range: tuple[int, int] | None = None) -> None:
        current = recorder()
        id = current.number()
        current.record("axis", name, [id])
        super().__init__(id, frozenset((self,)))
        self.name = name
        self.extent = extent
        self.range = range

    def __repr__(self) -> str:
        return f"<coordinate {self.name}>"


# ---- Images ----------------------------------------------------------------------------------------------------------


class View:
    """An image with something beyond its edges. `view[y - 1, x]` is a point of it, also where an index is computed."""

    __slots__ = ("_boundary", "_image")

    def __init__(self, image: Image, boundary: Any) -> None:
        self._image = image
        self._boundary = boundary

    def __getitem__(self, indices: Operandish | tuple[Operandish, ...]) -> Value:
        return self._image._point(indices, self._boundary)

    __iter__ = None


class Image:
    """An argument of a program, or what a stage computes.

    `image[y, x]` is a point of it, where indices are coordinates, with numbers added or multiplied, `//` or `%` by numbers. It must lie
    inside: `image.clamp[...]`, `.mirror[...]`, `.reflect101[...]`, `.wrap[...]` and `.constant(value)[...]` say what is beyond an edge.
    """

    __slots__ = ("_axes", "_extents", "id", "name", "recorder", "type")

    def __init__(self, id: int, name: str, extents: Sequence[Operandish | str], axes: tuple[Axis, ...] | None = None) -> None:
        self.recorder = recorder()
        self.id = id
        self.name = name
        self._extents = list(extents)
        self._axes = axes

    def _point(self, indices: Any, boundary: Any) -> Value:
        indices = indices if isinstance(indices, tuple) else (indices,)
        for one in indices:
            if isinstance(one, slice) or one is Ellipsis or one is None:
                raise TraceError(f'"{self.name}" at {one!r}, expected a coordinate or a number: a point is one of each dimension')
        if self.recorder is not recorder():
            raise TraceError(f'image "{self.name}" of another program, expected one of this')
        load = {"image": self.id, "boundary": boundary, "indices": [operand(one) for one in indices]}
        return _given("load", load, axes_of(*indices))

    def __getitem__(self, indices: Operandish | tuple[Operandish, ...]) -> Value:
        return self._point(indices, None)

    __iter__ = None

    @property
    def clamp(self) -> View:
        """With its edge repeated beyond it: `a a a | a b c d | d d d`."""
        return View(self, "clamp")

    @property
    def mirror(self) -> View:
        """Reflected, the edge repeated: `c b a | a b c d | d c b`. SciPy's `reflect`, NumPy's `symmetric`, OpenCV's BORDER_REFLECT."""
        return View(self, "mirror")

    @property
    def reflect101(self) -> View:
        """Reflected, the edge not repeated: `d c b | a b c d | c b a`. SciPy's `mirror`, NumPy's `reflect`, OpenCV's default."""
        return View(self, "reflect101")

    @property
    def wrap(self) -> View:
        """Repeated: `b c d | a b c d | a b c`."""
        return View(self, "wrap")

    def constant(self, value: Operandish) -> View:
        """With this value beyond its edges."""
        return View(self, {"constant": operand(value)})

    @property
    def rank(self) -> int:
        """How many dimensions it has."""
        return len(self._extents)

    @property
    def extents(self) -> tuple[Any, ...]:
        """How many points it has along each dimension, outermost first: numbers where they are known, else values of type `index`."""
        for dimension, extent in enumerate(self._extents):
            if isinstance(extent, str):
                self._extents[dimension] = _given("extent", {"image": self.id, "dimension": dimension}, frozenset())
        return tuple(self._extents)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """A coordinate for each dimension: those of the stage, or of an argument, always the same."""
        if self._axes is None:
            self._axes = tuple(Axis(name, extent) for name, extent in zip(_names(self._extents), self.extents, strict=True))
        return self._axes

    def __repr__(self) -> str:
        return f"<image {self.name!r} of program {self.recorder.name!r}>"


def _names(extents: Sequence[object]) -> list[str]:
    """Names of coordinates: c for few planes, y and x for the others, then z and w."""
    is_planes = [isinstance(extent, int) and extent <= 4 for extent in extents]
    if is_planes.count(True) != 1:
        return ["w", "z", "y", "x"][-len(extents) :]
    others = iter(["z", "y", "x"][-(len(extents) - 1) :] if len(extents) > 1 else [])
    return ["c" if is_plane else next(others) for is_plane in is_planes]


def argument(name: str, type: Type | ImageType, estimate: Sequence[int] | None = None) -> Value | Image:
    """An argument of the program that is being recorded."""
    current = recorder()
    id = current.number()
    if isinstance(type, ImageType):
        content = {"name": name, "type": type.type.name, "extents": list(type.extents)}
        if estimate is not None:
            content["estimate"] = list(estimate)
        current.record("image", content, [id])
        return Image(id, name, type.extents)
    current.record("number", {"name": name, "type": type.name}, [id])
    return Value(id)


# ---- What a program is made of ---------------------------------------------------------------------------------------


def axis(extent: Operandish, name: str = "i") -> Axis:
    """A coordinate from 0 to below `extent`, for a stage of another size than its images."""
    return Axis(name, extent)


def axes(*extents: Operandish) -> tuple[Axis, ...]:
    """A coordinate for each extent, outermost first: `y, x = weft.axes(h // 2, w // 2)`."""
    return tuple(Axis(name, extent) for name, extent in zip(_names(extents), extents, strict=True))


def window(start: int, stop: int, name: str = "k") -> Axis:
    """A variable over the numbers from `start` to below `stop`, for `weft.sum` and `weft.reduce`."""
    return Axis(name, range=(int(start), int(stop)))


def _shape(name: str, free: frozenset[Axis], given: Sequence[Axis] | None) -> tuple[Axis, ...]:
    """The coordinates of a stage: those that are given, else those that its values use, in the order in which they were made."""
    found = tuple(given) if given is not None else tuple(sorted(free, key=lambda axis: axis.id))
    if not found:
        raise TraceError(f'stage "{name}" uses no coordinate, expected axes=, its coordinates')
    for one in found:
        if not isinstance(one, Axis):
            raise TraceError(f'axes of stage "{name}" have {one!r} in them, expected coordinates: img.axes, weft.axes(h, w)')
        if one.extent is None:
            raise TraceError(f'stage "{name}" uses the window {one.name} outside of weft.sum or weft.reduce over it')
    return found


def _images(name: str, ids: Sequence[int], shape: tuple[Axis, ...]) -> list[Image]:
    extents = [axis.extent for axis in shape]
    names = [name if number == 0 else f"{name}_{number}" for number in range(len(ids))]
    return [Image(id, called, extents, shape) for id, called in zip(ids, names, strict=True)]  # type: ignore[arg-type]


def _recorded_axes(shape: tuple[Axis, ...]) -> list[Any]:
    return [[one.id, operand(one.extent)] for one in shape]


def _one_or_all(images: list[Image], is_one: bool) -> Any:
    return images[0] if is_one else tuple(images)


@overload
def stage(name: str, value: Operandish, axes: Sequence[Axis] | None = None) -> Image: ...


@overload
def stage(name: str, value: Sequence[Operandish], axes: Sequence[Axis] | None = None) -> tuple[Image, ...]: ...


def stage(name: str, value: Operandish | Sequence[Operandish], axes: Sequence[Axis] | None = None) -> Image | tuple[Image, ...]:
    """The image whose points have this value; of a tuple of values as many images, computed together.

    Its coordinates are those that the value uses, in the order in which they were made (so img.axes in theirs), or `axes`.
    """
    values = list(value) if isinstance(value, (tuple, list)) else [value]
    recorded = [operand(one) for one in values]
    shape = _shape(name, axes_of(*values), axes)
    current = recorder()
    ids = [current.number() for _ in values]
    content = {"name": name, "axes": _recorded_axes(shape), "values": recorded}
    current.record("stage", content, ids)
    images = _images(name, ids, shape)
    return tuple(images) if isinstance(value, (tuple, list)) else images[0]


class Line:
    """What a scan has computed of its line so far, in its own body."""

    __slots__ = ("id",)

    def __init__(self, id: int) -> None:
        self.id = id

    def previous(self, distance: int, start: Operandish) -> Value:
        """The scan's own value so many points before this one; `start` where the line has no such point."""
        return _given("previous", {"line": self.id, "distance": int(distance), "or": operand(start)}, axes_of(start))


def scan(
    name: str,
    value: Callable[..., Any],
    along: Axis,
    backward: bool = False,
    axes: Sequence[Axis] | None = None,
    results: int = 1,
) -> Any:
    """A stage whose points may depend on those before them along one coordinate.

    `value` is called with the scan's `Line` (as many as `results`), and gives the value of a point:
    `weft.scan("sums", lambda s: s.previous(1, 0.0) + img[y, x], along=x)`.
    """
    current = recorder()
    lines = [current.number() for _ in range(results)]
    values, body = current.body(lambda: value(*map(Line, lines)))
    is_one = not isinstance(values, (tuple, list))
    values = [values] if is_one else list(values)
    shape = _shape(name, axes_of(*values, along), axes)
    ids = [current.number() for _ in lines]
    content = {
        "name": name,
        "axes": _recorded_axes(shape),
        "along": along.id,
        "backward": bool(backward),
        "lines": lines,
        "body": body,
        "values": [operand(one) for one in values],
    }
    current.record("scan", content, ids)
    return _one_or_all(_images(name, ids, shape), is_one)


def scatter(
    name: str,
    initial: Any,
    axes: Sequence[Axis],
    over: Sequence[Axis],
    at: Operandish | Sequence[Operandish],
    value: Any,
    combine: str = "add",
    reassoc: bool = False,
) -> Any:
    """An image whose points begin with `initial` and are updated at places that are computed, for each point of `over`.

    A histogram: `weft.scatter("counts", 0, axes=weft.axes(256), over=img.axes, at=img[y, x].to(weft.index), value=1)`. `combine` is add,
    mul, min, max, and, or, xor. Sums of floats have one order; `reassoc=True` lets them be done in any.
    """
    is_one = not isinstance(value, (tuple, list))
    values = [value] if is_one else list(value)
    begin = [initial] * len(values) if not isinstance(initial, (tuple, list)) else list(initial)
    shape = _shape(name, frozenset(), axes)
    places = at if isinstance(at, (tuple, list)) else (at,)
    current = recorder()
    domain = [[one.id, one.range[0], {"int": one.range[1]}] if one.range else [one.id, 0, operand(one.extent)] for one in over]
    ids = [current.number() for _ in values]
    content = {
        "name": name,
        "axes": _recorded_axes(shape),
        "init": [operand(one) for one in begin],
        "over": domain,
        "combine": combine,
        "reassoc": bool(reassoc),
        "place": [operand(one) for one in places],
        "values": [operand(one) for one in values],
    }
    if combine not in ("add", "mul", "min", "max", "and", "or", "xor"):
        raise TraceError(f'scatter "{name}" combines by {combine!r}, expected add, mul, min, max, and, or or xor')
    current.record("scatter", content, ids)
    return _one_or_all(_images(name, ids, shape), is_one)


def iterate(name: str, count: Operandish, step: Callable[..., Any], *images: Image) -> Any:
    """Time steps: `step` makes of the images of one step those of the next, `count` times."""
    current = recorder()
    states = [current.number() for _ in images]
    made = [Image(id, image.name, image._extents, image._axes) for id, image in zip(states, images, strict=True)]
    following, body = current.body(lambda: step(*made))
    following = following if isinstance(following, (tuple, list)) else (following,)
    for image in (*images, *following):
        if not isinstance(image, Image):
            raise TraceError(f'iterate "{name}" has {image!r} as a state, expected an image')
    ids = [current.number() for _ in images]
    content = {
        "name": name,
        "count": operand(count),
        "init": [image.id for image in images],
        "states": states,
        "body": body,
        "next": [image.id for image in following],
    }
    current.record("iterate", content, ids)
    results = [Image(id, name, image._extents, image._axes) for id, image in zip(ids, images, strict=True)]
    return _one_or_all(results, len(results) == 1)


def table(values: Any, type: Type | None = None, name: str = "table") -> Image:
    """An image of constants, of an array or of nested lists: `weft.table([1, 4, 6, 4, 1], weft.f32)`. It is read, and no result."""
    array = np.asarray(values)
    if not 1 <= array.ndim <= 4 or array.size == 0 or array.dtype.kind not in "iuf":
        raise TraceError(f'table "{name}" of shape {array.shape} and {array.dtype}, expected 1 to 4 dimensions of numbers')
    if type is None:
        by_numpy = {"float64": "f32", "int64": "i32"} if not isinstance(values, np.ndarray) else {}
        called = by_numpy.get(str(array.dtype))
    else:
        called = type.name
    if called is None:
        kind = {"f": "f", "i": "i", "u": "u"}[array.dtype.kind]
        called = f"{kind}{array.dtype.itemsize * 8}"
    current = recorder()
    id = current.number()
    content = {
        "name": name,
        "type": called,
        "extents": list(array.shape),
        "values": [operand(one) for one in array.ravel().tolist()],
    }
    current.record("table", content, [id])
    return Image(id, name, list(array.shape))


# ---- Values of a window ----------------------------------------------------------------------------------------------


def _window(over: Sequence[Axis]) -> list[list[int]]:
    for one in over:
        if not isinstance(one, Axis) or one.range is None:
            raise TraceError(f"a sum or reduction over {one!r}, expected windows: weft.window(-1, 2)")
    return [[one.id, *one.range] for one in over if one.range is not None]


def _fold(combine: str, value: Value, over: tuple[Axis, ...]) -> Value:
    content = {"combine": combine, "window": _window(over), "value": operand(value)}
    return _given("fold", content, axes_of(value) - frozenset(over))


def sum(value: Value, *over: Axis) -> Value:
    """The sum of a value over windows, in the order of loops over them, the last one innermost.

    `weft.sum(weights[k + 2] * img.clamp[y, x + k], k)`
    """
    return _fold("sum", value, over)


def reduce(step: Callable[..., Any], initial: Any, *over: Axis) -> Any:
    """A loop over windows: what there is so far begins as `initial`, and becomes at each point what `step` makes of it.

    Of a tuple of initial values `step` is given as many, and gives a tuple.
    """
    is_one = not isinstance(initial, (tuple, list))
    begin = [initial] if is_one else list(initial)
    current = recorder()
    so_far = [current.number() for _ in begin]
    following, body = current.body(lambda: step(*(Value(id) for id in so_far)))
    following = [following] if not isinstance(following, (tuple, list)) else list(following)
    ids = [current.number() for _ in begin]
    content = {
        "window": _window(over),
        "init": [operand(one) for one in begin],
        "so_far": so_far,
        "body": body,
        "next": [operand(one) for one in following],
    }
    current.record("reduce", content, ids)
    axes = axes_of(*begin, *following) - frozenset(over)
    values = [Value(id, axes) for id in ids]
    return values[0] if is_one else tuple(values)


# ---- Functions of values ---------------------------------------------------------------------------------------------


def where(condition: Value, yes: Operandish, no: Operandish) -> Value:
    """`yes` in points where the condition holds, `no` in the others."""
    return op("select", condition, yes, no)


def _chain(name: str, values: tuple[Operandish, ...]) -> Value:
    if len(values) < 2:
        raise TraceError(f"weft.{name} of {len(values)} values, expected at least 2")
    first = values[0]
    for other in values[1:]:
        first = op(name, first, other)
    return first  # type: ignore[return-value]


def min(*values: Operandish) -> Value:
    """The smallest of some values; NaN if one is. Over windows: `weft.min_over`."""
    return _chain("min", values)


def max(*values: Operandish) -> Value:
    """The largest of some values; NaN if one is. Over windows: `weft.max_over`."""
    return _chain("max", values)


def min_over(value: Value, *over: Axis) -> Value:
    """The smallest value over windows."""
    return _fold("min", value, over)


def max_over(value: Value, *over: Axis) -> Value:
    """The largest value over windows."""
    return _fold("max", value, over)


def clip(value: Value, low: Operandish, high: Operandish) -> Value:
    """The nearest value that is neither below `low` nor above `high`."""
    return op("min", op("max", value, low), high)


def constant(value: Number, type: Type) -> Value:
    """A literal of this type."""
    return _given("constant", {"type": type.name, "value": operand(value)}, frozenset())


def _function(name: str, text: str) -> Callable[[Operandish], Value]:
    def function(value: Operandish) -> Value:
        return op(name, value)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


exp = _function("exp", "e to this power.")
exp2 = _function("exp2", "2 to this power.")
log = _function("log", "The natural logarithm.")
log2 = _function("log2", "The logarithm to base 2.")
sqrt = _function("sqrt", "The square root.")
rsqrt = _function("rsqrt", "One over the square root.")
sin = _function("sin", "The sine of an angle in radians.")
cos = _function("cos", "The cosine of an angle in radians.")
tanh = _function("tanh", "The hyperbolic tangent.")
atan = _function("atan", "The arc tangent, in radians.")
floor = _function("floor", "The largest whole number that is not above, of a float.")
ceil = _function("ceil", "The smallest whole number that is not below, of a float.")
round = _function("round", "The nearest whole number, halves to the even one, of a float.")


def atan2(y: Operandish, x: Operandish) -> Value:
    """The angle of the point (x, y), in radians."""
    return op("atan2", y, x)


def pow(base: Operandish, exponent: Operandish) -> Value:
    """To this power, of floats."""
    return op("pow", base, exponent)


def hypot(a: Operandish, b: Operandish) -> Value:
    """The square root of the sum of two squares."""
    return sqrt(op("add", op("mul", a, a), op("mul", b, b)))
