"""The package's names are imported when they are first used, and heavy packages only by what needs them."""

import subprocess
import sys
from pathlib import Path

import pytest

import keyhole
import keyhole.judgments

# A package "keyhole" whose own __init__ is not run, so that only the imports of the judgments count.
ALONE = """
import sys, types
package = types.ModuleType("keyhole")
package.__path__ = [sys.argv[1]]
sys.modules["keyhole"] = package
"""


def loaded(code, names):
    """Which of some modules are loaded after running some code in a new process."""
    script = ALONE + code + f"\nprint(*sorted({set(names)!r} & set(sys.modules)))"
    folder = Path(keyhole.__file__).parent
    done = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_package_and_its_command_import_nothing_heavy():
    heavy = ["matplotlib", "pandas", "sklearn", "scipy", "numba"]
    assert loaded("import keyhole.judgments, keyhole.judgments.command", heavy) == []


def test_no_name_imports_matplotlib_or_model_selection():
    use_all = "import keyhole.judgments as j\nfor name in j.__all__: getattr(j, name)"
    assert loaded(use_all, ["matplotlib", "sklearn.model_selection", "sklearn.linear_model", "sklearn"]) == ["sklearn"]


def test_every_name_is_there_and_listed():
    for name in keyhole.judgments.__all__:
        assert getattr(keyhole.judgments, name).__name__ == name
        assert name in dir(keyhole.judgments)
    assert keyhole.judgments.__all__ == sorted(keyhole.judgments.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'correlation'"):
        keyhole.judgments.correlation  # noqa: B018


def test_some_names_are_names_of_the_whole_package():
    for name in ("MultiSelector", "JudgmentRegressor", "agreement", "tradeoff"):
        assert getattr(keyhole, name) is getattr(keyhole.judgments, name)
