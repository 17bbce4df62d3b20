"""Nineteen real tables from R packages, on which learners and rivals are compared."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.parameters import ParameterError
from ..common.wording import listed
from .files import find_file

WHAT = (
    "an .npz file with the arrays NAME_X and NAME_y of each table, made from the R packages that"
    " keyhole.datasets.league_tables() names: factors one-hot, rows with gaps left out, at most 6,000 rows"
)
# The R package and the item of each table, as Rdatasets lists them, and the label.
SOURCES = {
    "ames": ("modeldata::ames", "Sale_Price"),
    "baseball": ("wooldridge::mlb1", "lsalary"),
    "boston": ("MASS::Boston", "medv"),
    "cells": ("modeldata::cells", "class"),
    "chicago": ("modeldata::Chicago", "ridership"),
    "churn": ("modeldata::mlc_churn", "churn"),
    "college": ("ISLR::College", "Outstate"),
    "genes": ("dslabs::tissue_gene_expression", "the most frequent tissue, or another"),
    "grants": ("modeldata::grants_other", "class"),
    "hepatic": ("modeldata::hepatic_injury_qsar", "class"),
    "lending": ("modeldata::lending_club", "int_rate"),
    "loanapp": ("wooldridge::loanapp", "approve"),
    "loans": ("openintro::loans_full_schema", "interest_rate"),
    "meats": ("modeldata::meats", "fat"),
    "nhefs": ("causaldata::nhefs_complete", "wt82_71"),
    "pbc": ("survival::pbcseq", "bili"),
    "schools": ("openintro::hfi", "hf_score"),
    "twoyear": ("wooldridge::twoyear", "lwage"),
    "visits": ("AER::NMES1988", "visits"),
}


class LeagueSource(NamedTuple):
    """Where a table comes from.

    Parameters
    ----------
    item : str
        The R package and the item in it, as ``"package::item"``.
    label : str
        The column that is the label.

    Examples
    --------
    >>> LeagueSource("MASS::Boston", "medv").item
    'MASS::Boston'
    """

    item: str
    label: str


class LeagueTable(NamedTuple):
    """A real table for regression.

    Parameters
    ----------
    X : ndarray of shape (n_examples, n_attributes)
        The attributes; the levels of a factor are columns of 0 and 1.
    y : ndarray of shape (n_examples,)
        The labels.
    source : LeagueSource
        The R package and the item that the table comes from, and the column that is the label.

    Examples
    --------
    >>> table = LeagueTable(np.zeros((506, 13)), np.zeros(506), LeagueSource("MASS::Boston", "medv"))
    >>> table.X.shape
    (506, 13)
    """

    X: np.ndarray
    y: np.ndarray
    source: LeagueSource


def league_tables() -> dict[str, LeagueSource]:
    """Name the tables that ``league_table`` loads.

    Returns
    -------
    dict of str to LeagueSource
        The R package, the item and the label of each table, by its name.

    Examples
    --------
    >>> tables = league_tables()
    >>> len(tables)
    19
    >>> tables["meats"]
    LeagueSource(item='modeldata::meats', label='fat')
    """
    return {name: LeagueSource(*source) for name, source in SOURCES.items()}


def league_table(name: str) -> LeagueTable:
    """Load one of the real tables that learners and rivals are compared on.

    The file ``league.npz`` is searched in ``$KEYHOLE_DATA`` and in ``~/.cache/keyhole``; it is not downloaded.

    Parameters
    ----------
    name : str
        The name of the table, one of ``league_tables()``.

    Returns
    -------
    LeagueTable
        Attributes, labels and source.

    Raises
    ------
    FileNotFoundError
        If the file is missing; the message says what to put where.

    References
    ----------
    V. Arel-Bundock. Rdatasets: a collection of datasets originally distributed in various R packages.
    https://vincentarelbundock.github.io/Rdatasets

    Examples
    --------
    >>> league_table("boston").X.shape  # doctest: +SKIP
    (506, 13)
    """
    if name not in SOURCES:
        raise ParameterError("name", f"there are the tables {listed(list(SOURCES), len(SOURCES))}", name)
    path = find_file("league.npz", WHAT)
    with np.load(path) as stored:
        missing = [key for key in (f"{name}_X", f"{name}_y") if key not in stored.files]
        if missing:
            raise FileNotFoundError(f"{path} has no array {' and no array '.join(missing)}. It should be {WHAT}.")
        X, y = stored[f"{name}_X"], stored[f"{name}_y"]
    return LeagueTable(X.astype(np.float64), y.astype(np.float64), LeagueSource(*SOURCES[name]))
