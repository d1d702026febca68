"""Misuse: an exception that says what was found, what is expected, and where in Python."""

import numpy as np
import pytest
import weft


def mistakes(function):
    with pytest.raises(weft.CompileError) as caught:
        weft.program(function).compiled()
    return str(caught.value)


def test_types_that_differ():
    def wrong(img: weft.u8["h", "w"]):
        y, x = img.axes
        return weft.stage("f", img[y, x] + img[y, x].to(weft.f32))

    said = mistakes(wrong)
    assert "+ of u8 and f32, expected equal types: cast one" in said
    line = wrong.__code__.co_firstlineno + 2
    assert f"test_errors.py:{line}:" in said
    assert 'return weft.stage("f", img[y, x] + img[y, x].to(weft.f32))' in said and "^" in said


def test_several_mistakes_at_once():
    def wrong(img: weft.u8["h", "w"]):
        y, x = img.axes
        a = weft.stage("a", img[y] + 1)
        b = weft.stage("b", img[y, x] / 2)
        return a, b

    said = mistakes(wrong)
    assert '1 indices of "img", expected 2' in said
    assert "/ of u8, expected floats: .to(weft.f32), or // which rounds down" in said


def test_a_read_that_is_not_affine():
    def wrong(img: weft.f32["h", "w"]):
        y, x = img.axes
        return weft.stage("f", img[y, x * x])

    assert "expected an affine function of coordinates, or a boundary mode" in mistakes(wrong)


def test_reads_outside():
    @weft.program
    def outside(img: weft.f32["n"]):
        (x,) = weft.axes(img.extents[0])
        return weft.stage("f", img[x + 1])

    with pytest.raises((weft.CompileError, weft.CheckError)) as caught:
        outside(np.zeros(4, np.float32))
    assert "test_errors.py" in str(caught.value)


@pytest.mark.parametrize(
    "function, text",
    [
        (lambda img: weft.stage("f", 1 if img[0] > 0 else 2), "weft.where"),
        (lambda img: weft.stage("f", [v for v in img]), "not iterable"),
        (lambda img: weft.stage("f", img + 1), None),
        (lambda img: weft.stage("f", img.axes[0] + np.zeros(3)), "an array among the values of points"),
        (lambda img: weft.stage("f", img[1:2]), "a point is one of each dimension"),
        (lambda img: weft.stage("f", 1.0), "uses no coordinate"),
        (lambda img: weft.stage("f", img[img.axes[0]] + "1"), "among the values of points"),
        (lambda img: weft.stage("f", img[weft.window(0, 3)]), "outside of weft.sum"),
        (lambda img: 5, "expected an image"),
        (lambda img: weft.stage("f", range(3)[img.axes[0]]), "is not known while a program is recorded"),
        (lambda img: weft.stage("f", img.axes[0] + True), "expected a number, or a comparison"),
        (lambda img: weft.stage("f", img.clamp), "among the values of points"),
    ],
)
def test_what_python_would_take_another_way(function, text):
    def wrong(img: weft.f32["n"]):
        return function(img)

    with pytest.raises(TypeError) as caught:
        weft.program(wrong).text()
    assert text is None or text in str(caught.value)


def test_annotations():
    with pytest.raises(weft.TraceError, match="argument 'img' is annotated by None, expected a type of Weft"):
        weft.program(lambda img: img)
    with pytest.raises(TypeError, match=r"extent 0 of weft\.u8"):
        weft.u8["h", 0]
    with pytest.raises(TypeError, match=r"5 extents of weft\.u8, expected 1 to 4"):
        weft.u8["a", "b", "c", "d", "e"]


def test_values_of_another_program():
    kept = []

    def first(img: weft.f32["n"]):
        kept.append(img)
        return weft.stage("f", img[img.axes[0]])

    def second(img: weft.f32["n"]):
        return weft.stage("g", kept[0][img.axes[0]])

    weft.program(first).text()
    with pytest.raises(weft.TraceError, match="of another program, expected one of this"):
        weft.program(second).text()
    with pytest.raises(weft.TraceError, match="no program is being recorded"):
        weft.axes(3)


@weft.program
def twice(a: weft.f32["h", "w"], by: weft.f32 = 2.0):
    """Twice an image."""
    y, x = a.axes
    return weft.stage("b", a[y, x] * by)


def test_arguments():
    a = np.ones((3, 4), np.float32)
    assert twice(a).tolist() == (a * 2).tolist()
    assert twice(a, by=3).tolist() == (a * 3).tolist()
    with pytest.raises(TypeError, match="no value for a"):
        twice()
    with pytest.raises(TypeError, match="3 arguments, expected 2: a, by"):
        twice(a, 1, 2)
    with pytest.raises(TypeError, match="no argument 'c', expected one of a, by, or out"):
        twice(a, c=1)
    with pytest.raises(TypeError, match="argument 'a' is given twice"):
        twice(a, a=a)
    with pytest.raises(TypeError, match=r"'by' is 'x' \(str\), expected a number of f32"):
        twice(a, "x")
    with pytest.raises(TypeError, match=r"has elements of float64, expected float32: .astype\(np.float32\)"):
        twice(a.astype(np.float64))
    with pytest.raises(ValueError, match=r"has shape \(12,\), expected 2 dimensions: \(h, w\)"):
        twice(a.ravel())
    with pytest.raises(ValueError, match="has extent 5 in dimension 1, expected 4"):
        twice(a, out=np.empty((3, 5), np.float32))
    assert twice.__doc__ == "Twice an image."


def test_extents_of_one_name_are_equal():
    @weft.program
    def add(a: weft.f32["n"], b: weft.f32["n"]):
        (x,) = a.axes
        return weft.stage("c", a[x] + b[x])

    with pytest.raises(weft.CheckError, match='"b" has another extent n than "a"'):
        add(np.zeros(4, np.float32), np.zeros(5, np.float32))


def test_numbers_in_range():
    @weft.program
    def shifted(a: weft.u8["n"], by: weft.u8):
        (x,) = a.axes
        return weft.stage("b", a[x] + by)

    a = np.zeros(4, np.uint8)
    assert shifted(a, 200).tolist() == [200] * 4
    assert shifted(a, np.uint8(200)).tolist() == [200] * 4
    with pytest.raises(TypeError, match="expected an integer from -128 to 255"):
        shifted(a, 256)
    with pytest.raises(TypeError, match="expected an integer"):
        shifted(a, 1.5)
