"""Runs the migrations on the connection that ``schema.upgrade`` gives; Alembic executes this file."""

from alembic import context

from keyhole.study.store.tables import VERSION_TABLE, metadata

if not __name__.startswith("keyhole."):  # Alembic executes the file under a name of its own
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        version_table=VERSION_TABLE,
        transactional_ddl=False,  # the transaction is the caller's
    )
    context.run_migrations()
