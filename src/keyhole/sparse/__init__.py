"""Sparse learners: at most ``budget`` attributes of an example are revealed in training, and for a prediction."""

from .dantzig import Dantzig
from .dual_averaging import DualAveraging
from .exploitation import Exploitation
from .exploration import Exploration
from .hybrid import Hybrid

__all__ = ["Dantzig", "DualAveraging", "Exploitation", "Exploration", "Hybrid"]
