// Draws the page from its data: the stage graph once, the rest for the group that is chosen.
//
//   data.graph    nodes (input, stage, result) and edges of the program as it is written
//   data.target   the machine, a GPU or a CPU
//   data.groups   groups after --fuse or --cpu-schedule: name, stages, IR, kernels with their PTX or loops of the CPU
//   data.report   what that pass says of them: schedule, cost, boxes, candidates, what was rejected

const COLOURS = 8;
const reports = data.report ? data.report.groups : [];
const reportOf = (group) => reports.find((report) => report.name === group.name);

const colour = (group) => `--c: var(--c${group % COLOURS})`;
const times = (extents) => extents.join(" × ");
const product = (extents) => extents.reduce((all, extent) => all * extent, 1);
const bytes = (value) => (value >= 1 << 20 ? `${number(value / (1 << 20))} MiB` : value >= 1024 ? `${number(value / 1024)} KiB` : `${number(value)} B`);
const plural = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
const short = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

// ---- Which group a node is of ---------------------------------------------------------------------------------------------

const { nodes, edges } = data.graph;
for (const node of nodes) Object.assign(node, { group: null, inlined: null, outs: [], ins: [] });
for (const edge of edges) {
  nodes[edge.from].outs.push(edge);
  nodes[edge.to].ins.push(edge);
}
// Names are not unique: the nth stage of a name in the program is the nth in the groups, which keep the order.
const places = new Map();
data.groups.forEach((group, index) => group.stages.forEach((stage) => places.set(stage, [...(places.get(stage) || []), index])));
for (const node of nodes) {
  if (node.kind === "stage") node.group = (places.get(node.name) || []).shift() ?? null;
}
// Producers come before their consumers, so that backwards the consumers are known.
for (const node of [...nodes].reverse()) {
  const readers = node.outs.map((edge) => nodes[edge.to]).filter((reader) => reader.kind === "stage");
  if (node.kind !== "stage") continue;
  if (node.group === null && readers.length) {
    node.group = readers[0].group;
    node.inlined = [...new Set(readers.map((reader) => reader.name))].join(", ");
    node.early = true;
  } else if (node.group !== null) {
    const report = reportOf(data.groups[node.group]);
    const stage = report && report.stages.find((stage) => stage.name === node.name);
    node.inlined = stage ? stage.inlined_into : null;
  }
}

// ---- The graph: layers by longest path, order by barycentres, places by least squares -------------------------------------

const ROW = 26, GAP = 30, CHARACTER = 7.3;

function layout() {
  const layer = nodes.map(() => 0);
  nodes.forEach((node, index) => node.outs.forEach((edge) => (layer[edge.to] = Math.max(layer[edge.to], layer[index] + 1))));
  // An input stands right above the first that reads it.
  nodes.forEach((node, index) => {
    if (node.kind === "input" && node.outs.length) layer[index] = Math.min(...node.outs.map((edge) => layer[edge.to])) - 1;
  });
  const layers = Array.from({ length: Math.max(0, ...layer) + 1 }, () => []);
  const boxes = nodes.map((node, index) => {
    node.label = short(node.name, 20);
    const box = { layer: layer[index], width: node.label.length * CHARACTER + 18, up: [], down: [], x: 0 };
    layers[box.layer].push(box);
    return box;
  });
  // An edge over several layers bends at a place of its own in each.
  const join = (from, to) => (from.down.push(to), to.up.push(from));
  const chains = edges.map((edge) => {
    const chain = [boxes[edge.from]];
    for (let at = layer[edge.from] + 1; at < layer[edge.to]; at++) {
      const bend = { layer: at, width: 6, up: [], down: [], x: 0 };
      layers[at].push(bend);
      chain.push(bend);
    }
    chain.push(boxes[edge.to]);
    for (let i = 1; i < chain.length; i++) join(chain[i - 1], chain[i]);
    return chain;
  });

  const number = () => layers.forEach((row) => row.forEach((box, index) => (box.rank = index)));
  const mean = (list, of) => list.reduce((sum, box) => sum + of(box), 0) / list.length;
  const crossings = () =>
    layers.reduce((sum, row) => {
      const pairs = row.flatMap((box) => box.down.map((to) => [box.rank, to.rank]));
      let crossed = 0;
      for (let i = 0; i < pairs.length; i++)
        for (let j = 0; j < i; j++) if ((pairs[i][0] - pairs[j][0]) * (pairs[i][1] - pairs[j][1]) < 0) crossed++;
      return sum + crossed;
    }, 0);
  number();
  let best = { count: crossings(), rows: layers.map((row) => [...row]) };
  for (let sweep = 0; sweep < 16 && best.count; sweep++) {
    const side = sweep % 2 ? "down" : "up";
    for (const row of sweep % 2 ? [...layers].reverse() : layers) {
      for (const box of row) box.key = box[side].length ? mean(box[side], (other) => other.rank) : box.rank;
      row.sort((a, b) => a.key - b.key);
      row.forEach((box, index) => (box.rank = index));
    }
    const count = crossings();
    if (count < best.count) best = { count, rows: layers.map((row) => [...row]) };
  }
  best.rows.forEach((row, index) => (layers[index] = row));

  // In its row each box goes where its neighbours are, as far as the order and the widths let it: boxes that would overlap
  // move as one block to the mean of what they want.
  for (let sweep = 0; sweep < 40; sweep++) {
    for (const row of sweep % 2 ? [...layers].reverse() : layers) {
      let offset = 0;
      const blocks = [];
      row.forEach((box, index) => {
        if (index) offset += (row[index - 1].width + box.width) / 2 + 14;
        box.offset = offset;
        const around = [...box.up, ...box.down];
        blocks.push({ sum: (around.length ? mean(around, (other) => other.x) : box.x) - offset, boxes: [box] });
        while (blocks.length > 1 && at(blocks.at(-2)) > at(blocks.at(-1))) {
          const last = blocks.pop();
          blocks.at(-1).sum += last.sum;
          blocks.at(-1).boxes.push(...last.boxes);
        }
      });
      for (const block of blocks) for (const box of block.boxes) box.x = at(block) + box.offset;
    }
  }
  function at(block) {
    return block.sum / block.boxes.length;
  }
  const all = layers.flat();
  const left = Math.min(...all.map((box) => box.x - box.width / 2)) - 8;
  const right = Math.max(...all.map((box) => box.x + box.width / 2)) + 8;
  for (const box of all) [box.x, box.y] = [box.x - left, box.layer * (ROW + GAP) + ROW / 2 + 6];
  return { boxes, chains, width: right - left, height: layers.length * (ROW + GAP) - GAP + 12 };
}

function path(chain) {
  let text = "";
  chain.forEach((box, index) => {
    const enter = index === chain.length - 1 ? box.y - ROW / 2 - 5 : box.y;
    if (!index) text = `M${box.x} ${box.y + ROW / 2}`;
    else {
      const before = chain[index - 1], leave = index === 1 ? before.y + ROW / 2 : before.y, half = (leave + enter) / 2;
      text += ` C${before.x} ${half} ${box.x} ${half} ${box.x} ${enter}`;
    }
  });
  return text;
}

/** Hatching in the colour of each group, for all drawings of the page. */
function patterns() {
  const pattern = (index) =>
    svg("pattern", { id: `hatch${index}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)", style: colour(index) },
      svg("path", { class: "hatch", d: "M0 0V6" }));
  const arrow = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 2, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse" },
    svg("path", { class: "arrow", d: "M0 0L8 4L0 8z" }));
  return svg("defs", {}, arrow, Array.from({ length: COLOURS }, (_, index) => pattern(index)));
}

function drawGraph() {
  const { boxes, chains, width, height } = layout();
  const drawing = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", style: `min-width: ${Math.round(0.7 * width)}px` }, patterns());
  edges.forEach((edge, index) => {
    edge.line = svg("path", { class: "edge", d: path(chains[index]), "marker-end": "url(#arrow)" },
      svg("title", {}, `${nodes[edge.to].name} reads ${nodes[edge.from].name} ${edge.reads}`));
    drawing.append(edge.line);
  });
  nodes.forEach((node, index) => {
    const { x, y, width } = boxes[index], frame = { x: x - width / 2, y: y - ROW / 2, width, height: ROW, rx: node.kind === "stage" ? 3 : 13 };
    const grouped = node.group !== null;
    const shape = svg("g", { class: `node ${node.kind}${grouped ? " grouped" : ""}`, style: grouped ? colour(node.group) : null },
      svg("title", {}, [node.name, node.type, grouped ? `group ${data.groups[node.group].name}` : "", node.inlined ? `computed in ${node.inlined}` : ""].filter(Boolean).join("\n")),
      svg("rect", { class: "body", ...frame }),
      node.inlined && grouped ? svg("rect", { ...frame, style: `fill: url(#hatch${node.group % COLOURS}); stroke: none` }) : null,
      svg("text", { x, y }, node.label));
    node.shape = shape;
    if (grouped) {
      shape.setAttribute("tabindex", "0");
      shape.setAttribute("role", "button");
      const choose = () => select(node.group, node);
      shape.addEventListener("click", choose);
      shape.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") (event.preventDefault(), choose());
      });
      shape.addEventListener("mouseenter", () => hint(node.group));
      shape.addEventListener("mouseleave", () => hint(null));
    }
    drawing.append(shape);
  });
  byId("drawing").append(drawing);
}

/** Shows which stages a group has, while the mouse is over it. */
function hint(group) {
  for (const node of nodes) node.shape.classList.toggle("hinted", group !== null && node.group === group);
}

// ---- The group that is chosen ---------------------------------------------------------------------------------------------

let chosen = { group: 0, node: null, tab: "ir" };

function select(group, node) {
  chosen = { ...chosen, group, node: node || null };
  show();
}

function show() {
  const group = data.groups[chosen.group];
  for (const node of nodes) {
    node.shape.classList.toggle("of-group", node.group === chosen.group);
    node.shape.classList.toggle("chosen", node === chosen.node);
  }
  for (const edge of edges) edge.line.classList.toggle("chosen", [nodes[edge.from], nodes[edge.to]].includes(chosen.node));
  [...byId("chips").children].forEach((chip, index) => chip.setAttribute("aria-pressed", index === chosen.group));
  if (!group) return;
  const report = reportOf(group);
  byId("why").style = colour(chosen.group);
  byId("group").replaceChildren(`Group ${group.name}`, " ", html("small", {}, plural(group.stages.length, "stage")));
  if (report) {
    showNumbers(report);
    showCost(report);
    showBoxes(report);
    showCandidates(report);
  } else {
    // So it is with "all", which asks nobody whether there is such a kernel.
    for (const id of ["numbers", "boxes", "candidates"]) byId(id).replaceChildren();
    byId("cost").replaceChildren(html("span", { class: "note" }, MACHINE.missing));
    byId("schedule").replaceChildren("no schedule");
  }
  showRejected(group, report);
  showCode(group);
}

function showNumbers({ terms, schedule }) {
  byId("numbers").replaceChildren(...facts(MACHINE.numbers(terms, data.target)));
  byId("schedule").replaceChildren(schedule);
}

function showCost({ terms, cost }) {
  const most = Math.max(...cost.map((term) => term.cost), 1e-9);
  const row = (term) => html("tr", {},
    html("td", {}, term.term),
    html("td", { class: "small" }, MACHINE.raw[term.term] ? MACHINE.raw[term.term](terms) : ""),
    html("td", { class: "bar" }, html("div", { style: `width: ${Math.max(0, 100 * term.cost / most)}%` })),
    html("td", { class: "number" }, MACHINE.cost(term.cost)));
  byId("cost").replaceChildren(html("table", {},
    html("thead", {}, html("tr", {}, html("th", {}, "term"), html("th", {}, "what it is"), html("th", {}), html("th", { class: "number" }, "weighed"))),
    html("tbody", {}, cost.map(row),
      html("tr", { class: "sum" }, html("td", {}, "sum"), html("td"), html("td"), html("td", { class: "number" }, MACHINE.cost(terms.total))))));
}

// ---- Boxes ----------------------------------------------------------------------------------------------------------------

/** Of a drawing, and of the words below it, in pixels. */
const MOST_WIDE = 140, MOST_HIGH = 120, LEAST_WIDE = 132, LEAST_HIGH = 12;

/** The last two dimensions as [y, x]; those before are said in words. */
const flat = (list, missing) => (list.length > 1 ? list.slice(-2) : [missing, list[0] ?? missing]);

function showBoxes(report) {
  // The union of all boxes, in points relative to the first point of the tile; the same scale for all.
  const shapes = report.stages.map((stage) => ({
    stage, first: flat(stage.first, 0), extents: flat(stage.extents, 1), step: flat(stage.step, 1), size: flat(stage.size, 1),
  }));
  const low = [0, 1].map((d) => Math.min(0, ...shapes.map((shape) => shape.first[d])));
  const high = [0, 1].map((d) => Math.max(...shapes.map((shape) => Math.max(shape.step[d], shape.first[d] + shape.extents[d]))));
  const [rows, columns] = [high[0] - low[0], high[1] - low[1]];
  const scale = Math.min(MOST_WIDE / columns, MOST_HIGH / rows, 12);
  // A tile as wide as the image would be a line: it is drawn higher than it is, and that is said.
  const higher = Math.max(1, LEAST_HIGH / (rows * scale)), down = scale * higher;
  const rect = (kind, [y, x], [height, width], style) =>
    svg("rect", { class: kind, x: (x - low[1]) * scale + 1, y: (y - low[0]) * down + 1, width: width * scale, height: height * down, style });
  const figures = shapes.map(({ stage, first, extents, step, size }) => {
    const hatch = stage.inlined_into ? rect("", first, extents, `fill: url(#hatch${chosen.group % COLOURS})`) : null;
    // Where an image is no larger than what is drawn, its frame says where it ends.
    const frame = size[0] <= rows && size[1] <= columns ? rect("image", [0, 0], size) : null;
    const drawing = svg("svg", { width: columns * scale + 2, height: rows * down + 2, role: "img", "aria-label": `Box of ${stage.name}` },
      rect("halo", first, extents), rect("tile", [0, 0], step), hatch, frame);
    const again = product(stage.extents) / product(stage.step.map((step, d) => step || stage.extents[d])) - 1;
    const where = stage.inlined_into ? `computed in ${stage.inlined_into}` : MACHINE.place(stage);
    const figure = html("figure", { class: chosen.node && chosen.node.name === stage.name ? "chosen" : null },
      drawing,
      html("figcaption", { style: `max-width: ${Math.max(columns * scale + 2, LEAST_WIDE)}px` },
        html("b", {}, stage.name), html("div", {}, `${times(stage.extents)} points`), html("div", {}, `for ${times(stage.step)}`),
        html("div", {}, again > 1e-9 ? `halo: ${percent(again)} more` : "no halo"),
        html("div", {}, where)));
    return figure;
  });
  const early = nodes.filter((node) => node.early && node.group === chosen.group);
  byId("boxes").replaceChildren(inImage(shapes), ...figures);
  if (higher > 1) byId("boxes").append(html("p", { class: "note" }, `Drawn ${number(higher, 2)} times as high as they are.`));
  if (early.length) {
    byId("boxes").append(html("p", { class: "note" }, "Without boxes, since inlined before groups were made: ",
      early.map((node) => `${node.name} in ${node.inlined}`).join("; "), "."));
  }
}

/** The image of the largest result, and one tile in it. */
function inImage(shapes) {
  const stored = shapes.filter((shape) => shape.stage.is_live_out);
  const { stage, size, step } = (stored.length ? stored : shapes).reduce((a, b) => (product(b.size) > product(a.size) ? b : a));
  const scale = Math.min(MOST_WIDE / size[1], MOST_HIGH / size[0]), [height, width] = [size[0] * scale, size[1] * scale];
  const tiles = product(stage.size.map((extent, d) => Math.ceil(extent / (stage.step[d] || extent))));
  // A tile in the middle; a ring finds it where it is a speck.
  const [y, x] = [0, 1].map((d) => 1 + Math.floor(size[d] / 2 / step[d]) * step[d] * scale);
  const [high, wide] = [Math.min(height, step[0] * scale), Math.min(width, step[1] * scale)];
  return html("figure", {},
    svg("svg", { width: width + 2, height: height + 2, role: "img", "aria-label": "The image and one tile" },
      svg("rect", { class: "image", x: 1, y: 1, width, height }),
      svg("rect", { class: "speck", x, y, width: wide, height: high }),
      Math.max(high, wide) < 8 ? svg("circle", { class: "image", cx: x + wide / 2, cy: y + high / 2, r: 8 }) : null),
    html("figcaption", { style: `max-width: ${Math.max(width + 2, LEAST_WIDE)}px` }, html("b", {}, "image"), html("div", {}, `${times(stage.size)} points`),
      html("div", {}, `one of ${plural(tiles, "tile")}`)));
}

// ---- What else there was, and code ------------------------------------------------------------------------------------------

const MOST = 40;

/** What the model says of schedules that the group could have, cheapest first. */
function showCandidates({ schedule, candidates, terms }) {
  const all = (candidates || []).some((candidate) => candidate.schedule === schedule) ? candidates : [{ schedule, terms }, ...(candidates || [])];
  const least = Math.min(...all.map(({ terms }) => terms.total));
  const row = ({ schedule: text, terms }) => html("tr", { class: text === schedule ? "sum" : null },
    html("td", { class: "small" }, html("code", {}, text)),
    html("td", { class: "number" }, MACHINE.cost(terms.total)),
    html("td", { class: "number" }, `${number(terms.total / least, 4)}×`));
  byId("candidates").replaceChildren(html("table", {},
    html("thead", {}, html("tr", {}, html("th", {}, "schedule"), html("th", { class: "number" }, "cost"), html("th", { class: "number" }, "of the least"))),
    html("tbody", {}, all.map(row))), html("p", { class: "note" }, MACHINE.choice));
}

function showRejected(group, report) {
  const own = report ? report.rejected : [];
  const rows = own.map(({ schedules, example, why }) => [plural(schedules, "schedule"), why, html("code", {}, example)]);
  // Sets of stages with one of this group's, those refused for one reason together.
  const sets = new Map();
  for (const { stages, why } of data.report ? data.report.rejected : []) {
    if (!stages.some((stage) => group.stages.includes(stage))) continue;
    const known = sets.get(why) || { count: 0, least: stages };
    sets.set(why, { count: known.count + 1, least: stages.length < known.least.length ? stages : known.least });
  }
  for (const [why, { count, least }] of sets) rows.push([plural(count, "group"), why, least.join(", ")]);
  const left = rows.length - MOST;
  byId("rejected").replaceChildren(rows.length
    ? html("table", {},
      html("thead", {}, html("tr", {}, html("th", {}, "what"), html("th", {}, "limit"), html("th", {}, "for example"))),
      html("tbody", {}, rows.slice(0, MOST).map((row) => html("tr", {}, row.map((cell, index) => html("td", { class: index ? "small" : null }, cell))))))
    : html("p", { class: "note" }, "Nothing that was looked at breaks a limit."));
  if (left > 0) byId("rejected").append(html("p", { class: "note" }, `And ${plural(left, "reason")} more.`));
}

function showCode(group) {
  const code = group.kernels.map((kernel) => kernel.text).join("\n\n");
  const text = chosen.tab === "ir" ? group.ir : code || "// No code: nobody uses what this group gives.";
  const pane = byId("text");
  pane.replaceChildren(text);
  pane.scrollTop = 0;
  pane.setAttribute("aria-labelledby", `tab-${chosen.tab}`);
  const lines = plural(text.split("\n").length, "line");
  byId("length").replaceChildren(chosen.tab === "code" && group.kernels.length ? `${group.kernels.map((kernel) => kernel.name).join(", ")}: ${lines}` : lines);
  for (const tab of ["ir", "code"]) byId(`tab-${tab}`).setAttribute("aria-selected", tab === chosen.tab);
}

// ---- The page -------------------------------------------------------------------------------------------------------------

document.title = `${data.program}: fused for ${data.target.name}`;
byId("program").append(data.program);
byId("is").append(MACHINE.is);
byId("tab-code").append(MACHINE.code);
const stats = data.report ? data.report.stats : null;
byId("facts").append(...facts([
  ["strategy", data.strategy],
  ["target", MACHINE.machine(data.target)],
  ["stages", nodes.filter((node) => node.kind === "stage").length],
  ["groups", data.groups.length],
  ["cost", data.groups.every(reportOf) ? MACHINE.cost(reports.reduce((sum, report) => sum + report.terms.total, 0)) : "not known"],
  ...(stats ? [
    ["search", `${plural(stats.states, "state")}, ${plural(stats.evaluations, "group")} evaluated, ${stats.pruned.toLocaleString("en")} pruned, ${stats.bound_hits ? plural(stats.bound_hits, "bound hit") : "no bound hit"}`],
  ] : []),
]));
data.groups.forEach((group, index) => {
  const report = reportOf(group);
  const chip = html("button", { style: colour(index), type: "button" }, group.name, " ", html("small", {}, report ? MACHINE.cost(report.terms.total) : "no schedule"));
  chip.addEventListener("click", () => select(index));
  chip.addEventListener("mouseenter", () => hint(index));
  chip.addEventListener("mouseleave", () => hint(null));
  byId("chips").append(chip);
});
for (const tab of ["ir", "code"]) {
  byId(`tab-${tab}`).addEventListener("click", () => {
    chosen.tab = tab;
    if (data.groups[chosen.group]) showCode(data.groups[chosen.group]);
  });
}
drawGraph();
show();
