"""A study and files: exports, imports, backups and upgrades. The work is done in the modules beside this one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ...common.warn import warn_user
from ..answering import Answering
from ..telling import Telling

if TYPE_CHECKING:
    from .backup import Upgraded
    from .importing import Imported


class Filing(Telling, Answering):
    """What a study reads from files, and writes to them."""

    def export(
        self,
        to: str | os.PathLike[str],
        *,
        shape: str = "long",
        format: str = "csv",
        overwrite: bool = False,
    ) -> list[Path]:
        """Write the study to a file or a folder.

        Parameters
        ----------
        to : str or path
            A folder: a table with a row per cell (long), one with a row per example (wide), the data dictionary and a
            README. A file that ends with .csv or .parquet: one of the tables. A file that ends with .jsonl: the whole
            study, from which ``restore`` makes it again.
        shape : {"long", "wide"}, default="long"
            Which table a file holds.
        format : {"csv", "parquet"}, default="csv"
            The format of the tables in a folder.
        overwrite : bool, default=False
            Whether files that are there already are replaced.

        Returns
        -------
        list of pathlib.Path
            The files that were written, each whole.
        """
        from .folder import export

        return export(self, to, shape, format, overwrite)

    def import_results(
        self,
        path: str | os.PathLike[str],
        *,
        person: str | None = None,
        found: bool = False,
        dry_run: bool = False,
    ) -> Imported:
        """Record the results in a table, as a site returns them: all of them, or none where a line is wrong.

        Parameters
        ----------
        path : str or path
            A .csv or .parquet file with the columns ask or example, attribute and value; and, where they are known,
            unit, not_obtainable (the reason), label and person. The attribute ``label`` is the label. What
            ``allocate`` writes and what ``export`` writes can be imported. The same file again changes nothing.
        person : str, default=None
            Who tells, where a line does not say it.
        found : bool, default=False
            Whether the numbers of asks are left aside, as in a table from another study.
        dry_run : bool, default=False
            Whether the table is only tried, and nothing is recorded.

        Returns
        -------
        Imported
            How many facts are new, were told before, or contradict. Wrong lines are an error, which has all of them in
            ``lines``.
        """
        from .importing import import_results

        done = import_results(self, path, person, found, dry_run)
        if done.conflicts:
            n = len(done.conflicts)
            kept = "Nothing was recorded, as this was only tried"
            if not dry_run:
                kept = "All values are kept, and none of them is learned from until a correction says which is right"
            warn_user(f"{path}, {done.conflicts[0]}{f', the first of {n:,} such lines' if n > 1 else ''}. {kept}")
        if not dry_run:
            self._renew_beside()
        return done

    def backup(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Copy the study to a file, while it is in use.

        Parameters
        ----------
        path : str or path
            The file. From SQLite it is a database with all studies of the original, which can be opened; from
            PostgreSQL it is this study in lines of JSON, from which ``restore`` makes it again.
        overwrite : bool, default=False
            Whether a file that is there already is replaced.

        Returns
        -------
        pathlib.Path
            The file, which is there whole or not at all.
        """
        from .backup import backup

        return backup(self.store, self.record, path, overwrite)

    @classmethod
    def restore(cls, url: str | os.PathLike[str], path: str | os.PathLike[str], name: str | None = None) -> Self:
        """Make a study from a file that holds a whole one.

        Parameters
        ----------
        url : str or path
            The file, or the URL, of a database; the tables are made where there are none.
        path : str or path
            The file that ``export`` (.jsonl) or ``backup`` (from PostgreSQL) wrote.
        name : str, default=None
            The name of the study in this database; None: the one that it had.

        Returns
        -------
        Study
            The study, with everything that the original had; its log is the same, and so is its model.
        """
        from ..store.sql import SqlStore
        from .dump import check_dump, read_dump

        check_dump(Path(path))  # before a database is made for it
        store = SqlStore(url, new=True)
        return cls(store, read_dump(store, path, name))  # type: ignore[call-arg]

    @staticmethod
    def upgrade(url: str | os.PathLike[str], backup: str | os.PathLike[str] | None = None) -> Upgraded:
        """Bring the tables of a database to the version of this Keyhole, after a backup.

        Parameters
        ----------
        url : str or path
            The file, or the URL, of the database.
        backup : str or path, default=None
            The file of the backup; None: beside the database, with its version in the name. For PostgreSQL, a file
            that pg_dump has made before.

        Returns
        -------
        Upgraded
            The versions before and now, and the file of the backup. A database that is newer than this Keyhole is
            refused.
        """
        from .backup import upgrade

        return upgrade(url, backup)
