//! Expressions against brute force: whatever the analysis claims of a random expression must hold at every point of a
//! small domain, and ranges computed on symbols must agree with ranges computed on integers.

use std::rc::Rc;

use proptest::prelude::*;
use weft_model::{Arith, Boundary, Expr, Ints, Range, dim, is_exact, range_of, region_read, resolve};

/// Raw trees (not through the folding constructors) of depth up to 4 over `dims` coordinates.
fn expr(dims: usize, divisor: i64) -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![1 => (-9i64..=9).prop_map(Expr::Const), 4 => (0..dims).prop_map(Expr::Dim)];
    leaf.prop_recursive(4, 16, 2, move |e| {
        let divided = move |e: BoxedStrategy<Expr>| (e.prop_map(Box::new), 1..=divisor);
        prop_oneof![
            3 => (e.clone(), e.clone()).prop_map(|(l, r)| Expr::Add(l.into(), r.into())),
            1 => (e.clone(), -4i64..=4).prop_map(|(e, c)| Expr::Mul(e.into(), c)),
            1 => divided(e.clone().boxed()).prop_map(|(e, c)| Expr::FloorDiv(e, c)),
            1 => divided(e.clone().boxed()).prop_map(|(e, c)| Expr::CeilDiv(e, c)),
            1 => divided(e.boxed()).prop_map(|(e, c)| Expr::Mod(e, c)),
        ]
    })
}

fn domain(dims: usize) -> impl Strategy<Value = Vec<Range<i64>>> {
    prop::collection::vec((-12i64..=12, 0i64..=9).prop_map(|(lo, more)| Range::new(lo, lo + more)), dims)
}

/// An expression, and a box for the coordinates 0, 1 and 2.
fn case() -> impl Strategy<Value = (Expr, Vec<Range<i64>>)> {
    (1usize..=3).prop_flat_map(|dims| (expr(dims, 7), domain(3)))
}

/// The points of a box.
fn all_points(domain: &[Range<i64>]) -> Vec<Vec<i64>> {
    domain.iter().fold(vec![vec![]], |points, range| {
        let longer = |p: &Vec<i64>| (range.lo..=range.hi).map(|x| [&p[..], &[x]].concat()).collect::<Vec<_>>();
        points.iter().flat_map(longer).collect()
    })
}

fn brute_force(expr: &Expr, domain: &[Range<i64>]) -> Range<i64> {
    let values: Vec<_> = all_points(domain).iter().map(|p| expr.eval(p)).collect();
    Range::new(*values.iter().min().unwrap(), *values.iter().max().unwrap())
}

/// An expression of extents, built instead of computed. Nothing is folded.
#[derive(Clone, Debug)]
enum Sym {
    Const(i64),
    Extent(usize),
    Op(char, Rc<Sym>, Rc<Sym>),
}

impl Sym {
    fn eval(&self, extents: &[i64]) -> i64 {
        match self {
            Sym::Const(c) => *c,
            Sym::Extent(i) => extents[*i],
            Sym::Op(op, l, r) => {
                let (l, r) = (l.eval(extents), r.eval(extents));
                match op {
                    '+' => l + r,
                    '*' => l * r,
                    '/' => l.div_euclid(r),
                    '%' => l.rem_euclid(r),
                    '<' => l.min(r),
                    '>' => l.max(r),
                    _ => unreachable!(),
                }
            }
        }
    }
}

fn op(op: char, l: &Sym, r: &Sym) -> Sym {
    Sym::Op(op, l.clone().into(), r.clone().into())
}

struct Symbols;

impl Arith for Symbols {
    type V = Sym;
    fn constant(&mut self, v: i64) -> Sym {
        Sym::Const(v)
    }
    fn add(&mut self, a: &Sym, b: &Sym) -> Sym {
        op('+', a, b)
    }
    fn mul(&mut self, a: &Sym, c: i64) -> Sym {
        op('*', a, &Sym::Const(c))
    }
    fn floor_div(&mut self, a: &Sym, c: i64) -> Sym {
        op('/', a, &Sym::Const(c))
    }
    fn modulo(&mut self, a: &Sym, c: i64) -> Sym {
        op('%', a, &Sym::Const(c))
    }
    fn min(&mut self, a: &Sym, b: &Sym) -> Sym {
        op('<', a, b)
    }
    fn max(&mut self, a: &Sym, b: &Sym) -> Sym {
        op('>', a, b)
    }
    fn as_constant(&self, v: &Sym) -> Option<i64> {
        match v {
            Sym::Const(c) => Some(*c),
            _ => None,
        }
    }
}

/// The modes that always read something.
const BOUNDARIES: [Boundary; 5] =
    [Boundary::None, Boundary::Clamp, Boundary::Mirror, Boundary::Reflect101, Boundary::Wrap];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn ranges_are_sound_and_exact_where_they_say_so((expr, domain) in case()) {
        let (got, want) = (range_of(&expr, &domain, &mut Ints), brute_force(&expr, &domain));
        prop_assert!(got.lo <= want.lo && want.hi <= got.hi, "{expr}: {got:?} lacks some of {want:?}");
        if is_exact(&expr) {
            prop_assert_eq!(got, want, "{}", expr);
        }
    }

    /// Separable expressions with short periods are exact, and known to be: divisors up to 2, nested four deep at most,
    /// give a period up to 16.
    #[test]
    fn separable_is_exact(f in expr(1, 2), g in expr(1, 2), h in expr(1, 2), domain in domain(3)) {
        let expr = f + g.substitute(&[dim(1)]) - h.substitute(&[dim(2)]);
        prop_assert!(is_exact(&expr), "{expr}");
        prop_assert_eq!(range_of(&expr, &domain, &mut Ints), brute_force(&expr, &domain), "{}", expr);
    }

    /// Domains of which some ends are extents and some are numbers.
    #[test]
    fn symbols_agree_with_integers((expr, domain) in case(), dynamic in prop::collection::vec(any::<bool>(), 6)) {
        let extents: Vec<i64> = domain.iter().flat_map(|r| [r.lo, r.hi]).collect();
        let end = |i: usize| if dynamic[i] { Sym::Extent(i) } else { Sym::Const(extents[i]) };
        let symbolic: Vec<_> = (0..3).map(|d| Range::new(end(2 * d), end(2 * d + 1))).collect();
        let Range { lo, hi } = range_of(&expr, &symbolic, &mut Symbols);
        let got = Range::new(lo.eval(&extents), hi.eval(&extents));
        prop_assert_eq!(got, range_of(&expr, &domain, &mut Ints), "{}", expr);
    }

    #[test]
    fn rewriting_keeps_the_value((expr, _) in case(), by in prop::collection::vec(expr(3, 4), 3), at in prop::array::uniform3(-50i64..=50)) {
        prop_assert_eq!(expr.simplified().eval(&at), expr.eval(&at), "{} as {}", expr, expr.simplified());
        prop_assert_eq!(expr.simplified().simplified(), expr.simplified());
        let inner: Vec<_> = by.iter().map(|e| e.eval(&at)).collect();
        prop_assert_eq!(expr.substitute(&by).eval(&at), expr.eval(&inner));
    }

    #[test]
    fn reads_agree_with_resolve(lo in -300i64..300, more in 0i64..200, extent in 1i64..100,
            boundary in prop::sample::select(BOUNDARIES.to_vec())) {
        let range = Range::new(lo, lo + more);
        let read: Vec<_> = (range.lo..=range.hi).map(|i| resolve(i, extent, boundary).unwrap()).collect();
        let want = Range::new(*read.iter().min().unwrap(), *read.iter().max().unwrap());
        prop_assert_eq!(region_read(range, extent, boundary), Some(want));
    }
}
