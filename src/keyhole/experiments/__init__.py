"""Every published table and figure: one package per paper, run by ``keyhole reproduce``.

``runner`` runs and reports any paper, ``shared`` holds what several papers use, and each paper has a package of its own
with a file per table or figure; ``theory`` measures the papers' theorems.
"""

from __future__ import annotations

from importlib import import_module

from ..common.wording import listed
from .runner.paper import Paper

__all__ = ["PAPERS", "Paper", "load_paper"]

#: The names of papers on the command line, and the package of each, which is imported when its paper is loaded.
PAPERS = {
    "cesa-bianchi-2010": "cesa_bianchi_2010",
    "hazan-koren-2012": "hazan_koren_2012",
    "kukliansky-shamir-2015": "kukliansky_shamir_2015",
    "murata-suzuki-2018": "murata_suzuki_2018",
    "sabato-kalai-2013": "sabato_kalai_2013",
    "theory": "theory",
}


def load_paper(name: str) -> Paper:
    """Load the tables and figures of a paper.

    Parameters
    ----------
    name : str
        One of `PAPERS`.

    Returns
    -------
    Paper
        The paper, with an experiment for each table and figure.

    Raises
    ------
    ValueError
        If there is no paper of that name; the message lists those that there are.

    Examples
    --------
    >>> [experiment.name for experiment in load_paper("hazan-koren-2012").experiments]
    ['fig1', 'fig2', 'aesvr', 'online-lasso', 'tuning']
    """
    if name not in PAPERS:
        known = listed(list(PAPERS), shown=len(PAPERS))
        raise ValueError(f"{name}: there is no such paper; there are {known}, and 'all' for all of them")
    return import_module(f".{PAPERS[name]}", __package__).PAPER
