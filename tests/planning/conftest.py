"""One small plan that several tests share."""

import pytest

from keyhole.planning import plan
from planning.populations import population


@pytest.fixture(scope="session")
def small_plan():
    X, y = population(40, 0)
    return plan(X, y, [60, 120], few=2, target=0.6, n_worlds=4, n_jobs=1)
