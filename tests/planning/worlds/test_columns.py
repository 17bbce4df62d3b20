"""Standardised columns of a pilot."""

import numpy as np

from keyhole.planning.worlds.columns import standardised_columns


def test_columns_are_standardised_and_missing_cells_stay():
    table = np.exp(np.random.default_rng(0).normal(size=(50, 3)))
    table[4, 1] = np.nan
    for columns in standardised_columns(table).values():
        np.testing.assert_allclose(np.nanmean(columns, axis=0), 0, atol=1e-12)
        np.testing.assert_allclose(np.nanstd(columns, axis=0), 1, rtol=1e-12)
        assert np.isnan(columns[4, 1])
        assert np.isnan(columns).sum() == 1


def test_ranks_do_not_depend_on_units_or_on_a_monotone_map():
    table = np.random.default_rng(0).normal(size=(30, 2))
    ranks = standardised_columns(table)["ranks"]
    np.testing.assert_allclose(standardised_columns(np.exp(3 * table))["ranks"], ranks, atol=1e-12)


def test_a_constant_attribute_is_zero():
    columns = standardised_columns(np.column_stack([np.full(20, 7.0), np.arange(20.0)]))
    assert not columns["values"][:, 0].any()
    assert not columns["ranks"][:, 0].any()
