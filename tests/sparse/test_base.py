"""The base of the sparse learners: predictions reveal the support and nothing else."""

import numpy as np
import pytest
from scipy import sparse as sp

import keyhole as kh
from keyhole.observe import CallableSource
from sparse.stream import TRUTH, X, Y


@pytest.fixture(params=[kh.Hybrid(8, 4), kh.Dantzig(8, 4), kh.DualAveraging(8, 4)], ids=str)
def fitted(request):
    return request.param.set_params(random_state=0).fit(X, Y)


def test_a_prediction_reads_the_support_alone_and_is_metered(fitted):
    def read(example, attributes):
        assert set(attributes) <= set(TRUTH)
        return X[example, attributes]

    expected = X[:50].astype(float) @ fitted.coef_ + fitted.intercept_
    hidden = np.where(np.isin(np.arange(20), TRUTH), X[:50], np.nan)
    tables = [CallableSource(read, 50, 20), hidden, np.asfortranarray(hidden), sp.csr_array(X[:50])]
    for times, table in enumerate(tables, start=1):
        np.testing.assert_allclose(fitted.predict(table), expected, rtol=1e-5)
        assert fitted.predicted_.n_examples == 50 * times
        assert fitted.predicted_.distinct == fitted.predicted_.cost == 4 * 50 * times
    np.testing.assert_array_equal(fitted.predicted_.per_attribute[TRUTH], 200)
    assert fitted.predicted_.max_per_example == 4
    assert fitted.observed_.n_examples == len(Y), "what predictions reveal is counted apart"
