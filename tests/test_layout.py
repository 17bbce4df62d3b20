"""The house is in order: tests are found by the name of what they test, and no room and no file is too large."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "keyhole"
# Packages of which every module has tests under its name.
MIRRORED = ("moments", "observe", "judgments", "planning")
# Modules that hold no behaviour of their own: constants with their reasons, and names of what is inside.
WITHOUT_TESTS = ("__init__", "settings")
MOST_FILES, MOST_LINES = 20, 450


def modules(package):
    """The modules of a package, as paths inside src/keyhole, from what is on disk."""
    found = sorted((SOURCE / package).rglob("*.py"))
    return [path.relative_to(SOURCE) for path in found if path.stem not in WITHOUT_TESTS]


def mirror_of(module):
    """The file with the tests of a module."""
    return TESTS / module.parent / f"test_{module.name}"


def folders():
    return [path for path in [SOURCE, *sorted(SOURCE.rglob("*"))] if path.is_dir() and path.name != "__pycache__"]


@pytest.mark.parametrize("package", MIRRORED)
def test_every_module_has_tests_under_its_name(package):
    found = modules(package)
    assert len(found) >= 8, f"{package} was not found where it is expected: {SOURCE / package}"
    missing = [str(mirror_of(module).relative_to(TESTS)) for module in found if not mirror_of(module).exists()]
    assert missing == []


@pytest.mark.parametrize("package", MIRRORED)
def test_every_test_file_of_these_packages_has_tests(package):
    for module in modules(package):
        path = mirror_of(module)
        if path.exists():
            assert "\ndef test_" in path.read_text(), f"{path} has no test"


@pytest.mark.parametrize("package", ["moments", "observe"])
def test_no_test_file_is_left_of_a_module_that_is_gone(package):
    wanted = {mirror_of(module) for module in modules(package)}
    found = sorted((TESTS / package).rglob("test_*.py"))
    assert [str(path.relative_to(TESTS)) for path in found if path not in wanted] == []


def test_no_folder_has_too_many_files():
    counts = {str(folder.relative_to(SOURCE)): sum(path.is_file() for path in folder.iterdir()) for folder in folders()}
    assert {folder: count for folder, count in counts.items() if count > MOST_FILES} == {}


def test_no_file_has_too_many_lines():
    lengths = {str(path.relative_to(SOURCE)): len(path.read_text().splitlines()) for path in SOURCE.rglob("*.py")}
    assert len(lengths) > 100
    assert {path: length for path, length in lengths.items() if length > MOST_LINES} == {}
