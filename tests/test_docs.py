"""Code blocks in the pages run, links between pages lead somewhere, and the examples in docstrings run."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import keyhole

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = [
    m.name
    for m in pkgutil.walk_packages(keyhole.__path__, "keyhole.")
    if "migrations" not in m.name  # Alembic executes these, and nothing imports them
]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": page.stem}
    for code in blocks(page):
        exec(compile(code, str(page), "exec"), names)


def test_there_is_code_to_run():
    assert sum(len(blocks(page)) for page in PAGES) >= 3


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def test_every_public_name_is_documented():
    for name in keyhole.__all__:
        assert getattr(keyhole, name).__doc__, name


def test_links_between_pages():
    for page in PAGES:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}, which does not exist"
