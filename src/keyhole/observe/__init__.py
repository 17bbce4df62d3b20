"""Looking at data: sources, attributes, asking and revealing, the meter, the ledger, running scales."""

from .ask import Ask
from .attributes import Attribute, PlainAttributes
from .files import TableSource, read_table
from .frames import FrameSource
from .ledger import Ledger
from .meter import Meter
from .reveal import reveal
from .sources import ArraySource, CallableSource, CSRSource, Source, as_source

__all__ = [
    "ArraySource",
    "Ask",
    "Attribute",
    "CSRSource",
    "CallableSource",
    "FrameSource",
    "Ledger",
    "Meter",
    "PlainAttributes",
    "Source",
    "TableSource",
    "as_source",
    "read_table",
    "reveal",
]
