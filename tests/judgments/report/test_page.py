"""The report page: its parts in order, text escaped, nothing loaded from elsewhere."""

import base64
import re

from keyhole.judgments.data.columns import Columns
from keyhole.judgments.report.page import Report


def test_parts_come_in_order_and_are_escaped():
    report = Report("Costs < 5")
    report.heading("Repeats & costs")
    report.text("4 < 8")
    report.warning("few objects")
    report.table(Columns(attribute=["<b>"], repeats=[3]))
    report.picture(b"png", 'a "figure"')
    page = report.page()
    parts = [
        "<title>Costs &lt; 5</title>",
        "<h1>Costs &lt; 5</h1>",
        "<h2>Repeats &amp; costs</h2>",
        "<p>4 &lt; 8</p>",
        '<p class="warning">few objects</p>',
        '<div class="scroll"><table>',
        '<td>&lt;b&gt;</td><td class="number">3</td>',
        f'<img alt="a &quot;figure&quot;" src="data:image/png;base64,{base64.b64encode(b"png").decode()}">',
    ]
    places = [page.index(part) for part in parts]
    assert places == sorted(places)
    assert not re.search(r'(src|href)="(?!data:)', page)
