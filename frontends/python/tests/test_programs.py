"""What programs are made of, each against NumPy."""

import subprocess
import sys

import numpy as np
import pytest
import weft

RANDOM = np.random.default_rng(1)


def test_a_program_on_a_picture():
    @weft.program
    def unsharp(img: weft.u8["h", "w", 3], amount: weft.f32):
        y, x, c = img.axes
        k = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
        f = weft.stage("f", img[y, x, c].to(weft.f32))
        bx = weft.stage("bx", sum(w * f.clamp[y, x + i - 2, c] for i, w in enumerate(k)))
        by = weft.stage("by", sum(w * bx.clamp[y + i - 2, x, c] for i, w in enumerate(k)))
        return weft.stage("sharp", (f[y, x, c] + amount * (f[y, x, c] - by[y, x, c])).saturate(weft.u8))

    photo = RANDOM.integers(0, 256, (31, 45, 3), dtype=np.uint8)
    f = photo.astype(np.float64)
    k = np.array([1, 4, 6, 4, 1]) / 16
    blurred = f
    for axis in (1, 0):
        pad = np.pad(blurred, [(2, 2) if d == axis else (0, 0) for d in range(3)], mode="edge")
        blurred = sum(w * np.take(pad, range(i, i + f.shape[axis]), axis=axis) for i, w in enumerate(k))
    expected = np.clip(np.rint(f + 1.5 * (f - blurred)), 0, 255)
    found = unsharp(photo, 1.5)
    assert found.dtype == np.uint8 and found.shape == photo.shape
    assert np.abs(found - expected).max() <= 1 and np.mean(found != expected) < 0.001
    assert np.array_equal(unsharp(img=photo, amount=1.5), found)


def test_operators_are_those_of_python():
    @weft.program
    def ops(a: weft.i32["n"], b: weft.i32["n"], f: weft.f32["n"]):
        (x,) = a.axes
        p, q, r = a[x], b[x], f[x]
        return [
            weft.stage("floordiv", p // q),
            weft.stage("mod", p % q),
            weft.stage("bits", (p & q) | (p ^ 5) & ~q),
            weft.stage("shift", (p << 2) >> 1),
            weft.stage("ffloordiv", r // 3),
            weft.stage("fmod", r % 3),
            weft.stage("power", r**3),
            weft.stage("absolute", abs(r) + -r),
            weft.stage("right", 2 - r * 3 / 4),
            weft.stage("chosen", weft.where((p > q) & (r <= 0), r, 1 - r)),
            weft.stage("least", weft.min(p, q, 3) + weft.clip(p, -2, 5)),
        ]

    a = RANDOM.integers(-50, 50, 200, dtype=np.int32)
    b = RANDOM.integers(1, 20, 200, dtype=np.int32) * RANDOM.choice([-1, 1], 200).astype(np.int32)
    f = RANDOM.normal(size=200).astype(np.float32) * 10
    found = ops(a, b, f)
    assert np.array_equal(found[0], a // b)
    assert np.array_equal(found[1], a % b)
    assert np.array_equal(found[2], (a & b) | (a ^ 5) & ~b)
    assert np.array_equal(found[3], (a << 2) >> 1)
    assert np.array_equal(found[4], np.floor(f / np.float32(3)))
    assert np.allclose(found[5], np.mod(f, 3), atol=1e-5)
    assert np.allclose(found[6], f.astype(np.float64) ** 3, rtol=1e-5)
    assert np.allclose(found[7], np.abs(f) - f)
    assert np.allclose(found[8], 2 - f * 3 / 4, rtol=1e-5, atol=1e-5)
    assert np.allclose(found[9], np.where((a > b) & (f <= 0), f, 1 - f))
    assert np.array_equal(found[10], np.minimum(np.minimum(a, b), 3) + np.clip(a, -2, 5))


def test_sums_begin_with_the_first_value():
    @weft.program
    def total(a: weft.f32["n"]):
        (x,) = a.axes
        return weft.stage("total", sum([a[x]]))

    assert np.signbit(total(np.full(4, -0.0, np.float32))).all()


@pytest.mark.parametrize(
    "mode, pad",
    [("clamp", "edge"), ("mirror", "symmetric"), ("reflect101", "reflect"), ("wrap", "wrap"), ("constant", "constant")],
)
def test_boundaries(mode, pad):
    @weft.program(name=f"boundary_{mode}")
    def boundary(img: weft.f32["h", "w"]):
        y, x = img.axes
        view = img.constant(0) if mode == "constant" else getattr(img, mode)
        return weft.stage("sum", view[y - 3, x + 2] + 2 * view[y + 4, x - 5])

    for shape in [(9, 13), (40, 70), (6, 6)]:
        img = RANDOM.normal(size=shape).astype(np.float32)
        padded = np.pad(img, 5, mode=pad)
        h, w = shape
        expected = padded[2 : 2 + h, 7 : 7 + w] + 2 * padded[9 : 9 + h, 0:w]
        assert np.array_equal(boundary(img), expected)


def test_windows_reductions_and_tables():
    @weft.program
    def reduced(img: weft.f32["h", "w"]):
        y, x = img.axes
        i, j = weft.window(-2, 3), weft.window(-1, 2)
        weights = weft.table(np.arange(15, dtype=np.float32).reshape(5, 3))
        total = weft.stage("total", weft.sum(weights[i + 2, j + 1] * img.clamp[y + i, x + j], i, j))
        largest = weft.stage("largest", weft.max_over(img.clamp[y + i, x + j], i, j))
        long = weft.window(0, 40)
        steps = weft.stage("steps", weft.reduce(lambda so_far: so_far * 0.5 + img.clamp[y, x + long], 1.0, long))
        best, place = weft.reduce(
            lambda best, place: (
                weft.max(best, img.clamp[y, x + j]),
                weft.where(img.clamp[y, x + j] > best, j.to(weft.i32), place),
            ),
            (weft.constant(-np.inf, weft.f32), weft.constant(0, weft.i32)),
            j,
        )
        return total, largest, steps, weft.stage("place", place), weft.stage("best", best)

    img = RANDOM.normal(size=(20, 33)).astype(np.float32)
    total, largest, steps, place, best = reduced(img)
    padded = np.pad(img, 2, mode="edge").astype(np.float64)
    around = np.stack([padded[2 + i : 22 + i, 2 + j : 35 + j] for i in range(-2, 3) for j in range(-1, 2)])
    assert np.allclose(total, np.tensordot(np.arange(15), around, 1), atol=1e-3)
    assert np.array_equal(largest, around.max(axis=0).astype(np.float32))
    expected = np.ones_like(img)
    for k in range(40):
        expected = expected * 0.5 + img[:, np.minimum(np.arange(33) + k, 32)]
    assert np.allclose(steps, expected, rtol=1e-4, atol=1e-4)
    row = np.stack([np.pad(img, 1, mode="edge")[1:-1, 1 + j : 34 + j] for j in (-1, 0, 1)])
    assert np.array_equal(best, row.max(axis=0))
    assert np.array_equal(place, row.argmax(axis=0) - 1)


def test_scans_scatters_gathers_and_iterates():
    @weft.program
    def kinds(img: weft.u8["h", "w"], steps: weft.index):
        y, x = img.axes
        sums = weft.scan("sums", lambda s: s.previous(1, 0) + img[y, x].to(weft.i32), along=x)
        back = weft.scan("back", lambda s: weft.max(s.previous(1, 0), sums[y, x]), along=y, backward=True)
        (level,) = weft.axes(256)
        counts = weft.scatter("counts", 0, axes=[level], over=img.axes, at=img[y, x].to(weft.index), value=1)
        looked = weft.stage("looked", counts.clamp[img[y, x].to(weft.index)])
        u = weft.stage("u", img[y, x].to(weft.f32))

        def step(u):
            return weft.stage("next", (u.wrap[y, x - 1] + u.wrap[y, x + 1]) * 0.5)

        return back, counts, looked, weft.iterate("heat", steps, step, u)

    img = RANDOM.integers(0, 256, (17, 29), dtype=np.uint8)
    back, counts, looked, heat = kinds(img, 3)
    sums = np.cumsum(img.astype(np.int32), axis=1)
    assert np.array_equal(back, np.maximum.accumulate(sums[::-1], axis=0)[::-1])
    assert np.array_equal(counts, np.bincount(img.ravel(), minlength=256))
    assert np.array_equal(looked, counts[img])
    u = img.astype(np.float32)
    for _ in range(3):
        u = (np.roll(u, 1, axis=1) + np.roll(u, -1, axis=1)) * np.float32(0.5)
    assert np.array_equal(heat, u)


def test_sizes_and_several_results():
    @weft.program
    def sizes(img: weft.f32["h", "w"]):
        h, w = img.extents
        y, x = weft.axes(h // 2, w // 2)
        half = weft.stage("half", (img[2 * y, 2 * x] + img[2 * y + 1, 2 * x + 1]) * 0.5)
        (r,) = weft.axes(h)
        (column,) = weft.axes(w)
        turned = weft.stage("turned", img[r, column], axes=(column, r))
        low, high = weft.stage("ends", (half[y, x] - 1, half[y, x] + 1))
        return half, turned, low, high

    img = RANDOM.normal(size=(21, 34)).astype(np.float32)
    half, turned, low, high = sizes(img)
    expected = (img[0:20:2, 0:34:2] + img[1:21:2, 1:34:2]) * np.float32(0.5)
    assert np.array_equal(half, expected)
    assert np.array_equal(turned, img.T)
    assert np.array_equal(low, expected - 1) and np.array_equal(high, expected + 1)


@pytest.mark.parametrize("name", ["f32", "f64", "f16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"])
def test_types(name):
    type = getattr(weft, name)

    @weft.program(name=f"types_{name}")
    def types(a: type["n"], b: type):
        (x,) = a.axes
        return weft.stage("sum", a[x] + b)

    a = np.arange(50).astype(type.numpy)
    found = types(a, 3)
    assert found.dtype == a.dtype and np.array_equal(found, a + a.dtype.type(3))


def test_casts():
    @weft.program
    def casts(a: weft.f32["n"]):
        (x,) = a.axes
        return weft.stage("cut", a[x].to(weft.u8)), weft.stage("near", a[x].saturate(weft.u8))

    cut, near = casts(np.array([-3, 0.5, 1.5, 2.5, 254.7, 300, np.nan], np.float32))
    assert cut.tolist() == [0, 0, 1, 2, 254, 255, 0]
    assert near.tolist() == [0, 0, 2, 2, 255, 255, 0]


def test_texts():
    text = """
    func.func @twice(%a: tensor<?xf32> {weft.name = "a"}) -> (tensor<?xf32> {weft.name = "b"}) {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %a, %c0 : tensor<?xf32>
      %b = pipeline.stage "b" (%x) {
        %0 = pipeline.load %a[%x] : tensor<?xf32>
        %1 = arith.addf %0, %0 : f32
        pipeline.yield %1 : f32
      } sized(%n) : tensor<?xf32>
      return %b : tensor<?xf32>
    }
    """
    twice = weft.compile(text, "mlir")
    assert twice(np.arange(4, dtype=np.float32)).tolist() == [0, 2, 4, 6]
    assert twice(a=np.arange(4, dtype=np.float32)).tolist() == [0, 2, 4, 6]
    forma = weft.compile(
        "stencil blur(vector#1 float X) { return (X@[-1] + X + X@[1])/3.0; }\n"
        "parameter N; vector#1 float line[N]; smooth = blur(line:mirror); return smooth;",
        "forma",
    )
    assert np.allclose(forma(np.array([3, 0, 3], np.float32)), [2, 2, 2])


def test_levels_ptx_and_runs(tmp_path):
    @weft.program
    def blur(img: weft.f32["h", "w"]):
        y, x = img.axes
        a = weft.stage("a", (img.clamp[y, x - 1] + img[y, x] + img.clamp[y, x + 1]) / 3)
        return weft.stage("b", (a.clamp[y - 1, x] + a[y, x] + a.clamp[y + 1, x]) / 3)

    assert 'pipeline.stage "a"' in blur.ir()
    assert "pipeline.group" in blur.ir("groups")
    assert "warp.compute" in blur.ir("warp")
    assert "vector<" in blur.ir("cpu-vectors")
    assert ".visible .entry" in blur.ptx("sm_80")
    blur.explain(tmp_path / "why.html")
    assert "<html" in (tmp_path / "why.html").read_text()
    img = RANDOM.normal(size=(30, 40)).astype(np.float32)
    for target in ("simt", "reference"):
        run = blur.run(img, target=target)
        assert np.array_equal(run.result, blur(img)), target
    assert blur.run(img, clock="h100").report["kernels"]


def test_schedules_and_tuning():
    def blur(img: weft.f32["h", "w"]):
        y, x = img.axes
        a = weft.stage("a", (img.clamp[y, x - 1] + img[y, x] + img.clamp[y, x + 1]) / 3)
        return weft.stage("b", (a.clamp[y - 1, x] + a[y, x] + a.clamp[y + 1, x]) / 3)

    img = RANDOM.normal(size=(300, 400)).astype(np.float32)
    plain = weft.program(blur)
    expected = plain(img)
    for schedules in ([weft.schedule("a", "b", tile=(16, 128))], [weft.schedule("a", tile=(8, 64)), weft.schedule("b", tile=(32, 400))]):
        by_hand = weft.program(schedules=schedules)(blur)
        assert np.array_equal(by_hand(img), expected)
        assert by_hand.compiled().path != plain.compiled().path
    found = plain.tune(img, seconds=2)
    assert found["groups"] and found["us"] > 0
    assert np.array_equal(plain(img), expected)
    with pytest.raises(TypeError, match="expected names of stages"):
        weft.schedule(3)


def test_saved_programs(tmp_path):
    @weft.program
    def add(a: weft.f32["n"], b: weft.f32["n"]):
        (x,) = a.axes
        return weft.stage("c", a[x] + b[x])

    add.save(tmp_path / "add.so", header=str(tmp_path / "add.h"))
    loaded = weft.load(tmp_path / "add.so")
    a = np.arange(5, dtype=np.float32)
    assert loaded(a, a).tolist() == [0, 2, 4, 6, 8]
    assert loaded.signature["arguments"][0] == {"name": "a", "type": "f32", "extents": ["n"]}
    assert "weft_add(" in (tmp_path / "add.h").read_text()
    with pytest.raises(weft.WeftError, match="no program sub, expected one of add"):
        weft.load(tmp_path / "add.so", "sub")
    with pytest.raises(OSError):
        weft.load(tmp_path / "add.h")


def test_the_command_line(tmp_path):
    image = pytest.importorskip("PIL.Image")
    (tmp_path / "prog.py").write_text(
        "import weft\n@weft.program\ndef negative(img: weft.u8['h', 'w', 3]):\n    y, x, c = img.axes\n"
        "    return weft.stage('negative', (255 - img[y, x, c].to(weft.i32)).to(weft.u8))\n"
    )
    photo = RANDOM.integers(0, 256, (20, 30, 3), dtype=np.uint8)
    image.fromarray(photo).save(tmp_path / "photo.png")
    files = ["--arg", f"img={tmp_path}/photo.png", "--out", f"negative={tmp_path}/out.png"]
    subprocess.run([sys.executable, "-m", "weft", "run", str(tmp_path / "prog.py"), *files], check=True, capture_output=True)
    assert np.array_equal(np.asarray(image.open(tmp_path / "out.png")), 255 - photo)
    translated = [sys.executable, "-m", "weft", "translate", str(tmp_path / "prog.py"), "--mlir-to-ptx"]
    assert b".visible .entry" in subprocess.run(translated, check=True, capture_output=True).stdout
