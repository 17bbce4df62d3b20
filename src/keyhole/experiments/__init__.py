"""Every published table and figure: one file per paper, run by ``keyhole reproduce``."""

from __future__ import annotations

from importlib import import_module

from .paper import Paper

# The name on the command line, and the module that ends in PAPER; a module is imported when its paper is asked for.
PAPERS = {
    "cesa-bianchi-2010": "cesa_bianchi_2010",
    "hazan-koren-2012": "hazan_koren_2012",
    "kukliansky-shamir-2015": "kukliansky_shamir_2015",
    "murata-suzuki-2018": "murata_suzuki_2018",
    "sabato-kalai-2013": "sabato_kalai_2013",
    "theory": "theory",
}


def load_paper(name: str) -> Paper:
    """The paper of that name; an unknown one lists the known."""
    if name not in PAPERS:
        raise ValueError(f"{name}: there is no such paper; there are {', '.join(PAPERS)}, and all")
    return import_module(f".{PAPERS[name]}", __package__).PAPER
