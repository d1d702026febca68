"""Programs as Halide compiles them, by each of its ways to find a schedule.

Threads are as many as HL_NUM_THREADS says when the first parallel loop runs.
"""

import pathlib

import halide as hl

# Name in the table: autoscheduler.
AUTOSCHEDULERS = {"mullapudi": "Mullapudi2016", "adams": "Adams2019"}
# Name in the table: what a program's module calls its schedule by hand.
BY_HAND = {"manual": "cpu", "manual_a": "a", "manual_b": "b", "manual_c": "c"}


def load(autoscheduler):
    plugin = pathlib.Path(hl.__file__).parent / f"lib64/libautoschedule_{autoscheduler.lower()}.so"
    hl.load_plugin(str(plugin))


class Compiled:
    """A program with a schedule, for images of these sizes and for as many threads."""

    def __init__(self, module, schedule, shapes, numbers, result_shapes, threads):
        target = hl.get_jit_target_from_environment()
        arguments, outputs = module.pipeline(BY_HAND.get(schedule))
        outputs = outputs if isinstance(outputs, list) else [outputs]
        pipeline = hl.Pipeline(outputs)
        self.source = None
        if autoscheduler := AUTOSCHEDULERS.get(schedule):
            load(autoscheduler)
            known = iter([*shapes, *numbers])
            for argument in arguments:
                if isinstance(argument, hl.ImageParam):
                    argument.set_estimates(ranges(next(known)))
                else:
                    argument.set_estimate(next(known))
            known = iter(result_shapes)
            for output in outputs:
                # One of several values has as many results, of one shape.
                shape, *_ = [next(known) for _ in range(output.outputs())]
                output.set_estimates(ranges(shape))
            found = pipeline.apply_autoscheduler(target, hl.AutoschedulerParams(autoscheduler, {"parallelism": str(threads)}))
            self.source = found.schedule_source
        self.callable = pipeline.compile_to_callable(arguments, target)

    def bind(self, arrays, numbers, results):
        """A call without arguments that runs it on these arrays and numbers, by name."""
        arguments = [*map(hl.Buffer, arrays.values()), *numbers.values(), *map(hl.Buffer, results)]
        return lambda: self.callable(*arguments)


def ranges(shape):
    return [(0, extent) for extent in reversed(shape)]
