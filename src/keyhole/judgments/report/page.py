"""A self-contained HTML page: text, tables and embedded pictures, nothing loaded from elsewhere."""

from __future__ import annotations

import base64
import html
import io
from string import Template

from matplotlib.figure import Figure

PAGE = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>$title</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #222; }
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-size: 0.9rem; }
th { text-align: left; border-bottom: 2px solid #999; }
th, td { padding: 0.2rem 0.8rem 0.2rem 0; }
td { border-bottom: 1px solid #e4e4e4; }
td.n { text-align: right; }
img { max-width: 100%; }
.warning { background: #fff3d6; border-left: 4px solid #d99a00; padding: 0.6rem 1rem; }
.table { overflow-x: auto; }
</style></head><body>
<h1>$title</h1>
$body
</body></html>
""")


class Report:
    """A page built from top to bottom."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.parts: list[str] = []

    def heading(self, text: str) -> None:
        """A section."""
        self.parts.append(f"<h2>{html.escape(text)}</h2>")

    def text(self, text: str) -> None:
        """A paragraph."""
        self.parts.append(f"<p>{html.escape(text)}</p>")

    def warning(self, text: str) -> None:
        """A paragraph that must not be missed."""
        self.parts.append(f'<p class="warning">{html.escape(text)}</p>')

    def table(self, table_html: str) -> None:
        """A table, as ``Columns.to_html`` gives it."""
        self.parts.append(f'<div class="table">{table_html}</div>')

    def picture(self, figure: Figure, description: str) -> None:
        """A figure, embedded as PNG."""
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png")
        data = base64.b64encode(buffer.getvalue()).decode()
        self.parts.append(f'<img alt="{html.escape(description)}" src="data:image/png;base64,{data}">')

    def page(self) -> str:
        """The whole page."""
        return PAGE.substitute(title=html.escape(self.title), body="\n".join(self.parts))
