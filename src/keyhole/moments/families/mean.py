"""The mean label, while nothing else can be learned."""

from __future__ import annotations

from ..solution import Solution, Training, candidate, solution_of
from ..standard.joint import uncorrelated
from ..standard.rows import Rows
from .family import Family, Role


class Mean(Family):
    """Predicts the mean label: the labels are all equal, or no attribute was seen to vary often enough."""

    name = "mean"
    role = Role.SETTLED
    learns = False

    def applies(self, data: Training) -> bool:
        scales = data.scales()
        return not scales.label_scale.any() or not len(scales.used)

    def fit(self, data: Training, max_iterations: int, start: Solution | None = None) -> Solution:
        scales = data.scales()
        why = "all labels are equal" if data.n_rows else "no example was told yet"
        if scales.label_scale.any():
            why = "no attribute varied in enough of its revealed cells"
        joint = uncorrelated(data.n_attributes, data.labels.shape[1])
        return solution_of(joint, scales, self, [candidate(self, True, why)])

    def refit(self, like: Solution, data: Training, max_iterations: int) -> Solution:
        return like.with_moments(like.joint, data.scales())

    def resume(self, like: Solution, rows: Rows, max_iterations: int) -> Solution:
        return like
