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


class Type(type):
    """The type of a point or a number.

    As an annotation `weft.f32` is a number and `weft.f32["h", "w"]` an image. An extent is a number, or a name: extents of one name
    are equal, in whichever argument.
    """

    numpy: str

    @property
    def name(cls) -> str:
        """What the compiler calls it."""
        return cls.__name__

    def __getitem__(cls, extents: int | str | tuple[int | str, ...]) -> ImageType:
        extents = extents if isinstance(extents, tuple) else (extents,)
        for extent in extents:
            is_known = isinstance(extent, int) and not isinstance(extent, bool) and extent > 0
            if not is_known and not (isinstance(extent, str) and extent.isidentifier()):
                raise TypeError(f"extent {extent!r} of weft.{cls.name}, expected a number above 0, or a name such as 'h'")
        if not 0 < len(extents) <= 4:
            raise TypeError(f"{len(extents)} extents of weft.{cls.name}, expected 1 to 4")
        if cls.name == "index":
            raise TypeError("an image of index, expected floats or integers of 8 to 64 bits")
        return ImageType(cls, extents)

    def __repr__(cls) -> str:
        return f"weft.{cls.name}"


class f16(metaclass=Type):
    """Floats of 16 bits."""

    numpy = "float16"


class f32(metaclass=Type):
    """Floats of 32 bits."""

    numpy = "float32"


class f64(metaclass=Type):
    """Floats of 64 bits."""

    numpy = "float64"


class i8(metaclass=Type):
    """Integers of 8 bits with a sign."""

    numpy = "int8"


class i16(metaclass=Type):
    """Integers of 16 bits with a sign."""

    numpy = "int16"


class i32(metaclass=Type):
    """Integers of 32 bits with a sign."""

    numpy = "int32"


class i64(metaclass=Type):
    """Integers of 64 bits with a sign."""

    numpy = "int64"


class u8(metaclass=Type):
    """Integers of 8 bits without a sign."""

    numpy = "uint8"


class u16(metaclass=Type):
    """Integers of 16 bits without a sign."""

    numpy = "uint16"


class u32(metaclass=Type):
    """Integers of 32 bits without a sign."""

    numpy = "uint32"


class u64(metaclass=Type):
    """Integers of 64 bits without a sign."""

    numpy = "uint64"


class index(metaclass=Type):
    """Coordinates, extents and places: 64 bits with a sign."""

    numpy = "int64"


TYPES = {type.name: type for type in (f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, index)}
