"""Boxes, lines and texts as an SVG file that is readable on light and on dark pages."""

from xml.sax.saxutils import escape

_STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.small { font-size: 11px; fill: #59636e; }
.title { font-weight: 600; }
rect { fill: #f6f8fa; stroke: #59636e; }
.a { fill: #ddf4ff; stroke: #0969da; }
.b { fill: #dafbe1; stroke: #1a7f37; }
.c { fill: #fff8c5; stroke: #9a6700; }
path { stroke: #59636e; fill: none; }
.tip { fill: #59636e; stroke: none; }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; }
.small { fill: #9198a1; }
rect { fill: #151b23; stroke: #9198a1; }
.a { fill: #121d2f; stroke: #4493f8; }
.b { fill: #12261e; stroke: #3fb950; }
.c { fill: #272115; stroke: #d29922; }
path { stroke: #9198a1; }
.tip { fill: #9198a1; }
}
"""


class Drawing:
    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.parts = []

    def text(self, x, y, text, kind="", anchor="start"):
        self.parts.append(f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>')

    def box(self, x, y, width, height, lines=(), kind=""):
        """A box with lines of text in its middle; all but the first are small."""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" class="{kind}"/>')
        top = y + height / 2 + 5 - (len(lines) - 1) * 8
        for number, line in enumerate(lines):
            self.text(x + width / 2, top + number * 16, line, "small" if number else "title", "middle")

    def line(self, *points, tip=True):
        """A line through points, with a tip at its end."""
        self.parts.append('<path d="M' + " L".join(f"{x} {y}" for x, y in points) + '"/>')
        if not tip:
            return
        (x1, y1), (x, y) = points[-2:]
        length = ((x - x1) ** 2 + (y - y1) ** 2) ** 0.5 or 1
        dx, dy = (x - x1) / length, (y - y1) / length
        corners = [(x, y), (x - 7 * dx - 4 * dy, y - 7 * dy + 4 * dx), (x - 7 * dx + 4 * dy, y - 7 * dy - 4 * dx)]
        self.parts.append('<path class="tip" d="M' + " L".join(f"{a:.1f} {b:.1f}" for a, b in corners) + 'Z"/>')

    def svg(self):
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
                f'height="{self.height}" role="img">',
                f"<title>{escape(self.title)}</title>",
                f"<style>{_STYLE}</style>",
                *self.parts,
                "</svg>",
                "",
            ]
        )
