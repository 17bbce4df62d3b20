"""A home without data, and scikit-learn's own checks of downloads that tests replace."""

import inspect

import pytest
import sklearn.datasets
from sklearn.utils._param_validation import validate_parameter_constraints

FETCH = {
    name: getattr(sklearn.datasets, name) for name in ("fetch_openml", "fetch_covtype")
}  # before they are replaced


@pytest.fixture
def allowed():
    """Raises if scikit-learn would refuse the settings of a download."""

    def check(fetcher, **settings):
        fetch = FETCH[fetcher]
        inspect.signature(fetch).bind(**settings)
        validate_parameter_constraints(fetch._skl_parameter_constraints, settings, fetch.__name__)

    return check


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home, and no folder of data."""
    monkeypatch.delenv("KEYHOLE_DATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path
