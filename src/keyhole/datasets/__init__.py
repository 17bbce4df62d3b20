"""Data to learn from: generated, and loaded."""

from .blogfeedback import BlogFeedback, blogfeedback
from .mnist import mnist_pair
from .murata_suzuki import MurataSuzuki, murata_suzuki
from .synthetic import Synthetic, improvement_ratios, kukliansky_shamir

__all__ = [
    "BlogFeedback",
    "MurataSuzuki",
    "Synthetic",
    "blogfeedback",
    "improvement_ratios",
    "kukliansky_shamir",
    "mnist_pair",
    "murata_suzuki",
]
