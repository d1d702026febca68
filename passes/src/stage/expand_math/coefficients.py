"""Prints coefficients.rs: constants in parts, and polynomials fitted with mpmath (pip install mpmath).

    coefficients.py | rustfmt > coefficients.rs

A polynomial interpolates its function at the Chebyshev nodes of the interval, which is near the least maximal error, and is then
rounded coefficient by coefficient. How many there are was chosen such that one less is felt in the results.
"""

from mpmath import asin, atan, cbrt, chebyfit, cos, exp, expm1, log, log1p, mp, mpf, pi, sin, sqrt, tanh

# The digits of 2 / pi take the most.
mp.dps = 420
LN2 = log(2)

# What is fitted, over which interval, and how many coefficients it takes in f32 and f64. Arguments of even and odd functions are
# squares, hence the roots.
POLYNOMIALS = {
    "EXP": ("(e^x - 1 - x) / x^2", lambda x: (expm1(x) - x) / x**2, -LN2 / 2, LN2 / 2, 5, 10),
    "EXP2": ("(2^x - 1) / x", lambda x: expm1(x * LN2) / x, mpf(-1) / 2, mpf(1) / 2, 6, 11),
    "LOG1P": ("(log(1 + x) - x) / x^2", lambda x: (log1p(x) - x) / x**2, mpf(-1) / 3, mpf(1) / 3, 9, 20),
    "ATANH": (
        "((artanh(x) / x - 1) / x^2 - 1/3) / x^2, of x^2",
        lambda z: ((log((1 + sqrt(z)) / (1 - sqrt(z))) / 2 / sqrt(z) - 1) / z - mpf(1) / 3) / z,
        mpf(0),
        (3 - 2 * sqrt(2)) ** 2,
        4,
        8,
    ),
    "TANH": ("(tanh(x) / x - 1) / x^2, of x^2", lambda z: (tanh(sqrt(z)) / sqrt(z) - 1) / z, mpf(0), mpf(9) ** 2 / 256, 5, 11),
    "SIN": ("(sin(x) / x - 1) / x^2, of x^2", lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, mpf(0), (pi / 4) ** 2, 3, 6),
    "COS": ("((cos(x) - 1) / x^2 + 1/2) / x^2, of x^2", lambda z: ((cos(sqrt(z)) - 1) / z + mpf(1) / 2) / z, mpf(0), (pi / 4) ** 2, 3, 6),
    "ATAN": ("(arctan(x) / x - 1) / x^2, of x^2", lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, mpf(0), mpf(1), 9, 20),
    "ASIN": ("(arcsin(x) / x - 1) / x^2, of x^2", lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, mpf(0), mpf(1) / 4, 5, 12),
    "CBRT": ("the cube root, a first guess", cbrt, mpf(1) / 3, mpf(8) / 3, 5, 5),
}


def rounded(value, bits):
    """To nearest even, as f32 or f64 in their normal range; exact as a Python float."""
    with mp.workprec(bits):
        return mpf(value) + 0


def literal(value):
    text = repr(float(value))
    return text if "." in text or "e" in text else text + ".0"


def parts(name, value, bits, first=None, count=2):
    """A constant as a sum: the first part of `first` bits, the others of all."""
    found = []
    for number in range(count):
        part = rounded(value, first if number == 0 and first else bits)
        found.append(literal(part))
        value -= part
    return found


print("//! Made by `coefficients.py`; not to be changed by hand.")
print()
print('#![allow(clippy::approx_constant, reason = "all parts of a constant are of one kind, and made in one way")]')
print()
print("use super::table::Table;")
for name, bits in [("F32", 24), ("F64", 53)]:
    words = 32 if name == "F32" else 64
    print(f"\n/// What the functions of {name.lower()} are made of.")
    print(f"pub(super) const {name}: Table = Table {{")
    exponent = 8 if name == "F32" else 11
    for constant, value, first, count in [
        ("ln2", LN2, None, 2),
        # Exact when multiplied by an exponent.
        ("ln2_short", LN2, bits - exponent, 2),
        ("log2_e", 1 / LN2, None, 2),
        ("log10_2", log(2) / log(10), None, 2),
        ("log10_e", 1 / log(10), None, 2),
        ("half_pi", pi / 2, None, 3),
        ("third", mpf(1) / 3, None, 2),
    ]:
        print(f"    {constant}: [{', '.join(parts(constant, value, bits, first, count))}],")
    print(f"    two_over_pi: {literal(rounded(2 / pi, bits))},")
    print(f"    sqrt_half: {literal(rounded(sqrt(mpf(1) / 2), bits))},")
    print(f"    two_thirds: {literal(rounded(mpf(2) / 3, bits))},")
    for polynomial, (formula, function, low, high, *counts) in POLYNOMIALS.items():
        count = counts[name == "F64"]
        # At 0 these are limits.
        near = lambda x: function(x if abs(x) > mpf(10) ** -30 else mpf(10) ** -30)
        fit, error = chebyfit(near, [low, high], count, error=True)
        print(f"    // {formula}; within {mp.nstr(error, 2)} before rounding.")
        print(f"    {polynomial.lower()}: &[{', '.join(literal(rounded(c, bits)) for c in fit)}],")
    # Up to the greatest exponent, and three words more.
    count = (1 << exponent - 1) // words + 3
    digits = int(mp.floor(2 / pi * mpf(2) ** (words * count)))
    table = [(digits >> words * (count - 1 - place)) & ((1 << words) - 1) for place in range(count)]
    signed = [word - (1 << words) if word >> words - 1 else word for word in table]
    print("    // The binary digits of 2 / pi.")
    print(f"    digits: &[{', '.join(str(word) for word in [0] + signed)}],")
    print("};")
