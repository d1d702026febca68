"""Types of points and numbers, and of the images in a program's arguments.

    weft.f32                    a number, or the type of a value
    weft.u8["h", "w", 3]        an image of three dimensions, outermost first: two that are known when it runs, and one that is 3
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ImageType:
    """An image that a program is given: the type of its points and its extents, outermost first."""

    type: Type
    extents: tuple[int | str, ...]

    def __repr__(self) -> str:
        return f"weft.{self.type.name}[{', '.join(map(repr, self.extents))}]"


@dataclass(frozen=True)
class Type:
    """The type of a point or a number.

    As an annotation `weft.f32` is a number and `weft.f32["h", "w"]` an image. An extent is a number, or a name: extents of one name
    are equal, in whichever argument.
    """

    name: str
    numpy: str | None

    def __getitem__(self, extents: int | str | tuple[int | str, ...]) -> ImageType:
        extents = extents if isinstance(extents, tuple) else (extents,)
        for extent in extents:
            is_known = isinstance(extent, int) and not isinstance(extent, bool) and extent > 0
            if not is_known and not (isinstance(extent, str) and extent.isidentifier()):
                raise TypeError(f"extent {extent!r} of weft.{self.name}, expected a number above 0, or a name such as 'h'")
        if not 0 < len(extents) <= 4:
            raise TypeError(f"{len(extents)} extents of weft.{self.name}, expected 1 to 4")
        if self.numpy is None or self.name == "bool":
            raise TypeError(f"an image of {self.name}, expected floats or integers of 8 to 64 bits")
        return ImageType(self, extents)

    def __repr__(self) -> str:
        return f"weft.{self.name}"


f16 = Type("f16", "float16")
f32 = Type("f32", "float32")
f64 = Type("f64", "float64")
i8 = Type("i8", "int8")
i16 = Type("i16", "int16")
i32 = Type("i32", "int32")
i64 = Type("i64", "int64")
u8 = Type("u8", "uint8")
u16 = Type("u16", "uint16")
u32 = Type("u32", "uint32")
u64 = Type("u64", "uint64")
index = Type("index", "int64")

TYPES = {type.name: type for type in (f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, index)}
