"""The report as an HTML page: text, tables and embedded figures; nothing is loaded from elsewhere."""

from __future__ import annotations

import base64
from html import escape

from ...common.html_page import html_page
from ..data.columns import Columns


class Report:
    """A page that is built from top to bottom."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.parts: list[str] = []

    def heading(self, text: str) -> None:
        """The heading of a section."""
        self.parts.append(f"<h2>{escape(text)}</h2>")

    def text(self, text: str) -> None:
        """A paragraph."""
        self.parts.append(f"<p>{escape(text)}</p>")

    def warning(self, text: str) -> None:
        """A paragraph that is set off."""
        self.parts.append(f'<p class="warning">{escape(text)}</p>')

    def table(self, table: Columns) -> None:
        """A table."""
        self.parts.append(f'<div class="scroll">{table.to_html()}</div>')

    def picture(self, png: bytes, description: str) -> None:
        """A figure, embedded as PNG."""
        data = base64.b64encode(png).decode()
        self.parts.append(f'<img alt="{escape(description)}" src="data:image/png;base64,{data}">')

    def page(self) -> str:
        """The whole page."""
        return html_page(self.title, "\n".join(self.parts))
