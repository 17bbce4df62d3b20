"""The tables of a study, for queries; ``migrations`` makes them.

Every fact is a row of ``event``, which is never changed. The other tables hold what follows from the events (the state
of a cell, of an example, of the money), are written in the same transaction, and are recounted from the events by
``verify``. Money is kept in millionths, as whole numbers, so that sums are exact. Times are seconds since 1 January
1970 by the clock of the database.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

PREFIX = "keyhole_"
VERSION_TABLE = PREFIX + "schema_version"
# What a study counts, so that its status needs no look at all rows.
COUNTS = (
    "n_examples",
    "n_asked",
    "n_done",
    "n_values",
    "n_not_obtainable",
    "n_conflicts",
    "n_labelled",
    "n_learnable",
)
metadata = MetaData()

STUDY = Table(
    PREFIX + "study",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("settings", Text, nullable=False),  # JSON
    Column("seq", BigInteger, nullable=False),  # the number of the last event
    Column("committed", BigInteger, nullable=False),  # the money of all asks, in millionths
    *(Column(name, Integer, nullable=False) for name in COUNTS),
    Column("renewal_asked_at", Float),
    Column("renewal_lease_until", Float),
    Column("renewal_error", Text),  # why the last one failed
    Column("created_at", Float, nullable=False),
)

PERSON = Table(
    PREFIX + "person",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("study_id", ForeignKey(STUDY.c.id), nullable=False),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("added_by", ForeignKey(PREFIX + "person.id")),
    Column("added_at", Float, nullable=False),
    UniqueConstraint("study_id", "name"),
)

ATTRIBUTE = Table(
    PREFIX + "attribute",
    metadata,
    Column("study_id", ForeignKey(STUDY.c.id), nullable=False),
    Column("number", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("definition", Text, nullable=False),  # JSON
    PrimaryKeyConstraint("study_id", "number"),
    UniqueConstraint("study_id", "name"),
)

EXAMPLE = Table(
    PREFIX + "example",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("study_id", ForeignKey(STUDY.c.id), nullable=False),
    Column("number", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),  # queued, asked, done
    Column("label_state", Text, nullable=False),  # none, value, conflict
    Column("label_number", Float),
    Column("label_text", Text),
    Column("learnable", Boolean, nullable=False),
    UniqueConstraint("study_id", "number"),
    UniqueConstraint("study_id", "name"),
    Index(PREFIX + "queue", "study_id", "state", "number"),
)

DESIGN = Table(
    PREFIX + "design",
    metadata,
    Column("study_id", ForeignKey(STUDY.c.id), nullable=False),
    Column("number", Integer, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("parent", Integer),  # of a design that leaves some attributes out: the design that it follows from
    Column("excluded", Text, nullable=False),  # JSON: the attributes that it leaves out
    Column("arrays", LargeBinary),  # of a design without parent, unless every attribute is always asked for
    Column("start", Integer, nullable=False),
    Column("selected", Text, nullable=False),  # JSON
    Column("next_at", Integer, nullable=False),
    Column("next_renewal", Integer),  # the number of learnable examples that calls for the next design
    PrimaryKeyConstraint("study_id", "number"),
)

ASK = Table(
    PREFIX + "ask",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("study_id", ForeignKey(STUDY.c.id), nullable=False),
    Column("example_id", ForeignKey(EXAMPLE.c.id), nullable=False, unique=True),  # one draw per example, ever
    Column("design", Integer, nullable=False),
    Column("attributes", Text, nullable=False),  # JSON: numbers
    Column("probabilities", Text, nullable=False),  # JSON: inclusion probabilities, in the same order
    Column("price", BigInteger, nullable=False),  # what is reserved or spent, in millionths
    Column("state", Text, nullable=False),  # open, done, cancelled
    Column("person_id", ForeignKey(PERSON.c.id), nullable=False),  # who has it
    Column("asked_at", Float, nullable=False),
    Column("lease_until", Float),  # None: it does not expire
    Index(PREFIX + "leases", "study_id", "state", "lease_until"),
)

CELL = Table(
    PREFIX + "cell",
    metadata,
    Column("example_id", ForeignKey(EXAMPLE.c.id), nullable=False),
    Column("attribute", Integer, nullable=False),
    Column("drawn", Boolean, nullable=False),  # False: found, drawn by no design
    Column("state", Text, nullable=False),  # asked, value, not obtainable, cancelled, conflict
    Column("number", Float),
    Column("text", Text),
    PrimaryKeyConstraint("example_id", "attribute"),
)

EVENT = Table(
    PREFIX + "event",
    metadata,
    Column("study_id", ForeignKey(STUDY.c.id), nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("example_id", ForeignKey(EXAMPLE.c.id)),
    Column("attribute", Integer),  # None: it is about the label, or the whole example
    Column("ask_id", Integer),
    Column("number", Float),
    Column("text", Text),
    Column("reason", Text),
    Column("person_id", ForeignKey(PERSON.c.id), nullable=False),
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("study_id", "seq"),
    Index(PREFIX + "event_of_example", "example_id", "attribute"),
)

MODEL = Table(
    PREFIX + "model",
    metadata,
    Column("study_id", ForeignKey(STUDY.c.id), nullable=False),
    Column("number", Integer, nullable=False),
    Column("watermark", BigInteger, nullable=False),  # the last event that it was learned from
    Column("design", Integer, nullable=False),  # the design that it led to
    Column("n_examples", Integer, nullable=False),
    Column("committed", BigInteger, nullable=False),
    Column("summary", Text, nullable=False),  # JSON: risk, its interval, fingerprint, versions
    Column("made_at", Float, nullable=False),
    PrimaryKeyConstraint("study_id", "number"),
)
