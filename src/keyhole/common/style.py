"""One style for every figure: a learner has the same colour, marker and line wherever it is drawn.

Nothing here imports matplotlib before something is drawn, so that any module can import it at no cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers can distinguish; marker and line repeat what a colour says.
BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PURPLE, GREY = (
    "#000000",
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#C9B800",  # darker than theirs, which is hard to see on white
    "#0072B2",
    "#D55E00",
    "#CC79A7",
    "#7F7F7F",
)
INDIGO, WINE = "#332288", "#882255"  # two of Paul Tol's, where nine colours are not enough
CYCLE = (BLUE, ORANGE, GREEN, PURPLE, SKY, WINE, YELLOW, INDIGO, RED, GREY)  # for lines that are not learners
ROOM_FOR_NAMES = 0.4  # the part of a panel's width that names beside its lines take at most
PALE, NOT_REVEALED = "#BBBBBB", "#CFE3F1"  # lines to compare with; the ground of an image whose cells are not revealed


class LineStyle(NamedTuple):
    """How the line of a learner is drawn: a colour, a marker and a kind of line, in matplotlib's words."""

    color: str
    marker: str
    linestyle: str


# Learners that keep a budget have solid lines, rivals dashed ones, learners with every cell dotted ones. A colour is
# used again only for learners that are not compared in one figure, or whose lines and markers differ.
STYLES = {
    "KeyholeRegressor": LineStyle(RED, "*", "-"),
    "AER": LineStyle(ORANGE, "o", "-"),
    "Baseline": LineStyle(PURPLE, "s", "-"),
    "AERR": LineStyle(GREEN, "D", "-"),
    "AELR": LineStyle(BLUE, "^", "-"),
    "AESVR": LineStyle(PURPLE, "v", "-"),
    "AEAnalytic": LineStyle(YELLOW, "v", "-"),
    "IdentityCorrelation": LineStyle(YELLOW, "s", "-"),
    "DDAERR": LineStyle(INDIGO, "P", "-"),
    "DDAELR": LineStyle(WINE, "X", "-"),
    "Two-Phased DDAERR": LineStyle(PURPLE, "h", "-"),
    "Two-Phased DDAELR": LineStyle(PURPLE, "H", "-"),
    "Exploration": LineStyle(ORANGE, "<", "-"),
    "Hybrid": LineStyle(BLUE, ">", "-"),
    "Dantzig": LineStyle(GREEN, "p", "-"),
    "RDA": LineStyle(PURPLE, "d", "-"),
    "RDA 2018": LineStyle(PURPLE, "s", "-."),
    "RDA with l1": LineStyle(PURPLE, "o", ":"),
    "Full": LineStyle(BLUE, "o", "-"),
    "Scoring": LineStyle(ORANGE, "s", "-"),
    "Averages": LineStyle(GREEN, "^", "-"),
    "Copies": LineStyle(PURPLE, "D", "-"),
    "own estimates": LineStyle(BLACK, "*", "--"),
    "best published learner": LineStyle(BLUE, "s", "-"),
    "complete rows": LineStyle(GREY, "s", "--"),
    "screened panel": LineStyle(SKY, "D", "--"),
    "multiple imputation": LineStyle(YELLOW, "^", "--"),
    "uniform reveals": LineStyle(PURPLE, "o", "--"),
    "ridge": LineStyle(BLACK, "o", ":"),
    "Lasso": LineStyle(GREY, "^", ":"),
    "online ridge": LineStyle(BLACK, "+", ":"),
    "online Lasso": LineStyle(GREY, "x", ":"),
    "mean label": LineStyle(PALE, "|", "-"),
}
# Other names of the same learners: classes of the library, and words of tables.
ALIASES = {
    "KeyholeClassifier": "KeyholeRegressor",
    "Keyhole": "KeyholeRegressor",
    "Exploitation": "Hybrid",
    "DualAveraging": "RDA 2018",
    "DualAveraging 2": "RDA",
    "DualAveraging 3": "RDA with l1",
    "CompleteRows": "complete rows",
    "ScreenedPanel": "screened panel",
    "ImputeThenRidge": "multiple imputation",
    "full information": "ridge",
    "ridge regression on every test": "ridge",
    "the mean label": "mean label",
}
UNKNOWN = LineStyle(BLACK, ".", "-")
# What may follow a comma in a learner's name: the same colour and marker, open, and another line.
VARIANTS: dict[str, Any] = {
    "as printed": "-.",
    "raw values": (0, (6, 1.5)),
    "even draws": (0, (4, 1.5)),
    "tuned": "-",
    "gain per cost": "--",
    "without estimates": ":",
    "untuned": (0, (1, 1.5)),
    "one total": "--",
}

_BY_NAME = {name.casefold(): style for name, style in STYLES.items()}
_BY_NAME |= {alias.casefold(): STYLES[name] for alias, name in ALIASES.items()}


def learner_style(name: str) -> dict[str, Any]:
    """The keyword arguments of ``axes.plot`` for a learner, by the name that the legend shows.

    The case of letters does not matter. ``"AER, untuned"`` has the colour and the marker of AER, open, and another
    line. A name that is not in ``STYLES`` or ``ALIASES`` is black.

    >>> learner_style("AERR")["color"] == learner_style("AERR, untuned")["color"] == GREEN
    True
    """
    kind, _, variant = name.partition(", ")
    style = _BY_NAME.get(kind.casefold(), UNKNOWN)
    return {
        "color": style.color,
        "marker": style.marker,
        "linestyle": VARIANTS.get(variant, style.linestyle),
        "markerfacecolor": "white" if variant else style.color,
        "label": name,
    }


def learner_colour(name: str) -> str:
    """The colour of a learner.

    >>> learner_colour("KeyholeRegressor")
    '#D55E00'
    """
    return learner_style(name)["color"]


def curve(axes: Axes, x: Any, mean: Any, error: Any, name: str) -> None:
    """Draw the line of a learner with error bars; ``error`` is what matplotlib takes as ``yerr``."""
    style = learner_style(name)
    size = 10 if style["marker"] == "*" else 5  # the area of a star is small for its size
    axes.errorbar(x, mean, yerr=error, markersize=size, linewidth=1.4, capsize=2.5, elinewidth=0.9, **style)


def tidy(axes: Axes, xlabel: str, ylabel: str, title: str = "") -> None:
    """Name the axes, draw a light grid behind the data, and remove the box."""
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    if title:
        axes.set_title(title, fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.92", linewidth=0.8)
    axes.set_axisbelow(True)


def mark_beyond(axes: Axes) -> None:
    """Write the value of each point above the axes at their upper edge, with an arrow, in the learner's colour."""
    top, size = axes.get_ylim()[1], 7.5
    axes.figure.figure.draw_without_rendering()  # so that axes have their size, of which names may take some later
    width = (1 - ROOM_FOR_NAMES) * axes.get_window_extent().width
    letter = 0.65 * size * axes.figure.dpi / 72 / width  # its width, as a share of the axes'
    share = axes.transData + axes.transAxes.inverted()
    taken: list[tuple[int, float, float]] = []  # the row, the left end and the right end of each value
    for drawn in axes.containers:
        line = drawn[0]
        for x, y in zip(*line.get_data(), strict=True):
            if y > top:
                text = f"↑{float(f'{y:.3g}'):,g}" if y < 1e6 else f"↑{y:.3g}"
                at, width = share.transform((x, top))[0], letter * len(text)
                inside = at + width <= 1  # else it is written left of its point
                left, right = (at, at + width) if inside else (at - width, at)
                rows = {row for row, begin, end in taken if begin < right and left < end}
                row = min(set(range(1, len(taken) + 2)) - rows)
                taken.append((row, left, right))
                style = {"color": line.get_color(), "fontsize": size, "ha": "left" if inside else "right"}
                place = (3 if inside else -3, -9 * row)
                axes.annotate(text, (x, top), place, textcoords="offset points", **style)


def plain_log(axis: Axis) -> None:
    """Write plain numbers at 1, 2 and 5 times powers of ten, for a logarithmic axis of a small range."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    axis.set_minor_formatter(NullFormatter())


def legend_below(figure: Figure | Any, *panels: Axes, columns: int = 4) -> None:
    """Draw one legend for the whole figure below the axes: the lines of all panels, each once.

    The figure has a constrained layout.
    """
    lines = {label: line for axes in panels for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(list(lines.values()), list(lines), loc="outside lower center", ncols=columns, frameon=False)
