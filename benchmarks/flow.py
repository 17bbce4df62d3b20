"""Draws docs/figures/flow.svg, the flow of Keyhole's own learner: ``python benchmarks/flow.py``.

Two columns, so that the text can be read on a telephone: on the left how cells are revealed, from top to bottom; on the
right how a model is solved from them, from bottom to top.
"""

from __future__ import annotations

from html import escape

from keyhole.common.atomic import write_whole
from pages import FIGURES

WIDTH, HEIGHT, MARGIN, GAP, ROW = 600, 500, 10, 60, 128
BOX_WIDTH, BOX_HEIGHT = (WIDTH - 2 * MARGIN - GAP) // 2, 96
LEFT = (
    ("policy", "inclusion probabilities,", "renewed from the solution"),
    ("ask", "which attributes of the", "next example to reveal"),
    ("reveal", "reads these cells; the meter", "counts what they cost"),
    ("cells", "tell keeps every revealed", "cell and every label"),
)
RIGHT = (
    ("predict, explain", "from any subset; purchases,", "errors, intervals, summary"),
    ("solution", "joint moments of attributes", "and label; coefficients"),
    ("average", "of families, by what", "held-out rows support"),
    ("values", "maps and scales of columns,", "from revealed cells alone"),
)
COLOURS = "#e8eef4", "#f4ece2"  # revealing, solving
STYLE = (
    "text{font-family:Helvetica,Arial,sans-serif;font-size:16px;fill:#222;text-anchor:middle}"
    ".name{font-weight:bold;font-size:18px}"
    "path{stroke:#555;stroke-width:2;fill:none;marker-end:url(#head)}rect{rx:6}"
)
HEAD = (
    '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"'
    ' markerUnits="userSpaceOnUse"><polygon points="0,0 8,4 0,8" fill="#555"/></marker>'
)


def left_of(column: int) -> int:
    return MARGIN + column * (BOX_WIDTH + GAP)


def top_of(row: int) -> int:
    return MARGIN + row * ROW


def box(column: int, row: int, name: str, *lines: str) -> list[str]:
    """A box with its name and lines of text."""
    x, y = left_of(column), top_of(row)
    middle = x + BOX_WIDTH // 2
    return [
        f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" fill="{COLOURS[column]}" stroke="#888"/>',
        f'<text class="name" x="{middle}" y="{y + 30}">{escape(name)}</text>',
        *(f'<text x="{middle}" y="{y + 56 + 22 * i}">{escape(line)}</text>' for i, line in enumerate(lines)),
    ]


def arrow(*points: tuple[int, int]) -> str:
    return '<path d="M' + " L".join(f"{x},{y}" for x, y in points) + '"/>'


def drawing() -> str:
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff" rx="0"/>']
    for column, boxes in enumerate((LEFT, RIGHT)):
        for row, texts in enumerate(boxes):
            parts += box(column, row, *texts)
    middles = [left_of(column) + BOX_WIDTH // 2 for column in (0, 1)]
    for row in range(3):
        ends = (top_of(row) + BOX_HEIGHT + 2, top_of(row + 1) - 2)
        parts += [arrow(*((middles[0], y) for y in ends)), arrow(*((middles[1], y) for y in reversed(ends)))]
    right_edge, last = left_of(0) + BOX_WIDTH, top_of(3) + BOX_HEIGHT // 2
    parts.append(arrow((right_edge + 2, last), (left_of(1) - 2, last)))
    from_solution, to_policy, between = top_of(1) + 30, top_of(0) + BOX_HEIGHT // 2, right_edge + GAP // 2
    parts.append(
        arrow(
            (left_of(1) - 2, from_solution), (between, from_solution), (between, to_policy), (right_edge + 2, to_policy)
        )
    )
    title = "<title>ask, reveal and keep cells; learn values, average families, solve; predict and explain</title>"
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">\n'
        f"{title}\n<style>{STYLE}</style>\n<defs>{HEAD}</defs>\n{body}\n</svg>\n"
    )


if __name__ == "__main__":
    write_whole(FIGURES / "flow.svg", drawing())
