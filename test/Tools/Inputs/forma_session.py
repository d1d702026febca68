"""An editor's session with the language server for Forma; prints what it says. `^` in a text is where the cursor is."""

import sys

from language_server import Server

PROGRAM = """stencil blurx(vector#2 float X) {
    return (X@[-1, 0] + X + X@[1, 0]) / 3.0;   // ä𝄞
}
parameter M, N;
vector#2 float input[M, N];
temp = blurx(input);
output = blurx(temp:mirror);
return output;
"""


def write(server, uri, text, version):
    if version == 1:
        document = {"uri": uri, "languageId": "forma", "version": version, "text": text}
        server.send(method="textDocument/didOpen", params={"textDocument": document})
    else:
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
        server.send(method="textDocument/didChange", params=params)
    for found in server.receive()["params"]["diagnostics"]:
        print("diagnostic", place(found["range"]), found["message"])


def place(found):
    (a, b), (c, d) = [(found[end]["line"], found[end]["character"]) for end in ("start", "end")]
    return f"{a}:{b}-{c}:{d}"


def cursor(text):
    before = text[: text.index("^")]
    line = before.rsplit("\n", 1)[-1]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def main():
    server, uri = Server("--forma"), "file:///home/somebody/my%20blur.fm"
    found = server.ask("initialize", {"capabilities": {}})
    print("capabilities", *sorted(found["capabilities"]))
    server.send(method="initialized", params={})

    print("wrong")
    write(server, uri, PROGRAM.replace("input);", "inptu); /* 𝄞 */ other = 3.5 % ;"), 1)
    print("right")
    write(server, uri, PROGRAM, 2)

    for marked in (("= blurx(input", "= bl^urx(input"), ("temp:", "^temp:"), ("+ X +", "+ X^ +"), ("3.0", "3^.0")):
        text = PROGRAM.replace(*marked)
        asked = {"textDocument": {"uri": uri}, "position": cursor(text)}
        definition = server.ask("textDocument/definition", asked)
        print("definition", definition and place(definition["range"]))
        hover = server.ask("textDocument/hover", asked)
        print("hover", hover and place(hover["range"]) + "\n" + hover["contents"]["value"])

    write(server, uri, PROGRAM.replace("    return", "  return"), 3)
    options = {"tabSize": 4, "insertSpaces": True}
    [edit] = server.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": options})
    print("formatted", place(edit["range"]), edit["newText"] == PROGRAM.replace("   //", " //"))

    print("behind the end", server.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 4, "character": 28}}))
    print("nowhere", server.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 99, "character": 9}}))
    print("unknown", server.ask("textDocument/hover", {"textDocument": {"uri": "file:///none.fm"}, "position": {"line": 0, "character": 0}}))
    print("method", server.ask("textDocument/moniker", {}))
    server.send(method="textDocument/didOpen", params={"textDocument": 5})
    print("params", server.ask("textDocument/hover", {"textDocument": 5})["code"])
    print("shutdown", server.ask("shutdown", None))
    server.send(method="exit")
    print("code", server.process.wait(10))


if __name__ == "__main__":
    sys.exit(main())
