"""Random edits and questions of an editor: the language server answers each question, and neither dies, hangs nor takes all memory.

lsp_edits.py COUNT SEED [--forma] FILE...
"""

import collections
import random
import resource
import signal
import sys

from language_server import Server

ODD = ["é", "\u20ac", "😀", "\n", "\t", "\0", "\ufeff", "{", "}", "(", "[", "/*", "*/", '"', "%", "@", "#", ";", "0", "9223372036854775808"]
# MLIR's own server ends over a mistake behind a carriage return at the beginning.
CARRIAGE_RETURN = "\r\n"
FAR = [0, 1, 2**31 - 1, 2**31, 2**32 - 1]
METHODS = ["hover", "definition", "references", "completion", "formatting", "documentSymbol", "signatureHelp", "inlayHint", "codeAction", "moniker"]
SECONDS = 10
KIBIBYTES = 2 << 20


def units(text):
    """How long a text is as editors count."""
    return len(text.encode("utf-16-le")) // 2


class Editor:
    def __init__(self, seed, options, texts):
        self.draw = random.Random(seed)
        self.is_forma = "--forma" in options
        self.server = Server(*options)
        self.sources = texts
        self.odd = [*ODD, CARRIAGE_RETURN] if self.is_forma else ODD
        self.open = {}
        # Texts whose diagnostics have not come yet, oldest first.
        self.due = collections.deque()
        self.wrong = []
        self.ask("initialize", {"processId": None, "capabilities": {}})
        self.server.send(method="initialized", params={})

    def ask(self, method, params):
        return self.server.ask(method, params, self.note)

    def note(self, message):
        """Diagnostics come for each text, and stand within it."""
        if self.is_forma and message["method"] == "textDocument/publishDiagnostics":
            text = self.due.popleft()
            for diagnostic in message["params"]["diagnostics"]:
                self.check(text, diagnostic["range"])

    def check(self, text, place):
        lines = text.split("\n")
        (start, end) = [(place[end]["line"], place[end]["character"]) for end in ("start", "end")]
        is_within = all(line < len(lines) and character <= units(lines[line]) for line, character in (start, end))
        if not is_within or start > end:
            self.wrong.append(f"{start} to {end} is no place of {text!r}")

    def position(self, text):
        """A place of the text; beyond the end of its line, or of all; in a character."""
        lines = text.split("\n")
        line = self.draw.randrange(len(lines))
        character = self.draw.randint(0, units(lines[line]))
        if self.draw.random() < 0.2:
            character = self.draw.choice([*FAR, units(lines[line]) + self.draw.choice([1, 2, 50])])
        if self.draw.random() < 0.1:
            line = self.draw.choice([*FAR, len(lines)])
        return {"line": line, "character": character}

    def edited(self, text):
        for _ in range(self.draw.randint(1, 3)):
            at, other = sorted(self.draw.randint(0, len(text)) for _ in range(2))
            at = max(at, other - self.draw.choice([0, 1, 5, 40]))
            piece = self.draw.choice([self.draw.choice(self.odd), text[at:other] * 2, "", self.draw.choice(text.split() or [""])])
            text = text[:at] + piece + text[other:]
        return text

    def uri(self):
        return self.draw.choice([*self.open, "file:///none.fm"] if self.open and self.draw.random() < 0.95 else ["file:///none.fm"])

    def step(self):
        kind = self.draw.random()
        if not self.open or kind < 0.05 and len(self.open) < 4:
            uri = f"file:///{self.draw.choice(['a', '%C3%A4%20b', '%E2%82', 'x.y'])}{len(self.open)}.{'fm' if self.is_forma else 'mlir'}"
            self.open[uri] = self.draw.choice(self.sources)
            self.due.append(self.open[uri])
            document = {"uri": uri, "languageId": "forma", "version": 1, "text": self.open[uri]}
            self.server.send(method="textDocument/didOpen", params={"textDocument": document})
        elif kind < 0.4:
            self.change()
        elif kind < 0.42:
            uri = self.uri()
            self.open.pop(uri, None)
            self.due.append("")
            self.server.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
        elif kind < 0.45:
            self.ask(f"textDocument/{self.draw.choice(METHODS)}", self.draw.choice([None, {}, {"textDocument": 5}, {"textDocument": {"uri": "no uri"}}, [1]]))
        else:
            self.question()

    def change(self):
        uri = self.uri()
        text = self.open.get(uri, "")
        change = {"text": self.edited(self.draw.choice([text, self.draw.choice(self.sources)]))}
        if not self.is_forma and self.draw.random() < 0.7:
            # The server for MLIR takes pieces; what becomes of the text is its business.
            change = {"range": {"start": self.position(text), "end": self.position(text)}, "text": self.edited("")}
        elif uri in self.open:
            self.open[uri] = change["text"]
            self.due.append(change["text"])
        document = {"uri": uri, "version": self.draw.choice([2, 0, -1])}
        self.server.send(method="textDocument/didChange", params={"textDocument": document, "contentChanges": [change]})

    def question(self):
        uri, method = self.uri(), self.draw.choice(METHODS)
        at = self.position(self.open.get(uri, ""))
        asked = {"textDocument": {"uri": uri}, "position": at, "context": {"includeDeclaration": True, "diagnostics": []}}
        asked |= {"range": {"start": at, "end": at}, "options": {"tabSize": 4, "insertSpaces": True}}
        answer = self.ask(f"textDocument/{method}", asked)
        if self.is_forma and method in ("hover", "definition") and "range" in (answer or {}):
            self.check(self.open[uri], answer["range"])
            if method == "hover" and answer["range"]["start"]["line"] != at["line"]:
                self.wrong.append(f"asked of {at}, {method} tells of {answer['range']}")


def hangs(*_):
    raise TimeoutError(f"no answer in {SECONDS} s")


def main():
    count, seed, *rest = sys.argv[1:]
    options = [option for option in rest if option.startswith("--")]
    texts = [open(file, encoding="utf-8").read() for file in rest if not file.startswith("--")]
    editor = Editor(int(seed), options, texts)
    signal.signal(signal.SIGALRM, hangs)
    for number in range(int(count)):
        signal.alarm(SECONDS)
        try:
            editor.step()
        except (OSError, ValueError, IndexError, TimeoutError) as error:
            editor.server.process.kill()
            return f"step {number}: {error or 'the server has gone'}; code {editor.server.process.wait()}"
        if editor.wrong:
            return f"step {number}: {editor.wrong[0]}"
    editor.ask("shutdown", None)
    editor.server.send(method="exit")
    code = editor.server.process.wait(SECONDS)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if code or used > KIBIBYTES:
        return f"code {code}, {used} KiB"
    print(f"{count} steps, {editor.server.count} answers")


if __name__ == "__main__":
    sys.exit(main())
