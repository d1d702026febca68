"""A language server in a process of its own, and an editor's end of its pipe."""

import json
import subprocess


class Server:
    def __init__(self, *options):
        command = ["pipeline-lsp-server", *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = int(self.process.stdout.readline().split(b":")[1])
        while self.process.stdout.readline().strip():
            pass
        return json.loads(self.process.stdout.read(length))

    def ask(self, method, params, note=None):
        """The result, or the error. What the server says before it answers is noted; without `note` it says nothing."""
        self.count += 1
        self.send(id=self.count, method=method, params=params)
        while "id" not in (answer := self.receive()):
            note(answer)
        assert answer["id"] == self.count, answer
        return answer.get("result", answer.get("error"))
