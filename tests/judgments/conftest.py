"""Two test processes on two cores: threads of BLAS would only wait for each other."""

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True, scope="session")
def _one_thread():
    with threadpool_limits(1):
        yield
