"""Whether the result of one compiler is that of another, as far as a program's module says."""


def difference(module, found, expected):
    """The largest difference (of floats: relative to the range), what part of the points is too far off, and is it allowed."""
    import numpy as np

    tolerance, undecided = getattr(module, "TOLERANCE", 0), getattr(module, "UNDECIDED", 0)
    errors = np.abs(found.astype(np.float64) - expected.astype(np.float64))
    if expected.dtype.kind == "f":
        errors /= float(expected.max()) - float(expected.min()) or 1.0
        errors[np.isnan(found) & np.isnan(expected)] = 0
    off = float(np.mean(~(errors <= tolerance)))
    kept = errors[errors <= tolerance]
    error = float(kept.max()) if off <= undecided and kept.size else float(errors.max())
    return error, off, off <= undecided
