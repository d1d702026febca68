#!/usr/bin/env python3
"""Does on a GPU what was written down: bench/halide-gpu/replay.py TRACE...

    run --record FOLDER         on any machine: a folder for each program, size and compiler, with texts of kernels, images and launches
    replay.py FOLDER/*          on one that has a GPU: a line of JSON for each

It needs NVIDIA's driver and nothing else, so that both compilers' kernels run in the same way, and their host code does not count. Times
are of the GPU's events, in microseconds, medians of calls:

- `cold`: a call, in a CUDA graph, after all that L2 had was written over; `warm`: after the call before it.
- `launches`: each kernel of a call, L2 cold before the first.
"""

import argparse
import ctypes
import hashlib
import json
import pathlib
import statistics
import sys
from ctypes import byref, c_float, c_int, c_size_t, c_uint, c_void_p

# Bytes that are written to empty an L2, more than any GPU has.
FLUSH = 256 << 20
# Launches that this program asks for while a GPU does that.
LAUNCHES_IN_FLUSH = 3
# Allocations of a trace are so far apart.
SLOT = 36
GRAPH_RELAXED = 2
SHARED_OPT_IN, SHARED_WITHOUT_ASKING = 8, 48 << 10
ATTRIBUTES = {"shared": 1, "local": 3, "registers": 4}


class Failure(Exception):
    pass


class Driver:
    """The driver's functions, with their errors as exceptions."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        device = c_int()
        self.cuInit(0)
        self.cuDeviceGet(byref(device), 0)
        self.device = device
        context = c_void_p()
        self.cuDevicePrimaryCtxRetain(byref(context), device)
        self.cuCtxSetCurrent(context)

    def __getattr__(self, name):
        function = getattr(self.library, name)

        def call(*arguments):
            code = function(*arguments)
            if code != 0:
                text = ctypes.c_char_p()
                self.library.cuGetErrorName(code, byref(text))
                raise Failure(f"{name}: {(text.value or b'?').decode()}")

        setattr(self, name, call)
        return call

    def name(self):
        text = ctypes.create_string_buffer(256)
        self.cuDeviceGetName(text, 256, self.device)
        return text.value.decode()

    def event(self):
        event = c_void_p()
        self.cuEventCreate(byref(event), 0)
        return event

    def microseconds(self, begin, end):
        milliseconds = c_float()
        self.cuEventElapsedTime(byref(milliseconds), begin, end)
        return milliseconds.value * 1e3


def loaded(driver, text):
    """A module of PTX; what the driver's compiler says where it is none."""
    module, log = c_void_p(), ctypes.create_string_buffer(4096)
    options = (c_int * 2)(5, 6)
    values = (c_void_p * 2)(ctypes.cast(log, c_void_p), 4096)
    try:
        driver.cuModuleLoadDataEx(byref(module), ctypes.c_char_p(text), 2, options, values)
    except Failure as failure:
        raise Failure(f"{failure}: {log.value.decode(errors='replace').strip()}") from None
    return module


class Trace:
    """A trace on the GPU: its modules loaded, its memory there, what came before the first launch done."""

    def __init__(self, folder, driver):
        self.folder, self.driver = folder, driver
        lines = [json.loads(line) for line in (folder / "trace.jsonl").read_text().splitlines()]
        self.stream = c_void_p()
        driver.cuStreamCreate(byref(self.stream), 1)
        self.modules, self.memory, self.functions = [], {}, {}
        self.results = []
        launches = [at for at, line in enumerate(lines) if line["do"] == "launch"]
        if not launches:
            raise Failure("found no launch")
        first, last = launches[0], launches[-1]
        for line in lines:
            if line["do"] == "module":
                self.modules.append(loaded(driver, (folder / line["file"]).read_bytes()))
            elif line["do"] == "allocate":
                pointer = c_void_p()
                driver.cuMemAlloc_v2(byref(pointer), c_size_t(max(line["bytes"], 1)))
                self.memory[line["address"] >> SLOT] = (line["address"], pointer.value)
        for at, line in enumerate(lines):
            if line["do"] == "write" or (at < first and line["do"] in ("fill", "copy")):
                self.do(line)
        self.call = [line for line in lines[first : last + 1] if line["do"] in ("launch", "fill", "copy")]
        # The first call is the one whose results count: others begin with what it left.
        self.run()
        for line in lines[last + 1 :]:
            self.do(line)
        driver.cuStreamSynchronize(self.stream)

    def close(self):
        for _, pointer in self.memory.values():
            self.driver.cuMemFree_v2(c_void_p(pointer))
        for module in self.modules:
            self.driver.cuModuleUnload(module)

    def pointer(self, address):
        base, real = self.memory[address >> SLOT]
        return real + address - base

    def function(self, line):
        key = line["module"], line["kernel"]
        if key not in self.functions:
            function = c_void_p()
            self.driver.cuModuleGetFunction(byref(function), self.modules[line["module"]], line["kernel"].encode())
            if line["shared"] > SHARED_WITHOUT_ASKING:
                self.driver.cuFuncSetAttribute(function, SHARED_OPT_IN, line["shared"])
            self.functions[key] = function
        return self.functions[key]

    def argument(self, text):
        """The bytes of an argument, with an address of here where it is one."""
        found = bytes.fromhex(text)
        value = int.from_bytes(found, "little")
        if len(found) == 8 and value >> SLOT in self.memory:
            found = self.pointer(value).to_bytes(8, "little")
        return ctypes.create_string_buffer(found, max(len(found), 1))

    def do(self, line):
        driver, address = self.driver, line.get("address", 0)
        if line["do"] == "write":
            content = (self.folder / line["file"]).read_bytes()
            driver.cuMemcpyHtoD_v2(c_void_p(self.pointer(address)), content, c_size_t(line["bytes"]))
        elif line["do"] == "fill":
            driver.cuMemsetD8Async(c_void_p(self.pointer(address)), ctypes.c_ubyte(line["value"]), c_size_t(line["bytes"]), self.stream)
        elif line["do"] == "copy":
            to, source = (c_void_p(self.pointer(line[end])) for end in ("to", "from"))
            driver.cuMemcpyDtoDAsync_v2(to, source, c_size_t(line["bytes"]), self.stream)
        elif line["do"] == "read":
            driver.cuStreamSynchronize(self.stream)
            content = ctypes.create_string_buffer(line["bytes"])
            driver.cuMemcpyDtoH_v2(content, c_void_p(self.pointer(address)), c_size_t(line["bytes"]))
            self.results.append({"bytes": line["bytes"], "sha256": hashlib.sha256(content.raw).hexdigest()})
        elif line["do"] == "launch":
            if "made" not in line:
                arguments = [self.argument(text) for text in line["arguments"]]
                pointers = (c_void_p * len(arguments))(*map(ctypes.addressof, arguments))
                sizes = tuple(map(c_uint, (*line["grid"], *line["block"], line["shared"])))
                line["made"] = (self.function(line), *sizes, self.stream, pointers, None)
                # What is pointed at lives as long as the line.
                line["kept"] = arguments
            driver.cuLaunchKernel(*line["made"])

    def run(self):
        for line in self.call:
            self.do(line)

    def graph(self):
        graph, executable = c_void_p(), c_void_p()
        self.driver.cuStreamBeginCapture_v2(self.stream, GRAPH_RELAXED)
        self.run()
        self.driver.cuStreamEndCapture(self.stream, byref(graph))
        self.driver.cuGraphInstantiateWithFlags(byref(executable), graph, ctypes.c_ulonglong(0))
        return executable

    def attributes(self, line):
        found = {}
        for name, attribute in ATTRIBUTES.items():
            value = c_int()
            self.driver.cuFuncGetAttribute(byref(value), attribute, self.function(line))
            found[name] = value.value
        blocks = c_int()
        threads = line["block"][0] * line["block"][1] * line["block"][2]
        self.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(byref(blocks), self.function(line), threads, c_size_t(line["shared"]))
        return {"kernel": line["kernel"], "grid": line["grid"], "block": line["block"], **found, "blocks": blocks.value}


def between(driver, stream, work):
    """Events before and after some work; to be asked when the stream is done."""
    begin, end = driver.event(), driver.event()
    driver.cuEventRecord(begin, stream)
    work()
    driver.cuEventRecord(end, stream)
    return begin, end


def median(driver, pairs):
    driver.cuCtxSynchronize()
    times = [driver.microseconds(*pair) for pair in pairs]
    for pair in pairs:
        for event in pair:
            driver.cuEventDestroy_v2(event)
    return statistics.median(times)


def measured(folder, driver, flush, seconds):
    """What a trace's calls take, and what its results are."""
    trace = Trace(folder, driver)
    stream = trace.stream
    try:
        executable = trace.graph()
        call = lambda: driver.cuGraphLaunch(executable, stream)
        empty = lambda: driver.cuMemsetD8Async(flush, ctypes.c_ubyte(1), c_size_t(FLUSH), stream)
        for _ in range(2):
            call()
        once = median(driver, [between(driver, stream, call)])
        calls = max(3, min(30, int(seconds * 1e6 / (once + 200))))
        cold, warm, kernels = [], [], []
        for _ in range(calls):
            empty()
            cold.append(between(driver, stream, call))
            warm.append(between(driver, stream, call))
        found = {"cold": median(driver, cold), "warm": median(driver, warm)}
        launches = [line for line in trace.call if line["do"] == "launch"]
        for _ in range(min(calls, 10)):
            # The GPU is busy until all launches are asked for: their events show no waiting for this program.
            for _ in range(1 + len(launches) // LAUNCHES_IN_FLUSH):
                empty()
            kernels.append([between(driver, stream, lambda line=line: trace.do(line)) for line in launches])
        found["launches"] = [
            {**trace.attributes(line), "us": median(driver, [one[at] for one in kernels])} for at, line in enumerate(launches)
        ]
        return {**found, "calls": calls, "results": trace.results}
    finally:
        trace.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("traces", nargs="+", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=0.1, help="for the calls of a trace that are timed in each way; 0.1 by default")
    parser.add_argument("--load-only", action="store_true", help="only compile the kernels, for the driver's cache")
    options = parser.parse_args()
    driver = Driver()
    flush = c_void_p()
    driver.cuMemAlloc_v2(byref(flush), c_size_t(FLUSH))
    failed = False
    for folder in options.traces:
        meta = folder / "meta.json"
        meta = json.loads(meta.read_text()) if meta.exists() else {}
        row = {"trace": folder.name, "gpu": driver.name(), **meta}
        try:
            if options.load_only:
                for text in folder.glob("*.ptx"):
                    driver.cuModuleUnload(loaded(driver, text.read_bytes()))
                continue
            row |= measured(folder, driver, flush, options.seconds)
            if row.pop("sha256", None) not in (None, *(result["sha256"] for result in row.pop("results"))):
                row["note"], failed = "the result is not that of the CPU", True
        except Failure as failure:
            row["note"], failed = str(failure), True
        print(json.dumps(row), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
