"""Arrays as people have them: types, strides, empty, read-only, overlapping."""

import itertools
import warnings
from typing import ClassVar

import numpy as np
import pytest
import weft

RANDOM = np.random.default_rng(2)
TYPES = {name: getattr(weft, name) for name in ("u8", "u16", "i32", "f32", "f64")}


def program(name):
    type = TYPES[name]

    @weft.program(name=f"next_{name}")
    def following(a: type["h", "w"]):
        y, x = a.axes
        return weft.stage("b", a.clamp[y + 1, x] + a[y, x])

    return following


PROGRAMS = {name: program(name) for name in TYPES}


def expected(a):
    return np.concatenate([a[1:], a[-1:]]) + a if len(a) else a


def views(base):
    """Ways in which an image may lie in memory, and whether it is read there."""
    h, w = base.shape
    large = np.zeros((2 * h + 3, w + 7), base.dtype)
    large[1 : 1 + 2 * h : 2, 3 : 3 + w] = base
    yield "whole", base, True
    yield "part", large[1 : 1 + 2 * h : 2, 3 : 3 + w], True
    yield "rows backwards", np.ascontiguousarray(base[::-1])[::-1], True
    yield "columns backwards", np.ascontiguousarray(base[:, ::-1])[:, ::-1], w <= 1 or h == 0
    yield "transposed", np.ascontiguousarray(base.T).T, w <= 1 or (h <= 1 and w <= 1) or base.size == 0
    wide = np.zeros((h, 2 * w), base.dtype)
    wide[:, ::2] = base
    yield "every other column", wide[:, ::2], w <= 1 or base.size == 0
    read_only = base.copy()
    read_only.flags.writeable = False
    yield "read-only", read_only, True
    yield "other byte order", base.astype(base.dtype.newbyteorder()), base.itemsize == 1
    bytes = np.zeros(base.nbytes + 1, np.uint8)
    unaligned = bytes[1:].view(base.dtype).reshape(base.shape) if base.size else base
    unaligned[...] = base
    yield "unaligned", unaligned, base.itemsize == 1 or base.size == 0
    yield "same row again", np.broadcast_to(base[:1], base.shape), True


@pytest.mark.parametrize("name, shape", list(itertools.product(TYPES, [(7, 9), (1, 1), (1, 33), (33, 1), (64, 100), (0, 5), (5, 0)])))
def test_views(name, shape):
    base = RANDOM.integers(0, 100, shape).astype(TYPES[name].numpy)
    for what, view, is_read_there in views(base):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = PROGRAMS[name](view)
        assert np.array_equal(found, expected(view.astype(base.dtype))), what
        if is_read_there:
            assert not caught, what
        for one in caught:
            assert issubclass(one.category, weft.CopyWarning) and "was copied: strides" in str(one.message)


def test_out_is_a_part_of_an_image():
    a = RANDOM.normal(size=(5, 6)).astype(np.float32)
    canvas = np.full((20, 30), 7, np.float32)
    given = canvas[3:8, 10:16]
    assert PROGRAMS["f32"](a, out=given) is given
    assert np.array_equal(given, expected(a))
    canvas[3:8, 10:16] = 7
    assert (canvas == 7).all()
    backwards = np.zeros((5, 6), np.float32)[::-1]
    PROGRAMS["f32"](a, out=backwards)
    assert np.array_equal(backwards, expected(a))


def test_out_that_cannot_be_written():
    a = np.zeros((5, 6), np.float32)
    read_only = np.zeros((5, 6), np.float32)
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="result 'b' is read-only"):
        PROGRAMS["f32"](a, out=read_only)
    with pytest.raises(ValueError, match="result 'b' has strides"):
        PROGRAMS["f32"](a, out=np.zeros((6, 5), np.float32).T)
    with pytest.raises(TypeError, match="result 'b' has elements of float64, expected float32"):
        PROGRAMS["f32"](a, out=np.zeros((5, 6)))
    with pytest.raises(ValueError, match="so that no point is two"):
        PROGRAMS["f32"](a, out=np.lib.stride_tricks.as_strided(np.zeros(40, np.float32), (5, 6), (8, 4)))


def test_overlap_is_found():
    a = np.zeros((10, 6), np.float32)
    with pytest.raises(ValueError, match="result 'b' overlaps argument 'a'"):
        PROGRAMS["f32"](a, out=a)
    with pytest.raises(ValueError, match="result 'b' overlaps argument 'a'"):
        PROGRAMS["f32"](a[:5], out=a[4:9])
    PROGRAMS["f32"](a[:5], out=a[5:])
    PROGRAMS["f32"](a[::2], out=a[1::2])


def test_what_is_no_array():
    assert PROGRAMS["f64"]([[1.0, 2.0], [3.0, 4.0]]).tolist() == [[4, 6], [6, 8]]
    assert PROGRAMS["u8"](memoryview(bytes(6)).cast("B", (2, 3))).shape == (2, 3)
    with pytest.raises(TypeError, match="argument 'a' has elements of"):
        PROGRAMS["f32"]("a picture")
    with pytest.raises((TypeError, ValueError), match="argument 'a'"):
        PROGRAMS["f32"](None)


class OnlyInterface:
    """What PIL's images are: no buffer, but the interface of arrays."""

    def __init__(self, array):
        self.__array_interface__ = array.__array_interface__
        self.kept = array


class OnlyDlpack:
    """What torch's tensors are."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnGpu:
    __cuda_array_interface__: ClassVar = {"shape": (2, 2), "typestr": "<f4", "data": (0, False), "version": 3}


def test_protocols():
    a = RANDOM.normal(size=(5, 6)).astype(np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in (OnlyInterface, OnlyDlpack):
            assert np.array_equal(PROGRAMS["f32"](kind(a)), expected(a))
        out = np.zeros_like(a)
        PROGRAMS["f32"](OnlyDlpack(a), out=OnlyDlpack(out))
        assert np.array_equal(out, expected(a))
    with pytest.raises(TypeError, match="it lies in the memory of a GPU"):
        PROGRAMS["f32"].compiled()(OnGpu())
