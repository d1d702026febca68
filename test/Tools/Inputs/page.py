"""What a page of `pipeline-translate --to-html` has in its data, in a line for each group: page.py [FILE]"""

import island

data = island.data()
nodes, report = data["graph"]["nodes"], data["report"]
stages = [node for node in nodes if node["kind"] == "stage"]
assert all(edge["from"] < edge["to"] < len(nodes) for edge in data["graph"]["edges"])
print(f"{report['program']} on {data['target']['name']}, {len(stages)} stages drawn, {report['stats']['evaluations']} groups evaluated")
for group, told in zip(data["groups"], report["groups"], strict=True):
    assert group["name"] == told["name"] and f'pipeline.group "{group["name"]}"' in group["ir"]
    code = ".entry {name}(" if data["target"]["kind"] == "gpu" else "scf.parallel ("
    assert all(code.format(**kernel) in kernel["text"] for kernel in group["kernels"])
    assert told["candidates"] and all(candidate["terms"]["total"] > 0 for candidate in told["candidates"])
    total = told["terms"]["total"]
    is_sum = abs(sum(term["cost"] for term in told["cost"]) - total) < 1e-6 * total
    kernels = " ".join(kernel["name"] for kernel in group["kernels"])
    boxes = " ".join(stage["name"] for stage in told["stages"])
    parts = "parts are the cost" if is_sum else "parts are not the cost"
    print(f"{group['name']}: {' '.join(group['stages'])}; kernels {kernels}; {parts}; boxes of {boxes}")
