"""Every estimator's whole state in one file: ``save_model`` and ``load_model``.

What is loaded predicts, explains itself, asks and learns on exactly as the saved one would have: its cells, policy,
random generator, meter, ledger and open asks are kept. Loading runs no code from the file. A file is written whole or
not at all, and says its version; files of version 1, which earlier releases wrote as JSON, are still read. One thing is
not kept: a ``random_state`` that is neither a whole number nor None (the generator in the state goes on all the same).
"""

from .model_file import load_model, save_model
from .predictor import SavedPredictor

__all__ = ["SavedPredictor", "load_model", "save_model"]
