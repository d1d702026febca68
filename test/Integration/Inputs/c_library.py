"""Programs as C calls them: a function of a library, whose images are NumPy's arrays."""

import ctypes
import re
import subprocess
from pathlib import Path


class Buffer(ctypes.Structure):
    """A weft_buffer."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("interface", ctypes.c_int16),
        ("type", ctypes.c_int16),
        ("rank", ctypes.c_int32),
        ("extents", ctypes.c_int64 * 4),
        ("strides", ctypes.c_int64 * 4),
    ]


def library(name, program, base, *options):
    """Compiles a program to `base`.so, with the numbers that `base`.h has: a function of arrays, which gives a code that is 0 where all is well."""
    shared, header = (Path(f"{base}.{kind}").resolve() for kind in ("so", "h"))
    subprocess.run(["pipeline-translate", *options, "--emit-library", shared, "--emit-header", header, program], check=True)
    text = header.read_text()
    number = lambda constant: int(re.search(rf"{constant}\W+(\d+)", text)[1])

    def buffer(array):
        kind = number(f"WEFT_{array.dtype.kind.upper()}{8 * array.itemsize}")
        strides = [stride // array.itemsize for stride in array.strides]
        lists = ((ctypes.c_int64 * 4)(*values) for values in (array.shape, strides))
        return Buffer(array.ctypes.data, number("WEFT_INTERFACE"), kind, array.ndim, *lists)

    function = getattr(ctypes.CDLL(str(shared)), f"weft_{name}")
    return lambda *arrays: function(*(ctypes.byref(buffer(array)) for array in arrays))
