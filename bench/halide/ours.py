"""Programs as Weft compiles them: a shared library made ahead of time, or, to check results, `pipeline-run`.

All that is known of the library's interface is here. For NAME it is

    int32_t weft_NAME(const weft_buffer *image, ..., float number, ..., weft_buffer *result, ...);    0, or what is wrong
    const char *weft_NAME_error(void);                                                          in words

Threads are as many as WEFT_NUM_THREADS says when the library is loaded.
"""

import ctypes
import pathlib
import re
import subprocess
import tempfile

import numpy as np
from suites import ROOT

BIN = ROOT / "target/release"
RANK = 4
INTERFACE = 2
TYPES = ["float16", "float32", "float64", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


class Buffer(ctypes.Structure):
    """`weft_buffer`. Strides are in elements."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("interface", ctypes.c_int16),
        ("type", ctypes.c_int16),
        ("rank", ctypes.c_int32),
        ("extents", ctypes.c_int64 * RANK),
        ("strides", ctypes.c_int64 * RANK),
    ]

    @staticmethod
    def of(array):
        strides = [stride // array.itemsize for stride in array.strides]
        type_number = 1 + TYPES.index(array.dtype.name)
        extents, strides = ((ctypes.c_int64 * RANK)(*values) for values in (array.shape, strides))
        return Buffer(array.ctypes.data, INTERFACE, type_number, array.ndim, extents, strides)


def estimated(source, sizes):
    """The program, told the extents that its images will have; one in Forma says them itself."""
    text = source.read_text()
    for image, extents in sizes.items():
        shape = f"weft.estimate = array<i64: {', '.join(map(str, extents))}>"
        of_image = rf'(\{{[^}}]*)weft\.estimate = array<i64: [\d, ]+>([^}}]*weft\.name = "{image}")'
        before_image = rf'(\{{[^}}]*weft\.name = "{image}"[^}}]*)weft\.estimate = array<i64: [\d, ]+>([^}}]*)'
        text = re.sub(of_image, rf"\g<1>{shape}\g<2>", text)
        text = re.sub(before_image, rf"\g<1>{shape}\g<2>", text)
    return text


def number(value):
    return ctypes.c_int32(value) if isinstance(value, int) else ctypes.c_float(value)


class Library:
    """A program as a shared library, made by the tools of a folder."""

    def __init__(self, source, sizes, tools=BIN):
        name = source.stem
        self.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder.name)
        program, library = folder / source.name, folder / f"{name}.so"
        program.write_text(estimated(source, sizes))
        command = [pathlib.Path(tools) / "pipeline-translate", "--emit-library", library, "--emit-header", folder / f"{name}.h", program]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{name}: no library: {done.stderr.strip()}")
        self.library = ctypes.CDLL(str(library))
        self.function = getattr(self.library, f"weft_{name}")
        self.function.restype = ctypes.c_int32
        self.error = getattr(self.library, f"weft_{name}_error")
        self.error.restype = ctypes.c_char_p
        # Images and numbers come in the program's own order.
        declared = re.search(rf"int32_t weft_{name}\(([^)]*)\)", (folder / f"{name}.h").read_text())[1]
        self.names = [parameter.split()[-1].lstrip("*") for parameter in declared.split(",")]

    def bind(self, arrays, numbers, results):
        """A call without arguments that runs it on these arrays and numbers, by name."""
        values = {name: ctypes.byref(Buffer.of(array)) for name, array in arrays.items()}
        values |= {name: number(value) for name, value in numbers.items()}
        to = [ctypes.byref(Buffer.of(array)) for array in results]
        arguments = [*(values[name] for name in self.names[: len(values)]), *to]

        def call():
            if self.function(*arguments) != 0:
                raise RuntimeError(self.error().decode())

        return call


def run(source, arrays, numbers, results):
    """The results, of these names, by `pipeline-run`."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        command = [BIN / "pipeline-run", source]
        for image, array in arrays.items():
            np.save(folder / f"{image}.npy", array)
            command += ["--arg", f"{image}={folder / image}.npy"]
        command += [word for key, value in numbers.items() for word in ("--arg", f"{key}={value}")]
        command += [word for name in results for word in ("--out", f"{name}={folder / name}.npy")]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{source.stem}: {done.stdout}{done.stderr}")
        return [np.load(folder / f"{name}.npy") for name in results]
