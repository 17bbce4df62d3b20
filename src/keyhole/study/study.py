"""Study: what a clinic, a lab or a crowd asks and tells, one example at a time, kept in a database."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Self

from ..common.parameters import ParameterError, check_horizon
from ..errors import StudyError
from ..observe.attributes import Attribute
from .constraints import constraints_of
from .creating import settings_of
from .drawing import Drawer
from .facts import FactChecker
from .files.filing import Filing
from .part import BESIDE, BY_HAND
from .store.base import Store, StudyRecord
from .store.connect import WAIT
from .store.sql import SqlStore


class Study(Filing):
    """Ask and tell that last: every value is in a database when the call returns.

    ``Study.create`` makes a study and ``Study.open`` opens it, from as many programs and machines at once as there are.
    ``ask`` says what to find out of the next example, ``tell`` takes the results as they come, and ``model`` learns
    from all that was told. Who did what, and when, is in the log, of which nothing is ever overwritten.

    Parameters
    ----------
    store : Store
        Where the study is kept.
    record : StudyRecord
        What does not change of it.
    person : str, default=None
        Who asks and tells unless a call says otherwise; None: the owner of the study.
    renewals : {"beside", "by hand"}, default="beside"
        "beside": a process of its own makes a new design when enough examples have come, and nobody waits for it. "by
        hand": ``renew`` does.

    Attributes
    ----------
    name : str
        The name of the study.
    attributes : tuple of Attribute
        Its attributes.
    settings : dict
        Its settings: budget, total, learner, seed and what else was given when it was made.

    Examples
    --------
    >>> import tempfile, keyhole as kh
    >>> place = tempfile.mkdtemp() + "/study.db"
    >>> study = kh.Study.create(place, "iron", ["age", "pulse", "iron"], budget=2, seed=0)
    >>> study.add_examples(["p1", "p2"])
    2
    >>> ask = study.ask()
    >>> ask.example, ask.names
    ('p1', ('age', 'pulse'))
    >>> study.tell(ask, {"age": 61, "pulse": 72}, label=1.5).recorded
    ('age', 'pulse', 'label')
    >>> kh.Study.open(place, "iron").status()["values"]
    2
    """

    def __init__(self, store: Store, record: StudyRecord, person: str | None = None, renewals: str = BESIDE) -> None:
        _check_renewals(renewals)
        self.store, self.record = store, record
        self.person = record.settings["owner"] if person is None else person
        self.renewals = renewals
        constraints = constraints_of(record.attributes, record.settings["forbidden"])
        self._drawer = Drawer(record.settings["seed"], record.attributes, constraints)
        self._facts = FactChecker(record.attributes, record.settings["classes"], self.is_classifier)

    def __repr__(self) -> str:
        return f"<Study {self.name!r} in {self.store.place}: {len(self.attributes)} attributes>"

    # Studies.

    @classmethod
    def create(
        cls,
        url: str | os.PathLike[str],
        name: str,
        attributes: Sequence[Attribute | str],
        *,
        budget: float | None = None,
        total: float | None = None,
        learner: Any = None,
        n_expected: int | None = None,
        classes: Sequence[Any] | None = None,
        forbidden: Sequence[Sequence[str]] = (),
        lease: float = 86_400.0,
        walk_ins: bool = True,
        seed: int | None = None,
        owner: str = "owner",
        renewals: str = BESIDE,
        wait: float = WAIT,
    ) -> Self:
        """Make a study.

        Parameters
        ----------
        url : str or path
            The file of a SQLite database (study.db, sqlite:///study.db), or the URL of a PostgreSQL database. The
            tables are made where there are none; other tables in it are left alone.
        name : str
            The name of the study; a database may hold several.
        attributes : sequence of Attribute or str
            What may be found out of an example.
        budget : float, default=None
            The most that may be asked of one example: a number of attributes, or a cost where they have costs. None:
            everything.
        total : float, default=None
            The most for all examples together, in the same unit, beside a budget: examples are asked for in their
            order until it does not pay for one more. None: no limit.
        learner : KeyholeRegressor or KeyholeClassifier, default=None
            The learner, not fitted, whose ``values``, ``units`` and ``sparsity`` are taken; None: a KeyholeRegressor.
        n_expected : int, default=None
            How many examples are expected to come, if that is known.
        classes : sequence, default=None
            The classes that a label may be, for a classifier; None: any.
        forbidden : sequence of pairs of str, default=()
            Pairs of attributes that may not be asked of the same example.
        lease : float, default=86400
            For how many seconds an example that was asked for is given to nobody else.
        walk_ins : bool, default=True
            Whether ``ask`` may name an example that was not queued before.
        seed : int, default=None
            The seed of all draws; None: one that nobody knows beforehand.
        owner : str, default="owner"
            The name of the first person, who may do everything.
        renewals : {"beside", "by hand"}, default="beside"
            See the class.
        wait : float, default=30
            For how many seconds a write waits for those of others.

        Returns
        -------
        Study
            The study.
        """
        if not isinstance(name, str) or not name.strip():
            raise StudyError(f"name={name!r}: a study has a name")
        _check_renewals(renewals)  # before anything is made
        check_horizon("Study", n_expected)
        described, settings, design = settings_of(
            attributes, budget, total, learner, n_expected, classes, forbidden, lease, walk_ins, seed, owner
        )
        store = SqlStore(url, new=True, wait=wait)
        return cls(store, store.create(name, settings, described, design, owner), renewals=renewals)

    @classmethod
    def open(
        cls,
        url: str | os.PathLike[str],
        name: str | None = None,
        *,
        person: str | None = None,
        renewals: str = BESIDE,
        wait: float = WAIT,
    ) -> Self:
        """Open a study.

        Parameters
        ----------
        url : str or path
            The file, or the URL, of the database.
        name : str, default=None
            The name of the study; None: the only one there is.
        person : str, default=None
            Who asks and tells; None: the owner.
        renewals : {"beside", "by hand"}, default="beside"
            See the class.
        wait : float, default=30
            For how many seconds a write waits for those of others.

        Returns
        -------
        Study
            The study.
        """
        store = SqlStore(url, wait=wait)
        if name is None:
            names = store.studies()
            if len(names) != 1:
                held = f"{len(names)} studies ({', '.join(names)}); name one" if names else "no study; create one"
                raise StudyError(f"{store.place}: it holds {held}")
            name = names[0]
        return cls(store, store.open(name), person, renewals)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the study."""
        return dict(self.record.settings)

    def close(self) -> None:
        """Close the connections to the database; the study can be opened again."""
        self.store.close()

    # People.

    def add_person(self, name: str, role: str = "collector", *, person: str | None = None) -> None:
        """Add a person.

        Parameters
        ----------
        name : str
            The name.
        role : {"owner", "collector", "reader"}, default="collector"
            A reader may look and change nothing.
        person : str, default=None
            Who adds.
        """
        self.store.add_person(self.record, name, role, person or self.person)


def _check_renewals(renewals: str) -> None:
    if renewals not in (BESIDE, BY_HAND):
        raise ParameterError("renewals", f"a study takes {BESIDE!r} or {BY_HAND!r}", renewals)
