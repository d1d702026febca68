"""What canonicalize and cse find to remove behind each of our passes, in a pipeline as users run it.

    noise.py cpu|ptx MOST FILE|FOLDER...      with pipeline-opt on PATH; MOST is in percent

A pass builds what a reader is to read: no op that is dead, there twice, or known. The passes are those that --pipeline-to-cpu and
--pipeline-to-ptx say that they run, as far as the first that is not ours and no clean-up; each program takes two processes.
"""

import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

# The pipeline, and the first pass of MLIR's own conversions. The CPU is named, so that any machine says the same.
PIPELINES = {
    "cpu": ("--pipeline-to-cpu=target=avx2", "func.func("),
    "ptx": ("--pipeline-to-ptx", "nvvm-attach-target"),
}
# MLIR's own, which run between ours.
CLEAN_UP = ("canonicalize", "cse", "loop-invariant-code-motion")
# In the generic form each op begins a line: its results, and its name in quotes.
OP = re.compile(r'^\s*(?:%[^"=]* = )?"([\w.]+)"\(', re.MULTILINE)
DUMP = re.compile(r"^// -----// IR Dump After \S+ \(([^)]*)\) //----- //\n", re.MULTILINE)
MARKER = "// -----\n"


def opt(*arguments, text=None):
    """Both outputs of pipeline-opt."""
    run = subprocess.run(["pipeline-opt", *arguments], input=text, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"pipeline-opt {' '.join(arguments)}\n{run.stderr[-2000:]}")
    return run.stdout, run.stderr


def passes_of(pipeline, end):
    """The passes with their options, as --dump-pass-pipeline prints them: one a line."""
    _, dump = opt(pipeline, "--dump-pass-pipeline", "-", text="module {}")
    lines = [line.strip().rstrip(",") for line in dump.split("builtin.module(\n", 1)[1].splitlines()]
    return lines[: next(number for number, line in enumerate(lines) if line.startswith(end))]


def files_of(path):
    if os.path.isfile(path):
        return [path]
    return glob.glob(os.path.join(path, "*.mlir"))


def count(text):
    return collections.Counter(OP.findall(text))


def noise(passes, file):
    """For each pass: how many ops there are behind it, and how many of them, by name, a clean-up removes."""
    pipeline = f"builtin.module({','.join(passes)})"
    # What changed nothing makes no noise.
    dumped = ["--mlir-print-op-generic", "--mlir-print-ir-after-all", "--mlir-print-ir-after-change"]
    _, dumps = opt(f"--pass-pipeline={pipeline}", *dumped, "-o", os.devnull, file)
    # Text before the first, then in turn a name and a dump.
    _, *parts = DUMP.split(dumps)
    behind = [(name, dump) for name, dump in zip(parts[::2], parts[1::2]) if name not in CLEAN_UP]
    # What the program's own text repeats is no pass's doing.
    own, _ = opt("--mlir-print-op-generic", file)
    behind.insert(0, ("the text", own))
    text = MARKER.join(dump for _, dump in behind)
    clean, _ = opt("--canonicalize", "--cse", "--mlir-print-op-generic", "--split-input-file", text=text)
    clean = clean.split(MARKER)
    assert len(clean) == len(behind), f"{file}: {len(behind)} dumps, {len(clean)} of them clean"
    own = count(own) - count(clean[0])
    for (name, dump), after in list(zip(behind, clean))[1:]:
        before, after = count(dump), count(after)
        removed = before - after - own
        yield name, before.total(), removed.total(), removed


def main():
    kind, most, *paths = sys.argv[1:]
    files = [file for path in paths for file in files_of(path)]
    passes = passes_of(*PIPELINES[kind])
    failed, total = 0, {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        # The longest first.
        files = sorted(files, key=os.path.getsize, reverse=True)
        for file, found in zip(files, pool.map(lambda file: list(noise(passes, file)), files)):
            for name, ops, removed, names in found:
                if removed * 100 >= float(most) * ops:
                    failed += 1
                    often = ", ".join(f"{number} {op}" for op, number in names.most_common(5))
                    print(f"{os.path.basename(file)} behind {name}: {removed} of {ops} ops are noise: {often}")
                total.setdefault(name, collections.Counter()).update(names)
    if failed == 0:
        print(f"{kind}: {len(files)} programs, {len(total)} passes, no noise")
        return
    for name, names in total.items():
        often = ", ".join(f"{number} {op}" for op, number in names.most_common(8))
        print(f"all programs behind {name}: {often or 'none'}")
    sys.exit(1)


if __name__ == "__main__":
    main()
