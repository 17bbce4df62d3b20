"""What was not obtainable, in one answer: counts, labels, and how far the model depends on it; printed, a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...common.wording import listed
from ..learning import can_be_learned
from ..store.replay import replay
from .missing import MissingAttribute, in_short, missing_attributes
from .sensitivity import Sensitivity, sensitivity

if TYPE_CHECKING:
    from ..answering import Answering

SHOWN = 10  # attributes in the table that is printed


class NotObtainable(NamedTuple):
    """What was not obtainable in a study; printed, it is a table and a few sentences.

    Parameters
    ----------
    attributes : tuple of MissingAttribute
        A row for each attribute of which something was not obtainable, the most first.
    p_value : float or None
        That of a relation between the labels and all attributes together; None where there are too few labels.
    related : bool
        Whether what was not obtainable goes with the label, for an attribute or for all together, at a level of 5%.
    sensitivity : tuple of Sensitivity
        How far the model moves when these cells are set to a low or a high value.
    is_classifier : bool
        Whether labels are classes.

    Examples
    --------
    >>> import tempfile, keyhole as kh
    >>> study = kh.Study.create(tempfile.mkdtemp() + "/study.db", "iron", ["age", "iron"], budget=1, seed=0)
    >>> study.not_obtainable().related
    False
    """

    attributes: tuple[MissingAttribute, ...]
    p_value: float | None
    related: bool
    sensitivity: tuple[Sensitivity, ...]
    is_classifier: bool

    def __str__(self) -> str:
        if not self.attributes:
            return "Everything that was asked for and answered was obtainable."
        what = "classes" if self.is_classifier else "mean label ± standard error"
        rows: list[tuple[str, ...]]
        rows = [("attribute", "not obtainable", f"{what} where it was", "where it was not", "labels", "reasons")]
        for one in self.attributes[:SHOWN]:
            share = f"{one.n_missing:,} of {one.n_asked:,} ({one.n_missing / one.n_asked:.0%})"
            told = (str(one.obtained), str(one.missing), one.verdict, in_short(one.reasons))
            rows.append((one.attribute, share, *told))
        rest = self.attributes[SHOWN:]
        if rest:
            n_missing, n_asked = sum(one.n_missing for one in rest), sum(one.n_asked for one in rest)
            rows.append((f"{len(rest)} more", f"{n_missing:,} of {n_asked:,} ({n_missing / n_asked:.0%})", *4 * ("",)))
        parts = [_table(rows), self._of_labels()]
        if self.sensitivity:
            unit = "probability" if self.is_classifier else "SD of the label"
            rows = [("set to", "cells", f"predictions move by ({unit})", "largest change of a coefficient (per SD)")]
            for row in self.sensitivity:
                where = "all attributes: " if row.attribute is None else f"{row.attribute} = "
                rows.append((where + row.value, f"{row.n_cells:,}", f"{row.predictions:.3f}", f"{row.coefficient:.3f}"))
            parts += [_table(rows), self._of_sensitivity()]
        return "\n\n".join(parts)

    def _of_labels(self) -> str:
        names = [one.attribute for one in self.attributes if one.differs]
        if names:
            return (
                f"Whether {listed(names)} could be obtained goes with the label (permutation tests, at a level of 5%"
                " for all together): it says something about the example, and the model does not know it."
            )
        if self.related:
            return (
                f"Over all attributes together, what could not be obtained goes with the label (p = {self.p_value:.2g},"
                " permutation test): it says something about the example, and the model does not know it. No single"
                " attribute shows it."
            )
        if self.p_value is None:
            return "There are too few labels to tell whether what could not be obtained goes with the label."
        return (
            "No relation of what could not be obtained with the label is shown (all attributes together:"
            f" p = {self.p_value:.2g}, permutation test); a weak one cannot be excluded."
        )

    def _of_sensitivity(self) -> str:
        most = max(self.sensitivity, key=lambda row: row.predictions)
        where = "all attributes are" if most.attribute is None else f"{most.attribute} is"
        unit = "in probability" if self.is_classifier else "standard deviations of the label"
        return (
            "The model was learned again with the cells that were not obtainable set to these values. Predictions move"
            f" most, by {most.predictions:.3f} {unit} (root mean square), when {where} set to {most.value}: what the"
            " model may be wrong by if the cells were in truth as extreme as that."
        )


def not_obtainable(study: Answering, sensitive: bool, most: int) -> NotObtainable:
    """Counts and tests by attribute; and the model learned again for the ``most`` attributes with the most cells."""
    with study.store.snapshot(study.record) as moment:
        designs, examples = moment.designs(), replay(moment.events())
    names = [a.name for a in study.attributes]
    rows, together, related = missing_attributes(examples, names, study.is_classifier)
    found: list[Sensitivity] = []
    if sensitive and rows and any(can_be_learned(one) for one in examples.values()):
        found = sensitivity(study.record, designs, examples, [names.index(one.attribute) for one in rows[:most]])
    related = related or any(one.differs for one in rows)
    return NotObtainable(tuple(rows), together, related, tuple(found), study.is_classifier)


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)
