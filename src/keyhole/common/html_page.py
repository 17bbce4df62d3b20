"""One look for every HTML page that Keyhole writes: self-contained, readable on a telephone and in print."""

from __future__ import annotations

from html import escape

STYLE = """
body { font: 16px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; color: #1b1b1b; background: #fff;
       max-width: 62rem; margin: 2.5rem auto; padding: 0 1.25rem; overflow-wrap: break-word; }
a { color: #0072b2; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.8rem 0 .6rem; border-top: 1px solid #ddd; padding-top: 1.4rem; }
.about, footer { color: #555; }
.about { max-width: 46rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .9rem .4rem 0; border-bottom: 1px solid #e6e6e6; }
th { font-weight: 600; border-bottom: 2px solid #1b1b1b; }
.number { text-align: right; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.warning { background: #fff3d6; border-left: 4px solid #d99a00; padding: .6rem 1rem; }
figure { margin: 1.2rem 0; } figure svg { width: 100%; height: auto; } img { max-width: 100%; }
details { margin: .8rem 0; } summary { cursor: pointer; color: #0072b2; }
figcaption { color: #555; font-size: .9rem; max-width: 46rem; }
nav { line-height: 2; } nav a { margin-right: 1rem; white-space: nowrap; }
@media (max-width: 45rem) {
  figure svg { width: 44rem; } code { overflow-wrap: anywhere; }
  .scroll + figcaption::before { content: "The figure scrolls sideways. "; }
}
@media print {
  body { margin: 0; max-width: none; font-size: 10pt; } nav { display: none; } a { color: inherit; }
  h2 { break-after: avoid; } figure, tr { break-inside: avoid; } .scroll { overflow: visible; }
  thead, summary { break-after: avoid; } summary { list-style: none; }
  details::details-content { content-visibility: visible; block-size: auto; } summary { color: #555; }
}
"""


def html_page(title: str, body: str, style: str = "") -> str:
    """A whole page with its title as the first heading; ``style`` is more CSS, and ``body`` HTML that goes below.

    >>> html_page("Costs", "<p>4 &lt; 8</p>").splitlines()[-2:]
    ['<p>4 &lt; 8</p>', '</body></html>']
    """
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title><style>{STYLE}{style}</style></head><body>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )
