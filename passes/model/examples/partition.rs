//! How long the search for a partition takes, and what it finds:
//!
//! ```text
//! cargo run --release -p weft-model --example partition
//! ```
//!
//! Three programs of the size that the papers have, with a cost of the usual kind: images that a group reads and writes, points
//! computed twice where tiles overlap, a launch; and a limit on the images in a tile. An evaluation is made to take 30
//! microseconds, which is about what a model with several tile sizes takes.

use std::hint::black_box;
use std::time::{Duration, Instant};
use weft_model::partition::{Bounds, Costs, Graph, Memo, Partition, StageSet, all, dp, greedy, none, segments, split};

/// A stage: what it reads, how far it looks, what it does at a point, and its points as a part of the image's.
struct Stage {
    reads: Vec<usize>,
    reach: f64,
    work: f64,
    points: f64,
}

#[derive(Default)]
struct Program {
    stages: Vec<Stage>,
}

impl Program {
    fn stage(&mut self, reads: &[usize], reach: f64, work: f64, points: f64) -> usize {
        self.stages.push(Stage { reads: reads.to_vec(), reach, work, points });
        self.stages.len() - 1
    }

    fn graph(&self) -> Graph {
        let edges = self.stages.iter().enumerate().flat_map(|(s, stage)| stage.reads.iter().map(move |&p| (p, s)));
        let inputs: Vec<Vec<usize>> =
            self.stages.iter().map(|stage| if stage.reads.is_empty() { vec![0] } else { vec![] }).collect();
        Graph::new(self.stages.len(), edges).expect("stages are made in order").connect_by_sources(&inputs)
    }

    /// Harris corners, as in `examples/harris.mlir`.
    fn harris() -> Program {
        let mut p = Program::default();
        let [ix, iy] = [p.stage(&[], 1.0, 8.0, 1.0), p.stage(&[], 1.0, 8.0, 1.0)];
        let products = [[ix, ix], [ix, iy], [iy, iy]].map(|reads| p.stage(&reads, 0.0, 1.0, 1.0));
        let [xx, xy, yy] = products.map(|product| p.stage(&[product], 1.0, 9.0, 1.0));
        let det = p.stage(&[xx, xy, yy], 0.0, 3.0, 1.0);
        let trace = p.stage(&[xx, yy], 0.0, 1.0, 1.0);
        p.stage(&[det, trace], 0.0, 3.0, 1.0);
        p
    }

    /// Multi-scale interpolation: a pyramid down, and up again with a look at each level on the way.
    fn interpolate() -> Program {
        let (mut p, levels) = (Program::default(), 10);
        let scale = |level: usize| 0.25f64.powi(level as i32);
        let mut down = vec![p.stage(&[], 0.0, 2.0, 1.0)];
        for level in 1..levels {
            let x = p.stage(&[down[level - 1]], 1.0, 4.0, 2.0 * scale(level));
            down.push(p.stage(&[x], 1.0, 4.0, scale(level)));
        }
        let mut up = down[levels - 1];
        for level in (0..levels - 1).rev() {
            let x = p.stage(&[up], 0.5, 2.0, 0.5 * scale(level));
            let y = p.stage(&[x], 0.5, 2.0, scale(level));
            up = p.stage(&[y, down[level]], 0.0, 4.0, scale(level));
        }
        let normal = p.stage(&[up], 0.0, 2.0, 1.0);
        let clamped = p.stage(&[normal], 0.0, 2.0, 1.0);
        p.stage(&[clamped], 0.0, 1.0, 1.0);
        p
    }

    /// Local Laplacian filters: two pyramids down, a pyramid of differences, what of it each level uses, and one up.
    fn local_laplacian() -> Program {
        let (mut p, levels) = (Program::default(), 8);
        let scale = |level: usize| 0.25f64.powi(level as i32);
        let gray = p.stage(&[], 0.0, 3.0, 1.0);
        let remap = p.stage(&[gray], 0.0, 8.0, 4.0);
        let mut pyramid = |top: usize, many: f64| {
            let mut all = vec![top];
            for level in 1..levels {
                let x = p.stage(&[all[level - 1]], 1.0, 4.0, 2.0 * many * scale(level));
                all.push(p.stage(&[x], 1.0, 4.0, many * scale(level)));
            }
            all
        };
        let (image, mapped) = (pyramid(gray, 1.0), pyramid(remap, 4.0));
        let mut out: Option<usize> = None;
        for level in (0..levels).rev() {
            let raise = |p: &mut Program, image: usize, many: f64| {
                let x = p.stage(&[image], 0.5, 2.0, 0.5 * many * scale(level));
                p.stage(&[x], 0.5, 2.0, many * scale(level))
            };
            let laplace = match mapped.get(level + 1) {
                None => p.stage(&[mapped[level]], 0.0, 1.0, 4.0 * scale(level)),
                Some(&above) => {
                    let raised = raise(&mut p, above, 4.0);
                    p.stage(&[mapped[level], raised], 0.0, 1.0, 4.0 * scale(level))
                }
            };
            let index = p.stage(&[image[level]], 0.0, 2.0, scale(level));
            let weight = p.stage(&[image[level], index], 0.0, 2.0, scale(level));
            let chosen = p.stage(&[laplace, index, weight], 0.0, 4.0, scale(level));
            out = Some(match out {
                None => p.stage(&[chosen], 0.0, 1.0, scale(level)),
                Some(out) => {
                    let raised = raise(&mut p, out, 1.0);
                    p.stage(&[raised, chosen], 0.0, 1.0, scale(level))
                }
            });
        }
        p.stage(&[out.unwrap_or(gray), gray], 0.0, 6.0, 1.0);
        p
    }
}

struct Model<'a> {
    program: &'a Program,
    graph: &'a Graph,
    evaluation: Duration,
    tile: f64,
}

impl Costs for Model<'_> {
    type Rejection = f64;

    fn cost(&mut self, group: &StageSet) -> Result<f64, f64> {
        let started = Instant::now();
        let stages = &self.program.stages;
        let mut halo = vec![0.0f64; stages.len()];
        let (mut moved, mut work, mut images) = (0.0, 0.0, 0.0);
        for s in group.iter().collect::<Vec<_>>().into_iter().rev() {
            let consumers = self.graph.consumers(s);
            halo[s] = consumers.intersection(group).iter().map(|c| halo[c] + stages[c].reach).fold(0.0, f64::max);
            let overlap = ((32.0 + 2.0 * halo[s]) / 32.0) * ((8.0 + 2.0 * halo[s]) / 8.0);
            work += stages[s].points * stages[s].work * overlap;
            images += stages[s].points.min(1.0) * overlap;
            if consumers.is_empty() || !consumers.is_subset(group) {
                moved += stages[s].points;
            }
        }
        let inputs = self.graph.inputs(group);
        moved += inputs.iter().map(|s| stages[s].points).sum::<f64>();
        moved += if group.iter().any(|s| stages[s].reads.is_empty()) { 1.0 } else { 0.0 };
        while started.elapsed() < self.evaluation {
            black_box(&moved);
        }
        if images > self.tile { Err(images) } else { Ok(40.0 * moved + work + 2.0) }
    }

    fn may_grow(&self, _images: &f64) -> bool {
        // A tile of more stages holds more images.
        false
    }
}

fn main() {
    let programs = [
        ("harris", Program::harris()),
        ("interpolate", Program::interpolate()),
        ("local laplacian", Program::local_laplacian()),
    ];
    println!(
        "{:16} {:>6} {:>5}  {:9} {:>8} {:>6} {:>9} {:>8} {:>6} {:>6} {:>8}",
        "", "stages", "tile", "search", "cost", "groups", "evaluated", "states", "pruned", "bounds", "seconds"
    );
    for (name, program) in &programs {
        let graph = program.graph();
        for tile in [6.0, 12.0, f64::INFINITY] {
            type Search = fn(&Graph, &mut Memo<Model>) -> Option<Partition>;
            let searches: [(&str, Search); 6] = [
                ("none", |graph, costs| none(graph, costs).ok()),
                ("all", |graph, costs| all(graph, costs).ok()),
                ("greedy", |graph, costs| greedy(graph, costs).ok()),
                ("split", |graph, costs| split(graph, costs, &Bounds::for_stages(graph.stages())).ok()),
                ("segments", |graph, costs| segments(graph, costs, &Bounds::for_stages(graph.stages())).ok()),
                ("dp", |graph, costs| dp(graph, costs, &Bounds::for_stages(graph.stages())).ok()),
            ];
            for (what, search) in searches {
                let evaluation = Duration::from_micros(30);
                let mut costs = Memo::new(Model { program, graph: &graph, evaluation, tile });
                let started = Instant::now();
                let found = search(&graph, &mut costs);
                let seconds = started.elapsed().as_secs_f64();
                print!("{name:16} {:>6} {tile:>5}  {what:9}", graph.stages());
                match found {
                    None => println!(" rejected"),
                    Some(Partition { groups, cost, stats }) => println!(
                        " {cost:>8.2} {:>6} {:>9} {:>8} {:>6} {:>6} {seconds:>8.3}",
                        groups.len(),
                        stats.evaluations,
                        stats.states,
                        stats.pruned,
                        stats.bound_hits
                    ),
                }
            }
        }
    }
}
