"""The first tables of a study."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "keyhole_study",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("committed", sa.BigInteger(), nullable=False),
        sa.Column("n_examples", sa.Integer(), nullable=False),
        sa.Column("n_asked", sa.Integer(), nullable=False),
        sa.Column("n_done", sa.Integer(), nullable=False),
        sa.Column("n_values", sa.Integer(), nullable=False),
        sa.Column("n_not_obtainable", sa.Integer(), nullable=False),
        sa.Column("n_conflicts", sa.Integer(), nullable=False),
        sa.Column("n_labelled", sa.Integer(), nullable=False),
        sa.Column("n_learnable", sa.Integer(), nullable=False),
        sa.Column("renewal_asked_at", sa.Float(), nullable=True),
        sa.Column("renewal_lease_until", sa.Float(), nullable=True),
        sa.Column("renewal_error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "keyhole_attribute",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["keyhole_study.id"],
        ),
        sa.PrimaryKeyConstraint("study_id", "number"),
        sa.UniqueConstraint("study_id", "name"),
    )
    op.create_table(
        "keyhole_design",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("excluded", sa.Text(), nullable=False),
        sa.Column("arrays", sa.LargeBinary(), nullable=True),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("selected", sa.Text(), nullable=False),
        sa.Column("next_at", sa.Integer(), nullable=False),
        sa.Column("next_renewal", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["keyhole_study.id"],
        ),
        sa.PrimaryKeyConstraint("study_id", "number"),
    )
    op.create_table(
        "keyhole_example",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("label_state", sa.Text(), nullable=False),
        sa.Column("label_number", sa.Float(), nullable=True),
        sa.Column("label_text", sa.Text(), nullable=True),
        sa.Column("learnable", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["keyhole_study.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("study_id", "name"),
        sa.UniqueConstraint("study_id", "number"),
    )
    op.create_index("keyhole_queue", "keyhole_example", ["study_id", "state", "number"], unique=False)
    op.create_table(
        "keyhole_model",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("watermark", sa.BigInteger(), nullable=False),
        sa.Column("design", sa.Integer(), nullable=False),
        sa.Column("n_examples", sa.Integer(), nullable=False),
        sa.Column("committed", sa.BigInteger(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["keyhole_study.id"],
        ),
        sa.PrimaryKeyConstraint("study_id", "number"),
    )
    op.create_table(
        "keyhole_person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("added_by", sa.Integer(), nullable=True),
        sa.Column("added_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["added_by"],
            ["keyhole_person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["keyhole_study.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("study_id", "name"),
    )
    op.create_table(
        "keyhole_ask",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("example_id", sa.Integer(), nullable=False),
        sa.Column("design", sa.Integer(), nullable=False),
        sa.Column("attributes", sa.Text(), nullable=False),
        sa.Column("probabilities", sa.Text(), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.Float(), nullable=False),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["example_id"],
            ["keyhole_example.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["keyhole_person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["keyhole_study.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("example_id"),
    )
    op.create_index("keyhole_leases", "keyhole_ask", ["study_id", "state", "lease_until"], unique=False)
    op.create_table(
        "keyhole_cell",
        sa.Column("example_id", sa.Integer(), nullable=False),
        sa.Column("attribute", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("number", sa.Float(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["example_id"],
            ["keyhole_example.id"],
        ),
        sa.PrimaryKeyConstraint("example_id", "attribute"),
    )
    op.create_table(
        "keyhole_event",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("example_id", sa.Integer(), nullable=True),
        sa.Column("attribute", sa.Integer(), nullable=True),
        sa.Column("ask_id", sa.Integer(), nullable=True),
        sa.Column("number", sa.Float(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["example_id"],
            ["keyhole_example.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["keyhole_person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["keyhole_study.id"],
        ),
        sa.PrimaryKeyConstraint("study_id", "seq"),
    )
    op.create_index("keyhole_event_of_example", "keyhole_event", ["example_id", "attribute"], unique=False)
