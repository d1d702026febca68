"""The data of a page."""

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


def data():
    """What the page on the command line, or on standard input, has in its element."""
    page = Island()
    with open(sys.argv[1]) if len(sys.argv) > 1 else sys.stdin as file:
        page.feed(file.read())
    return json.loads(page.text)
