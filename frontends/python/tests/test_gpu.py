"""Arrays on a GPU, without one: on a driver of paper, which writes down what it is asked for and has kernels executed by ptx-run.

The driver is test/Target/CUDA/Inputs/object-driver.c, in the folder that WEFT_PAPER_DRIVER names and where libcuda.so.1 is looked for.
"""

import contextlib
import ctypes
import os
import re
import sys
import threading
import types

import numpy as np
import pytest
import weft
from weft import _gpu, _gpus

FOLDER = os.environ.get("WEFT_PAPER_DRIVER")
pytestmark = pytest.mark.skipif(FOLDER is None, reason="no driver of paper")
RANDOM = np.random.default_rng(5)
CALLERS = 0x5712
OWN = ctypes.c_void_p(2)


class Paper(ctypes.Structure):
    """struct paper of object-driver.h."""

    _fields_ = [
        ("fail_at", ctypes.c_int),
        ("steps", ctypes.c_int),
        ("failed", ctypes.c_char_p),
        *[(name, ctypes.c_int) for name in ("inits", "contexts", "modules", "launches", "blocks", "has_no_pools", "has_parts")],
        ("own", ctypes.c_void_p),
        ("second", ctypes.c_void_p),
        ("other_gpu", ctypes.c_void_p),
        ("writes", ctypes.c_int),
        ("used", ctypes.c_size_t),
        ("log", ctypes.c_char * (1 << 16)),
    ]


if FOLDER is not None:
    cuda = ctypes.CDLL(os.path.join(FOLDER, "libcuda.so.1"))
    paper = Paper.in_dll(cuda, "paper")
    cuda.cuInit(0)


@contextlib.contextmanager
def context():
    """The GPU's own context, as libraries have it while they allocate and copy."""
    cuda.cuCtxPushCurrent_v2(ctypes.c_void_p(paper.own))
    yield
    cuda.cuCtxPopCurrent_v2(ctypes.byref(ctypes.c_void_p()))


class Array:
    """An array on the GPU, as CuPy and Numba have them."""

    def __init__(self, shape, dtype, stream=CALLERS):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.bytes = int(np.prod(self.shape)) * self.dtype.itemsize
        address = ctypes.c_uint64()
        writes, paper.writes = paper.writes, 0
        with context():
            assert cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(max(1, self.bytes))) == 0
        paper.writes = writes
        self.address = address.value
        self.says = {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address if self.bytes else 0, False),
            "version": 3,
            "strides": None,
            "stream": stream,
        }

    @property
    def __cuda_array_interface__(self):
        return self.says

    def get(self):
        found = np.empty(self.shape, self.dtype)
        with context():
            data = found.ctypes.data_as(ctypes.c_void_p)
            assert cuda.cuMemcpyDtoHAsync_v2(data, ctypes.c_uint64(self.address), ctypes.c_size_t(self.bytes), OWN) == 0
        return found

    def __del__(self):
        with context():
            cuda.cuMemFree_v2(ctypes.c_uint64(self.address))


def on_gpu(array, kind=Array, **keywords):
    made = kind(array.shape, array.dtype, **keywords)
    with context():
        data = np.ascontiguousarray(array).ctypes.data_as(ctypes.c_void_p)
        assert not made.bytes or cuda.cuMemcpyHtoDAsync_v2(ctypes.c_uint64(made.address), data, ctypes.c_size_t(made.bytes), OWN) == 0
    return made


@contextlib.contextmanager
def written():
    """What the driver is asked for meanwhile."""
    lines = []
    paper.used, paper.writes = 0, 1
    yield lines
    paper.writes = 0
    lines += paper.log.decode().splitlines() if paper.used else []


def check_log(lines):
    """Nothing is copied or waited for, and all work is on the caller's stream."""
    assert not [line for line in lines if re.match("cuMemcpy(HtoD|DtoH|2D)|cuStreamSynchronize|cuMemAlloc |cuMemFree ", line)], lines
    work = [line for line in lines if re.match("cuLaunchKernel|cuMemcpy|cuMem(Alloc|Free)Async", line)]
    assert work and all(line.endswith("on the caller's stream") for line in work), lines


@pytest.fixture
def cupy(monkeypatch):
    """CuPy, as far as results are made with it."""
    module = types.ModuleType("cupy")
    made = []

    def empty(shape, dtype):
        made.append(Array(shape, dtype))
        return made[-1]

    module.empty = empty
    on = lambda stream: contextlib.nullcontext(made.append(stream))  # noqa: E731
    module.cuda = types.SimpleNamespace(Device=contextlib.nullcontext, ExternalStream=on)
    monkeypatch.setitem(sys.modules, "cupy", module)
    return made


@weft.program
def smooth(img: weft.f32["h", "w"], gain: weft.f32):
    y, x = img.axes
    wide = weft.stage("wide", img.clamp[y, x - 1] + gain * img[y, x] + img.clamp[y, x + 1])
    return weft.stage("smooth", wide.clamp[y - 1, x] + wide[y, x] + wide.clamp[y + 1, x])


@weft.program
def heat(img: weft.f32["h", "w"], steps: weft.index):
    y, x = img.axes
    return weft.iterate("heat", steps, lambda u: weft.stage("next", (u.clamp[y - 1, x] + u.clamp[y, x + 1]) * 0.5), img)


@pytest.mark.parametrize("program, number", [(smooth, 2.5), (heat, 4)])
def test_results_are_the_hosts(program, number, cupy):
    image = RANDOM.normal(size=(37, 53)).astype(np.float32)
    expected = program(image, number)
    given = on_gpu(image)
    with written() as lines:
        found = program(given, number)
    assert cupy == [CALLERS, found]
    check_log(lines)
    assert np.array_equal(found.get(), expected)
    assert np.array_equal(program(image, number), expected)


def test_out_and_keywords():
    image = RANDOM.normal(size=(20, 40)).astype(np.float32)
    given, out = on_gpu(image), Array((20, 40), np.float32)
    with written() as lines:
        assert smooth(img=given, gain=3, out=out) is out
    check_log(lines)
    assert np.array_equal(out.get(), smooth(image, 3))
    with pytest.raises(TypeError, match="smooth: nothing to make results with, expected CuPy, or out= with arrays"):
        smooth(given, 3)


def test_any_thread():
    image = RANDOM.normal(size=(8, 40)).astype(np.float32)
    given, out = on_gpu(image), Array((8, 40), np.float32)
    thread = threading.Thread(target=lambda: smooth(given, 3, out=out))
    thread.start()
    thread.join()
    assert np.array_equal(out.get(), smooth(image, 3))


def test_torch(monkeypatch):
    """A tensor has no stream: torch says which, and makes the result. Of a tensor that a gradient is wanted of the interface is refused."""
    torch = types.ModuleType("torch")

    class Tensor(Array):
        device = "cuda:0"
        requires_grad = False

        def __init__(self, shape, dtype):
            super().__init__(shape, dtype)
            self.says = {**self.says, "version": 2}
            del self.says["stream"]

        @property
        def __cuda_array_interface__(self):
            if self.requires_grad:
                raise RuntimeError("a gradient is wanted")
            return self.says

        def detach(self):
            return types.SimpleNamespace(__cuda_array_interface__=self.says)

    torch.Tensor, torch.float32 = Tensor, np.float32
    torch.empty = lambda shape, dtype, device: Tensor(shape, dtype) if device == "cuda:0" else None
    torch.cuda = types.SimpleNamespace(current_stream=lambda device: types.SimpleNamespace(cuda_stream=CALLERS))
    monkeypatch.setitem(sys.modules, "torch", torch)
    image = RANDOM.normal(size=(12, 34)).astype(np.float32)
    given = on_gpu(image, Tensor)
    given.requires_grad = True
    with written() as lines:
        found = smooth(given, 1)
    check_log(lines)
    assert isinstance(found, Tensor)
    assert np.array_equal(found.get(), smooth(image, 1))


def test_each_array_is_asked_once():
    """torch takes microseconds to say what its memory is."""

    class Counting(Array):
        asked = 0

        @property
        def __cuda_array_interface__(self):
            self.asked += 1
            return self.says

    image = RANDOM.normal(size=(6, 7)).astype(np.float32)
    given, out = on_gpu(image, Counting), Counting((6, 7), np.float32)
    smooth(given, 1, out=out)
    given.asked = out.asked = 0
    smooth(given, 1, out=out)
    assert (given.asked, out.asked) == (1, 1)


def test_saved_for_a_gpu(tmp_path):
    image = RANDOM.normal(size=(9, 21)).astype(np.float32)
    smooth.save(tmp_path / "smooth.so", chip="sm_75")
    given, out = on_gpu(image), Array((9, 21), np.float32)
    assert weft.load(tmp_path / "smooth.so")(given, 2, out=out) is out
    assert np.array_equal(out.get(), smooth(image, 2))
    smooth.save(tmp_path / "host.so")
    with pytest.raises(TypeError, match=r"argument 'img' is a Array, .*lies in the memory of a GPU"):
        weft.load(tmp_path / "host.so")(given, 2)


def test_no_points():
    out = Array((0, 5), np.float32)
    assert smooth(on_gpu(np.empty((0, 5), np.float32)), 1, out=out) is out


def changed(array, **says):
    made = types.SimpleNamespace(__cuda_array_interface__={**array.says, **says})
    made.kept = array
    return made


def test_what_is_refused():
    image = np.zeros((8, 16), np.float32)
    given, out = on_gpu(image), Array((8, 16), np.float32)
    address = given.address

    @weft.program
    def both(a: weft.f32["h", "w"], b: weft.f32["h", "w"]):
        y, x = a.axes
        return weft.stage("sum", a[y, x] + b[y, x])

    with pytest.raises(TypeError, match="both: argument 'b' is a ndarray in the host's memory, expected all images on the GPU"):
        both(given, image, out=out)
    with pytest.raises(TypeError, match="smooth: result 'smooth' is a ndarray in the host's memory"):
        smooth(given, 1, out=image)
    with pytest.raises(TypeError, match="smooth: argument 'img' is a ndarray in the host's memory"):
        smooth(image, 1, out=out)
    with pytest.raises(ValueError, match=r"both: images on the streams 0x5712 .* and 0x7 .*, expected one stream"):
        both(given, on_gpu(image, stream=7), out=out)
    with pytest.raises(TypeError, match="argument 'img' has elements of float64, expected float32"):
        smooth(on_gpu(image.astype(np.float64)), 1, out=out)
    with pytest.raises(ValueError, match=r"argument 'img' has shape \(16,\), expected 2 dimensions: \(h, w\)"):
        smooth(on_gpu(image[0]), 1, out=out)
    with pytest.raises(ValueError, match=r"argument 'img' has strides \(64, 8\), expected \(32, 4\): images on the GPU have no gaps"):
        smooth(changed(given, shape=(8, 8), strides=(64, 8)), 1, out=out)
    with pytest.raises(ValueError, match="result 'smooth' is read-only"):
        smooth(given, 1, out=changed(out, data=(out.address, True)))
    with pytest.raises(ValueError, match=r"argument 'img' has data at 0x.*, expected a multiple of 16 on the GPU"):
        smooth(changed(given, shape=(7, 16), data=(address + 4, False)), 1, out=Array((7, 16), np.float32))
    with pytest.raises(ValueError, match="result 'smooth' overlaps argument 'img'"):
        smooth(given, 1, out=given)
    with pytest.raises(ValueError, match="result 'smooth' has extent 16 in dimension 1, expected 15"):
        smooth(changed(given, shape=(8, 15)), 1, out=out)
    with pytest.raises(weft.GpuError, match="CUDA: 0x1000 is in no GPU's memory"):
        smooth(changed(given, data=(4096, False)), 1, out=out)
    with pytest.raises(weft.GpuError, match=r"kernel smooth_.*g0 cannot be launched"):
        smooth(changed(given, stream=9), 1, out=changed(out, stream=9))
    with pytest.raises(ValueError, match="smooth: out has 2 arrays, expected 1"):
        smooth(given, 1, out=(out, out))


def test_chip():
    @weft.program(chip="sm_90")
    def next(a: weft.f32["n"]):
        return weft.stage("b", a[a.axes] + 1)

    given = on_gpu(np.zeros(5, np.float32))
    with pytest.raises(weft.GpuError, match="kernels cannot be loaded"):  # the driver of paper takes sm_75
        next(given, out=Array((5,), np.float32))


def test_chips_are_the_compilers(tmp_path):
    with pytest.raises(weft.CompileError, match="unknown chip 'sm_1', expected one of") as caught:
        smooth.save(tmp_path / "smooth.so", chip="sm_1")
    known = re.findall(r"sm_(\d+)\b", str(caught.value).split("expected")[1])
    assert [int(chip) for chip in known] == list(_gpu.CHIPS)


@pytest.fixture
def parts():
    """Images that are parts of the memory that lanes have for them."""
    paper.has_parts = 1
    yield
    paper.has_parts = 0


@pytest.mark.usefixtures("parts")
@pytest.mark.parametrize("gpus", ["all", [1]])
def test_windows_go_through_lanes(gpus, tmp_path):
    image = RANDOM.normal(size=(97, 61)).astype(np.float32)
    whole = smooth(image, 2.5)
    made = np.empty_like(whole)
    with written() as lines:
        report = weft.stream(smooth, {"img": image, "gain": 2.5}, made, window=(24, 61), gpus=gpus)
    assert report.windows == {"smooth": (24, 61)} and report.count == 5
    assert made.tobytes() == whole.tobytes()
    work = [line for line in lines if re.match("cuMemcpy|cuLaunchKernel|cuStreamSynchronize", line)]
    assert all(re.search(r"on lane \d+$", line) for line in work), work
    used = {line.rsplit(" ", 1)[1] for line in work}
    assert len(used) <= (4 if gpus == "all" else 2)
    for lane in used:
        # A lane's work is in order: a window is copied there, computed, copied back, and waited for.
        kinds = "".join(
            {"cuMemcpyHtoD": "u", "cuLaunchKernel": "k", "cuMemcpyDtoH": "d", "cuStreamSynchronize": "w"}[line.split()[0]]
            for line in work
            if line.endswith(f" {lane}")
        )
        assert re.fullmatch("(uk+dw)+", kinds), kinds


@pytest.mark.usefixtures("parts")
def test_lanes_overlap():
    """Before the first window is back on the host the next is on its way: no lane waits for another."""
    image = RANDOM.normal(size=(64, 512)).astype(np.float32)
    made = np.empty_like(image)
    for _ in range(20):
        with written() as lines:
            weft.stream(smooth, {"img": image, "gain": 2.5}, made, window=(8, 512), gpus=[0])
        work = [line for line in lines if re.match("cuMemcpy|cuStreamSynchronize", line)]
        lanes = [line.rsplit(" ", 1)[1] for line in work]
        first = lanes[0]
        ends = next(number for number, line in enumerate(work) if line.startswith("cuMemcpyDtoH") and lanes[number] == first)
        if any(line.startswith("cuMemcpyHtoD") and lanes[number] != first for number, line in enumerate(work[:ends])):
            return
    pytest.fail(f"no window was copied while another was computed: {work}")


@pytest.mark.usefixtures("parts")
def test_windows_of_more_points_than_kernels_index():
    windows = smooth.windows()
    piece = windows.pieces[-1]
    numbers = windows.numbers({"img": (100_000, 100_000)}, {"gain": 2.5})
    window = ((99_990, 100_000), (98_000, 98_050))
    needs = piece.needs(numbers, window)
    assert needs.reads["img"].box == ((99_989, 11), (97_999, 52))
    lane = _gpus.Lane(0, smooth.windows(chip="sm_75"))
    part = lane.array("img", (11, 52), np.dtype(np.float32))
    part[...] = RANDOM.normal(size=part.shape)
    (made,) = lane.call(piece, numbers, window, needs)
    (expected,) = piece.call(numbers, window, {"img": part})
    assert made[needs.results[0].inside[0][0] :].tobytes() == expected[needs.results[0].inside[0][0] :].tobytes()


def test_a_gpu_that_is_not_there():
    with pytest.raises(weft.GpuError, match="GPU 2, expected some of the 2 that are here"):
        weft.stream(smooth, {"img": np.zeros((9, 9), np.float32), "gain": 1.0}, np.empty((9, 9), np.float32), gpus=[2])
