"""The suites of programs: where they lie, and which schedules of Halide's take turns with our code.

`papers` are the programs of examples/. `unseen` are programs that the compiler was not developed on: plain Forma as a user writes it,
and in Halide three schedules by hand of different kinds, of which the best counts. `seen` are those that were unseen until the compiler was
developed on them, in the same form.
"""

import pathlib
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
AUTOSCHEDULERS = ["mullapudi", "adams"]
PAPERS = """blur gaussian unsharp harris harris_rgb grade bilateral_grid camera_pipe interpolate local_laplacian nl_means max_filter
iir_blur histogram_equalize lens_blur stencil_chain conv_layer""".split()
SIDES = ["manual", *AUTOSCHEDULERS]
# What is the best of several schedules.
BEST = {"manual": ["manual_a", "manual_b", "manual_c"], "autoscheduler": AUTOSCHEDULERS}


@dataclass(frozen=True)
class Suite:
    """Programs in the order of the table, schedules by hand, the sides beside ours, and the columns behind ours in docs/benchmarks.md."""

    folder: pathlib.Path
    sources: pathlib.Path
    programs: list
    manual: list
    sides: list
    columns: list

    @property
    def schedules(self):
        return [*self.manual, *AUTOSCHEDULERS]

    def source(self, name):
        """Our program."""
        return next(path for suffix in (".fm", ".mlir") if (path := self.sources / f"{name}{suffix}").exists())


def of_user(name):
    """A suite in one folder, of programs as a user writes them."""
    folder = HERE / name
    programs = sorted(path.stem for path in folder.glob("*.py"))
    return Suite(folder, folder, programs, BEST["manual"], [*BEST], [*BEST, "opencv", "of copy"])


SUITES = {
    "papers": Suite(HERE / "programs", ROOT / "examples", PAPERS, ["manual"], SIDES, SIDES),
    "unseen": of_user("unseen"),
    "seen": of_user("seen"),
}
