"""Every error that Keyhole raises on its own account.

Wrong arguments are ``ValueError``, as scikit-learn users expect; what goes wrong with the data itself
is one of the classes below.
"""


class KeyholeError(Exception):
    """Base of Keyhole's own errors."""


class BudgetExceeded(KeyholeError):
    """More of one example was asked for than its budget allows."""


class NotRevealed(KeyholeError, LookupError):
    """A value that was not, or could not be, revealed."""


class BadValue(KeyholeError, ValueError):
    """A revealed value that is not a finite number; names the example and the attribute."""


class StudyError(KeyholeError, ValueError):
    """Something that a study refuses: an unknown name, a contradiction, an example that somebody else has."""


class StoreError(KeyholeError):
    """The database of a study cannot be read or written; what was acknowledged before is there."""
