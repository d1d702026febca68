//! The bilateral grid: points are summed into cells of place and brightness, smoothed there, and read between the cells.
//!
//! ```text
//!       x  0       8       16
//!      ----o---|---o---|---o----           cell gx holds the points 8 gx - 4 to 8 gx + 3: its middle is the point 8 gx,
//!      gx  0   |   1   |   2               and the point 11, at 11/8, reads 5/8 of cell 1 and 3/8 of cell 2
//! ```

use super::example::Example;
use crate::prelude::*;

pub(super) static EXAMPLE: Example = Example {
    name: "bilateral_grid",
    about: "The bilateral grid of a grey image, as Halide and PolyMage have it: every 8x8 points and every tenth of the brightness \
            are a cell that holds the sum of its points' values and how many they are; both are smoothed with 1 4 6 4 1 along \
            brightness, columns and rows, and each point of the result lies between the eight nearest cells, values by weights. \
            Cell gx holds the points 8 gx - 4 to 8 gx + 3. The edge of the image is repeated.",
    run: "--arg img=examples/data/camera.png --out smooth=smooth.png",
    program,
};

/// Points of a cell along columns and rows.
const CELL: i32 = 8;

/// Brightness is 0 to 10 tenths; the level above is empty, but smoothing fills it.
const LEVELS: i32 = 12;

fn program<'p>(p: &'p Pipeline) {
    let [y, x, gy, gx, z] = p.vars(["y", "x", "gy", "gx", "z"]);
    let [ry, rx] = p.vars(["ry", "rx"]);
    let img = p.image("img", F32, [DYN, DYN]).estimate([2560, 1536]);
    // Cells that are read, from that of the first point to the one behind that of the last.
    let [tall, wide] = [0, 1].map(|dimension| (img.extent(dimension) + (CELL - 1)) / CELL + 1);

    let clipped = p.stage("clipped", img.shape([y, x]), img.at((y, x)).clamp(0.0, 1.0));

    // Smoothing reads two more on each side: cell gy of the grid is cell gy - 2 of the image.
    let first = 2 * CELL + CELL / 2;
    let own = clipped.clamp().at((gy * CELL + ry - first, gx * CELL + rx - first));
    let level = (own * 10.0 + 0.5).cast(I32).cast(Index);
    let cell = i64::from(CELL);
    let grid = p
        .scatters("grid", [gy.to(tall + 4), gx.to(wide + 4), z.to(LEVELS)], [0.0, 0.0])
        .over([ry.over(0..cell), rx.over(0..cell)])
        .add((gy, gx, level), [own, p.constant(F32, 1)]);

    // Values and weights go through all that follows together.
    let smooth = |at: &dyn Fn(i32) -> Expr<'p>| at(0) + at(4) + (at(1) + at(3)) * 4.0 + at(2) * 6.0;
    let along_z = grid.map(|image| smooth(&|i| image.padding(0.0).at((gy, gx, z + i - 2))));
    let blurz = p.stages("blurz", [gy.to(tall + 4), gx.to(wide + 4), z.to(LEVELS)], along_z);
    let along_x = blurz.map(|image| smooth(&|i| image.at((gy, gx + i, z))));
    let blurx = p.stages("blurx", [gy.to(tall + 4), gx.to(wide), z.to(LEVELS)], along_x);
    let along_y = blurx.map(|image| smooth(&|i| image.at((gy + i, gx, z))));
    let blury = p.stages("blury", [gy.to(tall), gx.to(wide), z.to(LEVELS)], along_y);

    let tenths = clipped.at((y, x)) * 10.0;
    let level = tenths.cast(I32);
    let between = |i: Var<'p>| (i % CELL).cast(F32) / f64::from(CELL);
    let interpolated = blury.map(|image| {
        let at = |dz: i32, dy: i32, dx: i32| image.clamp().at((y / CELL + dy, x / CELL + dx, level.cast(Index) + dz));
        let row = |dz: i32, dy: i32| at(dz, dy, 0).lerp(at(dz, dy, 1), between(x));
        let plane = |dz: i32| row(dz, 0).lerp(row(dz, 1), between(y));
        plane(0).lerp(plane(1), tenths - level.cast(F32))
    });
    let [values, weights] = p.stages("interpolated", img.shape([y, x]), interpolated);
    p.output("smooth", p.stage("smooth", img.shape([y, x]), values.at((y, x)) / weights.at((y, x))));
}
