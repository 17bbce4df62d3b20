"""Judgments in memory: one array of objects, attributes and judgments, with their names and workers.

Every other module of the package works on a ``Judgments``; ``inputs`` makes one of arrays, long tables and files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...common.parameters import ParameterError
from ...common.wording import listed
from ...errors import BadValue
from .columns import Columns
from .parsing import SHOWN_NAMES, named, plain_id


@dataclass(frozen=True)
class Judgments:
    """Judgments of attributes of objects, and who gave them.

    Parameters
    ----------
    values : ndarray of shape (n_objects, n_attributes, n_judgments)
        The judgments, NaN where there is none; in each cell, the present ones come first.
    objects : list of str
        Names of the objects.
    attributes : list of str
        Names of the attributes.
    worker : ndarray of int of shape (n_objects, n_attributes, n_judgments), optional
        For each judgment, the position of its worker in ``workers``; -1 where there is no judgment. None if the
        workers were not recorded.
    workers : tuple of str, default=()
        Names of the workers.

    Attributes
    ----------
    counts : ndarray of int of shape (n_objects, n_attributes)
        The number of judgments in each cell.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole.judgments import Judgments
    >>> values = np.array([[[1.0, 3.0]], [[4.0, np.nan]]])
    >>> Judgments(values, ["ann", "bob"], ["tall"]).counts
    array([[2],
           [1]])
    """

    values: np.ndarray
    objects: list[str]
    attributes: list[str]
    worker: np.ndarray | None = None
    workers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        shape = (len(self.objects), len(self.attributes))
        if self.values.ndim != 3 or self.values.shape[:2] != shape:
            raise ParameterError(
                "values",
                f"the array has shape {self.values.shape}; with {shape[0]} objects and {shape[1]} attributes it must"
                f" have shape ({shape[0]}, {shape[1]}, number of judgments)",
            )
        if self.worker is not None and self.worker.shape != self.values.shape:
            raise ParameterError(
                "worker", f"the array has shape {self.worker.shape}; it must have that of values, {self.values.shape}"
            )

    @property
    def counts(self) -> np.ndarray:
        """The number of judgments in each cell."""
        return np.asarray((~np.isnan(self.values)).sum(axis=2))

    def keep_objects(self, positions: Sequence[int] | np.ndarray) -> Judgments:
        """Select objects.

        Parameters
        ----------
        positions : sequence of int
            The positions of the objects to keep, in the order in which they are kept.

        Returns
        -------
        Judgments
            The judgments of these objects, with as many judgments per cell as they need.
        """
        positions = np.asarray(positions, dtype=np.int64)
        kept = replace(
            self,
            values=self.values[positions],
            objects=[self.objects[i] for i in positions],
            worker=None if self.worker is None else self.worker[positions],
        )
        return kept.first(max(1, int(kept.counts.max(initial=0))))

    def first(self, k: int) -> Judgments:
        """Select the first judgments of each cell.

        Parameters
        ----------
        k : int
            How many judgments of each cell to keep.

        Returns
        -------
        Judgments
            The first ``k`` judgments of each cell.
        """
        worker = None if self.worker is None else self.worker[:, :, :k]
        return replace(self, values=self.values[:, :, :k], worker=worker)

    def without_workers(self, exclude: Sequence[str]) -> Judgments:
        """Leave out the judgments of some workers.

        Parameters
        ----------
        exclude : sequence of str
            Names of the workers to leave out.

        Returns
        -------
        Judgments
            The judgments of all other workers.

        Raises
        ------
        BadValue
            If the workers were not recorded.
        ParameterError
            If ``exclude`` is a single text, or names a worker who gave no judgment.
        """
        if isinstance(exclude, str):
            raise ParameterError("exclude", "without_workers needs a list of names, not one text", exclude)
        if self.worker is None:
            raise BadValue("workers cannot be excluded, because these judgments have no column 'worker'")
        codes = {name: code for code, name in enumerate(self.workers)}
        unknown = [name for name in map(plain_id, exclude) if name not in codes]
        if unknown:
            raise ParameterError(
                "exclude",
                f"there is no judgment by {named('worker', unknown)}; workers are {listed(self.workers, SHOWN_NAMES)}",
            )
        dropped = np.isin(self.worker, [codes[plain_id(name)] for name in exclude])
        return compact(replace(self, values=np.where(dropped, np.nan, self.values)))

    def to_long(self) -> Columns:
        """Convert to a long table.

        Returns
        -------
        Columns
            One row per judgment, with the columns ``object``, ``attribute``, ``value`` and, where the workers were
            recorded, ``worker``.
        """
        at = np.argwhere(~np.isnan(self.values))
        table = Columns(
            object=[self.objects[i] for i in at[:, 0]],
            attribute=[self.attributes[a] for a in at[:, 1]],
            value=[float(x) for x in self.values[tuple(at.T)]],
        )
        if self.worker is not None:
            table["worker"] = [self.workers[w] for w in self.worker[tuple(at.T)]]
        return table


def compact(judgments: Judgments) -> Judgments:
    """Move the present judgments of each cell to the front, in their order; drop positions that no cell uses."""
    missing = np.isnan(judgments.values)
    in_front = bool((missing[:, :, 1:] >= missing[:, :, :-1]).all())
    if in_front and not missing[:, :, -1:].all():
        return judgments
    order = np.argsort(missing, axis=2, kind="stable")
    depth = max(1, int((~missing).sum(axis=2).max(initial=0)))
    values = np.take_along_axis(judgments.values, order, axis=2)[:, :, :depth]
    worker = judgments.worker
    if worker is not None:
        worker = np.take_along_axis(np.where(missing, -1, worker), order, axis=2)[:, :, :depth]
    return replace(judgments, values=values, worker=worker)


def require_workers(judgments: Judgments, purpose: str) -> None:
    """Raise unless the workers of the judgments were recorded; ``purpose`` is the subject of the sentence."""
    if judgments.worker is None:
        raise BadValue(
            f"{purpose} require the worker of each judgment; give a long table with the column 'worker' (columns names"
            " it where the file has another name for it)"
        )
