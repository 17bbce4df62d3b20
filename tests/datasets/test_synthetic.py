import numpy as np
import pytest

from keyhole.datasets import improvement_ratios, kukliansky_shamir


@pytest.mark.parametrize(
    ("alpha", "ridge", "lasso"),
    [(0, 1.0, 1.0), (-0.5, 0.909, 0.0866), (-1, 0.552, 0.0136), (-2, 0.0562, 0.00329)],
)
def test_improvement_ratios_of_the_paper(alpha, ridge, lasso):
    """Kukliansky and Shamir 2015, Figures 1 and 2, to three digits (the paper prints two)."""
    assert improvement_ratios(kukliansky_shamir(1, alpha=alpha).moments)[0] == pytest.approx(ridge, rel=1e-3)
    lasso_moments = kukliansky_shamir(1, alpha=alpha, norm="lasso").moments
    assert improvement_ratios(lasso_moments)[1] == pytest.approx(lasso, rel=2e-3)


@pytest.mark.parametrize("norm", ["ridge", "lasso"])
def test_the_table_is_what_it_says(norm):
    data = kukliansky_shamir(4000, n_attributes=50, alpha=-1, norm=norm, random_state=0)
    assert set(np.unique(data.X)) <= {0, 1}
    error = 4 * np.sqrt(data.moments * (1 - data.moments) / 4000) + 1e-9
    assert (np.abs(data.X.mean(axis=0) - data.moments) <= error).all()
    np.testing.assert_allclose(data.y, data.X @ data.coef)
    assert (np.linalg.norm(data.moments) if norm == "ridge" else data.moments.max()) == pytest.approx(1)
    again = kukliansky_shamir(4000, n_attributes=50, alpha=-1, norm=norm, random_state=0)
    np.testing.assert_array_equal(again.X, data.X)


def test_unknown_norm():
    with pytest.raises(ValueError, match="norm='l2': kukliansky_shamir takes 'ridge' or 'lasso'"):
        kukliansky_shamir(10, norm="l2")


def test_growing_moments_are_refused():
    with pytest.raises(ValueError, match="alpha=1: kukliansky_shamir needs a finite number, 0 or less"):
        kukliansky_shamir(10, alpha=1)
