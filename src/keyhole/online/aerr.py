"""AERR: Attribute Efficient Ridge Regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..observe.ask import Ask
from .base import StreamingLearner
from .ridge import (
    CLOCK,
    STEPS,
    RidgeRule,
    RidgeState,
    ask_ridge,
    learn_ridge,
    new_ridge_state,
    tell_ridge,
    theorem_step,
)
