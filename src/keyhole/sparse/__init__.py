"""Learners that are sparse at prediction time too: at most ``budget`` attributes in training and for a prediction."""

from .dantzig import Dantzig
from .dual_averaging import DualAveraging
from .exploration import Exploration
from .hybrid import Exploitation, Hybrid

__all__ = ["Dantzig", "DualAveraging", "Exploitation", "Exploration", "Hybrid"]
