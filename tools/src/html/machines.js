// What a page says of a machine, a GPU or a CPU.
//
//   is, code, missing    words: what a group is, what its code is called, and what it is that has no schedule
//   machine              the machine itself
//   choice               which candidate is chosen
//   cost                 a cost as text
//   numbers              what there is to know of a group
//   raw                  what the terms of a cost are before they are weighed
//   place                where a stage is

const LIMITS = { Warps: "places for warps", Blocks: "places for blocks", Registers: "registers", Shared: "shared memory" };

const GPU = {
  is: "A colour is a group, which is one kernel. Hatched stages are computed inside of those that read them. Choose a stage or a group.",
  code: "PTX",
  machine: ({ name, chip }) => `${name} (${chip})`,
  missing: "The model has no kernel for this group, for the reason below: lowering splits it.",
  choice: "Chosen is the cheapest that the strategy thought of.",
  cost: (value) => number(value, 4),
  numbers: (terms, target) => [
    ["cost", number(terms.total, 4)],
    ["occupancy", `${percent(terms.occupancy)}, ${Math.round(terms.occupancy * target.warps_per_sm)} of ${target.warps_per_sm} warps`],
    ["limited by", LIMITS[terms.limit] || terms.limit],
    ["registers of a thread", `${terms.registers} of ${target.registers_per_thread}`],
    ["shared memory of a block", `${bytes(terms.shared)} of ${bytes(target.shared_per_block)}`],
    ["instructions a point", number(terms.instructions)],
    ...(terms.code ? [["instructions written out", Math.round(terms.code).toLocaleString("en")]] : []),
    ["bytes a point", number(terms.bytes)],
    ["thread blocks", `${terms.blocks.toLocaleString("en")}, ${number(terms.blocks / target.sms)} an SM`],
    ["share of the points", percent(terms.share)],
  ],
  place: (stage) => stage.is_live_out ? `stored, ${stage.bytes} B each` : `kept, ${stage.bytes} B each`,
  raw: {
    transactions: (t) => `${number(t.transactions)} × ${t.transaction_bytes} B, 32 points`,
    occupancy: (t) => `${percent(1 - t.occupancy)} of warps missing`,
    "memory/compute": (t) => `${number(t.memory_to_compute)} of compute time`,
    "unallocated shared": (t) => `${percent(t.unallocated_shared)} in no block`,
    "unused registers": (t) => `${percent(t.unused_registers)} in no thread`,
    overlap: (t) => `${percent(t.overlap)} done again`,
    "extra blocks": (t) => `${number(t.extra_blocks)} beyond whole waves`,
    cycles: (t) => `${number(t.cycles)} for 32 points`,
  },
};

const time = (ns) => (ns >= 1e6 ? `${number(ns / 1e6, 4)} ms` : ns >= 1e3 ? `${number(ns / 1e3, 4)} µs` : `${number(ns)} ns`);

const CPU = {
  is: "A colour is a group, whose tiles threads share; each is walked down row by row. Choose a stage or a group.",
  code: "loops",
  machine: ({ name, cores, vector, l2, l3 }) => `${name} (${plural(cores, "core")}, vectors of ${vector} B, L2 ${bytes(l2)}, L3 ${bytes(l3)})`,
  missing: "The model has no tiles for this group, for the reason below: lowering splits it, or takes its own.",
  choice: "Chosen is what is good often: half of the L2 for what a tile keeps, and sixteen tiles a core, so that none waits long. pipeline-run --tune measures the others.",
  cost: time,
  numbers: (terms, target) => [
    ["predicted time", time(terms.total)],
    ["read", bytes(terms.read)],
    ["written", bytes(terms.written)],
    ["kept by a tile", `${bytes(terms.windows)}, ${percent(terms.windows / target.l2)} of the L2 of a core`],
    ["tiles", `${terms.tiles.toLocaleString("en")}, ${number(terms.tiles / target.cores)} a core`],
    ["threads", Math.min(terms.tiles, target.cores).toLocaleString("en")],
  ],
  place: ({ bytes, is_live_out, is_non_temporal, window, rows, planes, of_loop }) => [
    [is_live_out ? `stored${is_non_temporal ? " past the caches" : ""}, ${bytes} B each` : null, window ? `kept: window ${times(window)}` : null]
      .filter(Boolean).join("; ") || "in registers",
    `loop ${of_loop}, ${plural(rows, "row")}${planes > 1 ? ` of ${planes} planes` : ""} at once`,
  ].join("; "),
  raw: {
    memory: (t) => `${time(t.memory)}: ${bytes(t.read + t.written)} moved`,
    compute: (t) => `${time(t.compute)}: points computed`,
    overhead: () => "rows, tiles and threads begun",
  },
};

const MACHINE = data.target.kind === "cpu" ? CPU : GPU;
