"""Rows of measurements as a table for a terminal and for docs/benchmarks.md, and what they have in common."""

import pathlib
import statistics

from suites import BEST

# A ratio below which ours is said to be slower.
SLOWER = 0.95
TITLES = {"ours": "ours, ms", "mullapudi": "Mullapudi", "adams": "Adams", "opencv": "OpenCV"}


def cpu():
    """The CPU's name; virtual machines hide it, so its family and model too."""
    fields = {}
    for text in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = text.partition(":")
        fields.setdefault(key.strip(), value.strip())
    family, model = (fields.get(key, "unknown") for key in ("cpu family", "model"))
    return f"{fields.get('model name', 'a CPU without a name')} (family {family}, model {model})"


def joined(rows):
    """The row of a program of those of its processes: of what several have, the first."""
    all = {}
    for row in rows:
        for key, value in row.items():
            all[key] = {**value, **all.get(key, {})} if isinstance(value, dict) else all.get(key, value)
    return all


def with_best(row):
    """The row with the fastest of several schedules as a side of its own, and which one that is."""
    row["best"] = {}
    for side, among in BEST.items():
        for values in (row.get("ratios", {}), row.get("ms", {})):
            if side not in row["best"] and (known := [name for name in among if name in values]):
                row["best"][side] = min(known, key=values.get)
        if chosen := row["best"].get(side):
            for values in (row.get("ratios", {}), row.get("ms", {})):
                if chosen in values:
                    values[side] = values[chosen]
    return row


def ratio(row, side):
    """How many times as long as ours a side takes."""
    return row.get("ratios", {}).get(side)


def share(row, side):
    """What part of its time a copy of the bytes that it must move takes."""
    if side not in row.get("ms", {}):
        return None
    return row["compulsory_bytes"] / row["copy_bytes_per_second"] / (row["ms"][side] * 1e-3)


def number(value, form):
    return "" if value is None else format(value, form)


def milliseconds(value):
    return "" if value is None else format(value, ".3g" if value < 100 else ".0f")


class Table:
    """Of a suite's sides."""

    def __init__(self, sides):
        self.sides = sides
        ratios = [f"/{side}" for side in (*sides, "opencv")]
        self.columns = ["program", "threads", "size", "ours", *sides, "opencv", *ratios, "of copy"]
        least = {"program": 20, "threads": 7, "size": 14}
        self.widths = [least.get(name, max(8, len(name))) for name in self.columns]

    def line(self, cells):
        pairs = enumerate(zip(cells, self.widths, strict=True))
        return "".join(f"{cell:<{w}}" if i in (0, 2) else f"{cell:>{w}} " for i, (cell, w) in pairs)

    def heading(self):
        return f"{cpu()}\n{self.line(self.columns)}"

    def row(self, row):
        ms = row.get("ms", {})
        fastest = "ours" if "ours" in ms else min(filter(ms.get, self.sides), key=ms.get, default="ours")
        cells = [row["program"], row["threads"], row.get("size", "")]
        cells += [milliseconds(ms.get(side)) for side in ("ours", *self.sides, "opencv")]
        cells += [number(ratio(row, side), ".2f") for side in (*self.sides, "opencv")]
        return self.line([*cells, number(share(row, fastest), ".2f")])


def of_threads(rows, threads):
    return [row for row in rows if row.get("threads") == threads]


def geometric_means(rows, sides):
    """Of the ratios of each side."""
    ratios = {side: list(filter(None, (ratio(row, side) for row in rows))) for side in sides}
    return {side: statistics.geometric_mean(found) for side, found in ratios.items() if found}


def slower(rows, side):
    """The programs in which a side is faster than ours, the worst first."""
    found = [(ratio(row, side), row["program"]) for row in rows if (ratio(row, side) or 1) < SLOWER]
    return [f"{name} {value:.2f}" for value, name in sorted(found)]


def markdown(rows, columns):
    """The table of docs/benchmarks.md, of rows with one number of threads."""
    head = ["program", "size", TITLES["ours"], *(TITLES.get(side, side) for side in columns)]
    lines = [head, ["---"] * len(head)]
    for row in rows:
        size, ms = row.get("size", "").replace("x", "\N{MULTIPLICATION SIGN}"), row.get("ms", {}).get("ours")
        # Three digits, also where the last ones are 0.
        time = milliseconds(ms) if ms is None or ms >= 100 else format(ms, "#.3g").rstrip(".")
        values = (share(row, "ours") if column == "of copy" else ratio(row, column) for column in columns)
        lines.append([f"`{row['program']}`", size, time, *(number(value, ".2f") for value in values)])
    means = geometric_means(rows, columns)
    lines.append(["geometric mean", "", "", *(number(means.get(side), ".2f") for side in columns)])
    # A cell with nothing in it has one space, as the page has it.
    return "\n".join("|" + "".join(f" {cell} |" if cell else " |" for cell in cells) for cells in lines)
