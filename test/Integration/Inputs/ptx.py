"""Runs a kernel's PTX text with NumPy: one array element a thread, all threads in step.

Enough for kernels without loops, barriers or shared memory, whose only branch skips what a thread outside the image does not do:
those of --map-to-gpu. An instruction that is not known is an error.
"""

import re

import numpy as np

PAGE = 1 << 32  # Buffers lie this far apart, so that a wrong address hits nothing.


def cast(bits, kind):
    """Raw bits (uint64) as numbers of a PTX type."""
    size = int(re.sub(r"\D", "", kind) or 1)
    if kind[0] == "f":
        return bits.astype(f"uint{size}").view(f"float{size}")
    if kind == "pred":
        return bits != 0
    unsigned = bits & np.uint64((1 << size) - 1 if size < 64 else 0xFFFFFFFFFFFFFFFF)
    if kind[0] == "s":
        return unsigned.astype(f"uint{size}").view(f"int{size}").astype(np.int64)
    return unsigned


def raw(numbers, kind):
    """Numbers as raw bits of a PTX type."""
    size = int(re.sub(r"\D", "", kind) or 1)
    if kind[0] == "f":
        return numbers.astype(f"float{size}").view(f"uint{size}").astype(np.uint64)
    if kind == "pred":
        return numbers.astype(np.uint64)
    return numbers.astype(np.uint64) & np.uint64((1 << size) - 1 if size < 64 else 0xFFFFFFFFFFFFFFFF)


def divide(a, b):
    """Integer division that rounds to zero, and its remainder."""
    q = np.abs(a) // np.abs(b)
    q = np.where((a < 0) != (b < 0), -q, q)
    return q, a - q * b


COMPARE = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal}
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor, "div": lambda a, b: a / b,
}


def run(text, kernel, grid, arguments):
    """Runs `kernel`; an argument is an array (memory) or an int. `grid` is the number of blocks in x and y."""
    entry = re.search(r"\.entry " + kernel + r"\((.*?)\)\s*(\.reqntid[^\n]*)?.*?\{(.*?)\n\}", text, re.S)
    params = re.findall(r"\.param \.(?:u|s|b|f)\d+.*?(\w+)\s*(?:,|$)", entry[1], re.M)
    threads = [int(n) for n in re.findall(r"\d+", entry[2])]
    assert len(params) == len(arguments), (params, len(arguments))
    shape = (grid[1], grid[0], threads[1], threads[0])
    by, bx, ty, tx = (a.ravel().astype(np.uint64) for a in np.indices(shape))
    registers = {"%ctaid.x": bx, "%ctaid.y": by, "%tid.x": tx, "%tid.y": ty}
    count = len(bx)
    active = np.ones(count, bool)
    buffers = [a for a in arguments if isinstance(a, np.ndarray)]
    address = iter(range(PAGE, PAGE * (len(buffers) + 1), PAGE))
    values = {p: next(address) if isinstance(a, np.ndarray) else a for p, a in zip(params, arguments)}

    def read(operand, kind):
        operand = operand.strip()
        if operand in registers:
            return cast(registers[operand], kind)
        if operand.startswith("0f"):
            return cast(np.full(count, int(operand[2:], 16), np.uint64), kind)
        return cast(np.full(count, int(operand) & 0xFFFFFFFFFFFFFFFF, np.uint64), kind)

    def place(operand):
        register, offset = re.match(r"\[(%?\w+)(?:\+(-?\d+))?\]", operand).groups()
        at = registers[register].astype(np.int64) + int(offset or 0)
        page, inside = at[active] // PAGE - 1, at[active] % PAGE
        assert len(set(page.tolist())) <= 1, "one instruction touches two buffers"
        memory = buffers[page[0]] if len(page) else buffers[0]
        assert (inside % memory.itemsize == 0).all(), "misaligned"
        index = inside // memory.itemsize
        assert (index < memory.size).all(), f"{operand}: outside its buffer"
        return memory.reshape(-1), index

    for line in entry[3].split("\n"):
        line = line.split("//")[0].strip().rstrip(";")
        if not line or line.startswith(".") or line.endswith(":"):
            continue
        guard, name, rest = re.match(r"(?:@(!?%p\d+)\s+)?(\S+)\s*(.*)", line).groups()
        operands = [o.strip() for o in rest.split(",")] if rest else []
        base, *middle = name.split(".")
        kind = middle[-1] if middle else ""
        if base == "bra":
            assert guard and guard[0] != "!", line
            active &= ~cast(registers[guard], "pred")
            continue
        assert guard is None, line
        if base == "ret":
            return
        if base == "st":
            memory, index = place(operands[0])
            memory[index] = raw(read(operands[1], kind), kind)[active].astype(f"uint{memory.itemsize * 8}").view(memory.dtype)
            continue
        to, *sources = operands
        if base == "ld" and middle[0] == "param":
            result = np.full(count, values[sources[0].strip("[]")] & 0xFFFFFFFFFFFFFFFF, np.uint64)
        elif base == "ld":
            memory, index = place(sources[0])
            result = np.zeros(count, np.uint64)
            result[active] = memory[index].view(f"uint{memory.itemsize * 8}")
        elif base in ("mov", "cvta"):
            result = raw(read(sources[0], kind), kind)
        elif base == "cvt":
            # A narrow signed number is extended over the whole register.
            result = cast(raw(read(sources[0], kind), middle[-2]), middle[-2]).astype(np.uint64)
        elif base == "setp":
            result = raw(COMPARE[middle[0]](read(sources[0], kind), read(sources[1], kind)), "pred")
        elif base == "selp":
            result = np.where(cast(registers[sources[2]], "pred"), raw(read(sources[0], kind), kind), raw(read(sources[1], kind), kind))
        elif base in ("mul", "mad") and middle[0] in ("wide", "lo", "hi"):
            product = read(sources[0], kind) * read(sources[1], kind)
            size = int(kind[1:])
            if middle[0] == "hi":
                product = product >> type(product.flat[0])(size)
            if base == "mad":
                product = product + read(sources[2], kind[0] + str(size * (2 if middle[0] == "wide" else 1))).astype(product.dtype)
            result = raw(product, "b" + str(size * 2 if middle[0] == "wide" else size))
        elif base in ("div", "rem") and kind[0] in "su":
            a, b = read(sources[0], kind), read(sources[1], kind)
            result = raw(divide(a.astype(np.int64), b.astype(np.int64))[base == "rem"], kind)
        elif base in ("shl", "shr"):
            a, by = read(sources[0], kind), read(sources[1], "u32")
            result = raw(a << by.astype(a.dtype) if base == "shl" else a >> by.astype(a.dtype), kind)
        elif base == "bfe":
            bits, start, length = read(sources[0], "u64"), int(sources[1]), int(sources[2])
            field = (bits >> np.uint64(start)) & np.uint64((1 << length) - 1)
            if kind[0] == "s":
                field = field - (((field >> np.uint64(length - 1)) & np.uint64(1)) << np.uint64(length))
            result = raw(field, kind)
        elif base == "not":
            result = raw(~read(sources[0], kind), kind)
        elif base == "neg":
            result = raw(-read(sources[0], kind), kind)
        elif base in BINARY and len(sources) == 2:
            result = raw(BINARY[base](read(sources[0], kind), read(sources[1], kind)), kind)
        else:
            raise NotImplementedError(line)
        registers[to] = result
