"""What every part of a study knows: where it is kept, its attributes, and who is at it."""

from __future__ import annotations

from ..common.warn import warn_user
from ..errors import StoreError
from ..observe.attributes import Attribute
from .drawing import Drawer
from .facts import FactChecker
from .store.base import Store, StudyRecord

BESIDE, BY_HAND = "beside", "by hand"


class StudyPart:
    """Base of the parts of ``Study``."""

    store: Store
    record: StudyRecord
    person: str
    renewals: str
    _drawer: Drawer
    _facts: FactChecker

    @property
    def name(self) -> str:
        """The name of the study."""
        return self.record.name

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The attributes of the study."""
        return self.record.attributes

    @property
    def is_classifier(self) -> bool:
        """Whether labels are classes."""
        return bool(self.record.settings["learner"] == "KeyholeClassifier")

    def _renew_beside(self) -> None:
        if self.renewals == BESIDE:
            from .renewal import start_beside

            try:
                start_beside(self.store, self.record)
            except (
                OSError,
                StoreError,
            ) as error:  # asks go on by the design that is there
                warn_user(f"what was told is stored; a renewal of the design could not be started: {error}")
