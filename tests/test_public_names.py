"""``import keyhole`` is quick, and every public name is there when it is used."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import keyhole

SLOW = ("matplotlib", "numba", "pandas", "polars", "pyarrow", "scipy", "sklearn")


def loaded_after(code):
    """The slow packages that a new process has imported after running some code."""
    code += f"\nimport sys; print('loaded:', *[name for name in {(*SLOW, 'numpy')!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.rsplit("loaded:", 1)[1].split()


def test_importing_loads_nothing_slow():
    assert loaded_after("import keyhole; dir(keyhole); keyhole.__version__; keyhole.BadValue") == []


@pytest.mark.parametrize("words", [["--help"], ["--version"], [], ["fit", "--help"], ["nothing"]])
def test_help_loads_nothing_slow(words):
    assert loaded_after(f"import keyhole.cli\ntry: keyhole.cli.app({words!r})\nexcept SystemExit: pass") == []


def test_a_name_is_loaded_when_it_is_used():
    assert "numba" in loaded_after("import keyhole; keyhole.AERR")


def test_every_name_resolves_and_is_listed():
    assert len(set(keyhole.__all__)) == len(keyhole.__all__)
    for name in keyhole.__all__:
        assert getattr(keyhole, name) is not None
    assert set(keyhole.__all__) <= set(dir(keyhole))
    assert set(keyhole.__all__) == {*keyhole._HOME, "datasets", "planning", "rivals"}
    for package in keyhole._PACKAGES:
        assert getattr(keyhole, package) is importlib.import_module(f"keyhole.{package}")


def test_names_come_from_the_package_that_exports_them():
    for package, names in keyhole._EXPORTS.items():
        module = importlib.import_module(f"keyhole.{package}")
        for name in names:
            assert getattr(keyhole, name) is getattr(module, name)


def test_star_import_and_unknown_names():
    names = {}
    exec("from keyhole import *", names)
    assert set(keyhole.__all__) <= set(names)
    with pytest.raises(AttributeError, match="module 'keyhole' has no attribute 'KeyholeRegresor'"):
        keyhole.KeyholeRegresor  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'KeyholeRegresor'"):
        exec("from keyhole import KeyholeRegresor", {})


def test_the_package_says_that_it_is_typed():
    assert (Path(keyhole.__file__).parent / "py.typed").is_file()
