"""Window by window: the bits of the whole image, from and to every kind of file, within the memory, after kills, and what is refused."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import weft
from test_examples import EXAMPLES, arguments

RANDOM = np.random.default_rng(7)
SIDES = {"nl_means": 36, "bilateral_grid": 90, "interpolate": 80, "pyramid_blend": 90, "iir_blur": 70, "camera_pipe": 80}


@weft.program
def unsharp(img: weft.u8["h", "w", 3], amount: weft.f32):
    y, x, c = img.axes
    k = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
    f = weft.stage("f", img[y, x, c].to(weft.f32))
    bx = weft.stage("bx", sum(w * f.clamp[y, x + i - 2, c] for i, w in enumerate(k)))
    by = weft.stage("by", sum(w * bx.clamp[y + i - 2, x, c] for i, w in enumerate(k)))
    return weft.stage("sharp", (f[y, x, c] + amount * (f[y, x, c] - by[y, x, c])).saturate(weft.u8))


@weft.program
def blur(img: weft.u8["h", "w"]):
    y, x = img.axes
    wide = weft.stage("wide", img.clamp[y, x - 1].to(weft.f32) + img.reflect101[y, x + 2].to(weft.f32))
    return weft.stage("blurred", (wide.clamp[y - 3, x] * 0.25 + wide.clamp[y + 1, x] * 0.25).saturate(weft.u8))


@weft.program
def equalize(img: weft.u8["h", "w"]):
    y, x = img.axes
    n = weft.scatter("counts", 0, axes=weft.axes(256), over=(y, x), at=img[y, x].to(weft.index), value=1)
    (i,) = weft.axes(256)
    below = weft.scan("below", lambda s: s.previous(1, 0) + n[i], along=i)
    h, w = img.extents
    return weft.stage("equal", (below.clamp[img[y, x].to(weft.index)].to(weft.f32) * 255 / (h * w).to(weft.f32)).saturate(weft.u8))


def everything(program, *values):
    made = program(*values)
    return made if isinstance(made, tuple) else (made,)


def streamed(program, values, names, **options):
    """The results of `weft.stream`, in arrays."""
    windows = program.windows()
    shapes = {value["name"]: np.shape(array) for value, array in zip(windows.signature["arguments"], values, strict=True)}
    given = dict(zip(shapes, values, strict=True))
    numbers = {name: value for name, value in given.items() if not hasattr(value, "shape")}
    results = windows.result_shapes(shapes, numbers)
    out = {}
    for value, shape in zip(windows.signature["results"], results, strict=True):
        out[value["name"]] = np.zeros(shape, weft._windows.dtype_of(value))
    report = weft.stream(program, given, out, **options)
    return tuple(out.values()), report


def compare(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


EXAMPLE_NAMES = [
    "blur",
    "unsharp",
    "harris",
    "pyramid_blend",
    "interpolate",
    "histogram_equalize",
    "iir_blur",
    "heat_2d",
    "canny",
    "nl_means",
    "bilateral_grid",
    "camera_pipe",
]


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_examples_in_any_windows(name):
    program = weft.compile(EXAMPLES / f"{name}.mlir")
    values = list(arguments(program.compiled().signature, SIDES.get(name, 100)))
    expected = everything(program, *values)
    for _ in range(4):
        window = tuple(int(RANDOM.integers(5, 64)) for _ in range(2))
        found, _ = streamed(program, values, None, window=window, memory="100 MB")
        compare(found, expected)


@pytest.mark.parametrize("name", ["harris", "pyramid_blend", "histogram_equalize", "iir_blur"])
def test_windows_in_any_order(name):
    """Each window by itself: no window needs that another was computed."""
    program = weft.compile(EXAMPLES / f"{name}.mlir")
    windows = program.windows()
    values = list(arguments(windows.signature, SIDES.get(name, 100)))
    named = dict(zip([value["name"] for value in windows.signature["arguments"]], values, strict=True))
    images = {name: value for name, value in named.items() if hasattr(value, "shape")}
    numbers = windows.numbers({name: image.shape for name, image in images.items()}, named)
    for piece in windows.pieces:
        about = piece.needs(numbers)
        results = [np.zeros(part.extents, weft._windows.dtype_of(value)) for value, part in zip(piece.results, about.results, strict=True)]
        results = list(piece.begin(numbers)) if piece.can_join else results
        every = list(weft._windows.windows_of(about.axes, [max(step, 1) * 3 + 7 for _, step in about.axes]))
        for at in RANDOM.permutation(len(every)):
            needs = piece.needs(numbers, every[at])
            parts = {name: np.array(images[name][weft._windows.slices(part.box)]) for name, part in needs.reads.items()}
            made = piece.call(numbers, every[at], parts)
            if piece.can_join:
                results = list(piece.join(results, made))
                continue
            for result, part, image in zip(results, needs.results, made, strict=True):
                result[weft._windows.slices(part.place)] = image[weft._windows.slices(part.inside)]
        images |= {value["name"]: result for value, result in zip(piece.results, results, strict=True)}
    compare(results, everything(program, *values))


@weft.program
def reflected(img: weft.u8["h", "w"]):
    y, x = img.axes
    across = weft.stage("across", img.reflect101[y, x - 4].to(weft.i32) - img.reflect101[y, x + 3].to(weft.i32))
    return weft.stage("both", across.reflect101[y - 5, x] + 3 * across.mirror[y + 2, x])


@weft.program
def vignette(img: weft.f32["h", "w"]):
    y, x = img.axes
    h, w = img.extents
    dy, dx = (y - h // 2).to(weft.f32), (x - w // 2).to(weft.f32)
    dark = weft.stage("dark", img[y, x] - 0.001 * (dy * dy + dx * dx))
    return weft.stage("wide", dark.clamp[y, x - 1] + dark.clamp[y + 1, x] + x.to(weft.f32))


@weft.program
def toned(img: weft.u8["h", "w"], tones: weft.f32[256]):
    y, x = img.axes
    tone = weft.stage("tone", tones.clamp[img[y, x].to(weft.index)])
    return weft.stage("soft", tone.clamp[y - 1, x] + tone.clamp[y + 1, x])


@weft.program
def down_and_up(img: weft.f32["h", "w"]):
    y, x = img.axes
    h, w = img.extents
    v, u = weft.axes((h + 1) // 2, (w + 1) // 2)
    half = weft.stage("half", img.clamp[2 * v, 2 * u - 1] + img.clamp[2 * v + 1, 2 * u + 2], axes=(v, u))
    q, p = weft.axes((h + 3) // 4, (w + 3) // 4)
    small = weft.stage("small", half.clamp[2 * q, 2 * p] - half.clamp[2 * q + 1, 2 * p - 1], axes=(q, p))
    return weft.stage("up", img[y, x] + small.clamp[y // 4, x // 4] * half.clamp[(y + 1) // 2, x // 2])


@weft.program
def both_sizes(img: weft.f32["h", "w"]):
    y, x = img.axes
    h, w = img.extents
    full = weft.stage("full", img.clamp[y - 1, x] + img[y, x])
    v, u = weft.axes(h // 2, w // 2)
    return full, weft.stage("half", full[2 * v, 2 * u] + full[2 * v + 1, 2 * u + 1], axes=(v, u))


@pytest.mark.parametrize(
    "program", [unsharp, blur, equalize, reflected, vignette, toned, down_and_up, both_sizes], ids=lambda one: one.name
)
def test_programs_of_python_in_any_windows(program):
    for shape in [(97, 113), (64, 65), (1, 200), (130, 3)]:
        values = []
        for value in program.compiled().signature["arguments"]:
            if "extents" not in value:
                values.append(1.5)
                continue
            extents = value["extents"]
            own = [extent if isinstance(extent, int) else shape[d] for d, extent in enumerate(extents)]
            dtype = weft._windows.dtype_of(value)
            values.append((RANDOM.random(own) * 255).astype(dtype))
        try:
            expected = everything(program, *values)
        except (ValueError, weft.WeftError):
            # Too small for this program, whole or not.
            continue
        for _ in range(3):
            window = tuple(int(RANDOM.integers(1, 50)) for _ in range(3 if program is unsharp else 2))
            found, _ = streamed(program, values, None, window=window)
            compare(found, expected)


# ---- Files -----------------------------------------------------------------------------------------------------------


def wanted(kind):
    return pytest.importorskip(kind)


@pytest.fixture
def photo():
    return RANDOM.integers(0, 256, (301, 203, 3), dtype=np.uint8)


@pytest.fixture
def plane():
    return RANDOM.integers(0, 256, (301, 203), dtype=np.uint8)


def test_npy_to_npy(tmp_path, photo):
    np.save(tmp_path / "in.npy", photo)
    weft.stream(unsharp, tmp_path / "in.npy", tmp_path / "out.npy", amount=1.5, window=(37, 41, 3))
    assert np.array_equal(np.load(tmp_path / "out.npy"), unsharp(photo, 1.5))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.npy", "out.npy"]


@pytest.mark.parametrize(
    "layout",
    [
        {"tile": (64, 48), "compression": "zlib"},
        {"rowsperstrip": 17, "compression": "zstd"},
        {"rowsperstrip": 1000},
        {"bigtiff": True, "tile": (16, 16)},
        {"byteorder": ">", "tile": (32, 32), "predictor": True, "compression": "lzw"},
    ],
    ids=lambda one: "-".join(map(str, one)),
)
def test_tiff_to_tiff(tmp_path, photo, plane, layout):
    tifffile = wanted("tifffile")
    wanted("imagecodecs")
    for program, image, numbers in [(unsharp, photo, {"amount": 0.5}), (blur, plane, {})]:
        tifffile.imwrite(tmp_path / "in.tif", image, **layout, photometric="rgb" if image.ndim == 3 else "minisblack")
        weft.stream(program, tmp_path / "in.tif", tmp_path / "out.tif", **numbers, window=(50, 61, 3)[: image.ndim])
        assert np.array_equal(tifffile.imread(tmp_path / "out.tif"), program(image, *numbers.values()))


def test_tiff_with_planes_pages_and_levels(tmp_path, photo):
    tifffile = wanted("tifffile")
    example = weft.compile(EXAMPLES / "unsharp.mlir")
    planes = np.ascontiguousarray(np.moveaxis(photo, 2, 0)).astype(np.float32)
    expected = example(planes)
    tifffile.imwrite(tmp_path / "planes.tif", planes, planarconfig="separate", photometric="rgb", tile=(32, 32))
    tifffile.imwrite(tmp_path / "pages.tif", planes, photometric="minisblack", rowsperstrip=30)
    tifffile.imwrite(tmp_path / "pages.ome.tif", planes, photometric="minisblack", metadata={"axes": "CYX"}, tile=(64, 64))
    for name in ["planes.tif", "pages.tif", "pages.ome.tif"]:
        weft.stream(example, tmp_path / name, tmp_path / "out.tif", window=(40, 50))
        assert np.array_equal(tifffile.imread(tmp_path / "out.tif"), expected)
    with tifffile.TiffWriter(tmp_path / "slide.ome.tif", bigtiff=True) as file:
        file.write(photo, subifds=1, tile=(64, 64), photometric="rgb", metadata={"axes": "YXS"})
        file.write(photo[::2, ::2], subfiletype=1, tile=(64, 64), photometric="rgb")
    weft.stream(unsharp, tmp_path / "slide.ome.tif/1", tmp_path / "half.npy", amount=1.0)
    assert np.array_equal(np.load(tmp_path / "half.npy"), unsharp(np.ascontiguousarray(photo[::2, ::2]), 1.0))


@pytest.mark.parametrize("sharded", [False, True])
def test_zarr_to_zarr(tmp_path, photo, sharded):
    zarr = wanted("zarr")
    group = zarr.create_group(str(tmp_path / "slide.zarr"))
    layout = {"chunks": (32, 32, 3), "shards": (128, 64, 3)} if sharded else {"chunks": (50, 64, 3)}
    group.create_array("0", shape=photo.shape, dtype=photo.dtype, **layout)[...] = photo
    weft.stream(unsharp, tmp_path / "slide.zarr/0", tmp_path / "out.zarr", amount=1.5)
    made = zarr.open_array(str(tmp_path / "out.zarr"), mode="r")
    assert np.array_equal(made[...], unsharp(photo, 1.5))
    assert made.shards == (layout.get("shards")) and made.chunks == layout["chunks"]
    assert not (tmp_path / "out.zarr.part").exists()
    # An array of zarr itself, both ways.
    target = zarr.create_array(str(tmp_path / "own.zarr"), shape=photo.shape, dtype=photo.dtype, chunks=(20, 20, 3))
    weft.stream(unsharp, {"img": group["0"], "amount": 1.5}, target, window=(20, 40, 3))
    assert np.array_equal(target[...], unsharp(photo, 1.5))


def test_georeference_is_kept(tmp_path, plane):
    rasterio = wanted("rasterio")
    transform = rasterio.transform.from_origin(500000.0, 4600000.0, 10.0, 10.0)
    profile = {"driver": "GTiff", "height": 301, "width": 203, "count": 1, "dtype": "uint8", "crs": "EPSG:32633", "transform": transform}
    with rasterio.open(tmp_path / "in.tif", "w", **profile, tiled=True, blockxsize=64, blockysize=64, compress="deflate") as file:
        file.write(plane, 1)
    weft.stream(blur, tmp_path / "in.tif", tmp_path / "out.tif", window=(70, 203))
    with rasterio.open(tmp_path / "out.tif") as file:
        assert file.crs.to_epsg() == 32633 and file.transform == transform
        assert np.array_equal(file.read(1), blur(plane))


def test_several_images_and_results(tmp_path):
    a = RANDOM.random((90, 80), dtype=np.float32)
    weft.stream(both_sizes, {"img": a}, {"full": tmp_path / "full.npy", "half": tmp_path / "half.npy"}, window=(20, 24))
    full, half = both_sizes(a)
    assert np.array_equal(np.load(tmp_path / "full.npy"), full) and np.array_equal(np.load(tmp_path / "half.npy"), half)
    only = np.empty(half.shape, half.dtype)
    weft.stream(both_sizes, a, {"half": only}, window=(20, 24))
    assert np.array_equal(only, half)


def test_images_between_pieces_are_files_where_memory_is_small(tmp_path):
    program = weft.compile(EXAMPLES / "iir_blur.mlir")
    image = RANDOM.random((3, 400, 300), dtype=np.float32)
    np.save(tmp_path / "in.npy", image)
    report = weft.stream(program, tmp_path / "in.npy", tmp_path / "out.npy", memory="1 MiB", alpha=0.5)
    assert min(np.prod(size) for size in report.windows.values()) < image.size // 4
    assert np.array_equal(np.load(tmp_path / "out.npy"), program(image, 0.5))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.npy", "out.npy"]


def test_a_saved_program_needs_no_compiler(tmp_path, photo):
    unsharp.save(tmp_path / "unsharp.so", windows=True)
    text = f"""
import numpy as np, weft
weft.stream(weft.load({str(tmp_path / "unsharp.so")!r}), {str(tmp_path / "in.npy")!r}, {str(tmp_path / "out.npy")!r}, amount=1.5)
"""
    np.save(tmp_path / "in.npy", photo)
    subprocess.run([sys.executable, "-c", text], check=True, env={**os.environ, "WEFT_BIN": "/nowhere"})
    assert np.array_equal(np.load(tmp_path / "out.npy"), unsharp(photo, 1.5))
    unsharp.save(tmp_path / "plain.so")
    with pytest.raises(weft.WeftError, match="no windows of unsharp, expected a library that save"):
        weft.stream(weft.load(tmp_path / "plain.so"), tmp_path / "in.npy", tmp_path / "out.npy", amount=1.5)


def test_the_command(tmp_path, photo):
    np.save(tmp_path / "in.npy", photo)
    unsharp.save(tmp_path / "unsharp.so", windows=True)
    command = ["stream", tmp_path / "unsharp.so", "--arg", f"img={tmp_path}/in.npy", "--arg", "amount=1.5"]
    command += ["--out", f"sharp={tmp_path}/out.npy", "--memory", "64MiB", "--window", "40x50x3"]
    done = subprocess.run([sys.executable, "-m", "weft", *map(str, command)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert np.array_equal(np.load(tmp_path / "out.npy"), unsharp(photo, 1.5))
    command[-1] = "nothing"
    done = subprocess.run([sys.executable, "-m", "weft", *map(str, command)], capture_output=True, text=True)
    assert done.returncode == 1 and "window 'nothing', expected points such as 512x512" in done.stderr


# ---- Memory ----------------------------------------------------------------------------------------------------------

LIMITED = """
import resource, sys, numpy as np, weft
program = weft.load(sys.argv[1])
program.windows()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
report = weft.stream(program, sys.argv[2], sys.argv[3], memory="16 MiB", amount=1.5)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, report.bytes_in_flight, report.count)
"""


def test_memory_is_bounded(tmp_path):
    image = RANDOM.integers(0, 256, (8000, 2700, 3), dtype=np.uint8)
    np.save(tmp_path / "in.npy", image)
    unsharp.save(tmp_path / "unsharp.so", windows=True)
    command = [sys.executable, "-c", LIMITED, tmp_path / "unsharp.so", tmp_path / "in.npy", tmp_path / "out.npy"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    grown, in_flight, count = map(int, done.stdout.split())
    # Threads have stacks and heaps of their own.
    assert in_flight <= 16 << 20 and grown << 10 <= 16 << 20 | 12 << 20 and count >= 10, (grown, in_flight, count)
    assert np.array_equal(np.load(tmp_path / "out.npy"), unsharp(image, 1.5))


def test_what_does_not_fit_is_refused_before_it_begins(tmp_path):
    program = weft.compile(EXAMPLES / "iir_blur.mlir")
    np.save(tmp_path / "in.npy", np.zeros((3, 100000, 2), np.float32))
    with pytest.raises(
        weft.WeftError, match=r"up: a window of .* takes .*MiB, expected at most 64 KiB.* whole along dimension 1: scan \"up\""
    ):
        weft.stream(program, tmp_path / "in.npy", tmp_path / "out.npy", memory="64 KiB", alpha=0.5)
    assert [path.name for path in tmp_path.iterdir()] == ["in.npy"]
    with pytest.raises(weft.WeftError, match="expected at most 1 MiB"):
        weft.stream(program, tmp_path / "in.npy", tmp_path / "out.npy", memory="1 MiB", window=(100000, 2), alpha=0.5)


# ---- Kills -----------------------------------------------------------------------------------------------------------

SLOW = """
import sys, time, numpy as np, weft
from weft import _files
write = _files.RawSink.write
def slow(self, box, points):
    time.sleep(0.002)
    write(self, box, points)
_files.RawSink.write = slow
program = weft.load(sys.argv[1])
numbers = {"amount": 1.5} if "unsharp" in sys.argv[1] else {"alpha": 0.5} if "iir" in sys.argv[1] else {}
report = weft.stream(program, sys.argv[2], sys.argv[3], memory=sys.argv[4], window=tuple(map(int, sys.argv[5].split("x"))), **numbers)
print(report.resumed, report.count)
"""


@pytest.mark.parametrize(
    "name, window, ending",
    [("unsharp", "16x50x3", "npy"), ("iir_blur", "64x20", "npy"), ("equalize", "20x60", "npy"), ("blur", "20x64", "tif")],
)
def test_a_run_that_is_killed_goes_on(tmp_path, photo, plane, name, window, ending):
    if ending == "tif":
        wanted("tifffile")
    program = {"unsharp": unsharp, "equalize": equalize, "blur": blur}.get(name) or weft.compile(EXAMPLES / f"{name}.mlir")
    image = {"unsharp": photo, "iir_blur": RANDOM.random((3, 301, 203), dtype=np.float32)}.get(name, plane)
    extra = {"unsharp": [1.5], "iir_blur": [0.5]}.get(name, [])
    np.save(tmp_path / "in.npy", image)
    program.save(tmp_path / f"{name}.so", windows=True)
    script = [sys.executable, "-c", SLOW, tmp_path / f"{name}.so", tmp_path / "in.npy", tmp_path / f"out.{ending}", "2 MB", window]
    script = list(map(str, script))
    journal = tmp_path / f"out.{ending}.weft" / "journal"
    kills, said = 0, ""
    while True:
        process = subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = journal.read_bytes().count(b"\n") if journal.exists() else 0
        more = int(RANDOM.integers(1, 5))
        while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") >= lines + more):
            time.sleep(0.002)
        if kills < 3 and process.poll() is None:
            time.sleep(float(RANDOM.random()) * 0.02)
            process.send_signal(signal.SIGKILL)
        out, error = process.communicate()
        if process.returncode == 0:
            said = out
            break
        assert process.returncode == -signal.SIGKILL, error
        kills += 1
        if (tmp_path / f"out.{ending}").exists():
            # It was killed on its way out.
            break
    assert kills and (not said or int(said.split()[0]) > 0), (kills, said)
    found = np.load(tmp_path / "out.npy") if ending == "npy" else wanted("tifffile").imread(tmp_path / "out.tif")
    assert np.array_equal(found, program(image, *extra))
    assert not said or not journal.parent.exists()


STEPS = """
import os, shutil, signal, sys
from pathlib import Path
import numpy as np, weft
from weft import _files, _stream

def run(program, last):
    step = 0

    def counted(owner, name):
        inner = getattr(owner, name)

        def outer(*values, **named):
            nonlocal step
            for is_done in (False, True):
                if step == last:
                    os.kill(os.getpid(), signal.SIGKILL)
                step += 1
                if not is_done:
                    result = inner(*values, **named)
            return result

        setattr(owner, name, outer)

    for owner, name in [(os, "replace"), (os, "posix_fallocate"), (np, "save"), (shutil, "rmtree"),
                        (_files.RawSink, "_header"), (_files.RawSink, "write"), (_stream.Journal, "add")]:
        counted(owner, name)
    weft.stream(program, "in.npy", "out.npy", memory=sys.argv[2], window=(64, 100), alpha=0.5)

def child(program, last):
    process = os.fork()
    if process == 0:
        try:
            run(program, last)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(process, 0)[1]

program = weft.load(sys.argv[1])
expected = np.load("expected.npy")
step = is_whole = 0
while not is_whole:
    is_whole = child(program, step) == 0
    assert is_whole or child(program, None) == 0, step
    assert np.array_equal(np.load("out.npy"), expected), step
    os.unlink("out.npy")
    step += 1
print(step)
"""


@pytest.mark.parametrize("memory", ["2 MB", "4 MB"])
def test_a_run_may_be_killed_between_any_two_steps(tmp_path, memory):
    """With the image between its pieces in a file, and in memory."""
    program = weft.compile(EXAMPLES / "iir_blur.mlir")
    image = RANDOM.random((3, 301, 203), dtype=np.float32)
    np.save(tmp_path / "in.npy", image)
    np.save(tmp_path / "expected.npy", program(image, 0.5))
    program.save(tmp_path / "program.so", windows=True)
    command = [sys.executable, "-c", STEPS, str(tmp_path / "program.so"), memory]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 30


class Fails:
    """An array that cannot be read from a row on."""

    def __init__(self, array, row):
        self.array, self.row, self.shape, self.dtype = array, row, array.shape, array.dtype

    def __getitem__(self, key):
        if key[0].stop > self.row:
            raise RuntimeError("bad sector")
        return self.array[key]


def test_a_changed_source_begins_anew(tmp_path, plane, capsys, monkeypatch):
    np.save(tmp_path / "in.npy", plane)
    with monkeypatch.context() as patch:
        write = weft._files.RawSink.write

        def fails(self, box, points):
            if box[0][0] > 150:
                raise weft._files.FileError("no more")
            write(self, box, points)

        patch.setattr(weft._files.RawSink, "write", fails)
        with pytest.raises(weft.WeftError, match="no more"):
            weft.stream(blur, tmp_path / "in.npy", tmp_path / "out.npy", window=(20, 203))
    assert not (tmp_path / "out.npy").exists() and (tmp_path / "out.npy.part").exists()
    plane[0, 0] ^= 1
    np.save(tmp_path / "in.npy", plane)
    report = weft.stream(blur, tmp_path / "in.npy", tmp_path / "out.npy", window=(20, 203))
    assert report.resumed == 0 and "begins anew: another sources" in capsys.readouterr().err
    assert np.array_equal(np.load(tmp_path / "out.npy"), blur(plane))


# ---- What goes wrong -------------------------------------------------------------------------------------------------


def test_a_disk_that_is_full(tmp_path, plane):
    np.save(tmp_path / "in.npy", plane)
    blur.save(tmp_path / "blur.so", windows=True)
    text = f"""
import resource, weft
program = weft.load({str(tmp_path / "blur.so")!r})
resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
try:
    weft.stream(program, {str(tmp_path / "in.npy")!r}, {str(tmp_path / "out.npy")!r})
except weft.WeftError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "out.npy: cannot be made, 61103 bytes: File too large" in done.stdout
    assert not (tmp_path / "out.npy").exists() and not (tmp_path / "out.npy.part").exists()


def test_a_disk_that_gets_full(tmp_path, plane):
    """zarr takes no space before it writes."""
    wanted("zarr")
    np.save(tmp_path / "in.npy", plane)
    blur.save(tmp_path / "blur.so", windows=True)
    text = f"""
import resource, weft, zarr
program = weft.load({str(tmp_path / "blur.so")!r})
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
try:
    weft.stream(program, {str(tmp_path / "in.npy")!r}, {str(tmp_path / "out.zarr")!r}, window=(64, 203))
except weft.WeftError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "out.zarr: [0:64, 0:203] cannot be written: OSError: [Errno 27] File too large" in done.stdout
    assert not (tmp_path / "out.zarr").exists()


def test_progress(plane, capsys):
    weft.stream(blur, plane, np.empty_like(plane), window=(50, 203), progress=True)
    assert "blur: 100 %," in capsys.readouterr().err
    weft.stream(blur, plane, np.empty_like(plane), window=(50, 203))
    assert capsys.readouterr().err == ""


def test_truncated_sources(tmp_path, plane):
    np.save(tmp_path / "in.npy", plane)
    os.truncate(tmp_path / "in.npy", 5000)
    with pytest.raises(weft.WeftError, match=r"in.npy: has 5000 bytes, expected 61231 for \(301, 203\) of uint8: it is truncated"):
        weft.stream(blur, tmp_path / "in.npy", tmp_path / "out.npy")
    tifffile = wanted("tifffile")
    tifffile.imwrite(tmp_path / "in.tif", plane, rowsperstrip=20)
    os.truncate(tmp_path / "in.tif", 50000)
    with pytest.raises(weft.WeftError, match=r"in.tif: ends at \d+, within segment \d+ of page 0: it is truncated"):
        weft.stream(blur, tmp_path / "in.tif", tmp_path / "out.npy")
    (tmp_path / "in.tif").write_bytes(b"II*\0")
    with pytest.raises(weft.WeftError, match=r"in.tif: no TIFF that can be read"):
        weft.stream(blur, tmp_path / "in.tif", tmp_path / "out.npy")
    assert not (tmp_path / "out.npy").exists()


def test_corrupt_chunks(tmp_path, plane):
    zarr, tifffile = wanted("zarr"), wanted("tifffile")
    zarr.create_array(str(tmp_path / "in.zarr"), shape=plane.shape, dtype=plane.dtype, chunks=(64, 64))[...] = plane
    chunk = tmp_path / "in.zarr/c/2/1"
    chunk.write_bytes(b"\0" * 100)
    with pytest.raises(weft.WeftError, match=r"in.zarr: \[.*\] cannot be read"):
        weft.stream(blur, tmp_path / "in.zarr", tmp_path / "out.zarr")
    assert not (tmp_path / "out.zarr").exists()
    tifffile.imwrite(tmp_path / "in.tif", plane, tile=(64, 64), compression="zlib")
    page = tifffile.TiffFile(tmp_path / "in.tif").pages[0]
    with open(tmp_path / "in.tif", "r+b") as file:
        file.seek(page.dataoffsets[5])
        file.write(b"\xff" * 50)
    with pytest.raises(weft.WeftError, match=r"in.tif: segment 5 of page 0 cannot be decoded"):
        weft.stream(blur, tmp_path / "in.tif", tmp_path / "out.tif")
    assert not (tmp_path / "out.tif").exists()


def test_misuse(tmp_path, plane, photo):
    with pytest.raises(TypeError, match=r"unsharp: argument 'img' has elements of float32 in .*, expected uint8"):
        weft.stream(unsharp, photo.astype(np.float32), np.empty_like(photo), amount=1.0)
    with pytest.raises(TypeError, match="unsharp: no value for amount"):
        weft.stream(unsharp, photo, np.empty_like(photo))
    with pytest.raises(TypeError, match="unsharp: no argument 'strength', expected one of img, amount"):
        weft.stream(unsharp, photo, np.empty_like(photo), amount=1.0, strength=2)
    with pytest.raises(ValueError, match=r"has shape .* expected 3 dimensions"):
        weft.stream(unsharp, plane, np.empty_like(plane), amount=1.0)
    with pytest.raises(ValueError, match=r"unsharp: result 'sharp': has shape \(301, 203\) of uint8, expected \(301, 203, 3\) of uint8"):
        weft.stream(unsharp, photo, np.empty_like(plane), amount=1.0)
    with pytest.raises(weft.WeftError, match=r"nothing.npy: no such file, expected the image 'img'"):
        weft.stream(blur, tmp_path / "nothing.npy", tmp_path / "out.npy")
    np.save(tmp_path / "in.npy", plane)
    with pytest.raises(weft.WeftError, match="is a sink and another sink or source"):
        weft.stream(blur, tmp_path / "in.npy", tmp_path / "in.npy")
    with pytest.raises(ValueError, match="memory '1 room', expected a number of bytes"):
        weft.stream(blur, tmp_path / "in.npy", tmp_path / "out.npy", memory="1 room")
    with pytest.raises(weft.WeftError, match=r"out.png: expected .npy, .tif, .tiff"):
        weft.stream(blur, tmp_path / "in.npy", tmp_path / "out.png")
    with pytest.raises(weft.WeftError, match=r"\[.*\] cannot be read: RuntimeError: bad sector"):
        weft.stream(blur, Fails(plane, 200), tmp_path / "out.npy", window=(50, 203))
    assert not (tmp_path / "out.npy").exists()
