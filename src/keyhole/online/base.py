"""The base of all streaming learners."""

from __future__ import annotations

from ..common.parameters import check_positive
from ..compiled import CompiledLearner


class StreamingLearner(CompiledLearner):
    """Base of the streaming learners: their weights stay in a ball with the given radius."""

    radius: float

    def _check_parameters(self, d: int) -> None:
        super()._check_parameters(d)
        check_positive(type(self).__name__, "radius", self.radius)
