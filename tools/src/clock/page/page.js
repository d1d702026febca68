// Draws the page of the clock: all kernels once, the rest for the one that is chosen.
//
//   data.kernels    name, grid, block and estimate of each launch
//   estimate.lines  PTX instructions that ran: text, stage, source, machine instructions, cycles that warps waited, by reason
//   estimate.timeline  of an SM: slots of each bin by kind, blocks with their begin and end
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
    ["f32 units", percent(clock.fma)],
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
if (first) choose(data.kernels.reduce((most, { clock }, place) => (clock.us > data.kernels[most].clock.us ? place : most), 0));
