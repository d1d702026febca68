"""What a page of `pipeline-translate --to-html` has in its data, in a line for each group: page.py [FILE]"""

import html.parser
import json
import sys


class Island(html.parser.HTMLParser):
    """The text of the element called "data", as a browser sees it."""

    inside = False
    text = ""

    def handle_starttag(self, tag, attributes):
        self.inside = ("id", "data") in attributes

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, text):
        self.text += text if self.inside else ""


page = Island()
with open(sys.argv[1]) if len(sys.argv) > 1 else sys.stdin as file:
    page.feed(file.read())
data = json.loads(page.text)
nodes, report = data["graph"]["nodes"], data["report"]
stages = [node for node in nodes if node["kind"] == "stage"]
assert all(edge["from"] < edge["to"] < len(nodes) for edge in data["graph"]["edges"])
print(f"{report['program']} on {data['target']['name']}, {len(stages)} stages drawn, {report['stats']['evaluations']} groups evaluated")
for group, told in zip(data["groups"], report["groups"], strict=True):
    assert group["name"] == told["name"] and f'pipeline.group "{group["name"]}"' in group["ir"]
    assert all(f".entry {kernel['name']}(" in kernel["text"] for kernel in group["kernels"])
    total = told["terms"]["total"]
    is_sum = abs(sum(term["cost"] for term in told["cost"]) - total) < 1e-6 * total
    kernels = " ".join(kernel["name"] for kernel in group["kernels"])
    boxes = " ".join(stage["name"] for stage in told["stages"])
    parts = "parts are the cost" if is_sum else "parts are not the cost"
    print(f"{group['name']}: {' '.join(group['stages'])}; kernels {kernels}; {parts}; boxes of {boxes}")
