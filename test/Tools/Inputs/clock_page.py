"""What a page of `--html` has in its data, in a line for each kernel: clock_page.py FILE"""

import island

data = island.data()
for kernel in data["kernels"]:
    clock = kernel["clock"]
    timeline = clock["timeline"]
    slots, bin = timeline["slots"], timeline["bin"]
    # Every slot of the four schedulers is one of a kind; the last bin need not be whole.
    assert all(sum(counts) == 4 * bin for counts in slots[:-1]) and 0 < sum(slots[-1]) <= 4 * bin
    end = (len(slots) - 1) * bin + sum(slots[-1]) / 4
    assert all(0 <= begin < stop <= end for _, begin, stop in timeline["blocks"]) and timeline["blocks"]
    stages = {line["stage"] for line in clock["lines"] if line["stage"]}
    # Lines of the program are there as they stand.
    named = [data["sources"][line["source"]["file"]][line["source"]["line"] - 1] for line in clock["lines"] if line["source"]]
    opcodes = all(line["instruction"] in line["text"] for line in clock["lines"])
    flops, moved, roof = clock["flops"], clock["memory_bytes"], clock["roof"]
    assert abs(clock["gflops"] - flops / (1e3 * clock["us"])) < 1e-6
    is_under = moved == 0 or clock["gflops"] <= min(roof["gflops"], roof["bandwidth"] * flops / moved)
    print(
        f"{kernel['name']}: stages {' '.join(sorted(stages))}; {'all' if opcodes else 'not all'} lines; "
        f"a stage's line {any('pipeline.stage' in text for text in named)}; {flops} operations on {moved} bytes, {'under' if is_under else 'above'} the roofs"
    )
