"""Tells the code of a Swift file from its comments and the text of its string literals."""

import re

_INTEREST = re.compile(r'//|/\*|#*"|[()]')
_NOT_NEWLINE = re.compile(r"[^\n]")


class Lexed:
    """A file in three forms.

    code      the file with comments and the text of literals as spaces: same length, same lines
    comments  (offset, text) of each comment, markers included
    strings   (offset, text) of each literal's parts, without interpolated code
    """

    def __init__(self, source):
        self.source = source
        self.comments = []
        self.strings = []
        self._pieces = []
        self._code(0, nested=False)
        self.code = "".join(self._pieces)

    def line(self, offset):
        """Number of the line that an offset is on, from 1."""
        return self.source.count("\n", 0, offset) + 1

    def _keep(self, start, end):
        self._pieces.append(self.source[start:end])

    def _blank(self, start, end):
        self._pieces.append(_NOT_NEWLINE.sub(" ", self.source[start:end]))

    def _code(self, start, nested):
        """Reads code up to the end, or up to the parenthesis that ends an interpolation; gives the place after it."""
        source, depth = self.source, 1
        while True:
            found = _INTEREST.search(source, start)
            if not found:
                self._keep(start, len(source))
                return len(source)
            token, place = found.group(), found.start()
            self._keep(start, place)
            if token == "//":
                end = source.find("\n", place)
                end = len(source) if end < 0 else end
                self._comment(place, end)
            elif token == "/*":
                end = self._blockEnd(place)
                self._comment(place, end)
            elif token in "()":
                end = place + 1
                depth += 1 if token == "(" else -1
                if nested and depth == 0:
                    # Its opening one is part of the literal.
                    self._blank(place, end)
                    return end
                self._keep(place, end)
            else:
                end = self._string(place, len(token) - 1)
            start = end

    def _comment(self, start, end):
        self.comments.append((start, self.source[start:end]))
        self._blank(start, end)

    def _blockEnd(self, start):
        depth, place = 0, start
        while place < len(self.source):
            if self.source.startswith("/*", place):
                depth, place = depth + 1, place + 2
            elif self.source.startswith("*/", place):
                depth, place = depth - 1, place + 2
                if depth == 0:
                    return place
            else:
                place += 1
        return len(self.source)

    def _string(self, start, hashes):
        source = self.source
        quote = '"""' if source.startswith('"""', start + hashes) else '"'
        end, escape = quote + "#" * hashes, "\\" + "#" * hashes
        place = begin = start + hashes + len(quote)
        self._blank(start, place)
        while place < len(source):
            if source.startswith(escape + "(", place):
                self._text(begin, place)
                self._blank(place, place + len(escape) + 1)
                place = begin = self._code(place + len(escape) + 1, nested=True)
            elif source.startswith(escape, place):
                place += len(escape) + 1
            elif source.startswith(end, place):
                self._text(begin, place)
                self._blank(place, place + len(end))
                return place + len(end)
            elif quote == '"' and source[place] == "\n":
                break
            else:
                place += 1
        self._text(begin, place)
        return place

    def _text(self, start, end):
        if end > start:
            self.strings.append((start, self.source[start:end]))
            self._blank(start, end)
