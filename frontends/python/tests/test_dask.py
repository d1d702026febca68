"""On Dask: lazy arrays and files of zarr, with the bits of the whole image, whatever the chunks; workers that die; what is refused."""

import os
import signal
import threading
import time

import numpy as np
import pytest
import weft
from test_examples import EXAMPLES, arguments
from test_stream import SIDES, both_sizes, down_and_up, equalize, everything, reflected, toned, unsharp

da = pytest.importorskip("dask.array")
zarr = pytest.importorskip("zarr")
RANDOM = np.random.default_rng(9)


def chunks_of(shape):
    """Random chunks, of different sizes."""
    made = []
    for extent in shape:
        own = []
        while sum(own) < extent:
            own.append(int(min(RANDOM.integers(5, 60), extent - sum(own))))
        made.append(tuple(own) if extent > 4 else (extent,))
    return tuple(made)


def compare(found, expected):
    found = found if isinstance(found, tuple) else (found,)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
        made = one.compute()
        assert np.array_equal(made, other, equal_nan=made.dtype.kind == "f")


@pytest.mark.parametrize("name", ["blur", "unsharp", "pyramid_blend", "histogram_equalize", "iir_blur", "heat_2d", "camera_pipe"])
def test_examples(name):
    program = weft.compile(EXAMPLES / f"{name}.mlir")
    values = list(arguments(program.compiled().signature, SIDES.get(name, 100)))
    lazy = [da.from_array(value, chunks=chunks_of(value.shape)) if hasattr(value, "shape") else value for value in values]
    compare(program(*lazy), everything(program, *values))


@pytest.mark.parametrize("program", [unsharp, equalize, reflected, down_and_up, both_sizes], ids=lambda one: one.name)
def test_programs_of_python(program):
    shape = (113, 131, 3) if program is unsharp else (113, 131)
    image = (RANDOM.random(shape) * 255).astype(weft._windows.dtype_of(program.compiled().signature["arguments"][0]))
    numbers = [1.5] if program is unsharp else []
    compare(program(da.from_array(image, chunks=chunks_of(shape)), *numbers), everything(program, image, *numbers))


def test_arrays_of_dask_and_others():
    image = RANDOM.integers(0, 256, (90, 70), dtype=np.uint8)
    tones = RANDOM.random(256, dtype=np.float32)
    compare(toned(da.from_array(image, chunks=(30, 40)), tones), [toned(image, tones)])
    compare(toned(da.from_array(image, chunks=(30, 40)), tones=da.from_array(tones, chunks=100)), [toned(image, tones)])
    # What comes before and after.
    made = (unsharp(da.from_array(np.dstack([image] * 3), chunks=(31, 33, 3)) + 1, 1.5) // 2).sum(axis=2)
    assert np.array_equal(made.compute(), (unsharp(np.dstack([image] * 3) + 1, 1.5) // 2).sum(axis=2))


@weft.program
def counted(img: weft.u8["h", "w"]):
    y, x = img.axes
    return weft.scatter("counts", 7, axes=weft.axes(256), over=img.axes, at=img[y, x].to(weft.index), value=1)


def test_sums_begin_once():
    """Sums of many chunks are joined in a tree, and what they begin with counts once."""
    image = RANDOM.integers(0, 256, (60, 70), dtype=np.uint8)
    expected = np.bincount(image.reshape(-1), minlength=256) + 7
    assert np.array_equal(counted(image), expected)
    assert np.array_equal(counted(da.from_array(image, chunks=(4, 11))).compute(), expected)
    made = np.empty(256, np.int32)
    weft.stream(counted, image, made, window=(4, 11))
    assert np.array_equal(made, expected)


def test_graphs_are_small():
    image = da.zeros((4000, 4000, 3), dtype=np.uint8, chunks=(100, 100, 3))
    made = unsharp(image, 1.5)
    assert made.chunks == image.chunks
    # Of each chunk one task, and one that makes zeros; one with the library.
    assert len(dict(made.__dask_graph__())) <= 2 * 1600 + 2


def test_xarray():
    xarray = pytest.importorskip("xarray")
    image = RANDOM.integers(0, 256, (60, 70, 3), dtype=np.uint8)
    array = xarray.DataArray(image, dims=("y", "x", "c"), coords={"y": np.arange(60) * 0.5}).chunk({"y": 20, "x": 30})
    made = xarray.apply_ufunc(lambda one: unsharp(one, 1.5), array, dask="allowed")
    assert made.dims == ("y", "x", "c") and np.array_equal(made.coords["y"], array.coords["y"]) and made.chunks is not None
    assert np.array_equal(made.compute(), unsharp(image, 1.5))


@pytest.mark.parametrize("layout", [{"chunks": (32, 40, 3)}, {"chunks": (16, 16, 3), "shards": (64, 48, 3)}], ids=["chunks", "shards"])
def test_zarr_to_zarr(tmp_path, layout):
    image = RANDOM.integers(0, 256, (151, 203, 3), dtype=np.uint8)
    zarr.create_array(str(tmp_path / "in.zarr"), shape=image.shape, dtype=image.dtype, **layout)[...] = image
    assert weft.on_dask(unsharp, tmp_path / "in.zarr", tmp_path / "out.zarr", amount=1.5) == [str(tmp_path / "out.zarr")]
    made = zarr.open_array(str(tmp_path / "out.zarr"), mode="r")
    assert np.array_equal(made[...], unsharp(image, 1.5)) and made.chunks == layout["chunks"] and made.shards == layout.get("shards")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.zarr", "out.zarr"]
    own = zarr.create_array(str(tmp_path / "own.zarr"), shape=image.shape, dtype=image.dtype, chunks=(50, 50, 3))
    weft.on_dask(unsharp, {"img": image, "amount": 1.5}, own)
    assert np.array_equal(own[...], unsharp(image, 1.5))


@pytest.mark.parametrize("small", [0, 1 << 20])
@pytest.mark.parametrize("name", ["histogram_equalize", "iir_blur", "interpolate"])
def test_programs_of_several_pieces(tmp_path, monkeypatch, name, small):
    monkeypatch.setattr("weft._dask.SMALL", small)
    program = weft.compile(EXAMPLES / f"{name}.mlir")
    values = list(arguments(program.windows().signature, 128))
    given = dict(zip([value["name"] for value in program.windows().signature["arguments"]], values, strict=True))
    weft.on_dask(program, given, tmp_path / "out.zarr", memory="64 MiB")
    assert np.array_equal(zarr.open_array(str(tmp_path / "out.zarr"), mode="r")[...], program(*values))
    assert [path.name for path in tmp_path.iterdir()] == ["out.zarr"]


def test_results_of_two_sizes(tmp_path):
    image = RANDOM.random((96, 128), dtype=np.float32)
    full, half = both_sizes(image)
    out = {}
    for name, result, chunk in [("full", full, 32), ("half", half, 16)]:
        out[name] = zarr.create_array(str(tmp_path / f"{name}.zarr"), shape=result.shape, dtype=result.dtype, chunks=(chunk, chunk))
    weft.on_dask(both_sizes, image, out)
    assert np.array_equal(out["full"][...], full) and np.array_equal(out["half"][...], half)
    out["half"] = zarr.create_array(str(tmp_path / "other.zarr"), shape=half.shape, dtype=half.dtype, chunks=(20, 16))
    with pytest.raises(weft.WeftError, match=r"'half' begins at 16, expected multiples of its chunks' 20"):
        weft.on_dask(both_sizes, image, out)


@pytest.fixture
def cluster(tmp_path):
    distributed = pytest.importorskip("distributed")
    # Workers have no compiler.
    environment = {"WEFT_CACHE_DIR": str(tmp_path / "cache"), "WEFT_BIN": "/nowhere"}
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "env": environment}
    with distributed.LocalCluster(**options) as cluster:
        with distributed.Client(cluster) as client:
            yield client


def test_workers_that_die(tmp_path, cluster):
    image = RANDOM.integers(0, 256, (900, 800, 3), dtype=np.uint8)
    zarr.create_array(str(tmp_path / "in.zarr"), shape=image.shape, dtype=image.dtype, chunks=(40, 40, 3))[...] = image
    unsharp.save(tmp_path / "unsharp.so", windows=True)
    program = weft.load(tmp_path / "unsharp.so")
    part = tmp_path / "out.zarr.part"
    (first, *_) = cluster.run(os.getpid).values()

    def kill():
        while len(list(part.glob("c/*/*/*"))) < 60:
            time.sleep(0.005)
        os.kill(first, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    weft.on_dask(program, tmp_path / "in.zarr", tmp_path / "out.zarr", amount=1.5, retries=5)
    killer.join()
    assert np.array_equal(zarr.open_array(str(tmp_path / "out.zarr"), mode="r")[...], unsharp(image, 1.5))
    # Workers took the library into their cache.
    assert [path.suffix for path in (tmp_path / "cache" / "shipped").iterdir()] == [".so"]


def test_what_goes_wrong(tmp_path):
    image = RANDOM.integers(0, 256, (60, 70, 3), dtype=np.uint8)
    lazy = da.from_array(image, chunks=(20, 20, 3))
    with pytest.raises(TypeError, match=r"unsharp: argument 'img' has elements of float64, expected uint8: .astype\('uint8'\)"):
        unsharp(lazy / 2, 1.5)
    with pytest.raises(TypeError, match="unsharp: out with arrays of Dask, expected none"):
        unsharp(lazy, 1.5, out=np.empty_like(image))
    with pytest.raises(ValueError, match=r"has chunks of unknown size, expected known ones: x.compute_chunk_sizes\(\)"):
        unsharp(lazy[lazy[:, 0, 0] > 5], 1.5)
    with pytest.raises(weft.WeftError, match=r"out.tif: expected zarr, which many processes may write"):
        weft.on_dask(unsharp, image, tmp_path / "out.tif", amount=1.5)
    program = weft.compile(EXAMPLES / "iir_blur.mlir")
    with pytest.raises(weft.WeftError, match=r"up: a window of .* whole along dimension 1: scan \"up\" needs its lines"):
        weft.on_dask(program, np.zeros((3, 50000, 40), np.float32), tmp_path / "out.zarr", memory="64 KiB", alpha=0.5)
    zarr.create_array(str(tmp_path / "in.zarr"), shape=image.shape, dtype=image.dtype, chunks=(32, 32, 3))[...] = image
    (tmp_path / "in.zarr/c/1/1/0").write_bytes(b"\0" * 50)
    with pytest.raises(weft.WeftError, match=r"in.zarr: \[.*\] cannot be read"):
        weft.on_dask(unsharp, tmp_path / "in.zarr", tmp_path / "out.zarr", amount=1.5, retries=0)
    assert not (tmp_path / "out.zarr").exists()
