// Draws the page of the clock: all kernels once, the rest for the one that is chosen.
//
//   data.kernels    name, grid, block and estimate of each launch
//   estimate.lines  PTX instructions that ran: text, stage, source, machine instructions, cycles that warps waited, by reason
//   estimate.timeline  of an SM: slots of each bin by kind, blocks with their begin and end
//   estimate.flops, memory_bytes, roof   operations on floats, bytes of memory, and how many the GPU can in a nanosecond: the roofline
//   data.sources    lines of the files that instructions come from, as far as they could be read

// What a slot is, or a warp's cycle: its name, its colour.
const KINDS = [
  ["issued", "--c1", "issued"], ["memory", "--c4", "memory"], ["dependence", "--c2", "dependence"],
  ["pipe", "--c0", "pipe is another's"], ["sync", "--c3", "barrier"], ["no_warp", "--line", "no warp left"],
];
const KIND = new Map(KINDS.map((kind) => [kind[0], kind]));
const colour = (kind) => `--c: var(${KIND.get(kind)[1]})`;
const us = (estimate) => `${number(estimate.us)} µs`;
const shape = (extents) => extents.join("×");

/** Cycles of warps by kind, summed over lines that have the same key; the most first. */
function sums(lines, key) {
  const all = new Map();
  for (const line of lines) {
    const name = key(line);
    if (name === null) continue;
    const sum = all.get(name) || Object.fromEntries(KINDS.map(([kind]) => [kind, 0]));
    sum.issued += line.issued;
    for (const [kind, cycles] of Object.entries(line.waits)) sum[kind] += cycles;
    all.set(name, sum);
  }
  const total = (sum) => Object.values(sum).reduce((one, other) => one + other, 0);
  return [...all].map(([name, sum]) => ({ name, sum, total: total(sum) })).sort((one, other) => other.total - one.total);
}

/** A bar of one piece for each kind, as long as its part of `most`. */
function bar(sum, most) {
  const pieces = KINDS.filter(([kind]) => sum[kind] > 0).map(([kind, , title]) =>
    html("div", { style: `${colour(kind)}; width: ${(100 * sum[kind]) / most}%`, title: `${title}: ${number(sum[kind])}` }));
  return html("td", { class: "bar" }, pieces);
}

function table(id, titles, rows) {
  const head = html("thead", {}, html("tr", {}, titles.map((title) => html("th", {}, title))));
  byId(id).replaceChildren(head, html("tbody", {}, rows));
}

/** Rows with a share of all cycles, a bar and cells of their own. */
function ranked(id, titles, found, cells, most = found.length) {
  const all = found.reduce((sum, { total }) => sum + total, 0) || 1;
  const longest = Math.max(1, ...found.map(({ total }) => total));
  table(id, ["of all cycles of warps", "", ...titles], found.slice(0, most).map((row) =>
    html("tr", {}, html("td", { class: "number" }, percent(row.total / all)), bar(row.sum, longest), cells(row))));
}

function timeline({ bin, slots, blocks }) {
  const [width, high, gap, lane] = [1000, 160, 18, 7];
  const end = Math.max(1, slots.length * bin);
  const x = (cycle) => (width * cycle) / end;
  const drawn = [];
  const most = Math.max(1, ...slots.map((bin) => bin.reduce((one, other) => one + other, 0)));
  slots.forEach((counts, place) => {
    let top = high;
    counts.forEach((count, kind) => {
      const height = (high * count) / most;
      top -= height;
      if (count) drawn.push(svg("rect", { class: "slots", style: colour(KINDS[kind][0]), x: x(place * bin), y: top, width: x(bin) + 0.3, height }));
    });
  });
  // Each block in the first lane that is free.
  const free = [];
  for (const [block, begin, stop] of [...blocks].sort((one, other) => one[1] - other[1])) {
    let place = free.findIndex((until) => until <= begin);
    if (place < 0) place = free.push(0) - 1;
    free[place] = stop;
    const rect = { class: "block", x: x(begin), y: high + gap + place * lane, width: Math.max(x(stop - begin), 1), height: lane - 1 };
    drawn.push(svg("rect", rect, svg("title", {}, `block ${block}: cycles ${begin} to ${stop}`)));
  }
  const bottom = high + gap + free.length * lane;
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const anchor = part === 0 ? "start" : part === 1 ? "end" : "middle";
    drawn.push(svg("text", { x: width * part, y: high + 13, "text-anchor": anchor }, `${number(end * part)}${part === 1 ? " cycles" : ""}`));
  }
  byId("timeline").replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${bottom + 2}`, role: "img", "aria-label": "slots and blocks of an SM over time" }, drawn));
}

/** Launches of one kernel together, of those that do operations on floats and ask memory: an operation needs bytes to be under a roof. */
function dots() {
  const all = new Map();
  data.kernels.forEach(({ name, clock }, place) => {
    const dot = all.get(name) || { name, place, us: 0, flops: 0, bytes: 0 };
    all.set(name, { ...dot, us: dot.us + clock.us, flops: dot.flops + clock.flops, bytes: dot.bytes + clock.memory_bytes });
  });
  const time = [...all.values()].reduce((sum, { us }) => sum + us, 0);
  const rates = (dot) => ({ ...dot, share: dot.us / time, intensity: dot.flops / dot.bytes, gflops: dot.flops / (1e3 * dot.us) });
  return [...all.values()].filter(({ flops, bytes }) => flops > 0 && bytes > 0).map(rates);
}

/** Operations in time over operations a byte, both in powers of ten, under the roofs of memory and of the f32 units. */
function roofline() {
  const drawn = dots();
  if (!drawn.length) return byId("roofline").replaceChildren("No kernel does operations on floats.");
  const { gflops, bandwidth } = first.clock.roof;
  const ridge = gflops / bandwidth;
  const [width, high, left, low] = [1000, 380, 70, 40];
  const floor = (values) => Math.floor(Math.log10(Math.min(...values)) - 0.1);
  const ceil = (values) => Math.ceil(Math.log10(Math.max(...values)) + 0.1);
  const wide = [...drawn.map(({ intensity }) => intensity), ridge];
  const tall = [...drawn.map((dot) => dot.gflops), gflops];
  const [x0, x1, y0, y1] = [floor(wide), ceil(wide), floor(tall), ceil(tall)];
  const x = (intensity) => left + ((width - left) * (Math.log10(intensity) - x0)) / (x1 - x0);
  const y = (rate) => (high - low) * (1 - (Math.log10(rate) - y0) / (y1 - y0));
  const parts = [];
  for (let power = x0; power <= x1; power++) {
    const at = x(10 ** power);
    parts.push(svg("line", { class: "grid", x1: at, x2: at, y1: 0, y2: high - low }), svg("text", { x: at, y: high - low + 15, "text-anchor": power === x1 ? "end" : "middle" }, number(10 ** power)));
  }
  for (let power = y0; power <= y1; power++) {
    const at = y(10 ** power);
    parts.push(svg("line", { class: "grid", x1: left, x2: width, y1: at, y2: at }), svg("text", { x: left - 6, y: Math.max(at + 4, 10), "text-anchor": "end" }, number(10 ** power)));
  }
  parts.push(svg("text", { x: (left + width) / 2, y: high - 6, "text-anchor": "middle" }, "operations on floats a byte of memory"));
  parts.push(svg("text", { transform: `translate(12 ${(high - low) / 2}) rotate(-90)`, "text-anchor": "middle" }, "GFLOP/s"));
  // Where the roof of memory leaves the picture below, it begins at the floor.
  const begin = Math.max(10 ** x0, 10 ** y0 / bandwidth);
  const corners = [[begin, begin * bandwidth], [ridge, gflops], [10 ** x1, gflops]];
  parts.push(svg("polyline", { class: "roof", points: corners.map(([intensity, rate]) => `${x(intensity)},${y(rate)}`).join(" ") }));
  parts.push(svg("text", { x: x(ridge) + 8, y: y(gflops) - 6 }, `${number(gflops)} GFLOP/s, ${number(bandwidth)} GB/s`));
  // A name stands right of its dot, or left of it, above or below, where no other stands.
  const taken = [];
  const label = ({ name }, cx, cy, radius) => {
    const [wide, tall] = [6.2 * name.length, 12];
    const places = [[cx + radius + 3, cy - tall / 2], [cx - radius - 3 - wide, cy - tall / 2], [cx - wide / 2, cy - radius - tall - 2], [cx - wide / 2, cy + radius + 2]];
    const meets = ([left, top]) => taken.some(([other, above]) => left < other[0] + other[1] && other[0] < left + wide && top < above + tall && above < top + tall);
    const [left, top] = places.find((place) => !meets(place)) ?? places[0];
    taken.push([[left, wide], top]);
    return svg("text", { class: "name", x: left, y: top + tall - 2 }, name);
  };
  // Small ones last, so that they lie on large ones.
  for (const dot of drawn.sort((one, other) => other.us - one.us)) {
    const roof = Math.min(gflops, bandwidth * dot.intensity);
    const about = `${dot.name}: ${number(dot.intensity)} operations a byte, ${number(dot.gflops)} GFLOP/s, ${percent(dot.gflops / roof)} of the roof, ${percent(dot.share)} of the time`;
    const radius = 3 + 15 * Math.sqrt(dot.share);
    const circle = svg("circle", { cx: x(dot.intensity), cy: y(dot.gflops), r: radius }, svg("title", {}, about));
    circle.addEventListener("click", () => choose(dot.place));
    parts.push(circle);
    if (dot.share >= 0.02) parts.push(label(dot, x(dot.intensity), y(dot.gflops), radius));
  }
  const about = "operations in time over operations a byte of memory, with the GPU's roofs";
  byId("roofline").replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${high}`, role: "img", "aria-label": about }, parts));
}

function choose(number_of) {
  const { name, grid, block, clock } = data.kernels[number_of];
  byId("list").querySelectorAll("tbody tr").forEach((row, place) => row.setAttribute("aria-selected", place === number_of));
  byId("kernel").textContent = name;
  const about = clock.registers_are_estimated ? "about " : "";
  byId("facts").replaceChildren(...facts([
    ["time", `${number(clock.cycles)} cycles, ${us(clock)}; ${clock.launch_us} µs for a launch`],
    ["grid", `${shape(grid)} blocks of ${shape(block)} threads`],
    ["warps in flight", `${number(clock.warps)} of an SM; ${clock.blocks_per_sm} blocks fit (${clock.limit}), ${about}${clock.registers} registers`],
    ["memory", `${percent(clock.memory)} of the bandwidth, ${number(clock.memory_bytes / 1e6)} MB`],
    ["f32 units", `${percent(clock.fma)}; ${number(clock.gflops)} GFLOP/s`],
    ["slots issued", percent(clock.slots)],
    ["sample", `${clock.sampled_blocks} blocks on ${clock.sampled_sms} SMs`],
  ]));
  timeline(clock.timeline);
  const stages = sums(clock.lines, (line) => line.stage ?? "(no stage)");
  ranked("stages", ["stage"], stages, ({ name }) => html("td", {}, name));
  const place = (line) => (line.source ? `${line.source.file}:${line.source.line}` : null);
  ranked("sources", ["line", ""], sums(clock.lines, place), ({ name }) => {
    const colon = name.lastIndexOf(":");
    const text = data.sources[name.slice(0, colon)]?.[name.slice(colon + 1) - 1] ?? "";
    return [html("td", { class: "small" }, name), html("td", { class: "code" }, text.trim())];
  }, 40);
  const lines = new Map(clock.lines.map((line) => [line.line, line]));
  ranked("ptx", ["line", "", "stage"], sums(clock.lines, ({ line }) => line), ({ name }) =>
    [html("td", { class: "small" }, name), html("td", { class: "code" }, lines.get(name).text), html("td", { class: "small" }, lines.get(name).stage ?? "")], 60);
}

const [first] = data.kernels;
byId("title").textContent = first ? `${data.kernels.length} ${data.kernels.length === 1 ? "kernel" : "kernels"} on ${first.clock.target}` : "no kernel";
byId("legend").replaceChildren(...KINDS.map(([kind, , title]) => html("span", {}, html("i", { style: colour(kind) }), title)));
const longest = Math.max(1, ...data.kernels.map(({ clock }) => clock.us));
table("list", ["kernel", "cycles", "", ""], data.kernels.map(({ name, clock }, place) => {
  const cells = [html("td", {}, name), html("td", { class: "number" }, number(clock.cycles)), html("td", { class: "number" }, us(clock))];
  const part = html("div", { style: `${colour("pipe")}; width: ${(100 * clock.us) / longest}%` });
  const row = html("tr", { tabindex: 0 }, cells, html("td", { class: "bar" }, part));
  row.addEventListener("click", () => choose(place));
  row.addEventListener("keydown", (event) => event.key === "Enter" && choose(place));
  return row;
}));
if (first) roofline();
if (first) choose(data.kernels.reduce((most, { clock }, place) => (clock.us > data.kernels[most].clock.us ? place : most), 0));
