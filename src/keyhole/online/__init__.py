"""Streaming learners: one pass, a few attributes of each example, a step that costs what it observes."""

from .aeanalytic import AEAnalytic
from .aelr import AELR
from .aer import AER
from .aerr import AERR
from .aesvr import AESVR
from .baseline import Baseline
from .ddaelr import DDAELR
from .ddaerr import DDAERR
from .identity_correlation import IdentityCorrelation

__all__ = ["AELR", "AER", "AERR", "AESVR", "DDAELR", "DDAERR", "AEAnalytic", "Baseline", "IdentityCorrelation"]
